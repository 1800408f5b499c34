#include "cli/formats/text_lines.hpp"

#include "cli/io/failure.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

constexpr std::size_t kLineBuffer = 1 << 18;

}  // namespace

bool LineReader::fill() {
  buffer_.resize(kLineBuffer);
  buffer_.resize(file_.read_at(offset_, buffer_.data(), kLineBuffer));
  offset_ += buffer_.size();
  at_ = 0;
  return !buffer_.empty();
}

bool LineReader::next(TextBlock& block) {
  const std::uint64_t start = offset_ - (buffer_.size() - at_);
  bool any = false, ended = false;
  while (!ended && (at_ < buffer_.size() || fill())) {
    any = true;
    const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto end = std::find(from, buffer_.end(), '\n');
    const auto length = static_cast<std::size_t>(end - from);
    if (block.open_bytes() + length > kLongestText) {
      throw bad_byte(file_.name(), start,
                     text("expected a line of at most ", kLongestText, " bytes, found a longer one"));
    }
    block.add_piece(std::string_view(&*from, length));
    ended = end != buffer_.end();
    at_ += length + (ended ? 1 : 0);
  }
  if (count_ && (any ? lines_ == *count_ : lines_ < *count_)) {
    throw bad_byte(file_.name(), start,
                   text("expected ", *count_, " lines, found ", any ? "more" : std::to_string(lines_)));
  }
  if (!any) return false;
  block.add({});
  ++lines_;
  return true;
}

std::uint64_t count_lines(InputFile& file) {
  std::vector<char> buffer(kLineBuffer);
  std::uint64_t lines = 0, offset = 0;
  char last = '\n';
  while (const std::size_t got = file.read_at(offset, buffer.data(), buffer.size())) {
    lines +=
        static_cast<std::uint64_t>(std::count(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got), '\n'));
    last = buffer[got - 1];
    offset += got;
  }
  return lines + (last != '\n' ? 1 : 0);
}

void LineWriter::write(const TextBlock& block) {
  lines_.clear();
  for (std::size_t i = 0; i < block.size(); ++i, ++written_) {
    if (block[i].find('\n') != std::string_view::npos) {
      throw bad_element(file_.name(), written_, "a raw file holds one string per line, found one with a line feed");
    }
    lines_ += block[i];
    lines_ += '\n';
  }
  file_.write(lines_);
}

}  // namespace castforge::cli

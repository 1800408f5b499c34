#include "cli/formats/npy_text.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/unicode.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

constexpr std::size_t kTextBuffer = 1 << 18;

class NpyTextWriter : public TextWriter {
 public:
  NpyTextWriter(OutputFile& file, std::size_t length) : file_(file), length_(length) {}

  void write(const TextBlock& block) override {
    for (std::size_t i = 0; i < block.size(); ++i, ++written_) {
      item_.assign(length_ * 4, '\0');
      std::string_view rest = block[i];
      for (std::size_t k = 0; !rest.empty(); ++k) {
        // The texts were counted before; another length means that the input changed.
        const auto code_point = take_code_point(rest);
        if (!code_point || k == length_) {
          throw bad_element(file_.name(), written_, "the input changed while it was read");
        }
        for (std::size_t b = 0; b < 4; ++b) {
          item_[4 * k + b] = static_cast<char>(*code_point >> (8 * b) & 0xFF);
        }
      }
      items_ += item_;
      if (items_.size() >= kTextBuffer) flush();
    }
    flush();
  }

 private:
  void flush() {
    file_.write(items_);
    items_.clear();
  }

  OutputFile& file_;
  std::size_t length_;
  std::uint64_t written_ = 0;
  std::string item_, items_;
};

}  // namespace

std::size_t npy_text_bytes(const NpyDescr& descr) {
  const std::size_t bytes = descr.kind == 'U' ? std::size_t{4} * descr.size : descr.size;
  return bytes <= kLongestText ? bytes : 0;
}

NpyTextReader::NpyTextReader(InputFile& file, std::uint64_t offset, std::uint64_t count, const NpyDescr& descr)
    : file_(file), offset_(offset), count_(count), descr_(descr), item_bytes_(npy_text_bytes(descr)) {}

bool NpyTextReader::next(TextBlock& block) {
  if (done_ == count_) return false;
  if (at_ == buffer_.size()) {
    const std::uint64_t items =
        std::min<std::uint64_t>(count_ - done_, std::max<std::size_t>(kTextBuffer / item_bytes_, 1));
    buffer_.resize(static_cast<std::size_t>(items) * item_bytes_);
    file_.read_exactly(offset_, buffer_.data(), buffer_.size(), "element data");
    offset_ += buffer_.size();
    at_ = 0;
  }
  const char* item = buffer_.data() + at_;
  if (descr_.kind == 'U') {
    add_code_points(block, item);
  } else {
    std::size_t length = item_bytes_;
    while (length != 0 && item[length - 1] == '\0') --length;
    block.add(std::string_view(item, length));
  }
  at_ += item_bytes_;
  ++done_;
  return true;
}

void NpyTextReader::add_code_points(TextBlock& block, const char* item) {
  const auto at = [&](std::size_t k) {
    char32_t value = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      const auto byte = static_cast<unsigned char>(item[4 * k + (descr_.order == '>' ? b : 3 - b)]);
      value = value << 8 | byte;
    }
    return value;
  };
  std::size_t length = descr_.size;
  while (length != 0 && at(length - 1) == 0) --length;
  std::string utf8;
  for (std::size_t k = 0; k < length; ++k) {
    if (!append_utf8(utf8, at(k))) {
      throw bad_element(file_.name(), done_,
                        text("expected a Unicode code point, found ", static_cast<std::uint32_t>(at(k))));
    }
  }
  block.add(utf8);
}

std::unique_ptr<TextWriter> start_npy_text(OutputFile& file, const TensorInfo& tensor, std::size_t length) {
  file.write(npy_header_bytes(text("<U", length), tensor.fortran_order, tensor.shape));
  return std::make_unique<NpyTextWriter>(file, length);
}

}  // namespace castforge::cli

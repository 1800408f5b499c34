#include "cli/io/kept_text.hpp"

#include "cli/io/input_file.hpp"

#include <span>

namespace castforge::cli {
namespace {

constexpr std::size_t kInMemory = 1 << 20;

}  // namespace

void KeptText::write(std::string_view text) {
  last_ += text;
  if (last_.size() < kInMemory) return;
  if (!spool_) spool_.emplace(name_);
  spool_->write(last_.data(), last_.size());
  last_.clear();
}

void KeptText::read(const std::function<void(std::string_view)>& part) {
  if (spool_) {
    InputFile file(name_, *spool_);
    std::string block(kInMemory, '\0');
    std::uint64_t at = 0;
    while (const std::size_t got = file.read_at(at, block.data(), block.size())) {
      part(std::string_view(block).substr(0, got));
      at += got;
    }
  }
  part(last_);
}

std::unique_ptr<InputFile> KeptText::file() {
  if (!spool_) return std::make_unique<InputFile>(name_, std::as_bytes(std::span(last_)));
  spool_->write(last_.data(), last_.size());
  last_.clear();
  return std::make_unique<InputFile>(name_, *spool_);
}

void KeptText::read_lines(const std::function<void(std::string_view)>& line) {
  std::string begun;
  read([&](std::string_view part) {
    for (std::size_t end = 0; (end = part.find('\n')) != part.npos; part.remove_prefix(end + 1)) {
      const std::string_view rest = part.substr(0, end);
      if (begun.empty()) {
        line(rest);
      } else {
        line(begun += rest);
        begun.clear();
      }
    }
    begun += part;
  });
  if (!begun.empty()) line(begun);  // a last one without its end
}

}  // namespace castforge::cli

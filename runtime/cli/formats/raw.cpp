#include "cli/formats/raw.hpp"

#include "cli/formats/text_lines.hpp"
#include "cli/io/failure.hpp"

namespace castforge::cli {
namespace {

/// Elements of a stream whose number is given: the stream must end after them.
class CountedStreamReader : public FileElementReader {
 public:
  CountedStreamReader(InputFile& file, Type type, std::uint64_t count)
      : FileElementReader(file, 0, type, count),
        file_(file),
        end_(*packed_bytes(count, type_info(type).storage_bits)),
        count_(count) {}

  std::size_t read(void* codes, std::size_t count) override {
    const std::size_t got = FileElementReader::read(codes, count);
    delivered_ += got;
    char more;
    if (delivered_ == count_ && !ended_) {
      ended_ = true;
      if (file_.read_at(end_, &more, 1) != 0) {
        throw bad_byte(file_.name(), end_,
                       text("expected the end after ", counted(count_, "element"), ", found more bytes"));
      }
    }
    return got;
  }

 private:
  InputFile& file_;
  std::uint64_t end_, count_, delivered_ = 0;
  bool ended_ = false;
};

}  // namespace

RawSource::RawSource(InputFile& file, Type type, std::optional<std::uint64_t> count) : file_(file) {
  info_.type = type;
  info_.count = count;
  if (is_string(type)) {
    if (file.size() && !count) info_.count = count_lines(file);
  } else {
    if (count && !packed_bytes(*count, type_info(type).storage_bits)) {
      throw usage_error(text("--count ", *count, " is too large"));
    }
    if (file.size()) check_size(*file.size());
  }
  if (info_.count) info_.shape = {*info_.count};
}

void RawSource::check_size(std::uint64_t size) {
  const int bits = type_info(info_.type).storage_bits;
  if (info_.count) {
    const std::uint64_t expected = *packed_bytes(*info_.count, bits);
    if (size == expected) return;
    throw bad_file(file_.name(), text("expected ", expected, " bytes for ", counted(*info_.count, "element"), " of ",
                                      name(info_.type), ", found ", size));
  }
  info_.count = elements_filling(size, bits);
  const std::uint64_t rest = size - *packed_bytes(*info_.count, bits);
  if (rest != 0) {
    throw bad_byte(file_.name(), size - rest, text(name(info_.type), ": ", part_of_an_element(bits, rest)));
  }
}

std::unique_ptr<ElementReader> RawSource::elements() {
  if (info_.count && !file_.size()) {
    return std::make_unique<CountedStreamReader>(file_, info_.type, *info_.count);
  }
  return std::make_unique<FileElementReader>(file_, 0, info_.type, info_.count);
}

std::unique_ptr<TextReader> RawSource::texts() { return std::make_unique<LineReader>(file_, info_.count); }

}  // namespace castforge::cli

#include "cli/raw.hpp"

#include "cli/failure.hpp"

namespace castforge::cli {
namespace {

/// Elements of a stream whose number is given: the stream must end after them.
class CountedStreamReader : public FileElementReader {
 public:
  CountedStreamReader(InputFile& file, Type type, std::uint64_t count)
      : FileElementReader(file, 0, type, count), file_(file), end_(*packed_bytes(count, type_info(type).storage_bits)),
        count_(count) {}

  std::size_t read(void* codes, std::size_t count) override {
    const std::size_t got = FileElementReader::read(codes, count);
    delivered_ += got;
    char more;
    if (delivered_ == count_ && !ended_) {
      ended_ = true;
      if (file_.read_at(end_, &more, 1) != 0) {
        throw bad_byte(file_.name(), end_, text("expected the end after ", count_, " elements, found more bytes"));
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
  const auto bits = static_cast<std::uint64_t>(type_info(type).storage_bits);
  const auto expected = count ? packed_bytes(*count, static_cast<int>(bits)) : std::nullopt;
  if (count && !expected) throw usage_error(text("--count ", *count, " is too large"));
  if (file.size()) {
    const std::uint64_t size = *file.size();
    if (expected && size != *expected) {
      throw bad_file(file.name(), text("expected ", *expected, " bytes for ", *count, " elements of ", name(type),
                                       ", found ", size));
    }
    if (bits > 8 && size % (bits / 8) != 0) {
      throw bad_byte(file.name(), size - size % (bits / 8),
                     text("expected an element of ", bits / 8, " bytes (", name(type), "), found ", size % (bits / 8),
                          " before the file ends"));
    }
    if (!count) count = bits >= 8 ? size / (bits / 8) : size * (8 / bits);
  }
  info_.count = count;
  if (count) info_.shape = {*count};
}

std::unique_ptr<ElementReader> RawSource::elements() {
  if (info_.count && !file_.size()) return std::make_unique<CountedStreamReader>(file_, info_.type, *info_.count);
  return std::make_unique<FileElementReader>(file_, 0, info_.type, info_.count);
}

}  // namespace castforge::cli

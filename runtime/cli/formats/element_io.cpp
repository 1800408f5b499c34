#include "cli/formats/element_io.hpp"

#include "cli/io/failure.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

constexpr std::size_t kCopyBlock = 1 << 20;

}  // namespace

FileElementReader::FileElementReader(InputFile& file, std::uint64_t offset, Type type,
                                     std::optional<std::uint64_t> count, CodeLayout layout)
    : file_(file), offset_(offset), bits_(type_info(type).storage_bits), layout_(layout), left_(count) {}

std::size_t FileElementReader::elements_in(std::size_t bytes) const {
  const auto width = static_cast<std::size_t>(bits_in_file(layout_, bits_));
  if (bytes * 8 % width != 0) {
    const std::size_t rest = bytes * 8 % width / 8;
    throw bad_byte(file_.name(), offset_ + bytes - rest,
                   text("expected an element of ", width / 8, " bytes, found ", rest, " before the file ends"));
  }
  return bytes * 8 / width;
}

std::size_t FileElementReader::read(void* codes, std::size_t count) {
  if (left_) count = static_cast<std::size_t>(std::min<std::uint64_t>(count, *left_));
  if (count == 0) return 0;
  const int width = bits_in_file(layout_, bits_);
  const auto length = static_cast<std::size_t>(*packed_bytes(count, width));
  void* to = codes;
  if (width != bits_) {
    bytes_.resize(length);
    to = bytes_.data();
  }
  if (left_) {
    file_.read_exactly(offset_, to, length, "element data");
    *left_ -= count;
    offset_ += length;
  } else {
    const std::size_t got = file_.read_at(offset_, to, length);
    count = elements_in(got);
    offset_ += got;
  }
  if (width != bits_) pack_codes(to, codes, count, bits_);
  if (layout_ == CodeLayout::big_endian) swap_bytes(codes, count, static_cast<std::size_t>(bits_) / 8);
  return count;
}

FileElementWriter::FileElementWriter(OutputFile& file, Type type, CodeLayout layout)
    : file_(file), bits_(type_info(type).storage_bits), layout_(layout) {}

void FileElementWriter::write(const void* codes, std::size_t count) {
  if (bits_in_file(layout_, bits_) != bits_) {
    bytes_.resize(count);
    unpack_codes(codes, bytes_.data(), count, bits_);
    file_.write(bytes_.data(), count);
  } else {
    file_.write(codes, static_cast<std::size_t>(*packed_bytes(count, bits_)));
  }
}

void copy_bytes(InputFile& from, std::uint64_t begin, std::uint64_t end, OutputFile& to) {
  std::vector<char> block(static_cast<std::size_t>(std::min<std::uint64_t>(end - begin, kCopyBlock)));
  while (begin < end) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(end - begin, kCopyBlock));
    from.read_exactly(begin, block.data(), length, "data");
    to.write(block.data(), length);
    begin += length;
  }
}

}  // namespace castforge::cli

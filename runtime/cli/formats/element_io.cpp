#include "cli/formats/element_io.hpp"

#include "cli/io/failure.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

constexpr std::size_t kCopyBlock = 1 << 20;

}  // namespace

FileElementReader::FileElementReader(InputFile& file, std::uint64_t offset, Type type,
                                     std::optional<std::uint64_t> count, CodeLayout layout)
    : file_(file),
      offset_(offset),
      bits_(type_info(type).storage_bits),
      packing_(type_info(type).packing),
      layout_(layout),
      left_(count) {}

std::size_t FileElementReader::elements_in(std::size_t bytes) const {
  const int width = bits_in_file(layout_, bits_);
  const auto count = static_cast<std::size_t>(elements_filling(bytes, width));
  const std::size_t rest = bytes - static_cast<std::size_t>(*packed_bytes(count, width));
  if (rest != 0) throw bad_byte(file_.name(), offset_ + bytes - rest, part_of_an_element(width, rest));
  return count;
}

std::size_t FileElementReader::read(void* codes, std::size_t count) {
  if (left_) count = static_cast<std::size_t>(std::min<std::uint64_t>(count, *left_));
  if (count == 0) return 0;
  const int width = bits_in_file(layout_, bits_);
  const auto length = static_cast<std::size_t>(*packed_bytes(count, width));
  void* to = codes;
  if (width != bits_) {
    words_.resize(length);
    to = words_.data();
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
  if (layout_.big_endian) swap_bytes(to, count, static_cast<std::size_t>(width) / 8);
  if (width != bits_) pack_codes(to, codes, count, bits_, packing_);
  return count;
}

FileElementWriter::FileElementWriter(OutputFile& file, Type type, bool words)
    : file_(file),
      bits_(type_info(type).storage_bits),
      width_(bits_in_file({.words = words}, bits_)),
      packing_(type_info(type).packing) {}

void FileElementWriter::write(const void* codes, std::size_t count) {
  const auto length = static_cast<std::size_t>(*packed_bytes(count, width_));
  if (width_ != bits_) {
    words_.resize(length);
    unpack_codes(codes, words_.data(), count, bits_, packing_);
    codes = words_.data();
  }
  file_.write(codes, length);
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

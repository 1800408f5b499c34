#include "cli/formats/wire.hpp"

#include "cli/io/failure.hpp"

#include <algorithm>
#include <cstring>

namespace castforge::cli {
namespace {

constexpr std::size_t kWireBuffer = 1 << 16;
constexpr std::uint64_t kLargestFieldNumber = (1U << 29) - 1;
constexpr std::size_t kLongestString = 1 << 16;  // a bound on memory

}  // namespace

unsigned char WireBytes::next_byte() {
  if (at_ == end_) throw bad_byte(file_->name(), at_, "expected another byte of the field, found its end");
  if (buffer_.empty() || at_ < buffer_offset_ || at_ >= buffer_offset_ + buffer_.size()) {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWireBuffer, end_ - at_)));
    buffer_offset_ = at_;
    file_->read_exactly(at_, buffer_.data(), buffer_.size(), "the message");
  }
  return buffer_[static_cast<std::size_t>(at_++ - buffer_offset_)];
}

std::uint64_t WireBytes::varint() {
  const std::uint64_t start = at_;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    const unsigned char byte = next_byte();
    if (shift == 63 && byte > 1) break;
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  throw bad_byte(file_->name(), start, "expected an integer of at most 64 bits, found a longer one");
}

std::uint64_t WireBytes::fixed(std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{next_byte()} << (8 * i);
  return value;
}

void WireBytes::skip(std::uint64_t length) { at_ += length; }

void WireBytes::read(std::uint64_t offset, char* data, std::size_t size) {
  if (offset >= buffer_offset_ && size <= buffer_.size() && offset - buffer_offset_ <= buffer_.size() - size) {
    std::memcpy(data, buffer_.data() + (offset - buffer_offset_), size);
  } else {
    file_->read_exactly(offset, data, size, "the message");
  }
}

bool WireFields::next(WireField& field) {
  if (bytes_.left() == 0) return false;
  field = WireField{};
  field.offset = bytes_.offset();
  const auto fail = [&](const std::string& message) { return bad_byte(bytes_.file_name(), field.offset, message); };

  const std::uint64_t tag = bytes_.varint();
  const std::uint64_t number = tag >> 3;
  if (number == 0 || number > kLargestFieldNumber) {
    throw fail(text("expected a field number of 1 to 536870911, found ", number));
  }
  field.number = static_cast<std::uint32_t>(number);
  field.type = static_cast<WireType>(tag & 7);
  field.payload_offset = bytes_.offset();
  switch (field.type) {
    case WireType::varint: field.value = bytes_.varint(); break;
    case WireType::fixed64: field.value = bytes_.fixed(8); break;
    case WireType::fixed32: field.value = bytes_.fixed(4); break;
    case WireType::bytes: {
      const std::uint64_t length = bytes_.varint();
      if (length > bytes_.left()) {
        throw fail(text("field ", number, ": expected at most ", bytes_.left(), " bytes, found length ", length));
      }
      field.payload_offset = bytes_.offset();
      field.payload_size = length;
      bytes_.skip(length);
      return true;
    }
    default: throw fail(text("field ", number, ": expected wire type 0, 1, 2 or 5, found ", tag & 7));
  }
  field.payload_size = bytes_.offset() - field.payload_offset;
  return true;
}

void WireFields::read(const WireField& field, std::string& contents) {
  contents.resize(static_cast<std::size_t>(field.payload_size));
  bytes_.read(field.payload_offset, contents.data(), contents.size());
}

void expect_bytes(const std::string& file, const WireField& field, std::string_view what) {
  if (field.type == WireType::bytes) return;
  throw bad_byte(file, field.offset, text(what, ": expected wire type 2, found ", static_cast<int>(field.type)));
}

std::string read_wire_text(InputFile& file, const WireField& field, std::string_view what) {
  expect_bytes(file.name(), field, what);
  if (field.payload_size > kLongestString) {
    throw bad_byte(file.name(), field.offset,
                   text(what, ": expected at most ", kLongestString, " bytes, found length ", field.payload_size));
  }
  std::string result(static_cast<std::size_t>(field.payload_size), '\0');
  file.read_exactly(field.payload_offset, result.data(), result.size(), "text");
  return result;
}

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7F) | 0x80);
  out += static_cast<char>(value);
}

void append_tag(std::string& out, std::uint32_t number, WireType type) {
  append_varint(out, std::uint64_t{number} << 3 | static_cast<std::uint64_t>(type));
}

void append_number(std::string& out, std::uint32_t number, std::uint64_t value) {
  append_tag(out, number, WireType::varint);
  append_varint(out, value);
}

void append_bytes(std::string& out, std::uint32_t number, std::string_view contents) {
  append_tag(out, number, WireType::bytes);
  append_varint(out, contents.size());
  out += contents;
}

}  // namespace castforge::cli

// Protocol Buffers wire format, read field by field from a file without holding the message in memory.
#pragma once

#include "cli/io/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// Reads bytes `begin` to `end` of a file through a small buffer.
class WireBytes {
 public:
  WireBytes(InputFile& file, std::uint64_t begin, std::uint64_t end) : file_(&file), at_(begin), end_(end) {}

  std::uint64_t offset() const { return at_; }
  std::uint64_t left() const { return end_ - at_; }
  const std::string& file_name() const { return file_->name(); }

  /// A base-128 integer. Throws a bad_data Failure where it does not end within 10 bytes.
  std::uint64_t varint();
  /// A little-endian integer of `size` bytes.
  std::uint64_t fixed(std::size_t size);
  void skip(std::uint64_t length);
  /// The bytes from `offset` on, at any place before the end.
  void read(std::uint64_t offset, char* data, std::size_t size);

 private:
  unsigned char next_byte();

  InputFile* file_;
  std::uint64_t at_, end_;
  std::vector<unsigned char> buffer_;
  std::uint64_t buffer_offset_ = 0;
};

struct WireField {
  std::uint32_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t offset = 0;          // of the tag
  std::uint64_t payload_offset = 0;  // of the value; of the contents for WireType::bytes
  std::uint64_t payload_size = 0;    // bytes of the value or contents
  std::uint64_t value = 0;           // varint and fixed types
};

/// Walks the fields of a message.
class WireFields {
 public:
  WireFields(InputFile& file, std::uint64_t begin, std::uint64_t end) : bytes_(file, begin, end) {}

  /// Advances to the next field; false at the end of the message. Contents of WireType::bytes fields are
  /// skipped.
  bool next(WireField& field);

  /// The contents of a field of WireType::bytes, from the buffer where that has them.
  void read(const WireField& field, std::string& contents);

 private:
  WireBytes bytes_;
};

/// Throws a bad_data Failure unless a field is of WireType::bytes; `what` it is, for messages.
void expect_bytes(const std::string& file, const WireField& field, std::string_view what);

/// A string field, which is never long; `what` it is, for messages. Throws a bad_data Failure.
std::string read_wire_text(InputFile& file, const WireField& field, std::string_view what);

void append_varint(std::string& out, std::uint64_t value);
void append_tag(std::string& out, std::uint32_t number, WireType type);
/// Whole fields.
void append_number(std::string& out, std::uint32_t number, std::uint64_t value);
void append_bytes(std::string& out, std::uint32_t number, std::string_view contents);

}  // namespace castforge::cli

#include "cli/formats/typed_field_reader.hpp"

#include "cli/formats/tensor_proto_fields.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/file_parts.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

WireType entry_type_of(std::uint32_t number) {
  if (number == field::kFloatData) return WireType::fixed32;
  if (number == field::kDoubleData) return WireType::fixed64;
  return WireType::varint;
}

}  // namespace

TypedFieldReader::TypedFieldReader(InputFile& file, std::uint64_t size, Type type, std::uint64_t count)
    : file_(file.name(), std::make_unique<ReadAhead>(file)),
      fields_(file_, 0, size),
      packed_(file_, 0, 0),
      number_(typed_field_of(type)),
      entry_type_(entry_type_of(number_)),
      count_(count) {
  const TypeInfo info = type_info(type);
  const int bits = info.storage_bits;
  const bool packed = bits < 8 && 8 % bits == 0;
  entry_bits_ = packed ? 8 : bits;
  elements_per_entry_ = packed ? static_cast<std::size_t>(8 / bits) : 1;
  entries_ = count / elements_per_entry_ + (count % elements_per_entry_ != 0);
}

bool TypedFieldReader::next_entry(std::uint64_t& entry) {
  while (packed_.left() == 0) {
    WireField field;
    do {
      if (!fields_.next(field)) return false;
    } while (field.number != number_);
    if (field.type == entry_type_) {
      entry = field.value;
      return true;
    }
    if (field.type != WireType::bytes) {
      throw bad_byte(file_.name(), field.offset,
                     text(field_name(number_), ": expected wire type ", static_cast<int>(entry_type_), " or 2, found ",
                          static_cast<int>(field.type)));
    }
    const std::uint64_t each = entry_type_ == WireType::fixed32 ? 4 : entry_type_ == WireType::fixed64 ? 8 : 1;
    if (field.payload_size % each != 0) {
      throw bad_byte(
          file_.name(), field.payload_offset,
          text(field_name(number_), ": expected entries of ", each, " bytes, found ", field.payload_size, " bytes"));
    }
    packed_ = WireBytes(file_, field.payload_offset, field.payload_offset + field.payload_size);
  }
  entry = entry_type_ == WireType::varint ? packed_.varint() : packed_.fixed(entry_type_ == WireType::fixed32 ? 4 : 8);
  return true;
}

std::uint64_t TypedFieldReader::code_of(std::uint64_t entry) const {
  if (entry_type_ != WireType::varint || entry_bits_ == 64) return entry;
  const auto value = static_cast<std::int64_t>(entry);
  const bool extended = is_natural_width(entry_bits_) && number_ != field::kUint64Data;
  const std::int64_t lowest = extended ? -(std::int64_t{1} << (entry_bits_ - 1)) : 0;
  const auto highest = static_cast<std::int64_t>(low_bits(entry_bits_));
  if (value < lowest || value > highest) {
    const std::string wanted =
        is_natural_width(entry_bits_) ? text("an entry of ", entry_bits_, " bits") : text("an entry of 0 to ", highest);
    throw bad_element(file_.name(), delivered_ * elements_per_entry_,
                      text(field_name(number_), ": expected ", wanted, ", found ", value));
  }
  return entry & static_cast<std::uint64_t>(highest);
}

std::size_t TypedFieldReader::read(void* codes, std::size_t count) {
  ElementPacker packer(codes, entry_bits_);
  const std::uint64_t wanted =
      std::min<std::uint64_t>(count / elements_per_entry_ + (count % elements_per_entry_ != 0), entries_ - delivered_);
  const std::uint64_t before = delivered_;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    std::uint64_t entry = 0;
    if (!next_entry(entry)) {
      throw bad_file(file_.name(), text(field_name(number_), ": expected ", entries_, " entries for ", count_,
                                        " elements, found ", delivered_));
    }
    packer.put(code_of(entry));
    ++delivered_;
  }
  packer.finish();
  std::uint64_t more = 0;
  if (delivered_ == entries_ && next_entry(more)) {
    throw bad_file(file_.name(), text(field_name(number_), ": expected ", entries_, " entries for ", count_,
                                      " elements, found more"));
  }
  const std::uint64_t end = std::min(delivered_ * elements_per_entry_, count_);
  return static_cast<std::size_t>(end - std::min(before * elements_per_entry_, count_));
}

}  // namespace castforge::cli

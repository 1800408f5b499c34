// Elements from the typed fields of a TensorProto (float_data, int32_data, ...), packed and unpacked
// entries mixed.
#pragma once

#include "cli/formats/tensor.hpp"
#include "cli/formats/wire.hpp"

namespace castforge::cli {

/// Walks the message of `size` bytes and delivers `count` elements of `type`. An entry is one element,
/// or one byte of packed elements where a byte holds several whole ones (4 and 2 bits; the rule follows from the width,
/// so that a type of a new width has one too). Entries for words of at most 32 bits are bit patterns, zero-extended
/// or, but for uint64_data, sign-extended, as old files have them; elements of other widths stand in the low bits,
/// zeros above. Anything else is bad data.
class TypedFieldReader : public ElementReader {
 public:
  TypedFieldReader(InputFile& file, std::uint64_t size, Type type, std::uint64_t count);
  std::size_t read(void* codes, std::size_t count) override;

 private:
  bool next_entry(std::uint64_t& entry);
  std::uint64_t code_of(std::uint64_t entry) const;

  InputFile file_;  // in larger steps than those of packed fields, which may have one entry each
  WireFields fields_;
  WireBytes packed_;  // what is left of a packed field
  std::uint32_t number_;
  WireType entry_type_;
  int entry_bits_;  // what of an entry is kept
  std::size_t elements_per_entry_;
  std::uint64_t count_;    // elements in all
  std::uint64_t entries_;  // entries in all
  std::uint64_t delivered_ = 0;
};

}  // namespace castforge::cli

// Elements from the typed fields of a TensorProto (float_data, int32_data, ...), packed and unpacked
// entries mixed.
#pragma once

#include "cli/formats/tensor.hpp"
#include "cli/formats/wire.hpp"

namespace castforge::cli {

/// Walks the message of `size` bytes and delivers `count` elements of `type`. An entry is one element; for
/// 2- and 4-bit types it is one byte of packed elements. Entries of int32_data for types of 16 bits and
/// less are bit patterns, zero-extended or, as old files have it, sign-extended; anything wider is bad
/// data.
class TypedFieldReader : public ElementReader {
 public:
  TypedFieldReader(InputFile& file, std::uint64_t size, Type type, std::uint64_t count);
  std::size_t read(void* codes, std::size_t count) override;

 private:
  bool next_entry(std::uint64_t& entry);
  std::uint64_t code_of(std::uint64_t entry) const;

  InputFile& file_;
  WireFields fields_;
  WireBytes packed_;  // what is left of a packed field
  std::uint32_t number_;
  WireType entry_type_;
  std::size_t entry_bytes_;  // of a code: what an entry becomes
  std::size_t elements_per_entry_;
  bool is_signed_;
  std::uint64_t count_;    // elements in all
  std::uint64_t entries_;  // entries in all
  std::uint64_t delivered_ = 0;
};

}  // namespace castforge::cli

// What writer and reader of .cft files have to agree on: kernels as data, which castforge-gen writes and load() reads.
// .docs/loaded-formats.md of the sources describes the file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace castforge::loadable {

// Inlined wherever they are used, so that units compiled for different instruction sets never share a copy.
#define CASTFORGE_ALWAYS_INLINE [[gnu::always_inline]] constexpr

// ---------------------------------------------------------------- header: 32 bytes

/// As in PNG, bytes that a transfer as text would damage.
inline constexpr std::array<unsigned char, 8> kMagic = {0x89, 'C', 'F', 'T', '\r', '\n', 0x1A, '\n'};
inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::uint32_t kByteOrder = 0x04030201;  // all numbers are little-endian
/// magic, version (u32), byte order (u32), size of the whole file (u64), check (u64).
inline constexpr std::size_t kHeaderBytes = 32;
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;

/// FNV-1a over the bytes behind the header: against damage, not against malice; the reader trusts no number either way.
class Check {
 public:
  constexpr void add(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3; }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325;
};

// ---------------------------------------------------------------- words

// An enumeration is written as the place of its word in these lists, which only grow at the end.
inline constexpr std::string_view kKinds[] = {"float", "integer", "bool", "string"};
inline constexpr std::string_view kNanCodes[] = {"ieee", "top", "negative_zero", "none"};
inline constexpr std::string_view kPackings[] = {"low_first", "high_first"};
inline constexpr std::string_view kOverflows[] = {"infinity", "max", "nan", "ieee", "wrap", "saturate", "indefinite"};
inline constexpr std::string_view kInfResults[] = {"infinity", "max", "nan", "zero", "as_overflow"};
inline constexpr std::string_view kNanResults[] = {"nan", "max", "max_signed", "min", "zero", "zero_opposite"};
inline constexpr std::string_view kNegativeResults[] = {"nan", "clamp", "abs"};
inline constexpr std::string_view kNegativeTests[] = {"rounded", "exact"};
inline constexpr std::string_view kNegativeInfs[] = {"as_negative", "nan"};
inline constexpr std::string_view kZeroSigns[] = {"kept", "positive"};
inline constexpr std::string_view kBelowRanges[] = {"min", "nan"};
inline constexpr std::string_view kSameTypes[] = {"copy", "integral", "converted"};
inline constexpr std::string_view kBits[] = {"converted", "kept"};
inline constexpr std::string_view kGrammars[] = {"decimal"};
inline constexpr std::string_view kNotations[] = {"fixed", "general"};
inline constexpr std::string_view kDefaults[] = {"no", "yes", "fallback"};
inline constexpr std::string_view kAttributeKinds[] = {"integer", "flag", "string", "enumeration"};

/// How many attributes an op-set may have: a variant has one bit for each.
inline constexpr std::size_t kMostAttributes = 16;

/// Carry of a rule that rounds nothing.
inline constexpr std::uint16_t kExact = 0xFFFF;

/// Flags of a type.
inline constexpr std::uint8_t kSigned = 1, kSubnormals = 2, kInfinity = 4, kStorageHigh = 8, kSignFill = 16;

// ---------------------------------------------------------------- forms of a kernel

enum class Form : std::uint8_t {
  whole = 1,  // a result for every source code
  steps = 2,  // where the result changes, and to what
  rule = 3,   // the rule alone: element by element, in exact arithmetic
};

/// Sources of so many bits are looked up by their whole code; results of steps have as many at most.
inline constexpr int kWordBits = 16;
/// Most bits of the number of a block.
inline constexpr int kMostIndexBits = 16;
/// Bytes of the largest whole table.
inline constexpr std::size_t kLargestTable = std::size_t{1} << 19;

/// Steps are in the order of positions: that of the codes, except that negative integers ascend by magnitude.
struct Positions {
  int bits = 0;  // of the source's codes
  bool by_magnitude = false, has_sign = false;

  CASTFORGE_ALWAYS_INLINE std::uint64_t of(std::uint64_t code) const {
    return by_magnitude ? code ^ (last() >> 1 & -sign(code)) : code;
  }
  CASTFORGE_ALWAYS_INLINE std::uint64_t code(std::uint64_t position) const { return of(position); }
  CASTFORGE_ALWAYS_INLINE std::uint64_t last() const { return ~std::uint64_t{0} >> (64 - bits); }
  /// 1 for a negative number.
  CASTFORGE_ALWAYS_INLINE std::uint64_t sign(std::uint64_t code) const {
    return code >> (bits - 1) & static_cast<std::uint64_t>(has_sign);
  }
};

/// Positions fall into blocks, in each of which the result may change once. The block of a float is given by its top
/// bits; that of an integer by sign, length and the top bits below the leading one, as those of a float are.
struct Blocks {
  Positions positions;
  int index_bits = 0;

  struct Place {
    std::uint64_t index, rest;  // rest: where in the block; 0 is its first position
  };

  /// Bits before the fraction of an integer's block: sign, and length 0 to 64.
  static constexpr int kLengthBits = 7;
  CASTFORGE_ALWAYS_INLINE int bits_before_fraction() const { return kLengthBits + (positions.has_sign ? 1 : 0); }
  int least_index_bits() const { return positions.by_magnitude ? bits_before_fraction() : 1; }

  CASTFORGE_ALWAYS_INLINE Place place(std::uint64_t position) const {
    if (!positions.by_magnitude) {
      const int rest_bits = positions.bits - index_bits;
      return {position >> rest_bits, position & ((std::uint64_t{1} << rest_bits) - 1)};
    }
    const std::uint64_t magnitude = position & (positions.last() >> static_cast<int>(positions.has_sign));
    const auto zeros = static_cast<unsigned>(__builtin_clzll(magnitude | 1));
    const std::uint64_t length = 64 - zeros - static_cast<unsigned>(magnitude == 0);
    // What follows the leading one, from the top of a word on.
    const std::uint64_t below = magnitude << zeros << 1;
    const int fraction = index_bits - bits_before_fraction();
    const std::uint64_t top = below >> 1 >> (63 - fraction);
    return {((positions.sign(position) << kLengthBits | length) << fraction) | top, below << fraction};
  }
};

#undef CASTFORGE_ALWAYS_INLINE

}  // namespace castforge::loadable

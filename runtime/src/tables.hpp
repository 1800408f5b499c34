// The shape of the constant data in generated/tables/: types, kernels, op-sets.
// Nothing here is computed at run time; everything is built once by castforge-gen.
#pragma once

#include <cstddef>
#include <cstdint>

namespace castforge::tables {

/// Converts `count` elements. Buffers hold ceil(count * storage_bits / 8) bytes. No allocation, no lock, no error. The source
/// is prefetched `ahead` bytes before it is read (0: not at all), which changes nothing but the time.
using KernelFn = void (*)(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept;

enum class Kind : std::uint8_t { floating, integer, boolean, string };
enum class NanCodes : std::uint8_t { none, top, ieee, negative_zero };

struct Alias {
  const char* system;
  const char* name;
};

struct Type {
  const char* name;
  const char* doc;
  const Alias* aliases;
  std::uint64_t canonical_nan;  // code, positive; 0 when the type has no NaN
  std::uint64_t max_finite;     // magnitude code (floating); largest code (integer)
  std::uint64_t infinity_code;  // magnitude code; 0 when the type has no infinity
  std::int16_t exponent_bias;
  std::uint16_t alias_count;
  Kind kind;
  NanCodes nan;
  std::uint8_t storage_bits, value_bits, exponent_bits, mantissa_bits;
  bool is_signed, subnormals, infinity, storage_high;
};

/// Index = value of the public enumerator castforge::Type.
extern const Type kTypes[];
extern const std::uint16_t kTypeCount;

struct Kernel {
  const char* name;     // "float32_to_float8e4m3fn__rne_max"
  const char* meaning;  // "sha256:7c1e4b90a2f5"
  std::uint16_t src, dst;   // indices into kTypes
  std::uint16_t unit;       // index of the destination's unit
  std::uint16_t slot;       // index inside that unit's array
  bool ieee;                // IEEE 754's conversion: nearest, ties to even; infinity beyond the range; NaN canonical
};
extern const Kernel kKernels[];
extern const std::uint16_t kKernelCount;
extern const char* const kManifestHash;  // hash over all meanings

/// Kernels of one instruction set: entry = units[kernel.unit][kernel.slot].
struct IsaKernels {
  const KernelFn* const* units;
};

/// Text conversions (string on one side) are run by the text engine from these parameters.
struct TextRule {
  std::uint16_t src, dst;     // indices into kTypes
  std::uint16_t carry;        // rounding carry table
  std::uint8_t overflow, inf, nan, negative, zero, underflow;  // values of the enums in text rules (same order as castforge::spec)
  const char* parse;          // grammar word, or null
  const char* format;         // "fixed" | "general", or null
  std::uint8_t first_bits = 0;  // to integers: clamped to so many bits before `overflow` decides; 0: not at all
  bool first_signed = false;    // that range has negative numbers
};
extern const TextRule kTextRules[];
extern const std::uint16_t kTextRuleCount;

enum class AttributeKind : std::uint8_t { integer, flag, string, enumeration };

struct AttributeValue {
  const char* word;     // string and enumeration
  std::int64_t number;  // integer, flag, enumeration
};

struct Attribute {
  const char* name;
  const char* doc;
  const AttributeValue* values;
  std::uint8_t value_count;
  std::uint8_t default_index;
  AttributeKind kind;
  bool checked_where_used;  // a bad value is an error only where the attribute acts
};

inline constexpr std::uint16_t kNotAdmitted = 0xFFFF;
inline constexpr std::uint16_t kTextFlag = 0x8000;  // variant entries: text rule index | kTextFlag, else kernel index

struct Cell {
  std::uint16_t variants;         // index into OpSet::variants of the first combination, or kNotAdmitted
  std::uint16_t attributes_used;  // bit i: attribute i acts on this pair
};

struct Option {
  const char* name;
  const char* value;
};

struct OpSet {
  const char* name;     // "onnx@23"
  const char* family;   // "onnx"
  const char* version;  // "23"
  const char* operation;  // "cast" | "range"
  const char* doc;
  const std::uint16_t* types;      // indices into kTypes, admission order
  const Attribute* attributes;
  const Cell* cells;               // [src position * type_count + dst position]
  const std::uint16_t* variants;   // combinations in mixed radix order, last attribute fastest
  const Option* options;
  std::uint16_t type_count;
  std::uint16_t attribute_count;
  std::uint16_t combination_count;
  std::uint16_t option_count;
  std::uint64_t valid_through;  // the last version of its system that these rules hold for; 0: versions are not numbers
  const char* cast_like_of;     // the family whose casts to the type of another tensor follow these rules, or null
  bool is_default;              // serves its operation where no op-set is named
};
extern const OpSet* const kOpSets[];  // families in name order, versions ascending
extern const std::uint16_t kOpSetCount;

/// Elements of a file format that no type describes.
struct OtherElement {
  const char* system;  // as in Alias
  const char* name;
  std::uint16_t bits;
};
extern const OtherElement kOtherElements[];
extern const std::uint16_t kOtherElementCount;

}  // namespace castforge::tables

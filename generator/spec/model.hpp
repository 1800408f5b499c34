// The specification model: what the JSON files in specs/ say, after validation.
//
// Everything downstream (semantics, plan, emit) reads these structures and nothing else; no other
// part of the generator sees JSON. Encodings hold parameters only: maxima, NaN codes and the like
// are derived by member functions, never stored (specs/FIELDS.md explains every field).
#pragma once

#include <castforge/elements.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace castforge::spec {

/// Where a statement stands: `file` relative to the directory that holds specs/ ("specs/types/x.json"),
/// an RFC 6901 JSON pointer, and one-based line and column.
struct Location {
  std::string file;
  std::string pointer;
  int line = 0;
  int column = 0;
};

enum class Kind { floating, integer, boolean, string };

/// Which codes are NaN: none; only the largest magnitude (`top`); every code of the top binade with a
/// nonzero fraction (`ieee`); only "sign set, magnitude zero" (`negative_zero`).
enum class NanCodes { none, top, ieee, negative_zero };

struct Alias {
  std::string system;  // "onnx", "onnx_enum", "safetensors", "numpy", ...
  std::string name;    // numbers are written in decimal
  Location where = {};
  friend bool operator==(const Alias& a, const Alias& b) { return a.system == b.system && a.name == b.name; }
};

/// One number format. A *code* is the bit pattern of one element in the low `value_bits` bits
/// (before alignment inside its storage).
struct Type {
  std::string name;
  int id = 0;  // the value of its enumerator in C++ and C; stable
  Kind kind = Kind::floating;
  bool is_signed = false;   // floating, integer
  int exponent_bits = 0;    // floating
  int mantissa_bits = 0;    // floating
  int exponent_bias = 0;    // floating
  bool subnormals = false;  // floating
  bool infinity = false;    // floating
  NanCodes nan = NanCodes::none;
  int value_bits = 0;                    // floating: sign + exponent + mantissa; integer: bits; boolean: 8; string: 0
  int storage_bits = 0;                  // 1..64; any but 8, 16, 32 and 64: a dense bit stream; string: 0
  Packing packing = Packing::low_first;  // of a dense stream
  bool storage_high = false;             // the code sits in the top bits of its storage (tf32)
  bool storage_sign_fill = false;        // integer: the storage above the code repeats the sign
  std::optional<std::uint64_t> stated_canonical_nan;
  std::vector<Alias> aliases;
  std::vector<std::string> cites;
  std::string doc;
  std::string path;  // of its file, as the user named it
  Location where, bias_where, mantissa_where;

  // Derived facts; the floating ones are meaningful for Kind::floating only. Magnitude codes leave out the sign bit.
  // Those that a conversion of a code asks for stand here, where they are inlined: tables take millions of these calls.
  std::uint64_t sign_mask() const {  // 0 when unsigned
    return is_signed && value_bits > 0 ? std::uint64_t{1} << (value_bits - 1) : 0;
  }
  std::uint64_t magnitude_mask() const { return low_bits(value_bits) & ~sign_mask(); }
  int magnitude_bits() const;  // of the code, but for a sign
  /// Is it IEEE 754's interchange format with these fields, in as many bits?
  bool is_ieee(int exponent, int mantissa) const;
  /// Code 0 is zero, except where the smallest binade is ordinary and has a single member: a power of two.
  bool has_zero() const { return kind != Kind::floating || subnormals || mantissa_bits > 0; }
  bool has_negative_zero() const;
  /// No subnormal numbers, but zero: the code that would be the lowest power of two. Between it and the smallest
  /// number, one ulp above that power, there is nothing.
  bool has_gap() const { return kind == Kind::floating && !subnormals && mantissa_bits > 0; }
  bool has_nan() const;
  /// Magnitude; requires infinity. It stands right below the NaN codes that end the magnitudes.
  std::uint64_t infinity_code() const {
    switch (nan) {
      case NanCodes::ieee: return magnitude_mask() >> mantissa_bits << mantissa_bits;
      case NanCodes::top: return magnitude_mask() - 1;
      default: return magnitude_mask();
    }
  }
  std::uint64_t max_finite_code() const {  // magnitude
    if (infinity) return infinity_code() - 1;
    return nan == NanCodes::top ? magnitude_mask() - 1 : magnitude_mask();
  }
  std::uint64_t largest_code() const;     // of the largest number, whatever the kind; string: 0
  std::uint64_t first_nan_code() const {  // lowest NaN magnitude; requires NanCodes::top or ieee
    return nan == NanCodes::ieee ? infinity_code() + 1 : magnitude_mask();
  }
  std::uint64_t canonical_nan(bool negative) const;  // whole code; the sign is ignored where the NaN has none
  int min_exponent() const { return subnormals ? 1 - exponent_bias : -exponent_bias; }  // of the smallest normal binade
  double finite_value(std::uint64_t magnitude) const;  // value of a finite magnitude code, always exact
  double max_finite() const;
  double min_positive() const;  // smallest value above zero
};

/// The entries of one sign. Bit (last kept << 2 | first dropped << 1 | sticky): does a magnitude move up one ulp?
constexpr std::uint8_t entries_of_sign(std::uint16_t carry, bool negative) {
  return static_cast<std::uint8_t>(carry >> (negative ? 8 : 0));
}
constexpr bool carries(std::uint16_t carry, bool negative, bool last_kept, bool first_dropped, bool sticky) {
  return (entries_of_sign(carry, negative) >> (last_kept << 2 | first_dropped << 1 | static_cast<int>(sticky)) & 1) !=
         0;
}

/// A rounding mode: bit (sign << 3 | last kept << 2 | first dropped << 1 | sticky) of `carry` says whether the
/// magnitude moves up one ulp.
struct Rounding {
  std::string name;        // "nearest_even"
  std::string short_name;  // "rne": the part of a kernel's name
  std::uint16_t carry = 0;
  std::string doc;
  Location where;

  /// Does a magnitude move up one ulp?
  bool carries(bool negative, bool last_kept, bool first_dropped, bool sticky) const {
    return spec::carries(carry, negative, last_kept, first_dropped, sticky);
  }
};

using AttributeValue = std::variant<std::int64_t, std::string>;

struct Attribute {
  enum class Kind {
    integer,      // one of the listed numbers
    flag,         // 0 or 1; any nonzero number means 1
    string,       // one of the listed words
    enumeration,  // named numbers: accepts the word or the number
  };
  std::string name;
  Kind kind = Kind::integer;
  std::vector<AttributeValue> values;  // the admitted values, in file order (flag: 0, 1)
  std::vector<std::int64_t> numbers;   // enumeration: the number of each value
  std::size_t default_index = 0;
  bool checked_where_used = false;  // a bad value is an error only for pairs on which the attribute acts
  std::string doc;
  Location where;
};

enum class Overflow { infinity, max, nan, ieee, wrap, saturate, indefinite };
enum class InfResult { infinity, max, nan, zero, as_overflow };
enum class NanResult { nan, max, max_signed, min, zero, zero_opposite };
enum class NegativeResult { nan, clamp, abs };  // unsigned floating destinations
enum class BelowRange { min, nan };             // `zero` and `underflow` of destinations without a zero
enum class NegativeTest { rounded, exact };     // which nonzero values count as negative: after or before rounding
enum class NegativeInf { as_negative, nan };    // minus infinity into unsigned floating destinations
enum class ZeroSign { kept, positive };         // of results that are zero, where the destination has -0
enum class Bits { converted, kept };            // a conversion by value | the bit pattern as it is
/// A floating type to itself: bit copy (Inf still follows `inf`) | round to an integral value | as between two types.
enum class SameType { copy, integral, converted };

/// All integers of that many bits: two's complement, or without sign.
struct IntegerRange {
  bool is_signed = false;
  int bits = 0;
  friend bool operator==(const IntegerRange&, const IntegerRange&) = default;
};
/// "int32", "uint7"
std::string print(const IntegerRange& range);
/// Of an integer type.
IntegerRange range_of(const Type& type);

/// What one rule file entry says. Unset properties stay empty; later rules win property by property.
struct Settings {
  std::map<std::string, std::string> values;   // property name -> word, both checked against the closed lists
  std::map<std::string, Location> where;       // property name -> where its word stands
  const Rounding* round = nullptr;             // what values["round"] names
  std::optional<IntegerRange> saturate_first;  // what values["saturate_first"] names; empty for "none"
};

struct Rule {
  std::string family;  // of the op-set that states it
  std::string id;
  std::vector<std::string> src;  // selectors as written: a type name, or class words that must all hold
  std::vector<std::string> dst;  // (spec/selectors.hpp); one of them has to match
  std::vector<std::pair<std::string, AttributeValue>> attr;  // all must hold
  Settings set;
  std::string basis;
  Location where;
};

/// A pair of types and every property of its conversion.
struct Properties {
  const Type* src = nullptr;
  const Type* dst = nullptr;
  const Rounding* round = nullptr;  // null where no property of the pair needs one
  Overflow overflow = Overflow::infinity;
  std::optional<IntegerRange> saturate_first;  // integer destinations: clamped to this range before `overflow` decides
  InfResult inf = InfResult::infinity;
  NanResult nan = NanResult::nan;
  NegativeResult negative = NegativeResult::clamp;
  NegativeTest negative_test = NegativeTest::rounded;
  NegativeInf negative_inf = NegativeInf::as_negative;
  ZeroSign zero_sign = ZeroSign::kept;
  BelowRange zero = BelowRange::min;
  BelowRange underflow = BelowRange::min;
  SameType same_type = SameType::copy;
  Bits bits = Bits::converted;  // kept: nothing else matters
  std::string parse;            // string sources: name of the grammar
  std::string format;           // string destinations: fixed | general

  friend bool operator==(const Properties&, const Properties&) = default;
};

/// What happens for one ordered pair under one combination of attribute values, fully decided.
struct Meaning : Properties {
  /// property name -> the rule that decided it (pointers into OpSet::rules)
  std::map<std::string, const Rule*> decided_by;
};

/// Whether a type is converted to itself as any other is.
bool converts_to_itself(const Meaning& meaning);

/// Integer destinations: the range that rounded values are clamped to before their low bits are kept. Empty: the low
/// bits of the rounded value itself. Where overflow is `indefinite`, values inside need none.
std::optional<IntegerRange> clamp_range(const Meaning& meaning);

struct OpSet;

struct Cell {
  const Type* src = nullptr;
  const Type* dst = nullptr;
  /// One entry per combination of attribute values, in mixed radix order: the *last* attribute varies fastest.
  std::vector<Meaning> variants;
  /// Bit i is set when attribute i changes the result of this cell for some source value.
  std::uint32_t attributes_used = 0;
  /// Bit i is set when a rule that applies to this pair tests attribute i, whether or not a result changes:
  /// where a bad value of an attribute `checked_where_used` is an error.
  std::uint32_t attributes_tested = 0;
};

/// Whether an op-set serves its operation where none is named: first, or where the first lacks one of the types.
enum class Default { no, yes, fallback };
std::string_view word(Default role);

/// One version of one op-set, after inheritance.
struct OpSet {
  std::string family;   // "onnx"
  std::string version;  // "23", "8.5.0"
  std::string name() const { return family + "@" + version; }
  std::string operation;      // "cast" | "bitcast" | "range"
  std::string valid_through;  // the last version of its system for which the rules are known to hold
  std::string cast_like_of;   // the family whose casts to the type of another tensor follow these rules; may be empty
  Default as_default = Default::no;
  std::string doc;
  std::vector<std::string> cites;
  std::vector<const Type*> types;                          // in admission order
  std::vector<std::pair<const Type*, const Type*>> pairs;  // admitted pairs, types order
  std::vector<Attribute> attributes;
  std::vector<Rule> rules;                     // after inheritance, in order of application
  std::map<std::string, std::string> options;  // op-set level settings (range rules, limits, string options)
  std::string notation;  // how its system writes a conversion, with {src}, {dst} and {attribute}; may be empty
  std::string open_to;   // every type with an alias of that system is admitted, those that are not loaded yet too
  Location where;

  bool admits(const Type& type) const;
  /// Index into `attributes`, or -1.
  int find_attribute(const std::string& attribute) const;
};

/// What has names for types: a framework, a language, a file format.
struct System {
  /// One of the characters, or where there are none a decimal number in a range, without leading zeros.
  struct Part {
    std::string characters;
    std::int64_t from = 0, to = 0;
  };

  std::string name;                           // the word in Alias::system
  std::vector<Part> parts;                    // its names are these, one after another; empty: names of any kind
  std::string expected;                       // the same in words; empty where there are no parts
  std::vector<std::string> shared_prefixes;   // of names that several types may have, which are no identifiers
  std::map<std::string, int> other_elements;  // of a file format, that no type describes: name -> bits
  Location where;

  bool fits(std::string_view alias) const;
  bool shares(std::string_view alias) const;
};

struct SpecModel {
  std::vector<std::unique_ptr<Type>> types;          // in name order
  std::vector<std::unique_ptr<Rounding>> roundings;  // in name order
  std::vector<std::unique_ptr<OpSet>> opsets;        // family in name order, then version ascending
  std::vector<System> systems;                       // in name order

  /// Canonical name or alias, in any letter case. Aliases that are not identifiers ("17", "<f2", "2,16") name
  /// types inside their own system only and are not found here. Null when there is none.
  const Type* find_type(const std::string& name_or_alias) const;
  /// "onnx@22" gives onnx@21: where all versions of a family are whole numbers, one in between means the next
  /// lower one. So does one above the newest as far as that says that it is valid. A family alone means its newest
  /// version, an empty name the default for casts. Numbers have no leading zeros. Null when there is none.
  const OpSet* find_opset(const std::string& name) const;
  const OpSet* newest_opset(const std::string& family) const;
  /// The newest version of the family that is the default of an operation, or its fallback; null when there is none.
  const OpSet* default_opset(const std::string& operation, Default role = Default::yes) const;
  /// The role of this very version: that of its family, for the newest one.
  Default role_of(const OpSet& opset) const;
  const Rounding* find_rounding(const std::string& name) const;
  /// Null where no spec describes the system, as types may have aliases of any.
  const System* find_system(std::string_view name) const;
  /// Whether several types may have it: no name that users type, and its system says so, or has no spec.
  bool is_shared(const Alias& alias) const;
};

}  // namespace castforge::spec

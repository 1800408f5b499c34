// Exact values, and the ordered list of the values a format can represent.
//
// Every finite value of every format here (floats up to binary64, integers up to 64 bits), and every
// midpoint between two neighbours, has at most 64 significant bits and an exponent within long double's
// range, so long double holds it exactly; comparisons of long doubles are then comparisons of real numbers.
// None of it depends on the SSE control word.
#pragma once

#include <cfloat>
#include <cstdint>
#include <vector>

#include "oracle/format.hpp"

namespace castforge::oracle {

static_assert(LDBL_MANT_DIG >= 64 && LDBL_MAX_EXP >= 16384, "the oracle needs a long double of at least 64 bits");

enum class Class { finite, infinite, nan };

struct Value {
  Class what = Class::finite;
  bool negative = false;
  long double magnitude = 0;  // meaningful when finite
};

/// The finite non-negative values of a floating format in ascending order. Position = magnitude code.
/// One further value stands after the last one: where the grid would go on if the exponent had no end.
class ValueList {
 public:
  explicit ValueList(const Format& f);

  std::uint64_t count() const { return count_; }  // number of finite magnitudes
  /// i = 0 .. count(); i == count() is the first value beyond the range.
  long double at(std::uint64_t i) const { return i < listed_.size() ? listed_[i] : compute(i); }
  /// Position of the last value <= x, x >= at(0); count() when x lies at or beyond the first value out of
  /// range.
  std::uint64_t last_not_above(long double x) const;

 private:
  long double compute(std::uint64_t i) const;
  std::uint64_t last_not_above_by_binade(long double x) const;

  std::uint64_t count_ = 0;
  int mantissa_bits_ = 0;
  bool subnormals_ = true;
  std::vector<long double> listed_;  // all of them, for formats of at most 16 bits
  std::vector<long double> starts_;  // for wider ones the first value of every binade, and the one out of range
  std::vector<long double> ulp_;     // by binade: distance of neighbours
};

/// A format with its list and its special codes, ready for decoding and encoding.
class Codec {
 public:
  explicit Codec(const Format& f);

  const Format& format() const { return format_; }
  const ValueList& list() const { return list_; }  // floating formats only

  Value decode(std::uint64_t code) const;

  std::uint64_t sign_code() const { return sign_; }
  bool has_infinity() const { return format_.infinity; }
  bool has_nan() const { return format_.nan != Nan::none; }
  bool has_zero() const { return list_.count() > 0 && list_.at(0) == 0; }
  bool has_negative_zero() const { return format_.is_signed && has_zero() && format_.nan != Nan::negative_zero; }
  std::uint64_t infinity_code(bool negative) const { return list_.count() | (negative ? sign_ : 0); }
  std::uint64_t max_code(bool negative) const { return (list_.count() - 1) | (negative ? sign_ : 0); }
  /// The quiet NaN that conversions write.
  std::uint64_t nan_code(bool negative) const;
  bool is_nan(std::uint64_t code) const;

  /// One element as it is stored, and the code in one that may have anything around it.
  std::uint64_t stored(std::uint64_t code) const;
  std::uint64_t code_in(std::uint64_t storage) const;

 private:
  Format format_;
  std::uint64_t sign_ = 0;
  std::uint64_t mask_ = 0;
  ValueList list_;
};

/// The codec of one of the table's formats, or of one added before; null for another name.
const Codec* find_codec(std::string_view name);
/// The same; throws std::out_of_range for another name.
const Codec& codec(std::string_view name);

/// Makes a further format known to codec() and to the open rule set castforge@1. Not thread-safe.
void add_format(const Format& f);
/// The formats added so far.
const std::vector<Format>& added_formats();

}  // namespace castforge::oracle

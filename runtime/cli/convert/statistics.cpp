#include "cli/convert/statistics.hpp"

#include "cli/io/element_words.hpp"
#include "cli/io/json_text.hpp"
#include "src/exact/cast.hpp"
#include "src/exact/value.hpp"
#include "src/float_guard.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace castforge::cli {
namespace {

constexpr int kTableBits = 16;

double number(const TypeInfo& type, std::uint64_t code) {
  const exact::Value value = exact::decode(type, code);
  const double sign = value.negative ? -1.0 : 1.0;
  switch (value.cls) {
    case exact::Value::Class::nan: return std::numeric_limits<double>::quiet_NaN();
    case exact::Value::Class::infinity: return sign * std::numeric_limits<double>::infinity();
    case exact::Value::Class::finite: break;
  }
  return sign * std::ldexp(static_cast<double>(value.significand), value.exponent);
}

/// The float64 of the largest magnitude of that sign that a rule rounds into the range of a type.
double last_in_range(const TypeInfo& type, const Rule& rule, bool negative) {
  std::uint64_t low = 0, high = exact::kFloat64.max_finite;  // codes: zero is in any range
  while (low < high) {
    const std::uint64_t middle = high - (high - low) / 2;
    exact::Value value = exact::decode(exact::kFloat64, middle);
    value.negative = negative;
    if (exact::rounds_beyond(type, rule, value)) high = middle - 1;
    else low = middle;
  }
  return std::bit_cast<double>(low);
}

constexpr int kFloat64Digits = std::numeric_limits<double>::digits;

bool has_wide_integers(const TypeInfo& type) {
  return type.kind == TypeKind::integer && type.value_bits - static_cast<int>(type.is_signed) > kFloat64Digits;
}

}  // namespace

void CastStatistics::add(const CastStatistics& other) {
  largest = std::max(largest, other.largest);
  nan += other.nan;
  infinite += other.infinite;
  saturated += other.saturated;
  nonfinite += other.nonfinite;
  underflowed += other.underflowed;
  inexact += other.inexact;
  largest_error = std::max(largest_error, other.largest_error);
}

std::string CastStatistics::json() const {
  return json_text(nlohmann::ordered_json{{"amax", largest},
                                          {"nan", nan},
                                          {"infinite", infinite},
                                          {"saturated", saturated},
                                          {"nonfinite", nonfinite},
                                          {"underflowed", underflowed},
                                          {"inexact", inexact},
                                          {"largest_error_ulp", largest_error}});
}

CastComparison::Decoder::Decoder(Type type) : type_(type_info(type)), has_rest_(has_wide_integers(type_)) {
  const FloatGuard guard;
  if (type_.value_bits > kTableBits) return;
  table_.resize(std::size_t{1} << type_.value_bits);
  for (std::size_t code = 0; code < table_.size(); ++code) table_[code] = number(type_, code);
}

double CastComparison::Decoder::operator()(const void* elements, std::size_t index) const {
  const std::uint64_t code = ElementWords(type_).get(static_cast<const unsigned char*>(elements), index);
  return table_.empty() ? number(type_, code) : table_[code];
}

double CastComparison::Decoder::rest(const void* elements, std::size_t index) const {
  if (!has_rest_) return 0;
  const std::uint64_t code = ElementWords(type_).get(static_cast<const unsigned char*>(elements), index);
  const exact::Value value = exact::decode(type_, code);
  const std::uint64_t magnitude = value.significand;  // the exponent of an integer is 0
  const auto nearest = static_cast<double>(magnitude);
  // At most half an ulp of float64, 2^10, apart. 2^64 itself is 0 in 64 bits, as the difference wants it.
  const std::uint64_t of_nearest = nearest == 0x1p64 ? 0 : static_cast<std::uint64_t>(nearest);
  const auto rest = static_cast<double>(static_cast<std::int64_t>(magnitude - of_nearest));
  return value.negative ? -rest : rest;
}

CastComparison::CastComparison(Type before, Type after, const Rule& rule) : before_(before), after_(after) {
  const FloatGuard guard;
  const TypeInfo& type = after_.type();
  if (type.kind == TypeKind::floating) {
    smallest_exponent_ = exact::min_exponent(type);
    mantissa_bits_ = type.mantissa_bits;
  }
  if (type.kind == TypeKind::boolean) {
    highest_ = 1;
    return;
  }
  lowest_ = -last_in_range(type, rule, true);
  highest_ = last_in_range(type, rule, false);
  // 2^63 - 1 is 2^63 as float64. Of wide integers that become the same float64 some are in the range; where others
  // wrap, the sign tells.
  wide_ = has_wide_integers(type) && has_wide_integers(before_.type());
  if (wide_) highest_ = number(type, type.max_finite);
}

double CastComparison::ulp_at(double magnitude) const {
  if (after_.type().kind != TypeKind::floating) return 1;
  const int exponent = magnitude == 0 ? smallest_exponent_ : std::max(std::ilogb(magnitude), smallest_exponent_);
  return std::ldexp(1.0, exponent - mantissa_bits_);
}

CastStatistics CastComparison::compare(const void* before, const void* after, std::size_t count) const {
  const FloatGuard guard;
  CastStatistics result;
  for (std::size_t i = 0; i < count; ++i) {
    const double from = before_(before, i), to = after_(after, i);
    if (std::isnan(from)) {
      ++result.nan;
      continue;
    }
    if (std::isinf(from)) {
      ++result.infinite;
      continue;
    }
    const double magnitude = std::fabs(from);
    result.largest = std::max(result.largest, magnitude);
    if (!std::isfinite(to)) {
      ++result.nonfinite;
      continue;
    }
    if (from < lowest_ || from > highest_ || (wide_ && (from < 0) != (to < 0))) {
      ++result.saturated;
      continue;
    }
    // The float64s first: of equal numbers both differences are exact, and cancel.
    const double error = (to - from) + (after_.rest(after, i) - before_.rest(before, i));
    if (error == 0) continue;
    ++result.inexact;
    if (to == 0) ++result.underflowed;
    result.largest_error = std::max(result.largest_error, std::fabs(error) / ulp_at(magnitude));
  }
  return result;
}

}  // namespace castforge::cli

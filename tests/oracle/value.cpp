#include "oracle/value.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace castforge::oracle {

namespace {

/// Number of finite magnitudes: all magnitude codes less the special ones, which stand at the top.
std::uint64_t finite_magnitudes(const Format& f) {
  const std::uint64_t all = std::uint64_t{1} << (f.exponent_bits + f.mantissa_bits);
  const std::uint64_t infinities = f.infinity ? 1 : 0;
  switch (f.nan) {
    case Nan::ieee: return all - (std::uint64_t{1} << f.mantissa_bits);  // the whole top binade
    case Nan::top: return all - 1 - infinities;
    case Nan::none:
    case Nan::negative_zero: return all - infinities;
  }
  throw std::logic_error("unknown kind of NaN");
}

}  // namespace

ValueList::ValueList(const Format& f) : mantissa_bits_(f.mantissa_bits), subnormals_(f.subnormals) {
  if (f.kind != Kind::floating) return;
  count_ = finite_magnitudes(f);
  const int exponents = 1 << f.exponent_bits;
  ulp_.reserve(static_cast<std::size_t>(exponents) + 1);
  for (int e = 0; e <= exponents; ++e) {
    const int exponent = (e == 0 && f.subnormals) ? 1 : e;
    ulp_.push_back(std::ldexp(1.0L, exponent - f.bias - f.mantissa_bits));
  }
  if (count_ <= (1u << 16)) {
    std::vector<long double> list;
    for (std::uint64_t i = 0; i <= count_; ++i) list.push_back(compute(i));
    if (!std::is_sorted(list.begin(), list.end())) throw std::logic_error(f.name + ": values not in order");
    listed_ = std::move(list);
    return;
  }
  const std::uint64_t per_binade = std::uint64_t{1} << f.mantissa_bits;
  if (count_ % per_binade != 0) throw std::logic_error(f.name + ": a wide format must end with a whole binade");
  for (std::uint64_t i = 0; i <= count_; i += per_binade) starts_.push_back(compute(i));
}

long double ValueList::compute(std::uint64_t i) const {
  const std::uint64_t per_binade = std::uint64_t{1} << mantissa_bits_;
  const std::uint64_t binade = i / per_binade;
  const std::uint64_t step = i % per_binade;
  if (i == 0 && (subnormals_ || mantissa_bits_ > 0)) return 0;
  const std::uint64_t units = (binade == 0 && subnormals_) ? step : per_binade + step;
  return static_cast<long double>(units) * ulp_[binade];
}

std::uint64_t ValueList::last_not_above(long double x) const {
  if (listed_.empty()) return last_not_above_by_binade(x);
  std::uint64_t low = 0, high = count_ + 1;  // at(low) <= x; at(high) > x or high is past the end
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (listed_[middle] <= x) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

std::uint64_t ValueList::last_not_above_by_binade(long double x) const {
  const auto above = std::upper_bound(starts_.begin(), starts_.end(), x);
  const auto binade = static_cast<std::uint64_t>(above - starts_.begin()) - 1;
  // Inside a binade the values are equidistant. Difference and quotient by a power of two are exact.
  // Without subnormals the lowest binade begins above the code of zero, at a value that no code has.
  const bool above_zero = binade == 0 && !subnormals_;
  const long double start =
      above_zero ? static_cast<long double>(std::uint64_t{1} << mantissa_bits_) * ulp_[0] : starts_[binade];
  if (x < start) return 0;
  const auto steps = static_cast<std::uint64_t>((x - start) / ulp_[binade]);
  return binade + 1 == starts_.size() ? count_ : (binade << mantissa_bits_) + steps;
}

Codec::Codec(const Format& f) : format_(f), list_(f) {
  mask_ = f.bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bits) - 1;
  if (f.is_signed) sign_ = std::uint64_t{1} << (f.bits - 1);
}

Value Codec::decode(std::uint64_t code) const {
  code &= mask_;
  Value v;
  switch (format_.kind) {
    case Kind::boolean: v.magnitude = code != 0 ? 1 : 0; return v;
    case Kind::integer:
      v.negative = (code & sign_) != 0;
      v.magnitude = v.negative ? static_cast<long double>(mask_ - code) + 1 : static_cast<long double>(code);
      return v;
    case Kind::floating: break;
  }
  v.negative = (code & sign_) != 0;
  const std::uint64_t position = code & ~sign_;
  if (is_nan(code)) {
    v.what = Class::nan;
  } else if (position >= list_.count()) {
    v.what = Class::infinite;
  } else {
    v.magnitude = list_.at(position);
  }
  return v;
}

bool Codec::is_nan(std::uint64_t code) const {
  if (format_.kind != Kind::floating) return false;
  code &= mask_;
  if (format_.nan == Nan::negative_zero) return code == sign_;
  if (format_.nan == Nan::none) return false;
  return (code & ~sign_) >= list_.count() + (format_.infinity ? 1 : 0);
}

std::uint64_t Codec::stored(std::uint64_t code) const {
  const int unused = format_.storage - format_.bits;
  if (format_.high) return code << unused;
  if (!format_.sign_fill || (code & sign_) == 0) return code;
  const std::uint64_t whole = format_.storage >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << format_.storage) - 1;
  return code | (whole & ~mask_);
}

std::uint64_t Codec::code_in(std::uint64_t storage) const {
  return (format_.high ? storage >> (format_.storage - format_.bits) : storage) & mask_;
}

std::uint64_t Codec::nan_code(bool negative) const {
  const std::uint64_t sign = negative ? sign_ : 0;
  if (format_.canonical_nan) return *format_.canonical_nan | sign;
  switch (format_.nan) {
    case Nan::ieee:  // halfway up the top binade: the quiet one
      return (list_.count() + (std::uint64_t{1} << (format_.mantissa_bits - 1))) | sign;
    case Nan::top: return (mask_ & ~sign_) | sign;
    case Nan::negative_zero: return sign_;
    case Nan::none: break;
  }
  throw std::logic_error(format_.name + " has no NaN");
}

namespace {

std::map<std::string, Codec, std::less<>>& codecs() {
  static std::map<std::string, Codec, std::less<>> made = [] {
    std::map<std::string, Codec, std::less<>> all;
    for (const Format& f : all_formats()) all.emplace(f.name, Codec(f));
    return all;
  }();
  return made;
}

std::vector<Format>& added() {
  static std::vector<Format> formats;
  return formats;
}

}  // namespace

const Codec* find_codec(std::string_view name) {
  const auto found = codecs().find(name);
  return found == codecs().end() ? nullptr : &found->second;
}

const Codec& codec(std::string_view name) {
  const Codec* found = find_codec(name);
  if (found == nullptr) throw std::out_of_range("the oracle knows no format named " + std::string(name));
  return *found;
}

void add_format(const Format& f) {
  if (!codecs().emplace(f.name, Codec(f)).second) throw std::invalid_argument(f.name + " is known already");
  added().push_back(f);
}

const std::vector<Format>& added_formats() { return added(); }

}  // namespace castforge::oracle

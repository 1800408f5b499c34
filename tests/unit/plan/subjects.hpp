// What plans are made for in the tests: shipped types and formats that nobody ships, rounding modes, policies.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "spec/canonical.hpp"
#include "spec/model.hpp"
#include "unit/semantics/meanings.hpp"

namespace castforge::test {

using spec::Kind;
using spec::Meaning;
using spec::NanCodes;
using spec::Type;

inline const std::vector<Type>& unshipped() {
  static const std::vector<Type> types = [] {
    std::vector<Type> made = {
        floating("float8e3m4", true, 3, 4, 3, true, true, NanCodes::ieee, 8),
        floating("float12e5m6", true, 5, 6, 15, true, true, NanCodes::ieee, 16),
        floating("float19e8m10", true, 8, 10, 127, true, true, NanCodes::ieee, 32),
        integer("int12", true, 12, 16),
        integer("uint12", false, 12, 16),
        integer("int24", true, 24, 32),
        floating("ufloat8e5m3", false, 5, 3, 15, true, true, NanCodes::top, 8),
        floating("binary8p1", true, 7, 0, 63, true, true, NanCodes::negative_zero, 8),
        floating("binary8p3", true, 5, 2, 16, true, true, NanCodes::negative_zero, 8),
        floating("float6in8", true, 2, 3, 1, true, false, NanCodes::none, 8),
        floating("float8e4m3ns", true, 4, 3, 7, false, false, NanCodes::top, 8),
        floating("bfloat16ns", true, 8, 7, 127, false, true, NanCodes::ieee, 16),
        floating("ufloat16e6m10ns", false, 6, 10, 31, false, true, NanCodes::top, 16),
        // Its first regular cell from float16 is an odd one.
        floating("float5in8", true, 2, 2, 1, false, false, NanCodes::top, 8),
        // Biases with which a code and the exponent of a float32 sum overlap.
        floating("float16bias24", true, 5, 10, 24, true, true, NanCodes::ieee, 16),
        floating("ufloat16bias116", false, 6, 10, 116, true, true, NanCodes::top, 16),
        // Powers of two alone that reach far beyond those of float32, or less far down.
        floating("power8bias100", false, 8, 0, 100, false, false, NanCodes::top, 8),
        floating("power7bias63", false, 7, 0, 63, false, false, NanCodes::top, 8),
    };
    made[2].storage_high = true;
    made[3].storage_sign_fill = true;
    return made;
  }();
  return types;
}

/// Elements that follow each other without a gap, and integers of more bits than float64 has that leave some unused.
inline const std::vector<Type>& dense() {
  static const std::vector<Type> types = {
      floating("float3e1m1", true, 1, 1, 0, true, false, NanCodes::none, 3),
      floating("float5e2m2", true, 2, 2, 1, true, false, NanCodes::none, 5),
      floating("float7e3m3", true, 3, 3, 3, true, true, NanCodes::ieee, 7),
      floating("ufloat6e4m2", false, 4, 2, 7, true, false, NanCodes::top, 6),
      floating("dense12e5m6", true, 5, 6, 15, true, true, NanCodes::ieee, 12),
      floating("dense19e8m10", true, 8, 10, 127, true, true, NanCodes::ieee, 19),
      integer("uint3", false, 3, 3),
      integer("int6", true, 6, 6),
      integer("int9", true, 9, 9),
      integer("int33", true, 33, 33),
      integer("uint57", false, 57, 57),
      integer("int60", true, 60, 64),
  };
  return types;
}

inline std::vector<const Type*> all_types() {
  std::vector<const Type*> types;
  for (const auto& type : shipped().model().types) {
    if (type->kind != Kind::string) types.push_back(type.get());
  }
  for (const Type& type : unshipped()) types.push_back(&type);
  for (const Type& type : dense()) types.push_back(&type);
  return types;
}

inline const Type& any_type(const std::string& name) {
  for (const Type* type : all_types()) {
    if (type->name == name) return *type;
  }
  throw std::runtime_error("no type " + name);
}

/// The shipped modes, and two that only exist here.
inline std::vector<const spec::Rounding*> modes() {
  static const spec::Rounding half_toward_zero{"half_toward_zero", "rhz", 0x8888, "", {}};
  static const spec::Rounding away_from_zero{"away_from_zero", "raw", 0xEEEE, "", {}};
  std::vector<const spec::Rounding*> list;
  for (const auto& mode : shipped().model().roundings) list.push_back(mode.get());
  list.push_back(&half_toward_zero);
  list.push_back(&away_from_zero);
  return list;
}

struct Policy {
  spec::Overflow overflow;
  spec::InfResult inf;
  spec::NanResult nan;
  spec::NegativeResult negative;
  spec::BelowRange zero, underflow;
  std::optional<spec::IntegerRange> saturate_first = {};
  spec::NegativeTest negative_test = spec::NegativeTest::rounded;
  spec::NegativeInf negative_inf = spec::NegativeInf::as_negative;
  spec::ZeroSign zero_sign = spec::ZeroSign::kept;
};

inline std::vector<Policy> policies(const Type& dst) {
  using O = spec::Overflow;
  using I = spec::InfResult;
  using N = spec::NanResult;
  using G = spec::NegativeResult;
  using B = spec::BelowRange;
  if (dst.kind == Kind::integer) {
    return {{O::wrap, I::zero, N::zero, G::clamp, B::min, B::min},
            {O::saturate, I::max, N::zero, G::clamp, B::min, B::min},
            {O::saturate, I::as_overflow, N::max_signed, G::clamp, B::min, B::min},
            {O::indefinite, I::as_overflow, dst.is_signed ? N::min : N::max, G::clamp, B::min, B::min},
            {O::indefinite, I::max, N::zero, G::clamp, B::min, B::min},
            {O::wrap, I::as_overflow, N::min, G::clamp, B::min, B::min, spec::IntegerRange{true, 32}},
            {O::wrap, I::max, N::zero, G::clamp, B::min, B::min, spec::IntegerRange{true, 32}},
            {O::wrap, I::as_overflow, N::zero, G::clamp, B::min, B::min, spec::IntegerRange{false, 6}},
            {O::wrap, I::as_overflow, N::zero, G::clamp, B::min, B::min, spec::IntegerRange{true, 48}}};
  }
  const N nan = dst.has_nan() ? N::nan : N::max;
  std::vector<Policy> list = {{O::infinity, I::infinity, nan, G::clamp, B::min, B::min},
                              {O::max, I::max, N::max_signed, G::nan, B::nan, B::min},
                              {O::nan, I::nan, nan, G::nan, B::min, B::nan, {}, spec::NegativeTest::exact},
                              {O::ieee, I::as_overflow, N::zero_opposite, G::clamp, B::nan, B::nan}};
  list[1].zero_sign = spec::ZeroSign::positive;
  if (dst.has_nan()) list[3].negative_inf = spec::NegativeInf::nan;
  if (dst.has_zero() && !dst.is_signed) list.push_back({O::max, I::infinity, nan, G::abs, B::min, B::min});
  return list;
}

inline Meaning meaning_of(const Type& src, const Type& dst, const spec::Rounding* mode, const Policy& policy) {
  Meaning meaning;
  meaning.src = &src;
  meaning.dst = &dst;
  meaning.round = mode;
  meaning.overflow = policy.overflow;
  meaning.saturate_first = policy.saturate_first;
  meaning.inf = policy.inf;
  meaning.nan = policy.nan;
  meaning.negative = policy.negative;
  meaning.negative_test = policy.negative_test;
  meaning.negative_inf = policy.negative_inf;
  meaning.zero_sign = policy.zero_sign;
  meaning.zero = policy.zero;
  meaning.underflow = policy.underflow;
  return spec::canonical(meaning);
}

}  // namespace castforge::test

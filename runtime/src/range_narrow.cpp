#include "src/range_narrow.hpp"

#include <algorithm>
#include <bit>

#include "src/exact/cast.hpp"
#include "src/machine_types.hpp"
#include "src/type_rows.hpp"

namespace castforge {
namespace {

/// A number, known by its bits: a multiple of 2^low, below 2^high in magnitude.
struct Extent {
  bool zero;
  int low, high;
};

/// Of a float64 or float32; what is not finite is beyond every number.
Extent extent(std::uint64_t code, int bits) noexcept {
  const exact::Value value = exact::decode_floating(bits == 64 ? exact::kFloat64 : exact::kFloat32, code);
  if (value.cls != exact::Value::Class::finite) return {false, 1024, 1025};
  return {value.significand == 0, value.exponent + std::countr_zero(value.significand),
          value.exponent + static_cast<int>(std::bit_width(value.significand))};
}

/// Beyond the last index that a ramp computes anything for.
std::uint64_t index_end(std::uint64_t count) noexcept { return count + 256; }

bool indices_fit(std::uint64_t count, int precision) noexcept {
  return count < std::uint64_t{1} << precision && index_end(count) <= std::uint64_t{1} << precision;
}

/// Of the format that the ramp computes in: float64 or float32.
int significand_bits(const RangePlan& plan) noexcept { return plan.ramp_bits == 64 ? 52 + 1 : 23 + 1; }

/// The domain of tables::NarrowRamp.
bool admits_narrow_ramp(const RangePlan& plan) noexcept {
  const Extent start = extent(plan.start, plan.ramp_bits), step = extent(plan.step, plan.ramp_bits);
  const bool start_fits = start.zero ? plan.start == 0 : start.high <= 64;
  return start_fits && !step.zero && step.high > -100 && step.high <= 64 &&
         indices_fit(plan.count, significand_bits(plan));
}

/// Indices, products and sums have at most so many significant bits, all on one grid.
bool is_exact(const RangePlan& plan, int precision) noexcept {
  const Extent start = extent(plan.start, plan.ramp_bits), step = extent(plan.step, plan.ramp_bits);
  const int product_high = step.high + static_cast<int>(std::bit_width(index_end(plan.count) - 1));
  const int low = start.zero ? step.low : std::min(start.low, step.low);
  const int high = start.zero ? product_high : std::max(start.high, product_high) + 1;
  return indices_fit(plan.count, precision) && high - low <= precision;
}

/// A float64 that is exact in float32, normal or 0.
std::uint64_t float32_code(std::uint64_t code) noexcept {
  return *exact::encode(exact::kFloat32, {}, exact::decode_floating(exact::kFloat64, code));
}

}  // namespace

void join_conversion(const tables::IsaRamps& ramps, const tables::Kernel& conversion, bool fused,
                     RangePlan& plan) noexcept {
  if (!is_ieee(conversion.rule)) return;
  const Format& type = type_row(conversion.dst);
  const auto* ramp = std::find_if(std::begin(ramps.narrow), std::end(ramps.narrow), [&](const tables::NarrowRamp& one) {
    return one.ramp_bits == plan.ramp_bits && is_ieee(type, one.exponent_bits, one.mantissa_bits);
  });
  if (ramp == std::end(ramps.narrow) || !admits_narrow_ramp(plan)) return;
  const bool single = is_exact(plan, 24), exact = single || is_exact(plan, significand_bits(plan));
  if (fused && !exact) return;
  plan.ramp = single ? ramp->single : exact ? ramp->exact : ramp->rounded;
  plan.convert = nullptr;
  plan.data = nullptr;
  if (single && plan.ramp_bits == 64) {
    plan.start = float32_code(plan.start);
    plan.step = float32_code(plan.step);
    plan.ramp_bits = 32;
  }
}

}  // namespace castforge

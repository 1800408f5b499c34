#include "plan/planner.hpp"

#include <algorithm>
#include <stdexcept>

#include "plan/real.hpp"
#include "semantics/convert.hpp"

namespace castforge::plan {
namespace {

using spec::Kind;
using spec::Meaning;

TablePlan tabulate(const Meaning& meaning) {
  TablePlan table;
  const std::uint64_t codes = 1ull << meaning.src->storage_bits;
  for (std::uint64_t code = 0; code < codes; ++code) table.entries.push_back(semantics::convert_storage(meaning, code));
  return table;
}

LanePlan plan_floating(const Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  const bool from_integer = src.kind == Kind::integer;
  Layout layout = working_layout(src, dst);
  int lane = std::max({32, src.storage_bits, dst.storage_bits});
  if (from_integer) {
    const int bits = src.value_bits - (src.is_signed ? 1 : 0);
    const bool room = dst.mantissa_bits <= odd_room(layout);
    if (bits > layout.mantissa_bits + 1 && !room && layout.mantissa_bits < kFloat64.mantissa_bits && bits <= 32) return plan_wide_integer(meaning);
    if (bits > 32) layout = kFloat64;
    if (bits > layout.mantissa_bits + 1 && dst.mantissa_bits > odd_room(layout)) return plan_wide_integer(meaning);
  }
  // Lanes of 64 bits work in float64, but for float32 itself, which needs no decoding.
  const bool is_float32 = src.kind == Kind::floating && src.exponent_bits == kFloat32.exponent_bits && src.mantissa_bits == kFloat32.mantissa_bits;
  if (lane == 64 && !is_float32) layout = kFloat64;
  if (layout.mantissa_bits == kFloat64.mantissa_bits) lane = 64;
  const char* family = dst.kind == Kind::integer ? "round_to_integer.integer"
                       : from_integer            ? "from_integer.integer"
                                                 : "convert_float.integer";
  const char* source = dst.kind == Kind::integer ? "generator/plan/encode_integer.cpp" : "generator/plan/encode_floating.cpp";
  Builder b(family, source, lane);
  const Real real = from_integer ? decode_integer(b, src, layout) : decode_floating(b, src, layout);
  const Value result = dst.kind == Kind::integer ? encode_integer(b, real, meaning) : encode_floating(b, real, meaning);
  return b.finish(result);
}

/// The same for 64-bit sources whose destination is narrow enough for 32-bit lanes.
std::vector<LanePlan> plan_fast_wide(const Meaning& meaning) {
  std::vector<LanePlan> plans;
  const std::shared_ptr<const LanePlan> prepare = prepare_wide(*meaning.src, *meaning.dst);
  if (!prepare) return plans;
  for (const bool negative : {false, true}) {  // numbers above the range of float32 arrive as infinities
    if (meaning.src->kind != Kind::floating) break;
    if (semantics::infinity_result(meaning, negative) != semantics::overflow_result(meaning, negative)) return plans;
  }
  const auto attempt = [&](const char* name, auto encode) {
    Builder b(name, "generator/plan/encode_fast.cpp", 32);
    const Value result = encode(b, decode_prepared(b, *meaning.src), meaning);
    if (result.id < 0) return false;
    plans.push_back(b.finish(result));
    plans.back().prepare = prepare;
    return true;
  };
  attempt("convert_float.half", encode_half) || attempt("convert_float.multiply_add", encode_by_multiply_add);
  return plans;
}

/// Faster plans for instruction sets that have what they need; in 32-bit lanes, where float32 holds the source.
std::vector<LanePlan> plan_fast(const Meaning& meaning) {
  if (meaning.src->storage_bits == 64) return plan_fast_wide(meaning);
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  std::vector<LanePlan> plans;
  if (std::max(src.storage_bits, dst.storage_bits) > 32 || working_layout(src, dst).mantissa_bits != kFloat32.mantissa_bits) return plans;
  const bool from_integer = src.kind == Kind::integer;
  const bool quick = from_integer && has_quick_integer(src, dst, 32);
  const bool hardware = !from_integer && has_hardware_decode(src, kFloat32, 32);
  if (from_integer && !quick) return plans;

  using Encoder = Value (*)(Builder&, const Real&, const Meaning&);
  const auto attempt = [&](const char* name, const char* source, Encoder encode) {
    Builder b(name, source, 32);
    const Real real = quick ? decode_quick_integer(b, src) : decode_floating(b, src, kFloat32, hardware);
    const Value result = encode(b, real, meaning);
    if (result.id < 0) return false;
    plans.push_back(b.finish(result));
    return true;
  };
  constexpr const char* kFast = "generator/plan/encode_fast.cpp";
  if (dst.kind == Kind::floating && dst.has_zero()) {
    if (attempt("convert_float.half", kFast, encode_half)) return plans;
    if (attempt("convert_float.multiply_add", kFast, encode_by_multiply_add)) return plans;
  }
  if (dst.kind == Kind::integer && attempt("round_to_integer.convert", kFast, encode_small_integer)) return plans;
  if (hardware) {
    attempt(dst.kind == Kind::integer ? "round_to_integer.half_decode" : "convert_float.half_decode",
            dst.kind == Kind::integer ? "generator/plan/encode_integer.cpp" : "generator/plan/encode_floating.cpp",
            dst.kind == Kind::integer ? encode_integer : encode_floating);
  }
  return plans;
}

LanePlan plan_integral(const Meaning& meaning) {
  const Layout layout = meaning.src->storage_bits == 64 ? kFloat64 : kFloat32;
  if (meaning.src->mantissa_bits != layout.mantissa_bits || meaning.src->exponent_bits != layout.exponent_bits) {
    throw std::runtime_error("no plan rounds " + meaning.src->name + " to integral values");
  }
  Builder b("round_to_integral.integer", "generator/plan/encode_integer.cpp", layout.sign_bit() + 1);
  const Real real = decode_floating(b, *meaning.src, layout);
  return b.finish(encode_integral(b, real, meaning));
}

}  // namespace

KernelPlans plan_kernel(const Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  KernelPlans plans;
  const bool integral = &src == &dst && meaning.same_type == spec::SameType::integral && src.kind == Kind::floating;
  if (dst.kind == Kind::boolean) {
    plans.lanes.push_back(plan_truth(meaning));
  } else if (src.kind == Kind::boolean) {
    plans.lanes.push_back(plan_from_truth(meaning));
  } else if (&src == &dst && !integral) {
    plans.lanes.push_back(plan_copy(meaning));
  } else if (src.kind == Kind::integer && dst.kind == Kind::integer) {
    plans.lanes.push_back(plan_integers(meaning));
  } else if (src.storage_bits <= 8 && !(src.kind == Kind::integer && src.storage_bits == 8 && dst.storage_bits > 8)) {
    plans.has_table = true;
    plans.table = tabulate(meaning);
  } else if (integral) {
    plans.lanes.push_back(plan_integral(meaning));
  } else {
    plans.has_steps = src.kind == Kind::floating && plan_steps(meaning, plans.steps);
    plans.lanes = plan_fast(meaning);
    plans.lanes.push_back(plan_floating(meaning));
  }
  return plans;
}

}  // namespace castforge::plan

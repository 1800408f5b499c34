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
  if (meaning.saturate_first && meaning.saturate_first->bits > 32) lane = 64;
  if (from_integer) {
    const int bits = src.value_bits - (src.is_signed ? 1 : 0);
    const bool room = dst.mantissa_bits <= odd_room(layout);
    if (bits > layout.mantissa_bits + 1 && !room && layout.mantissa_bits < kFloat64.mantissa_bits && bits <= 32) return plan_wide_integer(meaning);
    if (bits > 32) layout = kFloat64;
    if (bits > layout.mantissa_bits + 1 && dst.mantissa_bits > odd_room(layout)) return plan_wide_integer(meaning);
  }
  // Lanes of 64 bits work in float64, but for float32 and its shortened forms, which need no decoding.
  if (lane == 64 && !is_shortened_float32(src)) layout = kFloat64;
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

/// Integers to float32 or float64 to nearest even: one conversion of the instruction set, where float32 or float64 lanes
/// do not hold the source exactly.
void plan_nearest_integer(const Meaning& meaning, std::vector<LanePlan>& plans) {
  const spec::Type& src = *meaning.src;
  const bool single = is_layout(*meaning.dst, kFloat32);
  if (src.kind != Kind::integer || src.value_bits != src.storage_bits || src.storage_bits < 32) return;
  if (!(single || (is_layout(*meaning.dst, kFloat64) && src.storage_bits == 64))) return;
  if (!rounds_to_nearest_even(meaning)) return;
  Builder b("from_integer.nearest", "generator/plan/planner.cpp", single ? 32 : 64);
  b.plan().needs = kNeedsVector;
  if (single && src.storage_bits == 64) {
    Builder first("prepare", "generator/plan/planner.cpp", 64);
    plans.push_back(b.finish(b.input()));
    plans.back().prepare = std::make_shared<const LanePlan>(first.finish(nearest_single(first.input(), src.is_signed)));
  } else {
    plans.push_back(b.finish(nearest_float(b.input(), src.is_signed)));
  }
}

/// Integers of 16 or 32 bits to float64: one exact conversion as they are stored.
void plan_exact_integer(const Meaning& meaning, std::vector<LanePlan>& plans) {
  const spec::Type& src = *meaning.src;
  if (src.kind != Kind::integer || src.value_bits != src.storage_bits || !is_layout(*meaning.dst, kFloat64)) return;
  if (src.storage_bits != 16 && !(src.storage_bits == 32 && src.is_signed)) return;
  Builder b("from_integer.exact", "generator/plan/planner.cpp", 32);
  b.plan().needs = kNeedsVector;
  b.plan().sign_extend = src.is_signed;
  b.plan().store = Store::float64_of_int;
  plans.push_back(b.finish(b.input()));
}

/// Floats of at most 32 bits to float64, through float32, which holds them exactly.
void plan_widening(const Meaning& meaning, std::vector<LanePlan>& plans) {
  const spec::Type& src = *meaning.src;
  if (src.kind != Kind::floating || src.storage_bits < 16 || src.storage_bits > 32 || !is_layout(*meaning.dst, kFloat64)) return;
  if (working_layout(src, src).mantissa_bits != kFloat32.mantissa_bits) return;
  Builder b("convert_float.widening", "generator/plan/encode_fast.cpp", 32);
  const Value result = encode_double(b, decode_floating(b, src, kFloat32, has_hardware_decode(src, kFloat32, 32)), meaning);
  if (result.id >= 0) plans.push_back(b.finish(result));
}

/// Floats that end below 2^31 to 64-bit integers: as 32-bit integers, sign-extended.
void plan_short_integer(const Meaning& meaning, std::vector<LanePlan>& plans) {
  const spec::Type& src = *meaning.src;
  if (src.kind != Kind::floating || meaning.dst->kind != Kind::integer || meaning.dst->storage_bits != 64 || !has_hardware_decode(src, kFloat32, 32)) return;
  Builder b("round_to_integer.extended", "generator/plan/encode_fast.cpp", 32);
  const Value result = encode_small_integer(b, decode_floating(b, src, kFloat32, true), meaning);
  if (result.id < 0) return;
  b.plan().store = Store::int64;
  plans.push_back(b.finish(result));
}

/// Floats of the range of float32 to 64-bit integers: cut as they are stored.
void plan_long_integer(const Meaning& meaning, std::vector<LanePlan>& plans) {
  const spec::Type& src = *meaning.src;
  if (!is_shortened_float32(src) || meaning.dst->kind != Kind::integer || meaning.dst->storage_bits != 64) return;
  Builder b("round_to_integer.cut", "generator/plan/encode_fast.cpp", 32);
  const Value result = encode_cut_integer(b, decode_floating(b, src, kFloat32), meaning);
  if (result.id >= 0) plans.push_back(b.finish(result));
}

/// The same for 64-bit sources whose destination is narrow enough for 32-bit lanes.
std::vector<LanePlan> plan_fast_wide(const Meaning& meaning) {
  std::vector<LanePlan> plans;
  if (is_layout(*meaning.src, kFloat64) && is_layout(*meaning.dst, kFloat32)) {
    Builder b("convert_float.nearest", "generator/plan/encode_fast.cpp", 32);
    b.plan().load = Load::float64;
    const Value result = encode_single(b, decode_prepared(b, *meaning.src, true), meaning);
    if (result.id >= 0) plans.push_back(b.finish(result));
    return plans;
  }
  if (is_layout(*meaning.src, kFloat64) && meaning.dst->kind == Kind::integer) {
    const auto attempt = [&](const char* name, auto encode) {
      Builder b(name, "generator/plan/encode_fast.cpp", 64);
      const Value result = encode(b, decode_floating(b, *meaning.src, kFloat64), meaning);
      if (result.id >= 0) plans.push_back(b.finish(result));
    };
    attempt("round_to_integer.convert", encode_small_integer);
    if (plans.empty()) attempt("round_to_integer.cut", encode_cut_integer);
    if (!plans.empty() && plans.back().nodes.back().op == Op::cut_to_int) {  // in 64-bit lanes no longer than needed
      Builder b("round_to_integer.cut", "generator/plan/encode_fast.cpp", 32);
      LanePlan narrow = b.finish(b.input());
      narrow.needs = plans.back().needs;
      narrow.prepare = std::make_shared<const LanePlan>(std::move(plans.back()));
      plans.back() = std::move(narrow);
    }
    attempt("round_to_integer.wrap", encode_wrapped_integer);
    return plans;
  }
  for (const bool negative : {false, true}) {  // numbers above the range of float32 arrive as infinities, or as its largest
    if (meaning.src->kind != Kind::floating) break;
    if (semantics::infinity_result(meaning, negative) != semantics::overflow_result(meaning, negative)) return plans;
  }
  const bool from_integer = meaning.src->kind == Kind::integer;
  // What float32 rounds to zero is not zero for the directed modes, nor for a destination that has no negative numbers.
  const bool any_encoder = from_integer || (rounds_to_nearest_even(meaning) && meaning.dst->is_signed);
  // First by the conversion that AVX-512 can make round toward zero, then by the one that rounds to nearest.
  for (const bool sticky : {true, false}) {
    const std::shared_ptr<const LanePlan> prepare = prepare_wide(meaning, sticky);
    if (!prepare) continue;
    const bool as_float = !is_integer_result(*prepare);
    const auto attempt = [&](const std::string& name, const char* source, auto encode) {
      Builder b(sticky ? name + "_sticky" : name, source, 32);
      if (as_float) b.plan().needs |= sticky ? kNeedsAvx512 : kNeedsVector;
      const Value result = encode(b, decode_prepared(b, *meaning.src, as_float), meaning);
      if (result.id < 0) return false;
      plans.push_back(b.finish(result));
      plans.back().prepare = prepare;
      return true;
    };
    constexpr const char* kFast = "generator/plan/encode_fast.cpp";
    const bool has_zero = meaning.dst->has_zero();
    if (has_zero && attempt("convert_float.half", kFast, encode_half)) continue;
    if (has_zero && attempt("convert_float.multiply_add", kFast, encode_by_multiply_add)) continue;
    if (as_float && any_encoder) attempt(from_integer ? "from_integer.odd" : "convert_float.odd", "generator/plan/encode_floating.cpp", encode_floating);
  }
  return plans;
}

/// Faster plans for instruction sets that have what they need; in 32-bit lanes, where float32 holds the source.
std::vector<LanePlan> plan_fast(const Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  std::vector<LanePlan> plans;
  plan_nearest_integer(meaning, plans);
  plan_exact_integer(meaning, plans);
  plan_widening(meaning, plans);
  plan_short_integer(meaning, plans);
  plan_long_integer(meaning, plans);
  if (!plans.empty()) return plans;
  if (src.storage_bits == 64) return plan_fast_wide(meaning);
  if (std::max(src.storage_bits, dst.storage_bits) > 32 || working_layout(src, dst).mantissa_bits != kFloat32.mantissa_bits) return plans;
  if (meaning.saturate_first && meaning.saturate_first->bits > 32) return plans;
  const bool from_integer = src.kind == Kind::integer;
  const bool quick = from_integer && has_quick_integer(src, dst, 32);
  const bool hardware = !from_integer && has_hardware_decode(src, kFloat32, 32);
  const bool odd = from_integer && !quick && has_odd_integer(src, dst, 32);
  if (from_integer && !quick && !odd) return plans;

  using Encoder = Value (*)(Builder&, const Real&, const Meaning&);
  const auto attempt = [&](const char* name, const char* source, Encoder encode) {
    Builder b(name, source, 32);
    const Real real = quick ? decode_quick_integer(b, src) : odd ? decode_odd_integer(b, src) : decode_floating(b, src, kFloat32, hardware);
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
  if (dst.kind == Kind::integer && attempt("round_to_integer.saturate", kFast, encode_saturated_integer)) return plans;
  if (dst.kind == Kind::integer && attempt("round_to_integer.convert", kFast, encode_small_integer)) return plans;
  if (dst.kind == Kind::integer) attempt("round_to_integer.cut", kFast, encode_cut_integer);
  if (dst.kind == Kind::integer && attempt("round_to_integer.wrap", kFast, encode_wrapped_integer)) return plans;
  if (hardware || odd || (quick && dst.kind == Kind::floating)) {
    attempt(dst.kind == Kind::integer ? "round_to_integer.half_decode" : hardware ? "convert_float.half_decode" : odd ? "from_integer.odd" : "from_integer.quick",
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
  if (src.storage_bits < 8 && dst.storage_bits < 8) {  // a byte of elements is looked up without being taken apart
    plans.has_table = true;
    plans.table = tabulate(meaning);
  } else if (dst.kind == Kind::boolean) {
    plans.lanes.push_back(plan_truth(meaning));
  } else if (src.kind == Kind::boolean) {
    plans.lanes.push_back(plan_from_truth(meaning));
  } else if (&src == &dst && !integral) {
    plans.lanes.push_back(plan_copy(meaning));
  } else if (src.kind == Kind::integer && dst.kind == Kind::integer) {
    if (src.storage_bits < 8 && dst.storage_bits > 8) {  // one lookup instead of unpacking and widening
      plans.has_table = true;
      plans.table_needs = kNeedsVbmi;
      plans.table = tabulate(meaning);
    }
    plans.lanes.push_back(plan_integers(meaning));
  } else if (src.storage_bits <= 8 && !(src.kind == Kind::integer && src.storage_bits == 8 && dst.storage_bits > 8)) {
    plans.has_table = true;
    plans.table = tabulate(meaning);
  } else if (integral) {
    plans.lanes.push_back(plan_integral(meaning));
  } else {
    plans.has_steps = plan_steps(meaning, plans.steps) || plan_placed_steps(meaning, plans.steps) || plan_placed_integers(meaning, plans.steps);
    if (src.storage_bits == 8 && dst.storage_bits == 16) {  // two bytes per result: few lookups beat the conversion
      plans.has_table = true;
      plans.table_needs = kNeedsVbmi;
      plans.table = tabulate(meaning);
    }
    plans.lanes = plan_fast(meaning);
    for (LanePlan& plan : plans.lanes) fuse_conversions(plan);
    plans.lanes.push_back(plan_floating(meaning));
    if (dst.storage_bits == 16) {
      for (LanePlan& plan : plans.lanes) leave_in_upper_half(plan);
    }
  }
  return plans;
}

}  // namespace castforge::plan

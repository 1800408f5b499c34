// Plans without a decoder and an encoder: copies, truth values, one table of all results, integer to integer, integers
// by a conversion of the instruction set, and the direct rounding of wide integers.
#include <bit>

#include "plan/conditions.hpp"
#include "plan/lowerings.hpp"
#include "plan/planner.hpp"
#include "plan/real.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"

namespace castforge::plan {

Value same_code(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& type = *meaning.dst;
  Value result = b.input();
  if (type.storage_sign_fill) {
    result = to_storage(b, type, result);
  } else if (type.value_bits < type.storage_bits) {
    const std::uint64_t code = semantics::storage_of_code(type, low_bits(type.value_bits));
    result = result & b.constant("kCode", code, "the bits of one code");
  }
  if (meaning.bits == spec::Bits::converted && type.kind == spec::Kind::floating && type.infinity) {
    // Infinity follows the rule even between equal types; every other code is kept, NaN payloads included.
    for (const bool negative : {false, true}) {
      if (negative && !type.is_signed) break;
      const std::uint64_t from =
          semantics::storage_of_code(type, type.infinity_code() | (negative ? type.sign_mask() : 0));
      const std::uint64_t to = semantics::convert_storage(meaning, from);
      if (to == from) continue;
      const std::string which = negative ? "Minus" : "Plus";
      result =
          select(equal(result, b.constant("k" + which + "Inf", from, negative ? "minus infinity" : "plus infinity")),
                 b.constant("k" + which + "Result", to, "its result"), result);
    }
  }
  return result;
}

Value truth(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const Value code = code_of_storage(b, src);
  if (src.kind == spec::Kind::floating && !src.has_zero()) {
    return b.constant("kTrue", 1, "no code of " + src.name + " is zero");
  }
  Value compared = code;
  if (src.kind == spec::Kind::floating && src.has_negative_zero()) {
    compared = (code & b.constant("kMagnitude", src.magnitude_mask(), power_formula(src.value_bits - 1) + " - 1"))
                   .named("mag", "both zeros are false");
  }
  if (src.value_bits == 1) return compared;
  if (b.lane_bits() < 64) return min(compared, b.literal(1));
  return select(equal(compared, b.literal(0)), b.literal(0), b.literal(1));  // few machines have 64-bit minima
}

// As bytes where true differs from false in one byte at most: that is cheaper than wide lanes. With two it is not.
Value number_of_truth(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& dst = *meaning.dst;
  const std::uint64_t zero = semantics::convert_storage(meaning, 0), one = semantics::convert_storage(meaning, 1);
  const int word = storage_unit(dst.storage_bits);
  Value bits = b.input();
  if (zero == 0 && one == 1) {
    const Value truth = min(bits, b.literal(1));
    return word > b.lane_bits() ? widen(truth, word) : truth;
  }
  if (zero == one) {
    b.work_in(word);
    return b.constant("kResult", one, "of true and of false");
  }
  const int place = std::countr_zero(one) / 8;  // of the lowest byte that is not zero
  if (zero == 0 && word > b.lane_bits() && one >> 8 * place <= 0xFF) {
    const std::string number = std::to_string(place);
    const Value only = b.constant("kOneByte" + number, one >> 8 * place, "byte " + number + " of 1 as " + dst.name);
    std::vector<Value> bytes(static_cast<std::size_t>(word / 8), b.literal(0));
    bytes[static_cast<std::size_t>(place)] = select(equal(bits, b.literal(0)), b.literal(0), only);
    return ir::join(bytes, word);
  }
  if (word > b.lane_bits()) {
    bits = widen(bits, word);
    b.work_in(word);
  }
  return select(equal(bits, b.literal(0)),
                b.constant("kZero", zero, dst.has_zero() ? "0 as " + dst.name : "result of false"),
                b.constant("kOne", one, "1 as " + dst.name));
}

Value table_of_results(Builder& b, const spec::Meaning& meaning) {
  ir::Table results;
  results.name = "kTable";
  results.bits = b.lane_bits();
  results.note = "the result of every code";
  const std::uint64_t codes = 1ull << meaning.src->storage_bits;
  for (std::uint64_t code = 0; code < codes; ++code)
    results.entries.push_back(semantics::convert_storage(meaning, code));
  return lookup(Op::table, b.element(), b.table(results));
}

Value integer_of_integer(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  const bool by_low_bits = keeps_low_bits(meaning) && dst.value_bits <= src.value_bits &&
                           src.value_bits == src.storage_bits;  // the sign of the source plays no part
  Value value = by_low_bits ? b.input() : decode_value(b, src);
  const bool indefinite = meaning.overflow == spec::Overflow::indefinite;
  const bool saturates = meaning.overflow == spec::Overflow::saturate || indefinite;
  const Value given = value;
  if (saturates && src.magnitude_bits() > dst.magnitude_bits()) {
    const Value top = b.constant("kMax", dst.largest_code(), "largest " + dst.name);
    if (src.is_signed) {
      value = max_signed(min_signed(value, top), b.constant("kMin", least_integer(dst), "smallest " + dst.name));
    } else {
      value = min(value, top);
    }
  } else if (saturates && src.is_signed && !dst.is_signed) {
    value = max_signed(value, b.literal(0));
  } else if (meaning.saturate_first) {
    const spec::IntegerRange& range = *meaning.saturate_first;
    const int positive_bits = range.bits - (range.is_signed ? 1 : 0);
    const bool above = src.magnitude_bits() > positive_bits;
    const bool below = src.is_signed && (!range.is_signed || src.value_bits > range.bits);
    const auto top = [&] { return b.constant("kMax", low_bits(positive_bits), power_formula(positive_bits) + " - 1"); };
    if (above) value = src.is_signed ? min_signed(value, top()) : min(value, top());
    if (below) {
      const std::string formula = "-" + power_formula(positive_bits);
      value = max_signed(value, range.is_signed ? b.constant("kMin", ~low_bits(positive_bits), formula) : b.literal(0));
    }
  }
  if (indefinite && given.id != value.id) {
    value = select(equal(given, value), value,
                   b.constant("kIndefinite", indefinite_integer(dst), "result of every number out of range"));
  }
  return to_storage(b, dst, value);
}

Value nearest_of_integer(Builder& b, const spec::Meaning& meaning) {
  const spec::Type &src = *meaning.src, &dst = *meaning.dst;
  if (src.storage_bits > dst.storage_bits) return nearest_single(b.element(), src.is_signed);
  return nearest_float(b.element(), src.is_signed);
}

Value directed_of_integer(Builder& b, const spec::Meaning& meaning) {
  const bool wide = meaning.src->storage_bits > meaning.dst->storage_bits;
  const Value integer = b.element();
  const auto convert = [&](Op op32, Op op64) { return unary(wide ? op64 : op32, integer); };
  const auto down = [&] { return convert(Op::float32_of_int32_rtn, Op::float32_of_int64_rtn); };
  const auto up = [&] { return convert(Op::float32_of_int32_rtp, Op::float32_of_int64_rtp); };
  switch (carry_of(meaning)) {
    case kTowardZeroTable: return convert(Op::float32_of_int32_rtz, Op::float32_of_int64_rtz);
    case kFloorTable: return down();
    case kCeilTable: return up();
    case kOddTable: {
      if (wide) return unary(Op::float32_of_int64_rto, integer);
      // One statement each: the order in which a compiler evaluates arguments would be that of the program.
      const Value above = up(), below = down();
      const Value inexact = differing_codes(b, below, above);
      return unary(Op::float32_of_int32_rtz, integer) | inexact;
    }
    default: return {};
  }
}

Value float16_of_integer(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const Value number = decode_single(b, meaning).whole;
  b.work_in(16);
  const Value bits = unary(Op::high_half, number).named("top", "the number as bfloat16, which is exact");
  const Value mag = src.is_signed ? bits & b.constant("kMagnitude", low_bits(15), "2^15 - 1") : bits;
  const Value rebias =
      b.constant("kRebias", static_cast<std::uint64_t>(kBfloat16.bias - kFloat16.bias) << kBfloat16.mantissa_bits,
                 "(127 - 15) << 7");
  const Value code = (binary(Op::subtract_or_zero, mag, rebias) << (kFloat16.mantissa_bits - kBfloat16.mantissa_bits))
                         .named("code", "0 for zero");
  return src.is_signed ? code | (bits ^ mag).named("sign") : code;
}

Value double_of_integer(Builder& b, const spec::Meaning& meaning) {
  return unary(Op::float64_of_int32, meaning.src->is_signed ? b.signed_input() : b.input());
}

/// As float64, of which the bits that float32 has not are rounded away.
Value single_by_double(Builder& b, const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const Value rounded = round_low_bits(b, decode_double(b, src), kFloat64.mantissa_bits - kFloat32.mantissa_bits,
                                       src.is_signed, meaning.round);
  return rounded ? unary(Op::float32_of_float64, rounded) : Value{};
}

Value rounded_integer(Builder& b, const spec::Meaning& meaning) {
  // Integers with more bits than the significand of the working layout, rounded directly: the exponent comes from an
  // exact conversion of the leading bits, the significand from one shift.
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  const int lane = b.lane_bits();
  const Layout layout = lane == 32 ? kFloat32 : kFloat64;
  const Value value = decode_value(b, src);
  Value integer = value;
  Value sign;
  if (src.is_signed) {
    const Value negative = negative_ones(value);
    integer = negated_where(value, negative).named("integer", "absolute value");
    if (dst.is_signed) sign = negative & b.constant("kSign", dst.sign_mask(), "sign bit of " + dst.name);
  }
  const int exact_bits = layout.mantissa_bits + 1;
  const int excess = lane - exact_bits;
  const int m = dst.mantissa_bits;
  if (!shares_grid(meaning, layout)) throw NoLayout(dst, NoLayout::Because::precise);
  const Value limit = b.constant("kExact", 1ull << exact_bits,
                                 power_formula(exact_bits) + ": integers below are exact as " + layout.name);
  const Value exact = float_of_uint(min(integer, limit)).named("exact");
  const Value leading = float_of_uint(integer >> excess) >> layout.mantissa_bits;
  const Value is_small = equal(integer >> exact_bits, b.literal(0));
  const Value exp =
      (select(is_small, exact >> layout.mantissa_bits, leading + b.literal(static_cast<std::uint64_t>(excess))))
          .named("exp", "biased exponent of the leading bit");
  const Value base = b.count("kShiftBase", static_cast<std::uint64_t>(layout.bias + m),
                             std::to_string(layout.bias) + " + " + std::to_string(m));
  const Value least = b.count("kShiftLeast", static_cast<std::uint64_t>(layout.bias + m + 1), "kShiftBase + 1");
  const Value shift = (max(exp, least) - base).named("shift", "at least one bit");
  RoundingSite site{integer, shift, 0, {}, false, {}, lane - 1};
  if (src.is_signed && dst.is_signed)  // else magnitudes are rounded
    site.sign = value & b.constant("kTopBit", 1ull << (lane - 1), power_formula(lane - 1));
  site.full = !src.is_signed;
  const Value kept = round_significand(b, site, meaning.round).named("rounded");
  const Value large =
      (kept + ((exp - b.constant("kBias", static_cast<std::uint64_t>(layout.bias - dst.exponent_bias + 1),
                                 std::to_string(layout.bias) + " - " + std::to_string(dst.exponent_bias) +
                                     " + 1: the difference of the biases; the leading bit of `rounded` adds 1"))
               << m))
          .named("large");
  Value code = select(is_small, exact, large).named("code");
  if (sign) code = code | sign;
  if (src.is_signed && !dst.is_signed && meaning.negative != spec::NegativeResult::abs) {
    const Value below = b.constant("kNegative", semantics::negative_result(meaning), "result of a negative value");
    code = select(greater(b.literal(0), value), below, code);
  }
  return at_storage(dst, code);
}

}  // namespace castforge::plan

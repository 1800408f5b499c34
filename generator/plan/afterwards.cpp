#include "plan/afterwards.hpp"

#include <cstdint>
#include <optional>

#include "plan/conditions.hpp"
#include "semantics/value.hpp"

namespace castforge::plan {
namespace {

int word(const Type& type) { return storage_unit(type.storage_bits); }

/// What makes the result of an infinity of that of overflow with its sign.
struct InfinityChange {
  bool replaces;       // the whole code; else some bits flip, for both signs the same
  std::uint64_t bits;  // the code, or the bits
};
std::optional<InfinityChange> infinity_apart(const Meaning& meaning) {
  if (!real(meaning) || !floating(*meaning.src) || !meaning.src->infinity || !floating(*meaning.dst)) return {};
  if (!meaning.src->is_signed || word(*meaning.src) < word(*meaning.dst)) return {};
  // Where minus infinity alone becomes NaN, only the encoders know how.
  if (meaning.negative_inf != spec::NegativeInf::as_negative) return {};
  // Where negative numbers have one result, minus infinity has that too.
  if (!meaning.dst->is_signed && meaning.negative != spec::NegativeResult::abs) return {};
  const std::uint64_t infinity = semantics::infinity_result(meaning, false),
                      minus_infinity = semantics::infinity_result(meaning, true);
  const std::uint64_t flips = infinity ^ semantics::overflow_result(meaning, false),
                      minus_flips = minus_infinity ^ semantics::overflow_result(meaning, true);
  if (flips == 0 && minus_flips == 0) return {};
  if (flips == minus_flips) return InfinityChange{false, semantics::storage_of_code(*meaning.dst, flips)};
  if (infinity == minus_infinity) return InfinityChange{true, semantics::storage_of_code(*meaning.dst, infinity)};
  return {};
}

}  // namespace

Program without_minus_zero(Program program, const spec::Type& dst) {
  Builder b(program.src_bits, program.dst_bits, word(dst));
  b.program() = std::move(program);
  const Value result{&b, static_cast<int>(b.program().nodes.size()) - 1};
  const std::uint64_t code = semantics::storage_of_code(dst, dst.sign_mask());
  const Value minus_zero = b.constant("kMinusZero", code, "-0 as " + dst.name);
  return b.finish(select(equal(result.named("number"), minus_zero), b.literal(0), result));
}

bool has_infinity_apart(const Meaning& meaning) { return infinity_apart(meaning).has_value(); }

Program with_infinity_apart(Program program, const Meaning& meaning) {
  const InfinityChange change = infinity_apart(meaning).value();
  const Type &src = *meaning.src, &dst = *meaning.dst;
  Builder b(program.src_bits, program.dst_bits, word(src));
  b.program() = std::move(program);
  Value result{&b, static_cast<int>(b.program().nodes.size()) - 1};
  result = result.named("as_overflow", "the result, with infinities as overflow");
  const std::uint64_t magnitudes = semantics::storage_of_code(src, low_bits(src.value_bits - 1));
  const int unused = src.storage_high ? src.storage_bits - src.value_bits : 0;
  const std::string formula = power_formula(src.value_bits - 1) + " - 1";
  const Value magnitude =
      b.element() &
      b.constant("kMagnitude", magnitudes, unused == 0 ? formula : "(" + formula + ") << " + std::to_string(unused));
  const Value is_infinity =
      equal(magnitude,
            b.constant("kInfinity", semantics::storage_of_code(src, src.infinity_code()), "infinity as " + src.name));
  const auto where_infinity = [&](Value bits) {
    const Value found = select(is_infinity, bits, b.literal(0));
    return word(dst) < word(src) ? truncate(found, word(dst)) : found;
  };
  if (!change.replaces) {
    return b.finish(result ^ where_infinity(b.constant("kInfinityBits", change.bits,
                                                       "how the result of infinity differs from that of overflow")));
  }
  const Value ones = where_infinity(b.constant("kAllBits", low_bits(word(src)), "all ones"));
  b.work_in(word(dst));
  return b.finish(merge(ones, b.constant("kInfinityResult", change.bits, "of both signs"), result));
}

}  // namespace castforge::plan

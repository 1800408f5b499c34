#include "plan/real.hpp"

namespace castforge::plan {
namespace {

// The six standard tables get their classic bias form; any other table is looked up bit by bit.
constexpr std::uint16_t kNoBiasForm = 0xFFFF;

}  // namespace

bool moves_small_values(const spec::Rounding* mode) {
  // Entries with the first dropped bit 0 and the sticky one 1: indices 1, 5, 9, 13.
  return mode != nullptr && (mode->carry & 0x2222) != 0;
}

Value negative_mask(Builder& builder, Value sign, int sign_bit) {
  return (builder.literal(0) - (sign >> sign_bit)).named("negative", "all ones where the value is negative");
}

Value round_significand(Builder& b, const RoundingSite& site, const spec::Rounding* mode) {
  const bool variable(site.shift);
  const auto down = [&](Value v) { return variable ? shr(v, site.shift) : v >> site.drop; };
  const auto half_ulp = [&] {
    return variable ? shl(b.literal(1), site.shift - b.literal(1))
                    : b.constant("kHalfUlp", 1ull << (site.drop - 1),
                                 power_formula(site.drop - 1) + ": half an ulp of the result");
  };
  const auto below_half_ulp = [&] {
    return variable ? (half_ulp() - b.literal(1)).named("below_half", "half an ulp of the result, minus 1")
                    : b.constant("kBelowHalf", low_bits(site.drop - 1),
                                 power_formula(site.drop - 1) + " - 1: half an ulp of the result, minus 1");
  };
  const auto with_field = [&](Value kept) { return site.field ? kept + site.field : kept; };
  const auto code_for_parity = [&](Value kept) { return site.field_parity ? with_field(kept) : kept; };
  const std::uint16_t carry = mode == nullptr ? kTowardZeroTable : mode->carry;

  switch (site.full && carry != kTowardZeroTable && carry != kOddTable ? kNoBiasForm : carry) {
    case kTowardZeroTable: return with_field(down(site.sig));
    case kNearestEvenTable: {
      const Value odd = (code_for_parity(down(site.sig)) & b.literal(1)).named("odd", "last kept bit");
      return with_field(down(site.sig + below_half_ulp() + odd).named("kept", "nearest, ties to even"));
    }
    case kNearestAwayTable: {
      return with_field(down(site.sig + half_ulp().named("half_ulp", "half an ulp of the result"))
                            .named("kept", "nearest, ties away from zero"));
    }
    case kFloorTable:
    case kCeilTable: {
      Value rest = variable ? (shl(b.literal(1), site.shift) - b.literal(1)).named("rest", "all dropped bits")
                            : b.constant("kRest", low_bits(site.drop),
                                         "2^" + std::to_string(site.drop) + " - 1: all dropped bits");
      if (!site.sign) {
        if (carry == kFloorTable) return with_field(down(site.sig));
      } else {
        Value moved = negative_mask(b, site.sign, site.sign_bit);
        if (carry == kCeilTable) {
          moved = ((site.sign >> site.sign_bit) - b.literal(1))
                      .named("positive", "all ones where the value is not negative");
        }
        rest = rest & moved;
      }
      return with_field(
          down(site.sig + rest).named("kept", carry == kFloorTable ? "toward minus infinity" : "toward plus infinity"));
    }
    case kOddTable: {
      const Value kept = down(site.sig).named("kept", "truncated");
      const Value lost = site.sig - (variable ? shl(kept, site.shift) : kept << site.drop);
      return with_field(kept) | min(lost, b.literal(1)).named("inexact", "anything lost makes the code odd");
    }
    default: break;
  }
  const Value truncated = down(site.sig).named("truncated");
  const Value code = with_field(truncated);
  const Value lost =
      (site.sig - (variable ? shl(truncated, site.shift) : truncated << site.drop)).named("lost", "dropped bits");
  const Value tie = half_ulp().named("half_ulp", "the first dropped bit");
  const Value first = min(lost & tie, b.literal(1));
  const Value below = variable ? tie - b.literal(1) : below_half_ulp();
  const Value sticky = min(lost & below, b.literal(1));
  Value index = ((code_for_parity(truncated) & b.literal(1)) << 2) | (first << 1) | sticky;
  if (site.sign) index = ((site.sign >> site.sign_bit) << 3) | index;
  const Value row = index.named("row", std::string("digit of the carry table: ") + (site.sign ? "sign, " : "") +
                                           "last kept bit, first dropped bit, sticky");
  const Value table = b.constant("kCarryTable", carry, "carry table of " + mode->name);
  return code + (shr(table, row) & b.literal(1));
}

Value round_low_bits(Builder& b, Value bits, int drop, bool may_be_negative, const spec::Rounding* mode) {
  const Value rest = b.constant("kRest", low_bits(drop), power_formula(drop) + " - 1: the bits that are rounded away");
  const Value kept = b.constant("kKept", ~low_bits(drop), "the other bits");
  const auto negative = [&] {
    const Value ones = binary(Op::greater_signed_ones, b.literal(0), bits);
    return ones.named("negative", "all ones where the value is negative");
  };
  switch (mode == nullptr ? kTowardZeroTable : mode->carry) {
    case kTowardZeroTable: return bits & kept;
    case kNearestAwayTable: {
      const Value half_ulp =
          b.constant("kHalfUlp", 1ull << (drop - 1), power_formula(drop - 1) + ": half an ulp of the result");
      return (bits + half_ulp).named("away", "nearest, ties away from zero") & kept;
    }
    case kFloorTable:
      if (!may_be_negative) return bits & kept;
      return (bits + (rest & negative())).named("down", "toward minus infinity") & kept;
    case kCeilTable:
      if (!may_be_negative) return (bits + rest).named("up", "toward plus infinity") & kept;
      return (bits + (rest - (rest & negative()))).named("up", "toward plus infinity") & kept;
    case kOddTable: return (bits | ((bits & rest) + rest)).named("odd", "anything lost makes it odd") & kept;
    default: return {};
  }
}

}  // namespace castforge::plan

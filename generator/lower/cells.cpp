#include "lower/cells.hpp"

#include <numeric>

#include "ir/interpret.hpp"
#include "semantics/convert.hpp"

namespace castforge::lower {

std::optional<Cell> cell_of(const Bytes& results) {
  struct Step {
    std::uint8_t after;   // the last low byte with the former result
    std::uint8_t height;  // modulo 256
  };
  std::vector<Step> by_one, others;
  for (std::size_t low = 1; low < 256; ++low) {
    const Step step{static_cast<std::uint8_t>(low - 1), static_cast<std::uint8_t>(results[low] - results[low - 1])};
    if (step.height == 1) by_one.push_back(step);
    else if (step.height != 0) others.push_back(step);
  }
  if (by_one.size() + others.size() > 2 || others.size() > 1) return std::nullopt;
  if (by_one.empty() && others.size() == 1 && others.front().height == 2) {  // two steps of 1 in one place
    by_one = {others.front(), others.front()};
    others.clear();
  }
  // Another step than of 1 is kept as `once` and `rise`; one of 1 beside it, before or after, as `twice`.
  Cell cell;
  cell.first = results[0];
  if (!others.empty()) cell.rise = others.front().height;
  by_one.insert(by_one.begin(), others.begin(), others.end());
  if (!by_one.empty()) cell.once = by_one[0].after;
  if (by_one.size() == 2) cell.twice = by_one[1].after;
  return cell;
}

std::uint8_t Results::operator[](std::uint64_t code) const {
  std::optional<std::uint8_t>& known = known_.at(code);
  if (!known) known = static_cast<std::uint8_t>(semantics::convert_storage(meaning_, code));
  return *known;
}

bool narrows_ieee_16(const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  const spec::Type& dst = *meaning.dst;
  if (src.kind != spec::Kind::floating || dst.kind != spec::Kind::floating) return false;
  if (src.value_bits != 16 || src.storage_bits != 16 || dst.storage_bits > 8 || dst.storage_high) return false;
  return src.is_signed && dst.is_signed && src.infinity && src.nan == spec::NanCodes::ieee;
}

NanPlacing placing_of_nan(const spec::Meaning& meaning, const Results& results) {
  const std::uint64_t sign = meaning.src->sign_mask(), largest = meaning.src->infinity_code() - 1, nan = largest + 2;
  const std::uint8_t positive = results[nan], negative = results[sign | nan];
  if (positive == results[largest] && negative == results[sign | largest]) return NanPlacing::as_overflow;
  if (positive == meaning.dst->sign_mask() && negative == 0) return NanPlacing::opposite_zero;
  return NanPlacing::apart;
}

ir::Value with_nan_carry(ir::Builder& builder, ir::Value code, std::uint64_t last_number) {
  const ir::Value carry = builder.constant(
      "kNaNCarry", nan_carry(last_number),
      "2^15 - 1 less the largest magnitude without the result of NaN: only larger ones reach the sign bit");
  return (code + carry).named("carried", "a NaN flips its sign and is left too small for anything but zero");
}

ir::Value negative_number(ir::Builder& builder, ir::Value code, std::uint64_t last_number) {
  const ir::Value first_nan = builder.constant(
      "kNegativeNaN", 0x8000 + last_number + 1,
      "2^15 + 1 + the largest magnitude without the result of NaN: from here on negative codes have it");
  return ir::binary(ir::Op::greater_signed_ones, first_nan, code).named("signed_by", "negative, and no NaN");
}

bool has_upper_half(const spec::Meaning& meaning) {
  const spec::Type& src = *meaning.src;
  return src.storage_bits == 32 && src.value_bits == 32 && src.kind == spec::Kind::floating && src.mantissa_bits > 16;
}

UpperHalf::UpperHalf(const spec::Meaning& of) : source(*of.src), meaning(of) {
  source.storage_bits = source.value_bits = 16;
  source.mantissa_bits -= 16;
  source.stated_canonical_nan.reset();
  meaning.src = &source;
}

ir::Value shortened(ir::Value code) {
  if (code.bits() != 32) return code;
  return ir::unary(ir::Op::odd_high_half, code)
      .named("shortened", "rounded to odd: on the same side of every threshold as the source");
}

bool stands_for_all(const spec::Meaning& meaning, const Results& results) {
  const auto has = [&](std::uint64_t source, std::uint64_t code) {
    return static_cast<std::uint8_t>(semantics::convert_storage(meaning, source)) == results[code];
  };
  for (std::uint64_t code = 0; code < results.size(); code += 2) {
    const std::uint64_t above = code << 16 | 1, below = (code + 2) << 16;  // of the odd code: from above to below - 1
    if (!has(code << 16, code) || !has(above, code + 1) || !has(below - 1, code + 1)) return false;
  }
  return true;
}

bool gives(const ir::Program& program, const Results& results) {
  std::vector<std::uint64_t> codes(results.size());
  std::iota(codes.begin(), codes.end(), 0);
  if (!ir::interpret(program, codes).empty()) return false;
  for (std::size_t code = 0; code < codes.size(); ++code) {
    if (codes[code] != results[code]) return false;
  }
  return true;
}

}  // namespace castforge::lower

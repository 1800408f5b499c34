#include "src/loaded/checked.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "src/exact/cast.hpp"

namespace castforge {
namespace {

using loadable::Blocks;
using loadable::Form;
using loadable::kWordBits;
using loadable::Positions;

// Values are exact in float64.
constexpr int kLeastUlp = -1022 - 52, kMostExponent = 1023;
constexpr int kLargestGapBias = 1021;  // the smallest number is just above 2^-bias; half of it is a normal one
constexpr int kLargestBias = 1100;     // 1 + 1022 + 52 would do: keeps sums of what a file says far from overflow

bool complete_floating(Format& format) noexcept {
  const int sign = format.is_signed ? 1 : 0, m = format.mantissa_bits, e = format.exponent_bits;
  if (e < 1 || format.value_bits != sign + e + m || format.storage_sign_fill) return false;
  if (format.exponent_bias < -kLargestBias || format.exponent_bias > kLargestBias) return false;
  const std::uint64_t top = low_bits(e + m), infinity_of_ieee = low_bits(e) << m;
  const bool zero = exact::has_zero(format);
  if (format.is_signed && !zero) return false;
  std::uint64_t first_nan = top + 1;
  switch (format.nan) {
    case NanCodes::ieee:
      if (!format.infinity || m == 0 || e < 2) return false;
      first_nan = infinity_of_ieee + 1;
      break;
    case NanCodes::top: first_nan = top; break;
    case NanCodes::negative_zero:
      if (!format.is_signed || !zero || format.canonical_nan != exact::sign_mask(format)) return false;
      break;
    case NanCodes::none:
      if (format.canonical_nan != 0) return false;
      break;
  }
  if ((format.nan == NanCodes::ieee || format.nan == NanCodes::top) &&
      (format.canonical_nan < first_nan || format.canonical_nan > top))
    return false;
  if (exact::has_gap(format) && format.exponent_bias > kLargestGapBias) return false;
  const std::uint64_t special = (format.infinity ? 1U : 0U) + (zero ? 1U : 0U);
  // At least two finite numbers beside zero, those of both signs counted.
  if (first_nan < special + (format.is_signed ? 1U : 2U)) return false;
  format.infinity_code = format.infinity ? first_nan - 1 : 0;
  format.max_finite = first_nan - (format.infinity ? 2 : 1);
  const int least_ulp = (format.subnormals ? 1 : 0) - format.exponent_bias - m;
  const int most = static_cast<int>(format.max_finite >> m) - format.exponent_bias;
  return least_ulp >= kLeastUlp && most <= kMostExponent;
}

/// Kept bits are a bool whatever they are.
std::uint64_t largest_result(const DataKernel& kernel) noexcept {
  const bool truth = kernel.to.kind == TypeKind::boolean && kernel.rule.bits != Bits::kept;
  return truth ? 1 : low_bits(kernel.to.value_bits);
}

Positions positions_of(const Format& from) noexcept {
  return {.bits = from.value_bits, .by_magnitude = from.kind == TypeKind::integer, .has_sign = from.is_signed};
}

TableProblem wrong(FileProblem problem, std::uint64_t code = 0) { return {true, problem, code}; }

/// The first problem that `check` has with the code of a power of two of either sign, or with the code before or after.
template <class Check>
TableProblem at_powers_of_two(const Format& from, const Check& check) {
  const Positions positions = positions_of(from);
  const bool floating = from.kind == TypeKind::floating;
  const int subnormal = floating ? from.mantissa_bits : 0;
  const int count = subnormal + (floating ? 1 << from.exponent_bits : from.value_bits);
  for (const std::uint64_t sign : {std::uint64_t{0}, exact::sign_mask(from)}) {
    for (int i = 0; i < count; ++i) {
      const bool binade = floating && i >= subnormal;
      const std::uint64_t at =
          binade ? static_cast<std::uint64_t>(i - subnormal) << from.mantissa_bits : std::uint64_t{1} << i;
      for (const std::uint64_t position : {sign | at, sign | (at + 1), sign | (at - 1)}) {
        const std::uint64_t code = positions.code(position & positions.last());
        if (const TableProblem problem = check(code); problem.found) return problem;
      }
    }
  }
  return {};
}

/// Whether the rule gives that result, or none.
TableProblem compare(const DataKernel& kernel, std::uint64_t code, std::uint64_t result) {
  const exact::Code expected = exact::cast(kernel.from, kernel.to, kernel.rule, code);
  if (!expected) return wrong(FileProblem::no_result, code);
  return *expected == result ? TableProblem{} : wrong(FileProblem::wrong, code);
}

bool ascends(const StatedTable& stated, const Positions& positions) {
  const std::vector<std::uint64_t>& list = stated.positions;
  return !list.empty() && list.front() == 0 && list.back() <= positions.last() &&
         std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
}

/// A result for each code of the source.
TableProblem set_whole(DataKernel& kernel, const std::vector<std::uint64_t>& by_code) {
  const int word = storage_unit(kernel.to.storage_bits);
  const std::size_t bytes = by_code.size() * static_cast<std::size_t>(word) / 8;
  if (bytes > loadable::kLargestTable) return wrong(FileProblem::number);
  for (std::uint64_t code = 0; code < by_code.size(); ++code) {
    if (const TableProblem problem = compare(kernel, code, by_code[code]); problem.found) return problem;
  }
  kernel.entries = std::make_unique<std::byte[]>(bytes);
  for (std::size_t code = 0; code < by_code.size(); ++code)
    store_element(kernel.entries.get(), code, storage_word(kernel.to, by_code[code]), word);
  return {};
}

template <class Block>
std::unique_ptr<std::byte[]> bytes_of(const std::vector<Block>& blocks) {
  auto bytes = std::make_unique<std::byte[]>(blocks.size() * sizeof(Block));
  std::memcpy(bytes.get(), blocks.data(), blocks.size() * sizeof(Block));
  return bytes;
}

/// The blocks of a floating source in words of 32 bits as CompactBlock; empty where they do not fit.
std::vector<tables::CompactBlock> compact_blocks(const DataKernel& kernel, const Blocks& shape,
                                                 const std::vector<tables::WideBlock>& blocks) {
  using tables::CompactBlock;
  std::vector<CompactBlock> compact;
  if (storage_unit(kernel.to.storage_bits) != 8) return compact;
  const int unused = 32 - (shape.positions.bits - shape.index_bits);  // bits above the part of a code that counts
  const std::uint32_t one = std::uint32_t{1} << unused;
  compact.reserve(blocks.size());
  for (const tables::WideBlock& block : blocks) {
    std::uint32_t threshold = static_cast<std::uint32_t>(block.threshold) << unused;
    const std::uint32_t dropped = threshold & CompactBlock::kDropped;
    if (dropped != 0 && dropped != one) return {};
    threshold &= ~CompactBlock::kDropped;
    if (dropped != 0) threshold |= CompactBlock::kMore;
    compact.push_back({threshold | (block.results >> 16 & 0xFF) << 8 | (block.results & 0xFF)});
  }
  return compact;
}

TableProblem set_blocks(DataKernel& kernel, const StatedTable& stated) {
  const Positions positions = positions_of(kernel.from);
  const Blocks shape{positions, stated.index_bits};
  if (stated.index_bits < shape.least_index_bits() || stated.index_bits >= positions.bits ||
      kernel.to.storage_bits > kWordBits)
    return wrong(FileProblem::number);
  std::vector<tables::WideBlock> blocks(std::size_t{1} << stated.index_bits);
  std::size_t filled = 0;
  std::uint16_t before = 0;  // the result of all positions up to here
  constexpr std::uint32_t kBoth = 0x10001;
  const auto fill_to = [&](std::size_t end) {
    for (; filled < end; ++filled) blocks[filled] = {0, before * kBoth, 0};
  };
  for (std::size_t i = 0; i < stated.positions.size(); ++i) {
    const std::uint64_t position = stated.positions[i], result = stated.results[i];
    const std::uint64_t code = positions.code(position);
    if (const TableProblem problem = compare(kernel, code, result); problem.found) return problem;
    if (i != 0) {
      // The codes before the step, one of them from the middle of the last one's reach.
      const std::uint64_t last = stated.positions[i - 1];
      for (const std::uint64_t earlier : {position - 1, last + (position - last) / 2}) {
        if (const TableProblem problem = compare(kernel, positions.code(earlier), stated.results[i - 1]); problem.found)
          return problem;
      }
    }
    const auto word = static_cast<std::uint16_t>(storage_word(kernel.to, result));
    const Blocks::Place place = shape.place(position);
    fill_to(static_cast<std::size_t>(place.index));
    if (place.rest == 0) {
      before = word;
      continue;
    }
    if (filled > place.index) return wrong(FileProblem::order, code);  // a second step in one block
    blocks[filled++] = {place.rest, before | std::uint32_t{word} << 16, 0};
    before = word;
  }
  fill_to(blocks.size());
  if (const TableProblem problem = compare(kernel, positions.code(positions.last()), stated.results.back());
      problem.found)
    return problem;
  // A range that lies between two stated steps has powers of two.
  const TableProblem between = at_powers_of_two(kernel.from, [&](std::uint64_t code) {
    const auto after = std::upper_bound(stated.positions.begin(), stated.positions.end(), positions.of(code));
    return compare(kernel, code, stated.results[static_cast<std::size_t>(after - stated.positions.begin()) - 1]);
  });
  if (between.found) return between;
  if (kernel.from.kind == TypeKind::floating && storage_unit(kernel.from.storage_bits) == 32) {
    const auto compact = compact_blocks(kernel, shape, blocks);
    kernel.lookup.compact = !compact.empty();
    if (kernel.lookup.compact) {
      kernel.entries = bytes_of(compact);
    } else {
      std::vector<tables::NarrowBlock> narrow;
      narrow.reserve(blocks.size());
      for (const tables::WideBlock& block : blocks)
        narrow.push_back({static_cast<std::uint32_t>(block.threshold), block.results});
      kernel.entries = bytes_of(narrow);
    }
  } else {
    kernel.entries = bytes_of(blocks);
  }
  kernel.lookup.blocks = shape;
  return {};
}

/// That the rule states results.
TableProblem try_rule(const DataKernel& kernel) {
  return at_powers_of_two(kernel.from, [&](std::uint64_t code) {
    const bool states = exact::cast(kernel.from, kernel.to, kernel.exact_rule, code).has_value();
    return states ? TableProblem{} : wrong(FileProblem::no_result, code);
  });
}

}  // namespace

bool complete_format(Format& format) noexcept {
  format.max_finite = format.infinity_code = 0;
  if (format.kind == TypeKind::string) return format.storage_bits == 0 && format.value_bits == 0;
  const bool natural = is_natural_width(format.storage_bits);
  if (format.storage_bits < 1 || format.value_bits < 1 || format.value_bits > format.storage_bits) return false;
  if (!natural && format.value_bits != format.storage_bits) return false;
  if (!packing_is_possible(format.storage_bits, format.packing)) return false;
  if (natural && format.packing != Packing::low_first) return false;
  if (format.storage_high && format.storage_sign_fill) return false;
  if (format.kind == TypeKind::floating) return complete_floating(format);
  if (format.nan != NanCodes::none || format.canonical_nan != 0 || format.exponent_bits != 0 ||
      format.mantissa_bits != 0 || format.exponent_bias != 0 || format.subnormals || format.infinity)
    return false;
  if (format.kind == TypeKind::boolean) {
    format.max_finite = 1;
    return format.storage_bits == 8 && format.value_bits == 8 && !format.is_signed && !format.storage_high;
  }
  if (format.is_signed ? format.value_bits < 2 : format.storage_sign_fill) return false;
  format.max_finite = low_bits(format.value_bits - (format.is_signed ? 1 : 0));
  return true;
}

bool has_results_for_text(const Format& dst, const Rule& rule) noexcept {
  // A text says any number: rules without a mode of rounding are for sources of which every number is a result.
  if (rule.carry == carry::exact && dst.kind != TypeKind::boolean) return false;
  using exact::Value;
  const Value samples[] = {{.cls = Value::Class::nan},
                           {.cls = Value::Class::infinity},
                           {.exponent = 1025, .significand = 1},
                           {.exponent = -1080, .significand = 3},
                           {}};
  return std::ranges::all_of(samples, [&](Value value) {
    const bool positive = exact::encode(dst, rule, value).has_value();
    value.negative = true;
    return positive && exact::encode(dst, rule, value).has_value();
  });
}

TableProblem set_table(DataKernel& kernel, const StatedTable& stated) {
  const Format& from = kernel.from;
  kernel.exact_rule = kernel.rule;
  if (kernel.rule.carry == carry::exact) kernel.exact_rule.carry = carry::toward_zero;
  if (stated.form == Form::rule) return try_rule(kernel);
  for (const std::uint64_t result : stated.results) {
    if (result > largest_result(kernel)) return wrong(FileProblem::number, result);
  }
  kernel.lookup.mask = low_bits(from.value_bits);
  kernel.lookup.shift = from.storage_high ? from.storage_bits - from.value_bits : 0;
  TableProblem problem;
  if (stated.form == Form::whole) {
    problem = set_whole(kernel, stated.results);
  } else {
    const Positions positions = positions_of(from);
    if (!ascends(stated, positions)) return wrong(FileProblem::order);
    if (from.value_bits > kWordBits) {
      problem = set_blocks(kernel, stated);
    } else {
      std::vector<std::uint64_t> by_code(std::size_t{1} << from.value_bits);
      for (std::size_t i = 0; i < stated.positions.size(); ++i) {
        const std::uint64_t end = i + 1 < stated.positions.size() ? stated.positions[i + 1] : by_code.size();
        for (std::uint64_t p = stated.positions[i]; p < end; ++p) by_code[positions.code(p)] = stated.results[i];
      }
      problem = set_whole(kernel, by_code);
    }
  }
  kernel.lookup.entries = kernel.entries.get();
  return problem;
}

}  // namespace castforge

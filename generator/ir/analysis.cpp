#include "ir/analysis.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "ir/interpret.hpp"
#include "ir/layout.hpp"
#include "ir/ranges.hpp"

namespace castforge::ir {
namespace {

/// Those of the result of an operation of which nothing else is known: of a mask, of a table, of its lanes.
std::uint64_t ones_by_shape(const Program& program, const Node& node) {
  if (is_mask(node)) return 1;
  if (operation(node.op).signature.shape != Shape::lookup) return low_bits(node.bits);
  std::uint64_t ones = 0;
  const Table& table = program.tables[static_cast<std::size_t>(node.table)];
  for (const std::uint64_t entry : table.entries) ones |= entry;
  return ones << (node.bits - table.bits);  // what is narrower than the result is its top
}

std::vector<std::uint64_t> all_possible_ones(const Program& program, int last) {
  std::vector<std::uint64_t> ones(static_cast<std::size_t>(last) + 1);
  for (std::size_t id = 0; id < ones.size(); ++id) {
    const Node& node = program.nodes[id];
    const std::uint64_t all = low_bits(node.bits);
    const auto of = [&](std::size_t i) { return ones[static_cast<std::size_t>(node.args[i])]; };
    const auto value = [&](std::size_t i) -> const Node& {
      return program.nodes[static_cast<std::size_t>(node.args[i])];
    };
    const auto count = static_cast<int>(node.imm);
    std::uint64_t result = all;
    switch (node.op) {
      case Op::input: result = low_bits(program.src_bits); break;
      case Op::constant: result = node.imm; break;
      case Op::bit_and: result = of(0) & of(1); break;
      case Op::bit_or: result = of(0) | of(1); break;
      case Op::bit_xor: {
        // x ^ (x & m) has no bit of m.
        const Node& second = value(1);
        const bool clears = second.op == Op::bit_and && second.args[0] == node.args[0];
        const Node* mask = clears ? &program.nodes[static_cast<std::size_t>(second.args[1])] : nullptr;
        result = mask != nullptr && mask->op == Op::constant ? of(0) & ~mask->imm : of(0) | of(1);
        break;
      }
      case Op::add:
        result = (of(0) & of(1)) == 0   ? of(0) | of(1)
                 : of(0) <= all - of(1) ? filled(of(0) + of(1))
                                        : all;  // bounds as integers
        break;
      case Op::shl_imm: result = of(0) << count; break;
      case Op::shr_imm: result = of(0) >> count; break;
      case Op::shr: result = filled(of(0)); break;
      case Op::min: result = filled(std::min(of(0), of(1))) & (of(0) | of(1)); break;
      case Op::subtract_or_zero: result = filled(of(0)); break;
      case Op::max:
      case Op::min_signed:
      case Op::max_signed: result = of(0) | of(1); break;
      case Op::select: result = of(1) | of(2); break;
      case Op::merge: result = (of(0) & of(1)) | of(2); break;
      case Op::widen:
      case Op::narrow:
      case Op::truncate: result = of(0); break;
      case Op::byte: result = of(0) >> (8 * count); break;
      case Op::sign8: result = of(0) >> (value(0).bits - 1) << count; break;
      case Op::high_half: result = of(0) >> 16; break;
      case Op::odd_high_half: result = of(0) >> 16 | ((of(0) & 0xFFFF) != 0 ? 1 : 0); break;
      case Op::join:
        result = 0;
        for (std::size_t i = 0; i < node.args.size(); ++i) result |= of(i) << (8 * i);
        break;
      default: result = ones_by_shape(program, node); break;
    }
    ones[id] = result & all;
  }
  return ones;
}

/// May an operand of the node, read as a float, or its result be subnormal?
bool may_meet_subnormals(const Node& node, const std::vector<Range>& values, std::size_t id) {
  const auto may_be = [&](int value) { return values[static_cast<std::size_t>(value)].may_be_subnormal(); };
  return values[id].may_be_subnormal() || std::any_of(node.args.begin(), node.args.end(), may_be);
}

/// What flushing of subnormals can do to a value: nothing; make a subnormal number a zero of its sign; that, and the
/// least normal one too; make an integer of 1 one of 0; anything.
enum class Flushed { same, to_zero, least_to_zero, one_to_zero, other };

/// May a float32 be the least normal number, or less and not zero?
bool may_be_tiny(const Range& range) {
  const std::vector<Interval> all = range.intervals();
  return std::any_of(all.begin(), all.end(), [](Interval one) {
    const std::uint64_t least = one.least & kFloat32.magnitude();
    return least != 0 && least <= kFloat32.hidden();
  });
}

}  // namespace

std::uint64_t possible_ones(const Program& program, int node) { return all_possible_ones(program, node).back(); }
std::vector<std::uint64_t> possible_ones(const Program& program) {
  return all_possible_ones(program, static_cast<int>(program.nodes.size()) - 1);
}

namespace {

/// Is the upper half of a 32-bit source, or else that rounded to odd, all that the program sees of it? Each of its
/// values then comes from a source whose lower half is zero. (Of both, not each pair of values does.)
bool reads_upper_half(const Program& program) {
  if (program.src_bits != 32) return false;
  bool truncated = false, odd = false;
  for (const Node& node : program.nodes) {
    truncated |= node.op == Op::high_half;
    odd |= node.op == Op::odd_high_half;
    if (node.op == Op::high_half || node.op == Op::odd_high_half) continue;
    for (const int arg : node.args) {
      if (program.nodes[static_cast<std::size_t>(arg)].op == Op::input) return false;
    }
  }
  return !(truncated && odd);
}

}  // namespace

bool fits(const Program& program, int node, int bits) {
  const std::uint64_t above = ~low_bits(bits);
  if ((possible_ones(program, node) & above) == 0) return true;
  const bool halved = reads_upper_half(program);
  if (program.src_bits > 16 && !halved) return false;
  Program until = program;
  until.nodes.resize(static_cast<std::size_t>(node) + 1);
  std::vector<std::uint64_t> values(1ull << (halved ? 16 : program.src_bits));
  std::iota(values.begin(), values.end(), 0);
  if (halved) std::ranges::transform(values, values.begin(), [](std::uint64_t upper) { return upper << 16; });
  if (!interpret(until, values).empty()) return false;
  return std::none_of(values.begin(), values.end(), [above](std::uint64_t value) { return (value & above) != 0; });
}

bool may_be_subnormal(const Program& program, int node) {
  return ranges(program)[static_cast<std::size_t>(node)].may_be_subnormal();
}

Environment environment(const Program& program) {
  constexpr std::uint64_t kLeastNormal = kFloat32.hidden(), kMagnitude = kFloat32.magnitude();
  constexpr int kFractionBits = kFloat32.mantissa_bits;
  const std::vector<Range> values = ranges(program);
  std::vector<Flushed> flushed(program.nodes.size(), Flushed::same);
  Environment needed = Environment::none;
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    const Environment own = operation(node.op).environment;
    needed = std::max(needed, std::min(own, Environment::rounding));
    const auto arg = [&](std::size_t i) { return static_cast<std::size_t>(node.args[i]); };
    const auto value = [&](std::size_t i) -> const Node& { return program.nodes[arg(i)]; };
    const auto constant = [&](std::size_t i) { return value(i).op == Op::constant; };
    Flushed worst = Flushed::same;
    for (const int one : node.args) worst = std::max(worst, flushed[static_cast<std::size_t>(one)]);
    // A float operation may take a subnormal operand for zero, or make one zero. A processor that asks before it rounds
    // whether a result is too small for a normal one makes some zero that would be the least of these.
    const bool shortens = node.op == Op::float32_of_float64 || node.op == Op::float32_of_float64_rtz;
    const bool reads =
        own != Environment::none && (may_meet_subnormals(node, values, id) || (shortens && may_be_tiny(values[id])));
    if (worst == Flushed::same && !reads) continue;
    Flushed result = Flushed::other;
    const Flushed kept = std::max(worst, Flushed::to_zero);  // what becomes of a number that is passed on
    const std::uint64_t with_least = worst == Flushed::least_to_zero ? 1 : 0;
    const bool counts = worst == Flushed::one_to_zero;
    const bool known = node.op == Op::narrow || node.op == Op::lookup64;  // what it makes of an integer
    switch (worst == Flushed::other || (counts && !known) ? Op::constant : node.op) {
      case Op::constant: break;  // an operand may be anything
      case Op::narrow: result = counts ? Flushed::one_to_zero : Flushed::other; break;
      case Op::lookup64: {
        const std::vector<std::uint64_t>& entries = program.tables[static_cast<std::size_t>(node.table)].entries;
        if (counts && entries[0] == entries[1]) result = Flushed::same;
        break;
      }
      case Op::half_ulps_rto: result = constant(1) ? Flushed::one_to_zero : Flushed::other; break;
      case Op::bit_and: {
        // Of what tells a subnormal from zero, the fraction, nothing may be left; or all of it.
        const std::uint64_t mask = constant(1) ? value(1).imm : ~0ull;
        if (!constant(1) || node.bits != 32) break;
        if ((mask & kFloat32.fraction()) == 0)  // the least normal one is told by the last bit of the exponent
          result = with_least != 0 && (mask & kLeastNormal) != 0 ? kept : Flushed::same;
        if ((mask & kMagnitude) == kMagnitude) result = kept;
        break;
      }
      case Op::bit_xor:
      case Op::bit_or: {
        // A magnitude and a sign that flushing keeps: x ^ (x & 7FFFFFFF) is the sign, sign | magnitude the number.
        const Node& second = value(1);
        const bool clears = node.op == Op::bit_xor && second.op == Op::bit_and && second.args[0] == node.args[0] &&
                            program.nodes[static_cast<std::size_t>(second.args[1])].imm == kMagnitude;
        if (node.bits == 32 && clears) result = Flushed::same;
        else if (node.bits == 32 && (possible_ones(program, node.args[1]) & kMagnitude) == 0) result = kept;
        break;
      }
      case Op::shr_imm:
        result = node.bits == 32 && node.imm >= kFractionBits + with_least ? Flushed::same : Flushed::other;
        break;
      case Op::sign8: result = Flushed::same; break;
      case Op::min: result = node.bits == 32 && values[arg(1)].least() >= kLeastNormal ? kept : Flushed::other; break;
      case Op::min_signed:
        result = constant(1) && node.bits == 32 && value(1).imm >= kLeastNormal && value(1).imm <= kMagnitude
                     ? kept
                     : Flushed::other;
        break;
      case Op::max:
        // As unsigned integers negative numbers are larger than all others: they stay as they are.
        if (node.bits == 32 && values[arg(1)].least() >= kLeastNormal && !values[arg(1)].may_be_subnormal())
          result = possible_ones(program, node.args[0]) >> 31 == 0 ? Flushed::same : kept;
        break;
      case Op::greater:
        // Against a normal number a subnormal one and zero compare alike.
        for (const int k : {0, 1}) {
          if (node.bits == 32 && constant(k) && value(k).imm >= kLeastNormal + with_least && value(k).imm <= kMagnitude)
            result = Flushed::same;
        }
        break;
      case Op::equal:
        if (node.bits == 32 && constant(1) && (value(1).imm & kMagnitude) >= kLeastNormal + with_least)
          result = Flushed::same;
        break;
      case Op::select: result = flushed[arg(0)] == Flushed::same ? kept : Flushed::other; break;
      case Op::nan_becomes: result = kept; break;
      case Op::min_nan2: {
        // Beside a normal number; of two small ones of different signs flushing could choose the other.
        const bool normal =
            (constant(0) && value(0).imm >= kLeastNormal) || (constant(1) && value(1).imm >= kLeastNormal);
        result = normal ? kept : Flushed::other;
        break;
      }
      case Op::limit_magnitude: result = constant(1) && value(1).imm >= kLeastNormal ? kept : Flushed::other; break;
      case Op::binade: result = Flushed::same; break;
      case Op::multiply_add:
      case Op::fused_multiply_add: {
        // The product is exact and at least 2^(25 - 126): an addend of at most 2^-126 is no more than a quarter of its
        // last bit, and what is rounded to nearest is the product itself, as with zero.
        constexpr auto kLeastExponent = static_cast<std::uint64_t>(2 * kFloat32.bias + 25 - 126);  // biased twice
        const std::uint64_t a = values[arg(0)].least_magnitude(), b = values[arg(1)].least_magnitude();
        const bool large = (a >> kFractionBits) + (b >> kFractionBits) >= kLeastExponent &&
                           flushed[arg(0)] == Flushed::same && flushed[arg(1)] == Flushed::same;
        result = large ? Flushed::same : Flushed::other;
        break;
      }
      case Op::float32_of_float64:
      case Op::float32_of_float64_rtz:
        result = Flushed::least_to_zero;  // a subnormal float64 gives zero all the same
        break;
      case Op::float64_of_float32: result = Flushed::other; break;
      case Op::float16_of_float32:
      case Op::float16_of_float32_rtz:
      case Op::int32_of_float32_rtz:
      case Op::int32_of_float32_rne:
      case Op::int32_of_float32_rna:
      case Op::int32_of_float32_wrap_rtz:
      case Op::int32_of_float32_wrap_rne:
      case Op::truncate_float32_to_int32:
      case Op::truncate_float32_to_int64: result = Flushed::same; break;  // subnormal and least normal ones give zero
      default:
        // The others that depend on rounding alone meet no subnormal float32, and give the same for one of float64.
        if (own == Environment::rounding && worst == Flushed::same) result = Flushed::same;
        break;
    }
    flushed[id] = result;
  }
  return flushed.back() == Flushed::same ? needed : Environment::subnormals;
}

}  // namespace castforge::ir

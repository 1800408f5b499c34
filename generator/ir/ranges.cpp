#include "ir/ranges.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "ir/analysis.hpp"
#include "ir/layout.hpp"

namespace castforge::ir {
namespace {

std::uint64_t top_bit(int bits) { return 1ull << (bits - 1); }

/// What must hold of a node where a mask holds, or where it does not.
struct Limit {
  int node;
  Interval interval;
};

class Walk {
 public:
  explicit Walk(const Program& program) : program_(program), ones_(possible_ones(program)) {
    for (const Node& node : program.nodes) {
      Range range = of(node);
      if (!is_mask(node)) range.keep_ones(ones_[ranges_.size()]);
      ranges_.push_back(range);
    }
  }
  std::vector<Range> result() && { return std::move(ranges_); }

 private:
  const Node& at(int id) const { return program_.nodes[static_cast<std::size_t>(id)]; }
  const Range& arg(const Node& node, std::size_t i) const { return ranges_[static_cast<std::size_t>(node.args[i])]; }
  static Range all(int bits) {
    Range range(bits);
    range.add(0, low_bits(bits));
    return range;
  }
  const Node* constant(const Node& node, std::size_t i) const {
    const Node& value = at(node.args[i]);
    return value.op == Op::constant ? &value : nullptr;
  }

  /// The operation and a call of it with a lane of each number, for `use`, which says where the result goes.
  template <class Use>
  static auto one_lane(const Node& node, int bits, std::span<const std::uint64_t> args, const Use& use) {
    std::vector<const std::uint64_t*> pointers;
    for (const std::uint64_t& one : args) pointers.push_back(&one);
    Call call;
    call.args = pointers;
    call.count = 1;
    call.bits = bits;
    call.to = node.bits;
    call.imm = node.imm;
    return use(operation(node.op), call);
  }
  /// The operation itself, on numbers.
  static std::uint64_t evaluated(const Node& node, int bits, std::span<const std::uint64_t> args) {
    std::uint64_t out = 0;
    one_lane(node, bits, args, [&out](const Operation& row, Call& call) {
      call.out = &out;
      row.evaluate(call);
    });
    return out;
  }
  static bool in_domain(const Node& node, std::span<const std::uint64_t> args) {
    return one_lane(node, node.bits, args, [](const Operation& row, const Call& call) { return row.holds(call); });
  }

  /// Every pair of intervals of two ranges, as one() makes an interval of it.
  template <class One>
  static Range pairs(int bits, const Range& a, const Range& b, One one) {
    Range range(bits);
    for (const Interval& x : a.intervals()) {
      for (const Interval& y : b.intervals()) {
        const Interval made = one(x, y);
        range.add(made.least, made.most);
      }
    }
    return range;
  }
  template <class One>
  static Range each(int bits, const Range& a, One one) {
    Range range(bits);
    for (const Interval& x : a.intervals()) {
      const Interval made = one(x);
      range.add(made.least, made.most);
    }
    return range;
  }

  /// a & mask
  static Range masked(const Range& a, std::uint64_t mask) {
    const std::uint64_t top = top_bit(a.bits()), below = mask & (top - 1);
    // All bits from one place on, the top bit apart: larger magnitudes stay larger.
    const std::uint64_t cleared = top - 1 - below;
    const bool leading = (cleared & (cleared + 1)) == 0;
    return each(a.bits(), a, [&](Interval x) {
      if (leading) return Interval{x.least & mask, x.most & mask};
      const std::uint64_t sign = x.least & mask & top;
      return Interval{sign, sign | std::min(x.most & (top - 1), below)};
    });
  }

  /// a | b, a ^ b: top bits by themselves, and what is below with `least` of both
  template <class Least>
  static Range joined(const Range& a, const Range& b, bool exclusive, Least least) {
    const std::uint64_t top = top_bit(a.bits());
    return pairs(a.bits(), a, b, [&](Interval x, Interval y) {
      const std::uint64_t sign = (exclusive ? x.least ^ y.least : x.least | y.least) & top;
      const Interval u{x.least & (top - 1), x.most & (top - 1)}, v{y.least & (top - 1), y.most & (top - 1)};
      if (u.most == 0) return Interval{sign | v.least, sign | v.most};
      if (v.most == 0) return Interval{sign | u.least, sign | u.most};
      return Interval{sign | least(u.least, v.least), sign | filled(u.most | v.most)};
    });
  }

  static Range sum(const Range& a, const Range& b, bool difference) {
    const std::uint64_t most = low_bits(a.bits());
    return pairs(a.bits(), a, b, [&](Interval x, Interval y) {
      if (difference) {
        const bool below = x.most < y.least, above = x.least >= y.most;  // borrowing from the bit above, or not, in all
        return below || above ? Interval{(x.least - y.most) & most, (x.most - y.least) & most} : Interval{0, most};
      }
      const bool none = x.most <= most - y.most, always = x.least > most - y.least;
      return none || always ? Interval{(x.least + y.least) & most, (x.most + y.most) & most} : Interval{0, most};
    });
  }

  static Range chosen(const Node& node, const Range& a, const Range& b) {
    const std::uint64_t flip = node.op == Op::min_signed || node.op == Op::max_signed ? top_bit(a.bits()) : 0;
    const bool smaller = node.op == Op::min || node.op == Op::min_signed;
    const auto pick = [&](std::uint64_t x, std::uint64_t y) {
      return (smaller ? std::min(x ^ flip, y ^ flip) : std::max(x ^ flip, y ^ flip)) ^ flip;
    };
    return pairs(a.bits(), a, b, [&](Interval x, Interval y) {
      return Interval{pick(x.least, y.least), pick(x.most, y.most)};
    });
  }

  /// Conversions that never turn the order of magnitudes of one sign around, from `from` bits. NaN are any of their
  /// sign.
  Range converted(const Node& node, const Range& a, bool of_float) const {
    return each(node.bits, a, [&](Interval x) {
      std::uint64_t ends[2] = {x.least, x.most};
      const std::uint64_t last = float_of(a.bits()).infinity() | (x.least & top_bit(a.bits()));
      const bool nan = of_float && x.most > last;
      for (std::uint64_t& end : ends) {
        if (of_float) end = std::min(end, last);
        end = evaluated(node, a.bits(), {&end, 1});
      }
      Interval made{std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
      if (nan) made.most |= top_bit(node.bits) - 1;
      return made;
    });
  }

  Range product_and_sum(const Node& node) const {
    std::uint64_t least[3], most[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<Interval> intervals = arg(node, i).intervals();
      if (intervals.empty() || intervals.back().most > float_of(node.bits).infinity()) return all(node.bits);
      least[i] = intervals.front().least;
      most[i] = intervals.back().most;
    }
    Range range(node.bits);  // all positive: it grows with each
    range.add(evaluated(node, node.bits, least), evaluated(node, node.bits, most));
    return range;
  }

  /// Are both operands below 2^(width - 1), so that their order is the same with and without signs?
  bool compares_magnitudes(const Node& node) const {
    for (const int id : node.args) {
      for (const Interval& interval : ranges_[static_cast<std::size_t>(id)].intervals())
        if (interval.most > low_bits(at(id).bits - 1)) return false;
    }
    return true;
  }

  /// What follows from a mask, or from its not holding, for other values.
  void limits(int mask, bool holds, std::vector<Limit>& found) const {
    const Node& node = at(mask);
    if (node.op == Op::mask_and && holds) {
      for (const int one : node.args) limits(one, holds, found);
    }
    if (node.op == Op::equal && holds) {
      for (const std::size_t i : {0, 1}) {
        if (const Node* c = constant(node, i)) found.push_back({node.args[1 - i], {c->imm, c->imm}});
      }
    }
    if (node.op != Op::greater_unsigned && !(node.op == Op::greater && compares_magnitudes(node))) return;
    if (const Node* c = constant(node, 0)) {  // c > x
      if (!holds) found.push_back({node.args[1], {c->imm, ~0ull}});
      else if (c->imm != 0) found.push_back({node.args[1], {0, c->imm - 1}});
    }
    if (const Node* c = constant(node, 1)) {  // x > c
      if (holds) found.push_back({node.args[0], {c->imm + 1, ~0ull}});
      else found.push_back({node.args[0], {0, c->imm}});
    }
  }

  /// The range of an operand of a selection where its mask holds, or does not.
  Range limited(int value, int mask, bool holds) const {
    Range range = ranges_[static_cast<std::size_t>(value)];
    std::vector<Limit> found;
    limits(mask, holds, found);
    for (const Limit& limit : found) {
      const Node& one = at(limit.node);
      const bool magnitude = one.op == Op::bit_and && one.args[0] == value && constant(one, 1) != nullptr &&
                             constant(one, 1)->imm == low_bits(one.bits - 1);
      if (limit.node == value || magnitude) range = range.within(limit.interval, magnitude);
    }
    return range;
  }

  Range of(const Node& node) const {
    Range range(node.bits);
    const auto count = static_cast<int>(node.imm);
    switch (node.op) {
      case Op::input: range.add(0, low_bits(program_.src_bits)); return range;
      case Op::constant: range.add(node.imm, node.imm); return range;
      case Op::bit_and:
        for (const std::size_t i : {0, 1}) {
          if (const Node* c = constant(node, 1 - i)) return masked(arg(node, i), c->imm);
        }
        return pairs(node.bits, arg(node, 0), arg(node, 1), [](Interval x, Interval y) {
          return Interval{0, std::min(x.most, y.most)};
        });
      case Op::bit_xor: {
        const Node& second = at(node.args[1]);  // x ^ (x & m) is x & ~m
        if (second.op == Op::bit_and && second.args[0] == node.args[0] && constant(second, 1) != nullptr)
          return masked(arg(node, 0), ~constant(second, 1)->imm);
        return joined(arg(node, 0), arg(node, 1), true, [](std::uint64_t, std::uint64_t) { return 0ull; });
      }
      case Op::bit_or:
        return joined(arg(node, 0), arg(node, 1), false,
                      [](std::uint64_t x, std::uint64_t y) { return std::max(x, y); });
      case Op::add:
      case Op::sub: return sum(arg(node, 0), arg(node, 1), node.op == Op::sub);
      case Op::shl_imm:
        return each(node.bits, arg(node, 0), [&](Interval x) {
          const bool fits = x.most <= low_bits(node.bits) >> count;
          return fits ? Interval{x.least << count, x.most << count} : Interval{0, low_bits(node.bits)};
        });
      case Op::shr_imm:
        return each(node.bits, arg(node, 0), [&](Interval x) { return Interval{x.least >> count, x.most >> count}; });
      case Op::leading_zeros: {
        const auto zeros = [&](std::uint64_t x) { return static_cast<std::uint64_t>(node.bits - std::bit_width(x)); };
        return each(node.bits, arg(node, 0), [&](Interval x) { return Interval{zeros(x.most), zeros(x.least)}; });
      }
      case Op::high_half:
        return each(node.bits, arg(node, 0), [](Interval x) { return Interval{x.least >> 16, x.most >> 16}; });
      case Op::odd_high_half:
        return each(node.bits, arg(node, 0), [](Interval x) { return Interval{x.least >> 16, x.most >> 16 | 1}; });
      case Op::min:
      case Op::max:
      case Op::min_signed:
      case Op::max_signed: return chosen(node, arg(node, 0), arg(node, 1));
      case Op::select:
        range.add(limited(node.args[1], node.args[0], true));
        range.add(limited(node.args[2], node.args[0], false));
        return range;
      case Op::widen:
        for (const Interval& x : arg(node, 0).intervals()) range.add(x.least, x.most);
        return range;
      case Op::narrow:
      case Op::truncate:
        for (const Interval& x : arg(node, 0).intervals()) {
          const bool fits = x.most <= low_bits(node.bits);
          if (fits) range.add(x.least, x.most);
          else if (node.op == Op::truncate || x.least <= low_bits(node.bits)) range.add(0, low_bits(node.bits));
        }
        return range;
      case Op::table:
      case Op::lookup128:
      case Op::lookup256:
      case Op::lookup16_wide:
      case Op::lookup8_wide:
        for (const std::uint64_t entry : program_.tables[static_cast<std::size_t>(node.table)].entries)
          range.add(entry, entry);
        return range;
      case Op::lookup16_upper:
        for (const std::uint64_t entry : program_.tables[static_cast<std::size_t>(node.table)].entries)
          range.add(entry << 32, entry << 32);
        return range;
      case Op::float32_of:
      case Op::float64_of:
      case Op::float32_of_int:
      case Op::float32_of_int32:
      case Op::float32_of_uint32:
      case Op::float64_of_int64:
      case Op::float64_of_uint64:
      case Op::float32_of_int64:
      case Op::float32_of_uint64:
      case Op::float32_of_int32_rtz:
      case Op::float32_of_int32_rtn:
      case Op::float32_of_int32_rtp:
      case Op::float32_of_int64_rtz:
      case Op::float32_of_int64_rtn:
      case Op::float32_of_int64_rtp:
      case Op::float32_of_int64_rto:
      case Op::float32_of_uint64_rto:
      case Op::float64_of_int32: return converted(node, arg(node, 0), false);
      case Op::float32_of_float16:
      case Op::float64_of_float32:
      case Op::float32_of_float64:
      case Op::float32_of_float64_rtz: return converted(node, arg(node, 0), true);
      case Op::nan_becomes:
        for (const Interval& x : arg(node, 0).intervals()) {
          const std::uint64_t sign = x.least & top_bit(node.bits), last = sign | float_of(node.bits).infinity();
          if (x.least <= last) range.add(x.least, std::min(x.most, last));
          if (x.most <= last) continue;
          for (const Interval& nan : arg(node, 1).intervals()) range.add(sign | nan.least, sign | nan.most);
        }
        return range;
      case Op::min_nan2: {
        // The first operand is a number below the second: where that is negative, negative and of a magnitude not less.
        const std::uint64_t sign = top_bit(node.bits), last = sign | float_of(node.bits).infinity();
        const Range& limit = arg(node, 1);
        const bool negative = limit.least() > sign && limit.least() < last;
        range.add(negative ? arg(node, 0).within({limit.least(), last}, false) : arg(node, 0));
        range.add(limit);
        return range;
      }
      case Op::limit_magnitude:
        for (const Interval& most : arg(node, 1).intervals()) range.add(0, most.most);
        range.add(arg(node, 2));
        return range;
      case Op::half_ulps_rto:
        return pairs(node.bits, arg(node, 0), arg(node, 1), [&](Interval x, Interval grid) {
          const std::uint64_t fewest[] = {x.least, grid.most}, most[] = {x.most, grid.least};
          if (!in_domain(node, fewest) || !in_domain(node, most)) return Interval{0, low_bits(node.bits)};
          return Interval{evaluated(node, node.bits, fewest), evaluated(node, node.bits, most)};
        });
      case Op::binade:
        return pairs(node.bits, arg(node, 0), arg(node, 1), [&](Interval x, Interval least) {
          const std::uint64_t sign = x.least & top_bit(node.bits), exponent = float_of(node.bits).infinity();
          return Interval{sign | std::max(x.least & exponent, least.least),
                          sign | std::max(x.most & exponent, least.most)};
        });
      case Op::multiply_add:
      case Op::fused_multiply_add: return product_and_sum(node);
      default: return all(node.bits);
    }
  }

  const Program& program_;
  std::vector<std::uint64_t> ones_;
  std::vector<Range> ranges_;
};

}  // namespace

void Range::add(std::uint64_t least, std::uint64_t most) {
  const std::uint64_t top = top_bit(bits_);
  const Interval parts[4] = {{0, 0}, {1, top - 1}, {top, top}, {top + 1, low_bits(bits_)}};
  for (std::size_t i = 0; i < 4; ++i) {
    const Interval part{std::max(least, parts[i].least), std::min(most, parts[i].most)};
    if (part.least > part.most) continue;
    if (!parts_[i]) parts_[i] = part;
    parts_[i]->least = std::min(parts_[i]->least, part.least);
    parts_[i]->most = std::max(parts_[i]->most, part.most);
  }
}

void Range::add(const Range& other) {
  for (const Interval& one : other.intervals()) add(one.least, one.most);
}

void Range::keep_ones(std::uint64_t ones) {
  const std::uint64_t top = top_bit(bits_), below = ones & (top - 1), step = below & (0 - below);
  for (std::size_t i = 0; i < 4; ++i) {
    if (!parts_[i]) continue;
    const bool zero = i % 2 == 0, negative = i >= 2;
    if ((negative && (ones & top) == 0) || (!zero && below == 0)) {
      parts_[i].reset();
      continue;
    }
    if (zero) continue;
    const std::uint64_t sign = negative ? top : 0;  // multiples of the lowest bit
    const std::uint64_t least = ((parts_[i]->least - sign) + step - 1) / step * step,
                        most = std::min(parts_[i]->most - sign, below) / step * step;
    if (least > most) parts_[i].reset();
    else parts_[i] = {sign | least, sign | most};
  }
}

Range Range::within(Interval interval, bool magnitudes) const {
  Range result(bits_);
  const std::uint64_t top = top_bit(bits_);
  for (const Interval& one : intervals()) {
    const std::uint64_t sign = magnitudes ? one.least & top : 0;
    if (magnitudes && interval.least >= top) continue;
    const std::uint64_t most = magnitudes ? sign | std::min(interval.most, top - 1) : interval.most;
    const Interval part{std::max(one.least, sign | interval.least), std::min(one.most, most)};
    if (part.least <= part.most) result.add(part.least, part.most);
  }
  return result;
}

std::vector<Interval> Range::intervals() const {
  std::vector<Interval> result;
  for (const std::optional<Interval>& part : parts_) {
    if (part) result.push_back(*part);
  }
  return result;
}

std::uint64_t Range::least() const { return intervals().empty() ? 0 : intervals().front().least; }

std::uint64_t Range::least_magnitude() const {
  std::uint64_t least = low_bits(bits_ - 1);
  for (const Interval& one : intervals()) least = std::min(least, one.least & low_bits(bits_ - 1));
  return least;
}

bool Range::may_be_subnormal() const {
  if (bits_ != 32 && bits_ != 64) return false;
  const std::uint64_t normal = float_of(bits_).hidden();
  return (parts_[1] && parts_[1]->least < normal) || (parts_[3] && parts_[3]->least - top_bit(bits_) < normal);
}

std::vector<Range> ranges(const Program& program) { return Walk(program).result(); }

}  // namespace castforge::ir

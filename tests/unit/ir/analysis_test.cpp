// What is said of programs without running them, held against running them: on random programs and every code for the
// bits and the bounds of values, on every program of every shipped kernel for the floating-point environment.
#include <catch2/catch_all.hpp>

#include <optional>
#include <random>

#include "driver/catalogue.hpp"
#include "ir/analysis.hpp"
#include "ir/interpret.hpp"
#include "ir/program.hpp"
#include "ir/ranges.hpp"
#include "spec/loader.hpp"
#include "unit/ir/bits.hpp"
#include "unit/ir/flushed.hpp"
#include "unit/planned.hpp"
#include "verify/points.hpp"

using namespace castforge::ir;
using castforge::test::f32;
using castforge::test::f64;
using castforge::test::interpret_flushed;

namespace {

/// A program that grows by operations drawn at random, with the values of its nodes for every source code. A node whose
/// operands leave a domain somewhere is not used again.
class Grown {
 public:
  Grown(unsigned seed, int src_bits) : random_(seed), builder_("test.random", "here", src_bits, src_bits, 32) {
    note(builder_.element());
    for (const int bits : {8, 16, 32, 64}) {
      for (int i = 0; i < 3; ++i) note(builder_.literal(number(bits), bits));
    }
  }

  void grow(int nodes) {
    for (int tries = 0; tries < nodes * 10 && static_cast<int>(usable_.size()) < nodes; ++tries) {
      if (const auto value = draw()) note(*value);
    }
  }

  /// Of every usable node: no bit set that possible_ones() leaves out, none outside its range. A range that leaves
  /// something out in the middle, as all subnormals, counts as `narrow`.
  void check(std::size_t& operations_used, std::size_t& told, std::size_t& narrow) {
    const Program& program = builder_.program();
    const std::vector<Range> all = ranges(program);
    for (const int id : usable_) {
      const Range& range = all[static_cast<std::size_t>(id)];
      const std::vector<Interval> intervals = range.intervals();
      for (std::size_t i = 1; i < intervals.size(); ++i) narrow += intervals[i].least > intervals[i - 1].most + 1;
      for (const std::uint64_t value : values_[static_cast<std::size_t>(id)]) {
        const auto holds = [value](const Interval& one) { return one.least <= value && value <= one.most; };
        if (std::any_of(intervals.begin(), intervals.end(), holds)) continue;
        FAIL_CHECK(operation(program.nodes[static_cast<std::size_t>(id)].op).name
                   << " gives " << std::hex << value << ", outside its range from " << range.least());
        break;
      }
      const Node& node = program.nodes[static_cast<std::size_t>(id)];
      const std::uint64_t ones = possible_ones(program, id);
      ++operations_used;
      told += (ones != low_bits(node.bits) || range.least() != 0) && node.op != Op::constant;
      for (const std::uint64_t value : values_[static_cast<std::size_t>(id)]) {
        if ((value & ~ones) == 0) continue;
        FAIL_CHECK(operation(node.op).name << " gives " << std::hex << value << ": possible ones " << ones);
        break;
      }
    }
  }

  /// Where fits() says so, the values do.
  void check_fits(std::size_t& told) {
    const Program& program = builder_.program();
    for (const int id : usable_) {
      const Node& node = program.nodes[static_cast<std::size_t>(id)];
      const int bits = static_cast<int>(below(static_cast<std::uint64_t>(node.bits)) + 1);
      if (!fits(program, id, bits)) continue;
      ++told;
      for (const std::uint64_t value : values_[static_cast<std::size_t>(id)]) {
        if (value <= low_bits(bits)) continue;
        FAIL_CHECK(operation(node.op).name << " gives " << std::hex << value << ", said to fit " << bits << " bits");
        break;
      }
    }
  }

  const std::vector<int>& usable() const { return usable_; }
  Op op(int id) { return builder_.program().nodes[static_cast<std::size_t>(id)].op; }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  /// Numbers as kernels have them: masks, powers of two, floats, small ones, any.
  std::uint64_t number(int bits) {
    switch (below(5)) {
      case 0:
        return low_bits(static_cast<int>(below(static_cast<std::uint64_t>(bits)) + 1))
                   << below(static_cast<std::uint64_t>(bits)) &
               low_bits(bits);
      case 1: return 1ull << below(static_cast<std::uint64_t>(bits));
      case 2: return f32(std::ldexp(1.0f, static_cast<int>(below(40)) - 20)) & low_bits(bits);
      case 3: return below(20);
      default: return random_() & low_bits(bits);
    }
  }

  std::optional<Value> draw() {
    const auto op = static_cast<Op>(below(operations().size()));
    if (op == Op::input) return {};
    const Signature& signature = operation(op).signature;
    if (op == Op::constant) {
      const int bits = 8 << below(4);
      return builder_.literal(number(bits), bits);
    }
    const int bits = 8 << below(4);
    if ((static_cast<unsigned>(bits) & signature.widths) == 0) return {};
    int to = 8 << below(4);
    std::uint64_t imm = 0;
    int table = -1, arity = signature.arity;
    if (signature.shape == Shape::join) {
      to = 16 << below(3);
      arity = to / 8;
    }
    if (signature.shape != Shape::resize && signature.shape != Shape::join) to = 0;
    if (signature.argument == Argument::number) {
      imm = op == Op::fold    ? 16 + below(8)
            : op == Op::byte  ? below(static_cast<std::uint64_t>(bits) / 8)
            : op == Op::sign8 ? below(8)
                              : below(static_cast<std::uint64_t>(bits));
    }
    if (signature.argument == Argument::table) {
      Table entries;
      entries.name = "kTable" + std::to_string(builder_.program().tables.size());
      entries.bits = signature.entry_bits != 0 ? signature.entry_bits : signature.to;
      if (entries.bits == 0) entries.bits = 8 << below(4);
      const std::uint64_t mask = number(entries.bits);
      const int count = signature.entries != 0 ? signature.entries : 256;
      for (int i = 0; i < count; ++i) entries.entries.push_back(random_() & mask);
      table = builder_.table(entries);
    }
    std::vector<Value> args;
    for (int i = 0; i < arity; ++i) {
      const bool mask = signature.shape == Shape::logic || (signature.shape == Shape::choose && i == 0);
      const auto arg = pick(bits, mask);
      if (!arg) return {};
      args.push_back(*arg);
    }
    try {
      return builder_.node(op, args, imm, to, table);
    } catch (const std::logic_error&) {
      return {};  // to a width on the wrong side
    }
  }

  std::optional<Value> pick(int bits, bool mask) {
    std::vector<int> fitting;
    for (const int id : usable_) {
      const Node& node = builder_.program().nodes[static_cast<std::size_t>(id)];
      if (node.bits == bits && is_mask(node) == mask) fitting.push_back(id);
    }
    if (fitting.empty()) return {};
    return Value{&builder_, fitting[below(fitting.size())]};
  }

  void note(Value value) {
    const Program& program = builder_.program();
    if (static_cast<std::size_t>(value.id) < values_.size()) return;  // known
    const Node& node = program.nodes[static_cast<std::size_t>(value.id)];
    values_.resize(static_cast<std::size_t>(value.id) + 1);
    std::vector<std::uint64_t>& out = values_.back();
    out.resize(1ull << program.src_bits);
    bool holds = true;
    if (node.op == Op::input) {
      for (std::uint64_t code = 0; code < out.size(); ++code) out[code] = code;
    } else {
      const Operation& row = operation(node.op);
      std::vector<const std::uint64_t*> args;
      for (const int arg : node.args) args.push_back(values_[static_cast<std::size_t>(arg)].data());
      Call call;
      call.args = args;
      call.count = out.size();
      const std::size_t first_lane = row.signature.shape == Shape::choose ? 1 : 0;
      call.bits = node.args.empty() ? node.bits : program.nodes[static_cast<std::size_t>(node.args[first_lane])].bits;
      call.to = node.bits;
      call.imm = node.imm;
      if (node.table >= 0) call.table = &program.tables[static_cast<std::size_t>(node.table)].entries;
      call.out = out.data();
      holds = row.holds == nullptr || row.holds(call);
      if (holds) row.evaluate(call);
    }
    if (holds) usable_.push_back(value.id);
  }

  std::mt19937_64 random_;
  Builder builder_;
  std::vector<std::vector<std::uint64_t>> values_;  // by node
  std::vector<int> usable_;
};

/// What is said of the last value of a program.
std::uint64_t ones_of(Builder& b, Value value) { return possible_ones(b.program(), value.id); }
Range range_of(Builder& b, Value value) { return ranges(b.program())[static_cast<std::size_t>(value.id)]; }
std::uint64_t least_of(Builder& b, Value value) { return range_of(b, value).least(); }

}  // namespace

TEST_CASE("possible ones and ranges hold for every code of random programs") {
  std::size_t checked = 0, told = 0, narrow = 0;
  std::set<Op> seen;
  const auto check = [&](unsigned seed, int src_bits, int nodes) {
    Grown program(seed, src_bits);
    program.grow(nodes);
    INFO("seed " << seed << ", sources of " << src_bits << " bits");
    program.check(checked, told, narrow);
    for (const int id : program.usable()) seen.insert(program.op(id));
  };
  for (unsigned seed = 0; seed < 600; ++seed) check(seed, seed % 5 == 0 ? 4 : 8, 120);
  for (unsigned seed = 0; seed < 12; ++seed) check(seed, 16, 80);
  CHECK(seen.size() == operations().size());  // every operation was met, inside its domain
  CHECK(told * 4 > checked);                  // and something was said
  CHECK(narrow * 20 > checked);
}

TEST_CASE("what is said to fit does, for every code of random programs") {
  std::size_t told = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Grown program(seed + 1000, 8);
    program.grow(60);
    INFO("seed " << seed + 1000);
    program.check_fits(told);
  }
  CHECK(told > 100);
  // Where the bits that may be set do not tell, every code is tried; of wide sources nothing is said then.
  for (const int bits : {8, 16, 32}) {
    Builder b("test.integer", "here", bits, bits, bits);
    const Value x = b.input(), quarter = (x >> 2) - (x >> 3);  // below 2^(bits - 2), which the subtraction hides
    CHECK(possible_ones(b.program(), quarter.id) == low_bits(bits));
    CHECK(fits(b.program(), quarter.id, bits - 2) == (bits <= 16));
    CHECK_FALSE(fits(b.program(), quarter.id, bits - 4));
    CHECK(fits(b.program(), (x >> 2).id, bits - 2));
  }
  // Of the upper half of 32 bits alone, truncated or rounded to odd, every code is tried too; of both not, as they
  // differ in the sources whose lower half is not zero.
  Builder b("test.integer", "here", 32, 16, 32);
  const Value truncated = unary(Op::high_half, b.input());
  const Value quarter = (truncated >> 2) - (truncated >> 3);
  CHECK(fits(b.program(), quarter.id, 14));
  const Value inexact = truncated ^ unary(Op::odd_high_half, b.input());
  CHECK_FALSE(fits(b.program(), inexact.id, 0));
}

TEST_CASE("possible ones are exact where kernels rely on them") {
  Builder b("test.integer", "here", 12, 32, 32);
  const Value x = b.input();
  CHECK(ones_of(b, b.element()) == 0xFFF);
  CHECK(ones_of(b, x) == 0xFFF);
  CHECK(ones_of(b, x & b.literal(0xF0F0)) == 0x0F0);
  CHECK(ones_of(b, x | b.literal(0xF000)) == 0xFFFF);
  CHECK(ones_of(b, x ^ (x & b.literal(0x7FF))) == 0x800);  // the sign
  CHECK(ones_of(b, x << 4) == 0xFFF0);
  CHECK(ones_of(b, x >> 4) == 0xFF);
  CHECK(ones_of(b, x + b.literal(0x1000)) == 0x1FFF);  // no bit in common: no carry
  CHECK(ones_of(b, x + x) == 0x1FFF);
  CHECK(ones_of(b, x + b.literal(0xFFFFFFFF)) == 0xFFFFFFFF);  // may wrap
  CHECK(ones_of(b, min(x, b.literal(0x17))) == 0x1F);
  CHECK(ones_of(b, max(x, b.literal(0x1000))) == 0x1FFF);
  CHECK(ones_of(b, binary(Op::subtract_or_zero, truncate(x, 16), b.literal(5, 16))) == 0xFFF);
  CHECK(ones_of(b, select(equal(x, b.literal(3)), b.literal(5), b.literal(0x20))) == 0x25);
  CHECK(ones_of(b, equal(x, b.literal(3))) == 1);
  CHECK(ones_of(b, sign8(x << 20, 7)) == 0x80);
  CHECK(ones_of(b, unary(Op::high_half, x << 16)) == 0xFFF);
  CHECK(ones_of(b, unary(Op::odd_high_half, x << 17)) == 0x1FFE);
  CHECK(ones_of(b, unary(Op::odd_high_half, x << 4)) == 1);
  CHECK(ones_of(b, byte(x, 1)) == 0xF);
  CHECK(ones_of(b, join({byte(x, 1), b.literal(0, 8)}, 16)) == 0xF);
  Table table{"kTable", 8, std::vector<std::uint64_t>(256, 3), ""};
  table.entries[7] = 0x80;
  CHECK(ones_of(b, lookup(Op::lookup256, byte(x, 0), b.table(table))) == 0x83);
}

TEST_CASE("lower bounds") {
  Builder b("test.integer", "here", 32, 32, 32);
  const Value x = b.input();
  CHECK(least_of(b, x) == 0);
  CHECK(least_of(b, max(x, b.literal(7))) == 7);
  CHECK(least_of(b, min(max(x, b.literal(7)), b.literal(5))) == 5);
  CHECK(least_of(b, x | b.literal(0x80)) == 0x80);
  CHECK(least_of(b, max(x, b.literal(7)) + b.literal(1)) == 0);  // may wrap
  CHECK(least_of(b, select(equal(x, b.literal(3)), b.literal(5), b.literal(4))) == 4);
  CHECK(least_of(b, binary(Op::binade, x, b.literal(f32(1)))) == f32(1));
  Builder narrow("test.integer", "here", 8, 32, 32);
  CHECK(least_of(narrow, widen(max(narrow.element(), narrow.literal(9, 8)), 32)) == 9);
}

TEST_CASE("a count of steps is between two counts in the domain, and may be any where one of them is outside") {
  Builder b("test.float", "here", 32, 32, 32);
  const Value x = b.input(), grid = b.literal(f32(0x1.8p21f));  // of 1/8
  const auto steps = [&](Value number) { return range_of(b, b.node(Op::half_ulps_rto, {number, grid})); };
  const Range bounded = steps(min(max(x, b.literal(f32(1))), b.literal(f32(2.2f))));
  CHECK(bounded.intervals().front().least == 8);
  CHECK(bounded.intervals().back().most == 17);
  for (const std::uint64_t most : {std::uint64_t{0x7FFFFFFF}, std::uint64_t{0x7F800000}, f32(0x1p30f)}) {
    INFO(std::hex << most);
    const Range any = steps(min(max(x, b.literal(f32(1))), b.literal(most)));
    CHECK(any.least() == 0);
    CHECK(any.intervals().back().most == 0xFFFFFFFF);
  }
  CHECK(steps(x).intervals().back().most == 0xFFFFFFFF);  // negative numbers among them
}

TEST_CASE("ranges tell which floats are never subnormal") {
  const auto subnormal = [](int bits, const auto& build) {
    Builder b("test.float", "here", bits, 32, 32);
    const Value value = build(b, b.input());
    return ranges(b.program())[static_cast<std::size_t>(value.id)].may_be_subnormal();
  };
  const auto least = [](Builder& b) { return b.literal(0x00800000); };
  CHECK(subnormal(32, [](Builder&, Value x) { return x; }));
  CHECK_FALSE(subnormal(32, [&](Builder& b, Value x) { return max(x & b.literal(0x7FFFFFFF), least(b)); }));
  CHECK(subnormal(32, [&](Builder& b, Value x) { return max(x & b.literal(0x7FFFFFFF), b.literal(0x007FFFFF)); }));
  CHECK(subnormal(32, [&](Builder& b, Value x) { return max(x, least(b)); }));  // the negative ones
  CHECK_FALSE(subnormal(32, [](Builder& b, Value x) { return x & b.literal(0xFF800000); }));
  CHECK(subnormal(32, [](Builder& b, Value x) { return x & b.literal(0xFFC00000); }));
  CHECK_FALSE(subnormal(32, [](Builder& b, Value x) { return binary(Op::binade, x, b.literal(f32(1))); }));
  CHECK_FALSE(subnormal(32, [](Builder& b, Value x) { return binary(Op::min_nan2, x, b.literal(f32(-1))); }));
  CHECK(subnormal(32, [](Builder& b, Value x) { return binary(Op::min_nan2, x, b.literal(f32(1))); }));
  CHECK(subnormal(32, [](Builder& b, Value x) { return binary(Op::min_nan2, x, b.literal(0x80000001)); }));
  const auto limited = [](Builder& b, Value x, std::uint32_t most) {
    return b.node(Op::limit_magnitude, {x, b.literal(most), b.literal(f32(3))});
  };
  CHECK(subnormal(32, [&](Builder& b, Value x) { return limited(b, x, f32(2)); }));
  CHECK_FALSE(subnormal(32, [&](Builder& b, Value x) { return max(limited(b, x, f32(2)), least(b)); }));
  // 0 or from 1 on, and from 2^-24 on
  CHECK_FALSE(subnormal(32, [](Builder&, Value x) { return unary(Op::float32_of_int32, x); }));
  CHECK_FALSE(subnormal(16, [](Builder& b, Value) { return unary(Op::float32_of_float16, b.element()); }));
  CHECK_FALSE(subnormal(16, [](Builder& b, Value) {
    const Value wide = unary(Op::float32_of_float16, b.element()), mag = wide & b.literal(0x7FFFFFFF);
    return min(mag, b.literal(f32(480))) | (wide ^ mag);
  }));
  // Where something is selected, what the mask says holds.
  const auto selected = [&](std::uint64_t limit) {
    return [limit](Builder& b, Value x) {
      const Value mag = x & b.literal(0x7FFFFFFF);
      return select(mask_and(greater(b.literal(0x7F800000), mag), greater(mag, b.literal(limit))), x, b.literal(0));
    };
  };
  CHECK_FALSE(subnormal(32, selected(0x007FFFFF)));
  CHECK(subnormal(32, selected(0x007FFFFE)));
  CHECK_FALSE(subnormal(32, [&](Builder& b, Value x) {
    const Value mag = x & b.literal(0x7FFFFFFF);
    return select(greater(least(b), mag), b.literal(0), mag);
  }));
  CHECK(subnormal(64, [](Builder& b, Value) { return unary(Op::float32_of_float64, b.element()); }));
}

TEST_CASE("the environment of small programs") {
  const auto of = [](int bits, const auto& build) {
    Builder b("test.float", "here", bits, bits, bits);
    const Value result = build(b, b.element());
    b.program().dst_bits = result.bits();
    return environment(b.finish(result));
  };
  const auto one = [](Op op) { return [op](Builder&, Value x) { return unary(op, x); }; };
  CHECK(of(32, [](Builder& b, Value x) { return x + b.literal(1); }) == Environment::none);
  CHECK(of(32, one(Op::float32_of)) == Environment::none);  // exact
  CHECK(of(32, one(Op::float32_of_int32)) == Environment::rounding);
  CHECK(of(32, one(Op::int32_of_float32_rtz)) == Environment::rounding);  // a subnormal number is 0 all the same
  CHECK(of(32, one(Op::float16_of_float32)) == Environment::rounding);
  CHECK(of(16, one(Op::float32_of_float16)) == Environment::rounding);
  CHECK(of(32, one(Op::int32_of_float32_rtp)) == Environment::subnormals);  // 0 or 1
  CHECK(of(32, one(Op::float64_of_float32)) == Environment::subnormals);
  CHECK(of(64, one(Op::float32_of_float64)) == Environment::subnormals);
  // A product and a sum with a number that may be subnormal, too small to matter, and with one that is not.
  const auto sum = [](Builder& b, Value x) {
    return b.node(Op::multiply_add, {b.literal(f32(2)), b.literal(f32(1)), x});
  };
  const auto magnitude = [](Builder& b, Value x) { return min(x & b.literal(0x7FFFFFFF), b.literal(f32(1))); };
  CHECK(of(32, [&](Builder& b, Value x) { return sum(b, magnitude(b, x)); }) == Environment::rounding);
  CHECK(of(32, [&](Builder& b, Value x) { return sum(b, max(magnitude(b, x), b.literal(f32(0.5)))); }) ==
        Environment::rounding);
  CHECK(of(64, one(Op::truncate_float64_to_int64)) == Environment::rounding);
  // A float64 below the least normal float32 may be rounded to that, and come out as zero on some processors.
  const auto single = [&](const auto& build) {
    return of(64, [&](Builder& b, Value x) {
      const Value number = unary(Op::float32_of_float64, x);
      b.work_in(32);
      return build(b, number & b.literal(0x7FFFFFFF));
    });
  };
  const auto compared = [&](std::uint64_t with, bool above) {
    return single([=](Builder& b, Value mag) {
      const Value limit = b.literal(with);
      return select(above ? greater(mag, limit) : greater(limit, mag), b.literal(1), b.literal(0));
    });
  };
  for (const bool above : {false, true}) {
    CHECK(compared(0x00800000, above) == Environment::subnormals);
    CHECK(compared(0x00800001, above) == Environment::rounding);
  }
  const auto equals = [&](std::uint64_t number) {
    return single(
        [=](Builder& b, Value mag) { return select(equal(mag, b.literal(number)), b.literal(1), b.literal(0)); });
  };
  CHECK(equals(0x00800000) == Environment::subnormals);
  CHECK(equals(0x00800001) == Environment::rounding);
  CHECK(single([](Builder&, Value mag) { return mag >> 23; }) == Environment::subnormals);
  CHECK(single([](Builder&, Value mag) { return mag >> 24; }) == Environment::rounding);
  const auto exponent = [](Builder& b, Value mag) { return mag & b.literal(0x7F800000); };
  CHECK(single(exponent) == Environment::subnormals);
  CHECK(single([](Builder& b, Value mag) { return mag & b.literal(0x7F000000); }) == Environment::rounding);
  CHECK(single([&](Builder& b, Value mag) { return max(exponent(b, mag), b.literal(0x00800000)); }) ==
        Environment::rounding);
  CHECK(single([&](Builder& b, Value mag) { return max(exponent(b, mag), b.literal(1)); }) == Environment::subnormals);
  // A subnormal float32 is told from zero by neither of them.
  const auto own = [&](const auto& build) {
    return of(32, [&](Builder& b, Value x) { return build(b, binary(Op::min_nan2, x, b.literal(f32(2)))); });
  };
  CHECK(own([](Builder&, Value number) { return number >> 23; }) == Environment::rounding);
  CHECK(own([](Builder&, Value number) { return unary(Op::int32_of_float32_rne, number); }) == Environment::rounding);
  // As an integer it is told from zero.
  CHECK(own([](Builder&, Value number) { return unary(Op::float32_of_int32, number); }) == Environment::subnormals);
  CHECK(own([](Builder& b, Value number) {
          return select(greater(b.literal(0x00800000), number), b.literal(1), b.literal(0));
        }) == Environment::rounding);
  // What no flushing reaches.
  CHECK(of(16, [](Builder& b, Value x) {
          return truncate(binary(Op::min_nan2, unary(Op::float32_of_float16, x), b.literal(f32(2), 32)), 16);
        }) == Environment::rounding);
  // The smaller of a number and 2: a subnormal one may come out as zero, and does not when its fraction is dropped.
  const auto bounded = [](Builder& b, Value x) { return binary(Op::min_nan2, x, b.literal(f32(2))); };
  CHECK(of(32, bounded) == Environment::subnormals);
  CHECK(of(32, [&](Builder& b, Value x) { return bounded(b, x) & b.literal(0x7F800000); }) == Environment::rounding);
  CHECK(of(32, [&](Builder& b, Value x) { return bounded(b, x) & b.literal(0x7FFFFFFF); }) == Environment::subnormals);
  CHECK(of(32, [&](Builder& b, Value x) { return max(bounded(b, x) & b.literal(0x7F800000), b.literal(f32(1))); }) ==
        Environment::rounding);
  const auto limited = [](Builder& b, Value x, std::uint32_t most) {
    return b.node(Op::limit_magnitude, {x, b.literal(most), b.literal(f32(3))});
  };
  CHECK(of(32, [&](Builder& b, Value x) { return limited(b, x, f32(2)); }) == Environment::subnormals);
  CHECK(of(32, [&](Builder& b, Value x) { return limited(b, x, f32(2)) & b.literal(0x7F800000); }) ==
        Environment::rounding);
  CHECK(of(32, [&](Builder& b, Value x) { return limited(b, x, 1) & b.literal(0x7F800000); }) ==
        Environment::subnormals);
  // A count of 1 may become 0, which only a table can hide that has the same there.
  const auto count = [&](Builder& b, Value x) {
    return b.node(Op::half_ulps_rto, {limited(b, x, f32(2)), b.literal(f32(0x1.8p21f))});
  };
  const auto found = [&](std::uint64_t first) {
    return of(32, [&](Builder& b, Value x) {
      const Value index = b.node(Op::narrow, {count(b, x)}, 0, 8);
      Table table{"kTable", 8, std::vector<std::uint64_t>(64, 5), ""};
      table.entries[0] = first;
      return lookup(Op::lookup64, index, b.table(table));
    });
  };
  CHECK(of(32, count) == Environment::subnormals);
  CHECK(found(5) == Environment::rounding);
  CHECK(found(4) == Environment::subnormals);
  CHECK(of(32, [&](Builder& b, Value x) { return count(b, x) & b.literal(0x7F800000); }) == Environment::subnormals);
  // As unsigned integers the negative ones are the larger: they stay, and a subnormal one may come out as -0.
  CHECK(of(32, [&](Builder& b, Value x) { return max(bounded(b, x), b.literal(f32(1))); }) == Environment::subnormals);
  CHECK(of(32, [&](Builder& b, Value x) { return max(magnitude(b, x), b.literal(f32(1))); }) == Environment::none);
  CHECK(of(32, [&](Builder& b, Value x) { return max(bounded(b, x), b.literal(1)); }) == Environment::subnormals);
}

TEST_CASE("flushing as the tests do it") {
  const auto run = [](int bits, const auto& build, std::vector<std::uint64_t> codes) {
    Builder b("test.float", "here", bits, bits, bits);
    const Value result = build(b, b.element());
    b.program().dst_bits = result.bits();
    CHECK(interpret_flushed(b.finish(result), codes) == "");
    return codes;
  };
  using Codes = std::vector<std::uint64_t>;
  const auto one = [](Op op) { return [op](Builder&, Value x) { return unary(op, x); }; };
  const auto sum = [](Builder& b, Value x) {
    return b.node(Op::multiply_add, {b.literal(f32(2)), b.literal(f32(1)), x});
  };
  CHECK(run(32, sum, {f32(-2), 1}) == Codes{0, f32(2)});
  CHECK(run(32, [](Builder& b, Value x) { return binary(Op::min_nan2, b.literal(1), x); }, {f32(1)}) == Codes{0});
  CHECK(run(32, [](Builder& b, Value x) { return binary(Op::min_nan2, b.literal(f32(1)), x); }, {0x80000001}) ==
        Codes{0x80000000});
  CHECK(run(64, one(Op::float32_of_float64), {f64(0x1p-130), f64(-0x1p-126)}) == Codes{0, 0x80800000});
  CHECK(run(64, one(Op::float32_of_float64_rtz), {f64(0x1p-130), f64(-0x1p-126), f64(0x1.fffffffp-127), 1}) ==
        Codes{0, 0x80800000, 0, 0});
  CHECK(run(64, one(Op::float32_of_float64), {f64(0x1.fffffffp-127), f64(-0x1.fffffffp-127)}) ==
        Codes{0, 0x80000000});  // rounded to 2^-126, below which they are
  CHECK(run(32, one(Op::float64_of_float32), {1, 0x00800000}) == Codes{0, f64(0x1p-126)});
  CHECK(run(32, one(Op::float16_of_float32), {0x38000000, 0x33800000}) == Codes{0x0200, 0x0001});  // made all the same
  CHECK(run(16, one(Op::float32_of_float16), {0x0001}) == Codes{f32(0x1p-24f)});                   // and read
  CHECK(run(32, [](Builder& b, Value x) { return x + b.literal(1); }, {1}) == Codes{2});           // no float operation
  CHECK(run(32, one(Op::int32_of_float32_rtz), {f32(5)}) == Codes{5});  // integers are no floats
  // Every operation with an environment reads floats or makes them.
  for (std::size_t i = 0; i < operations().size(); ++i) {
    const auto op = static_cast<Op>(i);
    INFO(operation(op).name);
    if (operation(op).environment == Environment::none)
      CHECK_FALSE((castforge::test::reads_floats(op) || castforge::test::makes_floats(op)));
    else CHECK((castforge::test::reads_floats(op) || castforge::test::makes_floats(op)));
  }
}

/// Of the points of wide sources every 16th; of narrow ones all.
std::vector<std::uint64_t> some_points(const castforge::spec::Meaning& meaning) {
  const std::vector<std::uint64_t> all = castforge::verify::source_points(meaning);
  if (castforge::verify::points_are_exhaustive(meaning)) return all;
  std::vector<std::uint64_t> some;
  for (std::size_t i = 0; i < all.size(); i += 16) some.push_back(all[i]);
  if (meaning.src->is_ieee(11, 52)) {  // beside the least normal float32
    for (const double number : {0x1p-126, 0x1.fffffffp-127, 0x1p-127})
      for (const double signed_number : {number, -number}) some.push_back(f64(signed_number));
  }
  return some;
}

TEST_CASE(
    "a program that says it need not know what becomes of subnormal numbers gives the same results when they are "
    "flushed") {
  const castforge::spec::SpecModel model =
      castforge::spec::load({std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"});
  const castforge::driver::Catalogue catalogue = castforge::test::planned(model);
  std::size_t rounding = 0, subnormals = 0, would_differ = 0;
  for (const castforge::driver::Kernel& kernel : catalogue.kernels) {
    std::vector<std::uint64_t> sources;
    for (const Program& program : kernel.programs) {
      INFO(kernel.name << ", " << program.id);
      const Environment needed = environment(program);
      bool floats = false;
      for (const Node& node : program.nodes) floats = floats || operation(node.op).environment != Environment::none;
      CHECK((needed != Environment::none) == floats);
      if (!floats) continue;
      if (sources.empty()) sources = some_points(kernel.meaning);
      std::vector<std::uint64_t> results = sources, under_flushing = sources;
      REQUIRE(interpret(program, results) == "");
      const std::string problem = interpret_flushed(program, under_flushing);
      if (needed != Environment::subnormals) {
        ++rounding;
        CHECK(problem == "");
        CHECK(results == under_flushing);
      } else {
        ++subnormals;
        would_differ += !problem.empty() || results != under_flushing;
      }
    }
  }
  INFO(rounding << " programs need the rounding mode only, " << subnormals << " more; " << would_differ
                << " of these change");
  CHECK(rounding > 250);
  CHECK(would_differ > 10);  // flushing does something
}

namespace {

/// How many of its operands, from the first, an operation multiplies, or adds in the same instruction.
std::size_t multiplied(Op op) {
  switch (op) {
    case Op::multiply_add: return 2;
    case Op::fused_multiply_add: return 3;
    case Op::int32_of_float32_wrap_rtz:
    case Op::int32_of_float32_wrap_rne:
    case Op::int32_of_float64_wrap_rtz:
    case Op::int32_of_float64_wrap_rne: return 1;
    default: return 0;
  }
}

/// The first value that is multiplied and may be subnormal, for some source. Some processors take 150 cycles and more
/// for one, so that the speed of the program would depend on the numbers. None: it does not, as sums, minima,
/// comparisons and conversions are as fast with subnormals as with other numbers.
std::optional<int> multiplied_subnormal(const Program& program) {
  const std::vector<Range> values = ranges(program);
  for (const Node& node : program.nodes) {
    for (std::size_t i = 0; i < multiplied(node.op); ++i) {
      if (values[static_cast<std::size_t>(node.args[i])].may_be_subnormal()) return node.args[i];
    }
  }
  return {};
}

}  // namespace

TEST_CASE("what is multiplied and may be subnormal") {
  const auto found = [](const auto& build) -> std::string {
    Builder b("test.float", "here", 32, 32, 32);
    build(b, b.input());
    const std::optional<int> node = multiplied_subnormal(b.program());
    return node ? b.program().nodes[static_cast<std::size_t>(*node)].name : "nothing";
  };
  const auto binade = [](Builder& b, Value x, std::uint64_t least) {
    return max(x & b.literal(0x7F800000), b.literal(least)).named("binade");
  };
  const auto one = [](Builder& b) { return b.literal(f32(1)); };
  CHECK(found([&](Builder& b, Value x) {
          b.node(Op::multiply_add, {one(b), one(b), x});
        }) == "nothing");  // it is added
  CHECK(found([&](Builder& b, Value x) { b.node(Op::multiply_add, {x, one(b), one(b)}); }) == "bits");
  CHECK(found([&](Builder& b, Value x) { b.node(Op::multiply_add, {one(b), x, one(b)}); }) == "bits");
  CHECK(found([&](Builder& b, Value x) {
          b.node(Op::multiply_add, {binade(b, x, 0x00800000), one(b), x});
        }) == "nothing");
  CHECK(found([&](Builder& b, Value x) {
          b.node(Op::multiply_add, {binade(b, x, 0x00400000), one(b), x});
        }) == "binade");
  CHECK(found([](Builder&, Value x) { unary(Op::int32_of_float32_wrap_rtz, x); }) == "bits");
  CHECK(found([](Builder&, Value x) { unary(Op::int32_of_float32_rtz, x); }) == "nothing");
}

TEST_CASE("no plan multiplies what may be subnormal: no speed depends on it") {
  const castforge::spec::SpecModel model =
      castforge::spec::load({std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"});
  const castforge::driver::Catalogue catalogue = castforge::test::planned(model);
  for (const castforge::driver::Kernel& kernel : catalogue.kernels) {
    for (const Program& program : kernel.programs) {
      const std::optional<int> slow = multiplied_subnormal(program);
      if (slow)
        FAIL_CHECK(kernel.name << ", " << program.id << ": '" << program.nodes[static_cast<std::size_t>(*slow)].name
                               << "' may be subnormal, and is multiplied");
    }
  }
}

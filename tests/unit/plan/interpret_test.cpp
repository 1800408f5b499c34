// Every operation of a plan on values that tell it apart from its neighbours, and the domains it refuses.
#include <catch2/catch_all.hpp>

#include <bit>
#include <cmath>
#include <functional>

#include "plan/interpret.hpp"
#include "plan/ir.hpp"

using namespace castforge::plan;

namespace {

/// The result of a plan with one input.
struct Outcome {
  std::vector<std::uint64_t> lanes;
  std::string problem;
};
Outcome run(int lane_bits, const std::function<Value(Builder&, Value)>& build, std::vector<std::uint64_t> lanes) {
  Builder b("test.integer", "here", lane_bits);
  LanePlan plan = b.finish(build(b, b.input()));
  const std::string problem = interpret(plan, lanes);
  return {lanes, problem};
}

using Lanes = std::vector<std::uint64_t>;

std::uint64_t f32(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t f64(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace

TEST_CASE("logic and arithmetic, modulo the lane") {
  CHECK(run(8, [](Builder& b, Value x) { return x & b.literal(0x0F); }, {0xAB}).lanes == Lanes{0x0B});
  CHECK(run(8, [](Builder& b, Value x) { return x | b.literal(0x0F); }, {0xA0}).lanes == Lanes{0xAF});
  CHECK(run(8, [](Builder& b, Value x) { return x ^ b.literal(0xFF); }, {0xA5}).lanes == Lanes{0x5A});
  CHECK(run(8, [](Builder& b, Value x) { return x + b.literal(2); }, {0xFF, 1}).lanes == Lanes{1, 3});
  CHECK(run(16, [](Builder& b, Value x) { return x - b.literal(2); }, {1}).lanes == Lanes{0xFFFF});
  CHECK(run(64, [](Builder& b, Value x) { return b.literal(0) - x; }, {1}).lanes == Lanes{~0ull});
  CHECK(run(32, [](Builder& b, Value) { return b.constant("kC", 0xDEADBEEF, "c"); }, {1, 2}).lanes == Lanes{0xDEADBEEF, 0xDEADBEEF});
}

TEST_CASE("shifts") {
  CHECK(run(8, [](Builder&, Value x) { return x << 3; }, {0xFF}).lanes == Lanes{0xF8});
  CHECK(run(8, [](Builder&, Value x) { return x >> 3; }, {0xFF}).lanes == Lanes{0x1F});
  CHECK(run(8, [](Builder&, Value x) { return sar(x, 3); }, {0x80, 0x40}).lanes == Lanes{0xF0, 0x08});
  CHECK(run(64, [](Builder&, Value x) { return sar(x, 63); }, {1ull << 63, 1}).lanes == Lanes{~0ull, 0});
  // By a lane: nothing is left when the count reaches the width, as the vector shifts do.
  for (const int bits : {16, 32, 64}) {
    const std::uint64_t all = bits == 64 ? ~0ull : (1ull << bits) - 1;
    const auto count = static_cast<std::uint64_t>(bits);
    CHECK(run(bits, [&](Builder& b, Value x) { return shl(b.literal(all), x); }, {0, 1, count - 1, count, all}).lanes ==
          Lanes{all, all - 1, 1ull << (bits - 1), 0, 0});
    CHECK(run(bits, [&](Builder& b, Value x) { return shr(b.literal(all), x); }, {0, 1, count - 1, count, all}).lanes == Lanes{all, all >> 1, 1, 0, 0});
  }
}

TEST_CASE("minimum and maximum, with and without sign") {
  CHECK(run(8, [](Builder& b, Value x) { return min(x, b.literal(0x7F)); }, {0x80, 5}).lanes == Lanes{0x7F, 5});
  CHECK(run(8, [](Builder& b, Value x) { return max(x, b.literal(0x7F)); }, {0x80, 5}).lanes == Lanes{0x80, 0x7F});
  CHECK(run(8, [](Builder& b, Value x) { return min_signed(x, b.literal(0x05)); }, {0x80, 6}).lanes == Lanes{0x80, 5});
  CHECK(run(8, [](Builder& b, Value x) { return max_signed(x, b.literal(0x05)); }, {0x80, 6}).lanes == Lanes{5, 6});
  CHECK(run(64, [](Builder& b, Value x) { return max_signed(x, b.literal(0)); }, {~0ull, 1}).lanes == Lanes{0, 1});
}

TEST_CASE("comparisons, masks and selection") {
  CHECK(run(32, [](Builder& b, Value x) { return select(equal(x, b.literal(3)), b.literal(10), b.literal(20)); }, {3, 4}).lanes == Lanes{10, 20});
  CHECK(run(32, [](Builder& b, Value x) { return select(greater(x, b.literal(3)), b.literal(10), b.literal(20)); }, {3, 4}).lanes == Lanes{20, 10});
  const auto both = [](Builder& b, Value x) {
    return select(mask_and(greater(x, b.literal(3)), equal(x & b.literal(1), b.literal(1))), b.literal(1), b.literal(0));
  };
  CHECK(run(32, both, {1, 3, 4, 5}).lanes == Lanes{0, 0, 0, 1});
  const auto either = [](Builder& b, Value x) {
    return select(mask_or(greater(x, b.literal(3)), equal(x, b.literal(1))), b.literal(1), b.literal(0));
  };
  CHECK(run(32, either, {1, 3, 4}).lanes == Lanes{1, 0, 1});
}

TEST_CASE("floating-point operations on bit patterns") {
  CHECK(run(32, [](Builder&, Value x) { return float_of_uint(x); }, {0, 1, 1 << 24}).lanes == Lanes{0, f32(1), f32(0x1p24f)});
  CHECK(run(64, [](Builder&, Value x) { return float_of_uint(x); }, {0, 3, 1ull << 53}).lanes == Lanes{0, f64(3), f64(0x1p53)});
  const auto scaled = [](Builder& b, Value x) { return multiply_add(x, b.literal(f32(0x1.8p-3f)), b.literal(f32(0x1p23f))); };
  CHECK(run(32, scaled, {f32(2), f32(4), f32(8)}).lanes == Lanes{f32(0x1p23f), f32(0x1p23f + 1), f32(0x1p23f + 2)});  // 1.5 is a tie
  const auto to_float = [](Builder& b, Value x) { return b.node(Op::half_to_float, x); };
  CHECK(run(32, to_float, {0x3C00, 0x0001, 0x8000, 0x7C00, 0xFC00, 0x7C01, 0x03FF, 0x7BFF}).lanes ==
        Lanes{f32(1), f32(0x1p-24f), 0x80000000, 0x7F800000, 0xFF800000, 0x7FC02000, f32(1023 * 0x1p-24f), f32(65504)});
  const auto to_half = [](Builder& b, Value x) { return b.node(Op::float_to_half, x); };
  CHECK(run(32, to_half, {f32(1), f32(0x1p-25f), f32(0x1.8p-25f), f32(65519.996f), f32(65520), 0x80000000, 0xFF800000, f32(1 + 0x1p-11f), f32(1 + 0x1.8p-10f)}).lanes ==
        Lanes{0x3C00, 0, 1, 0x7BFF, 0x7C00, 0x8000, 0xFC00, 0x3C00, 0x3C02});
  CHECK(run(32, to_half, {0x7F800001, 0xFFC02000}).lanes == Lanes{0x7E00, 0xFE01});
  // Every float16 goes there and back; NaNs become quiet.
  std::vector<std::uint64_t> halves(65536);
  for (std::uint64_t i = 0; i < halves.size(); ++i) halves[i] = i;
  const Outcome round_trip = run(32, [](Builder& b, Value x) { return b.node(Op::float_to_half, b.node(Op::half_to_float, x)); }, halves);
  REQUIRE(round_trip.problem.empty());
  for (std::uint64_t i = 0; i < halves.size(); ++i) {
    const bool nan = (i & 0x7FFF) > 0x7C00;
    if (round_trip.lanes[i] != (nan ? i | 0x200 : i)) FAIL_CHECK(std::hex << i << " -> " << round_trip.lanes[i]);
  }
}

TEST_CASE("float64 to float32, toward zero") {
  const auto cut = [](Builder&, Value x) { return cut_double_to_float(x); };
  const Lanes numbers{f64(1), f64(1 + 0x1.fp-24), f64(-1 - 0x1.8p-23), f64(1e300), f64(-1e300), f64(0x1p-130), f64(-0x1p-200), f64(0x1.ffp-149)};
  CHECK(run(64, cut, numbers).lanes == Lanes{f32(1), f32(1), f32(-1) + 1, 0x7F7FFFFF, 0xFF7FFFFF, f32(0x1p-130f), 0x80000000, 1});
  CHECK(run(64, cut, {0x7FF0000000000000, 0x7FF0000000000001, 0xFFF8000020000000}).lanes == Lanes{0x7F800000, 0x7FC00000, 0xFFC00001});
}

TEST_CASE("float32 to integers, every mode") {
  const auto by = [](std::uint16_t carry) { return [carry](Builder&, Value x) { return int_of_float(x, carry); }; };
  const auto of = [](std::int64_t v) { return static_cast<std::uint64_t>(v) & 0xFFFFFFFF; };
  const Lanes numbers{f32(0.5f), f32(-0.5f), f32(1.5f), f32(-2.25f), f32(0.49999997f), 0x80000001, f32(3), f32(-0x1p31f), f32(0x1p23f + 1)};
  const auto results = [&](std::initializer_list<std::int64_t> first) {
    Lanes lanes;
    for (const std::int64_t v : first) lanes.push_back(of(v));
    for (const std::int64_t v : {std::int64_t{3}, -(std::int64_t{1} << 31), (std::int64_t{1} << 23) + 1}) lanes.push_back(of(v));
    return lanes;
  };
  CHECK(run(32, by(kNearestEvenTable), numbers).lanes == results({0, 0, 2, -2, 0, 0}));
  CHECK(run(32, by(kNearestAwayTable), numbers).lanes == results({1, -1, 2, -2, 0, 0}));
  CHECK(run(32, by(kTowardZeroTable), numbers).lanes == results({0, 0, 1, -2, 0, 0}));
  CHECK(run(32, by(kFloorTable), numbers).lanes == results({0, -1, 1, -3, 0, -1}));
  CHECK(run(32, by(kCeilTable), numbers).lanes == results({1, 0, 2, -2, 1, 0}));
  CHECK(run(32, by(kOddTable), numbers).lanes == results({1, -1, 1, -3, 1, -1}));
  Builder b("test.integer", "here", 32);
  CHECK(int_of_float(b.input(), 0x1234).id < 0);
  CHECK_FALSE(run(32, by(kFloorTable), {f32(0x1p31f)}).problem.empty());
}

TEST_CASE("the binade of a number, with its sign") {
  const auto from_one = [](Builder& b, Value x) { return binade(x, b.literal(f32(1))); };
  CHECK(run(32, from_one, {f32(3), f32(-7.5f), f32(0.75f), f32(-0.0f), 0x80000001, 0xFF800000}).lanes ==
        Lanes{f32(2), f32(-4), f32(1), f32(-1), f32(-1), 0xFF800000});
  CHECK_FALSE(run(32, from_one, {0x7FC00000}).problem.empty());
  CHECK_FALSE(run(32, [](Builder& b, Value x) { return binade(x, b.literal(f32(1.5f))); }, {f32(3)}).problem.empty());
}

TEST_CASE("what a store makes of a lane") {
  const auto by = [](Store store) {
    return [store](Builder& b, Value x) {
      b.plan().store = store;
      return x;
    };
  };
  CHECK(run(32, by(Store::upper_half), {0x12345678}).lanes == Lanes{0x1234});
  CHECK(run(32, by(Store::upper_nearest), {0x12348000, 0x12348001, 0x12358000, 0xFFFF8000}).lanes == Lanes{0x1234, 0x1235, 0x1236, 0});
  CHECK(run(32, by(Store::float16), {f32(1 + 0x1p-11f)}).lanes == Lanes{0x3C00});
  CHECK(run(32, by(Store::float64), {f32(-0.1f), 1}).lanes == Lanes{f64(-0.1f), f64(0x1p-149)});
  CHECK(run(32, by(Store::int64), {0x80000000, 5}).lanes == Lanes{0xFFFFFFFF80000000, 5});
  CHECK(run(32, by(Store::float32_cut), {f32(-2.5f), f32(0x1p63f), 0x7FC00000}).lanes == Lanes{~0ull - 1, 1ull << 63, 0});
  CHECK(run(32, by(Store::float64_of_int), {0x80000000, 0x7FFFFFFF, 0}).lanes == Lanes{f64(-0x1p31), f64(0x1p31 - 1), 0});
}

TEST_CASE("integers of a whole lane to the nearest float") {
  const auto nearest = [](bool is_signed) { return [is_signed](Builder&, Value x) { return nearest_float(x, is_signed); }; };
  CHECK(run(32, nearest(true), {0, 0xFFFFFFFF, (1 << 24) + 1, (1 << 24) + 3, 0x80000000}).lanes ==
        Lanes{0, f32(-1), f32(0x1p24f), f32(0x1p24f + 4), f32(-0x1p31f)});
  CHECK(run(32, nearest(false), {0xFFFFFFFF, 0x80000080, 0x80000180}).lanes == Lanes{f32(0x1p32f), f32(0x1p31f), f32(0x1p31f + 0x200)});
  CHECK(run(64, nearest(true), {(1ull << 53) + 1, ~0ull}).lanes == Lanes{f64(0x1p53), f64(-1)});
  CHECK(run(64, nearest(false), {~0ull}).lanes == Lanes{f64(0x1p64)});
  const auto single = [](bool is_signed) { return [is_signed](Builder&, Value x) { return nearest_single(x, is_signed); }; };
  // 2^60 + 2^36 + 1: halfway to float32 once rounded to float64, above it in truth.
  const std::uint64_t misleading = (1ull << 60) + (1ull << 36) + 1;
  CHECK(run(64, single(true), {misleading, 0 - misleading}).lanes == Lanes{f32(0x1p60f + 0x1p37f), f32(-0x1p60f - 0x1p37f)});
  CHECK(run(64, single(false), {misleading, ~0ull}).lanes == Lanes{f32(0x1p60f + 0x1p37f), f32(0x1p64f)});
}

TEST_CASE("bits merged by a mask, and small integers as floats") {
  CHECK(run(16, [](Builder& b, Value x) { return merge(b.literal(0xFF00), x, b.literal(0x1234)); }, {0xABCD}).lanes == Lanes{0xAB34});
  CHECK(run(32, [](Builder&, Value x) { return float_of_int(x); }, {0, 5, 0xFFFFFFFF, 1 << 24}).lanes == Lanes{0, f32(5), f32(-1), f32(0x1p24f)});
  const auto limit = [](Builder& b, Value x) { return min_or_second(x, b.literal(f32(2))); };
  CHECK(run(32, limit, {f32(1), f32(3), f32(-5), 0x7FC00000, 0x7F800000}).lanes == Lanes{f32(1), f32(2), f32(-5), f32(2), f32(2)});
  const auto truncated = [](Builder&, Value x) { return int_of_float(x, kTowardZeroTable); };
  CHECK(run(32, truncated, {f32(2.75f), f32(-2.75f), f32(-0.5f), f32(0x1.fffffep30f)}).lanes == Lanes{2, 0xFFFFFFFE, 0, 0x7FFFFF80});
  CHECK(run(32, truncated, {f32(0x1p31f), f32(-0x1p31f), f32(-0x1p100f), 0x7F800000, 0x7FC00000}).lanes == Lanes(5, 0x80000000));
  const auto nearest = [](Builder&, Value x) { return int_of_float(x, kNearestEvenTable); };
  CHECK(run(32, nearest, {f32(2.5f), f32(3.5f), f32(-2.5f), f32(-0.75f), 0xFF800000}).lanes == Lanes{2, 4, 0xFFFFFFFE, 0xFFFFFFFF, 0x80000000});
  CHECK(run(64, nearest, {f64(-2.5), f64(0x1p62 + 0x1p10), f64(0x1p63), 0x7FF8000000000000}).lanes == Lanes{~0ull - 1, (1ull << 62) + 1024, 1ull << 63, 1ull << 63});
  CHECK(run(64, truncated, {f64(-2.75), f64(-0x1p63), f64(-0x1p100)}).lanes == Lanes{~0ull - 1, 1ull << 63, 1ull << 63});
}

TEST_CASE("an operation outside its domain is a problem, not a result") {
  using Catch::Matchers::ContainsSubstring;
  const auto compare = [](Builder& b, Value x) { return select(greater(x, b.literal(1)), x, x).named("code"); };
  CHECK_THAT(run(32, compare, {1, 0x80000000}).problem, ContainsSubstring("top bit"));
  CHECK(run(32, compare, {1, 0x7FFFFFFF}).problem.empty());
  CHECK_THAT(run(8, compare, {0x80}).problem, ContainsSubstring("test.integer"));
  const auto count = [](Builder&, Value x) { return float_of_uint(x); };
  CHECK_THAT(run(32, count, {(1 << 24) + 1}).problem, ContainsSubstring("2^24"));
  CHECK_THAT(run(64, count, {(1ull << 53) + 1}).problem, ContainsSubstring("2^53"));
  const auto scaled = [](Builder& b, Value x) { return multiply_add(x, b.literal(f32(1 + 0x1p-23f)), b.literal(0)); };
  CHECK_THAT(run(32, scaled, {0x7FC00000}).problem, ContainsSubstring("NaN"));
  CHECK(run(32, scaled, {f32(0x1p100f)}).problem.empty());
  CHECK(run(32, scaled, {f32(-2)}).lanes == Lanes{f32(-2) + 1});
  for (const std::uint64_t other : {f32(3), f32(-3), std::uint64_t{0}, std::uint64_t{0x7F800000}, std::uint64_t{0x00400000}}) {
    CHECK_THAT(run(32, scaled, {other}).problem, ContainsSubstring("power of two"));
  }
  const auto small = [](Builder&, Value x) { return float_of_int(x); };
  CHECK_FALSE(run(32, small, {(1 << 24) + 1}).problem.empty());
  CHECK_FALSE(run(32, small, {0x80000000}).problem.empty());
  const auto down = [](Builder&, Value x) { return int_of_float(x, kFloorTable); };
  CHECK_FALSE(run(32, down, {f32(0x1p31f)}).problem.empty());
  CHECK_FALSE(run(32, down, {0x7FC00000}).problem.empty());
}

TEST_CASE("a problem is found in every block of lanes") {
  std::vector<std::uint64_t> lanes(5000, 1);
  lanes[4321] = 0x80000000;
  const Outcome outcome = run(32, [](Builder& b, Value x) { return select(greater(x, b.literal(1)), b.literal(7), b.literal(9)); }, lanes);
  CHECK_FALSE(outcome.problem.empty());
  lanes[4321] = 2;
  const Outcome fine = run(32, [](Builder& b, Value x) { return select(greater(x, b.literal(1)), b.literal(7), b.literal(9)); }, lanes);
  CHECK(fine.problem.empty());
  CHECK(fine.lanes[4321] == 7);
  CHECK(fine.lanes[4320] == 9);
}

TEST_CASE("elements narrower than the lane are extended as the plan says") {
  LanePlan plan;
  plan.lane_bits = 32;
  CHECK(extend(plan, 0x80, 8) == 0x80);
  plan.sign_extend = true;
  CHECK(extend(plan, 0x80, 8) == 0xFFFFFF80);
  CHECK(extend(plan, 0x7F, 8) == 0x7F);
  plan.lane_bits = 64;
  CHECK(extend(plan, 0xF, 4) == ~0ull);
}

TEST_CASE("a NaN becomes another, with its sign") {
  const auto canonical = [](Builder& b, Value x) { return nan_becomes(x, b.literal(0x7FC00000)); };
  CHECK(run(32, canonical, {0x7F800000, 0x7F800001, 0xFFFFFFFF, 0xFF800000, 0}).lanes == Lanes{0x7F800000, 0x7FC00000, 0xFFC00000, 0xFF800000, 0});
  const auto wide = [](Builder& b, Value x) { return nan_becomes(x, b.literal(0x7FF8000000000000)); };
  CHECK(run(64, wide, {0x7FF0000000000000, 0xFFF0000000000001}).lanes == Lanes{0x7FF0000000000000, 0xFFF8000000000000});
}

TEST_CASE("subnormals flushed") {
  const auto flushed = [](int lane_bits, const std::function<Value(Builder&, Value)>& build, Lanes lanes) {
    Builder b("test.integer", "here", lane_bits);
    const LanePlan plan = b.finish(build(b, b.input()));
    const std::string problem = interpret(plan, lanes, Subnormals::flushed);
    return Outcome{lanes, problem};
  };
  const auto doubled = [](Builder& b, Value x) { return multiply_add(b.literal(0x40000000), b.literal(0x3F800000), x); };  // 2 * 1 + x
  CHECK(flushed(32, doubled, {f32(-2.0f)}).lanes == Lanes{f32(0.0f)});
  CHECK(flushed(32, [](Builder& b, Value x) { return min_or_second(b.literal(1), x); }, {f32(1.0f)}).lanes == Lanes{0});
  CHECK(flushed(32, [](Builder& b, Value x) { return min_or_second(b.literal(0x3F800000), x); }, {0x80000001}).lanes == Lanes{0x80000000});
  CHECK(flushed(64, [](Builder&, Value x) { return double_to_float(x); }, {f64(0x1p-130), f64(-0x1p-126)}).lanes == Lanes{0, 0x80800000});
  const auto stored_wide = [](Builder& b, Value x) {
    b.plan().store = Store::float64;
    return x;
  };
  CHECK(flushed(32, stored_wide, {1, 0x00800000}).lanes == Lanes{0, f64(0x1p-126)});
  CHECK(flushed(32, [](Builder&, Value x) { return float_to_half(x); }, {0x38000000, 0x33800000}).lanes == Lanes{0x0200, 0x0001});  // made all the same
  CHECK(flushed(32, [](Builder&, Value x) { return half_to_float(x); }, {0x0001}).lanes == Lanes{f32(0x1p-24f)});                // and read
  CHECK(flushed(64, [](Builder&, Value x) { return cut_double_to_float(x); }, {f64(0x1p-130), f64(-0x1p-126), f64(0x1.fffffffp-127), 1}).lanes ==
        Lanes{0, 0x80800000, 0, 0});
}

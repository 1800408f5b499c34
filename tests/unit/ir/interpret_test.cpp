// Every operation of a program on values that tell it apart from its neighbours, and the domains it refuses.
#include <catch2/catch_all.hpp>

#include <cmath>
#include <functional>

#include "ir/interpret.hpp"
#include "ir/program.hpp"
#include "unit/ir/bits.hpp"

using namespace castforge::ir;
using castforge::test::f32;
using castforge::test::f64;

namespace {

/// The result of a program with one input.
struct Outcome {
  std::vector<std::uint64_t> lanes;
  std::string problem;
};
/// The destination is as wide as what `build` returns.
Outcome run(int bits, const std::function<Value(Builder&, Value)>& build, std::vector<std::uint64_t> lanes) {
  Builder b("test.integer", "here", bits, bits, bits);
  const Value result = build(b, b.element());
  b.program().dst_bits = result.bits();
  const std::string problem = interpret(b.finish(result), lanes);
  return {lanes, problem};
}

using Lanes = std::vector<std::uint64_t>;

/// An operation of one operand and no argument, on many.
Outcome run(int bits, Op op, std::vector<std::uint64_t> lanes) {
  return run(
      bits, [op](Builder&, Value x) { return unary(op, x); }, std::move(lanes));
}

}  // namespace

TEST_CASE("logic and arithmetic, modulo the lane") {
  CHECK(run(8, [](Builder& b, Value x) { return x & b.literal(0x0F); }, {0xAB}).lanes == Lanes{0x0B});
  CHECK(run(8, [](Builder& b, Value x) { return x | b.literal(0x0F); }, {0xA0}).lanes == Lanes{0xAF});
  CHECK(run(8, [](Builder& b, Value x) { return x ^ b.literal(0xFF); }, {0xA5}).lanes == Lanes{0x5A});
  CHECK(run(8, [](Builder& b, Value x) { return x + b.literal(2); }, {0xFF, 1}).lanes == Lanes{1, 3});
  CHECK(run(16, [](Builder& b, Value x) { return x - b.literal(2); }, {1}).lanes == Lanes{0xFFFF});
  CHECK(run(64, [](Builder& b, Value x) { return b.literal(0) - x; }, {1}).lanes == Lanes{~0ull});
  const auto constant = [](Builder& b, Value) { return b.constant("kC", 0xDEADBEEF, "c"); };
  CHECK(run(32, constant, {1, 2}).lanes == Lanes{0xDEADBEEF, 0xDEADBEEF});
}

TEST_CASE("bytes saturate, negate and lose their sign") {
  const auto with = [](Op op, std::uint64_t second, bool first = false) {
    return [=](Builder& b, Value x) {
      return first ? binary(op, b.literal(second), x) : binary(op, x, b.literal(second));
    };
  };
  CHECK(run(8, with(Op::subtract_saturated, 1), {0x80, 0x81, 0, 0x7F}).lanes == Lanes{0x80, 0x80, 0xFF, 0x7E});
  CHECK(run(8, with(Op::subtract_saturated, 0x80), {0, 0x7F, 0xFF, 0x80}).lanes == Lanes{0x7F, 0x7F, 0x7F, 0});
  CHECK(run(8, with(Op::subtract_or_zero, 0x7F), {0x7E, 0x7F, 0xFF, 0}).lanes == Lanes{0, 0, 0x80, 0});
  CHECK(run(16, with(Op::subtract_or_zero, 0x7FFF), {0x7FFE, 0x8001, 0xFFFF}).lanes == Lanes{0, 2, 0x8000});
  CHECK(run(8, with(Op::add_saturated, 0x7F), {0x80, 0x81, 0xFF, 0}).lanes == Lanes{0xFF, 0xFF, 0xFF, 0x7F});
  CHECK(run(32, Op::leading_zeros, {0, 1, 0x7FFFFFFF, 0x80000000}).lanes == Lanes{32, 31, 1, 0});
  CHECK(run(64, Op::leading_zeros, {0, 1, ~0ull}).lanes == Lanes{64, 63, 0});
  CHECK(run(8, Op::abs, {0, 1, 0x7F, 0x80, 0x81, 0xFF}).lanes == Lanes{0, 1, 0x7F, 0x80, 0x7F, 1});
  CHECK(run(8, with(Op::negate_where, 5, true), {1, 0x7F, 0x80, 0xFF}).lanes == Lanes{5, 5, 0xFB, 0xFB});
  CHECK(run(8, with(Op::negate_where, 0, true), {0, 0xFF}).lanes == Lanes{0, 0});
  CHECK_FALSE(run(8, with(Op::negate_where, 5, true), {0}).problem.empty());
}

TEST_CASE("shifts") {
  CHECK(run(8, [](Builder&, Value x) { return x << 3; }, {0xFF}).lanes == Lanes{0xF8});
  CHECK(run(8, [](Builder&, Value x) { return x >> 3; }, {0xFF}).lanes == Lanes{0x1F});
  CHECK(run(8, [](Builder&, Value x) { return sar(x, 3); }, {0x80, 0x40}).lanes == Lanes{0xF0, 0x08});
  CHECK(run(64, [](Builder&, Value x) { return sar(x, 63); }, {1ull << 63, 1}).lanes == Lanes{~0ull, 0});
  // By a lane: nothing is left when the count reaches the width, as the vector shifts do.
  for (const int bits : {16, 32, 64}) {
    const std::uint64_t all = low_bits(bits);
    const auto count = static_cast<std::uint64_t>(bits);
    CHECK(run(bits, [&](Builder& b, Value x) { return shl(b.literal(all), x); }, {0, 1, count - 1, count, all}).lanes ==
          Lanes{all, all - 1, 1ull << (bits - 1), 0, 0});
    CHECK(run(bits, [&](Builder& b, Value x) { return shr(b.literal(all), x); }, {0, 1, count - 1, count, all}).lanes ==
          Lanes{all, all >> 1, 1, 0, 0});
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
  const auto choose = [](auto compare) {
    return [compare](Builder& b, Value x) { return select(compare(x, b.literal(3)), b.literal(10), b.literal(20)); };
  };
  CHECK(run(32, choose(equal), {3, 4}).lanes == Lanes{10, 20});
  CHECK(run(32, choose(greater), {3, 4}).lanes == Lanes{20, 10});
  const auto unsigned_order = choose([](Value a, Value b) { return binary(Op::greater_unsigned, a, b); });
  for (const int bits : {8, 16, 32, 64}) {
    CHECK(run(bits, unsigned_order, {3, 4, low_bits(bits), 0}).lanes == Lanes{20, 10, 10, 20});
  }
  const auto both = [](Builder& b, Value x) {
    const Value mask = mask_and(greater(x, b.literal(3)), equal(x & b.literal(1), b.literal(1)));
    return select(mask, b.literal(1), b.literal(0));
  };
  CHECK(run(32, both, {1, 3, 4, 5}).lanes == Lanes{0, 0, 0, 1});
}

TEST_CASE("the first source that leaves a domain") {
  Builder b("test.program", "here", 32, 32, 32);
  const Value result = b.node(Op::narrow, {b.element()}, 0, 8);
  b.program().dst_bits = 8;
  const Program program = b.finish(result);
  for (const std::size_t wrong : {0u, 1u, 2u, 511u, 600u, 999u}) {
    std::vector<std::uint64_t> sources(1000, 0xFF);
    for (std::size_t i = wrong; i < sources.size(); i += 97) sources[i] = 0x100;
    CHECK(first_outside(program, sources) == wrong);
  }
}

TEST_CASE("values become wider and narrower") {
  CHECK(run(8, [](Builder&, Value x) { return widen(x, 16); }, {0x80, 0x7F}).lanes == Lanes{0x80, 0x7F});
  CHECK(run(8, [](Builder&, Value x) { return widen_signed(x, 64); }, {0x80, 0x7F}).lanes == Lanes{~0x7Full, 0x7F});
  CHECK(run(16, [](Builder&, Value x) { return widen_signed(x, 32); }, {0x8001}).lanes == Lanes{0xFFFF8001});
  CHECK(run(32, [](Builder&, Value x) { return truncate(x, 16); }, {0x12345678}).lanes == Lanes{0x5678});
  CHECK(run(64, [](Builder&, Value x) { return truncate(x, 32); }, {~0ull << 8}).lanes == Lanes{0xFFFFFF00});
  const auto narrow = [](Builder& b, Value x) { return b.node(Op::narrow, {x}, 0, 8); };
  CHECK(run(32, narrow, {0, 0xFF}).lanes == Lanes{0, 0xFF});
  CHECK_FALSE(run(32, narrow, {0x100}).problem.empty());
  for (int index = 0; index < 4; ++index) {
    const auto part = [index](Builder&, Value x) { return byte(x, index); };
    CHECK(run(32, part, {0x44332211}).lanes == Lanes{0x11ull * static_cast<std::uint64_t>(index + 1)});
  }
  CHECK(run(16, [](Builder&, Value x) { return byte(x, 1); }, {0x2211}).lanes == Lanes{0x22});
  CHECK(run(32, Op::high_half, {0x12345678}).lanes == Lanes{0x1234});
  CHECK(run(32, Op::round_high_half, {0x12348000, 0x12348001, 0x12358000, 0xFFFF8000}).lanes ==
        Lanes{0x1234, 0x1235, 0x1236, 0});
  CHECK(run(32, Op::odd_high_half, {0x12340000, 0x12340001, 0x1235FFFF, 0xFFFF8000}).lanes ==
        Lanes{0x1234, 0x1235, 0x1235, 0xFFFF});
  CHECK(run(32, [](Builder&, Value x) { return fold(x, 20); }, {0x00500003, 0x80500003, 0xFFF000FF}).lanes ==
        Lanes{0x08, 0x08, 0xFE});
  for (const int bits : {8, 16, 32, 64}) {
    const std::uint64_t top = 1ull << (bits - 1);
    CHECK(run(bits, [](Builder&, Value x) { return sign8(x, 7); }, {top, top - 1, low_bits(bits)}).lanes ==
          Lanes{0x80, 0, 0x80});
    CHECK(run(bits, [](Builder&, Value x) { return sign8(x, 3); }, {top, top - 1, low_bits(bits)}).lanes ==
          Lanes{0x08, 0, 0x08});
  }
  const auto joined = [](Builder& b, Value x) {
    return join({x, b.literal(0), x ^ b.literal(0xFF), b.literal(7)}, 32);
  };
  CHECK(run(8, joined, {0x12}).lanes == Lanes{0x07ED0012});
}

TEST_CASE("tables") {
  const auto with = [](Op op, int entries, int bits) {
    return [=](Builder& b, Value x) {
      Table table;
      table.name = "kTable";
      table.bits = bits;
      for (int i = 0; i < entries; ++i)
        table.entries.push_back((static_cast<std::uint64_t>(i) * 0x0101010101010101) & low_bits(bits));
      return lookup(op, x, b.table(table));
    };
  };
  for (const int bits : {8, 16, 32, 64}) {
    CHECK(run(8, with(Op::table, 256, bits), {0, 0x81, 0xFF}).lanes ==
          Lanes{0, 0x8181818181818181 & low_bits(bits), low_bits(bits)});
  }
  CHECK(run(8, with(Op::lookup16, 16, 8), {5, 0x75, 0x85, 0xFF}).lanes == Lanes{5, 5, 0, 0});
  CHECK(run(8, with(Op::lookup16_or_zero, 16, 8), {5, 15, 16, 0x75, 0x85}).lanes == Lanes{5, 15, 0, 0, 0});
  CHECK(run(8, with(Op::lookup64, 64, 8), {5, 0x3F}).lanes == Lanes{5, 0x3F});
  CHECK_FALSE(run(8, with(Op::lookup64, 64, 8), {0x40}).problem.empty());
  CHECK(run(8, with(Op::lookup128, 128, 8), {5, 0x75, 0x85, 0xFF}).lanes == Lanes{5, 0x75, 5, 0x7F});
  CHECK(run(8, with(Op::lookup256, 256, 8), {5, 0x75, 0x85, 0xFF}).lanes == Lanes{5, 0x75, 0x85, 0xFF});
  CHECK(run(8, with(Op::lookup16_wide, 16, 32), {5, 15}).lanes == Lanes{0x05050505, 0x0F0F0F0F});
  CHECK_FALSE(run(8, with(Op::lookup16_wide, 16, 32), {16}).problem.empty());
  CHECK(run(8, with(Op::lookup8_wide, 8, 64), {5, 7}).lanes == Lanes{0x0505050505050505, 0x0707070707070707});
  CHECK_FALSE(run(8, with(Op::lookup8_wide, 8, 64), {8}).problem.empty());
  CHECK(run(8, with(Op::lookup16_upper, 16, 32), {5, 15}).lanes == Lanes{0x0505050500000000, 0x0F0F0F0F00000000});
  CHECK_FALSE(run(8, with(Op::lookup16_upper, 16, 32), {16}).problem.empty());
}

TEST_CASE("float16 and float32") {
  CHECK(run(16, Op::float32_of_float16, {0x3C00, 0x0001, 0x8000, 0x7C00, 0xFC00, 0x7C01, 0x03FF, 0x7BFF}).lanes ==
        Lanes{f32(1), f32(0x1p-24f), 0x80000000, 0x7F800000, 0xFF800000, 0x7FC02000, f32(1023 * 0x1p-24f), f32(65504)});
  const Lanes numbers{f32(1),     f32(0x1p-25f), f32(0x1.8p-25f),   f32(65519.996f),    f32(65520),
                      0x80000000, 0xFF800000,    f32(1 + 0x1p-11f), f32(1 + 0x1.8p-10f)};
  CHECK(run(32, Op::float16_of_float32, numbers).lanes ==
        Lanes{0x3C00, 0, 1, 0x7BFF, 0x7C00, 0x8000, 0xFC00, 0x3C00, 0x3C02});
  CHECK(run(32, Op::float16_of_float32, {0x7F800001, 0xFFC02000}).lanes == Lanes{0x7E00, 0xFE01});
  const Lanes between{f32(1 + 0x1p-12f), f32(-1 - 0x1p-12f), 1,      0x80000001,
                      f32(65535),        f32(-65535),        f32(1), 0xFF800000};
  CHECK(run(32, Op::float16_of_float32_rtz, between).lanes ==
        Lanes{0x3C00, 0xBC00, 0, 0x8000, 0x7BFF, 0xFBFF, 0x3C00, 0xFC00});
  CHECK(run(32, Op::float16_of_float32_rtn, between).lanes ==
        Lanes{0x3C00, 0xBC01, 0, 0x8001, 0x7BFF, 0xFC00, 0x3C00, 0xFC00});
  CHECK(run(32, Op::float16_of_float32_rtp, between).lanes ==
        Lanes{0x3C01, 0xBC00, 1, 0x8000, 0x7C00, 0xFBFF, 0x3C00, 0xFC00});
  for (const Op op : {Op::float16_of_float32_rtz, Op::float16_of_float32_rtn, Op::float16_of_float32_rtp})
    CHECK(run(32, op, {0x7F800001, 0xFFC02000}).lanes == Lanes{0x7E00, 0xFE01});
  // Every float16 goes there and back; NaNs become quiet.
  std::vector<std::uint64_t> codes(65536);
  for (std::uint64_t i = 0; i < codes.size(); ++i) codes[i] = i;
  const auto there_and_back = [](Builder&, Value x) {
    return unary(Op::float16_of_float32, unary(Op::float32_of_float16, x));
  };
  const Outcome round_trip = run(16, there_and_back, codes);
  REQUIRE(round_trip.problem.empty());
  for (std::uint64_t i = 0; i < codes.size(); ++i) {
    const bool nan = (i & 0x7FFF) > 0x7C00;
    if (round_trip.lanes[i] != (nan ? i | 0x200 : i)) FAIL_CHECK(std::hex << i << " -> " << round_trip.lanes[i]);
  }
}

TEST_CASE("float32 and float64") {
  CHECK(run(32, Op::float64_of_float32, {f32(-0.1f), 1, 0x7F800001}).lanes ==
        Lanes{f64(-0.1f), f64(0x1p-149), 0x7FF8000020000000});
  CHECK(run(64, Op::float32_of_float64,
            {f64(1 + 0x1p-24), f64(1 + 0x1.8p-23), f64(-1e300), f64(0x1p-150), f64(0x1.8p-150)})
            .lanes == Lanes{f32(1), f32(1) + 2, 0xFF800000, 0, 1});
  const Lanes numbers{f64(1),      f64(1 + 0x1.fp-24), f64(-1 - 0x1.8p-23), f64(1e300),
                      f64(-1e300), f64(0x1p-130),      f64(-0x1p-200),      f64(0x1.ffp-149)};
  CHECK(run(64, Op::float32_of_float64_rtz, numbers).lanes ==
        Lanes{f32(1), f32(1), f32(-1) + 1, 0x7F7FFFFF, 0xFF7FFFFF, f32(0x1p-130f), 0x80000000, 1});
  for (const Op op : {Op::float32_of_float64, Op::float32_of_float64_rtz}) {
    CHECK(run(64, op, {0x7FF0000000000000, 0x7FF0000000000001, 0xFFF8000020000000}).lanes ==
          Lanes{0x7F800000, 0x7FC00000, 0xFFC00001});
  }
}

TEST_CASE("float32 to integers, every mode") {
  const auto of = [](std::int64_t v) { return static_cast<std::uint64_t>(v) & 0xFFFFFFFF; };
  const Lanes numbers{f32(0.5f),  f32(-0.5f), f32(1.5f),     f32(-2.25f),     f32(0.49999997f),
                      0x80000001, f32(3),     f32(-0x1p31f), f32(0x1p23f + 1)};
  const auto results = [&](std::initializer_list<std::int64_t> first) {
    Lanes lanes;
    for (const std::int64_t v : first) lanes.push_back(of(v));
    for (const std::int64_t v : {std::int64_t{3}, -(std::int64_t{1} << 31), (std::int64_t{1} << 23) + 1})
      lanes.push_back(of(v));
    return lanes;
  };
  CHECK(run(32, Op::int32_of_float32_rne, numbers).lanes == results({0, 0, 2, -2, 0, 0}));
  CHECK(run(32, Op::int32_of_float32_rna, numbers).lanes == results({1, -1, 2, -2, 0, 0}));
  CHECK(run(32, Op::int32_of_float32_rtz, numbers).lanes == results({0, 0, 1, -2, 0, 0}));
  CHECK(run(32, Op::int32_of_float32_rtn, numbers).lanes == results({0, -1, 1, -3, 0, -1}));
  CHECK(run(32, Op::int32_of_float32_rtp, numbers).lanes == results({1, 0, 2, -2, 1, 0}));
  CHECK(run(32, Op::int32_of_float32_rto, numbers).lanes == results({1, -1, 1, -3, 1, -1}));
  for (const Op op :
       {Op::int32_of_float32_rna, Op::int32_of_float32_rtn, Op::int32_of_float32_rtp, Op::int32_of_float32_rto}) {
    CHECK_FALSE(run(32, op, {f32(0x1p31f)}).problem.empty());
    CHECK_FALSE(run(32, op, {0x7FC00000}).problem.empty());
  }
  CHECK(
      run(32, Op::int32_of_float32_rtz, {f32(0x1p31f), f32(-0x1p31f), f32(-0x1p100f), 0x7F800000, 0x7FC00000}).lanes ==
      Lanes(5, 0x80000000));
  CHECK(run(32, Op::int32_of_float32_rtz, {f32(2.75f), f32(-2.75f), f32(-0.5f), f32(0x1.fffffep30f)}).lanes ==
        Lanes{2, 0xFFFFFFFE, 0, 0x7FFFFF80});
  CHECK(run(32, Op::int32_of_float32_rne, {f32(2.5f), f32(3.5f), f32(-2.5f), f32(-0.75f), 0xFF800000}).lanes ==
        Lanes{2, 4, 0xFFFFFFFE, 0xFFFFFFFF, 0x80000000});
  CHECK(run(64, Op::int64_of_float64_rne, {f64(-2.5), f64(0x1p62 + 0x1p10), f64(0x1p63), 0x7FF8000000000000}).lanes ==
        Lanes{~0ull - 1, (1ull << 62) + 1024, 1ull << 63, 1ull << 63});
  CHECK(run(64, Op::int64_of_float64_rtz, {f64(-2.75), f64(-0x1p63), f64(-0x1p100)}).lanes ==
        Lanes{~0ull - 1, 1ull << 63, 1ull << 63});
}

TEST_CASE("floats to integers modulo 2^32 and 2^64") {
  CHECK(run(32, Op::int32_of_float32_wrap_rtz, {f32(0x1p32f + 0x1p9f), f32(-2.75f), 0}).lanes ==
        Lanes{512, 0xFFFFFFFE, 0});
  CHECK(run(32, Op::int32_of_float32_wrap_rne, {f32(2.5f), f32(-2.75f), f32(0.5f)}).lanes == Lanes{2, 0xFFFFFFFD, 0});
  CHECK(run(64, Op::int32_of_float64_wrap_rtz, {f64(0x1p40 + 7.75), f64(-0x1p33 - 1)}).lanes == Lanes{7, 0xFFFFFFFF});
  CHECK(run(64, Op::int32_of_float64_wrap_rne, {f64(0x1p40 + 7.75), f64(-3.5)}).lanes == Lanes{8, 0xFFFFFFFC});
  for (const std::uint64_t outside :
       {std::uint64_t{0x7F800000}, std::uint64_t{0x7FC00000}, f32(0.125f), std::uint64_t{1}}) {
    CHECK_FALSE(run(32, Op::int32_of_float32_wrap_rtz, {outside}).problem.empty());
    CHECK_FALSE(run(32, Op::int32_of_float32_wrap_rne, {outside}).problem.empty());
  }
  CHECK(run(32, Op::truncate_float32_to_int32, {f32(-2.5f), f32(0x1p32f + 512), 0x7FC00000, 0xFF800000, 1}).lanes ==
        Lanes{0xFFFFFFFE, 512, 0, 0, 0});
  CHECK(run(32, Op::truncate_float32_to_int64, {f32(-2.5f), f32(0x1.8p63f), f32(-0x1.000002p65f), 0x7FC00000}).lanes ==
        Lanes{~std::uint64_t{1}, 3ull << 62, 0 - (1ull << 42), 0});
  CHECK(run(64, Op::truncate_float64_to_int32, {f64(-0x1p31), f64(0x1p40 + 5), 0x7FF0000000000000}).lanes ==
        Lanes{0x80000000, 5, 0});
  CHECK(run(64, Op::truncate_float64_to_int64, {f64(0x1p64 + 0x1p20), f64(-1.5), 0xFFF8000000000000}).lanes ==
        Lanes{1 << 20, ~0ull, 0});
}

TEST_CASE("integers to floats") {
  CHECK(run(32, Op::float32_of, {0, 1, 1 << 24}).lanes == Lanes{0, f32(1), f32(0x1p24f)});
  CHECK(run(64, Op::float64_of, {0, 3, 1ull << 53}).lanes == Lanes{0, f64(3), f64(0x1p53)});
  CHECK(run(32, Op::float32_of_int, {0, 5, 0xFFFFFFFF, 1 << 24}).lanes == Lanes{0, f32(5), f32(-1), f32(0x1p24f)});
  CHECK(run(32, Op::float32_of_int32, {0, 0xFFFFFFFF, (1 << 24) + 1, (1 << 24) + 3, 0x80000000}).lanes ==
        Lanes{0, f32(-1), f32(0x1p24f), f32(0x1p24f + 4), f32(-0x1p31f)});
  CHECK(run(32, Op::float32_of_uint32, {0xFFFFFFFF, 0x80000080, 0x80000180}).lanes ==
        Lanes{f32(0x1p32f), f32(0x1p31f), f32(0x1p31f + 0x200)});
  CHECK(run(64, Op::float64_of_int64, {(1ull << 53) + 1, ~0ull}).lanes == Lanes{f64(0x1p53), f64(-1)});
  CHECK(run(64, Op::float64_of_uint64, {~0ull}).lanes == Lanes{f64(0x1p64)});
  CHECK(run(32, Op::float64_of_int32, {0x80000000, 0x7FFFFFFF, 0}).lanes == Lanes{f64(-0x1p31), f64(0x1p31 - 1), 0});
  // 2^60 + 2^36 + 1: halfway to float32 once rounded to float64, above it in truth.
  const std::uint64_t misleading = (1ull << 60) + (1ull << 36) + 1;
  CHECK(run(64, Op::float32_of_int64, {misleading, 0 - misleading}).lanes ==
        Lanes{f32(0x1p60f + 0x1p37f), f32(-0x1p60f - 0x1p37f)});
  CHECK(run(64, Op::float32_of_int64_rto, {misleading, 0 - misleading, 0, 1ull << 63, 3}).lanes ==
        Lanes{f32(0x1.000002p60f), f32(-0x1.000002p60f), 0, f32(-0x1p63f), f32(3)});
  CHECK(run(64, Op::float32_of_uint64_rto, {(1ull << 63) + 1, ~0ull}).lanes ==
        Lanes{f32(0x1.000002p63f), f32(0x1.fffffep63f)});
  Lanes in_32_bits, in_64_bits;
  for (const std::int64_t v : {(1ll << 24) + 1, -(1ll << 24) - 1, (1ll << 31) - 1, -(1ll << 31), 0ll, 3ll}) {
    in_64_bits.push_back(static_cast<std::uint64_t>(v));
    in_32_bits.push_back(in_64_bits.back() & 0xFFFFFFFF);
  }
  const Lanes truncated{f32(0x1p24f), f32(-0x1p24f), f32(0x1.fffffep30f), f32(-0x1p31f), 0, f32(3)};
  const Lanes lower{f32(0x1p24f), f32(-0x1.000002p24f), f32(0x1.fffffep30f), f32(-0x1p31f), 0, f32(3)};
  const Lanes upper{f32(0x1.000002p24f), f32(-0x1p24f), f32(0x1p31f), f32(-0x1p31f), 0, f32(3)};
  CHECK(run(32, Op::float32_of_int32_rtz, in_32_bits).lanes == truncated);
  CHECK(run(32, Op::float32_of_int32_rtn, in_32_bits).lanes == lower);
  CHECK(run(32, Op::float32_of_int32_rtp, in_32_bits).lanes == upper);
  CHECK(run(64, Op::float32_of_int64_rtz, in_64_bits).lanes == truncated);
  CHECK(run(64, Op::float32_of_int64_rtn, in_64_bits).lanes == lower);
  CHECK(run(64, Op::float32_of_int64_rtp, in_64_bits).lanes == upper);
  CHECK(run(64, Op::float32_of_uint64, {misleading, ~0ull}).lanes == Lanes{f32(0x1p60f + 0x1p37f), f32(0x1p64f)});
}

TEST_CASE("one multiply-add, rounded once") {
  const auto scaled = [](Builder& b, Value x) {
    return b.node(Op::multiply_add, {x, b.literal(f32(0x1.8p-3f)), b.literal(f32(0x1p23f))});
  };
  const Lanes sums{f32(0x1p23f), f32(0x1p23f + 1), f32(0x1p23f + 2)};  // 1.5 is a tie
  CHECK(run(32, scaled, {f32(2), f32(4), f32(8)}).lanes == sums);
}

TEST_CASE("the binade of a number, with its sign") {
  const auto from_one = [](Builder& b, Value x) { return binary(Op::binade, x, b.literal(f32(1))); };
  CHECK(run(32, from_one, {f32(3), f32(-7.5f), f32(0.75f), f32(-0.0f), 0x80000001, 0xFF800000}).lanes ==
        Lanes{f32(2), f32(-4), f32(1), f32(-1), f32(-1), 0xFF800000});
  CHECK_FALSE(run(32, from_one, {0x7FC00000}).problem.empty());
  const auto from_other = [](Builder& b, Value x) { return binary(Op::binade, x, b.literal(f32(1.5f))); };
  CHECK_FALSE(run(32, from_other, {f32(3)}).problem.empty());
}

TEST_CASE("bits merged by a mask; the smaller number, or the second") {
  const auto merged = [](Builder& b, Value x) { return merge(b.literal(0xFF00), x, b.literal(0x1234)); };
  CHECK(run(16, merged, {0xABCD}).lanes == Lanes{0xAB34});
  const auto limit = [](Builder& b, Value x) { return binary(Op::min_nan2, x, b.literal(f32(2))); };
  CHECK(run(32, limit, {f32(1), f32(3), f32(-5), 0x7FC00000, 0x7F800000}).lanes ==
        Lanes{f32(1), f32(2), f32(-5), f32(2), f32(2)});
}

TEST_CASE("a magnitude has a limit, a NaN another") {
  const auto limit = [](Builder& b, Value x) {
    return b.node(Op::limit_magnitude, {x, b.literal(f32(2)), b.literal(f32(3))});
  };
  CHECK(run(32, limit, {f32(-1), f32(5), 0xFF800000, 0x7F800001, 0xFFFFFFFF, 0x80000001}).lanes ==
        Lanes{f32(1), f32(2), f32(2), f32(3), f32(3), 1});
  const auto below = [](Builder& b, Value x) {
    return b.node(Op::limit_magnitude, {x, b.literal(f32(2)), b.literal(f32(1))});
  };
  CHECK_FALSE(run(32, below, {0}).problem.empty());
}

TEST_CASE("halves of a grid's ulp, rounded to odd") {
  const auto quarters = [](Builder& b, Value x) { return b.node(Op::half_ulps_rto, {x, b.literal(f32(0x1.8p21f))}); };
  CHECK(run(32, quarters, {0, 1, f32(0.25f), f32(0.25f) + 1, f32(0.375f), f32(0.5f) - 1, f32(6), f32(0x1p20f)}).lanes ==
        Lanes{0, 1, 2, 3, 3, 3, 48, 1 << 23});
  CHECK_FALSE(run(32, quarters, {f32(0x1p20f) + 1}).problem.empty());
  CHECK_FALSE(run(32, quarters, {f32(-1)}).problem.empty());
  const auto no_grid = [](Builder& b, Value x) { return b.node(Op::half_ulps_rto, {x, b.literal(f32(0x1p21f))}); };
  CHECK_FALSE(run(32, no_grid, {0}).problem.empty());
}

TEST_CASE("a NaN becomes another, with its sign") {
  const auto canonical = [](Builder& b, Value x) { return nan_becomes(x, b.literal(0x7FC00000)); };
  CHECK(run(32, canonical, {0x7F800000, 0x7F800001, 0xFFFFFFFF, 0xFF800000, 0}).lanes ==
        Lanes{0x7F800000, 0x7FC00000, 0xFFC00000, 0xFF800000, 0});
  const auto wide = [](Builder& b, Value x) { return nan_becomes(x, b.literal(0x7FF8000000000000)); };
  CHECK(run(64, wide, {0x7FF0000000000000, 0xFFF0000000000001}).lanes == Lanes{0x7FF0000000000000, 0xFFF8000000000000});
}

TEST_CASE("an operation outside its domain is a problem, not a result") {
  using Catch::Matchers::ContainsSubstring;
  const auto opposite = [](Builder& b, Value x) {
    return binary(Op::negate_where, b.literal(1, 8), truncate(x, 8)).named("opposite");
  };
  CHECK_THAT(run(32, opposite, {1, 0x100}).problem,
             ContainsSubstring("opposite: negate_where asks that a is 0 where b is 0"));
  CHECK(run(32, opposite, {1, 0x1FF}).problem.empty());
  CHECK_THAT(run(8, opposite, {0}).problem, ContainsSubstring("test.integer"));
  CHECK_THAT(run(32, Op::float32_of, {(1 << 24) + 1}).problem, ContainsSubstring("2^24"));
  CHECK_THAT(run(64, Op::float64_of, {(1ull << 53) + 1}).problem, ContainsSubstring("2^53"));
  const auto scaled = [](Builder& b, Value x) {
    return b.node(Op::multiply_add, {x, b.literal(f32(1 + 0x1p-23f)), b.literal(0)});
  };
  CHECK_THAT(run(32, scaled, {0x7FC00000}).problem, ContainsSubstring("NaN"));
  CHECK(run(32, scaled, {f32(0x1p100f)}).problem.empty());
  CHECK(run(32, scaled, {f32(-2)}).lanes == Lanes{f32(-2) + 1});
  const auto fused = [](Builder& b, Value x) {
    return b.node(Op::fused_multiply_add, {x, b.literal(f32(1 + 0x1p-23f)), b.literal(0)});
  };
  const std::uint64_t minus_zero = 0x80000000, infinity = 0x7F800000, subnormal = 0x00400000;
  for (const std::uint64_t other : {f32(3), f32(-3), minus_zero, infinity, subnormal}) {
    CHECK_THAT(run(32, scaled, {other}).problem, ContainsSubstring("power of two"));
    CHECK_THAT(run(32, fused, {other}).problem, ContainsSubstring("power of two"));
  }
  CHECK_THAT(run(32, scaled, {0}).problem, ContainsSubstring("power of two"));  // its exponent cannot be added to
  CHECK(run(32, fused, {0}).problem.empty());
  CHECK(run(32, fused, {0}).lanes == Lanes{0});
  const auto canonical = [](Builder& b, Value x) { return nan_becomes(b.literal(0), x); };
  CHECK_THAT(run(32, canonical, {0xFFC00000}).problem, ContainsSubstring("no sign"));
  CHECK(run(32, canonical, {0x7F7FFFFF}).problem.empty());
  CHECK_FALSE(run(32, Op::float32_of_int, {(1 << 24) + 1}).problem.empty());
  CHECK_FALSE(run(32, Op::float32_of_int, {0x80000000}).problem.empty());
}

TEST_CASE("a problem is found in every block of lanes") {
  std::vector<std::uint64_t> lanes(5000, 1);
  lanes[4321] = (1 << 24) + 1;
  CHECK_FALSE(run(32, Op::float32_of, lanes).problem.empty());
  lanes[4321] = 2;
  const Outcome fine = run(32, Op::float32_of, lanes);
  CHECK(fine.problem.empty());
  CHECK(fine.lanes[4321] == f32(2));
  CHECK(fine.lanes[4320] == f32(1));
}

TEST_CASE("every row of the table of operations is complete") {
  for (const Operation& row : operations()) {
    INFO(row.name);
    CHECK(row.evaluate != nullptr);
    CHECK(row.term != nullptr);
    CHECK((row.holds != nullptr) == (std::string(row.domain) != ""));
    CHECK_FALSE(std::string(row.doc).empty());
  }
}

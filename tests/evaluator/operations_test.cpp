// Each operation on values worked out by hand, and the float operations against this processor.
#include <catch2/catch_all.hpp>

#include <bit>
#include <cmath>
#include <set>

#include "exhaustive/elements.hpp"
#include "floats.hpp"
#include "program.hpp"

using namespace castforge::evaluator;

namespace {

using U64 = std::uint64_t;

/// A kernel whose only plan returns `expression`.
Kernel kernel_of(const std::string& expression, int src_bits, int dst_bits, const std::string& members = {}) {
  const File file = parse(
      "test", "namespace to_x {\nstruct from_x__x {\n  static constexpr int kSrcBits = " + std::to_string(src_bits) +
                  ", kDstBits = " + std::to_string(dst_bits) +
                  ";\n  struct only {\n    static constexpr lane::Needs kNeeds = lane::Needs::nothing;\n" + members +
                  "    static constexpr auto map(auto bits) noexcept { return " + expression +
                  "; }\n  };\n  using plans = lane::Plans<only>;\n};\n}\n");
  for (const Problem& p : file.problems) FAIL(expression << ": " << p.message);
  return file.kernels.at(0);
}

/// What the expression gives for one code.
U64 value(const std::string& expression, int src_bits, int dst_bits, U64 code, const std::string& members = {},
          const World& world = {}) {
  const Kernel kernel = kernel_of(expression, src_bits, dst_bits, members);
  INFO(expression);
  U64 result = 0;
  Program(kernel, kernel.plans.at(0)).run({&code, 1}, {&result, 1}, world);
  return result;
}

bool inside(const std::string& expression, int src_bits, int dst_bits, U64 code, const World& world = {}) {
  try {
    value(expression, src_bits, dst_bits, code, {}, world);
    return true;
  } catch (const Error&) {
    return false;
  }
}

U64 bits_of(float v) { return std::bit_cast<std::uint32_t>(v); }
U64 bits_of(double v) { return std::bit_cast<std::uint64_t>(v); }
float float_of(U64 bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
double double_of(U64 bits) { return std::bit_cast<double>(bits); }

/// Codes with exponents of every size, and special ones.
std::vector<U64> codes(int bits) {
  castforge::exhaustive::Random random(1);
  const Layout f = bits == 64 ? kDouble : kSingle;
  std::vector<U64> all = {0, 1, f.infinity() - 1, f.infinity(), f.infinity() + 1, f.sign() - 1};
  for (int i = 0; i < 200000; ++i) {
    U64 code = random() & (2 * f.sign() - 1);
    if (i % 2 == 0) {  // around the numbers that integers and the narrower formats hold
      const U64 field = static_cast<U64>(f.bias()) - 30 + random.below(100);
      code = (code & (f.sign() | ((U64{1} << f.fraction_bits) - 1))) | field << f.fraction_bits;
    }
    if (i % 3 == 0) code &= ~U64{0} << random.below(static_cast<U64>(f.fraction_bits));  // short fractions: ties
    all.push_back(code);
  }
  for (std::size_t i = 0; i < 6; ++i) all.push_back(all[i] | f.sign());
  return all;
}

/// Evaluates on all codes and compares with a function of one code.
template <class Function>
void compare(const std::string& expression, int src_bits, int dst_bits, Function expected, bool skip_nan) {
  const Kernel kernel = kernel_of(expression, src_bits, dst_bits);
  const std::vector<U64> in = codes(src_bits == 64 ? 64 : 32);
  std::vector<U64> used;
  const Layout f = src_bits == 64 ? kDouble : kSingle;
  for (U64 code : in) {
    if (!skip_nan || !f.is_nan(code)) used.push_back(code);
  }
  std::vector<U64> out(used.size());
  Program(kernel, kernel.plans.at(0)).run(used, out, {});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const U64 want = expected(used[i]);
    if (out[i] == want || wrong++ > 2) continue;
    INFO(expression << " of " << std::hex << used[i]);
    CHECK(out[i] == want);
  }
  CHECK(wrong == 0);
}

const char* const kTable16 =
    "static constexpr std::array<std::uint8_t, 16> kT = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, "
    "25};\n";

}  // namespace

TEST_CASE("precedence is that of C++") {
  CHECK(value("bits | bits + 1 ^ bits & 3", 8, 8, 0x11) == (0x11 | (0x12 ^ (0x11 & 3))));
  CHECK(value("bits << 4 & bits + 1 >> 1", 8, 8, 0x11) == ((0x10) & ((0x12) >> 1)));
  CHECK(value("bits - 1 << 1", 8, 8, 0x11) == 0x20);
}

TEST_CASE("infix operators") {
  CHECK(value("bits & 12 | bits ^ 255", 8, 8, 0x5A) == ((0x5A & 12) | (0x5A ^ 255)));
  CHECK(value("bits ^ bits & 15 | 128", 8, 8, 0x5A) == 0xD0);
  CHECK(value("bits + bits << 1", 8, 8, 0x30) == 0xC0);
  CHECK(value("bits + 1", 8, 8, 0xFF) == 0);
  CHECK(value("bits - 1 - 1", 16, 16, 0) == 0xFFFE);
  CHECK(value("bits - (1 - bits)", 16, 16, 5) == 9);
  CHECK(value("1 - bits", 32, 32, 2) == 0xFFFFFFFF);
  CHECK(value("bits << 63 >> 63", 64, 64, 3) == 1);
  CHECK(value("bits << 31", 32, 32, 3) == 0x80000000);
  CHECK(value("bits >> 7", 8, 8, 0x80) == 1);
}

TEST_CASE("integers") {
  CHECK(value("lane::sar<3>(bits)", 8, 8, 0x88) == 0xF1);
  CHECK(value("lane::sar<15>(bits)", 16, 16, 0x8000) == 0xFFFF);
  CHECK(value("lane::sar<63>(bits)", 64, 64, U64{1} << 63) == ~U64{0});
  CHECK(value("lane::sar<0>(bits)", 32, 32, 0x80000001) == 0x80000001);
  CHECK(value("lane::min(bits, 3)", 8, 8, 0x80) == 3);
  CHECK(value("lane::max(bits, 3)", 64, 64, ~U64{0}) == ~U64{0});
  CHECK(value("lane::min_signed(bits, 3)", 8, 8, 0x80) == 0x80);
  CHECK(value("lane::max_signed(bits, 3)", 16, 16, 0xFFFF) == 3);
  CHECK(value("lane::max_signed(bits, 3)", 64, 64, ~U64{0}) == 3);
  CHECK(value("lane::select(lane::eq(bits, 7), 1, 2)", 32, 32, 7) == 1);
  CHECK(value("lane::select(lane::gt(bits, 7), 1, 2)", 32, 32, 7) == 2);
  CHECK(value("lane::select(lane::gt_unsigned(bits, 127), 1, 2)", 8, 8, 128) == 1);
  CHECK(value("lane::select(lane::gt(bits, 7), 1, 2)", 16, 16, 0x8000) == 2);
  CHECK(value("lane::select(lane::gt(7, bits), 1, 2)", 64, 64, U64{1} << 63) == 1);
  CHECK(value("lane::select(lane::mask_and(lane::gt(bits, 3), lane::gt(9, bits)), 1, 2)", 8, 8, 9) == 2);
  CHECK(value("lane::merge(bits, 255, 0)", 8, 8, 0x3C) == 0x3C);
  CHECK(value("lane::merge(240, bits, 12)", 8, 8, 0x33) == 0x3C);
  CHECK(value("lane::shl(bits, 16)", 16, 16, 1) == 0);
  CHECK(value("lane::shl(bits, 15)", 16, 16, 3) == 0x8000);
  CHECK(value("lane::shl(1, bits)", 32, 32, 0xFFFFFFFF) == 0);
  CHECK(value("lane::shr(bits, 63)", 64, 64, ~U64{0}) == 1);
  CHECK(value("lane::shr(bits, 64)", 64, 64, ~U64{0}) == 0);
}

TEST_CASE("bytes") {
  CHECK(value("lane::subtract_saturated(bits, 1)", 8, 8, 0x80) == 0x80);
  CHECK(value("lane::subtract_saturated(bits, 255)", 8, 8, 0x7F) == 0x7F);
  CHECK(value("lane::subtract_saturated(0, bits)", 8, 8, 0x80) == 0x7F);
  CHECK(value("lane::subtract_saturated(bits, 3)", 8, 8, 1) == 0xFE);
  CHECK(value("lane::subtract_or_zero(bits, 200)", 8, 8, 199) == 0);
  CHECK(value("lane::subtract_or_zero(bits, 200)", 8, 8, 201) == 1);
  CHECK(value("lane::subtract_or_zero(bits, 32768)", 16, 16, 0xFFFF) == 0x7FFF);
  CHECK(value("lane::add_saturated(bits, 200)", 8, 8, 55) == 255);
  CHECK(value("lane::add_saturated(bits, 200)", 8, 8, 56) == 255);
  CHECK(value("lane::add_saturated(bits, 200)", 8, 8, 54) == 254);
  CHECK(value("lane::leading_zeros(bits)", 32, 32, 0) == 32);
  CHECK(value("lane::leading_zeros(bits)", 32, 32, 0x80000000) == 0);
  CHECK(value("lane::leading_zeros(bits)", 64, 64, 5) == 61);
  CHECK(value("lane::abs(bits)", 8, 8, 0x80) == 0x80);
  CHECK(value("lane::abs(bits)", 8, 8, 0xFF) == 1);
  CHECK(value("lane::abs(bits)", 8, 8, 0x7F) == 0x7F);
  CHECK(value("lane::negate_where(5, bits)", 8, 8, 0x80) == 0xFB);
  CHECK(value("lane::negate_where(5, bits)", 8, 8, 0x7F) == 5);
  World x86;
  x86.bytes16 = true;
  CHECK(inside("lane::negate_where(5, bits)", 8, 8, 0));
  CHECK_FALSE(inside("lane::negate_where(5, bits)", 8, 8, 0, x86));
  CHECK(inside("lane::negate_where(0, bits)", 8, 8, 0, x86));
}

TEST_CASE("between widths") {
  CHECK(value("lane::widen<std::uint64_t>(bits)", 8, 64, 0xFF) == 0xFF);
  CHECK(value("lane::widen_signed<std::uint16_t>(bits)", 8, 16, 0xFE) == 0xFFFE);
  CHECK(value("lane::widen_signed<std::uint64_t>(bits)", 32, 64, 0x80000000) == 0xFFFFFFFF80000000);
  CHECK(value("lane::truncate<std::uint8_t>(bits)", 64, 8, 0x1234) == 0x34);
  CHECK(value("lane::narrow<std::uint8_t>(bits)", 32, 8, 0xFF) == 0xFF);
  CHECK_FALSE(inside("lane::narrow<std::uint8_t>(bits)", 32, 8, 0x100));
  CHECK_FALSE(inside("lane::narrow<std::uint32_t>(bits)", 64, 32, U64{1} << 32));
  CHECK(value("lane::byte<3>(bits)", 32, 8, 0x12345678) == 0x12);
  CHECK(value("lane::byte<1>(bits)", 16, 8, 0x1234) == 0x12);
  CHECK(value("lane::high_half(bits)", 32, 16, 0x12345678) == 0x1234);
  CHECK(value("lane::round_high_half(bits)", 32, 16, 0x12348000) == 0x1234);
  CHECK(value("lane::round_high_half(bits)", 32, 16, 0x12358000) == 0x1236);
  CHECK(value("lane::round_high_half(bits)", 32, 16, 0x12348001) == 0x1235);
  CHECK(value("lane::round_high_half(bits)", 32, 16, 0xFFFFFFFF) == 0);
  CHECK(value("lane::odd_high_half(bits)", 32, 16, 0x12340000) == 0x1234);
  CHECK(value("lane::odd_high_half(bits)", 32, 16, 0x12348000) == 0x1235);
  CHECK(value("lane::odd_high_half(bits)", 32, 16, 0xFFFF0001) == 0xFFFF);
  CHECK(value("lane::fold<20>(bits)", 32, 8, 0x12300045) == ((0x123 + 0x45) & 0xFF));
  CHECK(value("lane::fold<16>(bits)", 32, 8, 0xFFFF0001) == 0);
  CHECK(value("lane::sign8<7>(bits)", 64, 8, U64{1} << 63) == 0x80);
  CHECK(value("lane::sign8<0>(bits)", 8, 8, 0xFF) == 1);
  CHECK(value("lane::sign8<3>(bits)", 16, 8, 0x8000) == 8);
  CHECK(value("lane::sign8<3>(bits)", 32, 8, 0x7FFFFFFF) == 0);
  CHECK(value("lane::join<std::uint16_t>(bits, 0)", 8, 16, 0x5A) == 0x005A);
  CHECK(value("lane::join<std::uint32_t>(0, bits, 0, bits + 1)", 8, 32, 0x5A) == 0x5B005A00);
  CHECK(value("lane::join<std::uint64_t>(bits, 0, 0, 0, 0, 0, 0, bits)", 8, 64, 0x5A) == 0x5A0000000000005A);
  CHECK(value("lane::fill<std::uint32_t>(bits, 1065353216)", 8, 32, 3) == 0x3F800000);
}

TEST_CASE("tables") {
  CHECK(value("lane::table<kT>(bits)", 4, 8, 3, kTable16) == 13);
  CHECK(value("lane::lookup16<kT>(bits)", 8, 8, 0x73, kTable16) == 13);
  CHECK(value("lane::lookup16<kT>(bits)", 8, 8, 0x83, kTable16) == 0);
  CHECK(value("lane::lookup16_or_zero<kT>(bits)", 8, 8, 0x0F, kTable16) == 25);
  CHECK(value("lane::lookup16_or_zero<kT>(bits)", 8, 8, 0x13, kTable16) == 0);
  World neon;
  neon.neon = true;
  CHECK(value("lane::lookup16<kT>(bits)", 8, 8, 0x83, kTable16, neon) == 0);
  CHECK_THROWS_AS(value("lane::lookup16<kT>(bits)", 8, 8, 0x13, kTable16, neon), Error);
  CHECK_THROWS_AS(value("lane::table<kT>(bits)", 8, 8, 16, kTable16), Error);
  std::string wide = "static constexpr std::array<std::uint64_t, 16> kT = {",
              whole = "static constexpr std::array<std::uint8_t, 256> kT = {",
              half = "static constexpr std::array<std::uint8_t, 128> kT = {";
  for (int i = 0; i < 16; ++i) wide += std::to_string(i) + (i == 0 ? "," : "000000000000,");
  for (int i = 0; i < 256; ++i) whole += std::to_string(255 - i) + ",";
  for (int i = 0; i < 128; ++i) half += std::to_string(255 - i) + ",";
  CHECK(value("lane::lookup16_wide<kT>(bits)", 8, 64, 15, wide + "};\n") == 15000000000000);
  CHECK_THROWS_AS(value("lane::lookup16_wide<kT>(bits)", 8, 64, 16, wide + "};\n"), Error);
  const std::string eight = "static constexpr std::array<std::uint64_t, 8> kT = {10, 11, 12, 13, 14, 15, 16, 17};\n";
  CHECK(value("lane::lookup8_wide<kT>(bits)", 8, 64, 7, eight) == 17);
  CHECK_THROWS_AS(value("lane::lookup8_wide<kT>(bits)", 8, 64, 8, eight), Error);
  const std::string upper =
      "static constexpr std::array<std::uint32_t, 16> kT = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};\n";
  CHECK(value("lane::lookup16_upper<kT>(bits)", 8, 64, 15, upper) == 15ull << 32);
  CHECK_THROWS_AS(value("lane::lookup16_upper<kT>(bits)", 8, 64, 16, upper), Error);
  CHECK(value("lane::lookup256<kT>(bits)", 8, 8, 0xFF, whole + "};\n") == 0);
  const std::string quarter =
      "static constexpr std::array<std::uint8_t, 64> kT = {" + half.substr(half.find('{') + 1, 4 * 64) + "};\n";
  CHECK(value("lane::lookup64<kT>(bits)", 8, 8, 0x3F, quarter) == 192);
  CHECK_THROWS_AS(value("lane::lookup64<kT>(bits)", 8, 8, 0x40, quarter), Error);
  CHECK(value("lane::lookup128<kT>(bits)", 8, 8, 0xFF, half + "};\n") == 128);
}

TEST_CASE("floats from integers") {
  CHECK(value("lane::float32_of(bits)", 32, 32, 0) == 0);
  CHECK(value("lane::float32_of(bits)", 32, 32, 0xFFFFFF) == bits_of(16777215.0f));
  CHECK_FALSE(inside("lane::float32_of(bits)", 32, 32, 0x1000001));
  CHECK(value("lane::float64_of(bits)", 64, 64, 5) == bits_of(5.0));
  CHECK_FALSE(inside("lane::float64_of(bits)", 64, 64, (U64{1} << 53) + 1));
  CHECK(value("lane::float32_of_int(bits)", 32, 32, 0xFFFFFFFF) == bits_of(-1.0f));
  CHECK(value("lane::float32_of_int(bits)", 32, 32, 0x80000000) == bits_of(-2147483648.0f));
  CHECK_FALSE(inside("lane::float32_of_int(bits)", 32, 32, 0x1000001));
  castforge::exhaustive::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const U64 v = random() >> random.below(64);
    const auto low = static_cast<std::uint32_t>(v);
    CHECK(value("lane::float32_of_int32(bits)", 32, 32, low) ==
          bits_of(static_cast<float>(static_cast<std::int32_t>(low))));
    CHECK(value("lane::float32_of_uint32(bits)", 32, 32, low) == bits_of(static_cast<float>(low)));
    CHECK(value("lane::float64_of_int64(bits)", 64, 64, v) ==
          bits_of(static_cast<double>(static_cast<std::int64_t>(v))));
    CHECK(value("lane::float64_of_uint64(bits)", 64, 64, v) == bits_of(static_cast<double>(v)));
    CHECK(value("lane::float32_of_int64(bits)", 64, 32, v) ==
          bits_of(static_cast<float>(static_cast<std::int64_t>(v))));
    CHECK(value("lane::float32_of_uint64(bits)", 64, 32, v) == bits_of(static_cast<float>(v)));
    CHECK(value("lane::float64_of_int32(bits)", 32, 64, low) ==
          bits_of(static_cast<double>(static_cast<std::int32_t>(low))));
  }
  CHECK(value("lane::float32_of_int64_rto(bits)", 64, 32, 0 - ((U64{1} << 40) + 1)) == bits_of(-0x1.000002p40f));
  CHECK(value("lane::float32_of_int64_rto(bits)", 64, 32, U64{1} << 63) == bits_of(-0x1p63f));
  CHECK(value("lane::float32_of_uint64_rto(bits)", 64, 32, ~U64{0}) == bits_of(0x1.fffffep63f));
  CHECK(value("lane::float32_of_uint64_rto(bits)", 64, 32, 0) == 0);
}

TEST_CASE("integers from floats") {
  const auto low32 = [](double v) {
    return static_cast<U64>(static_cast<std::uint32_t>(static_cast<std::int64_t>(v)));
  };
  const auto in_range = [](float v) { return v >= -2147483648.0f && v < 2147483648.0f; };
  compare(
      "lane::int32_of_float32_rtz(bits)", 32, 32,
      [&](U64 a) { return in_range(float_of(a)) ? low32(std::trunc(float_of(a))) : 0x80000000; }, false);
  compare(
      "lane::int32_of_float32_rne(bits)", 32, 32,
      [&](U64 a) { return in_range(float_of(a)) ? low32(std::nearbyint(float_of(a))) : 0x80000000; }, false);
  // The others have a domain: everything else is zeroed first.
  const std::string zeroed = "(lane::select(lane::gt(bits & 2147483647, 1325400063), 0, bits))";
  const auto bounded = [&](U64 a) {
    return in_range(float_of(a)) && a != 0xCF000000 ? static_cast<double>(float_of(a)) : 0.0;
  };
  compare(
      "lane::int32_of_float32_rna" + zeroed, 32, 32, [&](U64 a) { return low32(std::round(bounded(a))); }, false);
  compare(
      "lane::int32_of_float32_rtn" + zeroed, 32, 32, [&](U64 a) { return low32(std::floor(bounded(a))); }, false);
  compare(
      "lane::int32_of_float32_rtp" + zeroed, 32, 32, [&](U64 a) { return low32(std::ceil(bounded(a))); }, false);
  compare(
      "lane::int32_of_float32_rto" + zeroed, 32, 32,
      [&](U64 a) {
        const double down = std::floor(bounded(a));
        return low32(down) | (down != bounded(a) ? 1 : 0);
      },
      false);
  CHECK(value("lane::int32_of_float32_rtn(bits)", 32, 32, 0xCF000000) == 0x80000000);
  CHECK_FALSE(inside("lane::int32_of_float32_rtp(bits)", 32, 32, 0x4F000000));
  CHECK_FALSE(inside("lane::int32_of_float32_rna(bits)", 32, 32, 0x7FC00000));
  const auto long_of = [](double v) { return static_cast<U64>(static_cast<std::int64_t>(v)); };
  const auto in_long = [](double v) { return std::fabs(v) < 0x1p63; };
  compare(
      "lane::int64_of_float64_rtz(bits)", 64, 64,
      [&](U64 a) { return in_long(double_of(a)) ? long_of(std::trunc(double_of(a))) : U64{1} << 63; }, false);
  compare(
      "lane::int64_of_float64_rne(bits)", 64, 64,
      [&](U64 a) { return in_long(double_of(a)) ? long_of(std::nearbyint(double_of(a))) : U64{1} << 63; }, false);
  // Modulo 2^64.
  const auto wrapped = [](double v) {
    if (!std::isfinite(v)) return U64{0};
    const double magnitude = std::fmod(std::trunc(std::fabs(v)), 0x1p64);
    const U64 low = static_cast<U64>(magnitude);
    return v < 0 ? 0 - low : low;
  };
  compare(
      "lane::truncate_float32_to_int32(bits)", 32, 32, [&](U64 a) { return wrapped(float_of(a)) & 0xFFFFFFFF; }, false);
  compare(
      "lane::truncate_float32_to_int64(bits)", 32, 64, [&](U64 a) { return wrapped(float_of(a)); }, false);
  compare(
      "lane::truncate_float64_to_int32(bits)", 64, 32, [&](U64 a) { return wrapped(double_of(a)) & 0xFFFFFFFF; },
      false);
  compare(
      "lane::truncate_float64_to_int64(bits)", 64, 64, [&](U64 a) { return wrapped(double_of(a)); }, false);
  const std::string large =
      "(lane::select(lane::mask_and(lane::gt(bits & 2147483647, 1048575999), "
      "lane::gt(2139095040, bits & 2147483647)), bits, 0))";
  const auto kept = [](U64 a) { return std::fabs(float_of(a)) >= 0.25f ? static_cast<double>(float_of(a)) : 0.0; };
  compare(
      "lane::int32_of_float32_wrap_rtz" + large, 32, 32, [&](U64 a) { return wrapped(kept(a)) & 0xFFFFFFFF; }, false);
  compare(
      "lane::int32_of_float32_wrap_rne" + large, 32, 32,
      [&](U64 a) { return wrapped(std::nearbyint(kept(a))) & 0xFFFFFFFF; }, false);
  CHECK(value("lane::int32_of_float64_wrap_rne(bits)", 64, 32, bits_of(4294967297.5)) == 2);
  CHECK(value("lane::int32_of_float64_wrap_rtz(bits)", 64, 32, bits_of(-4294967297.5)) == 0xFFFFFFFF);
  CHECK_FALSE(inside("lane::int32_of_float64_wrap_rne(bits)", 64, 32, bits_of(0.2)));
  CHECK_FALSE(inside("lane::int32_of_float32_wrap_rtz(bits)", 32, 32, 0x7F800000));
}

TEST_CASE("floats from floats") {
  compare(
      "lane::float32_of_float64(bits)", 64, 32, [](U64 a) { return bits_of(static_cast<float>(double_of(a))); }, true);
  compare(
      "lane::float64_of_float32(bits)", 32, 64, [](U64 a) { return bits_of(static_cast<double>(float_of(a))); }, true);
  compare(
      "lane::float32_of_float64_rtz(bits)", 64, 32,
      [](U64 a) {
        const double v = double_of(a);
        const float near = static_cast<float>(v);
        return bits_of(std::fabs(static_cast<double>(near)) > std::fabs(v) ? std::nextafter(near, 0.0f) : near);
      },
      true);
  CHECK(value("lane::float32_of_float64(bits)", 64, 32, 0xFFF0000020000000) == 0xFFC00001);
  CHECK(value("lane::float32_of_float64_rtz(bits)", 64, 32, 0x7FF0000000000001) == 0x7FC00000);
  CHECK(value("lane::float64_of_float32(bits)", 32, 64, 0x7F800001) == 0x7FF8000020000000);
  CHECK(value("lane::float32_of_float16(bits)", 16, 32, 0x3C00) == bits_of(1.0f));
  CHECK(value("lane::float32_of_float16(bits)", 16, 32, 0x8001) == bits_of(-0x1p-24f));
  CHECK(value("lane::float32_of_float16(bits)", 16, 32, 0xFC01) == 0xFFC02000);
  CHECK(value("lane::float16_of_float32(bits)", 32, 16, bits_of(65519.0f)) == 0x7BFF);
  CHECK(value("lane::float16_of_float32(bits)", 32, 16, bits_of(65520.0f)) == 0x7C00);
  CHECK(value("lane::float16_of_float32(bits)", 32, 16, bits_of(0x1p-25f)) == 0x0000);
  CHECK(value("lane::float16_of_float32(bits)", 32, 16, bits_of(-0x1.8p-24f)) == 0x8002);
  CHECK(value("lane::float16_of_float32(bits)", 32, 16, 0x7F802000) == 0x7E01);
  // Every float16 goes to float32 and back.
  const Kernel there = kernel_of("lane::float16_of_float32(lane::float32_of_float16(bits))", 16, 16);
  std::vector<U64> in(65536), out(65536);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = i;
  Program(there, there.plans.at(0)).run(in, out, {});
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (out[i] != (kHalf.is_nan(i) ? i | 0x200 : i)) FAIL_CHECK(i);
  }
}

TEST_CASE("arithmetic of float32") {
  CHECK(value("lane::nan_becomes(bits, 2143289344)", 32, 32, 0xFF800001) == 0xFFC00000);
  CHECK(value("lane::nan_becomes(bits, 2143289344)", 32, 32, 0xFF800000) == 0xFF800000);
  CHECK(value("lane::nan_becomes(bits, 1)", 32, 32, 0xFF800001) == 0x80000001);
  CHECK_FALSE(inside("lane::nan_becomes(bits, 2147483649)", 32, 32, 0));  // 0x80000001
  CHECK(value("lane::nan_becomes(bits, 9221120237041090560)", 64, 64, 0x7FF0000000000001) == 0x7FF8000000000000);
  CHECK(value("lane::min_nan2(1065353216, bits)", 32, 32, 0x7FC00001) == 0x7FC00001);
  CHECK(value("lane::min_nan2(bits, 1065353216)", 32, 32, 0x7FC00001) == 0x3F800000);
  CHECK(value("lane::min_nan2(bits, 0)", 32, 32, 0x80000000) == 0);
  CHECK(value("lane::min_nan2(bits, 0)", 32, 32, 0x80000001) == 0x80000001);
  CHECK(value("lane::limit_magnitude(bits, 1065353216, 1073741824)", 32, 32, bits_of(-5.0f)) == bits_of(1.0f));
  CHECK(value("lane::limit_magnitude(bits, 1065353216, 1073741824)", 32, 32, bits_of(-0.5f)) == bits_of(0.5f));
  CHECK(value("lane::limit_magnitude(bits, 1065353216, 1073741824)", 32, 32, 0xFF800001) == bits_of(2.0f));
  CHECK_FALSE(inside("lane::limit_magnitude(bits, 1065353216, 1065353215)", 32, 32, 0));
  CHECK_FALSE(inside("lane::limit_magnitude(bits, 0, 2139095041)", 32, 32, 0));  // a NaN
  const std::string halves = "lane::half_ulps_rto(bits, 1245708288)";            // 1.5 * 2^21: an ulp is 1/4
  CHECK(value(halves, 32, 32, bits_of(0.25f)) == 2);
  CHECK(value(halves, 32, 32, bits_of(0.2500001f)) == 3);
  CHECK(value(halves, 32, 32, bits_of(0x1p20f)) == 0x800000);
  CHECK(value(halves, 32, 32, 1) == 1);
  CHECK_FALSE(inside(halves, 32, 32, bits_of(0x1p20f) + 1));
  CHECK_FALSE(inside(halves, 32, 32, bits_of(-1.0f)));
  CHECK_FALSE(inside("lane::half_ulps_rto(bits, 1245708289)", 32, 32, 0));
  CHECK(value("lane::binade(bits, 1065353216)", 32, 32, bits_of(-5.0f)) == bits_of(-4.0f));
  CHECK(value("lane::binade(bits, 1065353216)", 32, 32, bits_of(0.3f)) == bits_of(1.0f));
  CHECK_FALSE(inside("lane::binade(bits, 1065353216)", 32, 32, 0x7FC00000));
  CHECK_FALSE(inside("lane::binade(bits, 1065353217)", 32, 32, 0));
  // a * 2^k + c, for a and c at all distances: the product is exact where it is normal.
  castforge::exhaustive::Random random(9);
  const std::vector<U64> some = codes(32);
  std::size_t compared = 0, wrong = 0;
  for (std::size_t i = 0; i + 1 < some.size(); ++i) {
    const U64 a = some[i], b = (U64{100} + random.below(60)) << 23;
    const U64 c =
        i % 2 == 0 ? some[i + 1] : (some[i + 1] & 0x807FFFFF) | ((some[i] & 0x7F800000) ^ (random.below(32) << 23));
    if (!product_is_exact(a, b) || kSingle.is_nan(a) || kSingle.is_nan(c)) continue;
    const volatile float product = float_of(a) * float_of(b);
    const volatile float sum = product + float_of(c);
    if (sum != sum) continue;
    ++compared;
    if (multiply_add(a, b, c, 0x7FC00000, Rounding::nearest_even) == bits_of(static_cast<float>(sum)) || wrong++ > 2)
      continue;
    INFO(std::hex << a << " * " << b << " + " << c);
    CHECK(multiply_add(a, b, c, 0x7FC00000, Rounding::nearest_even) == bits_of(static_cast<float>(sum)));
  }
  CHECK(wrong == 0);
  CHECK(compared > 100000);
  CHECK(value("lane::multiply_add(bits, 1065353216, 4286578688)", 32, 32, 0x7F800000) == 0x7FC00000);
  CHECK_FALSE(inside("lane::multiply_add(bits, bits, 0)", 32, 32, 0x3F800001));
  CHECK_FALSE(inside("lane::multiply_add(bits, 1065353216, 0)", 32, 32, 0));
  CHECK_FALSE(inside("lane::multiply_add(bits, 1065353216, 0)", 32, 32, 0x3FC00000));
  CHECK_FALSE(inside("lane::multiply_add(lane::fill<std::uint32_t>(bits, 1065353216), bits, 0)", 32, 32, 0));
  CHECK(inside("lane::fused_multiply_add(bits, 1065353216, 0)", 32, 32, 0));
  // No subnormal factor, on either side, and no subnormal product; the sum may be one.
  CHECK_FALSE(inside("lane::multiply_add(bits, 1065353216, 0)", 32, 32, 0x00400000));
  CHECK_FALSE(inside("lane::multiply_add(lane::fill<std::uint32_t>(bits, 1065353216), bits, 0)", 32, 32, 0x80400000));
  CHECK_FALSE(inside("lane::multiply_add(bits, 1056964608, 0)", 32, 32, 0x00800000));
  CHECK(inside("lane::multiply_add(bits, 1065353216, 4194304)", 32, 32, 0x00800000));
}

TEST_CASE("every operation has a meaning for each of its widths") {
  std::set<std::string_view> names;
  for (const Operation& o : operations()) {
    INFO(o.name);
    CHECK(names.insert(o.name).second);
    CHECK((o.takes == Takes::nothing) == (o.admits == nullptr));
    for (int bits : {8, 16, 32, 64}) {
      if ((o.widths & bits) != 0) CHECK(o.run[width_index(bits)] != nullptr);
    }
  }
}

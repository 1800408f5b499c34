// Scalar words against plain integer arithmetic and the compiler's own conversions.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "buffers.hpp"
#include "simd/kernel.hpp"

using namespace castforge;
using lane::Word;

#if defined(CASTFORGE_ISA_SSE4_2)
#define TESTED_ISA "sse4_2"
#elif defined(CASTFORGE_ISA_AVX2)
#define TESTED_ISA "avx2"
#elif defined(CASTFORGE_ISA_AVX512)
#define TESTED_ISA "avx512"
#elif defined(CASTFORGE_ISA_AVX512VBMI)
#define TESTED_ISA "avx512vbmi"
#elif defined(CASTFORGE_ISA_NEON64)
#define TESTED_ISA "neon64"
#else
#define TESTED_ISA "portable"
#endif
extern "C" {
extern const char castforge_test_isa[];
const char castforge_test_isa[] = TESTED_ISA;
}

using W8 = Word<std::uint8_t>;
using W16 = Word<std::uint16_t>;
using W32 = Word<std::uint32_t>;
using W64 = Word<std::uint64_t>;

static_assert((W8(200) + W8(100)).value == 44);
static_assert((W8(1) - 2).value == 255 && (1 - W8(2)).value == 255);
static_assert((W16(0xFFFF) << 4).value == 0xFFF0);
static_assert(lane::shl(W32(1), W32(31)).value == 0x80000000);
static_assert(lane::shl(W32(1), 32).value == 0 && lane::shr(W32(0x80000000), 0xFFFFFFFF).value == 0);
static_assert(lane::shr(W64(1ull << 63), 63).value == 1 && lane::shr(1ull << 63, W64(64)).value == 0);
static_assert(lane::sar<4>(W8(0x80)).value == 0xF8 && lane::sar<31>(W32(0x7FFFFFFF)).value == 0);
static_assert(!lane::gt_unsigned(W8(1), W8(255)) && lane::gt(W8(2), 1));
static_assert(lane::min(W8(1), W8(255)).value == 1 && lane::min_signed(W8(1), W8(255)).value == 255);
static_assert(lane::max(W64(1), ~0ull).value == ~0ull && lane::max_signed(W64(1), ~0ull).value == 1);
static_assert(std::is_same_v<decltype(lane::select(lane::eq(W16(3), 3), 0, 1)), W16>);  // a mask has a width
static_assert(lane::select(lane::eq(W16(3), W16(3)), 7, 8).value == 7);
static_assert(lane::merge(W8(0xF0), 0xAA, W8(0x55)).value == 0xA5);
static_assert(lane::subtract_saturated(W8(0x80), 1).value == 0x80 &&
              lane::subtract_saturated(W8(0x7F), W8(0xFF)).value == 0x7F);
static_assert(lane::subtract_or_zero(W8(200), 100).value == 100 && lane::subtract_or_zero(W8(100), 200).value == 0);
static_assert(lane::add_saturated(W8(200), 100).value == 255 && lane::abs(W8(0x80)).value == 0x80 &&
              lane::abs(W8(0xFF)).value == 1);
static_assert(lane::leading_zeros(W32(0)).value == 32 && lane::leading_zeros(W32(1)).value == 31 &&
              lane::leading_zeros(W64(0)).value == 64 && lane::leading_zeros(W64(~0ull)).value == 0);
static_assert(lane::negate_where(W8(5), 0x80).value == 0xFB && lane::negate_where(W8(5), 1).value == 5);
static_assert(lane::widen<std::uint32_t>(W8(0x80)).value == 0x80 &&
              lane::widen_signed<std::uint32_t>(W8(0x80)).value == 0xFFFFFF80);
static_assert(lane::byte<2>(W32(0x12345678)).value == 0x34 && lane::high_half(W32(0x12345678)).value == 0x1234);
static_assert(lane::round_high_half(W32(0x12348000)).value == 0x1234 &&
              lane::round_high_half(W32(0x12358000)).value == 0x1236);
static_assert(lane::odd_high_half(W32(0x12340000)).value == 0x1234 &&
              lane::odd_high_half(W32(0x12340001)).value == 0x1235 &&
              lane::odd_high_half(W32(0x1235FFFF)).value == 0x1235);
static_assert(lane::fold<20>(W32(0x01200005)).value == 0x17 && lane::sign8<3>(W32(0x80000000)).value == 8);
static_assert(lane::join<std::uint32_t>(0, W8(1), 0, W8(0x80)).value == 0x80000100);
static_assert(lane::fill<std::uint64_t>(W8(1), 7).value == 7);
static_assert(lane::float32_of(W32(0)).value == 0 && lane::float32_of_int(W32(0u - 3)).value == 0xC0400000);
static_assert(lane::float64_of(W64((1ull << 53) - 1)).value == 0x433FFFFFFFFFFFFF);
static_assert(lane::float16_of_float32(W32(0x477FF000)).value == 0x7C00);  // halfway above the largest: infinity
static_assert(lane::float16_of_float32(W32(0x477FEFFF)).value == 0x7BFF);
static_assert(lane::float16_of_float32(W32(0x33000000)).value == 0);  // halfway to the smallest: even, zero
static_assert(lane::float16_of_float32(W32(0x33000001)).value == 1);
static_assert(lane::float16_of_float32_rtz(W32(0x7F7FFFFF)).value == 0x7BFF);  // toward zero: the largest number
static_assert(lane::float16_of_float32_rtn(W32(0x7F7FFFFF)).value == 0x7BFF);
static_assert(lane::float16_of_float32_rtp(W32(0x7F7FFFFF)).value == 0x7C00);
static_assert(lane::float16_of_float32_rtn(W32(0xFF7FFFFF)).value == 0xFC00);
static_assert(lane::float16_of_float32_rtp(W32(0xFF7FFFFF)).value == 0xFBFF);
static_assert(lane::float16_of_float32_rtn(W32(0x80000001)).value == 0x8001);
static_assert(lane::float16_of_float32_rtp(W32(0x80000001)).value == 0x8000);
static_assert(lane::float32_of_float64_rtz(W64(0x7FEFFFFFFFFFFFFF)).value == 0x7F7FFFFF);
static_assert(lane::min_nan2(W32(0x7FC00000), 5).value == 5 && lane::min_nan2(W32(5), 0x7FC00000).value == 0x7FC00000);
static_assert(lane::min_nan2(W32(0), 0x80000000).value == 0x80000000);  // zeros are equal
// 0x4A400000: 1.5 * 2^21, in whose binade an ulp is 1/4
static_assert(lane::half_ulps_rto(W32(0x3E800000), 0x4A400000).value == 2);  // 1/4
static_assert(lane::half_ulps_rto(W32(0x3E800001), 0x4A400000).value == 3);
static_assert(lane::half_ulps_rto(W32(0x40C00000), 0x4A400000).value == 48 &&
              lane::half_ulps_rto(W32(1), 0x4A400000).value == 1);
static_assert(lane::limit_magnitude(W32(0xC0000000), 0x3F800000, 0x40000000).value == 0x3F800000);
static_assert(lane::limit_magnitude(W32(0xFF800001), 0x3F800000, 0x40000000).value == 0x40000000);
static_assert(lane::limit_magnitude(W32(0x80000001), 0x3F800000, 0x40000000).value == 1);

TEST_CASE("float16 and float32 convert as the compiler's types do", "[simd][words]") {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const std::uint32_t wide = lane::float32_of_float16(W16(static_cast<std::uint16_t>(h))).value;
    if ((h & 0x7FFF) > 0x7C00) {
      REQUIRE(wide == ((h & 0x8000) << 16 | 0x7FC00000 | (h & 0x3FF) << 13));
      REQUIRE(lane::float16_of_float32(W32(wide)).value == (h | 0x200));
      continue;
    }
    const double sign = (h & 0x8000) != 0 ? -1.0 : 1.0;
    const int field = static_cast<int>(h >> 10 & 31), fraction = static_cast<int>(h & 0x3FF);
    const double value = field == 31  ? INFINITY
                         : field == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, field - 25);
    REQUIRE(wide == std::bit_cast<std::uint32_t>(static_cast<float>(sign * value)));
    REQUIRE(lane::float16_of_float32(W32(wide)).value == h);
    // One float32 step either side of the midpoint to the next code, and the midpoint: to even.
    if ((h & 0x7FFF) < 0x7C00) {
      const double next = (h & 0x7FFF) == 0x7BFF
                              ? 65536.0
                              : std::abs(static_cast<double>(std::bit_cast<float>(
                                    lane::float32_of_float16(W16(static_cast<std::uint16_t>(h + 1))).value)));
      const auto middle = std::bit_cast<std::uint32_t>(static_cast<float>(sign * (value + next) / 2));
      REQUIRE(lane::float16_of_float32(W32(middle - 1)).value == h);
      REQUIRE(lane::float16_of_float32(W32(middle)).value == (h & 1 ? h + 1 : h));
      REQUIRE(lane::float16_of_float32(W32(middle + 1)).value == h + 1);
    }
  }
}

TEST_CASE("float32 and float64 convert as the compiler's types do", "[simd][words]") {
  for (const std::uint32_t v : test_values<std::uint32_t>(20000)) {
    const std::uint64_t wide = lane::float64_of_float32(W32(v)).value;
    if ((v & 0x7FFFFFFF) > 0x7F800000) {
      REQUIRE(wide == (std::uint64_t{v & 0x80000000} << 32 | 0x7FF8000000000000 | std::uint64_t{v & 0x7FFFFF} << 29));
    } else {
      REQUIRE(wide == std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(v))));
    }
  }
  for (const std::uint64_t v : test_values<std::uint64_t>(20000)) {
    const std::uint64_t narrow = lane::float32_of_float64(W64(v)).value;
    if ((v & ~(1ull << 63)) > 0x7FF0000000000000) {
      REQUIRE(narrow == ((v >> 63 << 31) | 0x7FC00000 | (v >> 29 & 0x3FFFFF)));
    } else {
      const volatile double d = std::bit_cast<double>(v);
      REQUIRE(narrow == std::bit_cast<std::uint32_t>(static_cast<float>(d)));
    }
  }
}

TEST_CASE("float32 to int32 rounds as asked", "[simd][words]") {
  for (const std::uint32_t v : test_values<std::uint32_t>(20000)) {
    const float f = std::bit_cast<float>(v);
    if (!(std::abs(f) < 2147483648.0f)) {
      REQUIRE(lane::int32_of_float32_rne(W32(v)).value == 0x80000000);
      REQUIRE(lane::int32_of_float32_rtz(W32(v)).value == 0x80000000);
      continue;
    }
    REQUIRE(lane::int32_of_float32_rne(W32(v)).value ==
            static_cast<std::uint32_t>(static_cast<std::int32_t>(std::nearbyint(f))));
    REQUIRE(lane::int32_of_float32_rtz(W32(v)).value ==
            static_cast<std::uint32_t>(static_cast<std::int32_t>(std::trunc(f))));
  }
}

TEST_CASE("float64 to int64 rounds as asked", "[simd][words]") {
  for (const std::uint64_t v : test_values<std::uint64_t>(20000)) {
    const double d = std::bit_cast<double>(v);
    const bool none = !(std::abs(d) < 0x1p63);
    REQUIRE(lane::int64_of_float64_rne(W64(v)).value ==
            (none ? 1ull << 63 : static_cast<std::uint64_t>(std::llrint(d))));
    REQUIRE(lane::int64_of_float64_rtz(W64(v)).value ==
            (none ? 1ull << 63 : static_cast<std::uint64_t>(static_cast<std::int64_t>(d))));
  }
}

TEST_CASE("multiply_add is the compiler's fused operation", "[simd][words]") {
  Random rng(11);
  for (int i = 0; i < 300000; ++i) {
    const std::uint64_t bits = rng.next();
    const auto a = static_cast<std::uint32_t>(bits), b = static_cast<std::uint32_t>(bits >> 32);
    auto c = static_cast<std::uint32_t>(rng.next());
    if (i % 2 == 0) {  // near the product
      const std::uint32_t field = (a >> 23) + (b >> 23) - 127 + static_cast<std::uint32_t>(rng.next() % 60) - 30;
      c = (c & 0x807FFFFF) | (field & 0xFF) << 23;
    }
    const float want = std::fma(std::bit_cast<float>(a), std::bit_cast<float>(b), std::bit_cast<float>(c));
    const std::uint32_t got = lane::multiply_add(W32(a), b, c).value;
    REQUIRE((std::isnan(want) ? (got & 0x7FFFFFFF) > 0x7F800000 : got == std::bit_cast<std::uint32_t>(want)));
  }
}

TEST_CASE("integers to floats as the compiler converts them", "[simd][words]") {
  for (const std::uint64_t v : test_values<std::uint64_t>(20000)) {
    const auto half = static_cast<std::uint32_t>(v);
    REQUIRE(lane::float32_of_int64(W64(v)).value ==
            std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(v))));
    REQUIRE(lane::float32_of_uint64(W64(v)).value == std::bit_cast<std::uint32_t>(static_cast<float>(v)));
    const auto odd = std::bit_cast<float>(lane::float32_of_uint64_rto(W64(v)).value);
    const bool exact = v <= 1ull << 24 || (v & ((1ull << (std::bit_width(v) - 24)) - 1)) == 0;
    REQUIRE((exact ? static_cast<float>(v) == odd : (std::bit_cast<std::uint32_t>(odd) & 1) != 0));
    REQUIRE(std::abs(odd - static_cast<float>(v)) <= std::nextafter(odd, INFINITY) - odd);
    const auto negative = std::bit_cast<float>(lane::float32_of_int64_rto(W64(0 - (v >> 1))).value);
    REQUIRE((v < 2 || -negative == std::bit_cast<float>(lane::float32_of_uint64_rto(W64(v >> 1)).value)));
    REQUIRE(lane::float64_of_int64(W64(v)).value ==
            std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(v))));
    REQUIRE(lane::float64_of_uint64(W64(v)).value == std::bit_cast<std::uint64_t>(static_cast<double>(v)));
    REQUIRE(lane::float32_of_int32(W32(half)).value ==
            std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(half))));
    REQUIRE(lane::float32_of_uint32(W32(half)).value == std::bit_cast<std::uint32_t>(static_cast<float>(half)));
    REQUIRE(lane::float64_of_int32(W32(half)).value ==
            std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int32_t>(half))));
  }
}

TEST_CASE("an instruction set meets what it offers and nothing else", "[simd][words]") {
  using lane::Needs;
  REQUIRE(lane::isa_meets(Needs::nothing));
  REQUIRE(lane::isa_meets(lane::kIsaHas));
  REQUIRE(lane::isa_meets(Needs::vector) == (CASTFORGE_VECTOR != 0));
  REQUIRE(lane::isa_meets(Needs::bytes16) == (CASTFORGE_X86 >= 1));
  REQUIRE(lane::isa_meets(Needs::avx512) == (CASTFORGE_X86 >= 3));
  REQUIRE(lane::isa_meets(Needs::vbmi) == (CASTFORGE_X86 >= 4));
  REQUIRE(lane::isa_meets(Needs::float16) == (CASTFORGE_X86 >= 2 || CASTFORGE_NEON != 0));
  REQUIRE(lane::isa_meets(Needs::neon) == (CASTFORGE_NEON != 0));
}

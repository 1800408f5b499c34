// Scalar words against plain integer arithmetic and the compiler's own conversions.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "buffers.hpp"
#include "simd/lane.hpp"

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
static_assert((W8(1) - W8(2)).value == 255);
static_assert((W16(0xFFFF) << 4).value == 0xFFF0);
static_assert((~W16(0x00FF) >> 4).value == 0x0FF0);
static_assert(lane::shl(W32(1), W32(31)).value == 0x80000000);
static_assert(lane::shl(W32(1), W32(32)).value == 0 && lane::shr(W32(0x80000000), W32(0xFFFFFFFF)).value == 0);
static_assert(lane::shr(W64(1ull << 63), W64(63)).value == 1 && lane::shr(W64(1ull << 63), W64(64)).value == 0);
static_assert(lane::sar<4>(W8(0x80)).value == 0xF8 && lane::sar<31>(W32(0x7FFFFFFF)).value == 0);
static_assert(lane::gt(W8(1), W8(255)) && !lane::gt_unsigned(W8(1), W8(255)));
static_assert(lane::min(W8(1), W8(255)).value == 1 && lane::min_signed(W8(1), W8(255)).value == 255);
static_assert(lane::max(W64(1), W64(~0ull)).value == ~0ull && lane::max_signed(W64(1), W64(~0ull)).value == 1);
static_assert(lane::select(lane::eq(W16(3), W16(3)), W16(7), W16(8)).value == 7);
static_assert(lane::neg(W32(1)).value == 0xFFFFFFFF);
static_assert(lane::clamp(W32(9), W32(2), W32(5)).value == 5);
static_assert(lane::mul_low(W16(0xFFFF), W16(0xFFFF)).value == 1);
static_assert(lane::ones_where<std::uint16_t>(true).value == 0xFFFF);
static_assert(lane::float32_of(W32(0)).value == 0 && lane::float32_of(W32(0u - 3)).value == 0xC0400000);
static_assert(lane::float64_of(W64((1ull << 53) - 1)).value == 0x433FFFFFFFFFFFFF);
static_assert(lane::float16_of_float32(W32(0x477FF000)).value == 0x7C00);  // halfway above the largest: infinity
static_assert(lane::float16_of_float32(W32(0x477FEFFF)).value == 0x7BFF);
static_assert(lane::float16_of_float32(W32(0x33000000)).value == 0);  // halfway to the smallest: even, zero
static_assert(lane::float16_of_float32(W32(0x33000001)).value == 1);
static_assert(lane::float32_of_float16(W32(0xDEAD0001)).value == 0x33800000);  // the upper half is ignored

TEST_CASE("float16 and float32 convert as the compiler's types do", "[simd][words]") {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const std::uint32_t wide = lane::float32_of_float16(W32(h)).value;
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
      const double next = (h & 0x7FFF) == 0x7BFF ? 65536.0
                                                 : std::abs(static_cast<double>(std::bit_cast<float>(
                                                       lane::float32_of_float16(W32(h + 1)).value)));
      const auto middle = std::bit_cast<std::uint32_t>(static_cast<float>(sign * (value + next) / 2));
      REQUIRE(lane::float16_of_float32(W32(middle - 1)).value == h);
      REQUIRE(lane::float16_of_float32(W32(middle)).value == (h & 1 ? h + 1 : h));
      REQUIRE(lane::float16_of_float32(W32(middle + 1)).value == h + 1);
    }
  }
}

TEST_CASE("float32 and float64 convert as the compiler's types do", "[simd][words]") {
  for (const std::uint32_t v : test_values<std::uint32_t>(20000)) {
    const std::uint64_t wide = lane::float64_of_float32(W64(v)).value;
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
    REQUIRE(lane::int64_of_float64_rne(W64(v)).value == (none ? 1ull << 63 : static_cast<std::uint64_t>(std::llrint(d))));
    REQUIRE(lane::int64_of_float64_rtz(W64(v)).value == (none ? 1ull << 63 : static_cast<std::uint64_t>(static_cast<std::int64_t>(d))));
  }
}

TEST_CASE("an instruction set meets what it offers and nothing else", "[simd][words]") {
  using lane::Needs;
  REQUIRE(lane::isa_meets(Needs::nothing));
  REQUIRE(lane::isa_meets(lane::kIsaHas));
  REQUIRE(lane::isa_meets(Needs::vector) == (CASTFORGE_VECTOR != 0));
  REQUIRE(lane::isa_meets(Needs::fma) == (CASTFORGE_X86 >= 2 || CASTFORGE_NEON));
  REQUIRE(lane::isa_meets(Needs::avx512) == (CASTFORGE_X86 >= 3));
  REQUIRE(lane::isa_meets(Needs::vbmi) == (CASTFORGE_X86 >= 4));
}

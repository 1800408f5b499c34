// The encodings: facts that the format definitions print.
#include <catch2/catch_test_macros.hpp>

#include <cmath>

#include "helpers.hpp"

using namespace castforge::oracle;

namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};

struct Facts {
  Format format;
  long double max_finite;
  std::uint64_t max_code;
  int min_normal;  // exponent of two
  std::uint64_t min_normal_code;
  int min_positive;             // exponent of two of the smallest value above zero
  std::uint64_t negative_zero;  // code or kNone
  std::uint64_t infinity;       // positive code or kNone
  std::uint64_t canonical_nan;  // positive code or kNone
  // Counted for formats of at most 16 bits.
  std::uint64_t distinct = 0;  // finite values, the two zeros counted once
  std::uint64_t infinities = 0;
  std::uint64_t nans = 0;
};

void check(const Facts& f) {
  INFO(f.format.name);
  const Codec c(f.format);
  CHECK(c.max_code(false) == f.max_code);
  CHECK(c.decode(f.max_code).magnitude == f.max_finite);
  CHECK(c.decode(f.min_normal_code).magnitude == std::ldexp(1.0L, f.min_normal));
  CHECK(c.decode(c.has_zero() ? 1 : 0).magnitude == std::ldexp(1.0L, f.min_positive));
  CHECK(c.has_negative_zero() == (f.negative_zero != kNone));
  if (f.negative_zero != kNone) {
    const Value v = c.decode(f.negative_zero);
    CHECK((v.what == Class::finite && v.negative && v.magnitude == 0));
  }
  CHECK(c.has_infinity() == (f.infinity != kNone));
  if (f.infinity != kNone) {
    CHECK(c.infinity_code(false) == f.infinity);
    CHECK(c.decode(f.infinity).what == Class::infinite);
  }
  CHECK(c.has_nan() == (f.canonical_nan != kNone));
  if (f.canonical_nan != kNone) {
    CHECK(c.nan_code(false) == f.canonical_nan);
    CHECK(c.decode(f.canonical_nan).what == Class::nan);
  }
  if (f.format.bits > 16) return;
  std::uint64_t finite = 0, infinities = 0, nans = 0;
  for (std::uint64_t code = 0; code < (std::uint64_t{1} << f.format.bits); ++code) {
    const Value v = c.decode(code);
    finite += v.what == Class::finite;
    infinities += v.what == Class::infinite;
    nans += v.what == Class::nan;
    if (c.is_nan(code) != (v.what == Class::nan)) FAIL("is_nan and decode disagree on " << code);
  }
  CHECK(finite - (c.has_negative_zero() ? 1 : 0) == f.distinct);
  CHECK(infinities == f.infinities);
  CHECK(nans == f.nans);
}

}  // namespace

TEST_CASE("formats of the systems") {
  check({format("float64"), 0x1.fffffffffffffp+1023L, 0x7FEFFFFFFFFFFFFF, -1022, 0x0010000000000000, -1074,
         0x8000000000000000, 0x7FF0000000000000, 0x7FF8000000000000});
  check({format("float32"), 0x1.fffffep+127L, 0x7F7FFFFF, -126, 0x00800000, -149, 0x80000000, 0x7F800000, 0x7FC00000});
  check({format("bfloat16"), 0x1.fep+127L, 0x7F7F, -126, 0x0080, -133, 0x8000, 0x7F80, 0x7FC0, 65279, 2, 254});
  check({format("float16"), 65504, 0x7BFF, -14, 0x0400, -24, 0x8000, 0x7C00, 0x7E00, 63487, 2, 2046});
  check({format("float8e4m3fn"), 448, 0x7E, -6, 0x08, -9, 0x80, kNone, 0x7F, 253, 0, 2});
  check({format("float8e4m3fnuz"), 240, 0x7F, -7, 0x08, -10, kNone, kNone, 0x80, 255, 0, 1});
  check({format("float8e5m2"), 57344, 0x7B, -14, 0x04, -16, 0x80, 0x7C, 0x7E, 247, 2, 6});
  check({format("float8e5m2fnuz"), 57344, 0x7F, -15, 0x04, -17, kNone, kNone, 0x80, 255, 0, 1});
  check({format("float8e8m0"), 0x1p127L, 0xFE, -127, 0x00, -127, kNone, kNone, 0xFF, 255, 0, 1});
  check({format("float4e2m1"), 6, 7, 0, 2, -1, 8, kNone, kNone, 15, 0, 0});
}

TEST_CASE("formats given by parameters") {
  const auto make = make_floating;
  check({make("float8e4m3", true, 4, 3, 7, true, true, Nan::ieee, 8), 240, 0x77, -6, 0x08, -9, 0x80, 0x78, 0x7C, 239, 2,
         14});
  check({make("float8e3m4", true, 3, 4, 3, true, true, Nan::ieee, 8), 15.5L, 0x6F, -2, 0x10, -6, 0x80, 0x70, 0x78, 223,
         2, 30});
  check({make("float8e4m3b11fnuz", true, 4, 3, 11, true, false, Nan::negative_zero, 8), 30, 0x7F, -10, 0x08, -13, kNone,
         kNone, 0x80, 255, 0, 1});
  check({make("float6e2m3", true, 2, 3, 1, true, false, Nan::none, 8), 7.5L, 0x1F, 0, 0x08, -3, 0x20, kNone, kNone, 63,
         0, 0});
  check({make("float6e3m2", true, 3, 2, 3, true, false, Nan::none, 8), 28, 0x1F, -2, 0x04, -4, 0x20, kNone, kNone, 63,
         0, 0});
  check({make("binary8p1", true, 7, 0, 64, true, true, Nan::negative_zero, 8), 0x1p62L, 0x7E, -63, 0x01, -63, kNone,
         0x7F, 0x80, 253, 2, 1});
  check({make("binary8p3", true, 5, 2, 16, true, true, Nan::negative_zero, 8), 49152, 0x7E, -15, 0x04, -17, kNone, 0x7F,
         0x80, 253, 2, 1});
  check({make("binary8p7", true, 1, 6, 1, true, true, Nan::negative_zero, 8), 1.96875L, 0x7E, 0, 0x40, -6, kNone, 0x7F,
         0x80, 253, 2, 1});
  check({make("float12e5m6", true, 5, 6, 15, true, true, Nan::ieee, 16), 65024, 0x7BF, -14, 0x040, -20, 0x800, 0x7C0,
         0x7E0, 3967, 2, 126});
  check({make("float10e5m4", true, 5, 4, 15, true, true, Nan::ieee, 16), 63488, 0x1EF, -14, 0x010, -18, 0x200, 0x1F0,
         0x1F8, 991, 2, 30});
  check({make("float8e6m1", true, 6, 1, 31, true, false, Nan::top, 8), 0x1p32L, 0x7E, -30, 0x02, -31, 0x80, kNone, 0x7F,
         253, 0, 2});
  check({make("ufloat8e5m3", false, 5, 3, 15, true, true, Nan::top, 8), 106496, 0xFD, -14, 0x08, -17, kNone, 0xFE, 0xFF,
         254, 1, 1});
  check({make("ufloat7e4m3", false, 4, 3, 7, true, false, Nan::top, 8), 448, 0x7E, -6, 0x08, -9, kNone, kNone, 0x7F,
         127, 0, 1});
  check({make("float4e3m0", true, 3, 0, 3, true, false, Nan::none, 4), 16, 7, -2, 1, -2, 8, kNone, kNone, 15, 0, 0});
}

TEST_CASE("integers decode as two's complement") {
  CHECK((codec("int2").decode(2).negative && codec("int2").decode(2).magnitude == 2));
  CHECK((codec("int4").decode(0xF).negative && codec("int4").decode(0xF).magnitude == 1));
  CHECK((codec("int8").decode(0x80).negative && codec("int8").decode(0x80).magnitude == 128));
  CHECK(codec("uint8").decode(0x80).magnitude == 128);
  CHECK(codec("int64").decode(0x8000000000000000).magnitude == 0x1p63L);
  CHECK(codec("uint64").decode(~std::uint64_t{0}).magnitude == 0x1p64L - 1);
  CHECK(codec("bool").decode(2).magnitude == 1);
}

TEST_CASE("hardware conversions agree where the hardware has them") {
  // An independent witness for the wide formats: the processor's own nearest-even conversions.
  std::uint64_t state = 0x9E3779B97F4A7C15;
  const auto next = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  for (int i = 0; i < 200000; ++i) {
    const double x = std::bit_cast<double>(next());
    if (std::isnan(x)) continue;
    const double near =
        std::ldexp(1.0 + static_cast<double>(next() >> 12) * 0x1p-52, static_cast<int>(next() % 300) - 150);
    for (const double y : {x, near, -near}) {
      const std::uint64_t code = std::bit_cast<std::uint64_t>(y);
      const auto want = std::bit_cast<std::uint32_t>(static_cast<float>(y));
      if (convert(codec("float64"), codec("float32"), Rule{}, code) != want) FAIL("float64 " << y << " to float32");
    }
    const std::uint64_t n = next() >> (next() % 64);
    const auto s = static_cast<std::int64_t>(n);
    if (convert(codec("uint64"), codec("float32"), Rule{}, n) != std::bit_cast<std::uint32_t>(static_cast<float>(n)) ||
        convert(codec("int64"), codec("float32"), Rule{}, n) != std::bit_cast<std::uint32_t>(static_cast<float>(s)) ||
        convert(codec("uint64"), codec("float64"), Rule{}, n) != std::bit_cast<std::uint64_t>(static_cast<double>(n)) ||
        convert(codec("int64"), codec("float64"), Rule{}, n) != std::bit_cast<std::uint64_t>(static_cast<double>(s))) {
      FAIL("integer " << n);
    }
  }
}

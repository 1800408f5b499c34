// Every function of the vocabulary: vectors against scalar words, lane by lane.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "buffers.hpp"
#include "simd/environment.hpp"
#include "simd/widen.hpp"

#if CASTFORGE_VECTOR

using namespace castforge;
using lane::Batch;
using lane::Word;

namespace {

// Applies f to vectors and words of (a, b, c); the operands of neighbouring lanes differ. Counts differing lanes.
template <class U, class F>
int mismatches3(const std::vector<U>& as, const std::vector<U>& bs, const std::vector<U>& cs, F f) {
  constexpr std::size_t lanes = Batch<U>::kLanes;
  int wrong = 0;
  U a[lanes], b[lanes], c[lanes], got[lanes];
  for (std::size_t i = 0; i < as.size(); i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) {
      a[k] = as[(i + k) % as.size()], b[k] = bs[(i + k) % bs.size()], c[k] = cs[(i + k) % cs.size()];
    }
    const auto vector = [](const U* p) { return simd::load<U>(reinterpret_cast<const std::byte*>(p)); };
    simd::store(reinterpret_cast<std::byte*>(got), Batch<U>(f(vector(a), vector(b), vector(c))));
    for (std::size_t k = 0; k < lanes; ++k) wrong += got[k] != f(Word<U>(a[k]), Word<U>(b[k]), Word<U>(c[k])).value;
  }
  return wrong;
}

template <class U, class F>
int mismatches1(const std::vector<U>& as, F f) {
  return mismatches3<U>(as, as, as, [f](auto a, auto, auto) { return f(a); });
}

// Pairs every value of a small set with every other, then many random pairs.
template <class U, class F>
int mismatches2(F f) {
  const std::vector<U> small = test_values<U>(8);
  std::vector<U> as, bs;
  for (const U a : small) {
    for (const U b : small) as.push_back(a), bs.push_back(b);
  }
  const std::vector<U> random = test_values<U>(20001);
  for (std::size_t i = 0; i < random.size(); ++i) {
    as.push_back(random[i]), bs.push_back(random[(i * 7 + 1) % random.size()]);
  }
  return mismatches3<U>(as, bs, bs, [f](auto a, auto b, auto) { return f(a, b); });
}

template <class U, int N>
int sar_mismatches(const std::vector<U>& values) {
  int wrong = mismatches1<U>(values, [](auto a) { return lane::sar<N>(a); });
  if constexpr (N > 0) wrong += sar_mismatches<U, N - 1>(values);
  return wrong;
}

template <class U>
void check_integer_vocabulary() {
  const std::vector<U> values = test_values<U>(4000);
  CHECK(mismatches2<U>([](auto a, auto b) { return a + b; }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return a - b; }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return a & b; }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return a | b; }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return a ^ b; }) == 0);
  CHECK(mismatches1<U>(values, [](auto a) { return ~a; }) == 0);
  CHECK(mismatches1<U>(values, [](auto a) { return lane::neg(a); }) == 0);
  CHECK(mismatches1<U>(values, [](auto a) { return a ^ decltype(a)(static_cast<U>(0x1234567890ABCDEF)); }) == 0);
  for (int n = 0; n < Word<U>::kBits; ++n) {
    CHECK(mismatches1<U>(values, [n](auto a) { return a << n; }) == 0);
    CHECK(mismatches1<U>(values, [n](auto a) { return a >> n; }) == 0);
  }
  CHECK(sar_mismatches<U, Word<U>::kBits - 1>(values) == 0);

  CHECK(mismatches2<U>([](auto a, auto b) { return lane::min(a, b); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::max(a, b); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::min_signed(a, b); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::max_signed(a, b); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::ones_where<U>(lane::eq(a, b)); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::ones_where<U>(lane::ne(a, b)); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::ones_where<U>(lane::gt(a, b)); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::ones_where<U>(lane::gt_unsigned(a, b)); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::select(lane::gt(a, b), b, ~a); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::zero_unless(lane::gt_unsigned(a, b), b); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) {
          return lane::ones_where<U>(lane::mask_and(lane::gt(a, b), lane::gt_unsigned(a, b)));
        }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) {
          return lane::ones_where<U>(lane::mask_or(lane::gt(a, b), lane::gt_unsigned(a, b)));
        }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) { return lane::ones_where<U>(lane::mask_not(lane::gt(a, b))); }) == 0);
  CHECK(mismatches2<U>([](auto a, auto b) {
          return lane::clamp(a, lane::min(b, decltype(a)(U{9})), decltype(a)(U{100}));
        }) == 0);
  if constexpr (sizeof(U) == 2 || sizeof(U) == 4) {
    CHECK(mismatches2<U>([](auto a, auto b) { return lane::mul_low(a, b); }) == 0);
  }
  if constexpr (sizeof(U) > 1) {
    CHECK(mismatches2<U>([](auto a, auto b) { return lane::shl(a, b); }) == 0);
    CHECK(mismatches2<U>([](auto a, auto b) { return lane::shr(a, b); }) == 0);
    std::vector<U> as, counts;
    for (const U v : test_values<U>(50)) {
      for (int n = 0; n <= Word<U>::kBits + 2; ++n) as.push_back(v), counts.push_back(static_cast<U>(n));
    }
    CHECK(mismatches3<U>(as, counts, counts, [](auto a, auto n, auto) { return lane::shl(a, n); }) == 0);
    CHECK(mismatches3<U>(as, counts, counts, [](auto a, auto n, auto) { return lane::shr(a, n); }) == 0);
  }
}

template <class U, class Keep>
std::vector<U> where(const std::vector<U>& values, Keep keep) {
  std::vector<U> kept;
  for (const U v : values) {
    if (keep(v)) kept.push_back(v);
  }
  return kept;
}

bool is_nan32(std::uint32_t v) { return (v & 0x7FFFFFFF) > 0x7F800000; }
bool is_nan64(std::uint64_t v) { return (v & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000; }

}  // namespace

TEST_CASE("integer vocabulary, 8-bit lanes", "[simd][lanes]") { check_integer_vocabulary<std::uint8_t>(); }
TEST_CASE("integer vocabulary, 16-bit lanes", "[simd][lanes]") { check_integer_vocabulary<std::uint16_t>(); }
TEST_CASE("integer vocabulary, 32-bit lanes", "[simd][lanes]") { check_integer_vocabulary<std::uint32_t>(); }
TEST_CASE("integer vocabulary, 64-bit lanes", "[simd][lanes]") { check_integer_vocabulary<std::uint64_t>(); }

TEST_CASE("16-entry lookup", "[simd][lanes]") {
  [[maybe_unused]] static constexpr std::array<std::uint8_t, 16> table = {3, 1,  4,  1,  5,  9,  2,  6,
                                                                          5, 35, 89, 79, 32, 38, 46, 255};
  std::vector<std::uint8_t> all(256);
  for (std::size_t i = 0; i < 256; ++i) all[i] = static_cast<std::uint8_t>(i);
  CHECK(mismatches1<std::uint8_t>(all, [](auto v) { return lane::lookup16<table>(v); }) == 0);
}

TEST_CASE("integers to floats", "[simd][lanes]") {
  const auto small = where(test_values<std::uint32_t>(40000), [](std::uint32_t v) {
    return static_cast<std::int32_t>(v) <= 1 << 24 && static_cast<std::int32_t>(v) >= -(1 << 24);
  });
  CHECK(mismatches1<std::uint32_t>(small, [](auto v) { return lane::float32_of(v); }) == 0);
  const auto below53 = where(test_values<std::uint64_t>(40000), [](std::uint64_t v) { return v < 1ull << 53; });
  CHECK(mismatches1<std::uint64_t>(below53, [](auto v) { return lane::float64_of(v); }) == 0);
}

TEST_CASE("integers of a whole lane to the nearest float", "[simd][lanes]") {
  const auto words = test_values<std::uint32_t>(100000);
  CHECK(mismatches1<std::uint32_t>(words, [](auto v) { return lane::float32_of_int32_rne(v); }) == 0);
  CHECK(mismatches1<std::uint32_t>(words, [](auto v) { return lane::float32_of_uint32_rne(v); }) == 0);
  // Integers near float32 numbers, float64 numbers and the midpoints of both: the ones that two roundings get wrong.
  auto wide = test_values<std::uint64_t>(100000);
  for (int top = 20; top < 64; ++top) {
    for (int unit = 0; unit < top; ++unit) {
      const std::uint64_t number = (1ull << top) + (1ull << unit);
      for (const std::uint64_t v : {number - 1, number, number + 1}) {
        const std::uint64_t more = v | std::uint64_t{1} << (top - 1);
        for (const std::uint64_t w : {v, 0 - v, more, 0 - more}) wide.push_back(w);
      }
    }
  }
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::float64_of_int64_rne(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::float64_of_uint64_rne(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::float32_of_int64_rne(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::float32_of_uint64_rne(v); }) == 0);
}

TEST_CASE("floats to integers modulo 2^32", "[simd][lanes]") {
  auto words = where(test_values<std::uint32_t>(100000), [](std::uint32_t v) { return (v & 0x7FFFFFFF) < 0x7F800000 && (v & 0x7FFFFFFF) >= 0x3E800000; });
  auto wide = where(test_values<std::uint64_t>(100000), [](std::uint64_t v) { return (v << 1) < 0xFFE0000000000000 && (v << 1) >= 0x7FA0000000000000; });
  for (int exponent = -2; exponent < 90; ++exponent) {  // both ends and the middle of every binade that matters
    for (const std::uint64_t fraction : {0ull, 1ull, 0x555555ull, 0x400000ull, 0x7FFFFEull, 0x7FFFFFull}) {
      for (const std::uint64_t sign : {0, 1}) {
        words.push_back(static_cast<std::uint32_t>(sign << 31 | static_cast<std::uint64_t>(exponent + 127) << 23 | fraction));
        for (const std::uint64_t more : {0ull, 1ull, 0x1FFFFFFFull, 0x10000000ull}) {
          wide.push_back(sign << 63 | static_cast<std::uint64_t>(exponent + 1023) << 52 | fraction << 29 | more);
        }
      }
    }
  }
  CHECK(mismatches1<std::uint32_t>(words, [](auto v) { return lane::int32_of_float32_wrap_rtz(v); }) == 0);
  CHECK(mismatches1<std::uint32_t>(words, [](auto v) { return lane::int32_of_float32_wrap_rne(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::int32_of_float64_wrap_rtz(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::int32_of_float64_wrap_rne(v); }) == 0);
#if CASTFORGE_X86 >= 3
  auto any_words = test_values<std::uint32_t>(100000);
  auto any = test_values<std::uint64_t>(100000);
  any_words.insert(any_words.end(), words.begin(), words.end());
  any.insert(any.end(), wide.begin(), wide.end());
  for (const std::uint64_t exponent : {62, 63, 64, 85, 86, 87, 88, 114, 115, 116, 117, 126}) {
    for (std::uint64_t i = 0; i < 64; ++i) {
      any_words.push_back(static_cast<std::uint32_t>((i & 1) << 31 | (exponent + 127) << 23 | (i < 32 ? i : 0x800000 - i)));
      any.push_back((i & 1) << 63 | (exponent + 1023) << 52 | (i < 32 ? i : 0x10000000000000 - i));
    }
  }
  CHECK(mismatches1<std::uint32_t>(any_words, [](auto v) { return lane::cut_float32_to_int32(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(any, [](auto v) { return lane::cut_float64_to_int32(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(any, [](auto v) { return lane::cut_float64_to_int64(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(any, [](auto v) { return lane::int64_of_float64_rtz(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(any, [](auto v) { return lane::int64_of_float64_rne(v); }) == 0);
#endif
}

TEST_CASE("float64 to float32, to nearest and toward zero", "[simd][lanes]") {
  auto any = test_values<std::uint64_t>(100000);
  for (int exponent = -1080; exponent < 130; ++exponent) {  // subnormal, normal and infinite as float32
    for (const std::uint64_t fraction : {0ull, 1ull, 0x10000000ull, 0x20000000ull, 0x20000001ull, 0x000FFFFFFFFFFFFFull}) {
      if (exponent >= -1022) any.push_back(static_cast<std::uint64_t>(exponent + 1023) << 52 | fraction);
    }
  }
  CHECK(mismatches1<std::uint64_t>(any, [](auto v) { return lane::float32_of_float64(v); }) == 0);
#if CASTFORGE_X86 >= 3
  CHECK(mismatches1<std::uint64_t>(any, [](auto v) { return lane::float32_of_float64_toward_zero(v); }) == 0);
#endif
}

TEST_CASE("NaN with another payload", "[simd][lanes]") {
  auto words = test_values<std::uint32_t>(100000);
  auto wide = test_values<std::uint64_t>(100000);
  for (const std::uint32_t v : {0x7F7FFFFFu, 0x7F800000u, 0x7F800001u, 0x7FBFFFFFu, 0x7FC00000u, 0x7FFFFFFFu}) {
    for (const std::uint32_t sign : {0u, 0x80000000u}) words.push_back(v | sign);
  }
  for (const std::uint64_t v : {0x7FEFFFFFFFFFFFFFu, 0x7FF0000000000000u, 0x7FF0000000000001u, 0x7FF7FFFFFFFFFFFFu, 0x7FF8000000000000u}) {
    for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{1} << 63}) wide.push_back(v | sign);
  }
  CHECK(mismatches1<std::uint32_t>(words, [](auto v) { return lane::nan_becomes(v, decltype(v)(0x7FC12000)); }) == 0);
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::nan_becomes(v, decltype(v)(0x7FF8100000000000)); }) == 0);
}

TEST_CASE("float32 arithmetic", "[simd][lanes]") {
  const auto values = where(test_values<std::uint32_t>(20000), [](std::uint32_t v) { return !is_nan32(v); });
  std::vector<std::uint32_t> others(values.rbegin(), values.rend());
  const auto quiet = [](auto v) {  // the sign and payload of a NaN result are not part of the contract
    using W = decltype(v);
    return lane::select(lane::gt(v & W(0x7FFFFFFF), W(0x7F800000)), W(0x7FC00000), v);
  };
  CHECK(mismatches3<std::uint32_t>(values, others, values,
                                   [&](auto a, auto b, auto) { return quiet(lane::add32(a, b)); }) == 0);
  CHECK(mismatches3<std::uint32_t>(values, others, values,
                                   [&](auto a, auto b, auto) { return quiet(lane::mul32(a, b)); }) == 0);
  CHECK(mismatches2<std::uint32_t>([](auto a, auto b) { return lane::min_nan2_32(a, b); }) == 0);
  CHECK(mismatches3<std::uint32_t>(values, others, values, [](auto a, auto b, auto) {
          using W = decltype(a);
          return lane::binade32(a, (b & W(0x3F800000)) | W(0x20000000));
        }) == 0);
  CHECK(mismatches3<std::uint32_t>(values, values, others, [&](auto a, auto, auto c) {
          using W = decltype(a);
          const W power = (a & W(0x3F800000)) | W(0x20000000);  // 2^-63 .. 2^0
          const W normal = (a & W(0x87FFFFFF)) | W(0x38000000);  // so that the product is exact
          return quiet(lane::multiply_add32(power, normal, c));
        }) == 0);
#if CASTFORGE_X86 >= 2 || CASTFORGE_NEON
  std::vector<std::uint32_t> thirds(values);
  std::rotate(thirds.begin(), thirds.begin() + 321, thirds.end());
  CHECK(mismatches3<std::uint32_t>(values, others, thirds, [&](auto a, auto b, auto c) {
          return quiet(lane::fma32(a, b, c));
        }) == 0);
#endif
}

TEST_CASE("float64 arithmetic", "[simd][lanes]") {
  const auto values = where(test_values<std::uint64_t>(20000), [](std::uint64_t v) { return !is_nan64(v); });
  std::vector<std::uint64_t> others(values.rbegin(), values.rend());
  const auto quiet = [](auto v) {
    using W = decltype(v);
    return lane::select(lane::gt(v & W(0x7FFFFFFFFFFFFFFF), W(0x7FF0000000000000)), W(0x7FF8000000000000), v);
  };
  CHECK(mismatches3<std::uint64_t>(values, others, values,
                                   [&](auto a, auto b, auto) { return quiet(lane::add64(a, b)); }) == 0);
  CHECK(mismatches3<std::uint64_t>(values, others, values,
                                   [&](auto a, auto b, auto) { return quiet(lane::mul64(a, b)); }) == 0);
#if CASTFORGE_X86 >= 2 || CASTFORGE_NEON
  std::vector<std::uint64_t> thirds(values);
  std::rotate(thirds.begin(), thirds.begin() + 321, thirds.end());
  CHECK(mismatches3<std::uint64_t>(values, others, thirds, [&](auto a, auto b, auto c) {
          return quiet(lane::fma64(a, b, c));
        }) == 0);
#endif
}

TEST_CASE("float formats, NaN payloads included", "[simd][lanes]") {
  const auto floats = test_values<std::uint32_t>(100000);
  CHECK(mismatches1<std::uint32_t>(floats, [](auto v) { return lane::float16_of_float32(v); }) == 0);
  std::vector<std::uint32_t> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint32_t>(i | i << 16);
  CHECK(mismatches1<std::uint32_t>(halves, [](auto v) { return lane::float32_of_float16(v); }) == 0);
  const auto wide = test_values<std::uint64_t>(100000);
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::float64_of_float32(v); }) == 0);
  CHECK(mismatches1<std::uint64_t>(wide, [](auto v) { return lane::float32_of_float64(v); }) == 0);
}

TEST_CASE("float32 to int32", "[simd][lanes]") {
  const auto all = test_values<std::uint32_t>(40000);
  CHECK(mismatches1<std::uint32_t>(all, [](auto v) { return lane::int32_of_float32_rtz(v); }) == 0);
  CHECK(mismatches1<std::uint32_t>(all, [](auto v) { return lane::int32_of_float32_rne(v); }) == 0);
  auto values = where(all, [](std::uint32_t v) { return (v & 0x7FFFFFFF) < 0x4F000000; });
  values.push_back(0xCF000000);  // -2^31
  CHECK(mismatches1<std::uint32_t>(values, [](auto v) { return lane::int32_of_float32_rna(v); }) == 0);
  CHECK(mismatches1<std::uint32_t>(values, [](auto v) { return lane::int32_of_float32_rtn(v); }) == 0);
  CHECK(mismatches1<std::uint32_t>(values, [](auto v) { return lane::int32_of_float32_rtp(v); }) == 0);
  CHECK(mismatches1<std::uint32_t>(values, [](auto v) { return lane::int32_of_float32_rto(v); }) == 0);
}

#endif  // CASTFORGE_VECTOR

// The operations on floats.
#include "../near_floats.hpp"
#include "lanes_check.hpp"

#if CASTFORGE_VECTOR

namespace {

bool is_nan(u32 v) { return (v & 0x7FFFFFFF) > 0x7F800000; }
// -2^31 and all numbers below 2^31 in magnitude.
bool fits_int32(u32 v) { return (v & 0x7FFFFFFF) < 0x4F000000 || v == 0xCF000000; }
// Finite, and 0 or at least 1/4 in magnitude.
bool wraps(u32 v) { return (v & 0x7FFFFFFF) < 0x7F800000 && (v == 0 || (v & 0x7FFFFFFF) >= 0x3E800000); }
bool wraps(u64 v) {
  const u64 magnitude = v & ~(u64{1} << 63);
  return magnitude < 0x7FF0000000000000 && (v == 0 || magnitude >= 0x3FD0000000000000);
}

// Of the integers near floats and the midpoints of floats.
template <class F>
std::string near_floats_differ(F f) {
  std::vector<u64> values = test::near_floats();
  while (values.size() % kLanes<u64> != 0) values.push_back(0);
  return differs<u64>(values, values, [f](const auto& a, const auto&) { return f(a); });
}
#define CHECK_INTEGERS(expression) \
  CHECK_UNARY(u64, expression);    \
  CHECK((near_floats_differ([](const auto& a) { return expression; })) == "")

}  // namespace

TEST_CASE("integers to floats", "[simd][floats]") {
  CHECK_UNARY_WHERE(u32, lane::float32_of(a), v < 1u << 24);
  CHECK_UNARY_WHERE(u64, lane::float64_of(a), v < u64{1} << 53);
  CHECK_UNARY_WHERE(u32, lane::float32_of_int(a), v <= 1u << 24 || v >= 0u - (1u << 24));
  CHECK_UNARY(u32, lane::float32_of_int32(a));
  CHECK_UNARY(u32, lane::float32_of_uint32(a));
  CHECK_UNARY(u32, lane::float64_of_int32(a));
  CHECK_INTEGERS(lane::float64_of_int64(a));
  CHECK_INTEGERS(lane::float64_of_uint64(a));
  CHECK_INTEGERS(lane::float32_of_int64(a));
  CHECK_INTEGERS(lane::float32_of_uint64(a));
#if CASTFORGE_X86 >= 3
  CHECK_UNARY(u32, lane::float32_of_int32_rtz(a));
  CHECK_UNARY(u32, lane::float32_of_int32_rtn(a));
  CHECK_UNARY(u32, lane::float32_of_int32_rtp(a));
  CHECK_INTEGERS(lane::float32_of_int64_rtz(a));
  CHECK_INTEGERS(lane::float32_of_int64_rtn(a));
  CHECK_INTEGERS(lane::float32_of_int64_rtp(a));
  CHECK_INTEGERS(lane::float32_of_int64_rto(a));
  CHECK_INTEGERS(lane::float32_of_uint64_rto(a));
#endif
}

TEST_CASE("NaN, minima, powers of two, the rounded sum", "[simd][floats]") {
  CHECK_UNARY(u32, lane::nan_becomes(a, 0x7FC00123));
  CHECK_UNARY(u64, lane::nan_becomes(a, 0x7FF8000000000123));
  CHECK_BINARY(u32, lane::min_nan2(a, b));
  CHECK_UNARY(u32, lane::limit_magnitude(a, 0x43E00000, 0x43F00000));
  CHECK_UNARY(u32, lane::limit_magnitude(a, 1, 0x7F800000));
#if CASTFORGE_X86 >= 3
  CHECK_UNARY(u32, lane::half_ulps_rto(lane::min(a & 0x7FFFFFFF, 0x49800000), 0x4A400000));
  CHECK_UNARY(u32, lane::half_ulps_rto(a & 0x0C000000, 0x0CC00000));
#endif
  CHECK_UNARY_WHERE(u32, lane::binade(a, 0x3C800000), !is_nan(v));
  CHECK_BINARY(u32, lane::multiply_add(lane::max(lane::min(a & 0x7F800000, 0x50000000), 0x00800000), 0x49800098,
                                       lane::min(b & 0x7FFFFFFF, 0x50000000)));
  // With either sign, and sums with infinities.
  CHECK_BINARY(u32, lane::multiply_add(lane::max(lane::min(a & 0x7F800000, 0x50000000), 0x00800000) | (a & 0x80000000),
                                       0xC9800098, lane::min(b & 0x7FFFFFFF, 0x7F800000) | (b & 0x80000000)));
  CHECK_BINARY(u32, lane::fused_multiply_add(lane::min(a & 0x7F800000, 0x50000000), 0x49800098,
                                             lane::max(lane::min(b & 0x7FFFFFFF, 0x50000000), 0x00800000)));
}

TEST_CASE("floats to integers", "[simd][floats]") {
  CHECK_UNARY(u32, lane::int32_of_float32_rtz(a));
  CHECK_UNARY(u32, lane::int32_of_float32_rne(a));
  CHECK_UNARY_WHERE(u32, lane::int32_of_float32_rna(a), fits_int32(v));
  CHECK_UNARY_WHERE(u32, lane::int32_of_float32_rtn(a), fits_int32(v));
  CHECK_UNARY_WHERE(u32, lane::int32_of_float32_rtp(a), fits_int32(v));
  CHECK_UNARY_WHERE(u32, lane::int32_of_float32_rto(a), fits_int32(v));
  CHECK_UNARY_WHERE(u32, lane::int32_of_float32_wrap_rtz(a), wraps(v));
  CHECK_UNARY_WHERE(u32, lane::int32_of_float32_wrap_rne(a), wraps(v));
  CHECK_UNARY_WHERE(u64, lane::int32_of_float64_wrap_rtz(a), wraps(v));
  CHECK_UNARY_WHERE(u64, lane::int32_of_float64_wrap_rne(a), wraps(v));
#if CASTFORGE_X86 >= 3
  CHECK_UNARY(u64, lane::int64_of_float64_rtz(a));
  CHECK_UNARY(u64, lane::int64_of_float64_rne(a));
  CHECK_UNARY(u32, lane::truncate_float32_to_int32(a));
  CHECK_UNARY(u32, lane::truncate_float32_to_int64(a));
  CHECK_UNARY(u64, lane::truncate_float64_to_int32(a));
  CHECK_UNARY(u64, lane::truncate_float64_to_int64(a));
#endif
}

TEST_CASE("between float formats, NaN payloads included", "[simd][floats]") {
  CHECK_UNARY(u16, lane::float32_of_float16(a));
  CHECK_UNARY(u64, lane::float32_of_float64(a));
  CHECK_UNARY(u32, lane::float64_of_float32(a));
#if CASTFORGE_HAS_FLOAT16
  CHECK_UNARY(u32, lane::float16_of_float32(a));
  CHECK_UNARY(u32, lane::float16_of_float32_rtz(a));
  CHECK_UNARY(u32, lane::float16_of_float32_rtn(a));
  CHECK_UNARY(u32, lane::float16_of_float32_rtp(a));
  CHECK_UNARY(u64, lane::float16_of_float32(lane::float32_of_float64(a)));
#endif
#if CASTFORGE_X86 >= 3
  CHECK_UNARY(u64, lane::float32_of_float64_rtz(a));
#endif
}

#endif

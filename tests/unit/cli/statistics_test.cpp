// What a cast loses, as --stats and `info --to` count it.
#include "cli/convert/statistics.hpp"

#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

using namespace castforge;

TEST_CASE("integers of 64 bits that are no float64 are compared as they are") {
  const std::int64_t two53 = std::int64_t{1} << 53, two60 = std::int64_t{1} << 60;
  const std::int64_t before[] = {two53, two53 + 1, -two53 - 1, two60 + 256, -(two60 + 100), INT64_MAX, INT64_MIN};
  double after[7];
  const Kernel to_float64 = find_kernel("castforge@1", Type::int64, Type::float64);
  REQUIRE(to_float64.run(before, after, 7).ok());
  const cli::CastStatistics found = cli::CastComparison(to_float64).compare(before, after, 7);
  CHECK(found.inexact == 4);
  CHECK(found.largest_error == 0.5);  // 2^53 + 1 lies halfway
  const std::uint64_t wide[] = {UINT64_MAX, UINT64_MAX - 1023, std::uint64_t{1} << 63};
  float single[3];
  const Kernel to_float32 = find_kernel("castforge@1", Type::uint64, Type::float32);
  REQUIRE(to_float32.run(wide, single, 3).ok());
  CHECK(cli::CastComparison(to_float32).compare(wide, single, 3).inexact == 2);
  std::uint64_t same[2];
  const Kernel to_uint64 = find_kernel("castforge@1", Type::int64, Type::uint64);
  REQUIRE(to_uint64.run(before + 1, same, 1).ok());
  CHECK(cli::CastComparison(to_uint64).compare(before + 1, same, 1).inexact == 0);
}

TEST_CASE("losses are counted whatever the thread does with subnormal numbers") {
  const Kernel kernel = find_kernel("castforge@1", Type::float64, Type::float32);
  REQUIRE(kernel.ok());
  const double before[] = {1e-310, 5e-324, 1.0};
  const float after[] = {0, 0, 1};
#if defined(__SSE2__)
  constexpr unsigned kFlushing = 0x8040;  // FTZ and DAZ
  const unsigned usual = _mm_getcsr();
  _mm_setcsr(usual | kFlushing);
#endif
  const cli::CastStatistics found = cli::CastComparison(kernel).compare(before, after, 3);
#if defined(__SSE2__)
  _mm_setcsr(usual);
#endif
  CHECK(found.underflowed == 2);
  CHECK(found.inexact == 2);
}

TEST_CASE("what is out of range is counted by rules without a mode, and of truth values") {
  const std::int32_t wide[] = {0, 127, 128, 200, -128, -129, 1000};
  std::int8_t narrow[7];
  const Kernel to_int8 = find_kernel("castforge@1", Type::int32, Type::int8);
  REQUIRE(to_int8.run(wide, narrow, 7).ok());
  const cli::CastStatistics found = cli::CastComparison(to_int8).compare(wide, narrow, 7);
  CHECK(found.saturated == 4);
  CHECK(found.inexact == 0);
  const float numbers[] = {0, 0.5F, 1, 2, -1};
  std::uint8_t truths[5];
  const Kernel to_bool = find_kernel("castforge@1", Type::float32, Type::bool_);
  REQUIRE(to_bool.run(numbers, truths, 5).ok());
  CHECK(cli::CastComparison(to_bool).compare(numbers, truths, 5).saturated == 2);
}

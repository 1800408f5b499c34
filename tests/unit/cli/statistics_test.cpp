// What a cast loses, as --stats and `info --to` count it.
#include "cli/convert/statistics.hpp"

#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

using namespace castforge;

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

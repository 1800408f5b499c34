// Loops, packing and tails as unit_simd checks them, for so few kernels that they compile in seconds.
#include "../../unit/simd/mixed.hpp"
#include "../../unit/simd/run_check.hpp"

namespace {

constexpr Packing kHigh = Packing::high_first;

}  // namespace

TEST_CASE("loops") {
  check_kernel<Mixed<8, 8>>();
  check_kernel<Mixed<32, 8>>();
  check_kernel<Mixed<8, 32>>();
  check_kernel<Same<8>>();
  check_kernel<Same<6>>();
}
TEST_CASE("padding") { check_padding(); }
TEST_CASE("packing") {
  check_kernel<Mixed<8, 1>>();
  check_kernel<Mixed<2, 8>>();
  check_kernel<Mixed<16, 4>>();
  check_kernel<Mixed<4, 2>>();
  check_kernel<Mixed<2, 4>>();
  check_kernel<Mixed<4, 1>>();
  check_kernel<Mixed<1, 4>>();
  check_kernel<Mixed<2, 2>>();
  check_kernel<Mixed<4, 4>>();
  check_kernel<Mixed<1, 8, kHigh>>();
  check_kernel<Mixed<8, 2, Packing::low_first, kHigh>>();
  check_kernel<Mixed<8, 4, Packing::low_first, kHigh>>();
  check_kernel<Same<2, kHigh, Packing::low_first>>();
  check_kernel<Inverted<4, kHigh>>();
}
TEST_CASE("dense streams") {
  check_kernel<Mixed<3, 8>>();
  check_kernel<Mixed<8, 5>>();
  check_kernel<Mixed<8, 6>>();
  check_kernel<Mixed<7, 7>>();
  check_kernel<Mixed<12, 16>>();
  check_kernel<Mixed<32, 10>>();
}
TEST_CASE("by element") {
  check_kernel<Mixed<9, 32>>();
  check_kernel<Mixed<17, 8>>();
  check_kernel<Mixed<33, 32>>();
  check_kernel<Mixed<8, 33>>();
  check_kernel<Mixed<8, 63>>();
  CHECK(elements_differ() == "");
}

// The operations on integers of every width.
#include "lanes_check.hpp"

#if CASTFORGE_VECTOR

namespace {

template <class U, int n>
void check_constant_shifts() {
  CHECK_UNARY(U, a << n);
  CHECK_UNARY(U, a >> n);
  CHECK_UNARY(U, lane::sar<n>(a));
  if constexpr (n >= 5) check_constant_shifts<U, n - 5>();
}

template <class U>
void check_integers() {
  CHECK_BINARY(U, a + b);
  CHECK_BINARY(U, a - b);
  CHECK_BINARY(U, a & b);
  CHECK_BINARY(U, a | b);
  CHECK_BINARY(U, a ^ b);
  CHECK_BINARY(U, 77 - (a & 0x55) + b);
  CHECK_BINARY(U, lane::min(a, b));
  CHECK_BINARY(U, lane::max(a, b));
  CHECK_BINARY(U, lane::min_signed(a, b));
  CHECK_BINARY(U, lane::max_signed(a, b));
  CHECK_BINARY(U, lane::select(lane::eq(a, b), 1, 2));
  CHECK_BINARY(U, lane::select(lane::gt_unsigned(a, b), a, b));
  CHECK_BINARY(U, lane::select(lane::gt_unsigned(a, b), a, 0));
  CHECK_BINARY(U, lane::select(lane::gt_unsigned(a, b), 0, b));
  CHECK_BINARY(U, lane::select(lane::gt(a >> 1, b >> 1), a, 7));
  CHECK_BINARY(U, lane::select(lane::mask_and(lane::gt_unsigned(a, b), lane::gt(a >> 1, b >> 1)), a, b));
  CHECK_BINARY(U, lane::merge(a, b, 0x55));
  CHECK_BINARY(U, lane::merge(0x0F, b, a));
  CHECK_UNARY(U, lane::fill<U>(a, 77));
  check_constant_shifts<U, 8 * sizeof(U) - 1>();
  check_constant_shifts<U, 4>();
  if constexpr (sizeof(U) > 1) {
    CHECK_BINARY(U, lane::shl(a, b));
    CHECK_BINARY(U, lane::shr(a, b));
  }
}

}  // namespace

TEST_CASE("integers of 8 bits", "[simd][lanes]") { check_integers<u8>(); }
TEST_CASE("integers of 16 bits", "[simd][lanes]") { check_integers<u16>(); }
TEST_CASE("integers of 32 bits", "[simd][lanes]") { check_integers<u32>(); }
TEST_CASE("integers of 64 bits", "[simd][lanes]") { check_integers<u64>(); }

#endif

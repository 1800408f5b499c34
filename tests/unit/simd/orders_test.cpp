// What narrowing leaves in another order meets what lies in order, and constants.
#include "lanes_check.hpp"

#if CASTFORGE_VECTOR

TEST_CASE("bytes in different orders meet", "[simd][lanes]") {
  CHECK_UNARY(u32, lane::truncate<u8>(a) | lane::sign8<7>(a));
  CHECK_UNARY(u64, lane::truncate<u8>(a) ^ lane::sign8<7>(lane::truncate<u32>(a)));
  CHECK_UNARY(u8, lane::truncate<u8>(lane::widen<u32>(a) + 300) | a);
  CHECK_UNARY(u16, lane::select(lane::eq(lane::byte<1>(a), 3), lane::byte<0>(a), 9));
  CHECK_UNARY(u16, lane::widen<u16>(lane::byte<1>(a)) + a);
  CHECK_UNARY(u16, lane::join<u32>(lane::byte<1>(a), lane::byte<0>(a), 0, lane::byte<0>(a + 1)));
  CHECK_UNARY(u8, lane::fill<u32>(a, 0x12345678));
  CHECK_UNARY(u64, lane::fill<u8>(a, 5));
}

#endif

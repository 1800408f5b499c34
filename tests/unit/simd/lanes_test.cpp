// The operations on bytes, changes of width, lookups.
#include "lanes_check.hpp"

#if CASTFORGE_VECTOR

namespace {

constexpr std::array<u8, 4> k4 = {3, 1, 4, 159};
alignas(64) constexpr std::array<u8, 16> k16 = {3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 89, 79, 32, 38, 46, 255};
[[maybe_unused]] alignas(64) constexpr auto k64 = [] {
  std::array<u8, 64> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<u8>(i * 73 + 11);
  return table;
}();
[[maybe_unused]] alignas(64) constexpr auto k128 = [] {
  std::array<u8, 128> t{};
  for (unsigned i = 0; i < t.size(); ++i) t[i] = static_cast<u8>(i * i * 7 + i / 3 + 1);
  return t;
}();
[[maybe_unused]] alignas(64) constexpr auto k256 = [] {
  std::array<u8, 256> t{};
  for (unsigned i = 0; i < t.size(); ++i) t[i] = static_cast<u8>(i * i * 5 + i / 3 + 1);
  return t;
}();
template <class U, std::size_t kEntries = 16>
[[maybe_unused]] constexpr auto kWide = [] {
  std::array<U, kEntries> t{};
  for (unsigned i = 0; i < t.size(); ++i) t[i] = static_cast<U>(0x0123456789ABCDEF * (2 * i + 1));
  return t;
}();

}  // namespace

TEST_CASE("arithmetic of bytes", "[simd][lanes]") {
  CHECK_BINARY(u8, lane::subtract_saturated(a, b));
  CHECK_BINARY(u8, lane::add_saturated(a, b));
  CHECK_BINARY(u8, lane::subtract_or_zero(a, b));
  CHECK_BINARY(u16, lane::subtract_or_zero(a, b));
  CHECK_UNARY(u8, lane::abs(a));
  CHECK_UNARY(u8, lane::negate_where((a & 0x7F) | (a >> 7), a));
}

#if CASTFORGE_X86 >= 3
TEST_CASE("leading zeros", "[simd][lanes]") {
  CHECK_UNARY(u32, lane::leading_zeros(lane::shr(a, a & 31)));
  CHECK_UNARY(u64, lane::leading_zeros(lane::shr(a, a & 63)));
}
#endif

TEST_CASE("wider lanes", "[simd][lanes]") {
  CHECK_UNARY(u8, lane::widen<u16>(a));
  CHECK_UNARY(u8, lane::widen<u32>(a));
  CHECK_UNARY(u8, lane::widen<u64>(a));
  CHECK_UNARY(u16, lane::widen<u32>(a));
  CHECK_UNARY(u16, lane::widen<u64>(a));
  CHECK_UNARY(u32, lane::widen<u64>(a));
  CHECK_UNARY(u8, lane::widen_signed<u16>(a));
  CHECK_UNARY(u8, lane::widen_signed<u32>(a));
  CHECK_UNARY(u8, lane::widen_signed<u64>(a));
  CHECK_UNARY(u16, lane::widen_signed<u32>(a));
  CHECK_UNARY(u16, lane::widen_signed<u64>(a));
  CHECK_UNARY(u32, lane::widen_signed<u64>(a));
}

TEST_CASE("narrower lanes", "[simd][lanes]") {
  CHECK_UNARY(u16, lane::truncate<u8>(a));
  CHECK_UNARY(u32, lane::truncate<u8>(a));
  CHECK_UNARY(u64, lane::truncate<u8>(a));
  CHECK_UNARY(u32, lane::truncate<u16>(a));
  CHECK_UNARY(u64, lane::truncate<u16>(a));
  CHECK_UNARY(u64, lane::truncate<u32>(a));
  CHECK_UNARY_WHERE(u16, lane::narrow<u8>(a), v <= 0xFF);
  CHECK_UNARY_WHERE(u32, lane::narrow<u8>(a), v <= 0xFF);
  CHECK_UNARY_WHERE(u64, lane::narrow<u8>(a), v <= 0xFF);
  CHECK_UNARY_WHERE(u32, lane::narrow<u16>(a), v <= 0xFFFF);
  CHECK_UNARY_WHERE(u64, lane::narrow<u16>(a), v <= 0xFFFF);
  CHECK_UNARY_WHERE(u64, lane::narrow<u32>(a), v <= 0xFFFFFFFF);
}

TEST_CASE("parts of lanes", "[simd][lanes]") {
  CHECK_UNARY(u16, lane::byte<0>(a));
  CHECK_UNARY(u16, lane::byte<1>(a));
  CHECK_UNARY(u32, lane::byte<0>(a));
  CHECK_UNARY(u32, lane::byte<1>(a));
  CHECK_UNARY(u32, lane::byte<2>(a));
  CHECK_UNARY(u32, lane::byte<3>(a));
  CHECK_UNARY(u32, lane::high_half(a));
  CHECK_UNARY(u32, lane::round_high_half(a));
  CHECK_UNARY(u32, lane::odd_high_half(a));
  CHECK_UNARY(u32, lane::fold<16>(a));
  CHECK_UNARY(u32, lane::fold<20>(a));
  CHECK_UNARY(u32, lane::fold<23>(a));
  CHECK_UNARY(u8, lane::sign8<7>(a));
  CHECK_UNARY(u8, lane::sign8<3>(a));
  CHECK_UNARY(u16, lane::sign8<7>(a));
  CHECK_UNARY(u16, lane::sign8<0>(a));
  CHECK_UNARY(u32, lane::sign8<7>(a));
  CHECK_UNARY(u32, lane::sign8<5>(a));
  CHECK_UNARY(u64, lane::sign8<7>(a));
  CHECK_UNARY(u64, lane::sign8<1>(a));
}

TEST_CASE("bytes become lanes", "[simd][lanes]") {
  CHECK_UNARY(u8, lane::join<u16>(a, a ^ 0x55));
  CHECK_UNARY(u8, lane::join<u16>(0, a));
  CHECK_UNARY(u8, lane::join<u32>(a, a ^ 0x55, a + 1, a - 3));
  CHECK_UNARY(u8, lane::join<u32>(0, 0, a, a - 3));
  CHECK_UNARY(u8, lane::join<u32>(a, 0, 0, 0));
  CHECK_UNARY(u8, lane::join<u64>(a, a ^ 0x55, a + 1, a - 3, a + 7, a + 9, 0, a + 4));
  CHECK_UNARY(u8, lane::join<u64>(0, 0, 0, 0, 0, 0, a + 2, a + 4));
}

TEST_CASE("lookups", "[simd][lanes]") {
  CHECK_UNARY(u8, lane::lookup16<k16>(a & 0x8F));
  CHECK_UNARY(u8, lane::table<k16>(a & 15));
  CHECK_UNARY(u8, lane::table<k4>(a & 3));
#if CASTFORGE_X86
  CHECK_UNARY(u8, lane::lookup16<k16>(a));
#endif
#if CASTFORGE_X86 >= 4 || CASTFORGE_NEON
  CHECK_UNARY(u8, lane::lookup64<k64>(a & 63));
  CHECK_UNARY(u8, lane::lookup128<k128>(a));
  CHECK_UNARY(u8, lane::lookup256<k256>(a));
#endif
#if CASTFORGE_X86 >= 4
  CHECK_UNARY(u8, lane::lookup16_wide<kWide<u16>>(a & 15));
  CHECK_UNARY(u8, lane::lookup16_wide<kWide<u32>>(a & 15));
  CHECK_UNARY(u8, lane::lookup16_wide<kWide<u64>>(a & 15));
  CHECK_UNARY(u8, (lane::lookup8_wide<kWide<u64, 8>>(a & 7)));
  CHECK_UNARY(u8, lane::lookup16_upper<kWide<u32>>(a & 15));
#endif
}

#endif

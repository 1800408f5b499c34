// Elements that reach from one byte into the next, 3, 5, 6, 7, 10 and 12 bits: from memory to lanes and back, by
// shuffles of bytes within 128-bit parts. In the files of the targets: load_parts and store_parts, and all of unpacking
// for AVX-512 VBMI.
#pragma once

#include "simd/common.hpp"
#include "simd/dense_places.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::lane {

namespace kernel {

using namespace detail;  // NOLINT: the helpers of batch.hpp

// n bytes to each 128-bit part, those of one part after those of the other; byte k of part j is where place_in_part
// says. Not a byte beyond them is read. The other way: the first n bytes of each part, whose other bytes are zero.
template <std::size_t n> constexpr std::size_t place_in_part(std::size_t /*part*/, std::size_t k, CommonArch) {
  return place_in_ends(n, k);
}
template <std::size_t n> CASTFORGE_INLINE B8 load_parts(const std::byte* p, CommonArch) {
  return batch_of<u8>(load_ends<n>(p));
}
template <std::size_t n> CASTFORGE_INLINE void store_parts(std::byte* p, B8 v, CommonArch) {
  store_ends<n>(p, native<u8>(v));
}

// Byte kIndex(part, i) of the n of its part becomes byte i of the part; kNoByte and what is beyond them is zero.
template <std::size_t n, auto kIndex>
constexpr auto kWithinParts = [](std::size_t i) {
  const std::size_t k = kIndex(i % 16);
  return k < n ? place_in_part<n>(i / 16, k, Arch{}) : kNoByte;
};
template <std::size_t n, auto kIndex> CASTFORGE_INLINE B8 load_shuffled(const std::byte* p) {
  return lookup16(load_parts<n>(p, Arch{}), constant_vector<u8, kWithinParts<n, kIndex>>(), Arch{});
}

// The two bytes of 16-bit lane i when kElements of kBits each begin in it, and the factor that moves the last of them
// to the top.
template <int kBits, int kElements>
constexpr auto kWindow = [](std::size_t i) { return i / 2 * kElements * kBits / 8 + i % 2; };
template <int kBits, int kElements>
constexpr auto kToTop =
    [](std::size_t i) { return 1u << (16 - kElements * kBits - static_cast<int>(i % 8 * kElements * kBits % 8)); };
// 16-bit lanes with kElements at their top, whatever is below.
template <int kBits, int kElements> CASTFORGE_INLINE B16 at_top(const std::byte* p) {
  const B8 windows = load_shuffled<static_cast<std::size_t>(kElements * kBits), kWindow<kBits, kElements>>(p);
  return multiply(as<u16>(windows), constant_vector<u16, kToTop<kBits, kElements>>(), Arch{});
}
// A vector of elements, an element a lane.
template <int kBits>
CASTFORGE_INLINE B16 unpack(const std::byte* p, std::integral_constant<int, kBits>, B16, CommonArch) {
  return shift_right(at_top<kBits, 1>(p), 16 - kBits, Arch{});
}
template <int kBits>
CASTFORGE_INLINE B8 unpack(const std::byte* p, std::integral_constant<int, kBits> bits, B8, CommonArch) {
  if constexpr (kBits <= 6) {
    const B16 pairs = at_top<kBits, 2>(p), low = broadcast(static_cast<u16>((1 << kBits) - 1));
    const B16 high = broadcast(static_cast<u16>(((1 << kBits) - 1) << 8));
    return as<u8>(bit_or(bit_and(shift_right(pairs, 16 - 2 * kBits, Arch{}), low, Arch{}),
                         bit_and(shift_right(pairs, 8 - kBits, Arch{}), high, Arch{}), Arch{}));
  } else {
    constexpr std::size_t kOrder = order_of_pack(2, 1, Arch{});
    const B16 first = unpack(p, bits, B16{}, Arch{}),
              second = unpack(p + kVectorBytes / 16 * kBits, bits, B16{}, Arch{});
    const B8 bytes = narrow(first, second, Arch{});
    if constexpr (kOrder == 1) return bytes;
    else return to_natural<kOrder>(bytes);
  }
}

// The first kUsed bytes of every kGroup bytes.
template <std::size_t kGroup, std::size_t kUsed>
constexpr auto kOfGroups =
    [](std::size_t i) { return i % 16 < 16 / kGroup * kUsed ? i % 16 / kUsed * kGroup + i % 16 % kUsed : kNoByte; };
template <std::size_t kGroup, std::size_t kUsed>
CASTFORGE_INLINE void store_groups(std::byte* p, B8 v, std::index_sequence<kGroup, kUsed>, CommonArch) {
  store_parts<16 / kGroup * kUsed>(p, lookup16(v, constant_vector<u8, kOfGroups<kGroup, kUsed>>(), Arch{}), Arch{});
}
// The low kBits of both 32-bit halves of each lane, one after the other.
template <int kBits> CASTFORGE_INLINE B8 in_quadwords(B32 v) {
  constexpr u64 kLow = (u64{1} << kBits) - 1;
  const B64 both = as<u64>(v), second = shift_right(both, 32 - kBits, Arch{});
  const B64 first = bit_and(both, broadcast(kLow), Arch{});
  return as<u8>(bit_or(first, bit_and(second, broadcast(kLow << kBits), Arch{}), Arch{}));
}
// Four elements in the low bits of each 32-bit lane.
template <int kBits> CASTFORGE_INLINE void store_fours(std::byte* p, B32 fours) {
  if constexpr (kBits % 2 == 0) store_groups(p, as<u8>(fours), std::index_sequence<4, kBits / 2>{}, Arch{});
  else store_groups(p, in_quadwords<4 * kBits>(fours), std::index_sequence<8, kBits>{}, Arch{});
}
// The other way: a vector of elements to the bytes they fill.
template <int kBits> CASTFORGE_INLINE void pack(std::byte* p, B8 v, std::integral_constant<int, kBits>) {
  const auto twos = [](B8 bytes) noexcept CASTFORGE_LAMBDA_INLINE {
    if constexpr (kBits <= 6) {
      return weighted_pairs(bytes, broadcast(static_cast<u16>(1 | 1 << (8 + kBits))), Arch{});
    } else {  // the weight of the second is no signed byte
      const B16 both = as<u16>(bytes);
      return bit_or(bit_and(both, broadcast(u16{0x007F}), Arch{}),
                    bit_and(shift_right(both, 1, Arch{}), broadcast(u16{0x3F80}), Arch{}), Arch{});
    }
  };
  store_fours<kBits>(p, weighted_pairs(twos(v), broadcast(1u | 1u << (16 + 2 * kBits)), Arch{}));
}
template <int kBits> CASTFORGE_INLINE void pack(std::byte* p, B16 v, std::integral_constant<int, kBits>) {
  const B32 twos = weighted_pairs(v, broadcast(1u | 1u << (16 + kBits)), Arch{});
  if constexpr (kBits % 4 == 0) store_groups(p, as<u8>(twos), std::index_sequence<4, kBits / 4>{}, Arch{});
  else store_groups(p, in_quadwords<2 * kBits>(twos), std::index_sequence<8, kBits / 2>{}, Arch{});
}

}  // namespace kernel

}  // namespace castforge::inline CASTFORGE_ISA::lane

#endif  // CASTFORGE_VECTOR

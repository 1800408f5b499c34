// Results narrower than their lanes to memory.
#pragma once

#include "simd/lanes.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::simd::detail {

using namespace lane;          // NOLINT: its types
using namespace lane::detail;  // NOLINT: the helpers of lanes.hpp

// These bytes of a vector.
template <std::size_t... I>
CASTFORGE_INLINE void store_bytes(std::byte* p, B8 v, std::index_sequence<I...>) {
  const auto bytes = native<u8>(v);
  const Native<u8, sizeof...(I)> stored = __builtin_shufflevector(bytes, bytes, I...);
  std::memcpy(p, &stored, sizeof stored);
}

template <Packing kPacking, std::size_t kOrder, std::size_t N>
CASTFORGE_INLINE void store_nibbles(std::byte* p, const Lanes<u8, N, kOrder>& v) {
  const B16 weights = broadcast(u16{kPacking == Packing::high_first ? 0x0110 : 0x1001});
  const auto pair = [&](B8 b) noexcept CASTFORGE_LAMBDA_INLINE {
    return lane::kernel::weighted_pairs(b, weights, Arch{});
  };
  if constexpr (N == kVectorBytes && kOrder == 1 && lane::kernel::has_low_bytes(Arch{})) {
    const B8 bytes = lane::kernel::low_bytes(pair(v.part[0]), Arch{});
    store_bytes(p, bytes, std::make_index_sequence<kVectorBytes / 2>{});
  } else if constexpr (N == kVectorBytes) {
    constexpr std::size_t kPacked = lane::kernel::order_of_pack(2, 1, Arch{});
    const B16 words = pair(v.part[0]);
    const Lanes<u8, N, kPacked == 1 ? 1 : kPacked* kOrder> twice = {{lane::kernel::narrow(words, words, Arch{})}};
    store_bytes(p, in_order<1>(twice).part[0], std::make_index_sequence<kVectorBytes / 2>{});
  } else {
    const auto words = for_parts<N / 2, kOrder>(std::make_index_sequence<N / kVectorBytes>{}, pair, v);
    lane::store(p, lane::narrow<u8>(words));
  }
}

// Where byte 0 of each lane of four bytes is, then byte 1 of each.
template <std::size_t... I>
constexpr auto by_place(std::index_sequence<I...>) {
  return std::index_sequence<(I % (kVectorBytes / 4) * 4 + I / (kVectorBytes / 4))...>{};
}

// Four vectors become one: with fewer, what the missing ones would give is not stored.
template <Packing kPacking, std::size_t N>
CASTFORGE_INLINE void store_quarters(std::byte* p, const Lanes<u8, N>& v) {
  constexpr std::size_t kVectors = N / kVectorBytes;
  constexpr bool kHighFirst = kPacking == Packing::high_first;
  // Neighbours two bits apart, then pairs of them four: four elements in byte `byte` of a lane.
  const B16 twos = broadcast(u16{kHighFirst ? 0x0104 : 0x0401});
  const auto four = [&](std::size_t i, int byte = 0) noexcept CASTFORGE_LAMBDA_INLINE {
    const B32 fours = broadcast((kHighFirst ? 0x00010010u : 0x00100001u) << 8 * byte);
    const B16 pairs = lane::kernel::weighted_pairs(v.part[i % kVectors], twos, Arch{});
    return lane::kernel::weighted_pairs(pairs, fours, Arch{});
  };
  constexpr auto kStored = std::make_index_sequence<kVectorBytes / 4 * kVectors>{};
  if constexpr (kVectors == 1 && lane::kernel::has_low_bytes(Arch{})) {
    store_bytes(p, lane::kernel::low_bytes(four(0), Arch{}), kStored);
  } else if constexpr (kVectors == 2 && lane::kernel::places_bytes(Arch{})) {
    store_bytes(p, as<u8>(four(0) | four(1, 1)), by_place(kStored));
  } else {
    const Lanes<u8, kVectorBytes, lane::kernel::order_of_pack(4, 1, Arch{})> bytes = {
        {lane::kernel::narrow(four(0), four(1), four(2), four(3), Arch{})}};
    store_bytes(p, in_order<1>(bytes).part[0], kStored);
  }
}

template <Packing kPacking, std::size_t N, std::size_t... I>
CASTFORGE_INLINE void store_bits(std::byte* p, const Lanes<u8, N>& v, std::index_sequence<I...>) {
  (lane::kernel::store_bits<kPacking>(p + I * (kVectorBytes / 8), v.part[I], Arch{}), ...);
}
template <int kBits, class U, std::size_t N, std::size_t... I>
CASTFORGE_INLINE void store_dense(std::byte* p, const Lanes<U, N>& v, std::index_sequence<I...>) {
  (lane::kernel::pack(p + I * (kVectorBytes / sizeof(U) * kBits / 8), v.part[I], std::integral_constant<int, kBits>{}),
   ...);
}

template <int kBits, Packing kPacking, class U, std::size_t N, std::size_t kOrder>
CASTFORGE_INLINE void store_packed(std::byte* p, const Lanes<U, N, kOrder>& v) {
  if constexpr (kBits == 1) {
    store_bits<kPacking>(p, in_order<1>(v), std::make_index_sequence<N / kVectorBytes>{});
  } else if constexpr (kBits == 4) {
    // Neighbours stay neighbours in the orders of two and of four vectors.
    if constexpr (kOrder <= 4) store_nibbles<kPacking>(p, v);
    else store_nibbles<kPacking>(p, in_order<1>(v));
  } else if constexpr (kBits == 2) {
    store_quarters<kPacking>(p, in_order<1>(v));
  } else {
    store_dense<kBits>(p, in_order<1>(v), std::make_index_sequence<Lanes<U, N>::kVectors>{});
  }
}

}  // namespace castforge::inline CASTFORGE_ISA::simd::detail

#endif  // CASTFORGE_VECTOR

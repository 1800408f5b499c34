// Results narrower than their lanes to memory, and elements of 2 and 4 bits from one to the other.
#pragma once

#include "simd/lanes.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::simd::detail {

using namespace lane;          // NOLINT: its types
using namespace lane::detail;  // NOLINT: the helpers of lanes.hpp

// a | b << n, where no bit of b leaves its byte.
CASTFORGE_INLINE B8 put_above(B8 a, B8 b, int n) {
  return lane::kernel::bit_or(a, as<u8>(lane::kernel::shift_left(as<u16>(b), n, Arch{})), Arch{});
}
// v >> n & mask, of words.
CASTFORGE_INLINE B8 taken(B8 v, int n, u8 mask) {
  const B8 down = n == 0 ? v : as<u8>(lane::kernel::shift_right(as<u16>(v), n, Arch{}));
  return lane::kernel::bit_and(down, broadcast(mask), Arch{});
}

// The first sizeof...(I) / kVectorBytes of a vector.
template <std::size_t... I>
CASTFORGE_INLINE void store_first(std::byte* p, B8 v, std::index_sequence<I...>) {
  const auto bytes = native<u8>(v);
  const Native<u8, sizeof...(I)> first = __builtin_shufflevector(bytes, bytes, I...);
  std::memcpy(p, &first, sizeof first);
}

template <Packing kPacking, std::size_t kOrder, std::size_t N>
CASTFORGE_INLINE void store_nibbles(std::byte* p, const Lanes<u8, N, kOrder>& v) {
  const B16 weights = broadcast(u16{kPacking == Packing::high_first ? 0x0110 : 0x1001});
  const auto pair = [&](B8 b) noexcept CASTFORGE_LAMBDA_INLINE {
    return lane::kernel::weighted_pairs(b, weights, Arch{});
  };
  if constexpr (N == kVectorBytes) {
    constexpr std::size_t kPacked = lane::kernel::order_of_pack(2, 1, Arch{});
    const B16 words = pair(v.part[0]);
    const Lanes<u8, N, kPacked == 1 ? 1 : kPacked* kOrder> twice = {{lane::kernel::narrow(words, words, Arch{})}};
    store_first(p, in_order<1>(twice).part[0], std::make_index_sequence<kVectorBytes / 2>{});
  } else {
    const auto words = for_parts<N / 2, kOrder>(std::make_index_sequence<N / kVectorBytes>{}, pair, v);
    lane::store(p, lane::narrow<u8>(words));
  }
}

// Four vectors become one: with fewer, what the missing ones would give is not stored.
template <Packing kPacking, std::size_t N>
CASTFORGE_INLINE void store_quarters(std::byte* p, const Lanes<u8, N>& v) {
  using namespace lane::kernel;  // NOLINT
  constexpr std::size_t kVectors = N / kVectorBytes;
  constexpr bool kHighFirst = kPacking == Packing::high_first;
  const B16 weights = broadcast(u16{kHighFirst ? 0x0104 : 0x0401});
  const auto four = [&](std::size_t i) noexcept CASTFORGE_LAMBDA_INLINE {
    const B32 pairs = as<u32>(weighted_pairs(v.part[i % kVectors], weights, Arch{}));
    const B32 first = kHighFirst ? shift_left(pairs, 4, Arch{}) : pairs;
    return bit_and(bit_or(first, shift_right(pairs, kHighFirst ? 16 : 12, Arch{}), Arch{}), broadcast(0xFFu), Arch{});
  };
  const Lanes<u8, kVectorBytes, order_of_pack(4, 1, Arch{})> bytes = {
      {narrow(four(0), four(1), four(2), four(3), Arch{})}};
  store_first(p, in_order<1>(bytes).part[0], std::make_index_sequence<kVectorBytes / 4 * kVectors>{});
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

// Between elements of 2 and 4 bits: a vector holds the first elements of bytes, another the second ones, and so on.
// Nothing is put in order, as map() sees one element at a time.
template <int kSrcBits, int kDstBits>
struct Planes {
  static constexpr std::size_t kVectors = 8 / (kSrcBits < kDstBits ? kSrcBits : kDstBits),
                               kLanes = kVectors * kVectorBytes;
  using Elements = Lanes<u8, kLanes>;

  static CASTFORGE_INLINE Elements load(const std::byte* p) {
    const B8 x = lane::kernel::load(p, B8{}, Arch{});
    if constexpr (kSrcBits == 2) {
      // Results of twice the width are interleaved in the end.
      constexpr std::size_t kOrder = kDstBits == 4 ? order_for(2) : 1;
      const B8 bytes = in_order<kOrder>(Lanes<u8, kVectorBytes>{{x}}).part[0];
      return {{taken(bytes, 0, 3), taken(bytes, 2, 3), taken(bytes, 4, 3), taken(bytes, 6, 3)}};
    } else if constexpr (kDstBits == 4) {
      return {{taken(x, 0, 15), taken(x, 4, 15)}};
    } else {
      const B8 y = lane::kernel::load(p + kVectorBytes, B8{}, Arch{});
      return {{taken(x, 0, 15), taken(x, 4, 15), taken(y, 0, 15), taken(y, 4, 15)}};
    }
  }

  static CASTFORGE_INLINE void store(std::byte* p, const Elements& v) {
    using One = Lanes<u8, kVectorBytes>;
    if constexpr (kSrcBits == 4 && kDstBits == 4) {
      lane::store(p, One{{put_above(v.part[0], v.part[1], 4)}});
    } else if constexpr (kDstBits == 2) {
      const B8 low = put_above(v.part[0], v.part[1], 2), high = put_above(v.part[2], v.part[3], 2);
      if constexpr (kSrcBits == 2) lane::store(p, One{{put_above(low, high, 4)}});
      else store_nibbles<Packing::low_first>(p, Lanes<u8, 2 * kVectorBytes>{{low, high}});
    } else {
      using Ordered = Lanes<u8, kVectorBytes, order_for(2)>;
      lane::store(
          p, interleaved(Ordered{{put_above(v.part[0], v.part[1], 4)}}, Ordered{{put_above(v.part[2], v.part[3], 4)}}));
    }
  }
};

}  // namespace castforge::inline CASTFORGE_ISA::simd::detail

#endif  // CASTFORGE_VECTOR

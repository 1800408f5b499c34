// The vector side of the operations: word.hpp and float_word.hpp say what they mean, kernel:: has them for one vector.
//
// Lanes<U, N> are N lanes of U in as many vectors as they fill. A kernel's values all have the same N, so that an
// operation is applied to each vector, or to the groups of vectors that become one when lanes get narrower. Source<U,
// N> are N elements still in memory: operations that widen or convert read them from there.
#pragma once

#include "simd/float_word.hpp"

#if CASTFORGE_VECTOR

#if CASTFORGE_X86 >= 3
#include "simd/avx512.hpp"
#elif CASTFORGE_X86 == 2
#include "simd/avx2.hpp"
#elif CASTFORGE_X86
#include "simd/sse4_2.hpp"
#else
#include "simd/neon64.hpp"
#endif
#if CASTFORGE_X86 >= 4
#include "simd/avx512vbmi.hpp"
#endif
#include "simd/common.hpp"
#include "simd/dense.hpp"

namespace castforge::inline CASTFORGE_ISA::lane {

/// N lanes of U. kOrder: how the lanes of each vector are ordered, see batch.hpp.
template <std::unsigned_integral U, std::size_t N, std::size_t kOrder = 1> struct Lanes {
  static constexpr std::size_t kVectors = N * sizeof(U) / kVectorBytes;
  static_assert(kVectors * kVectorBytes == N * sizeof(U) && kVectors != 0, "lanes fill whole vectors");
  Batch<U> part[kVectors];
};

/// N truth values about lanes of U.
template <std::unsigned_integral U, std::size_t N, std::size_t kOrder = 1> struct Mask {
  BatchMask<U> part[N * sizeof(U) / kVectorBytes];
};

/// N elements of U at `data`, or of kBits bits each that become lanes of U. Operations lane by lane leave their results
/// in order kOrder.
template <std::unsigned_integral U, std::size_t N, std::size_t kOrder = 1, int kBits = static_cast<int>(8 * sizeof(U)),
          Packing kPacking = Packing::low_first>
struct Source {
  const std::byte* data;
};

/// N lanes of U as conversions leave them, half a vector each; stored so, otherwise made Lanes.
template <std::unsigned_integral U, std::size_t N> struct Halves {
  detail::Half<U> half[2 * N * sizeof(U) / kVectorBytes];
};

namespace detail {

template <class U, std::size_t N> struct LaneType<Halves<U, N>> { using type = U; };
template <class U, std::size_t N, std::size_t kOrder> struct LaneType<Lanes<U, N, kOrder>> { using type = U; };
template <class U, std::size_t N, std::size_t kOrder> struct LaneType<Mask<U, N, kOrder>> { using type = U; };
template <class U, std::size_t N, std::size_t kOrder, int kBits, Packing kPacking>
struct LaneType<Source<U, N, kOrder, kBits, kPacking>> {
  using type = U;
};

// Number and order of lanes. Of constants 0; masks are never put in another order.
struct Shape {
  std::size_t lanes = 0, order = 0;
  bool mask = false;
};
template <class T> inline constexpr Shape kShape{};
template <class U, std::size_t N, std::size_t kOrder> inline constexpr Shape kShape<Lanes<U, N, kOrder>>{N, kOrder};
template <class U, std::size_t N, std::size_t kOrder, int kBits, Packing kPacking>
inline constexpr Shape kShape<Source<U, N, kOrder, kBits, kPacking>>{N, kOrder};
template <class U, std::size_t N> inline constexpr Shape kShape<Halves<U, N>>{N, 1};
template <class U, std::size_t N, std::size_t kOrder>
inline constexpr Shape kShape<Mask<U, N, kOrder>>{N, kOrder, true};

constexpr Shape common_shape(std::initializer_list<Shape> shapes) {
  Shape all;
  for (const Shape& s : shapes) {
    if (s.lanes == 0) continue;
    if (all.lanes == 0 || (s.mask && !all.mask)) all = s;
    else if (s.order != all.order && !all.mask) all.order = 1;
  }
  return all;
}

/// Lanes, masks, sources and constants, but not constants alone.
template <class... A>
concept Vectors = ((kShape<A>.lanes != 0) || ...) && ((kShape<A>.lanes != 0 || std::integral<A>)&&...);
template <class T>
concept Vector = (kShape<T>.lanes != 0);

// Elements still in memory, each in a word of its own; values that come in two halves.
template <class T> inline constexpr bool kIsSource = false;
template <class U, std::size_t N, std::size_t kOrder> inline constexpr bool kIsSource<Source<U, N, kOrder>> = true;
template <class T> inline constexpr bool kHasHalves = kIsSource<T>;
template <class U, std::size_t N> inline constexpr bool kHasHalves<Halves<U, N>> = true;

// A constant in every lane.
template <class U> struct Same { Batch<U> part[1]; };

// The number of vectors; 1 for a constant, which every part of an operation takes.
template <class T> inline constexpr std::size_t kParts = 1;
template <class U, std::size_t N, std::size_t kOrder>
inline constexpr std::size_t kParts<Lanes<U, N, kOrder>> = Lanes<U, N>::kVectors;
template <class U, std::size_t N, std::size_t kOrder>
inline constexpr std::size_t kParts<Mask<U, N, kOrder>> = Lanes<U, N>::kVectors;

// f(part I of each). The arrays are indexed here: a function for that would be one more to inline at each.
template <std::size_t I, class F, class... A> CASTFORGE_INLINE auto at_part(const F& f, const A&... a) {
  return f(a.part[I % kParts<A>]...);
}

// The Lanes or Mask of these vectors. Lists in braces are evaluated from first to last, unlike GCC's arguments, and so
// are memory's lines read and written: backwards costs a seventh of a loop that does little else.
template <std::size_t N, std::size_t kOrder, class U> Lanes<U, N, kOrder> gathered(Batch<U>);
template <std::size_t N, std::size_t kOrder, class U> Mask<U, N, kOrder> gathered(BatchMask<U>);
template <std::size_t N, std::size_t kOrder, class V> using Gathered = decltype(gathered<N, kOrder>(std::declval<V>()));

template <std::size_t N, std::size_t kOrder, class F, std::size_t... I, class... A>
CASTFORGE_INLINE auto for_parts(std::index_sequence<I...>, const F& f, const A&... a) {
  return Gathered<N, kOrder, decltype(at_part<0>(f, a...))>{{at_part<I>(f, a...)...}};
}

template <std::size_t kOrder, class U, std::size_t N, std::size_t kFrom>
CASTFORGE_INLINE Lanes<U, N, kOrder> in_order(const Lanes<U, N, kFrom>& v) {
  if constexpr (kOrder == kFrom) {
    return v;
  } else {
    return for_parts<N, kOrder>(
        std::make_index_sequence<Lanes<U, N>::kVectors>{},
        [](Batch<U> b) noexcept CASTFORGE_LAMBDA_INLINE {
          if constexpr (kFrom != 1) b = to_natural<kFrom>(b);
          if constexpr (kOrder != 1) b = from_natural<kOrder>(b);
          return b;
        },
        v);
  }
}

// kBytes bytes, at most 8 or 16, at the beginning of each 128-bit part; in longer vectors they repeat.
template <std::size_t kBytes> CASTFORGE_INLINE B8 repeated(const std::byte* p) {
  if constexpr (kBytes == 16) {
    return kernel::repeat16(p, Arch{});
  } else {
    Unsigned<static_cast<int>(8 * kBytes)> few;
    std::memcpy(&few, p, sizeof few);
    if constexpr (kParts128 == 1) return batch_of<u8>(reinterpret_cast<Native<u8>>(Native<decltype(few)>{few}));
    else return as<u8>(broadcast(few));
  }
}
// In each word a byte, that of the two elements that will fill it in order R: kWords words for each byte.
template <std::size_t R, std::size_t kWords>
constexpr auto kByteOfWord = [](std::size_t i) {
  return i % 2 != 0 ? kNoByte : (kFromNatural<R>(i / (16 / R)) * (16 / R) + i % (16 / R)) / (2 * kWords);
};
template <std::size_t R, std::size_t kWords> CASTFORGE_INLINE B16 words_of_bytes(const std::byte* p) {
  using namespace kernel;  // NOLINT
  constexpr std::size_t kBytes = kVectorBytes / (2 * kWords);
  if constexpr (R == 1 && kWords == 1) return load_widened(p, std::false_type{}, u8{}, B16{}, Arch{});
  else return as<u16>(lookup16(repeated<kBytes>(p), constant_vector<u8, kByteOfWord<R, kWords>>(), Arch{}));
}
// The byte of each single bit, and in it that bit.
constexpr auto kByteOfBit = [](std::size_t i) { return i / 8; };
template <Packing kPacking>
constexpr auto kBitOfByte = [](std::size_t i) { return 1u << (kPacking == Packing::high_first ? 7 - i % 8 : i % 8); };
// A vector of the elements of kBits at p, which are narrower than its lanes, in order kOrder.
template <class U, int kBits, Packing kPacking, std::size_t kOrder>
CASTFORGE_INLINE Batch<U> unpacked(const std::byte* p) {
  using namespace kernel;  // NOLINT
  constexpr bool kHighFirst = kPacking == Packing::high_first;
  // Two neighbours of n bits in a lane go to the low ends of its halves: two operations of AVX-512, three elsewhere.
  const auto apart = [](auto x, int n, int half, auto both) noexcept CASTFORGE_LAMBDA_INLINE {
    const auto first = kHighFirst ? shift_right(x, n, Arch{}) : x;
    const auto second = shift_left(x, kHighFirst ? half : half - n, Arch{});
    return bit_and(bit_or(first, second, Arch{}), broadcast(both), Arch{});
  };
  if constexpr (kBits <= 2 && places_bytes(Arch{})) {
    return bit_and(kernel::spread<U, kBits, kPacking>(p, Arch{}), broadcast(static_cast<U>((1 << kBits) - 1)), Arch{});
  } else if constexpr (kBits == 1) {
    const B8 bytes = lookup16(repeated<kVectorBytes / 8>(p), constant_vector<u8, kByteOfBit>(), Arch{});
    return min(bit_and(bytes, constant_vector<u8, kBitOfByte<kPacking>>(), Arch{}), broadcast(u8{1}), Arch{});
  } else if constexpr (kBits == 4) {
    return as<u8>(apart(words_of_bytes<kOrder, 1>(p), 4, 8, u16{0x0F0F}));
  } else if constexpr (kBits == 2 && kParts128 == 4) {
    const B32 bytes = load_widened(p, std::false_type{}, u8{}, B32{}, Arch{});
    return as<u8>(apart(apart(bytes, 4, 16, 0x000F000Fu), 2, 8, 0x03030303u));
  } else if constexpr (kBits == 2) {
    static_assert(kOrder <= 4, "the two words of a byte are neighbours");
    // Of each word the two elements that are its own, moved to its bits 6 and 14, then to 0 and 8.
    const B32 own = broadcast(kHighFirst ? 0x000F00F0u : 0x00F0000Fu);
    constexpr u32 moves = kHighFirst ? (1u << 4 | 1u << 14) << 16 | (1u << 0 | 1u << 10)
                                     : (1u << 2 | 1u << 8) << 16 | (1u << 6 | 1u << 12);
    const B16 pairs = bit_and(words_of_bytes<kOrder, 2>(p), as<u16>(own), Arch{});
    const B16 moved = shift_right(multiply(pairs, as<u16>(broadcast(moves)), Arch{}), 6, Arch{});
    return as<u8>(bit_and(moved, broadcast(u16{0x0303}), Arch{}));
  } else {
    return unpack(p, std::integral_constant<int, kBits>{}, Batch<U>{}, Arch{});
  }
}
// Half the elements of 4 bits in a vector.
template <int kHalf, Packing kPacking> CASTFORGE_INLINE B8 half_of_nibbles(const std::byte* p) {
  using namespace kernel;  // NOLINT
  constexpr bool kHighFirst = kPacking == Packing::high_first;
  B8 bytes = load(p, B8{}, Arch{});
  if constexpr (order_of_interleave(Arch{}) != 1) bytes = from_natural<order_of_interleave(Arch{})>(bytes);
  const B8 low = bit_and(bytes, broadcast(u8{0x0F}), Arch{});
  const B8 high = as<u8>(bit_and(shift_right(as<u16>(bytes), 4, Arch{}), broadcast(u16{0x0F0F}), Arch{}));
  return interleave(std::integral_constant<int, kHalf>{}, kHighFirst ? high : low, kHighFirst ? low : high, Arch{});
}
template <class U, int kBits, Packing kPacking, std::size_t kOrder, std::size_t N, std::size_t... I>
CASTFORGE_INLINE Lanes<U, N, kOrder> unpacked(const std::byte* p, std::index_sequence<I...>) {
  constexpr bool kInPairs = kBits == 4 && kParts128 <= 2 && kOrder == 1 && sizeof...(I) % 2 == 0;
  if constexpr (kInPairs) return {{half_of_nibbles<I % 2, kPacking>(p + I / 2 * kVectorBytes)...}};
  else return {{unpacked<U, kBits, kPacking, kOrder>(p + I * (kVectorBytes / sizeof(U) * kBits / 8))...}};
}

template <class U, std::size_t N, std::size_t... I>
CASTFORGE_INLINE Lanes<U, N> loaded(const std::byte* p, std::index_sequence<I...>) {
  return {{kernel::load(p + I * kVectorBytes, Batch<U>{}, Arch{})...}};
}
template <class U, std::size_t N, std::size_t kOrder>
CASTFORGE_INLINE Lanes<U, N, kOrder> loaded(const Source<U, N, kOrder>& v) {
  return in_order<kOrder>(loaded<U, N>(v.data, std::make_index_sequence<Lanes<U, N>::kVectors>{}));
}
template <class U, std::size_t N, std::size_t kOrder, int kBits, Packing kPacking>
requires(kBits <
         kBitsOf<U>) CASTFORGE_INLINE Lanes<U, N, kOrder> loaded(const Source<U, N, kOrder, kBits, kPacking>& v) {
  // In AVX2 by one shuffle, if the order leaves the elements of a byte together.
  constexpr std::size_t kFirst = kParts128 == 2 && (kBits == 2 || kBits == 4) && kOrder <= 2 * kBits ? kOrder : 1;
  constexpr auto kAll = std::make_index_sequence<Lanes<U, N>::kVectors>{};
  return in_order<kOrder>(unpacked<U, kBits, kPacking, kFirst, N>(v.data, kAll));
}
template <class U, std::size_t N, std::size_t... I>
CASTFORGE_INLINE Lanes<U, N> joined_halves(const Halves<U, N>& v, std::index_sequence<I...>) {
  return {{kernel::both<U>(v.half[2 * I], v.half[2 * I + 1], Arch{})...}};
}
template <class U, std::size_t N> CASTFORGE_INLINE Lanes<U, N> loaded(const Halves<U, N>& v) {
  return joined_halves(v, std::make_index_sequence<Lanes<U, N>::kVectors>{});
}
template <class U, std::size_t N, std::size_t kOrder>
CASTFORGE_INLINE const Lanes<U, N, kOrder>& loaded(const Lanes<U, N, kOrder>& v) {
  return v;
}

// An operand as lanes of U in order kOrder.
template <class U, std::size_t kOrder, class T> CASTFORGE_INLINE decltype(auto) prepared(const T& v) {
  if constexpr (kShape<T>.mask || std::is_same_v<T, Lanes<U, kShape<T>.lanes, kOrder>>) {
    static_assert(std::is_same_v<Lane<T>, U> && kShape<T>.order == kOrder, "masks stay in the order they are made in");
    return (v);  // no copy, which the compiler would have to take apart
  } else if constexpr (kShape<T>.lanes != 0) {
    static_assert(std::is_same_v<Lane<T>, U>, "operands differ in width");
    return in_order<kOrder>(loaded(v));
  } else {
    return Same<U>{{broadcast(static_cast<U>(v))}};
  }
}

// The places of the vectors that lanes of U of a shape fill.
template <class U, Shape kShapeOf> constexpr auto places_of() {
  return std::make_index_sequence<Lanes<U, kShapeOf.lanes>::kVectors>{};
}

// f of each part of the operands.
template <class F, class... A> CASTFORGE_INLINE auto per_part(const F& f, const A&... a) {
  using U = Lane<A...>;
  constexpr Shape shape = common_shape({kShape<A>...});
  return for_parts<shape.lanes, shape.order>(places_of<U, shape>(), f, prepared<U, shape.order>(a)...);
}

template <std::size_t kFirst, class F, class L, std::size_t... K>
CASTFORGE_INLINE auto at_group(const F& f, const L& v, std::index_sequence<K...>) {
  return f(v.part[kFirst + K]...);
}
template <std::size_t R, std::size_t N, std::size_t kOrder, class F, class L, std::size_t... I>
CASTFORGE_INLINE auto for_groups(const F& f, const L& v, std::index_sequence<I...>) {
  using V = decltype(at_group<0>(f, v, std::make_index_sequence<R>{}));
  return Gathered<N, kOrder, V>{{at_group<I * R>(f, v, std::make_index_sequence<R>{})...}};
}
// f of each R vectors, which gives one: for R > 1 in the order kOrder, that of packs, or 1; for R = 1 the order stays.
template <std::size_t R, std::size_t kOrder, class F, class T> CASTFORGE_INLINE auto per_group(const F& f, const T& v) {
  constexpr Shape shape = kShape<T>;
  constexpr std::make_index_sequence<Lanes<Lane<T>, shape.lanes>::kVectors / R> groups{};
  if constexpr (R == 1) return for_groups<R, shape.lanes, shape.order>(f, loaded(v), groups);
  else if constexpr (kOrder == 1) return for_groups<R, shape.lanes, 1>(f, in_order<1>(loaded(v)), groups);
  else return for_groups<R, shape.lanes, kOrder * shape.order>(f, loaded(v), groups);
}
template <class To, class F, class T> CASTFORGE_INLINE auto packed_by(const F& f, const T& v) {
  constexpr std::size_t kFrom = sizeof(Lane<T>), kTo = sizeof(To);
  return per_group<kFrom / kTo, kernel::order_of_pack(kFrom, kTo, Arch{})>(f, v);
}

// Half I of the vectors, in natural order.
template <std::size_t I, class U, std::size_t N, std::size_t kOrder>
CASTFORGE_INLINE Half<U> half_of(const Source<U, N, kOrder>& v) {
  Half<U> h;
  std::memcpy(&h, v.data + I * (kVectorBytes / 2), sizeof h);
  return h;
}
template <std::size_t I, class U, std::size_t N> CASTFORGE_INLINE Half<U> half_of(const Halves<U, N>& v) {
  return v.half[I];
}
template <std::size_t I, class U, std::size_t N> CASTFORGE_INLINE Half<U> half_of(const Lanes<U, N>& v) {
  return half<I % 2>(v.part[I / 2]);
}
template <class F, class T, std::size_t... I>
CASTFORGE_INLINE auto for_halves(const F& f, const T& v, std::index_sequence<I...>) {
  return Gathered<kShape<T>.lanes, 1, decltype(f(half_of<0>(v)))>{{f(half_of<I>(v))...}};
}
// f of each half, which gives a vector.
template <class F, class T> CASTFORGE_INLINE auto per_half(const F& f, const T& v) {
  constexpr std::make_index_sequence<2 * Lanes<Lane<T>, kShape<T>.lanes>::kVectors> halves{};
  if constexpr (kHasHalves<T>) return for_halves(f, v, halves);
  else return for_halves(f, in_order<1>(loaded(v)), halves);
}

template <class To, class F, class L, std::size_t... I>
CASTFORGE_INLINE auto halves_of(const F& f, const L& v, std::index_sequence<I...>) {
  return Halves<To, kShape<L>.lanes>{{f(v.part[I])...}};
}
// f of each vector, which gives half a one.
template <class To, class F, class T> CASTFORGE_INLINE auto to_halves(const F& f, const T& v) {
  return halves_of<To>(f, in_order<1>(loaded(v)),
                       std::make_index_sequence<Lanes<Lane<T>, kShape<T>.lanes>::kVectors>{});
}

template <class U, std::size_t N, std::size_t kOrder, std::size_t... I>
CASTFORGE_INLINE auto interleaved(const Lanes<U, N, kOrder>& low, const Lanes<U, N, kOrder>& high,
                                  std::index_sequence<I...>) {
  using To = Unsigned<16 * sizeof(U)>;
  constexpr std::size_t kPart = kernel::order_of_interleave(Arch{}), kResult = kOrder < kPart ? 1 : kOrder / kPart;
  return Lanes<To, N, kResult>{
      {as<To>(kernel::interleave(std::integral_constant<int, I % 2>{}, low.part[I / 2], high.part[I / 2], Arch{}))...}};
}
// Lanes of twice the width from their halves.
template <class U, std::size_t N, std::size_t kOrder>
CASTFORGE_INLINE auto interleaved(const Lanes<U, N, kOrder>& low, const Lanes<U, N, kOrder>& high) {
  constexpr std::size_t kWanted = kernel::order_of_interleave(Arch{});
  if constexpr (kOrder < kWanted) return interleaved(in_order<kWanted>(low), in_order<kWanted>(high));
  else return interleaved(low, high, std::make_index_sequence<2 * Lanes<U, N>::kVectors>{});
}
template <class U, std::size_t N, std::size_t kOrder, std::size_t... I>
CASTFORGE_INLINE Lanes<U, N, kOrder> zeros(std::index_sequence<I...>) {
  return {{(static_cast<void>(I), Batch<U>(U{0}))...}};
}

// The order from which interleaving to lanes `times` as wide ends in the natural one.
constexpr std::size_t order_for(std::size_t times) { return kernel::order_of_interleave(Arch{}) == 1 ? 1 : times; }
// Can a byte of lanes of so many be brought to its place by one permutation, not by interleaving twice or more?
constexpr bool places_bytes_of(std::size_t lane_bytes) { return lane_bytes > 2 && kernel::places_bytes(Arch{}); }
// The order in which bytes are best loaded that become lanes of so many bytes; loops may have reasons for another.
constexpr std::size_t order_of_load(std::size_t lane_bytes) {
  return places_bytes_of(lane_bytes) ? 1 : order_for(lane_bytes);
}

// Vectors of To that have byte kFirst of each lane from a and byte kSecond from b, other bytes zero.
template <class To, int kFirst, int kSecond, std::size_t N, std::size_t... I>
CASTFORGE_INLINE Lanes<To, N> placed(const Lanes<u8, N>& a, const Lanes<u8, N>& b, std::index_sequence<I...>) {
  constexpr std::size_t R = sizeof(To);
  return {{as<To>(
      kernel::place_bytes(kernel::Places<R, I % R, kFirst, kSecond>{}, a.part[I / R], b.part[I / R], Arch{}))...}};
}
template <class To, int kFirst, int kSecond, std::size_t N>
CASTFORGE_INLINE Lanes<To, N> placed(const Lanes<u8, N>& a, const Lanes<u8, N>& b) {
  return placed<To, kFirst, kSecond>(a, b, std::make_index_sequence<Lanes<To, N>::kVectors>{});
}

// Lanes of twice the width, from halves of vectors.
template <bool kSigned, class U, std::size_t N> CASTFORGE_INLINE auto extended(const Lanes<U, N>& v) {
  return per_half(
      [](Half<U> h) noexcept CASTFORGE_LAMBDA_INLINE {
        return kernel::extended(h, std::bool_constant<kSigned>{}, U{}, Batch<Unsigned<16 * sizeof(U)>>{}, Arch{});
      },
      v);
}

// Lanes wider by zeros.
template <class To, class U, std::size_t N, std::size_t kOrder>
CASTFORGE_INLINE auto widened(const Lanes<U, N, kOrder>& v) {
  if constexpr (sizeof(To) == sizeof(U)) {
    return v;
  } else if constexpr (sizeof(U) == 1 && places_bytes_of(sizeof(To))) {
    return placed<To, 0, 0>(in_order<1>(v), in_order<1>(v));
  } else if constexpr (kOrder == 1 && kernel::extends_halves(sizeof(U), Arch{})) {
    return widened<To>(extended<false>(v));
  } else {
    constexpr std::size_t kNeeded = order_for(sizeof(To) / sizeof(U));
    if constexpr (kOrder < kNeeded) {
      return widened<To>(in_order<kNeeded>(v));
    } else {
      return widened<To>(interleaved(v, zeros<U, N, kOrder>(std::make_index_sequence<Lanes<U, N>::kVectors>{})));
    }
  }
}
template <class To, bool kSigned, class U, std::size_t N, std::size_t... I>
CASTFORGE_INLINE Lanes<To, N> load_widened(const std::byte* p, std::index_sequence<I...>) {
  return {{kernel::load_widened(p + I * (kVectorBytes * sizeof(U) / sizeof(To)), std::bool_constant<kSigned>{}, U{},
                                Batch<To>{}, Arch{})...}};
}

template <class T> inline constexpr bool kSharesBytes = false;  // sources of elements of which a byte holds several
template <class U, std::size_t N, std::size_t kOrder, int kBits, Packing kPacking>
requires(kBits < 8) inline constexpr bool kSharesBytes<Source<U, N, kOrder, kBits, kPacking>> = 8 % kBits == 0;
template <class To, int kBits, Packing kPacking, std::size_t N, std::size_t... I>
CASTFORGE_INLINE Lanes<To, N> spread(const std::byte* p, std::index_sequence<I...>) {
  return {{kernel::spread<To, kBits, kPacking>(p + I * (kVectorBytes / sizeof(To) * kBits / 8), Arch{})...}};
}
// Such elements in lanes of To, other elements above them.
template <class To, class U, std::size_t N, std::size_t kOrder, int kBits, Packing kPacking>
CASTFORGE_INLINE Lanes<To, N> spread(const Source<U, N, kOrder, kBits, kPacking>& v) {
  return spread<To, kBits, kPacking, N>(v.data, std::make_index_sequence<Lanes<To, N>::kVectors>{});
}
template <class T> inline constexpr std::size_t kCodes = 0;
template <class U, std::size_t N, std::size_t kOrder, int kBits, Packing kPacking>
inline constexpr std::size_t kCodes<Source<U, N, kOrder, kBits, kPacking>> = std::size_t{1} << kBits;
// Is the entry of an index that of its low bits, which number `codes`?
template <class Table> constexpr bool repeats(const Table& table, std::size_t codes) {
  return std::equal(table.begin() + std::min(codes, table.size()), table.end(), table.begin());
}

// The bytes of a table.
template <class U> CASTFORGE_INLINE const std::byte* bytes_of(const U* table) {
  return reinterpret_cast<const std::byte*>(table);
}

}  // namespace detail

// An operation that takes a vector of each operand and gives one. One macro for each number of operands: a variadic
// function would be three more to inline at every vector. Numbers behind the operands are the same for all vectors.
#define CASTFORGE_PER_PART_1(name)                                                                                     \
  namespace detail {                                                                                                   \
  template <std::size_t N, std::size_t kOrder, class A, std::size_t... I, class... Number>                             \
  CASTFORGE_INLINE auto name##_of_parts(std::index_sequence<I...>, const A& a, Number... n) {                          \
    return Gathered<N, kOrder, decltype(kernel::name(a.part[0], n..., Arch{}))>{                                       \
        {kernel::name(a.part[I], n..., Arch{})...}};                                                                   \
  }                                                                                                                    \
  }                                                                                                                    \
  template <detail::Vector A, class... Number> CASTFORGE_INLINE auto name(const A& a, Number... n) {                   \
    constexpr detail::Shape shape = detail::kShape<A>;                                                                 \
    return detail::name##_of_parts<shape.lanes, shape.order>(detail::places_of<detail::Lane<A>, shape>(),              \
                                                             detail::prepared<detail::Lane<A>, shape.order>(a), n...); \
  }
#define CASTFORGE_NAMED_2(name, implementation)                                                                   \
  namespace detail {                                                                                              \
  template <std::size_t N, std::size_t kOrder, class A, class B, std::size_t... I>                                \
  CASTFORGE_INLINE auto implementation##_of_parts(std::index_sequence<I...>, const A& a, const B& b) {            \
    return Gathered<N, kOrder, decltype(kernel::implementation(a.part[0], b.part[0], Arch{}))>{                   \
        {kernel::implementation(a.part[I % kParts<A>], b.part[I % kParts<B>], Arch{})...}};                       \
  }                                                                                                               \
  }                                                                                                               \
  template <class A, class B>                                                                                     \
  requires detail::Vectors<A, B> CASTFORGE_INLINE auto name(const A& a, const B& b) {                             \
    using U = detail::Lane<A, B>;                                                                                 \
    constexpr detail::Shape shape = detail::common_shape({detail::kShape<A>, detail::kShape<B>});                 \
    return detail::implementation##_of_parts<shape.lanes, shape.order>(                                           \
        detail::places_of<U, shape>(), detail::prepared<U, shape.order>(a), detail::prepared<U, shape.order>(b)); \
  }
#define CASTFORGE_NAMED_3(name, implementation)                                                                      \
  namespace detail {                                                                                                 \
  template <std::size_t N, std::size_t kOrder, class A, class B, class C, std::size_t... I>                          \
  CASTFORGE_INLINE auto implementation##_of_parts(std::index_sequence<I...>, const A& a, const B& b, const C& c) {   \
    return Gathered<N, kOrder, decltype(kernel::implementation(a.part[0], b.part[0], c.part[0], Arch{}))>{           \
        {kernel::implementation(a.part[I % kParts<A>], b.part[I % kParts<B>], c.part[I % kParts<C>], Arch{})...}};   \
  }                                                                                                                  \
  }                                                                                                                  \
  template <class A, class B, class C>                                                                               \
  requires detail::Vectors<A, B, C> CASTFORGE_INLINE auto name(const A& a, const B& b, const C& c) {                 \
    using U = detail::Lane<A, B, C>;                                                                                 \
    constexpr detail::Shape shape = detail::common_shape({detail::kShape<A>, detail::kShape<B>, detail::kShape<C>}); \
    return detail::implementation##_of_parts<shape.lanes, shape.order>(                                              \
        detail::places_of<U, shape>(), detail::prepared<U, shape.order>(a), detail::prepared<U, shape.order>(b),     \
        detail::prepared<U, shape.order>(c));                                                                        \
  }
#define CASTFORGE_PER_PART_2(name) CASTFORGE_NAMED_2(name, name)
#define CASTFORGE_PER_PART_3(name) CASTFORGE_NAMED_3(name, name)
// In a table: an address, or a register that has all of it.
#define CASTFORGE_LOOKUP(name)                                                                                       \
  namespace detail {                                                                                                 \
  template <std::size_t N, std::size_t kOrder, class A, class Table, std::size_t... I>                               \
  CASTFORGE_INLINE auto name##_of_parts(std::index_sequence<I...>, const A& a, Table table) {                        \
    return Gathered<N, kOrder, decltype(kernel::name(table, a.part[0], Arch{}))>{                                    \
        {kernel::name(table, a.part[I], Arch{})...}};                                                                \
  }                                                                                                                  \
  template <Vector A, class Table> CASTFORGE_INLINE auto name##_in(const A& a, Table table) {                        \
    constexpr Shape shape = kShape<A>;                                                                               \
    return name##_of_parts<shape.lanes, shape.order>(places_of<Lane<A>, shape>(), prepared<Lane<A>, shape.order>(a), \
                                                     table);                                                         \
  }                                                                                                                  \
  }
// To lanes twice as wide, each vector from half a one.
#define CASTFORGE_PER_HALF(name)                                                                                 \
  template <detail::Vector T> CASTFORGE_INLINE auto name(const T& a) {                                           \
    return detail::per_half([](auto v) noexcept CASTFORGE_LAMBDA_INLINE { return kernel::name(v, Arch{}); }, a); \
  }
// To narrower lanes: as many vectors as become one, in the order of packs; or each to half a one, where the target has
// a form for one vector.
#define CASTFORGE_PACKED(name, To)                                                                           \
  template <detail::Vector T> CASTFORGE_INLINE auto name(const T& a) {                                       \
    const auto each = [](auto... v) noexcept CASTFORGE_LAMBDA_INLINE { return kernel::name(v..., Arch{}); }; \
    if constexpr (requires(Batch<detail::Lane<T>> v) { kernel::name(v, Arch{}); })                           \
      return detail::to_halves<To>(each, a);                                                                 \
    else return detail::packed_by<To>(each, a);                                                              \
  }
// The same with a number, in a type.
#define CASTFORGE_PACKED_N(name, To)                                           \
  template <int n, detail::Vector T> CASTFORGE_INLINE auto name(const T& a) {  \
    return detail::packed_by<To>(                                              \
        [](auto... v) noexcept CASTFORGE_LAMBDA_INLINE {                       \
          return kernel::name(std::integral_constant<int, n>{}, v..., Arch{}); \
        },                                                                     \
        a);                                                                    \
  }
#define CASTFORGE_PER_PART_N(name)                                            \
  CASTFORGE_PER_PART_1(name)                                                  \
  template <int n, detail::Vector T> CASTFORGE_INLINE auto name(const T& a) { \
    return name(a, std::integral_constant<int, n>{});                         \
  }

// clang-format off
CASTFORGE_NAMED_2(operator+, add) CASTFORGE_NAMED_2(operator-, subtract) CASTFORGE_NAMED_2(operator&, bit_and)
CASTFORGE_NAMED_2(operator|, bit_or) CASTFORGE_NAMED_2(operator^, bit_xor)
CASTFORGE_PER_PART_1(shift_left) CASTFORGE_PER_PART_1(shift_right)
template <detail::Vector T> CASTFORGE_INLINE auto operator<<(const T& a, int n) { return shift_left(a, n); }
template <detail::Vector T> CASTFORGE_INLINE auto operator>>(const T& a, int n) { return shift_right(a, n); }
CASTFORGE_PER_PART_2(keep_where) CASTFORGE_PER_PART_2(clear_where) CASTFORGE_NAMED_3(select_any, select)
CASTFORGE_LOOKUP(lookup16) CASTFORGE_LOOKUP(lookup16_or_zero)
CASTFORGE_LOOKUP(lookup8_wide) CASTFORGE_LOOKUP(lookup16_upper) CASTFORGE_LOOKUP(lookup16_wide)
#if CASTFORGE_HAS_TABLES
CASTFORGE_LOOKUP(lookup64) CASTFORGE_LOOKUP(lookup128) CASTFORGE_LOOKUP(lookup256)
#endif
#if CASTFORGE_HAS_AVX512
CASTFORGE_LOOKUP(lookup256_wide)
#endif

// All others whose lanes have one width, or go from one fixed width to another.
#include "operations.hpp"

namespace detail {
// Is it a number of which the compiler sees that it is zero?
template <class T> CASTFORGE_INLINE bool is_zero(const T& value) {
  if constexpr (std::integral<T>) return __builtin_constant_p(value) && value == 0;
  else return false;
}
}  // namespace detail
// clang-format on

// Where one operand is zero, the mask alone does it.
template <class M, class A, class B>
requires detail::Vectors<M, A, B> CASTFORGE_INLINE auto select(const M& mask, const A& a, const B& b) {
  if (detail::is_zero(b)) return keep_where(mask, a);
  if (detail::is_zero(a)) return clear_where(mask, b);
  return select_any(mask, a, b);
}

template <class To, detail::Vector T> CASTFORGE_INLINE auto widen(const T& a) {
  using U = detail::Lane<T>;
  constexpr std::size_t kLanes = detail::kShape<T>.lanes;
  if constexpr (detail::kIsSource<T>) {
    return detail::load_widened<To, false, U, kLanes>(a.data, std::make_index_sequence<Lanes<To, kLanes>::kVectors>{});
  } else {
    return detail::widened<To>(detail::loaded(a));
  }
}
template <class To, detail::Vector T> CASTFORGE_INLINE auto widen_signed(const T& a) {
  using U = detail::Lane<T>;
  constexpr std::size_t kLanes = detail::kShape<T>.lanes;
  if constexpr (detail::kIsSource<T>) {
    return detail::load_widened<To, true, U, kLanes>(a.data, std::make_index_sequence<Lanes<To, kLanes>::kVectors>{});
  } else {
    const auto& lanes = detail::loaded(a);
    if constexpr (sizeof(To) == 2 * sizeof(U) && detail::kShape<T>.order == 1 &&
                  kernel::extends_halves(sizeof(U), Arch{})) {
      return detail::extended<true>(lanes);
    } else if constexpr (sizeof(To) == 2 && sizeof(U) == 1) {  // no arithmetic shift of bytes
      return sar<8>(detail::interleaved(lanes, lanes));
    } else if constexpr (sizeof(To) == 2 * sizeof(U)) {
      return detail::interleaved(lanes, sar<detail::kBitsOf<U> - 1>(lanes));
    } else {
      constexpr U kTop = static_cast<U>(U{1} << (detail::kBitsOf<U> - 1));
      return detail::widened<To>(lanes ^ kTop) - kTop;
    }
  }
}
template <class To, detail::Vector T> CASTFORGE_INLINE auto truncate(const T& a) {
  return detail::packed_by<To>(
      [](auto... v) noexcept CASTFORGE_LAMBDA_INLINE { return kernel::truncate(v..., Arch{}); }, a);
}
template <class To, detail::Vector T> CASTFORGE_INLINE auto narrow(const T& a) {
  return detail::packed_by<To>([](auto... v) noexcept CASTFORGE_LAMBDA_INLINE { return kernel::narrow(v..., Arch{}); },
                               a);
}

namespace detail {
// One byte per lane, ready to be interleaved.
template <std::size_t N, std::size_t kOrder, class T> CASTFORGE_INLINE Lanes<u8, N, kOrder> plane(const T& v) {
  if constexpr (kShape<T>.lanes != 0) return in_order<kOrder>(loaded(v));
  else return zeros<u8, N, kOrder>(std::make_index_sequence<Lanes<u8, N>::kVectors>{});
}
// The two, or the one twice, of the operands that are no constants.
template <class T, class... Rest> CASTFORGE_INLINE const auto& first_plane(const T& v, const Rest&... rest) {
  if constexpr (kShape<T>.lanes != 0) return v;
  else return first_plane(rest...);
}
template <class T, class... Rest> CASTFORGE_INLINE const auto& last_plane(const T& v, const Rest&... rest) {
  if constexpr (((kShape<Rest>.lanes != 0) || ...)) return last_plane(rest...);
  else return v;
}
template <class... A> constexpr int place_of_plane(bool last) {
  int place = -1, at = 0;
  for (const bool is : {(kShape<A>.lanes != 0)...}) {
    if (is && (last || place < 0)) place = at;
    ++at;
  }
  return place;
}
template <class L> CASTFORGE_INLINE L joined(L a) { return a; }
template <class L> CASTFORGE_INLINE auto joined(L a, L b) { return interleaved(a, b); }
template <class L> CASTFORGE_INLINE auto joined(L a, L b, L c, L d) {
  return interleaved(interleaved(a, b), interleaved(c, d));
}
template <class L> CASTFORGE_INLINE auto joined(L a, L b, L c, L d, L e, L f, L g, L h) {
  return interleaved(joined(a, b, c, d), joined(e, f, g, h));
}
}  // namespace detail

template <class To, class... A>
requires detail::Vectors<A...> CASTFORGE_INLINE auto join(const A&... bytes) {
  static_assert(sizeof...(A) == sizeof(To));
  constexpr detail::Shape shape = detail::common_shape({detail::kShape<A>...});
  constexpr std::size_t kLanes = shape.lanes, kPlanes = (std::size_t{detail::kShape<A>.lanes != 0} + ...);
  // Two that a loop has loaded in another order are to be interleaved.
  if constexpr (detail::places_bytes_of(sizeof(To)) && kPlanes <= (shape.order == 1 ? 2 : 1)) {
    return detail::placed<To, detail::place_of_plane<A...>(false), detail::place_of_plane<A...>(true)>(
        detail::in_order<1>(detail::loaded(detail::first_plane(bytes...))),
        detail::in_order<1>(detail::loaded(detail::last_plane(bytes...))));
  } else {
    return detail::joined(detail::plane<kLanes, detail::order_for(sizeof(To))>(bytes)...);
  }
}

namespace detail {
// Indices of a table of wide entries, at bit kAt of lanes of To. The bits above an index may be anything.
template <class To, const auto& kTable, int kAt, Vector T> CASTFORGE_INLINE auto wide_index(const T& a) {
  if constexpr (!kSharesBytes<T> && kAt == 0) return widen<To>(a);
  else if constexpr (!kSharesBytes<T>) return widen<To>(a) << kAt;
  else if constexpr (repeats(kTable, kCodes<T>)) return spread<To>(a);
  else return spread<To>(a) & static_cast<To>(~u64{0} / 0xFF * (kCodes<T> - 1));  // in every byte
}
template <class U, std::size_t N, std::size_t... I>
CASTFORGE_INLINE Lanes<U, N> filled(U value, std::index_sequence<I...>) {
  // Each by itself: g++ would copy one through memory.
  return {{(static_cast<void>(I), broadcast(value))...}};
}
// At most 16 bytes as a table of 16.
template <const auto& kTable>
inline constexpr std::array<u8, 16> kSixteen = [] {
  std::array<u8, 16> all{};
  for (std::size_t i = 0; i < kTable.size(); ++i) all[i] = kTable[i];
  return all;
}();
}  // namespace detail
template <class To, detail::Vector T> CASTFORGE_INLINE auto fill(const T& /*like*/, u64 k) {
  constexpr std::size_t kLanes = detail::kShape<T>.lanes;
  return detail::filled<To, kLanes>(static_cast<To>(k), std::make_index_sequence<Lanes<To, kLanes>::kVectors>{});
}

// Passes a pointer to the table, so that one instantiation serves thousands of tables.
template <const auto& kTable, detail::Vector T> CASTFORGE_INLINE auto lookup16(const T& a) {
  static_assert(kTable.size() == 16);
  return detail::lookup16_in(a, kernel::repeat16(detail::bytes_of(kTable.data()), Arch{}));
}
template <const auto& kTable, detail::Vector T> CASTFORGE_INLINE auto lookup16_or_zero(const T& a) {
  static_assert(kTable.size() == 16);
  return detail::lookup16_or_zero_in(a, kernel::repeat16(detail::bytes_of(kTable.data()), Arch{}));
}
// Indices are below 16, where the table ends at the latest.
template <const auto& kTable, detail::Vector T> CASTFORGE_INLINE auto table(const T& a) {
  return lookup16<detail::kSixteen<kTable>>(a);
}
#define CASTFORGE_LOOKUP_OF(kEntries, name, index)                                         \
  template <const auto& kTable, detail::Vector T> CASTFORGE_INLINE auto name(const T& a) { \
    static_assert(kTable.size() == kEntries);                                              \
    return detail::name##_in(index, detail::bytes_of(kTable.data()));                      \
  }
#if CASTFORGE_HAS_TABLES
CASTFORGE_LOOKUP_OF(64, lookup64, a)
CASTFORGE_LOOKUP_OF(128, lookup128, a)
CASTFORGE_LOOKUP_OF(256, lookup256, a)
#endif
CASTFORGE_LOOKUP_OF(16, lookup16_wide, (detail::wide_index<std::remove_cvref_t<decltype(kTable[0])>, kTable, 0>(a)))
CASTFORGE_LOOKUP_OF(8, lookup8_wide, (detail::wide_index<u64, kTable, 0>(a)))
CASTFORGE_LOOKUP_OF(16, lookup16_upper, (detail::wide_index<u64, kTable, 32>(a)))
#undef CASTFORGE_LOOKUP_OF

#if CASTFORGE_HAS_AVX512
// Halves from memory, which gives them for nothing: as many vectors of twice the width as of lanes.
template <detail::Vector T>
requires detail::kHasHalves<T> CASTFORGE_INLINE auto truncate_float32_to_int32(const T& a) {
  const auto wide = detail::per_half(
      [](auto v) noexcept CASTFORGE_LAMBDA_INLINE { return kernel::truncate_float32_modulo_32(v, Arch{}); }, a);
  return truncate<u32>(wide);
}
#endif

#undef CASTFORGE_NAMED_2
#undef CASTFORGE_NAMED_3
#undef CASTFORGE_PER_PART_1
#undef CASTFORGE_PER_PART_2
#undef CASTFORGE_PER_PART_3
#undef CASTFORGE_LOOKUP
#undef CASTFORGE_PER_HALF
#undef CASTFORGE_PACKED
#undef CASTFORGE_PACKED_N
#undef CASTFORGE_PER_PART_N

namespace detail {
template <class U, std::size_t N, std::size_t... I>
CASTFORGE_INLINE void store(std::byte* p, const Lanes<U, N>& v, std::index_sequence<I...>) {
  (kernel::store(p + I * kVectorBytes, v.part[I], Arch{}), ...);
}
template <class U, std::size_t N, std::size_t... I>
CASTFORGE_INLINE void store(std::byte* p, const Halves<U, N>& v, std::index_sequence<I...>) {
  (std::memcpy(p + I * (kVectorBytes / 2), &v.half[I], kVectorBytes / 2), ...);
}
}  // namespace detail

/// N elements to memory, in natural order.
template <detail::Vector T> CASTFORGE_INLINE void store(std::byte* p, const T& v) {
  if constexpr (detail::kHasHalves<T> && !detail::kIsSource<T>) {
    detail::store(p, v, std::make_index_sequence<2 * sizeof(v) / kVectorBytes>{});
  } else {
    const auto natural = detail::in_order<1>(detail::loaded(v));
    detail::store(p, natural, std::make_index_sequence<sizeof(natural) / kVectorBytes>{});
  }
}

}  // namespace castforge::inline CASTFORGE_ISA::lane

#endif  // CASTFORGE_VECTOR

// Vectors of one register: xsimd's batches, and what the files of the targets build on.
//
// The namespace kernel holds the operations on batches as overloads on xsimd's architecture tags, of which the most
// derived wins: those of a target are in the file of its name, the fallbacks for all of them in common.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <castforge/elements.hpp>
#include <cstring>
#include <utility>

#include "simd/float_word.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::lane {

template <class U> using Batch = xsimd::batch<U, Arch>;
template <class U> using BatchMask = xsimd::batch_bool<U, Arch>;

using B8 = Batch<u8>;
using B16 = Batch<u16>;
using B32 = Batch<u32>;
using B64 = Batch<u64>;
using F32 = Batch<float>;
using F64 = Batch<double>;

namespace detail {

/// The compiler's own vector type: kBytes bytes of T.
template <class T, std::size_t kBytes = kVectorBytes> struct NativeOf {
  typedef T type __attribute__((vector_size(kBytes)));
};
template <class T, std::size_t kBytes = kVectorBytes> using Native = typename NativeOf<T, kBytes>::type;

/// Half a vector of U, for conversions to lanes of twice the width.
template <class U> using Half = Native<U, kVectorBytes / 2>;

template <class T, class U> CASTFORGE_INLINE Native<T> native(Batch<U> v) {
  return reinterpret_cast<Native<T>>(v.data);
}
template <class U, class N> CASTFORGE_INLINE Batch<U> batch_of(N v) {
  return Batch<U>(reinterpret_cast<typename Batch<U>::register_type>(v));
}
template <class U, class V> CASTFORGE_INLINE Batch<U> as(Batch<V> v) { return batch_of<U>(v.data); }
CASTFORGE_INLINE F32 f32(B32 v) { return as<float>(v); }
CASTFORGE_INLINE F64 f64(B64 v) { return as<double>(v); }
CASTFORGE_INLINE B32 bits(F32 v) { return as<u32>(v); }
CASTFORGE_INLINE B64 bits(F64 v) { return as<u64>(v); }
template <class U> CASTFORGE_INLINE auto as_signed(Batch<U> v) { return as<std::make_signed_t<U>>(v); }

/// All lanes equal to a constant of the plan.
template <class U> CASTFORGE_INLINE Batch<U> broadcast(U value) {
  typename Batch<U>::register_type v = Batch<U>(value).data;
  CASTFORGE_OPAQUE(v);
  return Batch<U>(v);
}

/// The first kBytes bytes at p, zeros above in vectors of 16 bytes.
template <std::size_t kBytes> CASTFORGE_INLINE auto first_bytes(const std::byte* p) {
  if constexpr (kBytes >= 16) {
    Native<long long, kBytes> whole;
    std::memcpy(&whole, p, kBytes);
    return whole;
  } else {
    Unsigned<kBytes * 8> word;
    std::memcpy(&word, p, kBytes);
    if constexpr (kBytes == 8) {
      return Native<long long, 16>{static_cast<long long>(word), 0};
    } else {
      return reinterpret_cast<Native<long long, 16>>(Native<int, 16>{static_cast<int>(word), 0, 0, 0});
    }
  }
}

/// Lane i of the result is lane kIndex(i) of a followed by b.
template <auto kIndex, class U, std::size_t... I>
CASTFORGE_INLINE Batch<U> shuffled(Batch<U> a, Batch<U> b, std::index_sequence<I...>) {
  return batch_of<U>(__builtin_shufflevector(native<U>(a), native<U>(b), kIndex(I)...));
}
template <auto kIndex, class U> CASTFORGE_INLINE Batch<U> shuffled(Batch<U> a, Batch<U> b) {
  return shuffled<kIndex>(a, b, std::make_index_sequence<kVectorBytes / sizeof(U)>{});
}

// A table of kVectorBytes bytes, kEntry(i) each.
template <class U, auto kEntry> CASTFORGE_INLINE Batch<U> constant_vector() {
  alignas(64) static constexpr auto kEntries = [] {
    std::array<U, kVectorBytes / sizeof(U)> entries{};
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<U>(kEntry(i));
    return entries;
  }();
  return Batch<U>::load_aligned(kEntries.data());
}

template <class U, int kHalf, std::size_t... I> CASTFORGE_INLINE Half<U> half(Batch<U> v, std::index_sequence<I...>) {
  return __builtin_shufflevector(native<U>(v), native<U>(v), (kHalf * sizeof...(I) + I)...);
}
/// The lower or upper half.
template <int kHalf, class U> CASTFORGE_INLINE Half<U> half(Batch<U> v) {
  return half<U, kHalf>(v, std::make_index_sequence<kVectorBytes / 2 / sizeof(U)>{});
}

/// The even or the odd lanes of two vectors.
template <int kOdd> constexpr auto kEvery = [](std::size_t i) { return 2 * i + kOdd; };

// Where instructions work within 128-bit parts, elements get out of order and their order is part of a type. Order R:
// the vector is one of R that were narrowed together. Each part holds R groups of 16 / R bytes, group j from the same
// part of vector j of the R. In natural order these groups follow one another by vector, then by part.
inline constexpr std::size_t kParts128 = kVectorBytes / 16;
template <std::size_t R>
constexpr auto kToNatural = [](std::size_t group) { return group % kParts128 * R + group / kParts128; };
template <std::size_t R>
constexpr auto kFromNatural = [](std::size_t group) { return group % R * kParts128 + group / R; };

template <std::size_t R> using Group = std::conditional_t<R == 2, u64, std::conditional_t<R == 4, u32, u16>>;
template <std::size_t R, class U> CASTFORGE_INLINE Batch<U> to_natural(Batch<U> v) {
  const auto groups = as<Group<R>>(v);
  return as<U>(shuffled<kToNatural<R>>(groups, groups));
}
template <std::size_t R, class U> CASTFORGE_INLINE Batch<U> from_natural(Batch<U> v) {
  const auto groups = as<Group<R>>(v);
  return as<U>(shuffled<kFromNatural<R>>(groups, groups));
}

// Alternately a lane of a and of b, from the lower or upper halves of each 128-bit part.
template <class U, int kHalf>
constexpr auto kInterleaved = [](std::size_t i) {
  constexpr std::size_t kLanes = 16 / sizeof(U);
  return i / kLanes * kLanes + kHalf * (kLanes / 2) + i % kLanes / 2 + i % 2 * (kVectorBytes / sizeof(U));
};
// The even or odd lanes of each 128-bit part, of a and then of b.
template <class U, int kOdd>
constexpr auto kAlternate = [](std::size_t i) {
  constexpr std::size_t kLanes = 16 / sizeof(U);
  const std::size_t in_part = i % kLanes, from_b = in_part / (kLanes / 2);
  return i / kLanes * kLanes + in_part % (kLanes / 2) * 2 + kOdd + from_b * (kVectorBytes / sizeof(U));
};

// Low half * 2^8 + high half * 2^(24 - n), halves in two's complement: the second byte is the low one of v + (v >> n),
// as both keep modulo 2^16 what ends there and begin with zeros.
template <int n> constexpr u32 kFoldWeights = 1u << (16 + 24 - n) | 1u << 8;
// The second bytes of a 128-bit part go to dword kTo of it; other dwords become zero.
template <int kTo> constexpr auto kSecondBytes = [](int dword) { return dword == kTo ? 0x0D090501 : -1; };

// The float32 b times a power of two, as the sum of exponents: neither is zero.
CASTFORGE_INLINE B32 times_power(B32 power, B32 b) {
  B32 raised = b - broadcast(0x3F800000u);
  CASTFORGE_IN_VECTOR(raised.data);  // a constant, computed once and not after each power + b
  return power + raised;
}

}  // namespace detail

namespace kernel {
/// Vector kPart of the R that have byte kFirst of each lane of R bytes from one vector of bytes, kSecond from another.
template <std::size_t R, std::size_t kPart, int kFirst, int kSecond> struct Places {};
}  // namespace kernel

}  // namespace castforge::inline CASTFORGE_ISA::lane

#endif  // CASTFORGE_VECTOR

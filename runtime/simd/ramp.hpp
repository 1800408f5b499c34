// Sequences start + i * step at the speed of the stores. Same bits on every instruction set and however a
// sequence is cut into stretches: each element depends on its own index only, never on its neighbour.
#pragma once

#include <bit>
#include <type_traits>

#include "simd/blocks.hpp"
#include "simd/environment.hpp"
#include "simd/lane.hpp"
#include "simd/narrow.hpp"
#include "src/ramp_table.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

// What a ramp is computed in: vectors, or single words where there are none.
#if CASTFORGE_VECTOR
template <class U>
using RampLanes = lane::Batch<U>;
template <class U>
CASTFORGE_INLINE RampLanes<U> ramp_load(const std::byte* p) noexcept {
  return load<U>(p);
}
template <class U>
CASTFORGE_INLINE void ramp_store(std::byte* p, lane::Batch<U> v) noexcept {
  store(p, v);
}
template <class V>
static constexpr std::size_t kRampLanes = V::kLanes;
#else
template <class U>
using RampLanes = lane::Word<U>;
template <class U>
CASTFORGE_INLINE lane::Word<U> ramp_load(const std::byte* p) noexcept {
  U bits;
  std::memcpy(&bits, p, sizeof bits);
  return lane::Word<U>(bits);
}
template <class V>
static constexpr std::size_t kRampLanes = 1;
#endif

template <class U>
CASTFORGE_INLINE void ramp_store(std::byte* p, lane::Word<U> v) noexcept {
  std::memcpy(p, &v.value, sizeof v.value);
}

// Writes r.element(p), r.element(r.next(p)), ...: `count` elements in all, where r.next goes on by one vector
// and r.next_four by four: independent chains hide the latency of the additions.
template <class U, class V, class Ramp>
CASTFORGE_INLINE void fill_ramp(std::byte* dst, std::size_t count, V p, const Ramp& r) noexcept {
  constexpr std::size_t kLanes = kRampLanes<V>, kBytes = kLanes * sizeof(U);
  if (count >= 4 * kLanes) {
    V chain[4] = {p, r.next(p), r.next(r.next(p)), r.next(r.next(r.next(p)))};
    for (; count >= 4 * kLanes; count -= 4 * kLanes, dst += 4 * kBytes) {
#pragma GCC unroll 4
      for (std::size_t i = 0; i < 4; ++i) {
        ramp_store(dst + i * kBytes, r.element(chain[i]));
        chain[i] = r.next_four(chain[i]);
      }
    }
    p = chain[0];
  }
  for (; count >= kLanes; count -= kLanes, dst += kBytes) {
    ramp_store(dst, r.element(p));
    p = r.next(p);
  }
  if (count != 0) {
    alignas(64) std::byte last[lane::kVectorBytes];
    ramp_store(last, r.element(p));
    copy_some(dst, last, count * sizeof(U));
  }
}

// float32 and float64 arithmetic by the width of the word.
template <class V>
CASTFORGE_INLINE V ramp_add(V a, V b) noexcept {
  if constexpr (sizeof(typename V::value_type) == 4)
    return add32(a, b);
  else
    return add64(a, b);
}
template <class V>
CASTFORGE_INLINE V ramp_mul(V a, V b) noexcept {
  if constexpr (sizeof(typename V::value_type) == 4)
    return mul32(a, b);
  else
    return mul64(a, b);
}
template <class V>
CASTFORGE_INLINE V ramp_fma(V a, V b, V c) noexcept {
  if constexpr (sizeof(typename V::value_type) == 4)
    return fma32(a, b, c);
  else
    return fma64(a, b, c);
}

template <class U>
struct RampFloat {
  using type = std::conditional_t<sizeof(U) == 4, float, double>;
  static constexpr int kBits = 8 * sizeof(U), kFraction = sizeof(U) == 4 ? 23 : 52;
  static constexpr U kInfinity = (~U{0} >> 1) & ~((U{1} << kFraction) - 1);
  static constexpr U kNan = kInfinity | U{1} << (kFraction - 1);
  static constexpr U kMagnitude = ~U{0} >> 1;

  static CASTFORGE_INLINE U of(std::uint64_t integer) noexcept {
    return std::bit_cast<U>(static_cast<type>(integer));
  }
};

template <bool kFused, class V>
CASTFORGE_INLINE V ramp_element(V index, V start, V step) noexcept {
  if constexpr (kFused)
    return ramp_fma(index, step, start);
  else
    return ramp_add(start, ramp_mul(index, step));
}

// p holds the elements themselves.
template <class V>
struct IntegerSteps {
  V one, four;
  CASTFORGE_INLINE V next(V p) const noexcept { return p + one; }
  CASTFORGE_INLINE V next_four(V p) const noexcept { return p + four; }
  CASTFORGE_INLINE V element(V p) const noexcept { return p; }
};

// p holds indices less `high`.
template <bool kFused, class V>
struct FloatSteps {
  V one, four, high, start, step;
  CASTFORGE_INLINE V next(V p) const noexcept { return ramp_add(p, one); }
  CASTFORGE_INLINE V next_four(V p) const noexcept { return ramp_add(p, four); }
  CASTFORGE_INLINE V element(V p) const noexcept {
    return ramp_element<kFused>(ramp_add(high, p), start, step);
  }
};

// Element by element: any index, any start and step.
template <class U, bool kFused>
CASTFORGE_SHARED static void float_ramp_words(const tables::Ramp& ramp, std::byte* dst,
                                              std::size_t count) noexcept {
  using Float = RampFloat<U>;
  const lane::Word<U> start(static_cast<U>(ramp.start)), step(static_cast<U>(ramp.step));
  for (std::size_t k = 0; k < count; ++k, dst += sizeof(U)) {
    const lane::Word<U> index(Float::of(ramp.first + k));
    const U bits = ramp_element<kFused>(index, start, step).value;
    // Infinity times zero and infinity less infinity: the sign of that NaN is the processor's choice.
    ramp_store(dst, lane::Word<U>((bits & Float::kMagnitude) > Float::kInfinity ? Float::kNan : bits));
  }
}

}  // namespace detail

/// tables::IsaRamps::integer.
template <class U>
static void integer_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  using V = detail::RampLanes<U>;
  constexpr std::size_t kLanes = detail::kRampLanes<V>;
  alignas(64) U lanes[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k)
    lanes[k] = static_cast<U>(ramp.start + (ramp.first + k) * ramp.step);
  const detail::IntegerSteps<V> steps{V(static_cast<U>(kLanes * ramp.step)),
                                      V(static_cast<U>(4 * kLanes * ramp.step))};
  detail::fill_ramp<U>(static_cast<std::byte*>(dst), count,
                       detail::ramp_load<U>(reinterpret_cast<const std::byte*>(lanes)), steps);
}

/// tables::IsaRamps::rounded and ::fused; U is the word of the float type.
template <class U, bool kFused>
static void float_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  using Float = detail::RampFloat<U>;
  // Everything that rounds is computed from what is read below, hence after the guard.
  const FloatGuard guard;
  std::byte* out = static_cast<std::byte*>(dst);
  const auto is_finite = [](std::uint64_t bits) noexcept {
    return (bits & Float::kInfinity) != Float::kInfinity;
  };
  // Index i is high + low, both exact, so that their rounded sum is i rounded. Holds below 2^40 in float32.
  constexpr std::uint64_t kLowBits = 16, kLast = sizeof(U) == 4 ? std::uint64_t{1} << 40 : ~std::uint64_t{0};
  const bool reaches = ramp.first > kLast || count > kLast - ramp.first;
  constexpr bool kVectors = !kFused || lane::isa_meets(lane::Needs::fma);
  if (!kVectors || reaches || !is_finite(ramp.start) || !is_finite(ramp.step)) {
    return detail::float_ramp_words<U, kFused>(ramp, out, count);
  }
  if constexpr (kVectors) {
    using V = detail::RampLanes<U>;
    constexpr std::size_t kLanes = detail::kRampLanes<V>;
    constexpr std::size_t kRun = std::size_t{1} << 20;  // low stays exact in float32
    detail::FloatSteps<kFused, V> steps{V(Float::of(kLanes)), V(Float::of(4 * kLanes)), V(U{0}),
                                        V(static_cast<U>(ramp.start)), V(static_cast<U>(ramp.step))};
    for (std::uint64_t first = ramp.first; count != 0;) {
      const std::size_t run = count < kRun ? count : kRun;
      const std::uint64_t low = first & ((std::uint64_t{1} << kLowBits) - 1);
      steps.high = V(Float::of(first - low));
      alignas(64) U lanes[kLanes];
      for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = Float::of(low + k);
      detail::fill_ramp<U>(out, run, detail::ramp_load<U>(reinterpret_cast<const std::byte*>(lanes)), steps);
      out += run * sizeof(U);
      first += run;
      count -= run;
    }
  }
}

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

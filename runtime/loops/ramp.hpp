// Sequences start + i * step at the speed of the stores. Same bits on every instruction set and however a
// sequence is divided into stretches: each element depends on its own index only, never on its neighbour.
#pragma once

#include <bit>
#include <type_traits>

#include "loops/blocks.hpp"
#include "simd/lanes.hpp"
#include "src/float_guard.hpp"
#include "src/ramp_table.hpp"

namespace castforge::inline CASTFORGE_ISA::simd {

namespace detail {

// What a ramp is computed in: the compiler's vectors of numbers, or single numbers where there are none. All that
// rounds is done under FloatGuard.
template <class T>
struct RampLanes {
#if CASTFORGE_VECTOR
  using type = lane::detail::Native<T>;
  static constexpr std::size_t kCount = sizeof(type) / sizeof(T);
#else
  using type = T;
  static constexpr std::size_t kCount = 1;
#endif
};
template <class T>
using RampVector = typename RampLanes<T>::type;

template <class V>
CASTFORGE_INLINE V ramp_load(const void* p) noexcept {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class V>
CASTFORGE_INLINE void ramp_store(std::byte* p, V v) noexcept {
  std::memcpy(p, &v, sizeof v);
}
template <class T>
CASTFORGE_INLINE RampVector<T> ramp_same(T v) noexcept {
  return static_cast<RampVector<T>>(v - RampVector<T>{});  // -0 stays
}

// Writes r.element(p), r.element(r.next(p)), ...: `count` elements in all, where r.next goes on by one vector
// and r.next_four by four: independent chains hide the latency of the additions.
template <class T, class V, class Ramp>
CASTFORGE_INLINE void fill_ramp(std::byte* dst, std::size_t count, V p, const Ramp& r) noexcept {
  constexpr std::size_t kLanes = RampLanes<T>::kCount, kBytes = kLanes * sizeof(T);
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
    copy_some(dst, last, count * sizeof(T));
  }
}

// a * b + c, rounded once.
CASTFORGE_INLINE float ramp_fma(float a, float b, float c) noexcept { return __builtin_fmaf(a, b, c); }
CASTFORGE_INLINE double ramp_fma(double a, double b, double c) noexcept { return __builtin_fma(a, b, c); }
#if CASTFORGE_VECTOR
template <class T>
CASTFORGE_INLINE lane::detail::Native<T> ramp_fma_of(lane::detail::Native<T> a, lane::detail::Native<T> b,
                                                     lane::detail::Native<T> c) noexcept {
  using lane::detail::batch_of;
  return lane::detail::native<T>(xsimd::fma(batch_of<T>(a), batch_of<T>(b), batch_of<T>(c)));
}
CASTFORGE_INLINE RampVector<float> ramp_fma(RampVector<float> a, RampVector<float> b, RampVector<float> c) noexcept {
  return ramp_fma_of<float>(a, b, c);
}
CASTFORGE_INLINE RampVector<double> ramp_fma(RampVector<double> a, RampVector<double> b,
                                             RampVector<double> c) noexcept {
  return ramp_fma_of<double>(a, b, c);
}
#endif
// SSE4.2 has no fused instruction.
static constexpr bool kRampFuses = CASTFORGE_X86 >= 2 || CASTFORGE_NEON;

template <class U>
struct RampFloat {
  using type = std::conditional_t<sizeof(U) == 4, float, double>;
  static constexpr int kBits = 8 * sizeof(U), kFraction = sizeof(U) == 4 ? 23 : 52;
  static constexpr U kInfinity = (~U{0} >> 1) & ~((U{1} << kFraction) - 1);
  static constexpr U kNan = kInfinity | U{1} << (kFraction - 1);
  static constexpr U kMagnitude = ~U{0} >> 1;

  static CASTFORGE_INLINE U of(std::uint64_t integer) noexcept { return std::bit_cast<U>(static_cast<type>(integer)); }
  static CASTFORGE_INLINE type number(std::uint64_t bits) noexcept { return std::bit_cast<type>(static_cast<U>(bits)); }
};

template <bool kFused, class V>
CASTFORGE_INLINE V ramp_element(V index, V start, V step) noexcept {
  if constexpr (kFused) return ramp_fma(index, step, start);
  else return start + index * step;
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
  CASTFORGE_INLINE V next(V p) const noexcept { return p + one; }
  CASTFORGE_INLINE V next_four(V p) const noexcept { return p + four; }
  CASTFORGE_INLINE V element(V p) const noexcept { return ramp_element<kFused>(high + p, start, step); }
};

// Element by element: any index, any start and step.
template <class U, bool kFused>
CASTFORGE_SHARED static void float_ramp_words(const tables::Ramp& ramp, std::byte* dst, std::size_t count) noexcept {
  using Float = RampFloat<U>;
  const auto start = Float::number(ramp.start), step = Float::number(ramp.step);
  for (std::size_t k = 0; k < count; ++k, dst += sizeof(U)) {
    const auto index = static_cast<typename Float::type>(ramp.first + k);
    const U bits = std::bit_cast<U>(ramp_element<kFused>(index, start, step));
    // Infinity times zero and infinity less infinity: the sign of that NaN is the processor's choice.
    ramp_store(dst, static_cast<U>((bits & Float::kMagnitude) > Float::kInfinity ? Float::kNan : bits));
  }
}

}  // namespace detail

/// tables::IsaRamps::integer.
template <class U>
static void integer_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  using V = detail::RampVector<U>;
  constexpr std::size_t kLanes = detail::RampLanes<U>::kCount;
  alignas(64) U lanes[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = static_cast<U>(ramp.start + (ramp.first + k) * ramp.step);
  const detail::IntegerSteps<V> steps{detail::ramp_same(static_cast<U>(kLanes * ramp.step)),
                                      detail::ramp_same(static_cast<U>(4 * kLanes * ramp.step))};
  detail::fill_ramp<U>(static_cast<std::byte*>(dst), count, detail::ramp_load<V>(lanes), steps);
}

/// tables::IsaRamps::rounded and ::fused; U is the word of the float type.
template <class U, bool kFused>
static void float_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  using Float = detail::RampFloat<U>;
  // Everything that rounds is computed from what is read below, hence after the guard.
  const FloatGuard guard;
  std::byte* out = static_cast<std::byte*>(dst);
  const auto is_finite = [](std::uint64_t bits) noexcept { return (bits & Float::kInfinity) != Float::kInfinity; };
  // Index i is high + low, both exact, so that their rounded sum is i rounded. Holds below 2^40 in float32.
  constexpr std::uint64_t kLowBits = 16, kLast = sizeof(U) == 4 ? std::uint64_t{1} << 40 : ~std::uint64_t{0};
  const bool reaches = ramp.first > kLast || count > kLast - ramp.first;
  constexpr bool kVectors = !kFused || detail::kRampFuses;
  if (!kVectors || reaches || !is_finite(ramp.start) || !is_finite(ramp.step)) {
    return detail::float_ramp_words<U, kFused>(ramp, out, count);
  }
  if constexpr (kVectors) {
    using T = typename Float::type;
    using V = detail::RampVector<T>;
    constexpr std::size_t kLanes = detail::RampLanes<T>::kCount;
    constexpr std::size_t kRun = std::size_t{1} << 20;  // low stays exact in float32
    detail::FloatSteps<kFused, V> steps{
        detail::ramp_same(static_cast<T>(kLanes)), detail::ramp_same(static_cast<T>(4 * kLanes)), V{},
        detail::ramp_same(Float::number(ramp.start)), detail::ramp_same(Float::number(ramp.step))};
    for (std::uint64_t first = ramp.first; count != 0;) {
      const std::size_t run = count < kRun ? count : kRun;
      const std::uint64_t low = first & ((std::uint64_t{1} << kLowBits) - 1);
      steps.high = detail::ramp_same(static_cast<T>(first - low));
      alignas(64) T lanes[kLanes];
      for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = static_cast<T>(low + k);
      detail::fill_ramp<T>(out, run, detail::ramp_load<V>(lanes), steps);
      out += run * sizeof(U);
      first += run;
      count -= run;
    }
  }
}

}  // namespace castforge::inline CASTFORGE_ISA::simd

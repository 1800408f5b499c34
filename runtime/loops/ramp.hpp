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
template <class T>
CASTFORGE_INLINE RampVector<T> ramp_same(T v) noexcept {
  return static_cast<RampVector<T>>(v - RampVector<T>{});  // -0 stays
}

// Some vectors of elements: their chains of additions do not wait for each other.
template <class T, std::size_t kVectors>
struct RampBlock {
  static constexpr std::size_t kLanes = RampLanes<T>::kCount, kCount = kVectors * kLanes;

  RampVector<T> part[kVectors];

  /// of(0), of(1), ...
  template <class Of>
  static CASTFORGE_INLINE RampBlock made(const Of& of) noexcept {
    alignas(64) T lanes[kCount];
    for (std::size_t k = 0; k < kCount; ++k) lanes[k] = of(k);
    RampBlock block;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) block.part[i] = ramp_load<RampVector<T>>(lanes + i * kLanes);
    return block;
  }
};

// Writes `count` elements: `write` stores the blocks that steps.next() gives, kBytes of each element.
template <std::size_t kBytes, class Steps, class Write>
CASTFORGE_INLINE void fill_ramp(std::byte* out, std::size_t count, Steps& steps, const Write& write) noexcept {
  constexpr std::size_t kCount = decltype(steps.next())::kCount;
  for (; count >= kCount; count -= kCount, out += kCount * kBytes) write(out, steps.next());
  if (count != 0) {
    alignas(64) std::byte last[kCount * kBytes];
    write(last, steps.next());
    copy_some(out, last, count * kBytes);
  }
}

// Elements as they are.
struct WriteParts {
  template <class T, std::size_t kVectors>
  CASTFORGE_INLINE void operator()(std::byte* out, const RampBlock<T, kVectors>& block) const noexcept {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i)
      std::memcpy(out + i * sizeof block.part[i], &block.part[i], sizeof block.part[i]);
  }
};
static constexpr std::size_t kRampVectors = 4;  // of their blocks

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
  static constexpr int kFraction = sizeof(U) == 4 ? 23 : 52;
  static constexpr U kInfinity = (~U{0} >> 1) & ~((U{1} << kFraction) - 1);
  static constexpr U kNan = kInfinity | U{1} << (kFraction - 1);
  static constexpr U kMagnitude = ~U{0} >> 1;

  static CASTFORGE_INLINE type number(std::uint64_t bits) noexcept { return std::bit_cast<type>(static_cast<U>(bits)); }
  static CASTFORGE_INLINE bool is_finite(std::uint64_t bits) noexcept { return (bits & kInfinity) != kInfinity; }
};

template <bool kFused, class V>
CASTFORGE_INLINE V ramp_element(V index, V start, V step) noexcept {
  if constexpr (kFused) return ramp_fma(index, step, start);
  else return start + index * step;
}

// Holds the elements of the next block.
template <class U>
struct IntegerSteps {
  RampBlock<U, kRampVectors> elements;
  RampVector<U> apart;  // of one block and the next

  CASTFORGE_INLINE auto next() noexcept {
    const auto now = elements;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRampVectors; ++i)
      elements.part[i] = static_cast<RampVector<U>>(elements.part[i] + apart);
    return now;
  }
};

// Holds the indices of the next block, less `high`.
template <class T, std::size_t kVectors, bool kFused>
struct FloatSteps {
  RampBlock<T, kVectors> indices;
  RampVector<T> apart, high, start, step;

  CASTFORGE_INLINE auto next() noexcept {
    RampBlock<T, kVectors> now;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      now.part[i] = ramp_element<kFused>(high + indices.part[i], start, step);
      indices.part[i] = indices.part[i] + apart;
    }
    return now;
  }
};

// For finite start and step, in float32 indices below kSplitIndices: `write` stores blocks, kBytes of each element.
template <class U, bool kFused, std::size_t kVectors, std::size_t kBytes, class Write>
CASTFORGE_INLINE void float_ramp_blocks(const tables::Ramp& ramp, std::byte* out, std::size_t count,
                                        const Write& write) noexcept {
  using Float = RampFloat<U>;
  using T = typename Float::type;
  using Block = RampBlock<T, kVectors>;
  // Index i is high + low, both exact, so that their rounded sum is i rounded.
  constexpr std::uint64_t kLowBits = 16;
  constexpr std::size_t kRun = std::size_t{1} << 20;  // low stays exact in float32
  static_assert(kRun % Block::kCount == 0);
  for (std::uint64_t first = ramp.first; count != 0;) {
    const std::size_t run = count < kRun ? count : kRun;
    const std::uint64_t low = first & ((std::uint64_t{1} << kLowBits) - 1);
    FloatSteps<T, kVectors, kFused> steps{
        Block::made([low](std::size_t k) noexcept { return static_cast<T>(low + k); }),
        ramp_same(static_cast<T>(Block::kCount)), ramp_same(static_cast<T>(first - low)),
        ramp_same(Float::number(ramp.start)), ramp_same(Float::number(ramp.step))};
    fill_ramp<kBytes>(out, run, steps, write);
    out += run * kBytes;
    first += run;
    count -= run;
  }
}

// Element by element: any index, any start and step.
template <class U, bool kFused>
CASTFORGE_SHARED static void float_ramp_words(const tables::Ramp& ramp, std::byte* dst, std::size_t count) noexcept {
  using Float = RampFloat<U>;
  const auto start = Float::number(ramp.start), step = Float::number(ramp.step);
  for (std::size_t k = 0; k < count; ++k, dst += sizeof(U)) {
    const auto index = static_cast<typename Float::type>(ramp.first + k);
    const U bits = std::bit_cast<U>(ramp_element<kFused>(index, start, step));
    // Infinity times zero and infinity less infinity: the sign of that NaN is the processor's choice.
    const U element = (bits & Float::kMagnitude) > Float::kInfinity ? Float::kNan : bits;
    std::memcpy(dst, &element, sizeof element);
  }
}

}  // namespace detail

/// tables::IsaRamps::integer.
template <class U>
static void integer_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  using Block = detail::RampBlock<U, detail::kRampVectors>;
  detail::IntegerSteps<U> steps{Block::made([&ramp](std::size_t k) noexcept {
                                  return static_cast<U>(ramp.start + (ramp.first + k) * ramp.step);
                                }),
                                detail::ramp_same(static_cast<U>(Block::kCount * ramp.step))};
  detail::fill_ramp<sizeof(U)>(static_cast<std::byte*>(dst), count, steps, detail::WriteParts{});
}

/// tables::IsaRamps::rounded and ::fused; U is the word of the float type.
template <class U, bool kFused>
static void float_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  using Float = detail::RampFloat<U>;
  // Everything that rounds is computed from what is read below, hence after the guard.
  const FloatGuard guard;
  std::byte* out = static_cast<std::byte*>(dst);
  constexpr std::uint64_t kEnd = sizeof(U) == 4 ? tables::kSplitIndices : ~std::uint64_t{0};
  const bool reaches = ramp.first > kEnd || count > kEnd - ramp.first;
  constexpr bool kVectors = !kFused || detail::kRampFuses;
  if (!kVectors || reaches || !Float::is_finite(ramp.start) || !Float::is_finite(ramp.step)) {
    return detail::float_ramp_words<U, kFused>(ramp, out, count);
  }
  if constexpr (kVectors)
    detail::float_ramp_blocks<U, kFused, detail::kRampVectors, sizeof(U)>(ramp, out, count, detail::WriteParts{});
}

}  // namespace castforge::inline CASTFORGE_ISA::simd

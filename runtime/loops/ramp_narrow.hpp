// Float ramps of a type that is narrower than the lanes they are computed in: each element is computed in float64 or
// float32 and rounded once more, to nearest with ties to even, in registers.
//
// 16-bit types do without conversion instructions. The sum of a number in [2^e, 2^(e+1)) and 2^(e + F - f), where F and
// f are the fraction bits of the lanes and of the result, has the result's unit 2^(e - f) in its last place: the
// addition rounds, and the fraction of the sum counts such units. With the fields of sign and exponent planted there
// beforehand, the low bits of the sum are the result's code. Subnormal results are those of the lowest e.
// Sequences are monotone: one addend serves a stretch whose first and last elements have the same sign and e.
#pragma once

#include "loops/ramp.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::simd {

namespace detail {

using namespace lane::detail;  // NOLINT: the helpers of lanes.hpp
using lane::Batch;
using lane::kVectorBytes;
using lane::Lanes;

// What to add to a number in a lane of U so that the low 16 bits of the sum are its code.
template <class U>
struct Addend {
  using Float = RampFloat<U>;
  static constexpr U kSign = static_cast<U>(~Float::kMagnitude);

  int dropped;  // fraction bits
  U lowest;     // the smallest normal result
  U beyond;     // a power of two; the code after that of the largest result is infinity, and so are all from here on

  constexpr Addend(int fraction, int bias) noexcept
      : dropped(Float::kFraction - fraction), lowest(power_of_two(1 - bias)), beyond(power_of_two(1 + bias)) {}

  // The number, or `beyond` with its sign if that is smaller: the result is the same.
  template <class W>
  CASTFORGE_INLINE W limited(W number) const noexcept {
    const auto magnitude = number & Float::kMagnitude;
    return lane::min(magnitude, beyond) | (number ^ magnitude);
  }
  // 2^e of a number that is limited.
  template <class W>
  CASTFORGE_INLINE W power(W number) const noexcept {
    return lane::max(number & Float::kInfinity, lowest);
  }
  // For a number that is limited.
  template <class W>
  CASTFORGE_INLINE W operator()(W number) const noexcept {
    const auto sign = number & kSign, e = power(number);
    const auto fields = ((e - lowest) >> dropped) | (sign >> (Float::kBits - 16));
    return (e + (static_cast<U>(dropped) << Float::kFraction)) | sign | fields;
  }

 private:
  static constexpr U power_of_two(int e) noexcept {
    constexpr int kBias = static_cast<int>(Float::kInfinity >> (Float::kFraction + 1));
    return static_cast<U>(e + kBias) << Float::kFraction;
  }
};

// Numbers and their words: four vectors, which addition rounds lane by lane.
template <class U>
using FourLanes = Lanes<U, 4 * kVectorBytes / sizeof(U)>;
template <class U>
CASTFORGE_INLINE FourLanes<U> ramp_sum(const FourLanes<U>& a, const FourLanes<U>& b) noexcept {
  using T = typename RampFloat<U>::type;
  return per_part(
      [](Batch<U> x, Batch<U> y) noexcept CASTFORGE_LAMBDA_INLINE { return batch_of<U>(native<T>(x) + native<T>(y)); },
      a, b);
}
template <class U>
CASTFORGE_INLINE FourLanes<U> ramp_same_lanes(U word) noexcept {
  return filled<U, FourLanes<U>::kVectors * kVectorBytes / sizeof(U)>(word, std::make_index_sequence<4>{});
}

// The elements of a ramp, four vectors at a time. Holds the indices of the second vector of the four; the others' lie a
// power of two away.
template <class U, bool kExact>
class FourVectors {
  using Float = RampFloat<U>;
  using F = typename Float::type;
  using V = RampVector<F>;
  static constexpr bool kFma = kRampFuses;
  static constexpr std::size_t kLanes = RampLanes<F>::kCount;

 public:
  static constexpr std::size_t kCount = 4 * kLanes;

  CASTFORGE_INLINE explicit FourVectors(const tables::Ramp& ramp) noexcept
      : start_(Float::number(ramp.start)),
        step_(Float::number(ramp.step)),
        starts_(ramp_same(start_)),
        steps_(ramp_same(step_)),
        next_(ramp_same(static_cast<F>(kCount))) {
    alignas(64) F lanes[kLanes];
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = static_cast<F>(ramp.first + kLanes + k);
    index_ = ramp_load<V>(lanes);
    for (int i = 0; i < 4; ++i) {
      const F distance = static_cast<F>((i - 1) * static_cast<int>(kLanes));
      apart_[i] = ramp_same(kExact ? start_ + distance * step_ : kFma ? distance * step_ : distance);
    }
  }

  CASTFORGE_INLINE FourLanes<U> next() noexcept {
    const auto element = [this](int i) noexcept CASTFORGE_LAMBDA_INLINE {
      if constexpr (kExact && kFma) return batch_of<U>(ramp_fma(index_, steps_, apart_[i]));
      else if constexpr (kExact) return batch_of<U>(index_ * steps_ + apart_[i]);
      else if constexpr (kFma)
        // apart_ is a power of two steps, which is exact: the fused sum is the product of the element's own index,
        // rounded once. For index 0 it may be +0 in place of -0, which only a start of -0 would show.
        return batch_of<U>(ramp_fma(index_, steps_, apart_[i]) + starts_);
      else return batch_of<U>((index_ + apart_[i]) * steps_ + starts_);
    };
    const FourLanes<U> elements = {{element(0), element(1), element(2), element(3)}};
    index_ = index_ + next_;
    return elements;
  }

  // One element.
  CASTFORGE_INLINE F at(std::uint64_t index) const noexcept {
    return start_ + static_cast<F>(static_cast<std::int64_t>(index)) * step_;
  }
  CASTFORGE_INLINE F step() const noexcept { return step_; }

 private:
  F start_, step_;
  V starts_, steps_, next_, index_, apart_[4];
};

// As many of `most` blocks, from element `first` on, as have only elements with one addend.
template <class U>
class Stretch {
  using W = lane::Word<U>;
  using Float = RampFloat<U>;
  using F = typename Float::type;

 public:
  template <class Elements>
  CASTFORGE_INLINE Stretch(const Addend<U>& addend, const Elements& elements, F blocks_per_unit, std::uint64_t first,
                           std::size_t most) noexcept {
    const auto limited = [&](std::uint64_t index) noexcept CASTFORGE_LAMBDA_INLINE {
      return addend.limited(W(std::bit_cast<U>(elements.at(index))));
    };
    const W number = limited(first), own = addend(number);
    number_ = number.value;
    const F estimate = (end(addend, elements.step() < 0) - elements.at(first)) * blocks_per_unit;
    blocks_ = estimate < static_cast<F>(most) ? static_cast<std::size_t>(estimate) : most;
    // The estimate is hardly ever too long, except where steps are lost in the sum.
    for (std::size_t back = 1; blocks_ != 0; back *= 2) {
      if (addend(limited(first + blocks_ * Elements::kCount - 1)).value == own.value) break;
      blocks_ -= back < blocks_ ? back : blocks_;
    }
  }

  CASTFORGE_INLINE std::size_t blocks() const noexcept { return blocks_; }
  // The first element, limited.
  CASTFORGE_INLINE U number() const noexcept { return number_; }

 private:
  // The power of two, zero or infinity that a falling or rising sequence reaches next.
  CASTFORGE_INLINE F end(const Addend<U>& addend, bool falls) const noexcept {
    const U sign = number_ & Addend<U>::kSign, e = addend.power(W(number_)).value;
    const bool grows = falls == (sign != 0);
    const U magnitude = grows ? (e == addend.beyond ? Float::kInfinity : e + (U{1} << Float::kFraction))
                              : (e == addend.lowest ? U{0} : e);
    return std::bit_cast<F>(static_cast<U>(sign | magnitude));
  }

  U number_;
  std::size_t blocks_;
};

template <class U, bool kExact>
CASTFORGE_SHARED static void ramp_of_16_bits(const tables::Ramp& ramp, void* dst, std::size_t count,
                                             const Addend<U>& addend) noexcept {
  using V = FourLanes<U>;
  using F = typename RampFloat<U>::type;
  using Elements = FourVectors<U, kExact>;
  constexpr std::size_t kCount = Elements::kCount, kBytes = 2 * kCount;
  const FloatGuard guard;  // all that rounds comes after it
  Elements elements(ramp);
  const F blocks_per_unit = 1 / (elements.step() * static_cast<F>(kCount));
  std::byte* out = static_cast<std::byte*>(dst);
  std::uint64_t first = ramp.first;

  const auto write = [&](std::size_t blocks, const auto& code) noexcept CASTFORGE_LAMBDA_INLINE {
    first += blocks * kCount;
    count -= blocks * kCount;
    for (; blocks != 0; --blocks, out += kBytes) lane::store(out, lane::truncate<std::uint16_t>(code(elements.next())));
  };
  while (count != 0) {
    if (count >= kCount) {
      const Stretch<U> stretch(addend, elements, blocks_per_unit, first, count / kCount);
      const V number = ramp_same_lanes(stretch.number()), own = addend(number);
      if ((stretch.number() & RampFloat<U>::kMagnitude) == addend.beyond) {
        const V infinity = ramp_sum<U>(number, own);
        write(stretch.blocks(), [&infinity](const V&) noexcept CASTFORGE_LAMBDA_INLINE { return infinity; });
      } else {
        write(stretch.blocks(), [&own](const V& v) noexcept CASTFORGE_LAMBDA_INLINE { return ramp_sum<U>(v, own); });
      }
      if (count == 0) break;
    }
    // What ends the stretch is inside this block: each element has an addend of its own.
    alignas(64) std::byte block[kBytes];
    const V x = addend.limited(elements.next());
    lane::store(block, lane::truncate<std::uint16_t>(ramp_sum<U>(x, addend(x))));
    const std::size_t here = count < kCount ? count : kCount;
    copy_some(out, block, 2 * here);
    out += 2 * here;
    first += here;
    count -= here;
  }
}

}  // namespace detail

/// tables::NarrowRamp of float16, computed in lanes of U.
template <class U, bool kExact>
static void float16_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  static constexpr detail::Addend<U> kAddend(10, 15);
  detail::ramp_of_16_bits<U, kExact>(ramp, dst, count, kAddend);
}

/// tables::NarrowRamp of bfloat16, computed in lanes of U.
template <class U, bool kExact>
static void bfloat16_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  static constexpr detail::Addend<U> kAddend(7, 127);
  detail::ramp_of_16_bits<U, kExact>(ramp, dst, count, kAddend);
}

/// tables::NarrowRamp of float32, computed in float64.
template <bool kExact>
static void float32_ramp(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept {
  using Elements = detail::FourVectors<std::uint64_t, kExact>;
  constexpr std::size_t kBytes = 4 * Elements::kCount;
  const FloatGuard guard;
  Elements elements(ramp);
  const auto block = [&elements](std::byte* p) noexcept CASTFORGE_LAMBDA_INLINE {
    lane::store(p, lane::float32_of_float64(elements.next()));
  };
  std::byte* out = static_cast<std::byte*>(dst);
  for (; count >= Elements::kCount; count -= Elements::kCount, out += kBytes) block(out);
  if (count != 0) {
    alignas(64) std::byte last[kBytes];
    block(last);
    detail::copy_some(out, last, 4 * count);
  }
}

}  // namespace castforge::inline CASTFORGE_ISA::simd

#endif  // CASTFORGE_VECTOR

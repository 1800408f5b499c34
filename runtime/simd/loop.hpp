// simd::run<K>: the loop of one kernel on this instruction set.
#pragma once

#include "simd/blocks.hpp"
#include "simd/environment.hpp"
#include "simd/load_store.hpp"
#include "simd/kernel.hpp"
#include "simd/narrow.hpp"
#include "simd/scalar_loop.hpp"
#include "simd/steps.hpp"
#include "simd/table.hpp"
#include "simd/widen.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

#if CASTFORGE_VECTOR

constexpr std::size_t at_least_one(std::size_t n) noexcept { return n == 0 ? 1 : n; }

// Width of the element that a load reads or a store writes; 0: any that the lane holds.
constexpr int loaded_bits(lane::Load load) noexcept {
  return load == lane::Load::plain ? 0 : load == lane::Load::float16 ? 16 : load == lane::Load::float32_cut ? 32 : 64;
}
constexpr int stored_bits(lane::Store store) noexcept {
  using lane::Store;
  switch (store) {
    case Store::plain:
    case Store::upper_half:
    case Store::upper_nearest: return 0;  // narrowed together
    case Store::float16: return 16;
    default: return 64;
  }
}

// How many elements one pass of a map plan handles: as many as fill a vector of the narrower storage (packed elements
// count as bytes); two vectors where nothing, or nothing but the store, changes its width, as one would be little work per
// pass.
template <class K, class P>
struct MapShape {
  static constexpr std::size_t kSrcBytes = at_least_one(K::kSrcBits / 8), kDstBytes = at_least_one(K::kDstBits / 8);
  static constexpr std::size_t kLaneBytes = P::kLaneBits / 8;
  static constexpr lane::Load kLoad = lane::detail::load<P>();
  static constexpr lane::Store kStore = lane::detail::store<P>();
  static constexpr int kLoaded = loaded_bits(kLoad), kStored = stored_bits(kStore);
  static constexpr bool kSameWidths = K::kSrcBits == P::kLaneBits && K::kDstBits == P::kLaneBits;
  static constexpr std::size_t kBlock =
      kVectorBytes / (kSrcBytes < kDstBytes ? kSrcBytes : kDstBytes) * (kSameWidths || kStored == 64 ? 2 : 1);
  static constexpr std::size_t kVectors = kBlock * kLaneBytes / kVectorBytes;  // vectors of lanes per block
  static constexpr std::size_t kOutputs = kBlock * kDstBytes / kVectorBytes;   // vectors of results per block
  static_assert(lane::PreparingPlan<P> || kLoaded != 0 ? K::kSrcBits == (kLoaded != 0 ? kLoaded : 64) : kLaneBytes >= kSrcBytes);
  static_assert(kStored != 0 ? K::kDstBits == kStored : kLaneBytes >= kDstBytes, "a lane holds the source and the result");
};

// Does store_folded_nibbles() do all that is left after map()?
template <class K, class P>
constexpr bool folded_nibbles() noexcept {
  if constexpr (CASTFORGE_X86 && lane::SignedPlan<P> && K::kDstBits == 4) {
    return lane::detail::fold<P>() != 0 && lane::detail::sign_in_result<P>() && !P::kSignUnlessZero;
  } else {
    return false;
  }
}

template <class K, class P>
CASTFORGE_INLINE void map_block(const std::byte* src, std::byte* dst) noexcept {
  using Shape = MapShape<K, P>;
  using U = lane::Unsigned<P::kLaneBits>;
  using D = lane::Unsigned<static_cast<int>(Shape::kDstBytes * 8)>;
  constexpr int kSrcUnit = static_cast<int>(Shape::kSrcBytes * 8);
  constexpr std::size_t kStep = kVectorBytes / Shape::kLaneBytes * Shape::kSrcBytes;

  alignas(64) std::byte unpacked[kVectorBytes];
  if constexpr (K::kSrcBits < 8) {
    store(unpacked, load_unpack<K::kSrcBits, P::kSignExtend>(src));
    src = unpacked;
  }
  Batch<U> v[Shape::kVectors];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Shape::kVectors; ++i) {
    if constexpr (lane::PreparingPlan<P> || Shape::kLoaded == 64) {
      constexpr std::size_t kParts = 8 / sizeof(U);  // vectors of 64-bit lanes per vector of U
      Batch<std::uint64_t> part[kParts];
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kParts; ++j) {
        part[j] = load<std::uint64_t>(src + (i * kParts + j) * kVectorBytes);
        if constexpr (lane::PreparingPlan<P>) part[j] = P::prepare(part[j]);
      }
      if constexpr (Shape::kLoad == lane::Load::plain) v[i] = narrow<U, false>(part);
      else v[i] = load_wide<Shape::kLoad>(part);
    } else if constexpr (Shape::kLoad != lane::Load::plain) {
      v[i] = load_float<Shape::kLoad>(src + i * kStep);
    } else {
      v[i] = load_widen<U, kSrcUnit, P::kSignExtend>(src + i * kStep);
      if constexpr (lane::detail::load_shift<P>() != 0) v[i] = v[i] << lane::detail::load_shift<P>();
    }
  }
  [[maybe_unused]] Batch<U> sign[Shape::kVectors];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Shape::kVectors; ++i) {
    if constexpr (lane::SignedPlan<P>) sign[i] = v[i];
    v[i] = P::map(v[i]);
    if constexpr (lane::detail::sign_in_result<P>()) sign[i] = v[i];
  }
  constexpr int kFold = lane::detail::fold<P>();
  if constexpr (folded_nibbles<K, P>()) {
    store_folded_nibbles<kFold>(dst, v);
  } else if constexpr (Shape::kStored != 0) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Shape::kVectors; ++i) {
      store_as<Shape::kStore>(dst + i * (kVectorBytes / sizeof(U) * Shape::kDstBytes), v[i]);
    }
  } else {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Shape::kOutputs; ++i) {
      constexpr std::size_t kParts = sizeof(U) / sizeof(D);
      Batch<D> result;
      if constexpr (lane::SignedPlan<P>) {
        result = narrow_signed<lane::detail::code_fits<P>(), kFold, P::kSignBit, P::kSignUnlessZero>(v + i * kParts, sign + i * kParts);
      } else if constexpr (kFold != 0) {
        result = narrow_folded<kFold>(v + i * kParts);
      } else if constexpr (Shape::kStore == lane::Store::upper_half) {
        result = narrow_upper(v + i * kParts);
      } else if constexpr (Shape::kStore == lane::Store::upper_nearest) {
        result = narrow_upper_nearest(v + i * kParts);
      } else {
        result = narrow<D, lane::detail::code_fits<P>()>(v + i * kParts);
      }
      if constexpr (K::kDstBits < 8) store_pack<K::kDstBits, lane::detail::code_fits<P>()>(dst, result);
      else store(dst + i * kVectorBytes, result);
    }
  }
}

template <class K, class P>
CASTFORGE_INLINE void run_map(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  for_each_block<K::kSrcBits, K::kDstBits, MapShape<K, P>::kBlock>(
      src, dst, count, ahead,
      [](const std::byte* s, std::byte* d) noexcept CASTFORGE_LAMBDA_INLINE { map_block<K, P>(s, d); });
}

#else

template <class K, class P>
CASTFORGE_INLINE void run_map(const void* src, void* dst, std::size_t count, std::size_t /*ahead*/) noexcept {
  const auto result = [](std::uint64_t code) noexcept CASTFORGE_LAMBDA_INLINE {
    if constexpr (P::kSignExtend) {
      constexpr std::uint64_t sign = std::uint64_t{1} << (K::kSrcBits - 1);
      code = (code ^ sign) - sign;
    }
    return lane::map_word<P>(code);
  };
  each_element<K::kSrcBits, K::kDstBits, false>(src, dst, count, result);
}

#endif

}  // namespace detail

/// Converts `count` elements at src to dst with the kernel's preferred plan. Buffers hold ceil(count * bits / 8) bytes;
/// nothing outside them is read or written; src == dst is allowed where both widths are equal. Vector loops prefetch the source
/// `ahead` bytes before they read it.
template <class K>
__attribute__((flatten)) static void run(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  using P = typename K::plans::chosen;
  if constexpr (lane::TablePlan<P>) {
    run_table<K, P>(src, dst, count, ahead);
#if CASTFORGE_X86 >= 4
  } else if constexpr (lane::StepsPlan<P>) {
    run_steps<K, P>(src, dst, count, ahead);
#endif
  } else {
    [[maybe_unused]] const std::conditional_t<lane::detail::needs_guard<P>(), FloatGuard, NoGuard> guard;
    detail::run_map<K, P>(src, dst, count, ahead);
  }
}

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

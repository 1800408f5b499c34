// simd::run<K>: the loop of one kernel on this instruction set. It moves elements; map() is all that happens to them.
#pragma once

#include "loops/blocks.hpp"
#include "loops/nibbles.hpp"
#include "loops/packing.hpp"
#include "loops/scalar_loop.hpp"
#include "simd/kernel.hpp"
#include "src/float_guard.hpp"

namespace castforge::inline CASTFORGE_ISA::simd {

namespace detail {

/// Does the loop have to set the floating-point environment? AVX-512 embeds the rounding mode in instructions.
template <class P>
constexpr bool needs_guard() noexcept {
  using lane::Environment;
  constexpr bool kEmbedsRounding = lane::isa_meets(lane::Needs::avx512);
  return P::kEnvironment == Environment::subnormals || (P::kEnvironment == Environment::rounding && !kEmbedsRounding);
}

// One element after the other, by the meaning of the operations for words.
template <class K, class P>
CASTFORGE_INLINE void run_by_element(const void* src, void* dst, std::size_t count) noexcept {
  using From = lane::Word<lane::Unit<K::kSrcBits>>;
  constexpr bool kLookup = std::is_same_v<decltype(P::map(From{})), lane::Entry<lane::Unit<K::kDstBits>>>;
  each_element<K::kSrcBits, K::kDstBits, lane::src_packing<K>(), lane::dst_packing<K>(), kLookup>(
      src, dst, count, [](std::uint64_t code) noexcept CASTFORGE_LAMBDA_INLINE {
        return std::uint64_t{P::map(From(static_cast<lane::Unit<K::kSrcBits>>(code))).value};
      });
}

#if CASTFORGE_VECTOR

/// Are there vectors of the elements that the kernel reads and writes?
template <class K>
constexpr bool has_vectors() noexcept {
  return has_vector_loop(K::kSrcBits) && has_vector_loop(K::kDstBits);
}

/// How many elements one pass handles: as many as fill a vector of the narrower units, two vectors where both are as
/// wide; twice as many where results of 2 bits are packed and half a vector of them takes as many operations as a whole
/// one. (To 4 bits that gains little, and few elements take longer.)
template <class K>
struct Block {
  using From = lane::Unit<K::kSrcBits>;
  using To = lane::Unit<K::kDstBits>;
  static constexpr bool kSameUnits = sizeof(From) == sizeof(To);
  static constexpr std::size_t kNarrower = sizeof(From) < sizeof(To) ? sizeof(From) : sizeof(To);
  static constexpr bool kPacksPairs = K::kDstBits == 2 && sizeof(From) <= 4 && lane::kernel::packs_pairs(Arch{});
  static constexpr std::size_t kLanes = kVectorBytes / kNarrower * (kSameUnits ? 2 : 1) * (kPacksPairs ? 2 : 1);
  // Bytes are loaded as they would be interleaved to wider results.
  using Elements =
      Source<From, kLanes, sizeof(From) == 1 ? order_of_load(sizeof(To)) : 1, K::kSrcBits, lane::src_packing<K>()>;
};

/// Does map() return its argument?
template <class K, class P>
constexpr bool is_copy() noexcept {
  using Elements = typename Block<K>::Elements;
  return K::kSrcBits == K::kDstBits && lane::src_packing<K>() == lane::dst_packing<K>() &&
         std::is_same_v<decltype(P::map(std::declval<const Elements&>())), Elements>;
}

template <class K, class P>
CASTFORGE_INLINE void map_block(const std::byte* src, std::byte* dst) noexcept {
  using B = Block<K>;
  if constexpr (has_nibbles<K>()) {
    Nibbles<K>::convert(src, dst);
  } else {
    const auto results = P::map(typename B::Elements{src});
    static_assert(std::is_same_v<Lane<std::remove_cv_t<decltype(results)>>, typename B::To>,
                  "map() returns the width of the destination");
    if constexpr (!is_natural_width(K::kDstBits))
      store_packed<K::kDstBits, lane::dst_packing<K>()>(dst, loaded(results));
    else lane::store(dst, results);
  }
}

// Not std::memcpy, which becomes a string instruction at a few KiB;
// streaming, which converts in such parts, would run at half its speed.
CASTFORGE_SHARED static void copy(const void* src, void* dst, std::size_t bytes, std::size_t ahead) noexcept {
  constexpr std::size_t kBytes = 4 * kVectorBytes;
  for_each_block<8, 8, Packing::low_first, kBytes>(
      src, dst, bytes, ahead, [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
        lane::store(out, loaded(Source<std::uint8_t, kBytes>{in}));
      });
}

template <class K, class P>
CASTFORGE_INLINE void run_plan(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  if constexpr (!has_vectors<K>()) {
    run_by_element<K, P>(src, dst, count);
  } else if constexpr (is_copy<K, P>()) {
    copy(src, dst, bytes_of_elements(count, K::kDstBits), ahead);
    clear_unused<K::kDstBits, lane::dst_packing<K>()>(static_cast<std::byte*>(dst), count);
  } else {
    constexpr std::size_t kLanes = [] {
      if constexpr (has_nibbles<K>()) return Nibbles<K>::kLanes;
      else return Block<K>::kLanes;
    }();
    for_each_block<K::kSrcBits, K::kDstBits, lane::dst_packing<K>(), kLanes>(
        src, dst, count, ahead,
        [](const std::byte* s, std::byte* d) noexcept CASTFORGE_LAMBDA_INLINE { map_block<K, P>(s, d); });
  }
}

#else

template <class K, class P>
CASTFORGE_INLINE void run_plan(const void* src, void* dst, std::size_t count, std::size_t /*ahead*/) noexcept {
  run_by_element<K, P>(src, dst, count);
}

#endif

}  // namespace detail

/// Converts `count` elements at src to dst with the kernel's preferred plan. Buffers hold ceil(count * bits / 8) bytes;
/// nothing outside them is read or written; src == dst is allowed where both widths are equal. Vector loops prefetch
/// the source `ahead` bytes before they read it.
template <class K>
__attribute__((flatten)) static void run(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  using P = typename K::plans::chosen;
  [[maybe_unused]] const std::conditional_t<detail::needs_guard<P>(), FloatGuard, NoGuard> guard;
  detail::run_plan<K, P>(src, dst, count, ahead);
}

}  // namespace castforge::inline CASTFORGE_ISA::simd

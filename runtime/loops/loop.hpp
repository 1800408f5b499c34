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

/// The plan of a kernel that this instruction set runs.
template <class K>
using Plan = typename K::plans::chosen;

/// What sets the floating-point environment where the plan needs it. AVX-512 embeds the rounding mode in instructions.
template <class K>
constexpr auto guard_of() noexcept {
  using lane::Environment;
  constexpr Environment kEnvironment = Plan<K>::kEnvironment;
  constexpr bool kEmbedsRounding = lane::isa_meets(lane::Needs::avx512);
  constexpr bool kNeedsIt =
      kEnvironment == Environment::subnormals || (kEnvironment == Environment::rounding && !kEmbedsRounding);
  return std::type_identity<std::conditional_t<kNeedsIt, FloatGuard, NoGuard>>{};
}
template <class K>
using Guard = typename decltype(guard_of<K>())::type;

// One element after the other, by the definitions of the operations for words.
template <class K>
struct Elements {
  using From = lane::Unit<K::kSrcBits>;
  using To = lane::Unit<K::kDstBits>;
  using Result = decltype(Plan<K>::map(lane::Word<From>{}));
  static constexpr bool kWords = is_natural_width(K::kSrcBits) && is_natural_width(K::kDstBits);

  static CASTFORGE_INLINE constexpr To result(From code) noexcept {
    return static_cast<To>(Plan<K>::map(lane::Word<From>(code)).value);
  }
  /// Is map() the entry of a table at the code itself?
  static constexpr bool is_lookup() noexcept {
    if constexpr (K::kSrcBits <= 8 && requires { Result::kEntries; }) {
      for (unsigned code = 0; code < 1u << K::kSrcBits; ++code) {
        if (result(static_cast<From>(code)) != Result::kEntries[code]) return false;
      }
      return true;
    } else {
      return false;
    }
  }
};

template <class K>
__attribute__((flatten)) static void convert_eights(const std::byte* in, std::byte* out, std::size_t blocks,
                                                    std::size_t /*ahead*/) noexcept {
  in_eights<K::kSrcBits, K::kDstBits, lane::src_packing<K>(), lane::dst_packing<K>()>(in, out, blocks,
                                                                                      Elements<K>::result);
}

template <class K>
CASTFORGE_INLINE void run_by_element(const void* src, void* dst, std::size_t count) noexcept {
  using E = Elements<K>;
  constexpr Packing kFrom = lane::src_packing<K>(), kTo = lane::dst_packing<K>();
  if constexpr (E::is_lookup()) {
    look_up<K::kSrcBits, K::kDstBits, kFrom, kTo>(src, dst, count, E::Result::kEntries);
  } else if constexpr (E::kWords) {
    [[maybe_unused]] const Guard<K> guard;
    for (std::size_t i = 0; i < count; ++i) {
      const auto code = static_cast<typename E::From>(load_element(src, i, K::kSrcBits));
      store_element(dst, i, E::result(code), K::kDstBits);
    }
  } else {
    for_blocks<Guard<K>, K::kSrcBits, K::kDstBits, kTo, kEight>(src, dst, count, 0, convert_eights<K>);
  }
}

/// Are there vectors of the elements that the kernel reads and writes?
template <class K>
constexpr bool has_vectors() noexcept {
  return CASTFORGE_VECTOR && has_vector_loop(K::kSrcBits) && has_vector_loop(K::kDstBits);
}

#if CASTFORGE_VECTOR

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

template <class K>
constexpr std::size_t elements_of_block() noexcept {
  if constexpr (has_nibbles<K>()) return Nibbles<K>::kLanes;
  else return Block<K>::kLanes;
}

/// Does map() return its argument?
template <class K>
constexpr bool is_copy() noexcept {
  using Elements = typename Block<K>::Elements;
  return K::kSrcBits == K::kDstBits && lane::src_packing<K>() == lane::dst_packing<K>() &&
         std::is_same_v<decltype(Plan<K>::map(std::declval<const Elements&>())), Elements>;
}

// The kernel's loop over blocks.
template <class K>
__attribute__((flatten)) static void convert_blocks(const std::byte* in, std::byte* out, std::size_t blocks,
                                                    std::size_t ahead) noexcept {
  constexpr std::size_t kIn = bytes_of_elements(elements_of_block<K>(), K::kSrcBits);
  constexpr std::size_t kOut = bytes_of_elements(elements_of_block<K>(), K::kDstBits);
  do {
    prefetch<kIn>(in, ahead);
    if constexpr (has_nibbles<K>()) {
      Nibbles<K>::convert(in, out);
    } else {
      using B = Block<K>;
      const auto results = Plan<K>::map(typename B::Elements{in});
      static_assert(std::is_same_v<Lane<std::remove_cv_t<decltype(results)>>, typename B::To>,
                    "map() returns the width of the destination");
      if constexpr (!is_natural_width(K::kDstBits))
        store_packed<K::kDstBits, lane::dst_packing<K>()>(out, loaded(results));
      else lane::store(out, results);
    }
    in += kIn;
    out += kOut;
  } while (--blocks != 0);
}

// Not std::memcpy, which becomes a string instruction at a few KiB;
// streaming, which converts in such parts, would run at half its speed.
constexpr std::size_t kCopied = 4 * kVectorBytes;
static inline void copy_blocks(const std::byte* in, std::byte* out, std::size_t blocks, std::size_t ahead) noexcept {
  do {
    prefetch<kCopied>(in, ahead);
    lane::store(out, loaded(Source<std::uint8_t, kCopied>{in}));
    in += kCopied;
    out += kCopied;
  } while (--blocks != 0);
}

template <class K>
CASTFORGE_INLINE void run_in_blocks(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  constexpr Packing kPacking = lane::dst_packing<K>();
  if constexpr (is_copy<K>()) {
    const std::size_t bytes = bytes_of_elements(count, K::kDstBits);
    for_blocks<NoGuard, 8, 8, Packing::low_first, kCopied>(src, dst, bytes, ahead, copy_blocks);
    clear_unused<K::kDstBits, kPacking>(static_cast<std::byte*>(dst), count);
  } else {
    for_blocks<Guard<K>, K::kSrcBits, K::kDstBits, kPacking, elements_of_block<K>()>(src, dst, count, ahead,
                                                                                     convert_blocks<K>);
  }
}

#endif

}  // namespace detail

/// Converts `count` elements at src to dst with the kernel's preferred plan. Buffers hold ceil(count * bits / 8) bytes;
/// nothing outside them is read or written; src == dst is allowed where both widths are equal. Vector loops prefetch
/// the source `ahead` bytes before they read it.
template <class K>
__attribute__((flatten)) static void run(const void* src, void* dst, std::size_t count,
                                         [[maybe_unused]] std::size_t ahead) noexcept {
  if constexpr (!detail::has_vectors<K>()) {
    detail::run_by_element<K>(src, dst, count);
  } else {
#if CASTFORGE_VECTOR
    detail::run_in_blocks<K>(src, dst, count, ahead);
#endif
  }
}

}  // namespace castforge::inline CASTFORGE_ISA::simd

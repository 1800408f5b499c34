// simd::run<K>: the loop of one kernel on this instruction set. It moves elements; all that happens to them is map(),
// or the plan's table of what it gives for the elements of a nibble.
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

/// Does the plan need the floating-point environment set? AVX-512 embeds the rounding mode in instructions.
template <class K>
constexpr bool needs_guard() noexcept {
  using lane::Environment;
  constexpr Environment kEnvironment = Plan<K>::kEnvironment;
  constexpr bool kEmbedsRounding = lane::isa_meets(lane::Needs::avx512);
  return kEnvironment == Environment::subnormals || (kEnvironment == Environment::rounding && !kEmbedsRounding);
}

/// kAll with the kernel's loop, under the guard that its plan needs.
template <class K, ForBlocks kAll>
CASTFORGE_INLINE void run_blocks(const void* src, void* dst, std::size_t count, std::size_t ahead,
                                 BlockLoop loop) noexcept {
  if constexpr (needs_guard<K>()) for_guarded_blocks(src, dst, count, ahead, loop, kAll);
  else kAll(src, dst, count, ahead, loop);
}

// One element after the other, by the definitions of the operations for words.
template <class K>
struct Elements {
  using From = lane::StorageWord<K::kSrcBits>;
  using To = lane::StorageWord<K::kDstBits>;
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
CASTFORGE_INLINE void convert_words(const void* src, void* dst, std::size_t count) noexcept {
  using E = Elements<K>;
  for (std::size_t i = 0; i < count; ++i) {
    const auto code = static_cast<typename E::From>(load_element(src, i, K::kSrcBits));
    store_element(dst, i, E::result(code), K::kDstBits);
  }
}

template <class K>
CASTFORGE_INLINE void run_by_element(const void* src, void* dst, std::size_t count) noexcept {
  using E = Elements<K>;
  constexpr Packing kFrom = lane::src_packing<K>(), kTo = lane::dst_packing<K>();
  if constexpr (E::is_lookup()) {
    look_up<K::kSrcBits, K::kDstBits, kFrom, kTo>(src, dst, count, E::Result::kEntries);
  } else if constexpr (E::kWords && needs_guard<K>()) {
    const FloatGuard guard;
    convert_words<K>(src, dst, count);
  } else if constexpr (E::kWords) {
    convert_words<K>(src, dst, count);
  } else {
    run_blocks<K, for_blocks<K::kSrcBits, K::kDstBits, kTo, kEight>>(src, dst, count, 0, convert_eights<K>);
  }
}

/// Are there vectors of the elements that the kernel reads and writes?
template <class K>
constexpr bool has_vectors() noexcept {
  return CASTFORGE_VECTOR && has_vector_loop(K::kSrcBits) && has_vector_loop(K::kDstBits);
}

#if CASTFORGE_VECTOR

/// Elements of one pass: one vector of the narrower word, two vectors where both words have one width. Twice as many
/// where results of 2 bits are packed and half a vector of them takes as many operations as a whole one (where
/// prefers_shuffles() holds, SSE4.2 and AVX2). (To 4 bits that gains little, and few elements take longer.)
template <int kSrcBits, int kDstBits>
constexpr std::size_t elements_of_block() noexcept {
  if constexpr (has_nibbles(kSrcBits, kDstBits)) {
    return elements_of_nibbles(kSrcBits, kDstBits);
  } else {
    constexpr std::size_t kFrom = sizeof(lane::StorageWord<kSrcBits>), kTo = sizeof(lane::StorageWord<kDstBits>);
    constexpr bool kPacksPairs = kDstBits == 2 && kFrom <= 4 && lane::kernel::prefers_shuffles(Arch{});
    return kVectorBytes / (kFrom < kTo ? kFrom : kTo) * (kFrom == kTo ? 2 : 1) * (kPacksPairs ? 2 : 1);
  }
}
template <class K>
inline constexpr std::size_t kBlock = elements_of_block<K::kSrcBits, K::kDstBits>();

/// The order of bytes in which they are widened to the lanes of results by the fewest operations. Plans that look up in
/// tables of two vectors do without the permutation that makes it: beside stores a Zen 4 does one such in two cycles.
template <class K>
constexpr std::size_t order_of_bytes() noexcept {
  constexpr std::size_t kTo = sizeof(lane::StorageWord<K::kDstBits>);
  constexpr auto kTables = lane::Needs::vbmi | lane::Needs::tables;
  return (Plan<K>::kNeeds & kTables) != lane::Needs::nothing ? order_for(kTo) : order_of_load(kTo);
}

/// A block of the kernel's source.
template <class K, class From = lane::StorageWord<K::kSrcBits>>
using Block = Source<From, kBlock<K>, sizeof(From) == 1 ? order_of_bytes<K>() : 1, K::kSrcBits, lane::src_packing<K>()>;

/// Whether the compiler must read a block in two halves, one after the other. With VBMI 64-bit elements become bytes in
/// blocks of eight cache lines, and g++ 12 chooses the order of their loads. Some orders take a Zen 5 up to 1.9 times
/// as long from the second-level cache; blocks of four lines gain nothing.
template <class K>
constexpr bool is_read_in_halves() noexcept {
  return lane::isa_meets(lane::Needs::vbmi) && K::kSrcBits == 64 && K::kDstBits <= 8;
}

template <class K>
CASTFORGE_INLINE auto block_at(const std::byte* in) noexcept {
  if constexpr (is_read_in_halves<K>()) {
    using Wide = std::uint64_t;
    lane::Lanes<Wide, kBlock<K>> block;
    constexpr std::size_t kVectors = block.kVectors;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      if (i == kVectors / 2) asm volatile("" ::: "memory");  // no load moves across
      block.part[i] = lane::kernel::load(in + i * kVectorBytes, lane::Batch<Wide>{}, lane::Arch{});
    }
    return block;
  } else {
    return Block<K>{in};
  }
}

/// Does map() return its argument?
template <class K>
constexpr bool is_copy() noexcept {
  return K::kSrcBits == K::kDstBits && lane::src_packing<K>() == lane::dst_packing<K>() &&
         std::is_same_v<decltype(Plan<K>::map(std::declval<const Block<K>&>())), Block<K>>;
}

/// Have all codes one result, so that the source need not be in the cache?
template <class K>
constexpr bool is_constant() noexcept {
  if constexpr (K::kSrcBits <= 8) {
    using E = Elements<K>;
    for (unsigned code = 1; code < 1u << K::kSrcBits; ++code) {
      if (E::result(static_cast<typename E::From>(code)) != E::result(0)) return false;
    }
    return true;
  } else {
    return false;
  }
}

// The kernel's loop over blocks.
template <class K>
__attribute__((flatten)) static void convert_blocks(const std::byte* in, std::byte* out, std::size_t blocks,
                                                    std::size_t ahead) noexcept {
  constexpr std::size_t kIn = bytes_of_elements(kBlock<K>, K::kSrcBits);
  constexpr std::size_t kOut = bytes_of_elements(kBlock<K>, K::kDstBits);
  do {
    if constexpr (!is_constant<K>()) prefetch<kIn>(in, ahead);
    if constexpr (has_nibbles(K::kSrcBits, K::kDstBits)) {
      Nibbles<K>::convert(in, out);
    } else {
      const auto results = Plan<K>::map(block_at<K>(in));
      static_assert(std::is_same_v<Lane<std::remove_cv_t<decltype(results)>>, lane::StorageWord<K::kDstBits>>,
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

// True for the layouts whose for_blocks is compiled once, in units.cpp, and called by all units. (g++ gives a
// specialization the visibility of the template, and that of a template that is only declared is the default one.)
template <int kSrcBits, int kDstBits, Packing kDstPacking>
inline constexpr bool kOfUnits = false;
template <int kSrcBits, int kDstBits, Packing kDstPacking>
__attribute__((visibility("hidden"))) void for_blocks_of_units(const void* src, void* dst, std::size_t count,
                                                               std::size_t ahead, BlockLoop loop) noexcept;

template <class K>
CASTFORGE_INLINE void run_in_blocks(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  constexpr int kFrom = K::kSrcBits, kTo = K::kDstBits;
  constexpr Packing kPacking = lane::dst_packing<K>();
  if constexpr (is_copy<K>()) {
    for_blocks<8, 8, Packing::low_first, kCopied>(src, dst, bytes_of_elements(count, kTo), ahead, copy_blocks);
    clear_unused<kTo, kPacking>(static_cast<std::byte*>(dst), count);
  } else if constexpr (kOfUnits<kFrom, kTo, kPacking>) {
    run_blocks<K, for_blocks_of_units<kFrom, kTo, kPacking>>(src, dst, count, ahead, convert_blocks<K>);
  } else {
    run_blocks<K, for_blocks<kFrom, kTo, kPacking, kBlock<K>>>(src, dst, count, ahead, convert_blocks<K>);
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

// For the list of layouts of a generated tree: in its units, and in the one source that defines what they share. (A
// declared specialization, unlike an instantiation, is no weak symbol.)
#if CASTFORGE_VECTOR
#define CASTFORGE_FOR_BLOCKS_OF_UNITS(src_bits, dst_bits, dst_packing)                                              \
  template <>                                                                                                       \
  void for_blocks_of_units<src_bits, dst_bits, Packing::dst_packing>(const void* src, void* dst, std::size_t count, \
                                                                     std::size_t ahead, BlockLoop loop) noexcept
#define CASTFORGE_DECLARE_LAYOUTS(src_bits, dst_bits, dst_packing)                 \
  template <>                                                                      \
  inline constexpr bool kOfUnits<src_bits, dst_bits, Packing::dst_packing> = true; \
  CASTFORGE_FOR_BLOCKS_OF_UNITS(src_bits, dst_bits, dst_packing);
#define CASTFORGE_DEFINE_LAYOUTS(src_bits, dst_bits, dst_packing)                                         \
  CASTFORGE_FOR_BLOCKS_OF_UNITS(src_bits, dst_bits, dst_packing) {                                        \
    if constexpr (has_vector_loop(src_bits) && has_vector_loop(dst_bits))                                 \
      blocks_and_rest<src_bits, dst_bits, Packing::dst_packing, elements_of_block<src_bits, dst_bits>()>( \
          src, dst, count, ahead, loop);                                                                  \
  }
#else
#define CASTFORGE_DECLARE_LAYOUTS(src_bits, dst_bits, dst_packing)
#define CASTFORGE_DEFINE_LAYOUTS(src_bits, dst_bits, dst_packing)
#endif

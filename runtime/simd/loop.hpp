// simd::run<K>: the loop of one kernel on this instruction set. It moves elements; map() is all that happens to them.
#pragma once

#include "simd/blocks.hpp"
#include "simd/environment.hpp"
#include "simd/kernel.hpp"
#include "simd/packing.hpp"
#include "simd/scalar_loop.hpp"

namespace castforge::inline CASTFORGE_ISA::simd {

namespace detail {

/// What sets the floating-point environment for a plan. AVX-512 embeds the rounding mode in instructions.
inline constexpr bool kEmbedsRounding = lane::isa_meets(lane::Needs::avx512);
template <class P>
using Guard = std::conditional_t<P::kEnvironment == lane::Environment::none ||
                                     (P::kEnvironment == lane::Environment::rounding && kEmbedsRounding),
                                 NoGuard, FloatGuard<P::kEnvironment>>;

/// Where flushing is for speed alone, few elements go without: to switch it on and off takes 70 ns on some processors.
template <class P>
constexpr bool needs_guard(std::size_t count) noexcept {
  constexpr std::size_t kMany = 4096;
  return P::kEnvironment != lane::Environment::flushed || !kEmbedsRounding || count >= kMany;
}

#if CASTFORGE_VECTOR

/// How many elements one pass handles: as many as fill a vector of the narrower units, two vectors where both are as wide.
template <class K>
struct Block {
  using From = lane::Unit<K::kSrcBits>;
  using To = lane::Unit<K::kDstBits>;
  static constexpr bool kSameUnits = sizeof(From) == sizeof(To);
  static constexpr bool kPlanes = K::kSrcBits < 8 && K::kDstBits < 8 && K::kSrcBits > 1 && K::kDstBits > 1;
  static constexpr std::size_t kNarrower = sizeof(From) < sizeof(To) ? sizeof(From) : sizeof(To);
  static constexpr std::size_t kLanes = kVectorBytes / kNarrower * (kSameUnits ? 2 : 1);
  // Bytes are loaded as they would be interleaved to wider results.
  using Elements = Source<From, kLanes, sizeof(From) == 1 ? order_for(sizeof(To)) : 1, K::kSrcBits>;
};

/// Does map() return its argument?
template <class K, class P>
constexpr bool is_copy() noexcept {
  using Elements = typename Block<K>::Elements;
  return K::kSrcBits == K::kDstBits && std::is_same_v<decltype(P::map(std::declval<const Elements&>())), Elements>;
}

template <class K, class P>
CASTFORGE_INLINE void map_block(const std::byte* src, std::byte* dst) noexcept {
  using B = Block<K>;
  if constexpr (B::kPlanes) {
    using Packed = Planes<K::kSrcBits, K::kDstBits>;
    Packed::store(dst, P::map(Packed::load(src)));
  } else {
    const auto results = P::map(typename B::Elements{src});
    static_assert(std::is_same_v<Lane<std::remove_cv_t<decltype(results)>>, typename B::To>,
                  "map() returns the width of the destination");
    if constexpr (K::kDstBits < 8) store_packed<K::kDstBits>(dst, results);
    else lane::store(dst, results);
  }
}

// The bytes, and zeros in the unused bits of the last one. Not std::memcpy, which becomes a string instruction at a few KiB;
// streaming, which converts in such parts, would run at half its speed.
template <int kBits>
CASTFORGE_SHARED static void copy(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  constexpr std::size_t kBytes = 4 * kVectorBytes;
  for_each_block<kBits, kBits, kBytes * 8 / kBits>(
      src, dst, count, ahead, [](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
        lane::store(out, loaded(Source<std::uint8_t, kBytes>{in}));
      });
}

template <class K, class P>
CASTFORGE_INLINE void run_plan(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  if constexpr (is_copy<K, P>()) {
    copy<K::kSrcBits>(src, dst, count, ahead);
  } else {
    constexpr std::size_t kLanes = [] {
      if constexpr (Block<K>::kPlanes) return Planes<K::kSrcBits, K::kDstBits>::kLanes;
      else return Block<K>::kLanes;
    }();
    for_each_block<K::kSrcBits, K::kDstBits, kLanes>(
        src, dst, count, ahead,
        [](const std::byte* s, std::byte* d) noexcept CASTFORGE_LAMBDA_INLINE { map_block<K, P>(s, d); });
  }
}

#else

template <class K, class P>
CASTFORGE_INLINE void run_plan(const void* src, void* dst, std::size_t count, std::size_t /*ahead*/) noexcept {
  each_element<K::kSrcBits, K::kDstBits, (requires { P::kTable; })>(
      src, dst, count, [](std::uint64_t code) noexcept CASTFORGE_LAMBDA_INLINE {
        return std::uint64_t{P::map(lane::Word(static_cast<lane::Unit<K::kSrcBits>>(code))).value};
      });
}

#endif

}  // namespace detail

/// Converts `count` elements at src to dst with the kernel's preferred plan. Buffers hold ceil(count * bits / 8) bytes;
/// nothing outside them is read or written; src == dst is allowed where both widths are equal. Vector loops prefetch the source
/// `ahead` bytes before they read it.
template <class K>
__attribute__((flatten)) static void run(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  using P = typename K::plans::chosen;
  [[maybe_unused]] const detail::Guard<P> guard(detail::needs_guard<P>(count));
  detail::run_plan<K, P>(src, dst, count, ahead);
}

}  // namespace castforge::inline CASTFORGE_ISA::simd

// Walks two buffers in blocks; the rest through the same loop, by a block that overlaps them or on a zero-padded copy.
#pragma once

#include <castforge/elements.hpp>
#include <cstring>

#include "simd/lanes.hpp"
#include "src/float_guard.hpp"

namespace castforge::inline CASTFORGE_ISA::simd {

namespace detail {

// memcpy of n bytes, a run-time length, without the library call: every length is a few moves that may overlap.
template <class Chunk>
CASTFORGE_INLINE void copy_chunk(std::byte* to, const std::byte* from) noexcept {
  Chunk chunk;
  std::memcpy(&chunk, from, sizeof chunk);
  std::memcpy(to, &chunk, sizeof chunk);
}

// The first and the last sizeof(Chunk) of n bytes; they cover everything when n <= 2 * sizeof(Chunk).
template <class Chunk>
CASTFORGE_INLINE void copy_ends(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  Chunk first, last;
  std::memcpy(&first, from, sizeof first);
  std::memcpy(&last, from + n - sizeof last, sizeof last);
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + n - sizeof last, &last, sizeof last);
}

#if CASTFORGE_X86 >= 3

// Exactly n bytes of `from` are read and of `to` written: masked-off bytes cannot fault and are not written.
CASTFORGE_SHARED static inline void copy_some(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  using Chunk = lane::detail::Native<std::uint8_t>;
  for (; n > 64; n -= 64, to += 64, from += 64) copy_chunk<Chunk>(to, from);
  lane::kernel::store_first(to, lane::kernel::load_first(from, n, lane::Arch{}), n, lane::Arch{});
}

// Fills kCapacity bytes, a multiple of 64: n <= kCapacity bytes of `from`, then zeros. Whole vectors are stored, so
// that the body's loads find all their bytes in one store.
template <std::size_t kCapacity>
CASTFORGE_INLINE void copy_padded(std::byte* to, const std::byte* from, std::size_t n) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kCapacity; i += 64) {
    lane::B8 chunk(std::uint8_t{0});
    if (i == 0 || n > i) chunk = lane::kernel::load_first(from + i, n - i, lane::Arch{});
    lane::kernel::store(to + i, chunk, lane::Arch{});
  }
}

#else

// Exactly n bytes of `from` are read and of `to` written.
CASTFORGE_SHARED static inline void copy_some(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  struct Chunk {
    std::uint64_t low, high;
  };
  if (n >= sizeof(Chunk)) {
    for (; n > 2 * sizeof(Chunk); n -= sizeof(Chunk), to += sizeof(Chunk), from += sizeof(Chunk)) {
      copy_chunk<Chunk>(to, from);
    }
    copy_ends<Chunk>(to, from, n);
  } else if (n >= 8) {
    copy_ends<std::uint64_t>(to, from, n);
  } else if (n >= 4) {
    copy_ends<std::uint32_t>(to, from, n);
  } else if (n >= 2) {
    copy_ends<std::uint16_t>(to, from, n);
  } else if (n == 1) {
    *to = *from;
  }
}

#if !CASTFORGE_VECTOR

static inline void fill_padded(std::byte* to, std::size_t capacity, const std::byte* from, std::size_t n) noexcept {
  std::memset(to, 0, capacity);
  copy_some(to, from, n);
}

#else

// n <= 8 bytes in the low end of a word, zeros above.
CASTFORGE_INLINE std::uint64_t load_bytes(const std::byte* from, std::size_t n) noexcept {
  const auto at = [](std::uint64_t bytes, std::size_t index) noexcept CASTFORGE_LAMBDA_INLINE {
    return bytes << (8 * index);
  };
  if (n >= 4) {
    std::uint32_t first, last;
    std::memcpy(&first, from, 4);
    std::memcpy(&last, from + n - 4, 4);
    return first | at(last, n - 4);
  }
  if (n == 0) return 0;
  const auto byte = [from](std::size_t i) noexcept CASTFORGE_LAMBDA_INLINE {
    return std::to_integer<std::uint64_t>(from[i]);
  };
  return byte(0) | at(byte(n / 2), n / 2) | at(byte(n - 1), n - 1);
}

using Sixteen = lane::detail::Native<std::uint64_t, 16>;
CASTFORGE_INLINE Sixteen load_sixteen(const std::byte* from) noexcept {
  Sixteen bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

/// A vector whose 16 bytes at 16 * i are at(i).
template <class At>
CASTFORGE_INLINE lane::B8 of_sixteens(At at) noexcept {
  if constexpr (lane::kVectorBytes == 16) return lane::detail::batch_of<std::uint8_t>(at(0));
  else return lane::detail::batch_of<std::uint8_t>(__builtin_shufflevector(at(0), at(16), 0, 1, 2, 3));
}

// n < 16 bytes of `from`, zeros above.
CASTFORGE_INLINE lane::B8 load_few(const std::byte* from, std::size_t n) noexcept {
  const Sixteen bytes =
      n < 8 ? Sixteen{load_bytes(from, n), 0} : Sixteen{load_bytes(from, 8), load_bytes(from + 8, n - 8)};
  return of_sixteens([&](std::size_t i) noexcept CASTFORGE_LAMBDA_INLINE { return i == 0 ? bytes : Sixteen{}; });
}

// kMoved + 16 - n has the places of the last n of 16 bytes, then what lookup16 makes zeros of.
alignas(32) inline constexpr std::uint8_t kMoved[32] = {
    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};

// The bytes before `end`, less than a vector of them, from `from` on, then zeros. There are 16 bytes before `end`,
// which may begin before `from`: each 16 are read where they end, and moved down.
CASTFORGE_INLINE lane::B8 load_last(const std::byte* from, const std::byte* end) noexcept {
  const auto bytes_from = [n = static_cast<std::size_t>(end - from)](std::size_t i) noexcept CASTFORGE_LAMBDA_INLINE {
    return n < i ? 0 : n < i + 16 ? n - i : 16;
  };
  const auto bytes = of_sixteens([&](std::size_t i) noexcept CASTFORGE_LAMBDA_INLINE {
    return load_sixteen(bytes_from(i) < 16 ? end - 16 : from + i);
  });
  const auto places = of_sixteens([&](std::size_t i) noexcept CASTFORGE_LAMBDA_INLINE {
    return load_sixteen(reinterpret_cast<const std::byte*>(kMoved) + 16 - bytes_from(i));
  });
  return lane::kernel::lookup16(bytes, places, lane::Arch{});
}

// Fills `capacity` bytes, a multiple of a vector: n <= capacity bytes of `from`, then zeros. Whole vectors are stored,
// so that the body's loads find all their bytes in one store and need not wait until they are in the cache.
CASTFORGE_SHARED static inline void fill_padded(std::byte* to, std::size_t capacity, const std::byte* from,
                                                std::size_t n) noexcept {
  constexpr std::size_t kBytes = lane::kVectorBytes;
  const std::byte *const end = from + n, *const whole = end - n % kBytes;
  std::byte* const filled = to + capacity;
  const auto store = [&to](lane::B8 next) noexcept CASTFORGE_LAMBDA_INLINE {
    lane::kernel::store(to, next, lane::Arch{});
    to += kBytes;
  };
  for (; from != whole; from += kBytes) store(lane::kernel::load(from, lane::B8{}, lane::Arch{}));
  if (from != end) store(n < 16 ? load_few(from, n) : load_last(from, end));
  lane::B8 zeros(std::uint8_t{0});
  CASTFORGE_IN_VECTOR(zeros.data);  // else it becomes a call of memset
  while (to != filled) store(zeros);
}

#endif

// Fills kCapacity bytes, a multiple of 64: n <= kCapacity bytes of `from`, then zeros.
template <std::size_t kCapacity>
CASTFORGE_INLINE void copy_padded(std::byte* to, const std::byte* from, std::size_t n) noexcept {
  fill_padded(to, kCapacity, from, n);
}

#endif

constexpr std::size_t kCacheLine = 64;

// The lines that begin `ahead` bytes past kBytes bytes. A hint, which never faults, so they may lie outside any buffer;
// hence the integer, as such a pointer must not be computed.
template <std::size_t kBytes>
CASTFORGE_INLINE void prefetch(const std::byte* from, std::size_t ahead) noexcept {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(from) + ahead;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBytes; i += kCacheLine)
    __builtin_prefetch(reinterpret_cast<const void*>(at + i));  // NOLINT(performance-no-int-to-ptr): see above
}

// A mask of the bits that `count` elements use in their last byte; 0 where they fill it.
template <int kBits, Packing kPacking>
CASTFORGE_INLINE std::byte bits_of_last(std::size_t count) noexcept {
  const unsigned used = static_cast<unsigned>(count % 8 * kBits % 8);
  if (used == 0) return std::byte{0};
  return static_cast<std::byte>(kPacking == Packing::high_first ? 0xFFu << (8 - used) : (1u << used) - 1);
}

// Zeros in the bits after `count` elements, in their last byte.
template <int kBits, Packing kPacking>
CASTFORGE_INLINE void clear_unused(std::byte* elements, std::size_t count) noexcept {
  if constexpr (!is_natural_width(kBits)) {
    const std::byte kept = bits_of_last<kBits, kPacking>(count);
    if (kept != std::byte{0}) elements[bytes_of_elements(count, kBits) - 1] &= kept;
  }
}

// Copies `count` elements, zeros in the bits after them. The last byte is masked as it is copied: if it were masked in
// place first, the vector load of the copy would wait for two stores.
template <int kBits, Packing kPacking>
CASTFORGE_INLINE void copy_elements(std::byte* to, const std::byte* from, std::size_t count) noexcept {
  if constexpr (is_natural_width(kBits)) {
    copy_some(to, from, bytes_of_elements(count, kBits));
  } else {
    const std::byte kept = bits_of_last<kBits, kPacking>(count);
    const std::size_t whole = bytes_of_elements(count, kBits) - (kept != std::byte{0});
    copy_some(to, from, whole);
    if (kept != std::byte{0}) to[whole] = from[whole] & kept;
  }
}

}  // namespace detail

/// A kernel's loop over at least one whole block. The lines `ahead` bytes further on in the source are prefetched.
using BlockLoop = void (*)(const std::byte* in, std::byte* out, std::size_t blocks, std::size_t ahead) noexcept;

/// Has `loop` convert `count` elements: whole blocks where they are, the rest by one that overlaps them or on copies.
/// Kernels of the same layouts share it, as it takes as many instructions as most loops.
/// Exactly the bytes of `count` elements are read and written; unused bits of a last packed byte are written as zero.
/// The buffers may be the same where both widths are equal and the loop reads each block before it writes it.
using ForBlocks = void (*)(const void* src, void* dst, std::size_t count, std::size_t ahead, BlockLoop loop) noexcept;

/// The body of a ForBlocks.
template <int kSrcBits, int kDstBits, Packing kDstPacking, std::size_t kBlock>
CASTFORGE_INLINE void blocks_and_rest(const void* src, void* dst, std::size_t count, std::size_t ahead,
                                      BlockLoop loop) noexcept {
  constexpr std::size_t kIn = bytes_of_elements(kBlock, kSrcBits), kOut = bytes_of_elements(kBlock, kDstBits);
  const std::byte* in = static_cast<const std::byte*>(src);
  std::byte* out = static_cast<std::byte*>(dst);
  const std::size_t blocks = count / kBlock, rest = count % kBlock;
  if (blocks != 0) loop(in, out, blocks, ahead);
  if (rest == 0) return;
  // The block that ends with the last element, some of whose results are written a second time. Where elements may
  // have been replaced by their results, that would convert results.
  const bool whole_bytes = count * kSrcBits % 8 == 0 && count * kDstBits % 8 == 0;
  if (blocks != 0 && whole_bytes && (kSrcBits != kDstBits || src != dst)) {
    return loop(in + (blocks - 1) * kIn + bytes_of_elements(rest, kSrcBits),
                out + (blocks - 1) * kOut + bytes_of_elements(rest, kDstBits), 1, 0);
  }
  alignas(64) std::byte rest_in[(kIn + 63) / 64 * 64];
  alignas(64) std::byte rest_out[(kOut + 63) / 64 * 64];
  detail::copy_padded<sizeof rest_in>(rest_in, in + blocks * kIn, bytes_of_elements(rest, kSrcBits));
  loop(rest_in, rest_out, 1, 0);
  detail::copy_elements<kDstBits, kDstPacking>(out + blocks * kOut, rest_out, rest);
}

/// The same as a function.
template <int kSrcBits, int kDstBits, Packing kDstPacking, std::size_t kBlock>
CASTFORGE_SHARED static void for_blocks(const void* src, void* dst, std::size_t count, std::size_t ahead,
                                        BlockLoop loop) noexcept {
  blocks_and_rest<kSrcBits, kDstBits, kDstPacking, kBlock>(src, dst, count, ahead, loop);
}

/// Where the loop needs the floating-point environment set.
CASTFORGE_SHARED static inline void for_guarded_blocks(const void* src, void* dst, std::size_t count, std::size_t ahead,
                                                       BlockLoop loop, ForBlocks all) noexcept {
  const FloatGuard guard;
  all(src, dst, count, ahead, loop);
}

}  // namespace castforge::inline CASTFORGE_ISA::simd

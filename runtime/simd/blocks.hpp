// Walks two buffers in blocks; the remainder goes through the same body on a zero-padded copy.
#pragma once

#include <cstring>

#include "simd/isa.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

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

// Exactly n bytes of `from` are read and of `to` written.
CASTFORGE_SHARED static inline void copy_some(std::byte* to, const std::byte* from, std::size_t n) noexcept {
#if CASTFORGE_X86 >= 3
  // Masked-off bytes cannot fault and are not written.
  for (; n > 64; n -= 64, to += 64, from += 64) copy_chunk<__m512i>(to, from);
  const __mmask64 mask = n == 0 ? 0 : ~__mmask64{0} >> (64 - n);
  _mm512_mask_storeu_epi8(to, mask, _mm512_maskz_loadu_epi8(mask, from));
#else
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
#endif
}

#if CASTFORGE_VECTOR && CASTFORGE_X86 < 3

// n <= 8 bytes in the low end of a word, zeros above.
CASTFORGE_INLINE std::uint64_t load_bytes(const std::byte* from, std::size_t n) noexcept {
  const auto at = [](std::uint64_t bytes, std::size_t index) noexcept CASTFORGE_LAMBDA_INLINE { return bytes << (8 * index); };
  if (n >= 4) {
    std::uint32_t first, last;
    std::memcpy(&first, from, 4);
    std::memcpy(&last, from + n - 4, 4);
    return first | at(last, n - 4);
  }
  if (n == 0) return 0;
  const auto byte = [from](std::size_t i) noexcept CASTFORGE_LAMBDA_INLINE { return std::to_integer<std::uint64_t>(from[i]); };
  return byte(0) | at(byte(n / 2), n / 2) | at(byte(n - 1), n - 1);
}

// Makes the value opaque: the compiler must have it in a vector register here.
#if CASTFORGE_X86
#define CASTFORGE_KEEP_VECTOR(v) asm("" : "+x"(v))
#else
#define CASTFORGE_KEEP_VECTOR(v) asm("" : "+w"(v))
#endif

#if CASTFORGE_X86
using Piece = __m128i;
CASTFORGE_INLINE Piece piece_of(std::uint64_t low, std::uint64_t high) noexcept {
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}
#else
using Piece = uint64x2_t;
CASTFORGE_INLINE Piece piece_of(std::uint64_t low, std::uint64_t high) noexcept {
  return vcombine_u64(vcreate_u64(low), vcreate_u64(high));
}
#endif

// The first n, at most 16, bytes of `from`, zeros above.
CASTFORGE_INLINE Piece load_piece(const std::byte* from, std::size_t n) noexcept {
  Piece whole;
  if (n >= 16) {
    std::memcpy(&whole, from, 16);
    return whole;
  }
  std::uint64_t low;
  if (n < 8) return piece_of(load_bytes(from, n), 0);
  std::memcpy(&low, from, 8);
  return piece_of(low, load_bytes(from + 8, n - 8));
}

// Fills `capacity` bytes, a multiple of a vector: n <= capacity bytes of `from`, then zeros. Whole vectors are stored, so
// that the body's loads find all their bytes in one store and need not wait until they are in the cache.
CASTFORGE_SHARED static inline void fill_padded(std::byte* to, std::size_t capacity, const std::byte* from,
                                                std::size_t n) noexcept {
#if CASTFORGE_X86 == 2
  using Whole = __m256i;
  const auto load = [](const std::byte* p) noexcept CASTFORGE_LAMBDA_INLINE {
    return _mm256_loadu_si256(reinterpret_cast<const Whole*>(p));
  };
  const auto load_first = [](const std::byte* p, std::size_t count) noexcept CASTFORGE_LAMBDA_INLINE {
    return _mm256_set_m128i(count > 16 ? load_piece(p + 16, count - 16) : _mm_setzero_si128(), load_piece(p, count));
  };
#else
  using Whole = Piece;
  const auto load = [](const std::byte* p) noexcept CASTFORGE_LAMBDA_INLINE { return load_piece(p, 16); };
  const auto load_first = load_piece;
#endif
  for (std::byte* const end = to + capacity; to != end; to += sizeof(Whole)) {
    Whole next;
    if (n >= sizeof(Whole)) {
      next = load(from);
      from += sizeof(Whole);
      n -= sizeof(Whole);
    } else {
      next = load_first(from, n);
      n = 0;
    }
    CASTFORGE_KEEP_VECTOR(next);  // else it is copied in smaller pieces, or by a call of memset
    std::memcpy(to, &next, sizeof next);
  }
}

#endif

// Fills kCapacity bytes, a multiple of 64: n <= kCapacity bytes of `from`, then zeros.
template <std::size_t kCapacity>
CASTFORGE_INLINE void copy_padded(std::byte* to, const std::byte* from, std::size_t n) noexcept {
#if CASTFORGE_X86 >= 3
  // Whole vectors are stored, so that the body's loads find all their bytes in one store.
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kCapacity; i += 64) {
    __m512i chunk = _mm512_setzero_si512();
    if (i == 0 || n > i) {
      const std::size_t left = n - i;
      const __mmask64 mask = left >= 64 ? ~__mmask64{0} : _bzhi_u64(~0ull, static_cast<unsigned>(left));
      chunk = _mm512_maskz_loadu_epi8(mask, from + i);
    }
    _mm512_store_si512(to + i, chunk);
  }
#elif CASTFORGE_VECTOR
  fill_padded(to, kCapacity, from, n);
#else
  std::memset(to, 0, kCapacity);
  copy_some(to, from, n);
#endif
}

constexpr std::size_t kCacheLine = 64;

// The lines that begin `ahead` bytes past kBytes bytes. A hint, which never faults, so they may lie outside any buffer; hence
// the integer, as such a pointer must not be computed.
template <std::size_t kBytes>
CASTFORGE_INLINE void prefetch(const std::byte* from, std::size_t ahead) noexcept {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(from) + ahead;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBytes; i += kCacheLine) __builtin_prefetch(reinterpret_cast<const void*>(at + i));
}

}  // namespace detail

/// Bytes that hold `count` elements of `bits` bits, packed.
constexpr std::size_t packed_bytes(std::size_t count, int bits) noexcept {
  return bits >= 8 ? count * static_cast<std::size_t>(bits / 8)
                   : (count * static_cast<std::size_t>(bits) + 7) / 8;
}

/// How far element `index` of those that share a byte is shifted up: the first one is in the low end, but 1-bit elements
/// start in the high end.
template <int kBits>
constexpr unsigned packed_shift(std::size_t index) noexcept {
  static_assert(kBits < 8);
  return static_cast<unsigned>(kBits == 1 ? 7 - index : index * kBits);
}

/// Calls body(src, dst) for consecutive blocks of kBlock elements, the last one on local copies when it is not whole.
/// Exactly the bytes of `count` elements are read and written; unused bits of a last packed byte are written as zero.
/// The buffers may be the same where both widths are equal: each block is read before it is written.
/// Where both widths are equal the body must load all its input before its first store. It is expanded once. The lines `ahead` bytes further on in the
/// source are prefetched; with 0 they are those about to be read, which costs next to nothing.
template <int kSrcBits, int kDstBits, std::size_t kBlock, class Body>
CASTFORGE_INLINE void for_each_block(const void* src, void* dst, std::size_t count, std::size_t ahead, Body body) noexcept {
  constexpr std::size_t kIn = packed_bytes(kBlock, kSrcBits), kOut = packed_bytes(kBlock, kDstBits);
  alignas(64) std::byte tail_in[kIn < 64 ? 64 : kIn];
  alignas(64) std::byte tail_out[kOut < 64 ? 64 : kOut];
  const std::byte* in = static_cast<const std::byte*>(src);
  std::byte* out = static_cast<std::byte*>(dst);
  std::byte* tail_dst = nullptr;
  std::size_t blocks = count / kBlock;
  const std::size_t rest = count % kBlock;
  bool in_tail = blocks == 0;
  for (;;) {
    if (in_tail) {
      if (rest == 0) return;
      detail::copy_padded<sizeof tail_in>(tail_in, in, packed_bytes(rest, kSrcBits));
      tail_dst = out;
      in = tail_in;
      out = tail_out;
      blocks = 1;
    }
    do {
      detail::prefetch<kIn>(in, ahead);
      body(in, out);
      in += kIn;
      out += kOut;
    } while (--blocks != 0);
    if (in_tail) break;
    in_tail = true;
  }
  const std::size_t bytes = packed_bytes(rest, kDstBits);
  if constexpr (kDstBits < 8) {
    const unsigned used = static_cast<unsigned>(rest * kDstBits % 8);
    const unsigned kept = kDstBits == 1 ? 0xFFu << (8 - used) : (1u << used) - 1;
    if (used != 0) tail_out[bytes - 1] &= static_cast<std::byte>(kept);
  }
  detail::copy_some(tail_dst, tail_out, bytes);
}

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

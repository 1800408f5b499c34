#include "cli/bench/copies.hpp"

#include <algorithm>
#include <bit>
#include <castforge/elements.hpp>
#include <cstring>
#include <numeric>
#include <utility>

namespace castforge::cli {
namespace {

// `Unaligned` holds one vector that may lie anywhere. The barrier keeps the compiler from seeing a memcpy in
// the loop.
template <class Unaligned>
[[gnu::always_inline]] inline void copy_loop(const void* src, void* dst, std::size_t bytes) noexcept {
  const auto* from = static_cast<const char*>(src);
  auto* to = static_cast<char*>(dst);
  std::size_t at = 0;
  for (; at + 4 * sizeof(Unaligned) <= bytes; at += 4 * sizeof(Unaligned)) {
    const auto* s = reinterpret_cast<const Unaligned*>(from + at);
    auto* d = reinterpret_cast<Unaligned*>(to + at);
    const auto first = s[0].vector, second = s[1].vector, third = s[2].vector, fourth = s[3].vector;
    d[0].vector = first;
    d[1].vector = second;
    d[2].vector = third;
    d[3].vector = fourth;
    asm volatile("" ::: "memory");
  }
  if (at < bytes) std::memcpy(to + at, from + at, bytes - at);
}

// Of every pass kLoads vectors are read and kStores written.
template <class Unaligned, int kLoads, int kStores>
[[gnu::always_inline]] inline void move_loop(const void* src, void* dst, std::size_t bytes) noexcept {
  const auto* from = static_cast<const char*>(src);
  auto* to = static_cast<char*>(dst);
  constexpr std::size_t kNarrower = std::min(kLoads, kStores) * sizeof(Unaligned);
  for (std::size_t at = 0; at + kNarrower <= bytes; at += kNarrower) {
    const auto* s = reinterpret_cast<const Unaligned*>(from);
    auto* d = reinterpret_cast<Unaligned*>(to);
    auto all = s[0].vector;
#pragma GCC unroll 64
    for (int i = 1; i < kLoads; ++i) all ^= s[i].vector;
#pragma GCC unroll 64
    for (int i = 0; i < kStores; ++i) {
      d[i].vector = all;
      asm volatile("" ::: "memory");
    }
    from += kLoads * sizeof(Unaligned);
    to += kStores * sizeof(Unaligned);
  }
}

// A structure keeps the attributes that a template argument would lose.
template <int kBytes>
struct [[gnu::packed, gnu::may_alias]] Unaligned {
  using Vector [[gnu::vector_size(kBytes)]] = char;
  Vector vector;
};

void copy_16(const void* src, void* dst, std::size_t bytes) noexcept { copy_loop<Unaligned<16>>(src, dst, bytes); }
template <int kLoads, int kStores>
void move_16(const void* src, void* dst, std::size_t bytes) noexcept {
  move_loop<Unaligned<16>, kLoads, kStores>(src, dst, bytes);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void copy_32(const void* src, void* dst, std::size_t bytes) noexcept {
  copy_loop<Unaligned<32>>(src, dst, bytes);
}
[[gnu::target("avx512f")]] void copy_64(const void* src, void* dst, std::size_t bytes) noexcept {
  copy_loop<Unaligned<64>>(src, dst, bytes);
}
template <int kLoads, int kStores>
[[gnu::target("avx2")]] void move_32(const void* src, void* dst, std::size_t bytes) noexcept {
  move_loop<Unaligned<32>, kLoads, kStores>(src, dst, bytes);
}
template <int kLoads, int kStores>
[[gnu::target("avx512f")]] void move_64(const void* src, void* dst, std::size_t bytes) noexcept {
  move_loop<Unaligned<64>, kLoads, kStores>(src, dst, bytes);
}
#endif

/// The loop of this machine.
template <int kLoads, int kStores>
Routine moves() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return move_64<kLoads, kStores>;
  if (__builtin_cpu_supports("avx2")) return move_32<kLoads, kStores>;
#endif
  return move_16<kLoads, kStores>;
}

// Of elements of 2^kLog * kSrc and kDst bits, or kSrc and 2^kLog * kDst bits, of which kSrc and kDst are odd.
template <int kSrc, int kDst, int... kLog>
Routine with_odd_parts(int log, std::integer_sequence<int, kLog...>) noexcept {
  constexpr int kCommon = std::gcd(kSrc, kDst), kLoads = kSrc / kCommon, kStores = kDst / kCommon;
  Routine found = nullptr;
  static_cast<void>(((log == kLog && (found = moves<kLoads << kLog, kStores>(), true)) || ...));
  static_cast<void>(((-log == kLog && (found = moves<kLoads, kStores << kLog>(), true)) || ...));
  return found;
}

/// 0 to 6, for words of 64 bits; of two odd parts above 1 to 2, for 12 bits, the widest that are no words.
template <int kSrc, int kDst>
using Doublings = std::make_integer_sequence<int, kSrc == 1 || kDst == 1 ? 7 : 3>;

template <int kSrc, int... kDst>
Routine with_odd_source(int dst, int log, std::integer_sequence<int, kDst...>) noexcept {
  Routine found = nullptr;
  static_cast<void>(((dst == kDst && (found = with_odd_parts<kSrc, kDst>(log, Doublings<kSrc, kDst>{}), true)) || ...));
  return found;
}
template <int... kOdd>
Routine by_odd_parts(int src, int dst, int log, std::integer_sequence<int, kOdd...> odd) noexcept {
  Routine found = nullptr;
  static_cast<void>(((src == kOdd && (found = with_odd_source<kOdd>(dst, log, odd), true)) || ...));
  return found;
}

/// Elements without vectors count as the words that hold them.
unsigned width_moved(std::size_t bits) noexcept {
  const int width = static_cast<int>(bits);
  return static_cast<unsigned>(has_vector_loop(width) ? width : storage_unit(width));
}

}  // namespace

void copy_by_memcpy(const void* src, void* dst, std::size_t bytes) noexcept {
  if (bytes != 0) std::memcpy(dst, src, bytes);
  asm volatile("" ::: "memory");
}

Routine vector_copy_loop() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return copy_64;
  if (__builtin_cpu_supports("avx2")) return copy_32;
#endif
  return copy_16;
}

Routine vector_move_loop(std::size_t src_bits, std::size_t dst_bits) noexcept {
  const unsigned src = width_moved(src_bits), dst = width_moved(dst_bits);
  const int src_log = std::countr_zero(src), dst_log = std::countr_zero(dst);
  return by_odd_parts(static_cast<int>(src >> src_log), static_cast<int>(dst >> dst_log), src_log - dst_log,
                      std::integer_sequence<int, 1, 3, 5, 7>{});
}

}  // namespace castforge::cli

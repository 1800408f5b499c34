#include "cli/bench/copies.hpp"

#include <bit>
#include <cstring>
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
  for (std::size_t at = 0; at + sizeof(Unaligned) <= bytes; at += sizeof(Unaligned)) {
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

/// By the logarithm of how much wider one side is.
template <int... kLog>
Routine narrowing(int log, std::integer_sequence<int, kLog...>) noexcept {
  Routine found = nullptr;
  static_cast<void>(((log == kLog && (found = moves<1 << kLog, 1>(), true)) || ...));
  return found;
}
template <int... kLog>
Routine widening(int log, std::integer_sequence<int, kLog...>) noexcept {
  Routine found = nullptr;
  static_cast<void>(((log == kLog && (found = moves<1, 1 << kLog>(), true)) || ...));
  return found;
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
  const int difference = std::countr_zero(src_bits) - std::countr_zero(dst_bits);
  constexpr std::make_integer_sequence<int, 7> kLogs{};
  return difference >= 0 ? narrowing(difference, kLogs) : widening(-difference, kLogs);
}

}  // namespace castforge::cli

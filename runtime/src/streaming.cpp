#include "src/streaming.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace castforge {
namespace {

constexpr std::size_t kLine = 64;               // bytes of a cache line
constexpr std::size_t kPartBytes = 12 * 1024;   // source and result of one part: well inside a 32 KiB first-level cache
// What one core has of the last-level cache at most: systems report the sum over all sockets, or nothing.
constexpr std::size_t kCacheOfOneCore = 32u << 20;

std::size_t read_threshold() noexcept {
  if (const char* text = std::getenv("CASTFORGE_STREAM_BYTES")) {
    char* end = nullptr;
    const unsigned long long bytes = std::strtoull(text, &end, 10);
    if (end != text && *end == '\0') return static_cast<std::size_t>(bytes);
  }
  long cache = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE)
  cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  return 2 * (cache > 0 ? std::min(static_cast<std::size_t>(cache), kCacheOfOneCore) : kCacheOfOneCore);
}

/// n bytes from `part` (aligned to a line) to `to`; whole lines of `to` are streamed.
void move_part(std::byte* to, const std::byte* part, std::size_t n) noexcept {
#if defined(__SSE2__)
  const std::size_t head = std::min(n, (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine);
  std::memcpy(to, part, head);
  std::size_t at = head;
  for (; at + kLine <= n; at += kLine) {
    for (std::size_t i = 0; i < kLine; i += sizeof(__m128i)) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(part + at + i)));
    }
  }
  std::memcpy(to + at, part + at, n - at);
#else
  std::memcpy(to, part, n);
#endif
}

}  // namespace

std::size_t streaming_threshold() noexcept {
  static const std::size_t threshold = read_threshold();
  return threshold;
}

void run_streaming(Kernel::Function function, const void* src, std::size_t src_bits, void* dst, std::size_t dst_bits,
                   std::size_t count) noexcept {
  alignas(kLine) std::byte part[kPartBytes];
  const auto* from = static_cast<const std::byte*>(src);
  auto* to = static_cast<std::byte*>(dst);
  // A multiple of 512 elements is a whole number of lines for every width.
  const std::size_t per_part = std::max<std::size_t>(512, kPartBytes * 8 / (src_bits + dst_bits) / 512 * 512);
  // A short first part brings the destination to a line, so that every later part is whole lines.
  const std::size_t to_line = (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine;
  std::size_t n = 0;
  if (to_line * 8 % dst_bits == 0 && to_line * 8 / dst_bits * src_bits % 8 == 0) n = to_line * 8 / dst_bits;
  if (n == 0) n = per_part;
  while (count != 0) {
    n = std::min(n, count);
    const std::size_t bytes = (n * dst_bits + 7) / 8;
    function(from, part, n);
    move_part(to, part, bytes);
    from += n * src_bits / 8;
    to += bytes;
    count -= n;
    n = per_part;
  }
#if defined(__SSE2__)
  _mm_sfence();  // streamed lines are in place before anything the caller does next
#endif
}

}  // namespace castforge

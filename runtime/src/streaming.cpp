#include "src/streaming.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "src/isa_table.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace castforge {
namespace {

constexpr std::size_t kLine = tables::kLineBytes;
// Result of one part. Small: while its lines drain to memory, the processor is already reading and converting the next
// ones.
constexpr std::size_t kPartBytes = 1024;
constexpr std::size_t kPartUnit = 512;  // elements: whole cache lines of results of any width
// What one core has of the last-level cache at most: systems report the sum over all sockets, or nothing.
constexpr std::size_t kCacheOfOneCore = 32u << 20;
constexpr std::size_t kSecondLevel = 1u << 20;  // where the system does not tell

// How far ahead sources are prefetched, in bytes. A processor's own prefetching stops at the end of each 4 KiB page:
// memory is far enough to need all of the next two pages, the last-level cache half a page.
constexpr std::size_t kAheadInMemory = 8192, kAheadInCache = 2048;
// Narrower sources that lie in a cache are read too slowly to gain.
constexpr std::size_t kPrefetchedBits = 32;

std::size_t read_threshold() noexcept {
  if (const char* text = std::getenv("CASTFORGE_STREAM_BYTES")) {
    std::size_t bytes = 0;
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, bytes);
    if (error == std::errc() && rest == end) return bytes;  // `castforge info` complains about others
  }
  long cache = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE)
  cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  return cache > 0 ? std::min(static_cast<std::size_t>(cache), kCacheOfOneCore) : kCacheOfOneCore;
}

std::size_t read_second_level() noexcept {
  long cache = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE)
  cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  return cache > 0 ? static_cast<std::size_t>(cache) : kSecondLevel;
}

/// For its lifetime subnormals are flushed, on x86, and the sticky flags set, so that no part has to switch the one on or
/// put the others back. Kernels whose results depend on any of this set it themselves.
class FlushingThroughout {
 public:
#if defined(__SSE2__)
  FlushingThroughout() noexcept : saved_(_mm_getcsr()) { _mm_setcsr(0x9FFF); }
  ~FlushingThroughout() { _mm_setcsr(saved_); }

 private:
  unsigned saved_;
#else
  FlushingThroughout() noexcept {}
  ~FlushingThroughout() {}
#endif
};

std::size_t second_level() noexcept {
  static const std::size_t bytes = read_second_level();
  return bytes;
}

/// n bytes from `part` to `to`, whose whole lines are streamed.
void move_part(std::byte* to, const std::byte* part, std::size_t n, tables::StreamFn stream) noexcept {
  const std::size_t head = std::min(n, (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine);
  const std::size_t streamed = (n - head) / kLine * kLine;
  std::memcpy(to, part, head);
  stream(to + head, part + head, streamed / kLine);
  std::memcpy(to + head + streamed, part + head + streamed, n - head - streamed);
}

}  // namespace

std::size_t streaming_threshold() noexcept {
  static const std::size_t threshold = read_threshold();
  return threshold;
}

void run_streaming(const Conversion& conversion, const void* src, void* dst, std::size_t count) noexcept {
  const std::size_t src_bits = conversion.src_bits, dst_bits = conversion.dst_bits;
  const tables::StreamFn stream = isa_named(conversion.isa).stream;
  if (stream == nullptr) return conversion.function(src, dst, count, kAheadInMemory);
  const FlushingThroughout environment;
  alignas(kLine) std::byte part[kPartUnit * sizeof(std::uint64_t)];  // a unit of the widest type is the largest part
  const auto* from = static_cast<const std::byte*>(src);
  auto* to = static_cast<std::byte*>(dst);
  const std::size_t per_part = std::max(kPartUnit, kPartBytes * 8 / dst_bits / kPartUnit * kPartUnit);
  // A short first part brings the destination to a line, so that every later part is whole lines.
  const std::size_t to_line = (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine;
  std::size_t n = 0;
  if (to_line * 8 % dst_bits == 0 && to_line * 8 / dst_bits * src_bits % 8 == 0) n = to_line * 8 / dst_bits;
  if (n == 0) n = per_part;
  while (count != 0) {
    n = std::min(n, count);
    const std::size_t bytes = (n * dst_bits + 7) / 8;
    conversion.function(from, part, n, kAheadInMemory);
    move_part(to, part, bytes, stream);
    from += n * src_bits / 8;
    to += bytes;
    count -= n;
    n = per_part;
  }
#if defined(__SSE2__)
  _mm_sfence();  // streamed lines are in place before anything the caller does next
#endif
}

void run_for_size(const Conversion& conversion, const void* src, void* dst, std::size_t count,
                  std::size_t whole_bytes) noexcept {
  if (whole_bytes >= streaming_threshold()) {
    if (src != dst) run_streaming(conversion, src, dst, count);
    else conversion.function(src, dst, count, kAheadInMemory);
  } else {
    const bool near = whole_bytes <= second_level() || conversion.src_bits < kPrefetchedBits;
    conversion.function(src, dst, count, near ? 0 : kAheadInCache);
  }
}

}  // namespace castforge

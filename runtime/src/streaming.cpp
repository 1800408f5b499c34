#include "src/streaming.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "src/cpu.hpp"
#include "src/isa_table.hpp"
#include "src/loaded/data_kernel.hpp"

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
constexpr std::size_t kPartMultiple = 512;  // elements: whole cache lines of results of any width
// What one core has of the last-level cache at most: systems report the sum over all sockets, or nothing.
constexpr std::size_t kCacheOfOneCore = 32u << 20;
constexpr std::size_t kSecondLevel = 1u << 20;  // where the system does not tell

// Of results that stay in a cache, one part where several places are read in turns; and from one place to the next.
constexpr std::size_t kCachedPartBytes = 8192;
constexpr std::size_t kCachedStreamBytes = 256u << 10, kStreamBytes = 1u << 20;

// A processor's own prefetching stops at the end of each 4 KiB page: memory is far enough to need all of the next two
// pages, the last-level cache half a page. On AMD's processors up to Zen 4 that costs more than it gains, and two pages
// that end at different times gain more; on Intel's these and half a page together.
constexpr Readings kUsual = {.in_memory = {.streams = 1, .ahead = 8192}, .in_cache = {.streams = 1, .ahead = 2048}};
constexpr struct {
  std::string_view vendor;
  unsigned first_family, last_family;
  Readings best;
} kMeasured[] = {
    {"AuthenticAMD", 0x17, 0x19, {.in_memory = {.streams = 2, .ahead = 0}, .in_cache = {.streams = 2, .ahead = 0}}},
    {"GenuineIntel", 6, 6, {.in_memory = {.streams = 2, .ahead = 2048}, .in_cache = {.streams = 1, .ahead = 2048}}},
};
// Narrower sources that lie in a cache are read too slowly to gain by either.
constexpr std::size_t kWideBits = 32;

std::size_t read_threshold() noexcept {
  if (const char* text = std::getenv("CASTFORGE_STREAM_BYTES")) {
    std::size_t bytes = 0;
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, bytes);
    if (error == std::errc() && rest == end) return bytes;  // the program complains about others
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

/// Calls convert(first element, number of elements) for parts of an array. At `streams` places that are `per_stream`
/// elements apart, multiples of a part, they take turns; what remains goes in order.
template <class Convert>
void in_turns(std::size_t count, std::size_t streams, std::size_t per_part, std::size_t per_stream,
              Convert convert) noexcept {
  std::size_t first = 0;
  for (; streams > 1 && count - first >= streams * per_stream; first += streams * per_stream) {
    for (std::size_t at = 0; at < per_stream; at += per_part) {
      for (std::size_t s = 0; s < streams; ++s) convert(first + s * per_stream + at, per_part);
    }
  }
  for (std::size_t n; first < count; first += n) {
    n = std::min(per_part, count - first);
    convert(first, n);
  }
}

/// Elements whose results have so many bytes, a multiple of `factor`.
std::size_t elements_of(std::size_t bytes, std::size_t dst_bits, std::size_t factor) noexcept {
  return std::max(factor, bytes * 8 / dst_bits / factor * factor);
}

}  // namespace

Readings readings_of(std::string_view vendor, unsigned family) noexcept {
  for (const auto& row : kMeasured) {
    if (row.vendor == vendor && row.first_family <= family && family <= row.last_family) return row.best;
  }
  return kUsual;
}

const Readings& readings() noexcept {
  static const Readings best = readings_of(cpu::vendor().data(), cpu::family());
  return best;
}

void Conversion::operator()(const void* src, void* dst, std::size_t count, std::size_t ahead) const noexcept {
  if (function != nullptr) return function(src, dst, count, ahead);
  run_data(static_cast<const DataKernel&>(*row), isa_named(isa), src, dst, count);
}

std::size_t streaming_threshold() noexcept {
  static const std::size_t threshold = read_threshold();
  return threshold;
}

void run_streaming(const Conversion& conversion, const void* src, void* dst, std::size_t count,
                   const Reading& reading) noexcept {
  const std::size_t src_bits = conversion.src_bits, dst_bits = conversion.dst_bits;
  const tables::StreamFn stream = isa_named(conversion.isa).stream;
  if (stream == nullptr) return conversion(src, dst, count, reading.ahead);
  // So many elements of the widest type are the largest part.
  alignas(kLine) std::byte part[kPartMultiple * sizeof(std::uint64_t)];
  const auto* from = static_cast<const std::byte*>(src);
  auto* to = static_cast<std::byte*>(dst);
  const auto convert = [&](std::size_t first, std::size_t n) noexcept {
    conversion(from + first * src_bits / 8, part, n, reading.ahead);
    move_part(to + first * dst_bits / 8, part, bytes_of_elements(n, static_cast<int>(dst_bits)), stream);
  };
  // A short first part brings the destination to a line, so that every later part is whole lines.
  const std::size_t to_line = (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine;
  if (to_line * 8 % dst_bits == 0 && to_line * 8 / dst_bits * src_bits % 8 == 0) {
    const std::size_t n = std::min(count, to_line * 8 / dst_bits);
    if (n != 0) convert(0, n);
    from += n * src_bits / 8;
    to += n * dst_bits / 8;
    count -= n;
  }
  const std::size_t per_part = elements_of(kPartBytes, dst_bits, kPartMultiple);
  in_turns(count, reading.streams, per_part, elements_of(kStreamBytes, dst_bits, per_part), convert);
#if defined(__SSE2__)
  _mm_sfence();  // streamed lines are in place before anything the caller does next
#endif
}

void run_cached(const Conversion& conversion, const void* src, void* dst, std::size_t count,
                const Reading& reading) noexcept {
  if (reading.streams == 1) return conversion(src, dst, count, reading.ahead);
  const std::size_t src_bits = conversion.src_bits, dst_bits = conversion.dst_bits;
  const auto* from = static_cast<const std::byte*>(src);
  auto* to = static_cast<std::byte*>(dst);
  const std::size_t per_part = elements_of(kCachedPartBytes, dst_bits, kPartMultiple);
  in_turns(count, reading.streams, per_part, elements_of(kCachedStreamBytes, dst_bits, per_part),
           [&](std::size_t first, std::size_t n) noexcept {
             conversion(from + first * src_bits / 8, to + first * dst_bits / 8, n, reading.ahead);
           });
}

void run_for_size(const Conversion& conversion, const void* src, void* dst, std::size_t count,
                  std::size_t whole_bytes) noexcept {
  constexpr Reading kNear = {.streams = 1, .ahead = 0};
  if (whole_bytes >= streaming_threshold()) {
    const Reading& best = readings().in_memory;
    if (src != dst) run_streaming(conversion, src, dst, count, best);
    else run_cached(conversion, src, dst, count, best);
  } else {
    const bool near = whole_bytes <= second_level() || conversion.src_bits < kWideBits;
    run_cached(conversion, src, dst, count, near ? kNear : readings().in_cache);
  }
}

}  // namespace castforge

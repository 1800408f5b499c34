// Streaming stores of one instruction set; compiled once per instruction set, as the generated units are. Width matters: a
// core keeps a fixed number of stores on their way to memory. With those of 16 bytes plain stores are faster.
#include "src/stream_table.hpp"

#include "simd/isa.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

[[maybe_unused]] constexpr std::size_t kLineBytes = tables::kLineBytes;

#if CASTFORGE_X86 >= 2
CASTFORGE_INLINE void stream_line(std::byte* to, const std::byte* from) noexcept {
#if CASTFORGE_X86 >= 3
  // In halves, as some kernels store them: a load of more than one store waits until all of it is in the cache.
  const auto* const halves = reinterpret_cast<const __m256i*>(from);
  const __m512i low = _mm512_castsi256_si512(_mm256_loadu_si256(halves));
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_inserti64x4(low, _mm256_loadu_si256(halves + 1), 1));
#else
  for (std::size_t i = 0; i < kLineBytes; i += sizeof(__m256i)) {
    const __m256i part = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i), part);
  }
#endif
}

void stream_lines(std::byte* to, const std::byte* from, std::size_t lines) noexcept {
  for (; lines != 0; --lines, to += kLineBytes, from += kLineBytes) stream_line(to, from);
}

constexpr tables::StreamFn kStream = stream_lines;
#else
constexpr tables::StreamFn kStream = nullptr;
#endif

}  // namespace

extern const tables::StreamFn kIsaStream;
const tables::StreamFn kIsaStream = kStream;

}  // namespace CASTFORGE_ISA
}  // namespace castforge

// Streaming stores of one instruction set; compiled once per instruction set, as the generated units are. The widest
// stores matter: a core keeps a fixed number of them on their way to memory, whatever their width.
#include "src/stream_table.hpp"

#include <cstring>

#include "simd/isa.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace {

using tables::kLineBytes;

CASTFORGE_INLINE void stream_line(std::byte* to, const std::byte* from) noexcept {
#if CASTFORGE_X86 >= 3
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif CASTFORGE_X86 == 2
  for (std::size_t i = 0; i < kLineBytes; i += sizeof(__m256i)) {
    const __m256i part = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i), part);
  }
#elif defined(__SSE2__)
  for (std::size_t i = 0; i < kLineBytes; i += sizeof(__m128i)) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), part);
  }
#else
  std::memcpy(to, from, kLineBytes);
#endif
}

void stream_lines(std::byte* to, const std::byte* from, std::size_t lines) noexcept {
  for (; lines != 0; --lines, to += kLineBytes, from += kLineBytes) stream_line(to, from);
}

}  // namespace

extern const tables::StreamFn kIsaStream;
const tables::StreamFn kIsaStream = stream_lines;

}  // namespace CASTFORGE_ISA
}  // namespace castforge

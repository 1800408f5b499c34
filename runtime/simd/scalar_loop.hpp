// The portable loop: one element at a time, any storage width.
#pragma once

#include <cstring>

#include "simd/blocks.hpp"
#include "simd/plans.hpp"

namespace castforge::inline CASTFORGE_ISA::simd::detail {

// Element i of a buffer of kBits-wide codes, zero-extended.
template <int kBits>
CASTFORGE_INLINE std::uint64_t element(const std::byte* p, std::size_t i) noexcept {
  if constexpr (kBits >= 8) {
    lane::Unsigned<kBits> code;
    std::memcpy(&code, p + i * sizeof code, sizeof code);
    return code;
  } else {
    constexpr std::size_t per_byte = 8 / kBits;
    const unsigned byte = std::to_integer<unsigned>(p[i / per_byte]);
    return (byte >> packed_shift<kBits>(i % per_byte)) & ((1u << kBits) - 1);
  }
}

// dst[i] = result(src[i]), truncated to kDstBits. Packed results are gathered into whole bytes before a store.
// kLookup: result() is a memory access, which compilers do not vectorise; then 8-bit codes are read eight at a time.
template <int kSrcBits, int kDstBits, bool kLookup, class Result>
CASTFORGE_INLINE void each_element(const void* src, void* dst, std::size_t count, Result result) noexcept {
  const std::byte* in = static_cast<const std::byte*>(src);
  std::byte* out = static_cast<std::byte*>(dst);
  if constexpr (kDstBits >= 8) {
    std::size_t i = 0;
    if constexpr (kSrcBits == 8 && kLookup) {
      for (; i + 8 <= count; i += 8) {
        std::uint64_t codes;
        std::memcpy(&codes, in + i, 8);
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) {
          const auto code = static_cast<lane::Unsigned<kDstBits>>(result(codes >> (8 * j) & 0xFF));
          std::memcpy(out + (i + static_cast<std::size_t>(j)) * sizeof code, &code, sizeof code);
        }
      }
    }
    for (; i < count; ++i) {
      const auto code = static_cast<lane::Unsigned<kDstBits>>(result(element<kSrcBits>(in, i)));
      std::memcpy(out + i * sizeof code, &code, sizeof code);
    }
  } else {
    constexpr std::size_t per_byte = 8 / kDstBits;
    for (std::size_t i = 0; i < count; i += per_byte) {
      const std::size_t here = count - i < per_byte ? count - i : per_byte;
      unsigned byte = 0;
      for (std::size_t j = 0; j < here; ++j) {
        const std::uint64_t code = result(element<kSrcBits>(in, i + j));
        byte |= static_cast<unsigned>(code & ((1u << kDstBits) - 1)) << packed_shift<kDstBits>(j);
      }
      out[i / per_byte] = static_cast<std::byte>(byte);
    }
  }
}

}  // namespace castforge::inline CASTFORGE_ISA::simd::detail

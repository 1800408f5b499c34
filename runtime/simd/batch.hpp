// The vector side of the lane vocabulary: the functions of word.hpp on a whole vector of lanes.
//
// This folder is the only one that knows xsimd's spelling and its versions. xsimd supplies types, operators and
// comparisons; where it has no vector form (variable shifts below AVX2, 8-bit shifts on AVX2, 64-bit unsigned minima)
// the instructions are named here. Nothing in this file is a loop over lanes.
#pragma once

#include "simd/isa.hpp"
#include "simd/word.hpp"

#if CASTFORGE_VECTOR

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace lane {

/// One vector of U lanes.
template <std::unsigned_integral U>
struct Batch {
  using value_type = U;
  using simd_type = xsimd::batch<U, Arch>;
  using register_type = typename simd_type::register_type;
  static constexpr int kBits = std::numeric_limits<U>::digits;
  static constexpr std::size_t kLanes = kVectorBytes / sizeof(U);

  simd_type v;

  CASTFORGE_INLINE Batch() = default;
  /// All lanes equal to a constant of the plan.
  CASTFORGE_INLINE explicit Batch(U value) noexcept : v(value) {
#if CASTFORGE_X86 && defined(__GNUC__) && !defined(__clang__)
    // GCC would rather build a constant anew in every pass of a loop, from an immediate, than keep it in a register or
    // on the stack. Not knowing its value, it computes it once before the loop.
    register_type bits = v;
    asm("" : "+v"(bits));
    v = simd_type(bits);
#endif
  }
  CASTFORGE_INLINE Batch(simd_type value) noexcept : v(value) {}
  CASTFORGE_INLINE Batch(register_type value) noexcept : v(value) {}
  CASTFORGE_INLINE operator register_type() const noexcept { return v; }

  // What the operators work on. NEON registers have operators of their own; xsimd's would go through function pointers
  // there and leave weak copies of the functions behind.
#if CASTFORGE_NEON
  CASTFORGE_INLINE register_type operand() const noexcept { return v; }
#else
  CASTFORGE_INLINE const simd_type& operand() const noexcept { return v; }
#endif

  friend CASTFORGE_INLINE Batch operator+(Batch a, Batch b) noexcept { return a.operand() + b.operand(); }
  friend CASTFORGE_INLINE Batch operator-(Batch a, Batch b) noexcept { return a.operand() - b.operand(); }
  friend CASTFORGE_INLINE Batch operator&(Batch a, Batch b) noexcept { return a.operand() & b.operand(); }
  friend CASTFORGE_INLINE Batch operator|(Batch a, Batch b) noexcept { return a.operand() | b.operand(); }
  friend CASTFORGE_INLINE Batch operator^(Batch a, Batch b) noexcept { return a.operand() ^ b.operand(); }
  friend CASTFORGE_INLINE Batch operator~(Batch a) noexcept { return ~a.operand(); }
  friend CASTFORGE_INLINE Batch operator<<(Batch a, int n) noexcept {
#if CASTFORGE_X86
    if constexpr (sizeof(U) == 1) {
      return Batch(CASTFORGE_MM(slli_epi16)(a, n)) & Batch(static_cast<U>(0xFF << n));
    } else if constexpr (sizeof(U) == 2) {
      return CASTFORGE_MM(slli_epi16)(a, n);
    } else if constexpr (sizeof(U) == 4) {
      return CASTFORGE_MM(slli_epi32)(a, n);
    } else {
      return CASTFORGE_MM(slli_epi64)(a, n);
    }
#else
    return a.operand() << n;
#endif
  }
  friend CASTFORGE_INLINE Batch operator>>(Batch a, int n) noexcept {
#if CASTFORGE_X86
    if constexpr (sizeof(U) == 1) {
      return Batch(CASTFORGE_MM(srli_epi16)(a, n)) & Batch(static_cast<U>(0xFF >> n));
    } else if constexpr (sizeof(U) == 2) {
      return CASTFORGE_MM(srli_epi16)(a, n);
    } else if constexpr (sizeof(U) == 4) {
      return CASTFORGE_MM(srli_epi32)(a, n);
    } else {
      return CASTFORGE_MM(srli_epi64)(a, n);
    }
#else
    return a.operand() >> n;
#endif
  }
};

/// Result of a comparison: one truth value per U lane.
#if CASTFORGE_NEON
template <class U>
struct Mask {
  Batch<U> m;  // all ones or zero
};
#else
template <class U>
struct Mask {
  xsimd::batch_bool<U, Arch> m;
};
#endif

namespace detail {
#if CASTFORGE_NEON
// The register of U lanes as one of signed lanes, whose comparisons are signed.
CASTFORGE_INLINE int8x16_t as_signed(Batch<std::uint8_t> a) noexcept { return vreinterpretq_s8_u8(a); }
CASTFORGE_INLINE int16x8_t as_signed(Batch<std::uint16_t> a) noexcept { return vreinterpretq_s16_u16(a); }
CASTFORGE_INLINE int32x4_t as_signed(Batch<std::uint32_t> a) noexcept { return vreinterpretq_s32_u32(a); }
CASTFORGE_INLINE int64x2_t as_signed(Batch<std::uint64_t> a) noexcept { return vreinterpretq_s64_u64(a); }

template <class U, class Comparison>
CASTFORGE_INLINE Mask<U> as_mask(Comparison ones) noexcept {
  return {Batch<U>((typename Batch<U>::register_type)(ones))};
}
#else
template <class U>
CASTFORGE_INLINE auto as_signed(Batch<U> a) noexcept {
  return xsimd::bitwise_cast<std::make_signed_t<U>>(a.v);
}
template <class U, class Comparison>
CASTFORGE_INLINE Mask<U> as_mask(Comparison m) noexcept {
  return {xsimd::batch_bool_cast<U>(m)};
}
#endif
}  // namespace detail

template <class U>
CASTFORGE_INLINE Batch<U> merge(Batch<U> mask, Batch<U> a, Batch<U> b) noexcept {
#if CASTFORGE_X86 >= 3
  return _mm512_ternarylogic_epi32(mask, a, b, 0xCA);  // truth table of "mask ? a : b"
#else
  return (mask & a) | (~mask & b);
#endif
}


template <class U>
CASTFORGE_INLINE Batch<U> select(Mask<U> mask, Batch<U> a, Batch<U> b) noexcept {
#if CASTFORGE_NEON
  return b ^ ((a ^ b) & mask.m);
#else
  return xsimd::select(mask.m, a.v, b.v);
#endif
}

template <class U>
CASTFORGE_INLINE Mask<U> eq(Batch<U> a, Batch<U> b) noexcept {
  return detail::as_mask<U>(a.operand() == b.operand());
}

template <class U>
CASTFORGE_INLINE Mask<U> ne(Batch<U> a, Batch<U> b) noexcept {
  return detail::as_mask<U>(a.operand() != b.operand());
}

template <class U>
CASTFORGE_INLINE Mask<U> gt(Batch<U> a, Batch<U> b) noexcept {
  return detail::as_mask<U>(detail::as_signed(a) > detail::as_signed(b));
}

template <class U>
CASTFORGE_INLINE Mask<U> gt_unsigned(Batch<U> a, Batch<U> b) noexcept {
#if CASTFORGE_X86 >= 3 || CASTFORGE_NEON
  return detail::as_mask<U>(a.operand() > b.operand());
#else
  constexpr U top = static_cast<U>(U{1} << (Batch<U>::kBits - 1));
  return gt(a ^ Batch<U>(top), b ^ Batch<U>(top));
#endif
}

template <class U>
CASTFORGE_INLINE Mask<U> mask_and(Mask<U> a, Mask<U> b) noexcept {
  return {a.m & b.m};
}
template <class U>
CASTFORGE_INLINE Mask<U> mask_or(Mask<U> a, Mask<U> b) noexcept {
  return {a.m | b.m};
}
template <class U>
CASTFORGE_INLINE Mask<U> mask_not(Mask<U> a) noexcept {
  return {~a.m};
}

template <class U>
CASTFORGE_INLINE Batch<U> ones_where(Mask<U> mask) noexcept {
#if CASTFORGE_X86 >= 3
  if constexpr (sizeof(U) == 1) return _mm512_movm_epi8(mask.m.data);
  else if constexpr (sizeof(U) == 2) return _mm512_movm_epi16(mask.m.data);
  else if constexpr (sizeof(U) == 4) return _mm512_movm_epi32(mask.m.data);
  else return _mm512_movm_epi64(mask.m.data);
#elif CASTFORGE_NEON
  return mask.m;
#else
  return typename Batch<U>::register_type(mask.m.data);
#endif
}

template <class U>
CASTFORGE_INLINE Batch<U> zero_unless(Mask<U> mask, Batch<U> v) noexcept {
#if CASTFORGE_X86 >= 3
  return select(mask, v, Batch<U>(U{0}));
#else
  return ones_where<U>(mask) & v;
#endif
}

template <class U>
CASTFORGE_INLINE Batch<U> min(Batch<U> a, Batch<U> b) noexcept {
#if CASTFORGE_NEON
  return select(gt_unsigned(a, b), b, a);
#else
#if CASTFORGE_X86 < 3
  if constexpr (sizeof(U) == 8) return select(gt_unsigned(a, b), b, a);
  else
#endif
    return xsimd::min(a.v, b.v);
#endif
}

template <class U>
CASTFORGE_INLINE Batch<U> max(Batch<U> a, Batch<U> b) noexcept {
#if CASTFORGE_NEON
  return select(gt_unsigned(a, b), a, b);
#else
#if CASTFORGE_X86 < 3
  if constexpr (sizeof(U) == 8) return select(gt_unsigned(a, b), a, b);
  else
#endif
    return xsimd::max(a.v, b.v);
#endif
}

template <class U>
CASTFORGE_INLINE Batch<U> min_signed(Batch<U> a, Batch<U> b) noexcept {
#if CASTFORGE_NEON
  return select(gt(a, b), b, a);
#else
#if CASTFORGE_X86 < 3
  if constexpr (sizeof(U) == 8) return select(gt(a, b), b, a);
  else
#endif
    return xsimd::bitwise_cast<U>(xsimd::min(detail::as_signed(a), detail::as_signed(b)));
#endif
}

template <class U>
CASTFORGE_INLINE Batch<U> max_signed(Batch<U> a, Batch<U> b) noexcept {
#if CASTFORGE_NEON
  return select(gt(a, b), a, b);
#else
#if CASTFORGE_X86 < 3
  if constexpr (sizeof(U) == 8) return select(gt(a, b), a, b);
  else
#endif
    return xsimd::bitwise_cast<U>(xsimd::max(detail::as_signed(a), detail::as_signed(b)));
#endif
}

template <class U>
CASTFORGE_INLINE Batch<U> clamp(Batch<U> v, Batch<U> low, Batch<U> high) noexcept {
  return min(max(v, low), high);
}

template <std::array<std::uint8_t, 16> kTable>
CASTFORGE_INLINE Batch<std::uint8_t> lookup16(Batch<std::uint8_t> v) noexcept {
#if CASTFORGE_X86
  const __m128i table = _mm_setr_epi8(
      static_cast<char>(kTable[0]), static_cast<char>(kTable[1]), static_cast<char>(kTable[2]),
      static_cast<char>(kTable[3]), static_cast<char>(kTable[4]), static_cast<char>(kTable[5]),
      static_cast<char>(kTable[6]), static_cast<char>(kTable[7]), static_cast<char>(kTable[8]),
      static_cast<char>(kTable[9]), static_cast<char>(kTable[10]), static_cast<char>(kTable[11]),
      static_cast<char>(kTable[12]), static_cast<char>(kTable[13]), static_cast<char>(kTable[14]),
      static_cast<char>(kTable[15]));
#if CASTFORGE_X86 >= 3
  return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), v);
#elif CASTFORGE_X86 == 2
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), v);
#else
  return _mm_shuffle_epi8(table, v);
#endif
#else
  constexpr auto half = [](std::size_t first) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < 8; ++i) bytes |= std::uint64_t{kTable[first + i]} << (8 * i);
    return bytes;
  };
  const uint8x16_t table = vcombine_u8(vcreate_u8(half(0)), vcreate_u8(half(8)));
  return vqtbl1q_u8(table, v & Batch<std::uint8_t>(0x8F));
#endif
}

namespace detail {
#if CASTFORGE_X86 == 1 || CASTFORGE_X86 == 2
// 2^n modulo 2^16 in each 16-bit lane, 0 for n >= 16: the two bytes of the power are two table lookups with one index,
// whose bit 3 is flipped for the upper byte; saturation drives counts above 15 to an index that gives 0.
CASTFORGE_INLINE Batch<std::uint16_t> power_of_two_16(Batch<std::uint16_t> n) noexcept {
  constexpr std::array<std::uint8_t, 16> kPowers = {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
  const Batch<std::uint16_t> count = min(n, Batch<std::uint16_t>(16));
  const Batch<std::uint16_t> both = (count | (count << 8)) ^ Batch<std::uint16_t>(0x0800);
  // 0x10 ^ 0x08 = 0x18 for a count of 16; both 0x10 and 0x18 reach 0x80 after adding 0x70.
  const Batch<std::uint8_t> index(CASTFORGE_MM(add_epi8)(both, CASTFORGE_MM(set1_epi8)(0x70)));
  return typename Batch<std::uint16_t>::register_type(lookup16<kPowers>(index));
}
#endif
}  // namespace detail

template <class U>
CASTFORGE_INLINE Batch<U> shl(Batch<U> v, Batch<U> n) noexcept {
  static_assert(sizeof(U) >= 2, "8-bit lanes have no variable shift: plan with 16-bit lanes");
#if CASTFORGE_X86 >= 2
  if constexpr (sizeof(U) == 8) return CASTFORGE_MM(sllv_epi64)(v, n);
  else if constexpr (sizeof(U) == 4) return CASTFORGE_MM(sllv_epi32)(v, n);
#if CASTFORGE_X86 >= 3
  else return _mm512_sllv_epi16(v, n);
#else
  else return _mm256_mullo_epi16(v, detail::power_of_two_16(n));
#endif
#elif CASTFORGE_X86 == 1
  if constexpr (sizeof(U) == 8) {
    const __m128i low = _mm_sll_epi64(v, n);
    const __m128i high = _mm_sll_epi64(v, _mm_unpackhi_epi64(n, n));
    return _mm_blend_epi16(low, high, 0xF0);
  } else if constexpr (sizeof(U) == 4) {
    // The count of psll is the low 64 bits of its operand: bring each lane's count there, zero-extended.
    const __m128i odd_counts = _mm_srli_epi64(n, 32);
    const __m128i even_counts = _mm_blend_epi16(n, _mm_setzero_si128(), 0xCC);
    const __m128i s0 = _mm_sll_epi32(v, even_counts);
    const __m128i s1 = _mm_sll_epi32(v, odd_counts);
    const __m128i s2 = _mm_sll_epi32(v, _mm_unpackhi_epi64(even_counts, even_counts));
    const __m128i s3 = _mm_sll_epi32(v, _mm_unpackhi_epi64(odd_counts, odd_counts));
    return _mm_blend_epi16(_mm_blend_epi16(s0, s1, 0x0C), _mm_blend_epi16(s2, s3, 0xC0), 0xF0);
  } else {
    return _mm_mullo_epi16(v, detail::power_of_two_16(n));
  }
#else
  if constexpr (sizeof(U) == 8) {
    return vshlq_u64(v, vreinterpretq_s64_u64(min(n, Batch<U>(64))));
  } else if constexpr (sizeof(U) == 4) {
    return vshlq_u32(v, vreinterpretq_s32_u32(vminq_u32(n, vdupq_n_u32(32))));
  } else {
    return vshlq_u16(v, vreinterpretq_s16_u16(vminq_u16(n, vdupq_n_u16(16))));
  }
#endif
}

template <class U>
CASTFORGE_INLINE Batch<U> shr(Batch<U> v, Batch<U> n) noexcept {
  static_assert(sizeof(U) >= 2, "8-bit lanes have no variable shift: plan with 16-bit lanes");
#if CASTFORGE_X86 >= 2
  if constexpr (sizeof(U) == 8) return CASTFORGE_MM(srlv_epi64)(v, n);
  else if constexpr (sizeof(U) == 4) return CASTFORGE_MM(srlv_epi32)(v, n);
#if CASTFORGE_X86 >= 3
  else return _mm512_srlv_epi16(v, n);
#else
  else {
    const __m256i odd = _mm256_srlv_epi32(v, _mm256_srli_epi32(n, 16));
    const __m256i low = _mm256_set1_epi32(0xFFFF);
    const __m256i even = _mm256_srlv_epi32(_mm256_and_si256(v, low), _mm256_and_si256(n, low));
    return _mm256_blend_epi16(even, odd, 0xAA);
  }
#endif
#elif CASTFORGE_X86 == 1
  if constexpr (sizeof(U) == 8) {
    const __m128i low = _mm_srl_epi64(v, n);
    const __m128i high = _mm_srl_epi64(v, _mm_unpackhi_epi64(n, n));
    return _mm_blend_epi16(low, high, 0xF0);
  } else if constexpr (sizeof(U) == 4) {
    const __m128i odd_counts = _mm_srli_epi64(n, 32);
    const __m128i even_counts = _mm_blend_epi16(n, _mm_setzero_si128(), 0xCC);
    const __m128i s0 = _mm_srl_epi32(v, even_counts);
    const __m128i s1 = _mm_srl_epi32(v, odd_counts);
    const __m128i s2 = _mm_srl_epi32(v, _mm_unpackhi_epi64(even_counts, even_counts));
    const __m128i s3 = _mm_srl_epi32(v, _mm_unpackhi_epi64(odd_counts, odd_counts));
    return _mm_blend_epi16(_mm_blend_epi16(s0, s1, 0x0C), _mm_blend_epi16(s2, s3, 0xC0), 0xF0);
  } else {
    // v >> n is the upper half of v * 2^(16 - n); a count of 0 would need 2^16 and is handled by the select.
    const Batch<U> rest = Batch<U>(16) - min(n, Batch<U>(16));
    const Batch<U> shifted(_mm_mulhi_epu16(v, detail::power_of_two_16(rest)));
    return select(eq(n, Batch<U>(0)), v, shifted);
  }
#else
  if constexpr (sizeof(U) == 8) {
    return vshlq_u64(v, vnegq_s64(vreinterpretq_s64_u64(min(n, Batch<U>(64)))));
  } else if constexpr (sizeof(U) == 4) {
    return vshlq_u32(v, vnegq_s32(vreinterpretq_s32_u32(vminq_u32(n, vdupq_n_u32(32)))));
  } else {
    return vshlq_u16(v, vnegq_s16(vreinterpretq_s16_u16(vminq_u16(n, vdupq_n_u16(16)))));
  }
#endif
}

template <int N, class U>
CASTFORGE_INLINE Batch<U> sar(Batch<U> v) noexcept {
  static_assert(N >= 0 && N < Batch<U>::kBits);
#if CASTFORGE_X86
  if constexpr (sizeof(U) == 2) return CASTFORGE_MM(srai_epi16)(v, N);
  else if constexpr (sizeof(U) == 4) return CASTFORGE_MM(srai_epi32)(v, N);
#if CASTFORGE_X86 >= 3
  else if constexpr (sizeof(U) == 8) return _mm512_srai_epi64(v, N);
#endif
  else {
    const Batch<U> sign(static_cast<U>(U{1} << (Batch<U>::kBits - 1 - N)));
    return ((v >> N) ^ sign) - sign;
  }
#else
  return Batch<U>((typename Batch<U>::register_type)(detail::as_signed(v) >> N));
#endif
}

template <class U>
CASTFORGE_INLINE Batch<U> neg(Batch<U> v) noexcept {
  return Batch<U>(U{0}) - v;
}

template <class U>
CASTFORGE_INLINE Batch<U> mul_low(Batch<U> a, Batch<U> b) noexcept {
  static_assert(sizeof(U) == 2 || sizeof(U) == 4);
#if CASTFORGE_X86
  if constexpr (sizeof(U) == 2) return CASTFORGE_MM(mullo_epi16)(a, b);
  else return CASTFORGE_MM(mullo_epi32)(a, b);
#else
  return a.operand() * b.operand();
#endif
}

}  // namespace lane
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_VECTOR

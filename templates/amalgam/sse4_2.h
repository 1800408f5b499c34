// SSE4.2.
//@ base x86
//@ bytes 16
//@ target sse4.2,popcnt
//@ runs CASTFORGE_HAS(1, c, 0x00980201)
//@ word V __m128i
//@ word H __m128i
//@ word FLT __m128
//@ word DBL __m128d
//@ word _ _mm_
//@ word SI si128
//@ word X x
//@ word B2 8
//@ word B4 4
//@ word B8 2
//@ word M8 __m128i
//@ word M16 __m128i
//@ word M32 __m128i
//@ word M64 __m128i

// Of 16 registers these constants would take too many: they stay in memory.
@FN @V $all8(uint8_t n) { return _mm_set1_epi8((char)n); }
@FN @V $all64(uint64_t n) { return _mm_set1_epi64x((long long)n); }
// GCC would load the vector a second time instead of keeping it.
@FN @V $load(const unsigned char *p) { @V v = _mm_loadu_si128((const __m128i *)p); CASTFORGE_OPAQUE(v); return v; }
@FN @V $load_half(const unsigned char *p) { return _mm_loadl_epi64((const __m128i *)p); }
@FN void $store_half(unsigned char *p, @V v) { _mm_storel_epi64((__m128i *)p, v); }
@FN void $store_first_half(unsigned char *p, @V v) { _mm_storel_epi64((__m128i *)p, v); }
@FN void $store_quarter(unsigned char *p, @V v) { const int w = _mm_cvtsi128_si32(v); memcpy(p, &w, 4); }
@FN @V $low_half(@V v) { return v; }
@FN @V $high_half_of(@V v) { return _mm_unpackhi_epi64(v, v); }
@FN @V $both(@V a, @V b) { return _mm_unpacklo_epi64(a, b); }
@FN @V $four_dwords(int a, int b, int c, int d) { return _mm_setr_epi32(a, b, c, d); }
@FN @V $table16(const uint8_t *p) { return _mm_load_si128((const __m128i *)p); }
@FN @FLT $equal_floats(@FLT a, @FLT b) { return _mm_cmpeq_ps(a, b); }
@FN @FLT $nearest_ps(@FLT a) { return _mm_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
@FN @DBL $toward_zero_pd(@DBL a) { return _mm_round_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
#define $interleavable(v) (v)
#define $packed_in_order(v) (v)

// Shifts by a count for each lane: one instruction for each, whose count is the low 64 bits of its operand.
@FN @V $shl64(@V a, @V n) {
  return _mm_blend_epi16(_mm_sll_epi64(a, n), _mm_sll_epi64(a, _mm_unpackhi_epi64(n, n)), 0xF0);
}
@FN @V $shr64(@V a, @V n) {
  return _mm_blend_epi16(_mm_srl_epi64(a, n), _mm_srl_epi64(a, _mm_unpackhi_epi64(n, n)), 0xF0);
}
@FN @V $shl32(@V a, @V n) {
  const @V odd = _mm_srli_epi64(n, 32), even = _mm_and_si128(n, $all64(0xFFFFFFFF));
  const @V low = _mm_blend_epi16(_mm_sll_epi32(a, even), _mm_sll_epi32(a, odd), 0x0C);
  const @V high = _mm_blend_epi16(_mm_sll_epi32(a, _mm_unpackhi_epi64(even, even)),
                                  _mm_sll_epi32(a, _mm_unpackhi_epi64(odd, odd)), 0xC0);
  return _mm_blend_epi16(low, high, 0xF0);
}
@FN @V $shr32(@V a, @V n) {
  const @V odd = _mm_srli_epi64(n, 32), even = _mm_and_si128(n, $all64(0xFFFFFFFF));
  const @V low = _mm_blend_epi16(_mm_srl_epi32(a, even), _mm_srl_epi32(a, odd), 0x0C);
  const @V high = _mm_blend_epi16(_mm_srl_epi32(a, _mm_unpackhi_epi64(even, even)),
                                  _mm_srl_epi32(a, _mm_unpackhi_epi64(odd, odd)), 0xC0);
  return _mm_blend_epi16(low, high, 0xF0);
}
// 2^n modulo 2^16, 0 from 16 on: two lookups by one index, whose bit 3 is flipped for the upper byte.
@FN @V $power_of_two(@V n) {
  const @V powers = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const @V count = _mm_min_epu16(n, $all16(16));
  const @V both = _mm_xor_si128(_mm_or_si128(count, _mm_slli_epi16(count, 8)), $all16(0x0800));
  return _mm_shuffle_epi8(powers, _mm_add_epi8(both, $all8(0x70)));
}
@FN @V $shl16(@V a, @V n) { return _mm_mullo_epi16(a, $power_of_two(n)); }
// a >> n is the upper half of a * 2^(16 - n); a count of 0 would need 2^16.
@FN @V $shr16(@V a, @V n) {
  const @V most = $all16(16);
  const @V shifted = _mm_mulhi_epu16(a, $power_of_two(_mm_sub_epi16(most, _mm_min_epu16(n, most))));
  return _mm_blendv_epi8(shifted, a, _mm_cmpeq_epi16(n, _mm_setzero_si128()));
}

// Eight lanes of each byte get that byte, of which all but the lane's own bit are masked out; the first is the top one.
@FN @V $unpack1_high(const unsigned char *p) {
  const @V spread = _mm_shuffle_epi8($load2(p), _mm_set_epi64x(0x0101010101010101, 0));
  return _mm_min_epu8(_mm_and_si128(spread, $all64(0x0102040810204080)), $all8(1));
}
@FN void $pack1_high(unsigned char *p, @V v) {
  const @V backwards = _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607);
  const uint16_t bits = (uint16_t)_mm_movemask_epi8(_mm_slli_epi16(_mm_shuffle_epi8(v, backwards), 7));
  memcpy(p, &bits, sizeof bits);
}
// Four elements of 6 bits are three bytes: each 16-bit lane gets two of them, moved to its top by a product.
@FN @V $unpack6(const unsigned char *p) {
  uint64_t first;
  uint32_t last;
  memcpy(&first, p, 8);
  memcpy(&last, p + 8, 4);
  const @V bytes = _mm_set_epi64x((long long)last, (long long)first);
  const @V places = _mm_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11);
  const @V windows = _mm_shuffle_epi8(bytes, places);
  const @V pairs = _mm_mullo_epi16(windows, _mm_setr_epi16(16, 1, 16, 1, 16, 1, 16, 1));
  return _mm_or_si128(_mm_and_si128(_mm_srli_epi16(pairs, 4), $all16(0x003F)),
                      _mm_and_si128(_mm_srli_epi16(pairs, 2), $all16(0x3F00)));
}
@FN void $pack6(unsigned char *p, @V v) {
  const @V pairs = _mm_maddubs_epi16(v, $all16(0x4001)), fours = _mm_madd_epi16(pairs, $all32(0x10000001));
  const @V places = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  const @V bytes = _mm_shuffle_epi8(fours, places);
  const int last = _mm_extract_epi32(bytes, 2);
  _mm_storel_epi64((__m128i *)p, bytes);
  memcpy(p + 8, &last, 4);
}

@FN @V $float64_of_float32(@V v) { return $bits64(_mm_cvtps_pd(_mm_castsi128_ps(v))); }
@FN @V $float64_of_int32(@V v) { return $bits64(_mm_cvtepi32_pd(v)); }
@FN @V $float32_of_float64_half(@V v) { return $bits32(_mm_cvtpd_ps($f64(v))); }
// There are no conversions of float16: the exponent and 112 (127 - 15), twice from that of infinity on; subnormals are
// multiples of 2^-24.
@FN @V $float32_of_float16(@V v) {
  const @V half = _mm_cvtepu16_epi32(v), rebias = $all32(0x38000000);
  const @V magnitude = _mm_and_si128(half, $all32(0x7FFF));
  const @V sign = _mm_and_si128(_mm_slli_epi32(half, 16), $all32(0x80000000));
  const @V huge = _mm_and_si128(_mm_cmpgt_epi32(magnitude, $all32(0x7BFF)), rebias);
  const @V quiet = _mm_and_si128(_mm_cmpgt_epi32(magnitude, $all32(0x7C00)), $all32(0x00400000));
  const @V normal = _mm_or_si128(_mm_add_epi32(_mm_add_epi32(_mm_slli_epi32(magnitude, 13), rebias), huge), quiet);
  const @V subnormal = $bits32(_mm_mul_ps(_mm_cvtepi32_ps(magnitude), $f32($all32(0x33800000))));
  return _mm_or_si128(_mm_blendv_epi8(subnormal, normal, _mm_cmpgt_epi32(magnitude, $all32(0x3FF))), sign);
}

// AVX2 with FMA and F16C. Packs and interleaving work within 128 bits, so elements get out of order: in order R, each
// half of a vector holds R groups of 16 / R bytes, of which group j comes from the same half of vector j of R.
//@ base x86
//@ bytes 32
//@ target avx2,fma,f16c
//@ runs CASTFORGE_HAS(1, c, 0x38981201) && CASTFORGE_HAS(7, b, 0x20) && CASTFORGE_SAVES(0x06)
//@ order interleave 2
//@ order 16_8 2
//@ order 32_8 4
//@ order 64_8 8
//@ order 32_16 2
//@ order 64_16 4
//@ order 64_32 2
//@ word V __m256i
//@ word H __m128i
//@ word FLT __m256
//@ word DBL __m256d
//@ word _ _mm256_
//@ word SI si256
//@ word X x
//@ word B2 16
//@ word B4 8
//@ word B8 4
//@ word M8 __m256i
//@ word M16 __m256i
//@ word M32 __m256i
//@ word M64 __m256i

@FN @H $load_half(const unsigned char *p) { return _mm_loadu_si128((const __m128i *)p); }
@FN void $store_half(unsigned char *p, @H v) { _mm_storeu_si128((__m128i *)p, v); }
@FN void $store_first_half(unsigned char *p, @V v) { $store_half(p, _mm256_castsi256_si128(v)); }
@FN void $store_quarter(unsigned char *p, @V v) { _mm_storel_epi64((__m128i *)p, _mm256_castsi256_si128(v)); }
@FN @H $low_half(@V v) { return _mm256_castsi256_si128(v); }
@FN @H $high_half_of(@V v) { return _mm256_extracti128_si256(v, 1); }
@FN @V $both(@H a, @H b) { return _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1); }
@FN @V $twice(@H half) { @V v = _mm256_broadcastsi128_si256(half); CASTFORGE_OPAQUE(v); return v; }
@FN @V $four_dwords(int a, int b, int c, int d) { return $twice(_mm_setr_epi32(a, b, c, d)); }
@FN @V $table16(const uint8_t *p) { return $twice(_mm_load_si128((const __m128i *)p)); }
@FN @FLT $equal_floats(@FLT a, @FLT b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
@FN @FLT $nearest_ps(@FLT a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
@FN @DBL $toward_zero_pd(@DBL a) { return _mm256_round_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }

#define $natural2(v) _mm256_permute4x64_epi64(v, 0xD8)
#define $ordered2(v) _mm256_permute4x64_epi64(v, 0xD8)
@FN @V $natural4(@V v) { return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)); }
@FN @V $ordered4(@V v) { return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7)); }
@FN @V $natural8(@V v) {
  const @V words = $twice(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(v, 0xD8), words);
}
@FN @V $ordered8(@V v) {
  const @V words = $twice(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
  return _mm256_permute4x64_epi64(_mm256_shuffle_epi8(v, words), 0xD8);
}
#define $interleavable(v) $ordered2(v)
#define $packed_in_order(v) $natural2(v)

@FN @V $shl32(@V a, @V n) { return _mm256_sllv_epi32(a, n); }
@FN @V $shr32(@V a, @V n) { return _mm256_srlv_epi32(a, n); }
@FN @V $shl64(@V a, @V n) { return _mm256_sllv_epi64(a, n); }
@FN @V $shr64(@V a, @V n) { return _mm256_srlv_epi64(a, n); }
// 2^n modulo 2^16, 0 from 16 on: two lookups by one index, whose bit 3 is flipped for the upper byte.
@FN @V $power_of_two(@V n) {
  const @V powers = $twice(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
  const @V count = _mm256_min_epu16(n, $all16(16));
  const @V both = _mm256_xor_si256(_mm256_or_si256(count, _mm256_slli_epi16(count, 8)), $all16(0x0800));
  return _mm256_shuffle_epi8(powers, _mm256_add_epi8(both, $all8(0x70)));
}
@FN @V $shl16(@V a, @V n) { return _mm256_mullo_epi16(a, $power_of_two(n)); }
@FN @V $shr16(@V a, @V n) {
  const @V low = $all32(0xFFFF);
  const @V odd = _mm256_srlv_epi32(a, _mm256_srli_epi32(n, 16));
  return _mm256_blend_epi16(_mm256_srlv_epi32(_mm256_and_si256(a, low), _mm256_and_si256(n, low)), odd, 0xAA);
}

// Eight lanes of each byte get that byte, of which all but the lane's own bit are masked out; the first is the top one.
@FN @V $unpack1_high(const unsigned char *p) {
  const @V home = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  uint32_t bytes;
  memcpy(&bytes, p, sizeof bytes);
  const @V spread = _mm256_shuffle_epi8($all32(bytes), home);
  return _mm256_min_epu8(_mm256_and_si256(spread, $all64(0x0102040810204080)), $all8(1));
}
@FN void $pack1_high(unsigned char *p, @V v) {
  const @V backwards = $twice(_mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607));
  const int bits = _mm256_movemask_epi8(_mm256_slli_epi16(_mm256_shuffle_epi8(v, backwards), 7));
  memcpy(p, &bits, sizeof bits);
}
// Four elements of 6 bits are three bytes: each 16-bit lane gets two of them, moved to its top by a product. The second
// half of the vector ends where its 24 bytes end.
@FN @V $unpack6(const unsigned char *p) {
  const @V bytes = $both($load16(p), $load16(p + 8));
  const @V places = $both(_mm_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11),
                          _mm_setr_epi8(4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11, 12, 13, 14, 14, 15));
  const @V pairs = _mm256_mullo_epi16(_mm256_shuffle_epi8(bytes, places), $all32(0x00010010));
  return _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(pairs, 4), $all16(0x003F)),
                         _mm256_and_si256(_mm256_srli_epi16(pairs, 2), $all16(0x3F00)));
}
@FN void $pack6(unsigned char *p, @V v) {
  const @V pairs = _mm256_maddubs_epi16(v, $all16(0x4001)), fours = _mm256_madd_epi16(pairs, $all32(0x10000001));
  const @V bytes =
      _mm256_shuffle_epi8(fours, $twice(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)));
  const @V packed = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
  _mm_storeu_si128((__m128i *)p, $low_half(packed));
  _mm_storel_epi64((__m128i *)(p + 16), $high_half_of(packed));
}

@FN @V $fused_multiply_add32(@V a, @V b, @V c) { return $bits32(_mm256_fmadd_ps($f32(a), $f32(b), $f32(c))); }
@FN @V $float32_of_float16(@H v) { return $bits32(_mm256_cvtph_ps(v)); }
// Lest the compiler let the conversion store: to memory it takes twice as long on some processors.
@FN @H $float16_of_float32_half(@V v) {
  @H halves = _mm256_cvtps_ph($f32(v), _MM_FROUND_TO_NEAREST_INT);
  CASTFORGE_OPAQUE(halves);
  return halves;
}
@FN @H $float16_of_float32_rtz_half(@V v) {
  @H halves = _mm256_cvtps_ph($f32(v), _MM_FROUND_TO_ZERO);
  CASTFORGE_OPAQUE(halves);
  return halves;
}
@FN @H $float16_of_float32_rtn_half(@V v) {
  @H halves = _mm256_cvtps_ph($f32(v), _MM_FROUND_TO_NEG_INF);
  CASTFORGE_OPAQUE(halves);
  return halves;
}
@FN @H $float16_of_float32_rtp_half(@V v) {
  @H halves = _mm256_cvtps_ph($f32(v), _MM_FROUND_TO_POS_INF);
  CASTFORGE_OPAQUE(halves);
  return halves;
}
@FN @V $float64_of_float32(@H v) { return $bits64(_mm256_cvtps_pd(_mm_castsi128_ps(v))); }
@FN @V $float64_of_int32(@H v) { return $bits64(_mm256_cvtepi32_pd(v)); }
@FN @H $float32_of_float64_half(@V v) { return _mm_castps_si128(_mm256_cvtpd_ps($f64(v))); }

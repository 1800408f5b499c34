// AVX-512 F, BW, DQ, VL. Packs and interleaving work within 128 bits, so elements get out of order: in order R, each
// quarter of a vector holds R groups of 16 / R bytes, of which group j comes from the same quarter of vector j of R.
// Conversions and arithmetic say how they round and raise no exceptions.
//@ base x86
//@ bytes 64
//@ target avx512f,avx512cd,avx512bw,avx512dq,avx512vl,f16c
//@ runs CASTFORGE_HAS(1, c, 0x38980201) && CASTFORGE_HAS(7, b, 0xD0030020) && CASTFORGE_SAVES(0xE6)
//@ embeds_rounding 1
//@ order interleave 2
//@ order 16_8 2
//@ order 32_8 4
//@ order 64_8 4
//@ word V __m512i
//@ word H __m256i
//@ word FLT __m512
//@ word DBL __m512d
//@ word _ _mm512_
//@ word SI si512
//@ word X
//@ word B2 32
//@ word B4 16
//@ word B8 8
//@ word M8 __mmask64
//@ word M16 __mmask32
//@ word M32 __mmask16
//@ word M64 __mmask8
//@ word NEAREST _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC
//@ word DOWN _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC
//@ word UP _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC
//@ word TOWARD_ZERO _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC

// GCC would load the vector for each instruction that uses it.
@FN @V $load(const unsigned char *p) { @V v = _mm512_loadu_si512(p); CASTFORGE_OPAQUE(v); return v; }
@FN void $store(unsigned char *p, @V v) { _mm512_storeu_si512(p, v); }
@FN @H $load32(const unsigned char *p) { return _mm256_loadu_si256((const __m256i *)p); }
@FN @H $load_half(const unsigned char *p) { return _mm256_loadu_si256((const __m256i *)p); }
@FN void $store_half(unsigned char *p, @H v) { _mm256_storeu_si256((__m256i *)p, v); }
@FN void $store_first_half(unsigned char *p, @V v) { $store_half(p, _mm512_castsi512_si256(v)); }
@FN void $store_quarter(unsigned char *p, @V v) { _mm_storeu_si128((__m128i *)p, _mm512_castsi512_si128(v)); }
@FN @H $low_half(@V v) { return _mm512_castsi512_si256(v); }
@FN @H $high_half_of(@V v) { return _mm512_extracti64x4_epi64(v, 1); }
@FN @V $both(@H a, @H b) { return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1); }
@FN @V $four_dwords(int a, int b, int c, int d) {
  @V v = _mm512_broadcast_i32x4(_mm_setr_epi32(a, b, c, d));
  CASTFORGE_OPAQUE(v);
  return v;
}
@FN @V $table16(const uint8_t *p) { return _mm512_broadcast_i32x4(_mm_load_si128((const __m128i *)p)); }

@FN @V $natural2(@V v) { return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), v); }
@FN @V $ordered2(@V v) { return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), v); }
@FN @V $natural4(@V v) {
  return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), v);
}
#define $ordered4(v) $natural4(v)
static const uint16_t $words_natural8[32] CASTFORGE_ALIGNED = {
    0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27,
    4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31};
static const uint16_t $words_ordered8[32] CASTFORGE_ALIGNED = {
    0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29,
    2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31};
@FN @V $natural8(@V v) { return _mm512_permutexvar_epi16(_mm512_load_si512($words_natural8), v); }
@FN @V $ordered8(@V v) { return _mm512_permutexvar_epi16(_mm512_load_si512($words_ordered8), v); }
#define $interleavable(v) $ordered2(v)
#define $packed_in_order(v) $natural2(v)

#define $sar_imm64(a, n) _mm512_srai_epi64(a, n)
// The number is the truth table, of three bits in this order.
#define $ternary(a, b, c, truth) _mm512_ternarylogic_epi32(a, b, c, truth)
@FN @V $merge(@V m, @V a, @V b) { return $ternary(m, a, b, 0xCA); }
@FN @V $min64(@V a, @V b) { return _mm512_min_epu64(a, b); }
@FN @V $max64(@V a, @V b) { return _mm512_max_epu64(a, b); }
@FN @V $leading_zeros32(@V a) { return _mm512_lzcnt_epi32(a); }
@FN @V $leading_zeros64(@V a) { return _mm512_lzcnt_epi64(a); }
@FN @V $min_signed64(@V a, @V b) { return _mm512_min_epi64(a, b); }
@FN @V $max_signed64(@V a, @V b) { return _mm512_max_epi64(a, b); }
@FN @V $shl@W(@V a, @V n) { return _mm512_sllv_epi@W(a, n); }
@FN @V $shr@W(@V a, @V n) { return _mm512_srlv_epi@W(a, n); }
@FN @V $negate_where8(@V a, @V s) {
  return _mm512_mask_sub_epi8(a, _mm512_movepi8_mask(s), _mm512_setzero_si512(), a);
}
@FN @M@W $equal@W(@V a, @V b) { return _mm512_cmpeq_epi@W_mask(a, b); }
@FN @M@W $greater@W(@V a, @V b) { return _mm512_cmpgt_epi@W_mask(a, b); }
@FN @M@W $greater_unsigned@W(@V a, @V b) { return _mm512_cmpgt_epu@W_mask(a, b); }
@FN @V $greater_signed_ones@W(@V a, @V b) { return _mm512_movm_epi@W(_mm512_cmpgt_epi@W_mask(a, b)); }
@FN @M@W $mask_and@W(@M@W a, @M@W b) { return (@M@W)(a & b); }
@FN @V $select@W(@M@W m, @V a, @V b) { return _mm512_mask_blend_epi@W(m, b, a); }

// Words and dwords are gathered across the whole vector: nothing gets out of order.
static const uint16_t $even_words[32] CASTFORGE_ALIGNED = {
    0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
    32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
static const uint16_t $odd_words[32] CASTFORGE_ALIGNED = {
    1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
    33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
@FN @V $even16(@V a, @V b) { return _mm512_permutex2var_epi16(a, _mm512_load_si512($even_words), b); }
@FN @V $odd16(@V a, @V b) { return _mm512_permutex2var_epi16(a, _mm512_load_si512($odd_words), b); }
@FN @V $narrow64_32(@V a, @V b) {
  const @V even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  return _mm512_permutex2var_epi32(a, even, b);
}
@FN @V $upper64_32(@V a, @V b) {
  const @V odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  return _mm512_permutex2var_epi32(a, odd, b);
}
@FN @V $narrow32_16(@V a, @V b) { return $even16(a, b); }
@FN @V $truncate32_16(@V a, @V b) { return $even16(a, b); }
@FN @V $high_half(@V a, @V b) { return $odd16(a, b); }
// Both halves at 16 bits. The average, (dropped + 7FFF + (kept & 1)) / 2, has its top bit set where the sum carries.
@FN @V $round_high_half(@V a, @V b) {
  const @V kept = $odd16(a, b), dropped = $even16(a, b);
  const @V bias = $ternary(kept, $all16(1), $all16(0x7FFE), 0xEA);
  return _mm512_sub_epi16(kept, _mm512_srai_epi16(_mm512_avg_epu16(dropped, bias), 15));
}
@FN @V $odd_high_half(@V a, @V b) {
  return _mm512_or_si512($odd16(a, b), _mm512_min_epu16($even16(a, b), $all16(1)));
}

// Eight lanes of each byte get that byte, of which the lane's own bit is tested; the first is the top one.
@FN @V $unpack1_high(const unsigned char *p) {
  const @V home = _mm512_setr_epi64(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303, 0x0404040404040404,
                                    0x0505050505050505, 0x0606060606060606, 0x0707070707070707);
  uint64_t bytes;
  memcpy(&bytes, p, sizeof bytes);
  const @V spread = _mm512_shuffle_epi8(_mm512_set1_epi64((long long)bytes), home);
  return _mm512_maskz_set1_epi8(_mm512_test_epi8_mask(spread, $all64(0x0102040810204080)), 1);
}
@FN void $pack1_high(unsigned char *p, @V v) {
  const @V backwards = $four_dwords(0x04050607, 0x00010203, 0x0C0D0E0F, 0x08090A0B);
  const uint64_t bits = _mm512_test_epi8_mask(_mm512_shuffle_epi8(v, backwards), $all8(1));
  memcpy(p, &bits, sizeof bits);
}
// Four elements of 6 bits are three bytes: each quarter of the vector gets twelve of them, each of its 16-bit lanes two
// elements, moved to the top by a product.
@FN @V $pairs_of_6(@V windows) {
  const @V pairs = _mm512_mullo_epi16(windows, $all32(0x00010010));
  return _mm512_or_si512(_mm512_and_si512(_mm512_srli_epi16(pairs, 4), $all16(0x003F)),
                         _mm512_and_si512(_mm512_srli_epi16(pairs, 2), $all16(0x3F00)));
}
@FN @V $unpack6(const unsigned char *p) {
  const @V dealt = _mm512_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12);
  const @V bytes = _mm512_permutexvar_epi32(dealt, _mm512_maskz_loadu_epi32(0x0FFF, p));
  const @V windows = $four_dwords(0x02010100, 0x05040403, 0x08070706, 0x0B0A0A09);
  return $pairs_of_6(_mm512_shuffle_epi8(bytes, windows));
}
@FN @V $fours_of_6(@V v) {
  return _mm512_madd_epi16(_mm512_maddubs_epi16(v, $all16(0x4001)), $all32(0x10000001));
}
@FN void $pack6(unsigned char *p, @V v) {
  const @V places = $four_dwords(0x04020100, 0x09080605, 0x0E0D0C0A, -1);
  const @V bytes = _mm512_shuffle_epi8($fours_of_6(v), places);
  const @V dwords = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0);
  _mm512_mask_storeu_epi32(p, 0x0FFF, _mm512_permutexvar_epi32(dwords, bytes));
}

@FN @V $float32_of32(@V a) { return $float32_of_int3232(a); }
@FN @V $float32_of_int32(@V a) { return $float32_of_int3232(a); }
@FN @V $float32_of_int3232(@V a) { return $bits32(_mm512_cvt_roundepi32_ps(a, @NEAREST)); }
@FN @V $float32_of_int32_rtz32(@V a) { return $bits32(_mm512_cvt_roundepi32_ps(a, @TOWARD_ZERO)); }
@FN @V $float32_of_int32_rtn32(@V a) { return $bits32(_mm512_cvt_roundepi32_ps(a, @DOWN)); }
@FN @V $float32_of_int32_rtp32(@V a) { return $bits32(_mm512_cvt_roundepi32_ps(a, @UP)); }
@FN @V $float32_of_uint3232(@V a) { return $bits32(_mm512_cvt_roundepu32_ps(a, @NEAREST)); }
@FN @V $float64_of_int6464(@V a) { return $bits64(_mm512_cvt_roundepi64_pd(a, @NEAREST)); }
@FN @V $float64_of_uint6464(@V a) { return $bits64(_mm512_cvt_roundepu64_pd(a, @NEAREST)); }
@FN @V $float64_of64(@V a) { return $float64_of_uint6464(a); }
@FN @H $float32_of_int64_half(@V a) { return _mm256_castps_si256(_mm512_cvt_roundepi64_ps(a, @NEAREST)); }
@FN @H $float32_of_int64_rtz_half(@V a) { return _mm256_castps_si256(_mm512_cvt_roundepi64_ps(a, @TOWARD_ZERO)); }
@FN @H $float32_of_int64_rtn_half(@V a) { return _mm256_castps_si256(_mm512_cvt_roundepi64_ps(a, @DOWN)); }
@FN @H $float32_of_int64_rtp_half(@V a) { return _mm256_castps_si256(_mm512_cvt_roundepi64_ps(a, @UP)); }
@FN @H $float32_of_uint64_half(@V a) { return _mm256_castps_si256(_mm512_cvt_roundepu64_ps(a, @NEAREST)); }
// Of the numbers beside an inexact one, one is odd; of an exact one both are the same.
@FN @H $odd_of(__m256 below, __m256 above) {
  const @H lower = _mm256_castps_si256(below), upper = _mm256_castps_si256(above);
  return _mm256_mask_mov_epi32(upper, _mm256_test_epi32_mask(lower, _mm256_set1_epi32(1)), lower);
}
@FN @H $float32_of_int64_rto_half(@V a) {
  return $odd_of(_mm512_cvt_roundepi64_ps(a, @DOWN), _mm512_cvt_roundepi64_ps(a, @UP));
}
@FN @H $float32_of_uint64_rto_half(@V a) {
  return $odd_of(_mm512_cvt_roundepu64_ps(a, @DOWN), _mm512_cvt_roundepu64_ps(a, @UP));
}
@FN @V $float64_of_int32(@H v) { return $bits64(_mm512_cvtepi32_pd(v)); }
@FN @V $float64_of_float32(@H v) { return $bits64(_mm512_cvt_roundps_pd(_mm256_castsi256_ps(v), _MM_FROUND_NO_EXC)); }
@FN @H $float32_of_float64_half(@V v) { return _mm256_castps_si256(_mm512_cvt_roundpd_ps($f64(v), @NEAREST)); }
@FN @H $float32_of_float64_rtz_half(@V v) {
  return _mm256_castps_si256(_mm512_cvt_roundpd_ps($f64(v), @TOWARD_ZERO));
}
@FN @V $float32_of_float16(@H v) { return $bits32(_mm512_cvt_roundph_ps(v, _MM_FROUND_NO_EXC)); }
// The intrinsic takes the wish to suppress exceptions, but compilers leave it out.
@FN @H $float16_of_float32_half(@V v) {
  @H halves;
  __asm__("vcvtps2ph %2, %{sae%}, %1, %0" : "=v"(halves) : "v"(v), "i"(0));
  return halves;
}
@FN @H $float16_of_float32_rtz_half(@V v) {
  @H halves;
  __asm__("vcvtps2ph %2, %{sae%}, %1, %0" : "=v"(halves) : "v"(v), "i"(_MM_FROUND_TO_ZERO));
  return halves;
}
@FN @H $float16_of_float32_rtn_half(@V v) {
  @H halves;
  __asm__("vcvtps2ph %2, %{sae%}, %1, %0" : "=v"(halves) : "v"(v), "i"(_MM_FROUND_TO_NEG_INF));
  return halves;
}
@FN @H $float16_of_float32_rtp_half(@V v) {
  @H halves;
  __asm__("vcvtps2ph %2, %{sae%}, %1, %0" : "=v"(halves) : "v"(v), "i"(_MM_FROUND_TO_POS_INF));
  return halves;
}

// For a vector that several instructions use: otherwise the compiler loads it from memory for each of them.
@FN @V $nan_becomes32(@V a, @V nan) {
  CASTFORGE_OPAQUE(a);
  return _mm512_mask_ternarylogic_epi32(a, _mm512_fpclass_ps_mask($f32(a), 0x81), nan, $all32(0x80000000), 0xEC);
}
@FN @V $nan_becomes64(@V a, @V nan) {
  CASTFORGE_OPAQUE(a);
  const __mmask8 is_nan = _mm512_fpclass_pd_mask($f64(a), 0x81);
  return _mm512_mask_ternarylogic_epi64(a, is_nan, nan, $all64(0x8000000000000000), 0xEC);
}
@FN @V $min_nan232(@V a, @V b) { return $bits32(_mm512_min_round_ps($f32(a), $f32(b), _MM_FROUND_NO_EXC)); }
// The smaller magnitude, without a sign; a mask keeps NaN out.
@FN @V $limit_magnitude32(@V a, @V most, @V nan) {
  __mmask16 numbers;
#if defined(__clang__)  // which drops the last argument
  __asm__("vcmpordps %{sae%}, %1, %1, %0" : "=k"(numbers) : "v"(a));
#else
  numbers = _mm512_cmp_round_ps_mask($f32(a), $f32(a), _CMP_ORD_Q, _MM_FROUND_NO_EXC);
#endif
  return $bits32(_mm512_mask_range_round_ps($f32(nan), numbers, $f32(a), $f32(most), 10, _MM_FROUND_NO_EXC));
}
// Codes of one binade count its ulps: up to the ceiling of a above the grid, down to its floor below.
@FN @V $half_ulps_rto32(@V a, @V grid) {
  enum { kUp = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC };
  const @V ceiling = $bits32(_mm512_add_round_ps($f32(grid), $f32(a), kUp));
  return _mm512_sub_epi32(ceiling, $bits32(_mm512_sub_round_ps($f32(grid), $f32(a), kUp)));
}
// The larger magnitude, with the sign of the first.
@FN @V $binade32(@V a, @V least) {
  const @FLT power = $f32(_mm512_and_si512(a, $all32(0xFF800000)));
  return $bits32(_mm512_range_round_ps(power, $f32(least), 3, _MM_FROUND_NO_EXC));
}
@FN @V $multiply_add32(@V a, @V b, @V c) {
  return $bits32(_mm512_add_round_ps(_mm512_mul_round_ps($f32(a), $f32(b), @NEAREST), $f32(c), @NEAREST));
}
@FN @V $fused_multiply_add32(@V a, @V b, @V c) {
  return $bits32(_mm512_fmadd_round_ps($f32(a), $f32(b), $f32(c), @NEAREST));
}
@FN @V $int32_of_float32_rtz32(@V a) { return _mm512_cvtt_roundps_epi32($f32(a), _MM_FROUND_NO_EXC); }
@FN @V $int32_of_float32_rne32(@V a) { return _mm512_cvt_roundps_epi32($f32(a), @NEAREST); }
@FN @V $int32_of_float32_rtn32(@V a) {
  return _mm512_cvt_roundps_epi32($f32(a), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
@FN @V $int32_of_float32_rtp32(@V a) {
  return _mm512_cvt_roundps_epi32($f32(a), _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
// The largest float32 below 1/2, with the sign of a: a sum that reaches the next integer only from halfway on.
@FN @V $int32_of_float32_rna32(@V a) {
  const @V nudge = $ternary(a, $all32(0x80000000), $all32(0x3EFFFFFF), 0xEA);
  return $int32_of_float32_rtz32($bits32(_mm512_add_round_ps($f32(a), $f32(nudge), @NEAREST)));
}
// Below | 1 between two integers.
@FN @V $int32_of_float32_rto32(@V a) {
  const @V below = $int32_of_float32_rtn32(a), above = $int32_of_float32_rtp32(a);
  return _mm512_or_si512(below, _mm512_sub_epi32(above, below));
}
@FN @V $rtz64(@DBL a) { return _mm512_cvtt_roundpd_epi64(a, _MM_FROUND_NO_EXC); }
@FN @V $rne64(@DBL a) { return _mm512_cvt_roundpd_epi64(a, @NEAREST); }
@FN @V $int64_of_float64_rtz64(@V a) { return $rtz64($f64(a)); }
@FN @V $int64_of_float64_rne64(@V a) { return $rne64($f64(a)); }
// a less the nearest multiple of 2^32: exact, at most 2^31 in magnitude, which gives 80000000, as it must.
@FN @V $whole_turns32(@V a) {
  const @FLT scaled = _mm512_mul_round_ps($f32(a), $allf(2.3283064365386963e-10f), @NEAREST);
  const @FLT turns = _mm512_roundscale_ps(scaled, @NEAREST);
  return $multiply_add32($bits32(turns), $bits32($allf(-4294967296.0f)), a);
}
@FN @V $int32_of_float32_wrap_rtz32(@V a) { return $int32_of_float32_rtz32($whole_turns32(a)); }
@FN @V $int32_of_float32_wrap_rne32(@V a) { return $int32_of_float32_rne32($whole_turns32(a)); }
// a less a multiple of 2^32, toward zero: exact, below 2^32 in magnitude.
@FN @DBL $less_whole_turns(@V a) {
  const @DBL scaled = _mm512_mul_round_pd($f64(a), $alld(2.3283064365386963e-10), @NEAREST);
  const @DBL turns = _mm512_roundscale_pd(scaled, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
  return _mm512_fmadd_round_pd(turns, $alld(-4294967296.0), $f64(a), @NEAREST);
}
@FN @V $int32_of_float64_wrap_rtz(@V a, @V b) {
  return $narrow64_32($rtz64($less_whole_turns(a)), $rtz64($less_whole_turns(b)));
}
@FN @V $int32_of_float64_wrap_rne(@V a, @V b) {
  return $narrow64_32($rne64($less_whole_turns(a)), $rne64($less_whole_turns(b)));
}
// a less the nearest multiple of 2^64, to which the addition of a number whose last bit is that rounds it. Exact, at
// most 2^63 in magnitude where a is below 2^115; beyond, the rest is a multiple of 2^63 or no number. What is
// multiplied, by 1, is never subnormal, as a may be; processors add and multiply in different places.
@FN @DBL $less_long_turns(@DBL a, @DBL large) {
  const @DBL sum = _mm512_add_round_pd(a, large, @NEAREST);
  return _mm512_sub_round_pd(a, _mm512_fmsub_round_pd(sum, $alld(1.0), large, @NEAREST), @NEAREST);
}
@FN @V $modulo_32(@V a) { return $rtz64($less_long_turns($f64(a), $alld(1.2461512300880896e+35))); }
@FN @V $truncate_float64_to_int32(@V a, @V b) { return $narrow64_32($modulo_32(a), $modulo_32(b)); }
// The addend has the sign of a, lest the sum lose a binade: up to 2^116, from where on numbers are multiples of 2^64.
@FN @V $truncate_float64_to_int6464(@V a) {
  const @V limit = $all64(0x4730000000000000);
  const @DBL large = $f64($ternary($all64(0x8000000000000000), a, limit, 0xCA));
  const __mmask8 below = _mm512_cmplt_epi64_mask(_mm512_and_si512(a, $all64(0x7FFFFFFFFFFFFFFF)), limit);
  return _mm512_maskz_cvtt_roundpd_epi64(below, $less_long_turns($f64(a), large), _MM_FROUND_NO_EXC);
}
// Multiples of 2^40 from 2^63 on: divided by that in their exponent and multiplied again. The quotient is an integer,
// or at least 2^63, as those of multiples of 2^64, of NaN and of infinities are: 2^63 then, of which no bit is left.
@FN @V $truncate_float32_to_int64(@H v) {
  const __m256i magnitude = _mm256_and_si256(v, _mm256_set1_epi32(0x7FFFFFFF));
  const __mmask8 large = _mm256_cmpge_epi32_mask(magnitude, _mm256_set1_epi32((127 + 63) << 23));
  const __m256i divided = _mm256_mask_sub_epi32(v, large, v, _mm256_set1_epi32(40 << 23));
  const @V truncated = _mm512_cvtt_roundps_epi64(_mm256_castsi256_ps(divided), _MM_FROUND_NO_EXC);
  return _mm512_mask_slli_epi64(truncated, large, truncated, 40);
}
// Beyond 2^63, where the conversion gives 2^63, as for NaN and infinities, numbers are multiples of 2^40.
@FN @V $truncate_float32_to_int3232(@V a) {
  const @V low = _mm512_cvtt_roundps_epi64(_mm256_castsi256_ps($low_half(a)), _MM_FROUND_NO_EXC);
  const @V high = _mm512_cvtt_roundps_epi64(_mm256_castsi256_ps($high_half_of(a)), _MM_FROUND_NO_EXC);
  return $narrow64_32(low, high);
}

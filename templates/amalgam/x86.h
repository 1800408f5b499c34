// What the x86 instruction sets have in common: lanes of @W bits, in vectors of whatever size.
//@ arch __x86_64__
//@ include cpuid.h immintrin.h

@FN @V $load(const unsigned char *p) { return @_loadu_@SI((const @V *)p); }
@FN void $store(unsigned char *p, @V v) { @_storeu_@SI((@V *)p, v); }
@FN @V $zero(void) { return @_setzero_@SI(); }
@FN @V $all8(uint8_t n) { @V v = @_set1_epi8((char)n); CASTFORGE_OPAQUE(v); return v; }
@FN @V $all16(uint16_t n) { @V v = @_set1_epi16((short)n); CASTFORGE_OPAQUE(v); return v; }
@FN @V $all32(uint32_t n) { @V v = @_set1_epi32((int)n); CASTFORGE_OPAQUE(v); return v; }
@FN @V $all64(uint64_t n) { @V v = @_set1_epi64@X((long long)n); CASTFORGE_OPAQUE(v); return v; }
@FN @FLT $allf(float n) { @FLT v = @_set1_ps(n); CASTFORGE_OPAQUE(v); return v; }
@FN @DBL $alld(double n) { @DBL v = @_set1_pd(n); CASTFORGE_OPAQUE(v); return v; }
#define $f32(v) @_cast@SI_ps(v)
#define $f64(v) @_cast@SI_pd(v)
#define $bits32(v) @_castps_@SI(v)
#define $bits64(v) @_castpd_@SI(v)

@FN @V $bit_and(@V a, @V b) { return @_and_@SI(a, b); }
@FN @V $bit_or(@V a, @V b) { return @_or_@SI(a, b); }
@FN @V $bit_xor(@V a, @V b) { return @_xor_@SI(a, b); }
@FN @V $merge(@V m, @V a, @V b) { return @_xor_@SI(b, @_and_@SI(@_xor_@SI(a, b), m)); }
@FN @V $add@W(@V a, @V b) { return @_add_epi@W(a, b); }
@FN @V $sub@W(@V a, @V b) { return @_sub_epi@W(a, b); }
#define $shl_imm8(a, n) @_and_@SI(@_slli_epi16(a, n), $all8((uint8_t)(0xFF << (n))))
#define $shl_imm@W(a, n) @_slli_epi@W(a, n)
#define $shr_imm8(a, n) @_and_@SI(@_srli_epi16(a, n), $all8((uint8_t)(0xFF >> (n))))
#define $shr_imm@W(a, n) @_srli_epi@W(a, n)
// The sign bit has come down n places: flipped there and taken away again it fills what is above it.
#define $sar_imm8(a, n) \
  @_sub_epi8(@_xor_@SI($shr_imm8(a, n), $all8((uint8_t)(0x80 >> (n)))), $all8((uint8_t)(0x80 >> (n))))
#define $sar_imm64(a, n) \
  @_sub_epi64(@_xor_@SI(@_srli_epi64(a, n), $all64(0x8000000000000000u >> (n))), $all64(0x8000000000000000u >> (n)))
#define $sar_imm@W(a, n) @_srai_epi@W(a, n)

@FN @V $min64(@V a, @V b) { return $select64($greater_unsigned64(a, b), b, a); }
@FN @V $max64(@V a, @V b) { return $select64($greater_unsigned64(a, b), a, b); }
@FN @V $min_signed64(@V a, @V b) { return $select64($greater64(a, b), b, a); }
@FN @V $max_signed64(@V a, @V b) { return $select64($greater64(a, b), a, b); }
@FN @V $min@W(@V a, @V b) { return @_min_epu@W(a, b); }
@FN @V $max@W(@V a, @V b) { return @_max_epu@W(a, b); }
@FN @V $min_signed@W(@V a, @V b) { return @_min_epi@W(a, b); }
@FN @V $max_signed@W(@V a, @V b) { return @_max_epi@W(a, b); }
@FN @V $subtract_saturated8(@V a, @V b) { return @_subs_epi8(a, b); }
@FN @V $add_saturated8(@V a, @V b) { return @_adds_epu8(a, b); }
@FN @V $subtract_or_zero8(@V a, @V b) { return @_subs_epu8(a, b); }
@FN @V $subtract_or_zero16(@V a, @V b) { return @_subs_epu16(a, b); }
@FN @V $abs8(@V a) { return @_abs_epi8(a); }
@FN @V $negate_where8(@V a, @V s) { return @_sign_epi8(a, s); }

// Masks are lanes of ones or zeros.
@FN @V $equal@W(@V a, @V b) { return @_cmpeq_epi@W(a, b); }
@FN @V $greater@W(@V a, @V b) { return @_cmpgt_epi@W(a, b); }
@FN @V $greater_unsigned@W(@V a, @V b) {
  const @V top = $all@W((uint@W_t)((uint64_t)1 << (@W - 1)));
  return @_cmpgt_epi@W(@_xor_@SI(a, top), @_xor_@SI(b, top));
}
@FN @V $greater_signed_ones@W(@V a, @V b) { return @_cmpgt_epi@W(a, b); }
@FN @V $mask_and@W(@V a, @V b) { return @_and_@SI(a, b); }
@FN @V $select@W(@V m, @V a, @V b) { return @_blendv_epi8(b, a, m); }

// A few bytes of memory.
@FN __m128i $load16(const unsigned char *p) { return _mm_loadu_si128((const __m128i *)p); }
@FN __m128i $load8(const unsigned char *p) { return _mm_loadl_epi64((const __m128i *)p); }
@FN __m128i $load4(const unsigned char *p) { int w; memcpy(&w, p, 4); return _mm_cvtsi32_si128(w); }
@FN __m128i $load2(const unsigned char *p) { uint16_t w; memcpy(&w, p, 2); return _mm_cvtsi32_si128(w); }
@FN @V $load_widened8_16(const unsigned char *p) { return @_cvtepu8_epi16($load@B2(p)); }
@FN @V $load_widened8_32(const unsigned char *p) { return @_cvtepu8_epi32($load@B4(p)); }
@FN @V $load_widened8_64(const unsigned char *p) { return @_cvtepu8_epi64($load@B8(p)); }
@FN @V $load_widened16_32(const unsigned char *p) { return @_cvtepu16_epi32($load@B2(p)); }
@FN @V $load_widened16_64(const unsigned char *p) { return @_cvtepu16_epi64($load@B4(p)); }
@FN @V $load_widened32_64(const unsigned char *p) { return @_cvtepu32_epi64($load@B2(p)); }
@FN @V $load_signed8_16(const unsigned char *p) { return @_cvtepi8_epi16($load@B2(p)); }
@FN @V $load_signed8_32(const unsigned char *p) { return @_cvtepi8_epi32($load@B4(p)); }
@FN @V $load_signed8_64(const unsigned char *p) { return @_cvtepi8_epi64($load@B8(p)); }
@FN @V $load_signed16_32(const unsigned char *p) { return @_cvtepi16_epi32($load@B2(p)); }
@FN @V $load_signed16_64(const unsigned char *p) { return @_cvtepi16_epi64($load@B4(p)); }
@FN @V $load_signed32_64(const unsigned char *p) { return @_cvtepi32_epi64($load@B2(p)); }
@FN @V $interleave_low@W(@V a, @V b) { return @_unpacklo_epi@W(a, b); }
@FN @V $interleave_high@W(@V a, @V b) { return @_unpackhi_epi@W(a, b); }

// To narrower lanes. Packs saturate, so what does not fit is masked out before.
@FN @V $narrow16_8(@V a, @V b) { return @_packus_epi16(a, b); }
@FN @V $narrow32_16(@V a, @V b) { return @_packus_epi32(a, b); }
@FN @V $narrow32_8(@V a, @V b, @V c, @V d) { return @_packus_epi16(@_packus_epi32(a, b), @_packus_epi32(c, d)); }
@FN @V $narrow64_32(@V a, @V b) { return $bits32(@_shuffle_ps($f32(a), $f32(b), 0x88)); }
@FN @V $upper64_32(@V a, @V b) { return $bits32(@_shuffle_ps($f32(a), $f32(b), 0xDD)); }
@FN @V $narrow64_16(@V a, @V b, @V c, @V d) { return $narrow32_16($narrow64_32(a, b), $narrow64_32(c, d)); }
@FN @V $narrow64_8(@V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) {
  return $narrow32_8($narrow64_32(a, b), $narrow64_32(c, d), $narrow64_32(e, f), $narrow64_32(g, h));
}
@FN @V $truncate64_32(@V a, @V b) { return $narrow64_32(a, b); }
@FN @V $truncate32_16(@V a, @V b) {
  const @V low = $all32(0xFFFF);
  return $narrow32_16(@_and_@SI(a, low), @_and_@SI(b, low));
}
@FN @V $truncate16_8(@V a, @V b) {
  const @V low = $all16(0xFF);
  return $narrow16_8(@_and_@SI(a, low), @_and_@SI(b, low));
}
@FN @V $truncate32_8(@V a, @V b, @V c, @V d) {
  const @V low = $all32(0xFF);
  return $narrow32_8(@_and_@SI(a, low), @_and_@SI(b, low), @_and_@SI(c, low), @_and_@SI(d, low));
}
@FN @V $truncate64_16(@V a, @V b, @V c, @V d) { return $truncate32_16($narrow64_32(a, b), $narrow64_32(c, d)); }
@FN @V $truncate64_8(@V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) {
  return $truncate32_8($narrow64_32(a, b), $narrow64_32(c, d), $narrow64_32(e, f), $narrow64_32(g, h));
}
@FN @V $byte0_16(@V a, @V b) { return $truncate16_8(a, b); }
@FN @V $byte1_16(@V a, @V b) { return $narrow16_8(@_srli_epi16(a, 8), @_srli_epi16(b, 8)); }
@FN @V $byte0_32(@V a, @V b, @V c, @V d) { return $truncate32_8(a, b, c, d); }
@FN @V $byte1_32(@V a, @V b, @V c, @V d) {
  return $truncate32_8(@_srli_epi32(a, 8), @_srli_epi32(b, 8), @_srli_epi32(c, 8), @_srli_epi32(d, 8));
}
@FN @V $byte2_32(@V a, @V b, @V c, @V d) {
  return $truncate32_8(@_srli_epi32(a, 16), @_srli_epi32(b, 16), @_srli_epi32(c, 16), @_srli_epi32(d, 16));
}
@FN @V $byte3_32(@V a, @V b, @V c, @V d) {
  return $narrow32_8(@_srli_epi32(a, 24), @_srli_epi32(b, 24), @_srli_epi32(c, 24), @_srli_epi32(d, 24));
}
@FN @V $high_half(@V a, @V b) { return $narrow32_16(@_srli_epi32(a, 16), @_srli_epi32(b, 16)); }
@FN @V $round_to_upper(@V a) {
  const @V last = @_and_@SI(@_srli_epi32(a, 16), $all32(1));
  return @_add_epi32(@_add_epi32(a, $all32(0x7FFF)), last);
}
@FN @V $round_high_half(@V a, @V b) { return $high_half($round_to_upper(a), $round_to_upper(b)); }
@FN @V $odd_high_half(@V a, @V b) {
  return @_or_@SI($high_half(a, b), @_min_epu16($truncate32_16(a, b), $all16(1)));
}
// The low byte of v + (v >> n) is the second one of low half * 2^8 + high half * 2^(24 - n), modulo 2^16. It goes to
// one dword of each 128 bits; other dwords become zero.
@FN @V $fold(int n, @V a, @V b, @V c, @V d) {
  const @V weights = $all32((uint32_t)1 << (40 - n) | 0x100);
  a = @_shuffle_epi8(@_madd_epi16(a, weights), $four_dwords(0x0D090501, -1, -1, -1));
  b = @_shuffle_epi8(@_madd_epi16(b, weights), $four_dwords(-1, 0x0D090501, -1, -1));
  c = @_shuffle_epi8(@_madd_epi16(c, weights), $four_dwords(-1, -1, 0x0D090501, -1));
  d = @_shuffle_epi8(@_madd_epi16(d, weights), $four_dwords(-1, -1, -1, 0x0D090501));
  return @_or_@SI(@_or_@SI(a, b), @_or_@SI(c, d));
}
// Bytes with the top bits of lanes, as saturation keeps signs; then one bit of each, at place n.
@FN @V $signs16(@V a, @V b) { return @_packs_epi16(a, b); }
@FN @V $signs32(@V a, @V b, @V c, @V d) { return @_packs_epi16(@_packs_epi32(a, b), @_packs_epi32(c, d)); }
@FN @V $signs64(@V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) {
  return $signs32($upper64_32(a, b), $upper64_32(c, d), $upper64_32(e, f), $upper64_32(g, h));
}
#define $bit_of_signs(v, n) @_and_@SI(@_srli_epi16(v, 7 - (n)), $all8((uint8_t)(1 << (n))))
#define $sign8_8(n, a) $bit_of_signs(a, n)
#define $sign8_16(n, a, b) $bit_of_signs($signs16(a, b), n)
#define $sign8_32(n, a, b, c, d) $bit_of_signs($signs32(a, b, c, d), n)
#define $sign8_64(n, a, b, c, d, e, f, g, h) $bit_of_signs($signs64(a, b, c, d, e, f, g, h), n)

@FN @V $lookup168(@V table, @V index) { return @_shuffle_epi8(table, index); }
// From 16 on the index gets bit 7.
@FN @V $lookup16_or_zero8(@V table, @V index) {
  return @_shuffle_epi8(table, @_adds_epu8(index, $all8(0x70)));
}

// Numbers. Where two operations stand for one, the first is exact.
@FN @V $float32_of32(@V a) { return $bits32(@_cvtepi32_ps(a)); }
@FN @V $float32_of_int32(@V a) { return $bits32(@_cvtepi32_ps(a)); }
@FN @V $float32_of_int3232(@V a) { return $bits32(@_cvtepi32_ps(a)); }
// a = high * 2^16 + low; (2^39 + high * 2^16) - (2^39 + 2^23) is exact, and the last addition rounds.
@FN @V $float32_of_uint3232(@V a) {
  const @V low = @_or_@SI(@_and_@SI(a, $all32(0xFFFF)), $all32(0x4B000000));
  const @V high = @_or_@SI(@_srli_epi32(a, 16), $all32(0x53000000));
  return $bits32(@_add_ps(@_sub_ps($f32(high), $f32($all32(0x53000080))), $f32(low)));
}
// Halves planted under an exponent, 2^84 + high * 2^32 and 2^52 + low; the last addition rounds.
@FN @V $low_planted(@V a) { return @_blend_epi16(a, $all64(0x4330000000000000), 0xCC); }
@FN @V $float64_of_uint6464(@V a) {
  const @V high = @_or_@SI(@_srli_epi64(a, 32), $all64(0x4530000000000000));
  return $bits64(@_add_pd(@_sub_pd($f64(high), $f64($all64(0x4530000000100000))), $f64($low_planted(a))));
}
// The same with the upper half biased by 2^31, which is 2^63 in all.
@FN @V $float64_of_int6464(@V a) {
  const @V high = @_xor_@SI(@_srli_epi64(a, 32), $all64(0x4530000080000000));
  return $bits64(@_add_pd(@_sub_pd($f64(high), $f64($all64(0x4530000080100000))), $f64($low_planted(a))));
}
// Exact in every rounding mode but for the sign of a zero, which is cleared.
@FN @V $float64_of64(@V a) { return @_and_@SI($float64_of_uint6464(a), $all64(0x7FFFFFFFFFFFFFFF)); }
// Rounded to odd 11 bits above the end where float64 would round: on the same side of every midpoint of float32.
@FN @V $odd_above_11(@V a) {
  const @V dropped = $all64(0x7FF);
  const @V odd = @_or_@SI(a, @_add_epi64(@_and_@SI(a, dropped), dropped));
  return @_andnot_@SI(dropped, odd);
}
@FN @H $float32_of_int64_half(@V a) {
  // 2^63 + 2^52 makes -2^52 the least number; from there on 2^53 numbers are exact.
  const @V place = @_add_epi64(a, $all64(0x8010000000000000));
  const @V odd = $select64($greater64($all64(0x8020000000000000), place), a, $odd_above_11(a));
  return $float32_of_float64_half($float64_of_int6464(odd));
}
@FN @H $float32_of_uint64_half(@V a) {
  const @V odd = $select64($equal64(@_srli_epi64(a, 53), $zero()), a, $odd_above_11(a));
  return $float32_of_float64_half($float64_of_uint6464(odd));
}
@FN @V $nan_becomes@W(@V a, @V nan) {
  const @V magnitude = @_and_@SI(a, $all@W((uint@W_t)-1 >> 1));
  const @V is_nan = $greater@W(magnitude, $all@W(@W == 32 ? (uint@W_t)0x7F800000 : (uint@W_t)0x7FF0000000000000));
  return @_xor_@SI(a, @_and_@SI(is_nan, @_xor_@SI(magnitude, nan)));
}
@FN @V $min_nan232(@V a, @V b) { return $bits32(@_min_ps($f32(a), $f32(b))); }
@FN @V $limit_magnitude32(@V a, @V most, @V nan) {
  return @_min_epu32($min_nan232(most, @_and_@SI(a, $all32(0x7FFFFFFF))), nan);
}
@FN @V $binade32(@V a, @V least) {
  const @V power = @_max_epu32(@_and_@SI(a, $all32(0x7F800000)), least);
  return @_or_@SI(power, @_and_@SI(a, $all32(0x80000000)));
}
// The product is exact. Not fused: some processors take 150 cycles more for a subnormal addend.
@FN @V $multiply_add32(@V a, @V b, @V c) {
  @FLT product = @_mul_ps($f32(a), $f32(b));
  CASTFORGE_OPAQUE(product);
  return $bits32(@_add_ps(product, $f32(c)));
}
@FN @V $fused_multiply_add32(@V a, @V b, @V c) { return $multiply_add32(a, b, c); }
@FN @V $int32_of_float32_rtz32(@V a) { return @_cvttps_epi32($f32(a)); }
@FN @V $int32_of_float32_rne32(@V a) { return @_cvtps_epi32($f32(a)); }
@FN @V $int32_of_float32_rtn32(@V a) { return @_cvttps_epi32(@_floor_ps($f32(a))); }
@FN @V $int32_of_float32_rtp32(@V a) { return @_cvttps_epi32(@_ceil_ps($f32(a))); }
// The largest float32 below 1/2, with the sign of a: a sum that reaches the next integer only from halfway on.
@FN @V $int32_of_float32_rna32(@V a) {
  const @V nudge = @_or_@SI(@_and_@SI(a, $all32(0x80000000)), $all32(0x3EFFFFFF));
  return @_cvttps_epi32(@_add_ps($f32(a), $f32(nudge)));
}
// An integer of 2^24 or more comes from an a that is one: the conversion back is exact.
@FN @V $int32_of_float32_rto32(@V a) {
  const @V below = $int32_of_float32_rtn32(a);
  const @V exact = $bits32($equal_floats(@_cvtepi32_ps(below), $f32(a)));
  return @_or_@SI(below, @_andnot_@SI(exact, $all32(1)));
}
// a less the nearest multiple of 2^32: exact, at most 2^31 in magnitude, which gives 80000000, as it must.
@FN @FLT $less_turns32(@FLT a) {
  const @FLT turns = $nearest_ps(@_mul_ps(a, $allf(2.3283064365386963e-10f)));
  return @_add_ps(a, @_mul_ps(turns, $allf(-4294967296.0f)));
}
@FN @V $int32_of_float32_wrap_rtz32(@V a) { return @_cvttps_epi32($less_turns32($f32(a))); }
@FN @V $int32_of_float32_wrap_rne32(@V a) { return @_cvtps_epi32($less_turns32($f32(a))); }
// a less a multiple of 2^32, toward zero. Under the exponent of 1.5 * 2^52 the low bits of a sum are the integer.
@FN @DBL $less_turns64(@DBL a) {
  const @DBL turns = $toward_zero_pd(@_mul_pd(a, $alld(2.3283064365386963e-10)));
  return @_sub_pd(a, @_mul_pd(turns, $alld(4294967296.0)));
}
@FN @V $wrap_rtz(@V a) {
  return $bits64(@_add_pd($toward_zero_pd($less_turns64($f64(a))), $alld(6755399441055744.0)));
}
@FN @V $wrap_rne(@V a) { return $bits64(@_add_pd($less_turns64($f64(a)), $alld(6755399441055744.0))); }
@FN @V $int32_of_float64_wrap_rtz(@V a, @V b) { return $narrow64_32($wrap_rtz(a), $wrap_rtz(b)); }
@FN @V $int32_of_float64_wrap_rne(@V a, @V b) { return $narrow64_32($wrap_rne(a), $wrap_rne(b)); }

// Elements of 4 and 2 bits: two and four of a byte.
@FN @V $unpack4(const unsigned char *p) {
  const @V x = $load_widened8_16(p);
  return @_and_@SI(@_or_@SI(x, @_slli_epi16(x, 4)), $all16(0x0F0F));
}
@FN @V $unpack2(const unsigned char *p) {
  const @V x = $load_widened8_32(p);
  const @V nibbles = @_and_@SI(@_or_@SI(x, @_slli_epi32(x, 12)), $all32(0x000F000F));
  return @_and_@SI(@_or_@SI(nibbles, @_slli_epi32(nibbles, 6)), $all32(0x03030303));
}
@FN @V $nibble_pairs(@V v) { return @_maddubs_epi16(v, $all16(0x1001)); }
@FN @V $crumbs_of_four(@V v) { return @_madd_epi16(@_maddubs_epi16(v, $all16(0x0401)), $all32(0x00100001)); }
#define $taken(v, n, mask) @_and_@SI(@_srli_epi16(v, n), $all8(mask))
// From one to the other: a vector holds the first elements of bytes, another the second ones, and so on.
@FN void $load_planes4_4(const unsigned char *p, @V *v) {
  const @V x = $load(p);
  v[0] = @_and_@SI(x, $all8(15)), v[1] = $taken(x, 4, 15);
}
@FN void $load_planes4_2(const unsigned char *p, @V *v) {
  $load_planes4_4(p, v), $load_planes4_4(p + sizeof *v, v + 2);
}
@FN void $quarters(@V x, @V *v) {
  v[0] = @_and_@SI(x, $all8(3)), v[1] = $taken(x, 2, 3), v[2] = $taken(x, 4, 3), v[3] = $taken(x, 6, 3);
}
@FN void $load_planes2_2(const unsigned char *p, @V *v) { $quarters($load(p), v); }
@FN void $load_planes2_4(const unsigned char *p, @V *v) { $quarters($interleavable($load(p)), v); }
#define $above(a, b, n) @_or_@SI(a, @_slli_epi16(b, n))
@FN void $store_planes4_4(unsigned char *p, const @V *v) { $store(p, $above(v[0], v[1], 4)); }
@FN void $store_planes2_2(unsigned char *p, const @V *v) {
  $store(p, $above($above(v[0], v[1], 2), $above(v[2], v[3], 2), 4));
}
@FN void $store_planes4_2(unsigned char *p, const @V *v) {
  const @V low = $nibble_pairs($above(v[0], v[1], 2)), high = $nibble_pairs($above(v[2], v[3], 2));
  $store(p, $packed_in_order($narrow16_8(low, high)));
}
@FN void $store_planes2_4(unsigned char *p, const @V *v) {
  const @V low = $above(v[0], v[1], 4), high = $above(v[2], v[3], 4);
  $store(p, $interleave_low8(low, high));
  $store(p + sizeof *v, $interleave_high8(low, high));
}

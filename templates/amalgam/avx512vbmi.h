// AVX-512 VBMI: permutations of bytes, so that packs keep the order.
//@ base avx512
//@ bytes 64
//@ target avx512f,avx512cd,avx512bw,avx512dq,avx512vl,avx512vbmi,f16c
//@ runs CASTFORGE_HAS(1, c, 0x38980201) && CASTFORGE_HAS(7, b, 0xD0030020)
//@ runs && CASTFORGE_HAS(7, c, 0x02) && CASTFORGE_SAVES(0xE6)
//@ embeds_rounding 1
//@ order 16_8 1
//@ order 32_8 1
//@ order 64_8 1

#define $packed_in_order(v) (v)
// Byte k of each lane of two vectors is at 2 * i + k, 4 * i + k or 8 * i + k; the pattern repeats.
@FN @V $every(@V step, int k, @V a, @V b) {
  return _mm512_permutex2var_epi8(a, _mm512_or_si512(step, _mm512_set1_epi8((char)k)), b);
}
static const uint8_t $by2[64] CASTFORGE_ALIGNED = {
    0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58,
    60, 62, 64, 66, 68, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112,
    114, 116, 118, 120, 122, 124, 126};
@FN @V $bytes16(int k, @V a, @V b) { return $every(_mm512_load_si512($by2), k, a, b); }
@FN @V $bytes32(int k, @V a, @V b, @V c, @V d) {
  const @V step = _mm512_and_si512(_mm512_slli_epi16(_mm512_load_si512($by2), 1), _mm512_set1_epi8(0x7C));
  return $both($low_half($every(step, k, a, b)), $low_half($every(step, k, c, d)));
}
@FN @V $bytes64(int k, @V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) {
  const @V step = _mm512_and_si512(_mm512_slli_epi16(_mm512_load_si512($by2), 2), _mm512_set1_epi8(0x78));
  const __m128i ab = _mm512_castsi512_si128($every(step, k, a, b)), cd = _mm512_castsi512_si128($every(step, k, c, d));
  const __m128i ef = _mm512_castsi512_si128($every(step, k, e, f)), gh = _mm512_castsi512_si128($every(step, k, g, h));
  return $both(_mm256_inserti128_si256(_mm256_castsi128_si256(ab), cd, 1),
               _mm256_inserti128_si256(_mm256_castsi128_si256(ef), gh, 1));
}
@FN @V $narrow16_8(@V a, @V b) { return $bytes16(0, a, b); }
@FN @V $truncate16_8(@V a, @V b) { return $bytes16(0, a, b); }
@FN @V $byte0_16(@V a, @V b) { return $bytes16(0, a, b); }
@FN @V $byte1_16(@V a, @V b) { return $bytes16(1, a, b); }
@FN @V $signs16(@V a, @V b) { return $bytes16(1, a, b); }
@FN @V $narrow32_8(@V a, @V b, @V c, @V d) { return $bytes32(0, a, b, c, d); }
@FN @V $truncate32_8(@V a, @V b, @V c, @V d) { return $bytes32(0, a, b, c, d); }
@FN @V $byte0_32(@V a, @V b, @V c, @V d) { return $bytes32(0, a, b, c, d); }
@FN @V $byte1_32(@V a, @V b, @V c, @V d) { return $bytes32(1, a, b, c, d); }
@FN @V $byte2_32(@V a, @V b, @V c, @V d) { return $bytes32(2, a, b, c, d); }
@FN @V $byte3_32(@V a, @V b, @V c, @V d) { return $bytes32(3, a, b, c, d); }
@FN @V $signs32(@V a, @V b, @V c, @V d) { return $bytes32(3, a, b, c, d); }
@FN @V $narrow64_8(@V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) { return $bytes64(0, a, b, c, d, e, f, g, h); }
@FN @V $truncate64_8(@V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) { return $bytes64(0, a, b, c, d, e, f, g, h); }
@FN @V $signs64(@V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) { return $bytes64(7, a, b, c, d, e, f, g, h); }
// The low byte of v + (v >> n) is the second one of low half * 2^8 + high half * 2^(24 - n), modulo 2^16.
@FN @V $fold(int n, @V a, @V b, @V c, @V d) {
  const @V weights = $all32((uint32_t)1 << (40 - n) | 0x100);
  return $bytes32(1, _mm512_madd_epi16(a, weights), _mm512_madd_epi16(b, weights), _mm512_madd_epi16(c, weights),
                  _mm512_madd_epi16(d, weights));
}
// Bytes of a and b to places of wider lanes, the others zero.
@FN @V $place_bytes(uint64_t used, const uint8_t *index, @V a, @V b) {
  return _mm512_maskz_permutex2var_epi8(used, a, _mm512_load_si512(index), b);
}

// Packed elements brought to the low bits of lanes; what is above bit 3 does not matter.
@FN @V $spread4_16(const unsigned char *p) {
  const @V quarters = _mm512_cvtepu16_epi64($load16(p));
  return _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x000C000800040000), quarters);
}
@FN @V $spread4_32(const unsigned char *p) {
  uint64_t w;
  memcpy(&w, p, 8);
  const @V first = _mm512_setr_epi64(0x0000000400000000, 0x0000000C00000008, 0x0000001400000010, 0x0000001C00000018,
                                     0x0000002400000020, 0x0000002C00000028, 0x0000003400000030, 0x0000003C00000038);
  return _mm512_multishift_epi64_epi8(first, _mm512_set1_epi64((long long)w));
}
@FN @V $spread4_64(const unsigned char *p) {
  uint32_t w;
  memcpy(&w, p, 4);
  return _mm512_multishift_epi64_epi8(_mm512_setr_epi64(0, 4, 8, 12, 16, 20, 24, 28), _mm512_set1_epi32((int)w));
}
@FN @V $spread2_16(const unsigned char *p) {
  uint64_t w;
  memcpy(&w, p, 8);
  const @V first = _mm512_setr_epi64(0x0006000400020000, 0x000E000C000A0008, 0x0016001400120010, 0x001E001C001A0018,
                                     0x0026002400220020, 0x002E002C002A0028, 0x0036003400320030, 0x003E003C003A0038);
  return _mm512_and_si512(_mm512_multishift_epi64_epi8(first, _mm512_set1_epi64((long long)w)), $all16(3));
}
@FN @V $spread2_32(const unsigned char *p) {
  uint32_t w;
  memcpy(&w, p, 4);
  const @V first = _mm512_setr_epi64(0x0000000200000000, 0x0000000600000004, 0x0000000A00000008, 0x0000000E0000000C,
                                     0x0000001200000010, 0x0000001600000014, 0x0000001A00000018, 0x0000001E0000001C);
  return _mm512_and_si512(_mm512_multishift_epi64_epi8(first, _mm512_set1_epi32((int)w)), $all32(3));
}
@FN @V $spread2_64(const unsigned char *p) {
  uint16_t w;
  memcpy(&w, p, 2);
  const @V first = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  return _mm512_and_si512(_mm512_multishift_epi64_epi8(first, _mm512_set1_epi16((short)w)), $all64(3));
}
@FN @V $spread1_high_16(const unsigned char *p) {
  uint32_t w;
  memcpy(&w, p, 4);
  const @V first = _mm512_setr_epi64(0x0004000500060007, 0x0000000100020003, 0x000C000D000E000F, 0x00080009000A000B,
                                     0x0014001500160017, 0x0010001100120013, 0x001C001D001E001F, 0x00180019001A001B);
  return _mm512_and_si512(_mm512_multishift_epi64_epi8(first, _mm512_set1_epi32((int)w)), $all16(1));
}
@FN @V $spread1_high_32(const unsigned char *p) {
  uint16_t w;
  memcpy(&w, p, 2);
  const @V first = _mm512_setr_epi64(0x0000000600000007, 0x0000000400000005, 0x0000000200000003, 0x0000000000000001,
                                     0x0000000E0000000F, 0x0000000C0000000D, 0x0000000A0000000B, 0x0000000800000009);
  return _mm512_and_si512(_mm512_multishift_epi64_epi8(first, _mm512_set1_epi16((short)w)), $all32(1));
}
@FN @V $spread1_high_64(const unsigned char *p) {
  uint8_t w;
  memcpy(&w, p, 1);
  const @V first = _mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  return _mm512_and_si512(_mm512_multishift_epi64_epi8(first, _mm512_set1_epi8((char)w)), $all64(1));
}
// Six bytes of elements to every quadword; then a shift takes eight bits from anywhere.
static const uint8_t $deal6[64] CASTFORGE_ALIGNED = {
    0, 1, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9, 10, 11, 0, 0, 12, 13, 14, 15, 16, 17, 0, 0, 18, 19, 20, 21, 22, 23, 0, 0,
    24, 25, 26, 27, 28, 29, 0, 0, 30, 31, 32, 33, 34, 35, 0, 0, 36, 37, 38, 39, 40, 41, 0, 0, 42, 43, 44, 45, 46, 47};
@FN @V $unpack6(const unsigned char *p) {
  const @V dealt = _mm512_permutexvar_epi8(_mm512_load_si512($deal6), _mm512_maskz_loadu_epi64(0x3F, p));
  const @V found = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x2A241E18120C0600), dealt);
  return _mm512_and_si512(found, $all8(0x3F));
}
static const uint8_t $three_of_four[64] CASTFORGE_ALIGNED = {
    0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38, 40,
    41, 42, 44, 45, 46, 48, 49, 50, 52, 53, 54, 56, 57, 58, 60, 61, 62};
@FN void $pack6(unsigned char *p, @V v) {
  const @V bytes = _mm512_permutexvar_epi8(_mm512_load_si512($three_of_four), $fours_of_6(v));
  _mm512_mask_storeu_epi32(p, 0x0FFF, bytes);
}

@FN @V $lookup648(const uint8_t *table, @V index) {
  return _mm512_permutexvar_epi8(index, _mm512_load_si512(table));
}
@FN @V $lookup1288(const uint8_t *table, @V index) {
  return _mm512_permutex2var_epi8(_mm512_load_si512(table), index, _mm512_load_si512(table + 64));
}
@FN @V $lookup2568(const uint8_t *table, @V index) {
  const @V lower = $lookup1288(table, index), upper = $lookup1288(table + 128, index);
  return _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), lower, upper);
}
@FN @V $lookup16_wide16(const uint16_t *table, @V index) {
  return _mm512_permutexvar_epi16(index, _mm512_broadcast_i64x4(_mm256_load_si256((const __m256i *)table)));
}
@FN @V $lookup16_wide32(const uint32_t *table, @V index) {
  return _mm512_permutexvar_epi32(index, _mm512_load_si512(table));
}
@FN @V $lookup16_wide64(const uint64_t *table, @V index) {
  return _mm512_permutex2var_epi64(_mm512_load_si512(table), index, _mm512_load_si512(table + 8));
}
@FN @V $lookup8_wide64(const uint64_t *table, @V index) {
  return _mm512_permutexvar_epi64(index, _mm512_load_si512(table));
}
@FN @V $lookup16_upper64(const uint32_t *table, @V index) {
  return _mm512_maskz_permutexvar_epi32(0xAAAA, index, _mm512_load_si512(table));
}

// AArch64 Advanced SIMD. Lanes of any width are uint8x16_t; nothing gets out of order.
//@ arch __aarch64__
//@ include arm_neon.h
//@ bytes 16
//@ runs 1
//@ word V uint8x16_t
//@ word H uint8x8_t
//@ word M8 uint8x16_t
//@ word M16 uint8x16_t
//@ word M32 uint8x16_t
//@ word M64 uint8x16_t

#define $to8(v) (v)
#define $of8(v) (v)
#define $to@W(v) vreinterpretq_u@W_u8(v)
#define $of@W(v) vreinterpretq_u8_u@W(v)
#define $signed@W(v) vreinterpretq_s@W_u8(v)
#define $of_signed@W(v) vreinterpretq_u8_s@W(v)
#define $f32(v) vreinterpretq_f32_u8(v)
#define $f64(v) vreinterpretq_f64_u8(v)
#define $bits32(v) vreinterpretq_u8_f32(v)
#define $bits64(v) vreinterpretq_u8_f64(v)

@FN @V $load(const unsigned char *p) { return vld1q_u8(p); }
@FN void $store(unsigned char *p, @V v) { vst1q_u8(p, v); }
@FN @H $load_half(const unsigned char *p) { return vld1_u8(p); }
@FN void $store_half(unsigned char *p, @H v) { vst1_u8(p, v); }
@FN void $store_first_half(unsigned char *p, @V v) { vst1_u8(p, vget_low_u8(v)); }
@FN void $store_quarter(unsigned char *p, @V v) {
  const uint32_t w = vgetq_lane_u32($to32(v), 0);
  memcpy(p, &w, 4);
}
@FN @H $low_half(@V v) { return vget_low_u8(v); }
@FN @H $high_half_of(@V v) { return vget_high_u8(v); }
@FN @V $both(@H a, @H b) { return vcombine_u8(a, b); }
@FN @V $zero(void) { return vdupq_n_u8(0); }
@FN @V $all@W(uint@W_t n) { return $of@W(vdupq_n_u@W(n)); }
@FN @V $table16(const uint8_t *p) { return vld1q_u8(p); }

@FN @V $bit_and(@V a, @V b) { return vandq_u8(a, b); }
@FN @V $bit_or(@V a, @V b) { return vorrq_u8(a, b); }
@FN @V $bit_xor(@V a, @V b) { return veorq_u8(a, b); }
@FN @V $merge(@V m, @V a, @V b) { return vbslq_u8(m, a, b); }
@FN @V $add@W(@V a, @V b) { return $of@W(vaddq_u@W($to@W(a), $to@W(b))); }
@FN @V $sub@W(@V a, @V b) { return $of@W(vsubq_u@W($to@W(a), $to@W(b))); }
#define $shl_imm@W(a, n) $of@W(vshlq_u@W($to@W(a), vdupq_n_s@W(n)))
#define $shr_imm@W(a, n) $of@W(vshlq_u@W($to@W(a), vdupq_n_s@W(-(n))))
#define $sar_imm@W(a, n) $of_signed@W(vshlq_s@W($signed@W(a), vdupq_n_s@W(-(n))))
@FN @V $min64(@V a, @V b) { return vbslq_u8($greater_unsigned64(a, b), b, a); }
@FN @V $max64(@V a, @V b) { return vbslq_u8($greater_unsigned64(a, b), a, b); }
@FN @V $min_signed64(@V a, @V b) { return vbslq_u8($greater64(a, b), b, a); }
@FN @V $max_signed64(@V a, @V b) { return vbslq_u8($greater64(a, b), a, b); }
@FN @V $min@W(@V a, @V b) { return $of@W(vminq_u@W($to@W(a), $to@W(b))); }
@FN @V $max@W(@V a, @V b) { return $of@W(vmaxq_u@W($to@W(a), $to@W(b))); }
@FN @V $min_signed@W(@V a, @V b) { return $of_signed@W(vminq_s@W($signed@W(a), $signed@W(b))); }
@FN @V $max_signed@W(@V a, @V b) { return $of_signed@W(vmaxq_s@W($signed@W(a), $signed@W(b))); }
@FN @V $subtract_saturated8(@V a, @V b) { return $of_signed8(vqsubq_s8($signed8(a), $signed8(b))); }
@FN @V $add_saturated8(@V a, @V b) { return vqaddq_u8(a, b); }
@FN @V $subtract_or_zero8(@V a, @V b) { return vqsubq_u8(a, b); }
@FN @V $subtract_or_zero16(@V a, @V b) { return $of16(vqsubq_u16($to16(a), $to16(b))); }
@FN @V $abs8(@V a) { return $of_signed8(vabsq_s8($signed8(a))); }
@FN @V $negate_where8(@V a, @V s) {
  return vbslq_u8(vcltzq_s8($signed8(s)), $of_signed8(vnegq_s8($signed8(a))), a);
}
@FN @V $equal@W(@V a, @V b) { return $of@W(vceqq_u@W($to@W(a), $to@W(b))); }
@FN @V $greater@W(@V a, @V b) { return $of@W(vcgtq_s@W($signed@W(a), $signed@W(b))); }
@FN @V $greater_unsigned@W(@V a, @V b) { return $of@W(vcgtq_u@W($to@W(a), $to@W(b))); }
@FN @V $greater_signed_ones@W(@V a, @V b) { return $greater@W(a, b); }
@FN @V $mask_and@W(@V a, @V b) { return vandq_u8(a, b); }
@FN @V $select@W(@V m, @V a, @V b) { return vbslq_u8(m, a, b); }
// The instruction takes the low byte of a lane as the count, in two's complement: to the right where it is negative.
@FN @V $count64(@V n) { return $min64(n, $all64(64)); }
@FN @V $count@W(@V n) { return $min@W(n, $all@W(@W)); }
@FN @V $shl@W(@V a, @V n) { return $of@W(vshlq_u@W($to@W(a), $signed@W($count@W(n)))); }
@FN @V $shr@W(@V a, @V n) { return $of@W(vshlq_u@W($to@W(a), vnegq_s@W($signed@W($count@W(n))))); }

// Widths.
@FN @V $first4(const unsigned char *p) {
  uint32_t w;
  memcpy(&w, p, 4);
  return $of32(vsetq_lane_u32(w, vdupq_n_u32(0), 0));
}
@FN @V $first2(const unsigned char *p) {
  uint16_t w;
  memcpy(&w, p, 2);
  return $of16(vsetq_lane_u16(w, vdupq_n_u16(0), 0));
}
@FN @V $wider8(@V v) { return $of16(vmovl_u8(vget_low_u8(v))); }
@FN @V $wider16(@V v) { return $of32(vmovl_u16(vget_low_u16($to16(v)))); }
@FN @V $wider32(@V v) { return $of64(vmovl_u32(vget_low_u32($to32(v)))); }
@FN @V $wider_signed8(@V v) { return $of_signed16(vmovl_s8(vget_low_s8($signed8(v)))); }
@FN @V $wider_signed16(@V v) { return $of_signed32(vmovl_s16(vget_low_s16($signed16(v)))); }
@FN @V $wider_signed32(@V v) { return $of_signed64(vmovl_s32(vget_low_s32($signed32(v)))); }
@FN @V $first8(const unsigned char *p) { return vcombine_u8(vld1_u8(p), vdup_n_u8(0)); }
@FN @V $load_widened8_16(const unsigned char *p) { return $wider8($first8(p)); }
@FN @V $load_widened8_32(const unsigned char *p) { return $wider16($wider8($first4(p))); }
@FN @V $load_widened8_64(const unsigned char *p) { return $wider32($wider16($wider8($first2(p)))); }
@FN @V $load_widened16_32(const unsigned char *p) { return $wider16($first8(p)); }
@FN @V $load_widened16_64(const unsigned char *p) { return $wider32($wider16($first4(p))); }
@FN @V $load_widened32_64(const unsigned char *p) { return $wider32($first8(p)); }
@FN @V $load_signed8_16(const unsigned char *p) { return $wider_signed8($first8(p)); }
@FN @V $load_signed8_32(const unsigned char *p) { return $wider_signed16($wider_signed8($first4(p))); }
@FN @V $load_signed8_64(const unsigned char *p) {
  return $wider_signed32($wider_signed16($wider_signed8($first2(p))));
}
@FN @V $load_signed16_32(const unsigned char *p) { return $wider_signed16($first8(p)); }
@FN @V $load_signed16_64(const unsigned char *p) { return $wider_signed32($wider_signed16($first4(p))); }
@FN @V $load_signed32_64(const unsigned char *p) { return $wider_signed32($first8(p)); }
@FN @V $interleave_low@W(@V a, @V b) { return $of@W(vzip1q_u@W($to@W(a), $to@W(b))); }
@FN @V $interleave_high@W(@V a, @V b) { return $of@W(vzip2q_u@W($to@W(a), $to@W(b))); }
// The even and the odd lanes of two vectors.
@FN @V $even@W(@V a, @V b) { return $of@W(vuzp1q_u@W($to@W(a), $to@W(b))); }
@FN @V $odd@W(@V a, @V b) { return $of@W(vuzp2q_u@W($to@W(a), $to@W(b))); }
@FN @V $narrow16_8(@V a, @V b) { return $even8(a, b); }
@FN @V $narrow32_16(@V a, @V b) { return $even16(a, b); }
@FN @V $narrow64_32(@V a, @V b) { return $even32(a, b); }
@FN @V $narrow32_8(@V a, @V b, @V c, @V d) { return $even8($even16(a, b), $even16(c, d)); }
@FN @V $narrow64_16(@V a, @V b, @V c, @V d) { return $even16($even32(a, b), $even32(c, d)); }
@FN @V $narrow64_8(@V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) {
  return $even8($narrow64_16(a, b, c, d), $narrow64_16(e, f, g, h));
}
@FN @V $truncate16_8(@V a, @V b) { return $even8(a, b); }
@FN @V $truncate32_16(@V a, @V b) { return $even16(a, b); }
@FN @V $truncate64_32(@V a, @V b) { return $even32(a, b); }
@FN @V $truncate32_8(@V a, @V b, @V c, @V d) { return $narrow32_8(a, b, c, d); }
@FN @V $truncate64_16(@V a, @V b, @V c, @V d) { return $narrow64_16(a, b, c, d); }
@FN @V $truncate64_8(@V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) { return $narrow64_8(a, b, c, d, e, f, g, h); }
@FN @V $byte0_16(@V a, @V b) { return $even8(a, b); }
@FN @V $byte1_16(@V a, @V b) { return $odd8(a, b); }
@FN @V $byte0_32(@V a, @V b, @V c, @V d) { return $even8($even16(a, b), $even16(c, d)); }
@FN @V $byte1_32(@V a, @V b, @V c, @V d) { return $odd8($even16(a, b), $even16(c, d)); }
@FN @V $byte2_32(@V a, @V b, @V c, @V d) { return $even8($odd16(a, b), $odd16(c, d)); }
@FN @V $byte3_32(@V a, @V b, @V c, @V d) { return $odd8($odd16(a, b), $odd16(c, d)); }
@FN @V $high_half(@V a, @V b) { return $odd16(a, b); }
@FN @V $round_to_upper(@V a) {
  const @V last = $bit_and($shr_imm32(a, 16), $all32(1));
  return $add32($add32(a, $all32(0x7FFF)), last);
}
@FN @V $round_high_half(@V a, @V b) { return $odd16($round_to_upper(a), $round_to_upper(b)); }
@FN @V $odd_high_half(@V a, @V b) { return $bit_or($odd16(a, b), $min16($even16(a, b), $all16(1))); }
@FN @V $folded(int n, @V a) { return $of32(vaddq_u32($to32(a), vshlq_u32($to32(a), vdupq_n_s32(-n)))); }
@FN @V $fold(int n, @V a, @V b, @V c, @V d) {
  return $narrow32_8($folded(n, a), $folded(n, b), $folded(n, c), $folded(n, d));
}
@FN @V $bit_of_signs(@V v, int n) {
  return vandq_u8(vshlq_u8(v, vdupq_n_s8((int8_t)(n - 7))), vdupq_n_u8((uint8_t)(1 << n)));
}
@FN @V $sign8_8(int n, @V a) { return $bit_of_signs(a, n); }
@FN @V $sign8_16(int n, @V a, @V b) { return $bit_of_signs($odd8(a, b), n); }
@FN @V $sign8_32(int n, @V a, @V b, @V c, @V d) { return $bit_of_signs($odd8($odd16(a, b), $odd16(c, d)), n); }
@FN @V $sign8_64(int n, @V a, @V b, @V c, @V d, @V e, @V f, @V g, @V h) {
  return $sign8_32(n, $odd32(a, b), $odd32(c, d), $odd32(e, f), $odd32(g, h));
}

// An index outside the table, or outside a group of 64 entries, gives 0 or leaves what the other groups gave.
@FN @V $lookup168(@V table, @V index) { return vqtbl1q_u8(table, vandq_u8(index, vdupq_n_u8(0x8F))); }
@FN @V $lookup16_or_zero8(@V table, @V index) { return vqtbl1q_u8(table, index); }
@FN uint8x16x4_t $group(const uint8_t *p) {
  uint8x16x4_t g;
  g.val[0] = vld1q_u8(p), g.val[1] = vld1q_u8(p + 16), g.val[2] = vld1q_u8(p + 32), g.val[3] = vld1q_u8(p + 48);
  return g;
}
@FN @V $lookup648(const uint8_t *table, @V index) { return vqtbl4q_u8($group(table), index); }
@FN @V $lookup1288(const uint8_t *table, @V index) {
  const @V low = vandq_u8(index, vdupq_n_u8(0x7F));
  return vqtbx4q_u8(vqtbl4q_u8($group(table), low), $group(table + 64), vsubq_u8(low, vdupq_n_u8(64)));
}
@FN @V $lookup2568(const uint8_t *table, @V index) {
  @V v = vqtbl4q_u8($group(table), index);
  v = vqtbx4q_u8(v, $group(table + 64), vsubq_u8(index, vdupq_n_u8(64)));
  v = vqtbx4q_u8(v, $group(table + 128), vsubq_u8(index, vdupq_n_u8(128)));
  return vqtbx4q_u8(v, $group(table + 192), vsubq_u8(index, vdupq_n_u8(192)));
}

// Numbers.
@FN @V $float32_of32(@V a) { return $bits32(vcvtq_f32_u32($to32(a))); }
@FN @V $float32_of_int32(@V a) { return $bits32(vcvtq_f32_s32($signed32(a))); }
@FN @V $float32_of_int3232(@V a) { return $bits32(vcvtq_f32_s32($signed32(a))); }
@FN @V $float32_of_uint3232(@V a) { return $bits32(vcvtq_f32_u32($to32(a))); }
@FN @V $float64_of64(@V a) { return $bits64(vcvtq_f64_u64($to64(a))); }
@FN @V $float64_of_int6464(@V a) { return $bits64(vcvtq_f64_s64($signed64(a))); }
@FN @V $float64_of_uint6464(@V a) { return $bits64(vcvtq_f64_u64($to64(a))); }
@FN @V $float64_of_int32(@H v) { return $bits64(vcvtq_f64_s64(vmovl_s32(vreinterpret_s32_u8(v)))); }
@FN @V $float64_of_float32(@H v) { return $bits64(vcvt_f64_f32(vreinterpret_f32_u8(v))); }
@FN @H $float32_of_float64_half(@V v) { return vreinterpret_u8_f32(vcvt_f32_f64($f64(v))); }
@FN @V $float32_of_float16(@H v) { return $bits32(vcvt_f32_f16(vreinterpret_f16_u8(v))); }
@FN @H $float16_of_float32_half(@V v) { return vreinterpret_u8_f16(vcvt_f16_f32($f32(v))); }
// The nearest, with the next code where it lies on the wrong side: conversions take the mode of the thread.
@FN @V $number_of_half(@H half) { return $bits32(vcvt_f32_f16(vreinterpret_f16_u8(half))); }
@FN uint16x4_t $step_down(@H half, uint32x4_t wrong) {
  const uint16x4_t negative = vreinterpret_u16_s16(vshr_n_s16(vreinterpret_s16_u8(half), 15));
  return vsub_u16(veor_u16(vmovn_u32(wrong), negative), negative);
}
@FN @H $float16_of_float32_rtz_half(@V v) {
  const @H half = $float16_of_float32_half(v);
  const uint32x4_t wrong = vcagtq_f32($f32($number_of_half(half)), $f32(v));
  return vreinterpret_u8_u16(vadd_u16(vreinterpret_u16_u8(half), vmovn_u32(wrong)));
}
@FN @H $float16_of_float32_rtn_half(@V v) {
  const @H half = $float16_of_float32_half(v);
  const uint32x4_t wrong = vcgtq_f32($f32($number_of_half(half)), $f32(v));
  return vreinterpret_u8_u16(vadd_u16(vreinterpret_u16_u8(half), $step_down(half, wrong)));
}
@FN @H $float16_of_float32_rtp_half(@V v) {
  const @H half = $float16_of_float32_half(v);
  const uint32x4_t wrong = vcltq_f32($f32($number_of_half(half)), $f32(v));
  return vreinterpret_u8_u16(vsub_u16(vreinterpret_u16_u8(half), $step_down(half, wrong)));
}
// Rounded to odd 11 bits above the end where float64 would round: on the same side of every midpoint of float32.
@FN @V $odd_above_11(@V a, @V exact_above) {
  const @V dropped = $all64(0x7FF);
  const @V odd = vbicq_u8(vorrq_u8(a, $add64(vandq_u8(a, dropped), dropped)), dropped);
  return vbslq_u8($equal64(exact_above, $zero()), a, odd);
}
@FN @H $float32_of_int64_half(@V a) {
  const @V above = $shr_imm64($add64(a, $all64(0x0010000000000000)), 53);
  return $float32_of_float64_half($float64_of_int6464($odd_above_11(a, above)));
}
@FN @H $float32_of_uint64_half(@V a) {
  return $float32_of_float64_half($float64_of_uint6464($odd_above_11(a, $shr_imm64(a, 53))));
}
@FN @V $nan_becomes@W(@V a, @V nan) {
  const @V magnitude = vandq_u8(a, $all@W((uint@W_t)-1 >> 1));
  const @V is_nan = $greater@W(magnitude, $all@W(@W == 32 ? (uint@W_t)0x7F800000 : (uint@W_t)0x7FF0000000000000));
  return vbslq_u8(is_nan, vorrq_u8(veorq_u8(a, magnitude), nan), a);
}
@FN @V $min_nan232(@V a, @V b) { return vbslq_u8($of32(vcltq_f32($f32(a), $f32(b))), a, b); }
@FN @V $limit_magnitude32(@V a, @V most, @V nan) {
  return $min32($min_nan232(most, vandq_u8(a, $all32(0x7FFFFFFF))), nan);
}
@FN @V $binade32(@V a, @V least) {
  const @V power = $max32(vandq_u8(a, $all32(0x7F800000)), least);
  return vorrq_u8(power, vandq_u8(a, $all32(0x80000000)));
}
@FN @V $multiply_add32(@V a, @V b, @V c) { return $bits32(vfmaq_f32($f32(c), $f32(a), $f32(b))); }
@FN @V $fused_multiply_add32(@V a, @V b, @V c) { return $multiply_add32(a, b, c); }
// The integer, or 2^31 where there is none.
@FN @V $or_indefinite(int32x4_t integer, @V a) {
  const @V fits = $greater32($all32(0x4F000000), vandq_u8(a, $all32(0x7FFFFFFF)));
  return vbslq_u8(fits, $of_signed32(integer), $all32(0x80000000));
}
@FN @V $int32_of_float32_rtz32(@V a) { return $or_indefinite(vcvtq_s32_f32($f32(a)), a); }
@FN @V $int32_of_float32_rne32(@V a) { return $or_indefinite(vcvtnq_s32_f32($f32(a)), a); }
@FN @V $int32_of_float32_rna32(@V a) { return $of_signed32(vcvtaq_s32_f32($f32(a))); }
@FN @V $int32_of_float32_rtn32(@V a) { return $of_signed32(vcvtmq_s32_f32($f32(a))); }
@FN @V $int32_of_float32_rtp32(@V a) { return $of_signed32(vcvtpq_s32_f32($f32(a))); }
// An integer of 2^24 or more comes from an a that is one: the conversion back is exact.
@FN @V $int32_of_float32_rto32(@V a) {
  const int32x4_t below = vcvtmq_s32_f32($f32(a));
  const @V exact = $of32(vceqq_f32(vcvtq_f32_s32(below), $f32(a)));
  return vorrq_u8($of_signed32(below), vbicq_u8($all32(1), exact));
}
// a less the nearest multiple of 2^32: exact, at most 2^31 in magnitude; a itself when it has a fraction.
@FN float32x4_t $less_turns32(@V a) {
  const float32x4_t turns = vrndnq_f32(vmulq_f32($f32(a), vdupq_n_f32(2.3283064365386963e-10f)));
  return vfmsq_f32($f32(a), turns, vdupq_n_f32(4294967296.0f));
}
@FN @V $by_sign(float32x4_t v, int32x4_t negative, uint32x4_t other) {
  return vbslq_u8($of32(vcltzq_s32(vreinterpretq_s32_f32(v))), $of_signed32(negative), $of32(other));
}
@FN @V $int32_of_float32_wrap_rtz32(@V a) {
  const float32x4_t v = $less_turns32(a);
  return $by_sign(v, vcvtq_s32_f32(v), vcvtq_u32_f32(v));
}
@FN @V $int32_of_float32_wrap_rne32(@V a) {
  const float32x4_t v = $less_turns32(a);
  return $by_sign(v, vcvtnq_s32_f32(v), vcvtnq_u32_f32(v));
}
// a less a multiple of 2^32, toward zero: exact, below 2^32 in magnitude.
@FN float64x2_t $less_turns64(@V a) {
  const float64x2_t turns = vrndq_f64(vmulq_f64($f64(a), vdupq_n_f64(2.3283064365386963e-10)));
  return vfmsq_f64($f64(a), turns, vdupq_n_f64(4294967296.0));
}
@FN @V $int32_of_float64_wrap_rtz(@V a, @V b) {
  return $even32($of_signed64(vcvtq_s64_f64($less_turns64(a))), $of_signed64(vcvtq_s64_f64($less_turns64(b))));
}
@FN @V $int32_of_float64_wrap_rne(@V a, @V b) {
  return $even32($of_signed64(vcvtnq_s64_f64($less_turns64(a))), $of_signed64(vcvtnq_s64_f64($less_turns64(b))));
}

// Elements that share bytes.
@FN @V $unpack4(const unsigned char *p) {
  const @V x = $load_widened8_16(p);
  return vandq_u8(vorrq_u8(x, $shl_imm16(x, 4)), vdupq_n_u8(0x0F));
}
@FN @V $unpack2(const unsigned char *p) {
  const @V x = $load_widened8_32(p);
  const @V nibbles = vandq_u8(vorrq_u8(x, $shl_imm32(x, 12)), $all32(0x000F000F));
  return vandq_u8(vorrq_u8(nibbles, $shl_imm32(nibbles, 6)), vdupq_n_u8(3));
}
@FN @V $nibble_pairs(@V v) { return vandq_u8(vorrq_u8(v, $shr_imm16(v, 4)), $all16(0xFF)); }
@FN @V $crumbs_of_four(@V v) {
  const @V pairs = vandq_u8(vorrq_u8(v, $shr_imm16(v, 6)), $all16(0x0F));
  return vandq_u8(vorrq_u8(pairs, $shr_imm32(pairs, 12)), $all32(0xFF));
}
// Each lane's own bit of the byte it belongs to; the first is the top one.
@FN @V $unpack1_high(const unsigned char *p) {
  const @V spread = vcombine_u8(vdup_n_u8(p[0]), vdup_n_u8(p[1]));
  return vandq_u8(vtstq_u8(spread, $all64(0x0102040810204080)), vdupq_n_u8(1));
}
@FN void $pack1_high(unsigned char *p, @V v) {
  const @V bits = vshlq_u8(vandq_u8(v, vdupq_n_u8(1)), $signed8($all64(0x0001020304050607)));
  p[0] = vaddv_u8(vget_low_u8(bits)), p[1] = vaddv_u8(vget_high_u8(bits));
}
// Four elements of 6 bits are three bytes: each 16-bit lane gets two of them, moved to its top.
@FN @V $unpack6(const unsigned char *p) {
  static const uint8_t places[16] = {0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11};
  const @V bytes = vcombine_u8(vld1_u8(p), vget_low_u8($first4(p + 8)));
  const @V windows = vqtbl1q_u8(bytes, vld1q_u8(places));
  const @V pairs = $of16(vmulq_u16($to16(windows), $to16($all32(0x00010010))));
  return vorrq_u8(vandq_u8($shr_imm16(pairs, 4), $all16(0x003F)), vandq_u8($shr_imm16(pairs, 2), $all16(0x3F00)));
}
@FN void $pack6(unsigned char *p, @V v) {
  static const uint8_t places[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255};
  const @V pairs = vorrq_u8(vandq_u8(v, $all16(0x003F)), vandq_u8($shr_imm16(v, 2), $all16(0x0FC0)));
  const @V fours = vorrq_u8(vandq_u8(pairs, $all32(0x0FFF)), vandq_u8($shr_imm32(pairs, 4), $all32(0x00FFF000)));
  const @V bytes = vqtbl1q_u8(fours, vld1q_u8(places));
  const uint32_t last = vgetq_lane_u32($to32(bytes), 2);
  vst1_u8(p, vget_low_u8(bytes));
  memcpy(p + 8, &last, 4);
}
#define $taken(v, n, mask) vandq_u8($shr_imm16(v, n), vdupq_n_u8(mask))
#define $above(a, b, n) vorrq_u8(a, $shl_imm16(b, n))
// From one to the other: a vector holds the first elements of bytes, another the second ones, and so on.
@FN void $load_planes4_4(const unsigned char *p, @V *v) {
  const @V x = vld1q_u8(p);
  v[0] = vandq_u8(x, vdupq_n_u8(15)), v[1] = $taken(x, 4, 15);
}
@FN void $load_planes4_2(const unsigned char *p, @V *v) {
  $load_planes4_4(p, v), $load_planes4_4(p + 16, v + 2);
}
@FN void $load_planes2_2(const unsigned char *p, @V *v) {
  const @V x = vld1q_u8(p);
  v[0] = vandq_u8(x, vdupq_n_u8(3)), v[1] = $taken(x, 2, 3), v[2] = $taken(x, 4, 3), v[3] = $taken(x, 6, 3);
}
@FN void $load_planes2_4(const unsigned char *p, @V *v) { $load_planes2_2(p, v); }
@FN void $store_planes4_4(unsigned char *p, const @V *v) { vst1q_u8(p, $above(v[0], v[1], 4)); }
@FN void $store_planes2_2(unsigned char *p, const @V *v) {
  const @V low = $above(v[0], v[1], 2), high = $above(v[2], v[3], 2);
  vst1q_u8(p, $above(low, high, 4));
}
@FN void $store_planes4_2(unsigned char *p, const @V *v) {
  const @V low = $nibble_pairs($above(v[0], v[1], 2)), high = $nibble_pairs($above(v[2], v[3], 2));
  vst1q_u8(p, $even8(low, high));
}
@FN void $store_planes2_4(unsigned char *p, const @V *v) {
  const @V low = $above(v[0], v[1], 4), high = $above(v[2], v[3], 4);
  vst1q_u8(p, $interleave_low8(low, high)), vst1q_u8(p + 16, $interleave_high8(low, high));
}

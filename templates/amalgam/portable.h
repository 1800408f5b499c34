// No vectors: what the operations mean, in standard C.
//@ bytes 0

@FN uint@W_t $min@W(uint@W_t a, uint@W_t b) { return a < b ? a : b; }
@FN uint@W_t $subtract_or_zero@W(uint@W_t a, uint@W_t b) { return a > b ? (uint@W_t)(a - b) : 0; }
@FN uint@W_t $max@W(uint@W_t a, uint@W_t b) { return a < b ? b : a; }
@FN int@W_t $signed@W(uint@W_t a) { int@W_t s; memcpy(&s, &a, sizeof s); return s; }
@FN uint@W_t $min_signed@W(uint@W_t a, uint@W_t b) { return $signed@W(a) < $signed@W(b) ? a : b; }
@FN uint@W_t $max_signed@W(uint@W_t a, uint@W_t b) { return $signed@W(a) < $signed@W(b) ? b : a; }
@FN uint@W_t $greater_signed_ones@W(uint@W_t a, uint@W_t b) {
  return (uint@W_t)($signed@W(a) > $signed@W(b) ? -1 : 0);
}
@FN uint8_t $negate_where8(uint8_t a, uint8_t sign) { return (uint8_t)(sign >> 7 ? 0 - a : a); }
@FN uint@W_t $sar_imm@W(uint@W_t a, int n) {
  const uint@W_t sign = (uint@W_t)((uint64_t)1 << (@W - 1 - n));
  return (uint@W_t)(((a >> n) ^ sign) - sign);
}
@FN uint@W_t $shl@W(uint@W_t a, uint@W_t n) { return n < @W ? (uint@W_t)(a << n) : 0; }
@FN uint@W_t $shr@W(uint@W_t a, uint@W_t n) { return n < @W ? (uint@W_t)(a >> n) : 0; }
@FN uint@W_t $merge@W(uint@W_t m, uint@W_t a, uint@W_t b) { return (uint@W_t)((a & m) | (b & ~m)); }
@FN uint8_t $byte@W(uint@W_t a, int n) { return (uint8_t)(a >> (8 * n)); }
@FN uint8_t $sign8@W(uint@W_t a, int n) { return (uint8_t)(a >> (@W - 1) << n); }
@FN uint8_t $fold32(uint32_t a, int n) { return (uint8_t)(a + (a >> n)); }
@FN uint16_t $high_half32(uint32_t a) { return (uint16_t)(a >> 16); }
@FN uint16_t $round_high_half32(uint32_t a) { return (uint16_t)((a + 0x7FFF + ((a >> 16) & 1)) >> 16); }
@FN uint16_t $odd_high_half32(uint32_t a) { return (uint16_t)(a >> 16 | ((a & 0xFFFF) != 0)); }
@FN uint16_t $widen_signed8_16(uint8_t a) { return (uint16_t)((a ^ 0x80) - 0x80); }
@FN uint32_t $widen_signed8_32(uint8_t a) { return (uint32_t)((a ^ 0x80) - 0x80); }
@FN uint64_t $widen_signed8_64(uint8_t a) { return (uint64_t)(int64_t)((a ^ 0x80) - 0x80); }
@FN uint32_t $widen_signed16_32(uint16_t a) { return (uint32_t)((a ^ 0x8000) - 0x8000); }
@FN uint64_t $widen_signed16_64(uint16_t a) { return (uint64_t)(int64_t)((a ^ 0x8000) - 0x8000); }
@FN uint64_t $widen_signed32_64(uint32_t a) { return ((uint64_t)a ^ 0x80000000u) - 0x80000000u; }

@FN uint32_t $join8_32(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return (uint32_t)a | (uint32_t)b << 8 | (uint32_t)c << 16 | (uint32_t)d << 24;
}
@FN uint16_t $join8_16(uint8_t a, uint8_t b) { return (uint16_t)(a | b << 8); }

// Floating point: numbers are bit patterns. The function that runs it has set the environment.
@FN float $f32(uint32_t a) { float f; memcpy(&f, &a, sizeof f); return f; }
@FN double $f64(uint64_t a) { double f; memcpy(&f, &a, sizeof f); return f; }
@FN uint32_t $bits32(float f) { uint32_t a; memcpy(&a, &f, sizeof a); return a; }
@FN uint64_t $bits64(double f) { uint64_t a; memcpy(&a, &f, sizeof a); return a; }
@FN uint32_t $float32_of32(uint32_t a) { return $bits32((float)a); }
@FN uint32_t $float32_of_int32(uint32_t a) { return $bits32((float)$signed32(a)); }
@FN uint32_t $float32_of_int3232(uint32_t a) { return $bits32((float)$signed32(a)); }
@FN uint32_t $float32_of_uint3232(uint32_t a) { return $bits32((float)a); }
@FN uint32_t $float32_of_int6464(uint64_t a) { return $bits32((float)$signed64(a)); }
@FN uint32_t $float32_of_uint6464(uint64_t a) { return $bits32((float)a); }
@FN uint64_t $float64_of64(uint64_t a) { return $bits64((double)a); }
@FN uint64_t $float64_of_int6464(uint64_t a) { return $bits64((double)$signed64(a)); }
@FN uint64_t $float64_of_uint6464(uint64_t a) { return $bits64((double)a); }
@FN uint64_t $float64_of_int3232(uint32_t a) { return $bits64((double)$signed32(a)); }
@FN uint32_t $nan_becomes32(uint32_t a, uint32_t nan) {
  return (a & 0x7FFFFFFF) > 0x7F800000 ? (a & 0x80000000u) | nan : a;
}
@FN uint64_t $nan_becomes64(uint64_t a, uint64_t nan) {
  return (a & 0x7FFFFFFFFFFFFFFFu) > 0x7FF0000000000000u ? (a & 0x8000000000000000u) | nan : a;
}
@FN uint32_t $min_nan232(uint32_t a, uint32_t b) { return $f32(a) < $f32(b) ? a : b; }
@FN uint32_t $limit_magnitude32(uint32_t a, uint32_t most, uint32_t nan) {
  const uint32_t magnitude = a & 0x7FFFFFFF;
  return magnitude > 0x7F800000 ? nan : magnitude < most ? magnitude : most;
}
@FN uint32_t $binade32(uint32_t a, uint32_t least) {
  const uint32_t power = a & 0x7F800000;
  return (power < least ? least : power) | (a & 0x80000000u);
}
// The product is exact: the sum alone rounds.
@FN uint32_t $multiply_add32(uint32_t a, uint32_t b, uint32_t c) { return $bits32($f32(a) * $f32(b) + $f32(c)); }
@FN uint32_t $fused_multiply_add32(uint32_t a, uint32_t b, uint32_t c) { return $multiply_add32(a, b, c); }
// NaN: quieted, sign and the leading payload bits kept.
@FN uint32_t $float32_of_float1616(uint16_t a) {
  const uint32_t sign = (uint32_t)(a & 0x8000) << 16, magnitude = a & 0x7FFF;
  if (magnitude >= 0x7C00) return sign | (magnitude > 0x7C00 ? 0x7FC00000 : 0x7F800000) | (magnitude & 0x3FF) << 13;
  if (magnitude >= 0x0400) return sign | ((magnitude << 13) + 0x38000000);
  return sign | $bits32((float)magnitude * 5.9604644775390625e-8f);
}
@FN uint16_t $float16_of_float3232(uint32_t a) {
  const uint32_t magnitude = a & 0x7FFFFFFF;
  const uint16_t sign = (uint16_t)(a >> 16 & 0x8000);
  if (magnitude > 0x7F800000) return (uint16_t)(sign | 0x7E00 | (magnitude >> 13 & 0x3FF));
  if (magnitude >= 0x47800000) return (uint16_t)(sign | 0x7C00);
  if (magnitude >= 0x38800000) return (uint16_t)(sign | (magnitude + (magnitude >> 13 & 1) + 0xC8000FFFu) >> 13);
  return (uint16_t)(sign | ($bits32($f32(magnitude) + 0.5f) - 0x3F000000));
}
@FN uint64_t $float64_of_float3232(uint32_t a) {
  const uint64_t sign = (uint64_t)(a & 0x80000000u) << 32, magnitude = a & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return sign | 0x7FF8000000000000u | (magnitude & 0x7FFFFF) << 29;
  return $bits64((double)$f32(a));
}
@FN uint32_t $float32_of_float6464(uint64_t a) {
  const uint64_t magnitude = a & 0x7FFFFFFFFFFFFFFFu;
  if (magnitude > 0x7FF0000000000000u)
    return (uint32_t)(a >> 32 & 0x80000000u) | 0x7FC00000 | (uint32_t)(magnitude >> 29 & 0x7FFFFF);
  return $bits32((float)$f64(a));
}
// In two's complement, 2^31 for NaN and from 2^31 on.
@FN uint32_t $int32_of_float32_rtz32(uint32_t a) {
  return (a & 0x7FFFFFFF) < 0x4F000000 ? (uint32_t)(int32_t)$f32(a) : 0x80000000u;
}
// Below 2^23 the sum of 2^23 and the magnitude leaves the nearest integer in the low bits.
@FN uint32_t $int32_of_float32_rne32(uint32_t a) {
  const uint32_t magnitude = a & 0x7FFFFFFF;
  uint32_t whole;
  if (magnitude >= 0x4B000000) return $int32_of_float32_rtz32(a);
  whole = $bits32($f32(magnitude) + 8388608.0f) - 0x4B000000;
  return a >> 31 != 0 ? 0 - whole : whole;
}
@FN uint32_t $int32_of_float32_rtn32(uint32_t a) {
  const int32_t whole = (int32_t)$f32(a);
  return (uint32_t)whole - ($f32(a) < (float)whole ? 1 : 0);
}
@FN uint32_t $int32_of_float32_rtp32(uint32_t a) {
  const int32_t whole = (int32_t)$f32(a);
  return (uint32_t)whole + ($f32(a) > (float)whole ? 1 : 0);
}
@FN uint32_t $int32_of_float32_rto32(uint32_t a) {
  const int32_t whole = (int32_t)$f32(a);
  return $int32_of_float32_rtn32(a) | ($f32(a) != (float)whole ? 1 : 0);
}
// The largest float32 below 1/2, with the sign of a: a sum that reaches the next integer only from halfway on.
@FN uint32_t $int32_of_float32_rna32(uint32_t a) {
  return (uint32_t)(int32_t)($f32(a) + $f32((a & 0x80000000u) | 0x3EFFFFFF));
}

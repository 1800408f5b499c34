// No vectors: what the operations mean, in standard C.
//@ bytes 0

@FN uint@W_t $min@W(uint@W_t a, uint@W_t b) { return a < b ? a : b; }
@FN uint@W_t $max@W(uint@W_t a, uint@W_t b) { return a < b ? b : a; }
@FN int@W_t $signed@W(uint@W_t a) { int@W_t s; memcpy(&s, &a, sizeof s); return s; }
@FN uint@W_t $min_signed@W(uint@W_t a, uint@W_t b) { return $signed@W(a) < $signed@W(b) ? a : b; }
@FN uint@W_t $max_signed@W(uint@W_t a, uint@W_t b) { return $signed@W(a) < $signed@W(b) ? b : a; }
@FN uint@W_t $greater_signed_ones@W(uint@W_t a, uint@W_t b) {
  return (uint@W_t)($signed@W(a) > $signed@W(b) ? -1 : 0);
}
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
@FN uint16_t $widen_signed8_16(uint8_t a) { return (uint16_t)((a ^ 0x80) - 0x80); }
@FN uint32_t $widen_signed8_32(uint8_t a) { return (uint32_t)((a ^ 0x80) - 0x80); }
@FN uint64_t $widen_signed8_64(uint8_t a) { return (uint64_t)(int64_t)((a ^ 0x80) - 0x80); }
@FN uint32_t $widen_signed16_32(uint16_t a) { return (uint32_t)((a ^ 0x8000) - 0x8000); }
@FN uint64_t $widen_signed16_64(uint16_t a) { return (uint64_t)(int64_t)((a ^ 0x8000) - 0x8000); }
@FN uint64_t $widen_signed32_64(uint32_t a) { return ((uint64_t)a ^ 0x80000000u) - 0x80000000u; }

// Floating point: numbers are bit patterns. The function that runs it has set the environment.
@FN float $f32(uint32_t a) { float f; memcpy(&f, &a, sizeof f); return f; }
@FN double $f64(uint64_t a) { double f; memcpy(&f, &a, sizeof f); return f; }
@FN uint32_t $bits32(float f) { uint32_t a; memcpy(&a, &f, sizeof a); return a; }
@FN uint64_t $bits64(double f) { uint64_t a; memcpy(&a, &f, sizeof a); return a; }
// a is below 2^32: planted under the exponent of 2^52, less which it is itself.
@FN uint64_t $float64_of64(uint64_t a) {
  const double high = $f64(0x4530000000000000u | a >> 32) - $f64(0x4530000000100000u);
  return $bits64(high + $f64(0x4330000000000000u | (a & 0xFFFFFFFFu))) & 0x7FFFFFFFFFFFFFFFu;
}

// Operations on batches on AArch64. xsimd's operators go through function pointers there and leave weak copies of
// functions behind, hence the compiler's own operators on vectors, which are the same instructions; conversions and
// lookups are intrinsics.
#pragma once

#include "simd/batch.hpp"

namespace castforge::inline CASTFORGE_ISA::lane::kernel {

using namespace detail;  // NOLINT: the helpers of batch.hpp
using xsimd::neon64;

template <class U> using Signed = Native<std::make_signed_t<U>>;
template <class U> CASTFORGE_INLINE Native<U> nat(Batch<U> v) { return native<U>(v); }
template <class U> CASTFORGE_INLINE Signed<U> sig(Batch<U> v) { return native<std::make_signed_t<U>>(v); }
template <class U> CASTFORGE_INLINE Batch<U> all(U value) { return batch_of<U>(Native<U>{} + value); }
template <class U, class N> CASTFORGE_INLINE BatchMask<U> mask_of(N ones) {
  return BatchMask<U>(reinterpret_cast<typename BatchMask<U>::register_type>(ones));
}

template <class U> CASTFORGE_INLINE Batch<U> load(const std::byte* p, Batch<U>, neon64) {
  return batch_of<U>(first_bytes<16>(p));
}
template <class U> CASTFORGE_INLINE void store(std::byte* p, Batch<U> v, neon64) { std::memcpy(p, &v.data, 16); }

// Lane by lane: a and b as vectors of the compiler's, whose operators these are.
#define CASTFORGE_LANEWISE(name, result, expression) \
  template <class U> CASTFORGE_INLINE auto name(Batch<U> a, Batch<U> b, neon64) { return result<U>(expression); }
CASTFORGE_LANEWISE(add, batch_of, nat(a) + nat(b))
CASTFORGE_LANEWISE(subtract, batch_of, nat(a) - nat(b))
CASTFORGE_LANEWISE(multiply, batch_of, nat(a) * nat(b))
CASTFORGE_LANEWISE(bit_and, batch_of, nat(a) & nat(b))
CASTFORGE_LANEWISE(bit_or, batch_of, nat(a) | nat(b))
CASTFORGE_LANEWISE(bit_xor, batch_of, nat(a) ^ nat(b))
// There are no minima of 64-bit lanes; of others, below, g++ 12 sees comparisons only.
CASTFORGE_LANEWISE(min, batch_of, nat(a) < nat(b) ? nat(a) : nat(b))
CASTFORGE_LANEWISE(max, batch_of, nat(a) > nat(b) ? nat(a) : nat(b))
CASTFORGE_LANEWISE(min_signed, batch_of, sig(a) < sig(b) ? sig(a) : sig(b))
CASTFORGE_LANEWISE(max_signed, batch_of, sig(a) > sig(b) ? sig(a) : sig(b))
CASTFORGE_LANEWISE(eq, mask_of, nat(a) == nat(b))
CASTFORGE_LANEWISE(gt, mask_of, sig(a) > sig(b))
CASTFORGE_LANEWISE(gt_unsigned, mask_of, nat(a) > nat(b))
#undef CASTFORGE_LANEWISE

CASTFORGE_INLINE int8x16_t s(B8 v) { return reinterpret_cast<int8x16_t>(v.data); }
CASTFORGE_INLINE int16x8_t s(B16 v) { return reinterpret_cast<int16x8_t>(v.data); }
CASTFORGE_INLINE int32x4_t s(B32 v) { return reinterpret_cast<int32x4_t>(v.data); }
CASTFORGE_INLINE int64x2_t s(B64 v) { return reinterpret_cast<int64x2_t>(v.data); }

CASTFORGE_INLINE B8 min(B8 a, B8 b, neon64) { return B8(vminq_u8(a, b)); }
CASTFORGE_INLINE B16 min(B16 a, B16 b, neon64) { return B16(vminq_u16(a, b)); }
CASTFORGE_INLINE B32 min(B32 a, B32 b, neon64) { return B32(vminq_u32(a, b)); }
CASTFORGE_INLINE B8 max(B8 a, B8 b, neon64) { return B8(vmaxq_u8(a, b)); }
CASTFORGE_INLINE B16 max(B16 a, B16 b, neon64) { return B16(vmaxq_u16(a, b)); }
CASTFORGE_INLINE B32 max(B32 a, B32 b, neon64) { return B32(vmaxq_u32(a, b)); }
CASTFORGE_INLINE B8 min_signed(B8 a, B8 b, neon64) { return batch_of<u8>(vminq_s8(s(a), s(b))); }
CASTFORGE_INLINE B16 min_signed(B16 a, B16 b, neon64) { return batch_of<u16>(vminq_s16(s(a), s(b))); }
CASTFORGE_INLINE B32 min_signed(B32 a, B32 b, neon64) { return batch_of<u32>(vminq_s32(s(a), s(b))); }
CASTFORGE_INLINE B8 max_signed(B8 a, B8 b, neon64) { return batch_of<u8>(vmaxq_s8(s(a), s(b))); }
CASTFORGE_INLINE B16 max_signed(B16 a, B16 b, neon64) { return batch_of<u16>(vmaxq_s16(s(a), s(b))); }
CASTFORGE_INLINE B32 max_signed(B32 a, B32 b, neon64) { return batch_of<u32>(vmaxq_s32(s(a), s(b))); }

template <class U> CASTFORGE_INLINE BatchMask<U> mask_and(BatchMask<U> a, BatchMask<U> b, neon64) {
  return mask_of<U>(a.data & b.data);
}
template <class U> CASTFORGE_INLINE Batch<U> merge(Batch<U> m, Batch<U> a, Batch<U> b, neon64) {
  return batch_of<U>(nat(b) ^ ((nat(a) ^ nat(b)) & nat(m)));
}
template <class U> CASTFORGE_INLINE Batch<U> select(BatchMask<U> m, Batch<U> a, Batch<U> b, neon64) {
  return merge(Batch<U>(m.data), a, b, neon64{});
}
template <class U> CASTFORGE_INLINE Batch<U> keep_where(BatchMask<U> m, Batch<U> a, neon64) {
  return batch_of<U>(nat(a) & nat(Batch<U>(m.data)));
}
template <class U> CASTFORGE_INLINE Batch<U> clear_where(BatchMask<U> m, Batch<U> a, neon64) {
  return batch_of<U>(nat(a) & ~nat(Batch<U>(m.data)));
}
template <class U> CASTFORGE_INLINE Batch<U> shift_left(Batch<U> a, int n, neon64) {
  return batch_of<U>(nat(a) << static_cast<U>(n));
}
template <class U> CASTFORGE_INLINE Batch<U> shift_right(Batch<U> a, int n, neon64) {
  return batch_of<U>(nat(a) >> static_cast<U>(n));
}
template <class U, int n> CASTFORGE_INLINE Batch<U> sar(Batch<U> a, std::integral_constant<int, n>, neon64) {
  return batch_of<U>(sig(a) >> static_cast<std::make_signed_t<U>>(n));
}

// The instructions take the low byte of a lane as the count, in two's complement: to the right where it is negative.
CASTFORGE_INLINE B16 shifted(B16 a, Signed<u16> n) { return B16(vshlq_u16(a, reinterpret_cast<int16x8_t>(n))); }
CASTFORGE_INLINE B32 shifted(B32 a, Signed<u32> n) { return B32(vshlq_u32(a, reinterpret_cast<int32x4_t>(n))); }
CASTFORGE_INLINE B64 shifted(B64 a, Signed<u64> n) { return B64(vshlq_u64(a, reinterpret_cast<int64x2_t>(n))); }
template <class U> CASTFORGE_INLINE Batch<U> limited(Batch<U> n) {
  return min(n, all(static_cast<U>(kBitsOf<U>)), neon64{});
}
template <class U> CASTFORGE_INLINE Batch<U> shl(Batch<U> a, Batch<U> n, neon64) { return shifted(a, sig(limited(n))); }
template <class U> CASTFORGE_INLINE auto shr(Batch<U> a, Batch<U> n, neon64) { return shifted(a, -sig(limited(n))); }

CASTFORGE_INLINE B8 add_saturated(B8 a, B8 b, neon64) { return B8(vqaddq_u8(a, b)); }
CASTFORGE_INLINE B8 subtract_or_zero(B8 a, B8 b, neon64) { return B8(vqsubq_u8(a, b)); }
CASTFORGE_INLINE B16 subtract_or_zero(B16 a, B16 b, neon64) { return B16(vqsubq_u16(a, b)); }
CASTFORGE_INLINE B8 subtract_saturated(B8 a, B8 b, neon64) { return batch_of<u8>(vqsubq_s8(s(a), s(b))); }
CASTFORGE_INLINE B8 abs(B8 a, neon64) { return batch_of<u8>(vabsq_s8(s(a))); }
CASTFORGE_INLINE B8 negate_where(B8 a, B8 s, neon64) { return batch_of<u8>(sig(s) < 0 ? -nat(a) : nat(a)); }

// Widths. The even and the odd lanes of two vectors, each half as wide.
template <int kOdd, class U> CASTFORGE_INLINE auto alternate(Batch<U> a, Batch<U> b) {
  using To = Unsigned<4 * sizeof(U)>;
  return shuffled<kEvery<kOdd>>(as<To>(a), as<To>(b));
}
template <int kOdd, class U> CASTFORGE_INLINE auto alternate(Batch<U> a, Batch<U> b, Batch<U> c, Batch<U> d) {
  return alternate<kOdd>(alternate<kOdd>(a, b), alternate<kOdd>(c, d));
}
template <int kOdd, class U>
CASTFORGE_INLINE B8 alternate(Batch<U> a, Batch<U> b, Batch<U> c, Batch<U> d, Batch<U> e, Batch<U> f, Batch<U> g,
                              Batch<U> h) {
  return alternate<kOdd>(alternate<kOdd>(a, b), alternate<kOdd>(c, d), alternate<kOdd>(e, f), alternate<kOdd>(g, h));
}
CASTFORGE_INLINE B32 narrow(B64 a, B64 b, neon64) { return alternate<0>(a, b); }
CASTFORGE_INLINE B16 narrow(B32 a, B32 b, neon64) { return alternate<0>(a, b); }
CASTFORGE_INLINE B8 narrow(B16 a, B16 b, neon64) { return alternate<0>(a, b); }
CASTFORGE_INLINE B16 truncate(B32 a, B32 b, neon64) { return alternate<0>(a, b); }
CASTFORGE_INLINE B8 truncate(B16 a, B16 b, neon64) { return alternate<0>(a, b); }
CASTFORGE_INLINE B8 truncate(B32 a, B32 b, B32 c, B32 d, neon64) { return alternate<0>(a, b, c, d); }
CASTFORGE_INLINE B16 truncate(B64 a, B64 b, B64 c, B64 d, neon64) { return alternate<0>(a, b, c, d); }
CASTFORGE_INLINE B8 truncate(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h, neon64) {
  return alternate<0>(a, b, c, d, e, f, g, h);
}
CASTFORGE_INLINE B8 signs(B16 a, B16 b, neon64) { return alternate<1>(a, b); }
CASTFORGE_INLINE B8 signs(B32 a, B32 b, B32 c, B32 d, neon64) { return alternate<1>(a, b, c, d); }
CASTFORGE_INLINE B8 signs(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h, neon64) {
  return alternate<1>(a, b, c, d, e, f, g, h);
}
CASTFORGE_INLINE B8 bit_of_signs(B8 signs, int down, neon64) {
  return bit_and(shift_right(signs, down, neon64{}), all(static_cast<u8>(0x80 >> down)), neon64{});
}
template <int k> CASTFORGE_INLINE B8 byte(std::integral_constant<int, k>, B16 a, B16 b, neon64) {
  return alternate<k>(a, b);
}
template <int k> CASTFORGE_INLINE B8 byte(std::integral_constant<int, k>, B32 a, B32 b, B32 c, B32 d, neon64) {
  return alternate<k % 2>(alternate<k / 2>(a, b), alternate<k / 2>(c, d));
}
CASTFORGE_INLINE B16 high_half(B32 a, B32 b, neon64) { return alternate<1>(a, b); }
// The upper half of a sum is one instruction; the lowest bit that stays, on which a tie depends, comes in by another.
CASTFORGE_INLINE B32 with_tie(B32 v) { return B32(vsraq_n_u32(v, vshlq_n_u32(v, 15), 31)); }
CASTFORGE_INLINE B16 round_high_half(B32 a, B32 b, neon64) {
  const uint32x4_t below_half = vdupq_n_u32(0x7FFF);
  return B16(vaddhn_high_u32(vaddhn_u32(with_tie(a), below_half), with_tie(b), below_half));
}
template <int n> CASTFORGE_INLINE B32 fold_one(B32 v) { return batch_of<u32>(nat(v) + (nat(v) >> n)); }
template <int n> CASTFORGE_INLINE B8 fold(std::integral_constant<int, n>, B32 a, B32 b, B32 c, B32 d, neon64) {
  return alternate<0>(fold_one<n>(a), fold_one<n>(b), fold_one<n>(c), fold_one<n>(d));
}

// Lanes of twice the width of the lower eight bytes.
template <bool kSigned> CASTFORGE_INLINE B16 wider(B8 v) {
  return kSigned ? batch_of<u16>(vmovl_s8(vget_low_s8(s(v)))) : B16(vmovl_u8(vget_low_u8(v)));
}
template <bool kSigned> CASTFORGE_INLINE B32 wider(B16 v) {
  return kSigned ? batch_of<u32>(vmovl_s16(vget_low_s16(s(v)))) : B32(vmovl_u16(vget_low_u16(v)));
}
template <bool kSigned> CASTFORGE_INLINE B64 wider(B32 v) {
  return kSigned ? batch_of<u64>(vmovl_s32(vget_low_s32(vreinterpretq_s32_u32(v)))) : B64(vmovl_u32(vget_low_u32(v)));
}
template <bool kSigned, class To, class From> CASTFORGE_INLINE Batch<To> widened_to(Batch<From> v) {
  if constexpr (sizeof(From) == sizeof(To)) return as<To>(v);
  else return widened_to<kSigned, To>(wider<kSigned>(v));
}
template <class To, class From, bool kSigned>
CASTFORGE_INLINE Batch<To> load_widened(const std::byte* p, std::bool_constant<kSigned>, From, Batch<To>, neon64) {
  return widened_to<kSigned, To>(batch_of<From>(first_bytes<16 * sizeof(From) / sizeof(To)>(p)));
}

// An index outside the table, or outside a group of 64 entries, gives 0 or leaves what the other groups gave.
CASTFORGE_INLINE B8 repeat16(const std::byte* p, neon64) { return batch_of<u8>(first_bytes<16>(p)); }
CASTFORGE_INLINE B8 lookup16(B8 table, B8 index, neon64) { return B8(vqtbl1q_u8(table, index)); }
CASTFORGE_INLINE B8 lookup16_or_zero(B8 table, B8 index, neon64) { return lookup16(table, index, neon64{}); }
CASTFORGE_INLINE uint8x16x4_t group(const std::byte* table, int i) {
  return vld1q_u8_x4(reinterpret_cast<const u8*>(table) + 64 * i);
}
template <int kGroups> CASTFORGE_INLINE B8 lookup_groups(const std::byte* table, B8 index) {
  B8 result = B8(vqtbl4q_u8(group(table, 0), index));
  const auto next = [&](int i) noexcept CASTFORGE_LAMBDA_INLINE {
    result = B8(vqtbx4q_u8(result, group(table, i), subtract(index, all(static_cast<u8>(64 * i)), neon64{})));
  };
  next(1);
  if constexpr (kGroups == 4) next(2), next(3);
  return result;
}
CASTFORGE_INLINE B8 lookup64(const std::byte* table, B8 index, neon64) {
  return B8(vqtbl4q_u8(group(table, 0), index));
}
CASTFORGE_INLINE B8 lookup128(const std::byte* table, B8 index, neon64) {
  return lookup_groups<2>(table, bit_and(index, all(u8{0x7F}), neon64{}));
}
CASTFORGE_INLINE B8 lookup256(const std::byte* table, B8 index, neon64) { return lookup_groups<4>(table, index); }

template <Packing kPacking> CASTFORGE_INLINE void store_bits(std::byte* p, B8 v, neon64) {
  constexpr u64 kPlaces = kPacking == Packing::high_first ? 0x0001020304050607 : 0x0706050403020100;
  const auto place = reinterpret_cast<Native<u8>>(Native<u64>{kPlaces, kPlaces});
  const B8 bits = batch_of<u8>((nat(v) & u8{1}) << place);
  p[0] = static_cast<std::byte>(vaddv_u8(vget_low_u8(bits)));
  p[1] = static_cast<std::byte>(vaddv_u8(vget_high_u8(bits)));
}
// The first of each pair times the low half of its weights, the second times the high one. The pair is
// first + second * 2^n, so pair * low + second * (high - low * 2^n) is that sum, modulo the lane's width.
template <class To, class U> CASTFORGE_INLINE Batch<To> weighted(Batch<U> v, Batch<To> weights) {
  constexpr int n = kBitsOf<U>;
  const auto pairs = native<To>(v), w = nat(weights), low = w & static_cast<To>((To{1} << n) - 1);
  return batch_of<To>(pairs * low + (pairs >> n) * ((w >> n) - (low << n)));
}
CASTFORGE_INLINE B16 weighted_pairs(B8 v, B16 weights, neon64) { return weighted(v, weights); }
CASTFORGE_INLINE B32 weighted_pairs(B16 v, B32 weights, neon64) { return weighted(v, weights); }

// Floats.
CASTFORGE_INLINE float32x4_t f(B32 v) { return reinterpret_cast<float32x4_t>(v.data); }
CASTFORGE_INLINE float64x2_t f(B64 v) { return reinterpret_cast<float64x2_t>(v.data); }
template <class N> CASTFORGE_INLINE B32 b32(N v) { return batch_of<u32>(v); }
template <class N> CASTFORGE_INLINE B64 b64(N v) { return batch_of<u64>(v); }
CASTFORGE_INLINE B32 float32_of_int32(B32 a, neon64) { return b32(vcvtq_f32_s32(s(a))); }
CASTFORGE_INLINE B32 float32_of_uint32(B32 a, neon64) { return b32(vcvtq_f32_u32(a)); }
CASTFORGE_INLINE B32 float32_of(B32 a, neon64) { return b32(vcvtq_f32_u32(a)); }
CASTFORGE_INLINE B32 float32_of_int(B32 a, neon64) { return b32(vcvtq_f32_s32(s(a))); }
CASTFORGE_INLINE B64 float64_of_int64(B64 a, neon64) { return b64(vcvtq_f64_s64(s(a))); }
CASTFORGE_INLINE B64 float64_of_uint64(B64 a, neon64) { return b64(vcvtq_f64_u64(a)); }
CASTFORGE_INLINE B64 float64_of(B64 a, neon64) { return b64(vcvtq_f64_u64(a)); }
CASTFORGE_INLINE auto float32_of_float64(B64 v, neon64) { return reinterpret_cast<Half<u32>>(vcvt_f32_f64(f(v))); }
CASTFORGE_INLINE auto float16_of_float32(B32 v, neon64) { return reinterpret_cast<Half<u16>>(vcvt_f16_f32(f(v))); }
CASTFORGE_INLINE B32 float32_of_float16(Half<u16> v, neon64) {
  return b32(vcvt_f32_f16(reinterpret_cast<float16x4_t>(v)));
}
// The nearest, with the next code where it lies on the wrong side: conversions take the mode of the thread.
struct NearestHalf {
  float16x4_t half;
  float32x4_t number;
  CASTFORGE_INLINE explicit NearestHalf(B32 v) : half(vcvt_f16_f32(f(v))), number(vcvt_f32_f16(half)) {}
  // The code less one where `wrong` is all ones, of negative numbers plus one; or the other way round.
  CASTFORGE_INLINE auto less(int32x4_t wrong) const { return reinterpret_cast<Half<u16>>(code() + step(wrong)); }
  CASTFORGE_INLINE auto more(int32x4_t wrong) const { return reinterpret_cast<Half<u16>>(code() - step(wrong)); }

 private:
  CASTFORGE_INLINE int16x4_t code() const { return reinterpret_cast<int16x4_t>(half); }
  CASTFORGE_INLINE int16x4_t step(int32x4_t wrong) const {
    const int16x4_t negative = code() >> 15;
    return (vmovn_s32(wrong) ^ negative) - negative;
  }
};
CASTFORGE_INLINE auto float16_of_float32_rtz(B32 v, neon64) {
  const NearestHalf nearest(v);
  const auto wrong = vcagtq_f32(nearest.number, f(v));
  return reinterpret_cast<Half<u16>>(vmovn_u32(wrong) + reinterpret_cast<uint16x4_t>(nearest.half));
}
CASTFORGE_INLINE auto float16_of_float32_rtn(B32 v, neon64) {
  const NearestHalf nearest(v);
  return nearest.less(nearest.number > f(v));
}
CASTFORGE_INLINE auto float16_of_float32_rtp(B32 v, neon64) {
  const NearestHalf nearest(v);
  return nearest.more(nearest.number < f(v));
}
CASTFORGE_INLINE B64 float64_of_float32(Half<u32> v, neon64) {
  return b64(vcvt_f64_f32(reinterpret_cast<float32x2_t>(v)));
}
CASTFORGE_INLINE B64 float64_of_int32(Half<u32> v, neon64) {
  return b64(vcvtq_f64_s64(vmovl_s32(reinterpret_cast<int32x2_t>(v))));
}
// Rounded to odd where it is not exact: no midpoint of float32 numbers is met.
CASTFORGE_INLINE B64 odd_above(B64 a, Native<u64> inexact) {
  const auto v = nat(a);
  return b64(inexact != 0 ? (v | ((v & 0x7FFu) + 0x7FFu)) & ~Native<u64>{} << 11 : v);
}
CASTFORGE_INLINE auto float32_of_int64(B64 a, neon64) {
  return float32_of_float64(float64_of_int64(odd_above(a, (nat(a) + 0x0010000000000000u) >> 53), neon64{}), neon64{});
}
CASTFORGE_INLINE auto float32_of_uint64(B64 a, neon64) {
  return float32_of_float64(float64_of_uint64(odd_above(a, nat(a) >> 53), neon64{}), neon64{});
}

CASTFORGE_INLINE B32 min_nan2(B32 a, B32 b, neon64) {
  return select(mask_of<u32>(native<float>(a) < native<float>(b)), a, b, neon64{});
}
// The sign of a with the rest of the other.
CASTFORGE_INLINE B32 binade(B32 a, B32 least, neon64) {
  return merge(all(0x80000000u), a, max(bit_and(a, all(0x7F800000u), neon64{}), least, neon64{}), neon64{});
}
CASTFORGE_INLINE B32 fused_multiply_add(B32 a, B32 b, B32 c, neon64) { return b32(vfmaq_f32(f(c), f(a), f(b))); }
CASTFORGE_INLINE B32 multiply_add(B32 a, B32 b, B32 c, neon64) { return fused_multiply_add(a, b, c, neon64{}); }
// The integer, or what x86 gives where there is none.
CASTFORGE_INLINE B32 or_indefinite(int32x4_t integer, B32 a) {
  const auto fits = (nat(a) & 0x7FFFFFFFu) < 0x4F000000u;
  return select(mask_of<u32>(fits), b32(integer), all(0x80000000u), neon64{});
}
CASTFORGE_INLINE B32 int32_of_float32_rtz(B32 a, neon64) { return or_indefinite(vcvtq_s32_f32(f(a)), a); }
CASTFORGE_INLINE B32 int32_of_float32_rne(B32 a, neon64) { return or_indefinite(vcvtnq_s32_f32(f(a)), a); }
CASTFORGE_INLINE B32 int32_of_float32_rna(B32 a, neon64) { return b32(vcvtaq_s32_f32(f(a))); }
CASTFORGE_INLINE B32 int32_of_float32_rtn(B32 a, neon64) { return b32(vcvtmq_s32_f32(f(a))); }
CASTFORGE_INLINE B32 int32_of_float32_rtp(B32 a, neon64) { return b32(vcvtpq_s32_f32(f(a))); }
CASTFORGE_INLINE B32 int32_of_float32_rto(B32 a, neon64) {
  // An integer of 2^24 or more comes from an a that is one: the conversion back is exact.
  const int32x4_t below = vcvtmq_s32_f32(f(a));
  return b32(reinterpret_cast<Native<u32>>(below) | ((vcvtq_f32_s32(below) != f(a)) & 1));
}
// a less the nearest multiple of 2^32: exact, at most 2^31 in magnitude; a itself when it has a fraction.
CASTFORGE_INLINE float32x4_t less_turns(B32 a) { return vfmsq_n_f32(f(a), vrndnq_f32(f(a) * 0x1p-32f), 0x1p32f); }
CASTFORGE_INLINE B32 by_sign(float32x4_t v, int32x4_t if_negative, uint32x4_t other) {
  return select(mask_of<u32>(reinterpret_cast<int32x4_t>(v) < 0), b32(if_negative), B32(other), neon64{});
}
CASTFORGE_INLINE B32 int32_of_float32_wrap_rtz(B32 a, neon64) {
  const auto v = less_turns(a);
  return by_sign(v, vcvtq_s32_f32(v), vcvtq_u32_f32(v));
}
CASTFORGE_INLINE B32 int32_of_float32_wrap_rne(B32 a, neon64) {
  const auto v = less_turns(a);
  return by_sign(v, vcvtnq_s32_f32(v), vcvtnq_u32_f32(v));
}
// a less a multiple of 2^32, toward zero: exact, below 2^32 in magnitude.
CASTFORGE_INLINE float64x2_t less_turns(B64 a) { return vfmsq_n_f64(f(a), vrndq_f64(f(a) * 0x1p-32), 0x1p32); }
CASTFORGE_INLINE B32 int32_of_float64_wrap_rtz(B64 a, B64 b, neon64) {
  return alternate<0>(b64(vcvtq_s64_f64(less_turns(a))), b64(vcvtq_s64_f64(less_turns(b))));
}
CASTFORGE_INLINE B32 int32_of_float64_wrap_rne(B64 a, B64 b, neon64) {
  return alternate<0>(b64(vcvtnq_s64_f64(less_turns(a))), b64(vcvtnq_s64_f64(less_turns(b))));
}

}  // namespace castforge::inline CASTFORGE_ISA::lane::kernel

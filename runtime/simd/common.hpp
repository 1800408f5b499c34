// Operations on batches for all targets, written with xsimd's. The file of a target, included before, has better ones.
#pragma once

#include "simd/batch.hpp"

#if CASTFORGE_VECTOR

namespace castforge::inline CASTFORGE_ISA::lane::kernel {

using namespace detail;  // NOLINT: the helpers of batch.hpp

template <class U> CASTFORGE_INLINE Batch<U> load(const std::byte* p, Batch<U>, CommonArch) {
  return Batch<U>::load_unaligned(reinterpret_cast<const U*>(p));
}
template <class U> CASTFORGE_INLINE void store(std::byte* p, Batch<U> v, CommonArch) {
  v.store_unaligned(reinterpret_cast<U*>(p));
}

// With stores of 16 bytes, of which a core keeps a fixed number on their way to memory, plain ones are faster.
constexpr bool streams(CommonArch) { return false; }
CASTFORGE_INLINE void stream_line(std::byte* to, const std::byte* from, CommonArch) { std::memcpy(to, from, 64); }

template <class U> CASTFORGE_INLINE Batch<U> add(Batch<U> a, Batch<U> b, CommonArch) { return a + b; }
template <class U> CASTFORGE_INLINE Batch<U> subtract(Batch<U> a, Batch<U> b, CommonArch) { return a - b; }
CASTFORGE_INLINE B16 multiply(B16 a, B16 b, CommonArch) { return a * b; }
template <class U> CASTFORGE_INLINE Batch<U> bit_and(Batch<U> a, Batch<U> b, CommonArch) { return a & b; }
template <class U> CASTFORGE_INLINE Batch<U> bit_or(Batch<U> a, Batch<U> b, CommonArch) { return a | b; }
template <class U> CASTFORGE_INLINE Batch<U> bit_xor(Batch<U> a, Batch<U> b, CommonArch) { return a ^ b; }
template <class U> CASTFORGE_INLINE BatchMask<U> mask_and(BatchMask<U> a, BatchMask<U> b, CommonArch) { return a & b; }
template <class U> CASTFORGE_INLINE Batch<U> merge(Batch<U> m, Batch<U> a, Batch<U> b, CommonArch) {
  return b ^ ((a ^ b) & m);
}
template <class U> CASTFORGE_INLINE Batch<U> select(BatchMask<U> m, Batch<U> a, Batch<U> b, CommonArch) {
  return xsimd::select(m, a, b);
}
// With the other operand zero. A mask of these targets is a vector of ones and zeros.
template <class U> CASTFORGE_INLINE Batch<U> keep_where(BatchMask<U> m, Batch<U> a, CommonArch) {
  return a & batch_of<U>(m.data);
}
template <class U> CASTFORGE_INLINE Batch<U> clear_where(BatchMask<U> m, Batch<U> a, CommonArch) {
  return xsimd::bitwise_andnot(a, batch_of<U>(m.data));
}

// There are no shifts of bytes: those of words, less the bits that come from the neighbour.
template <class U> CASTFORGE_INLINE Batch<U> shift_left(Batch<U> a, int n, CommonArch) {
  if constexpr (sizeof(U) == 1) return as<U>(as<u16>(a) << n) & broadcast(static_cast<U>(0xFF << n));
  else return a << n;
}
template <class U> CASTFORGE_INLINE Batch<U> shift_right(Batch<U> a, int n, CommonArch) {
  if constexpr (sizeof(U) == 1) return as<U>(as<u16>(a) >> n) & broadcast(static_cast<U>(0xFF >> n));
  else return a >> n;
}
template <int n, class U> CASTFORGE_INLINE Batch<U> sar_by_sign(Batch<U> a) {
  const Batch<U> sign = broadcast(static_cast<U>(U{1} << (kBitsOf<U> - 1 - n)));
  return (shift_right(a, n, CommonArch{}) ^ sign) - sign;
}
template <class U> CASTFORGE_INLINE BatchMask<U> eq(Batch<U> a, Batch<U> b, CommonArch) { return a == b; }
template <class U> CASTFORGE_INLINE BatchMask<U> gt(Batch<U> a, Batch<U> b, CommonArch) {
  return xsimd::batch_bool_cast<U>(as_signed(a) > as_signed(b));
}
template <class U> CASTFORGE_INLINE BatchMask<U> gt_unsigned(Batch<U> a, Batch<U> b, CommonArch) {
  const Batch<U> top = broadcast(static_cast<U>(U{1} << (kBitsOf<U> - 1)));
  return gt(a ^ top, b ^ top, CommonArch{});
}
template <class U> CASTFORGE_INLINE Batch<U> gt_signed_ones(Batch<U> a, Batch<U> b, CommonArch) {
  return batch_of<U>(gt(a, b, Arch{}).data);
}
// n in a type, as it must be a constant for some instructions.
template <class U, int n> CASTFORGE_INLINE Batch<U> sar(Batch<U> a, std::integral_constant<int, n>, CommonArch) {
  if constexpr (sizeof(U) == 2 || sizeof(U) == 4) return as<U>(as_signed(a) >> n);
  else if constexpr (sizeof(U) == 1 && n == 7) return gt_signed_ones(B8(u8{0}), a, Arch{});  // no shift of bytes
  else return sar_by_sign<n>(a);
}
// Below AVX-512 there are no minima of 64-bit lanes.
template <class U> CASTFORGE_INLINE Batch<U> min(Batch<U> a, Batch<U> b, CommonArch) {
  if constexpr (sizeof(U) == 8) return xsimd::select(gt_unsigned(a, b, Arch{}), b, a);
  else return xsimd::min(a, b);
}
template <class U> CASTFORGE_INLINE Batch<U> max(Batch<U> a, Batch<U> b, CommonArch) {
  if constexpr (sizeof(U) == 8) return xsimd::select(gt_unsigned(a, b, Arch{}), a, b);
  else return xsimd::max(a, b);
}
template <class U> CASTFORGE_INLINE Batch<U> min_signed(Batch<U> a, Batch<U> b, CommonArch) {
  if constexpr (sizeof(U) == 8) return xsimd::select(gt(a, b, Arch{}), b, a);
  else return as<U>(xsimd::min(as_signed(a), as_signed(b)));
}
template <class U> CASTFORGE_INLINE Batch<U> max_signed(Batch<U> a, Batch<U> b, CommonArch) {
  if constexpr (sizeof(U) == 8) return xsimd::select(gt(a, b, Arch{}), a, b);
  else return as<U>(xsimd::max(as_signed(a), as_signed(b)));
}

// Below AVX-512 no instruction shifts words by a count for each lane: they are multiplied by powers of two, 2^n modulo
// 2^16, 0 for n >= 16. The two bytes of the power are two lookups by one index, whose bit 3 is flipped for the upper
// byte. A count of 16 gives 10 ^ 08 = 18 hexadecimal; both reach 80 after adding 70, and 80 gives 0.
CASTFORGE_INLINE B16 power_of_two(B16 at_most_16) {
  static constexpr u8 kPowers[16] = {1, 2, 4, 8, 16, 32, 64, 128};
  const B16 both = at_most_16 * broadcast(u16{0x0101}) ^ broadcast(u16{0x0800});
  return as<u16>(lookup16(repeat16(reinterpret_cast<const std::byte*>(kPowers), Arch{}),
                          as<u8>(both) + broadcast(u8{0x70}), Arch{}));
}
template <class U> CASTFORGE_INLINE Batch<U> shl(Batch<U> a, Batch<U> count, CommonArch) {
  if constexpr (sizeof(U) == 2) return a * power_of_two(xsimd::min(count, broadcast(u16{16})));
  else return a << count;
}
template <class U> CASTFORGE_INLINE Batch<U> shr(Batch<U> a, Batch<U> count, CommonArch) {
  if constexpr (sizeof(U) == 2) {
    // a >> n is the upper half of a * 2^(16 - n); of a count of 0, which would need 2^16, 0.
    const B16 most = broadcast(u16{16});
    const B16 shifted = multiply_high(a, power_of_two(most - xsimd::min(count, most)), Arch{});
    return shifted | (a & batch_of<u16>((count == B16(u16{0})).data));
  } else {
    return a >> count;
  }
}

CASTFORGE_INLINE B8 add_saturated(B8 a, B8 b, CommonArch) { return xsimd::sadd(a, b); }
template <class U> CASTFORGE_INLINE Batch<U> subtract_or_zero(Batch<U> a, Batch<U> b, CommonArch) {
  return xsimd::ssub(a, b);
}
// From 16 on the index gets bit 7.
CASTFORGE_INLINE B8 lookup16_or_zero(B8 table, B8 index, CommonArch) {
  return lookup16(table, xsimd::sadd(index, broadcast(u8{0x70})), Arch{});
}
CASTFORGE_INLINE B8 subtract_saturated(B8 a, B8 b, CommonArch) {
  return as<u8>(xsimd::ssub(as_signed(a), as_signed(b)));
}
CASTFORGE_INLINE B8 abs(B8 a, CommonArch) { return as<u8>(xsimd::abs(as_signed(a))); }

// Is a shuffle of bytes as cheap as arithmetic, so that one in place of two operations pays?
constexpr bool prefers_shuffles(CommonArch) { return false; }

// Bytes of lanes placed by one permutation, and packed elements spread to lanes: AVX-512 VBMI.
constexpr bool places_bytes(CommonArch) { return false; }
template <class Where> B8 place_bytes(Where, B8 a, B8 b, CommonArch) = delete;
template <class U, int kBits, Packing kPacking> Batch<U> spread(const std::byte* p, CommonArch) = delete;
// Tables of wide entries: AVX-512 VBMI.
template <class U> Batch<U> lookup8_wide(const std::byte* table, Batch<U> index, CommonArch) = delete;
template <class U> Batch<U> lookup16_upper(const std::byte* table, Batch<U> index, CommonArch) = delete;
template <class U> Batch<U> lookup16_wide(const std::byte* table, Batch<U> index, CommonArch) = delete;

// Width changes. In the targets: narrow() of two vectors, to half the width, and interleave() of two, to twice the
// width. kOrder: the order of what narrow() of two vectors gives, and that interleave() wants (see batch.hpp).
constexpr std::size_t order_of_pack(int /*from_bytes*/, int /*to_bytes*/, CommonArch) { return 1; }
constexpr std::size_t order_of_interleave(CommonArch) { return 1; }
// Is there an instruction for the low bytes of lanes of 16 or 32 bits? low_bytes() begins with them. Without one it has
// no definition; it is not deleted, as Clang 14 looks at a call that `if constexpr` leaves out.
constexpr bool has_low_bytes(CommonArch) { return false; }
template <class U> B8 low_bytes(Batch<U> v, CommonArch);
// Are there instructions that widen the lanes, of so many bytes, of half a vector, across 128-bit parts?
constexpr bool extends_halves(std::size_t /*lane_bytes*/, CommonArch) { return false; }
template <class V, class Signed, class From, class To>
Batch<To> extended(V, Signed, From, Batch<To>, CommonArch) = delete;
// Both halves as one vector.
template <class U, std::size_t... I>
CASTFORGE_INLINE Batch<U> both(Half<U> lower, Half<U> upper, std::index_sequence<I...>) {
  return batch_of<U>(__builtin_shufflevector(lower, upper, I...));
}
template <class U> CASTFORGE_INLINE Batch<U> both(Half<U> lower, Half<U> upper, CommonArch) {
  return both<U>(lower, upper, std::make_index_sequence<kVectorBytes / sizeof(U)>{});
}
template <int kHalf, class U>
CASTFORGE_INLINE Batch<U> interleave(std::integral_constant<int, kHalf>, Batch<U> a, Batch<U> b, CommonArch) {
  return shuffled<kInterleaved<U, kHalf>>(a, b);
}
CASTFORGE_INLINE B32 narrow(B64 a, B64 b, CommonArch) {
  return bits(shuffled<kAlternate<float, 0>>(as<float>(a), as<float>(b)));
}
CASTFORGE_INLINE B32 upper(B64 a, B64 b, CommonArch) {
  return bits(shuffled<kAlternate<float, 1>>(as<float>(a), as<float>(b)));
}
template <class U> CASTFORGE_INLINE auto narrow(Batch<U> a, Batch<U> b, Batch<U> c, Batch<U> d, CommonArch) {
  const auto low = narrow(a, b, Arch{}), high = narrow(c, d, Arch{});  // one after the other, as they are in memory
  return narrow(low, high, Arch{});
}
CASTFORGE_INLINE B8 narrow(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h, CommonArch) {
  return narrow(narrow(a, b, Arch{}), narrow(c, d, Arch{}), narrow(e, f, Arch{}), narrow(g, h, Arch{}), Arch{});
}
// The packs saturate: only what fits is kept.
CASTFORGE_INLINE B32 truncate(B64 a, B64 b, CommonArch) { return narrow(a, b, Arch{}); }
CASTFORGE_INLINE B16 truncate(B32 a, B32 b, CommonArch) {
  const B32 low = broadcast(0xFFFFu), first = a & low, second = b & low;
  return narrow(first, second, Arch{});
}
CASTFORGE_INLINE B8 truncate(B16 a, B16 b, CommonArch) {
  const B16 low = broadcast(u16{0xFF}), first = a & low, second = b & low;
  return narrow(first, second, Arch{});
}
CASTFORGE_INLINE B8 truncate(B32 a, B32 b, B32 c, B32 d, CommonArch) {
  const B32 low = broadcast(0xFFu), w = a & low, x = b & low, y = c & low, z = d & low;  // in the order of memory
  return narrow(w, x, y, z, Arch{});
}
CASTFORGE_INLINE B16 truncate(B64 a, B64 b, B64 c, B64 d, CommonArch) {
  return truncate(narrow(a, b, Arch{}), narrow(c, d, Arch{}), Arch{});
}
CASTFORGE_INLINE B8 truncate(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h, CommonArch) {
  return truncate(narrow(a, b, Arch{}), narrow(c, d, Arch{}), narrow(e, f, Arch{}), narrow(g, h, Arch{}), Arch{});
}
// In each 128-bit part the low bytes of words, then the high ones: byte<0> and byte<1> of a vector share it.
CASTFORGE_INLINE B64 bytes_apart(B16 v) {
  constexpr auto kPlaces = [](std::size_t i) { return i % 8 * 2 + i % 16 / 8; };
  return as<u64>(lookup16(as<u8>(v), constant_vector<u8, kPlaces>(), Arch{}));
}
template <int k> CASTFORGE_INLINE B8 byte(std::integral_constant<int, k> which, B16 a, B16 b, CommonArch) {
  if constexpr (prefers_shuffles(Arch{})) return as<u8>(interleave(which, bytes_apart(a), bytes_apart(b), Arch{}));
  else if constexpr (k == 1) return narrow(a >> 8, b >> 8, Arch{});
  else return truncate(a, b, Arch{});
}
template <int k> CASTFORGE_INLINE B8 byte(std::integral_constant<int, k>, B32 a, B32 b, B32 c, B32 d, CommonArch) {
  if constexpr (k == 3) return narrow(a >> 24, b >> 24, c >> 24, d >> 24, Arch{});
  else if constexpr (k == 0) return truncate(a, b, c, d, Arch{});
  else return truncate(a >> (8 * k), b >> (8 * k), c >> (8 * k), d >> (8 * k), Arch{});
}
CASTFORGE_INLINE B16 high_half(B32 a, B32 b, CommonArch) { return narrow(a >> 16, b >> 16, Arch{}); }
CASTFORGE_INLINE B32 round_to_upper(B32 a) { return a + broadcast(0x7FFFu) + ((a >> 16) & broadcast(1u)); }
CASTFORGE_INLINE B16 round_high_half(B32 a, B32 b, CommonArch) {
  return high_half(round_to_upper(a), round_to_upper(b), Arch{});
}
CASTFORGE_INLINE B16 odd_high_half(B32 a, B32 b, CommonArch) {
  const B16 any_dropped = min(truncate(a, b, Arch{}), broadcast(u16{1}), Arch{});
  return bit_or(high_half(a, b, Arch{}), any_dropped, Arch{});
}
// Bytes with the top bits of the lanes; other bits may be anything. In the targets: of words and of dwords.
CASTFORGE_INLINE B8 signs(B8 a, CommonArch) { return a; }
CASTFORGE_INLINE B8 signs(B64 a, B64 b, B64 c, B64 d, B64 e, B64 f, B64 g, B64 h, CommonArch) {
  return signs(upper(a, b, Arch{}), upper(c, d, Arch{}), upper(e, f, Arch{}), upper(g, h, Arch{}), Arch{});
}
// (signs >> down) & bit
CASTFORGE_INLINE B8 bit_of_signs(B8 signs, int down, CommonArch) {
  return as<u8>(as<u16>(signs) >> down) & broadcast(static_cast<u8>(0x80 >> down));
}
template <int k, class... V> CASTFORGE_INLINE B8 sign8(std::integral_constant<int, k>, V... lanes_and_target) {
  return bit_of_signs(signs(lanes_and_target...), 7 - k, Arch{});
}

// Floats.
CASTFORGE_INLINE F32 float_of(B32 integer) { return xsimd::batch_cast<float>(as_signed(integer)); }
CASTFORGE_INLINE F32 constant(float v) { return f32(broadcast(std::bit_cast<u32>(v))); }
CASTFORGE_INLINE F64 constant(double v) { return f64(broadcast(std::bit_cast<u64>(v))); }

CASTFORGE_INLINE B32 float32_of_int32(B32 a, CommonArch) { return bits(float_of(a)); }
CASTFORGE_INLINE B32 float32_of(B32 a, CommonArch) { return float32_of_int32(a, CommonArch{}); }
CASTFORGE_INLINE B32 float32_of_int(B32 a, CommonArch) { return float32_of_int32(a, CommonArch{}); }
CASTFORGE_INLINE B32 float32_of_uint32(B32 a, CommonArch) {
  // a = high * 2^16 + low, both exact; (2^39 + high * 2^16) - (2^39 + 2^23) is exact too, and the last addition rounds.
  const B32 low = (a & broadcast(0xFFFFu)) | broadcast(0x4B000000u);  // 2^23 + low
  const B32 high = (a >> 16) | broadcast(0x53000000u);                // 2^39 + high * 2^16
  return bits((f32(high) - constant(0x1p39f + 0x1p23f)) + f32(low));
}
CASTFORGE_INLINE F64 from_halves(B64 high, B64 low, double both) { return (f64(high) - constant(both)) + f64(low); }
// 2^52 + the lower half.
constexpr auto kOddFromSecond = [](std::size_t i) { return i % 2 == 0 ? i : i + kVectorBytes / sizeof(u32); };
CASTFORGE_INLINE B64 lower_half(B64 a) {
  return as<u64>(shuffled<kOddFromSecond>(as<u32>(a), as<u32>(broadcast(u64{0x4330000000000000}))));
}
CASTFORGE_INLINE B64 float64_of_uint64(B64 a, CommonArch) {
  // Halves planted under an exponent: 2^84 + high * 2^32 and 2^52 + low. The last addition rounds.
  return bits(from_halves((a >> 32) | broadcast(u64{0x4530000000000000}), lower_half(a), 0x1p84 + 0x1p52));
}
CASTFORGE_INLINE B64 float64_of_int64(B64 a, CommonArch) {
  // The same with the upper half biased by 2^31, that is by 2^63 in all.
  return bits(from_halves((a >> 32) ^ broadcast(u64{0x4530000080000000}), lower_half(a), 0x1p84 + 0x1p63 + 0x1p52));
}
// Every step is exact, so that the rounding mode matters for the sign of a zero only, which is cleared.
CASTFORGE_INLINE B64 float64_of(B64 a, CommonArch) {
  return float64_of_uint64(a, CommonArch{}) & broadcast(u64{0x7FFFFFFFFFFFFFFF});
}

template <class U> CASTFORGE_INLINE Batch<U> nan_becomes(Batch<U> a, Batch<U> nan, CommonArch) {
  using Format = IeeeOf<U>;
  const Batch<U> magnitude = bit_and(a, broadcast(static_cast<U>(Format::kSign - 1)), Arch{});
  const Batch<U> is_nan = gt_signed_ones(magnitude, broadcast(static_cast<U>(Format::kInfinity)), Arch{});
  // a ^ (magnitude ^ nan) is the sign with nan. Not chosen: that takes three operations on some processors.
  return bit_xor(a, bit_and(is_nan, bit_xor(magnitude, nan, Arch{}), Arch{}), Arch{});
}
CASTFORGE_INLINE B32 limit_magnitude(B32 a, B32 most, B32 nan, CommonArch) {
  return min(min_nan2(most, bit_and(a, broadcast(0x7FFFFFFFu), Arch{}), Arch{}), nan, Arch{});
}
CASTFORGE_INLINE B32 binade(B32 a, B32 least, CommonArch) {
  const B32 exponent = broadcast(0x7F800000u), sign = broadcast(0x80000000u);
  return bit_or(max(bit_and(a, exponent, Arch{}), least, Arch{}), bit_and(a, sign, Arch{}), Arch{});
}
// Not fused: some processors take 150 cycles more where that meets a subnormal addend, and none where a sum does.
CASTFORGE_INLINE B32 multiply_add(B32 a, B32 b, B32 c, CommonArch) { return bits(f32(times_power(a, b)) + f32(c)); }
// The product is exact, so two operations round as one.
CASTFORGE_INLINE B32 fused_multiply_add(B32 a, B32 b, B32 c, CommonArch) { return bits(f32(a) * f32(b) + f32(c)); }

CASTFORGE_INLINE B32 int32_of_float32_rtz(B32 a, CommonArch) {
  return as<u32>(xsimd::batch_cast<std::int32_t>(f32(a)));
}
CASTFORGE_INLINE B32 int32_of_float32_rne(B32 a, CommonArch) { return as<u32>(xsimd::nearbyint_as_int(f32(a))); }
CASTFORGE_INLINE B32 int32_of_float32_rtn(B32 a, CommonArch) {
  return int32_of_float32_rtz(bits(xsimd::floor(f32(a))), CommonArch{});
}
CASTFORGE_INLINE B32 int32_of_float32_rtp(B32 a, CommonArch) {
  return int32_of_float32_rtz(bits(xsimd::ceil(f32(a))), CommonArch{});
}
// The largest float32 below 1/2, with the sign of a: only from halfway on does the sum reach the next integer.
CASTFORGE_INLINE B32 nudge(B32 a) { return (a & broadcast(0x80000000u)) | broadcast(0x3EFFFFFFu); }
CASTFORGE_INLINE B32 int32_of_float32_rna(B32 a, CommonArch) {
  return int32_of_float32_rtz(bits(f32(a) + f32(nudge(a))), CommonArch{});
}
CASTFORGE_INLINE B32 int32_of_float32_rto(B32 a, CommonArch) {
  // An integer of 2^24 or more comes from an a that is one: the conversion back is exact.
  const B32 below = int32_of_float32_rtn(a, CommonArch{});
  return xsimd::select(xsimd::batch_bool_cast<u32>(float_of(below) == f32(a)), below, below | broadcast(1u));
}

// a less the nearest multiple of 2^32: exact, at most 2^31 in magnitude; a itself when it has a fraction.
CASTFORGE_INLINE F32 less_turns(F32 a) {
  return xsimd::fma(constant(-0x1p32f), xsimd::nearbyint(a * constant(0x1p-32f)), a);
}
// 2^31 itself gives 80000000, as it must.
CASTFORGE_INLINE B32 int32_of_float32_wrap_rtz(B32 a, CommonArch) {
  return int32_of_float32_rtz(bits(less_turns(f32(a))), CommonArch{});
}
CASTFORGE_INLINE B32 int32_of_float32_wrap_rne(B32 a, CommonArch) {
  return int32_of_float32_rne(bits(less_turns(f32(a))), CommonArch{});
}
// a less a multiple of 2^32, toward zero: exact, below 2^32 in magnitude. Under the exponent of 1.5 * 2^52 the low bits
// of a sum are the two's complement integer.
CASTFORGE_INLINE F64 less_turns(F64 a) { return a - xsimd::trunc(a * constant(0x1p-32)) * constant(0x1p32); }
CASTFORGE_INLINE B64 low_integer_bits(F64 a) { return bits(a + constant(0x1.8p52)); }
CASTFORGE_INLINE B32 int32_of_float64_wrap_rtz(B64 a, B64 b, CommonArch) {
  return narrow(low_integer_bits(xsimd::trunc(less_turns(f64(a)))), low_integer_bits(xsimd::trunc(less_turns(f64(b)))),
                Arch{});
}
CASTFORGE_INLINE B32 int32_of_float64_wrap_rne(B64 a, B64 b, CommonArch) {  // the sum rounds
  return narrow(low_integer_bits(less_turns(f64(a))), low_integer_bits(less_turns(f64(b))), Arch{});
}

// An integer whose low 11 bits, if any is set, are replaced by a one above them: rounded to odd, exact as float64, and
// on the same side of every float32 and of every midpoint of two as long as it is 2^52 or more.
CASTFORGE_INLINE B64 odd_above_11(B64 a) {
  const B64 dropped = broadcast(u64{0x7FF});
  return (a | ((a & dropped) + dropped)) & ~dropped;
}
CASTFORGE_INLINE B64 float64_for_float32(B64 a, std::true_type /*signed*/) {
  // 2^63 + 2^52 makes -2^52 the least number; from there on 2^53 numbers are exact.
  const auto exact = gt(broadcast(u64{0x8020000000000000}), a + broadcast(u64{0x8010000000000000}), CommonArch{});
  return float64_of_int64(xsimd::select(exact, a, odd_above_11(a)), CommonArch{});
}
CASTFORGE_INLINE B64 float64_for_float32(B64 a, std::false_type) {
  return float64_of_uint64(xsimd::select((a >> 53) == B64(u64{0}), a, odd_above_11(a)), CommonArch{});
}
CASTFORGE_INLINE auto float32_of_int64(B64 a, CommonArch) {
  return float32_of_float64(float64_for_float32(a, std::true_type{}), Arch{});
}
CASTFORGE_INLINE auto float32_of_uint64(B64 a, CommonArch) {
  return float32_of_float64(float64_for_float32(a, std::false_type{}), Arch{});
}

}  // namespace castforge::inline CASTFORGE_ISA::lane::kernel

#endif  // CASTFORGE_VECTOR

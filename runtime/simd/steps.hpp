// Kernels given as steps: 16-bit sources whose result, within the 256 codes that share a high byte, changes at most twice.
//
// For a source of high byte h and low byte l the result is
//   kFirst[h] + (l > kOnce[h] ? kRise[h] : 0) + (l > kTwice[h] ? 1 : 0)   modulo 256,
// where 255 in kOnce or kTwice means never. A plan without kTwice has no second steps, one without kRise always rises by 1.
// One with kSmall gives kSmall[l] for h = 0 instead: subnormals and small integers, which need every bit of l.
// Two to five byte tables replace the arithmetic of the conversion: whatever the rule says about rounding, range, infinities
// and NaN is their contents.
// A plan with place() is entered with the value of that function in place of the source; with kSignBit its tables give
// magnitudes, and the sign of the source goes there (with kSignUnlessZero not on a zero).
// A table whose halves agree (formats with a sign bit) is looked up by the low 7 bits of h. So are all where the results of
// negative sources are those of positive ones with the top bit set, but for zeros (formats without a negative zero).
#pragma once

#include "simd/table.hpp"

#if CASTFORGE_X86 >= 4

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace simd {

namespace detail {

// What entry h + 128 of kFirst has more than entry h, where 128 entries are kept.
enum class Offset { none, top_bit, number };

// How many entries of each table are kept: 128 or 256. A compile-time parameter of the loops: few values occur.
struct StepsPattern {
  int first = 256, once = 256;
  int twice = 0, rise = 0, small = 0;  // 0: no table
  Offset offset = Offset::none;
  bool signed_unless_zero = false;     // the top bit of a source that has it set goes to results that are not 0
  constexpr int total() const noexcept { return first + once + twice + rise + small; }
};

template <class P>
struct StepsLayout {
  StepsPattern pattern{};
  std::uint8_t offset = 0;  // the number, where pattern.offset says so
  alignas(64) std::uint8_t bytes[5 * 256] = {};

  constexpr StepsLayout() noexcept {
    offset = static_cast<std::uint8_t>(P::kFirst[128] - P::kFirst[0]);
    pattern.first = kept(P::kFirst, offset);
    if (pattern.first == 128 && offset != 0) pattern.offset = offset == 0x80 ? Offset::top_bit : Offset::number;
    pattern.once = kept(P::kOnce, 0);
    if (pattern.first == 256) pattern.signed_unless_zero = negative_half_has_signs();
    if (pattern.signed_unless_zero) pattern.first = pattern.once = 128;
    int at = append(P::kFirst, pattern.first, 0);
    at = append(P::kOnce, pattern.once, at);
    if constexpr (requires { P::kTwice; }) {
      pattern.twice = pattern.signed_unless_zero ? 128 : kept(P::kTwice, 0);
      at = append(P::kTwice, pattern.twice, at);
    }
    if constexpr (requires { P::kRise; }) {
      pattern.rise = !pattern.signed_unless_zero ? kept(P::kRise, 0) : positive_half_rises_by_one() ? 0 : 128;
      at = append(P::kRise, pattern.rise, at);
    }
    if constexpr (requires { P::kSmall; }) {
      pattern.small = 256;
      append(P::kSmall, pattern.small, at);
    }
  }

 private:
  static constexpr unsigned result(std::size_t h, std::size_t l) noexcept {
    unsigned rise = 1, second = 0;
    if constexpr (requires { P::kRise; }) rise = P::kRise[h];
    if constexpr (requires { P::kTwice; }) second = l > P::kTwice[h] ? 1 : 0;
    return (P::kFirst[h] + (l > P::kOnce[h] ? rise : 0) + second) & 0xFF;
  }
  static constexpr bool positive_half_rises_by_one() noexcept {
    for (std::size_t h = 0; h < 128; ++h) {
      if (P::kRise[h] != 1) return false;
    }
    return true;
  }
  static constexpr bool negative_half_has_signs() noexcept {
    if constexpr (requires { P::kSmall; } || requires { P::kSignBit; } || lane::PlacingPlan<P>) return false;
    for (std::size_t h = 0; h < 128; ++h) {
      // Results change after these low bytes only.
      std::size_t ends[5] = {P::kOnce[h], P::kOnce[h + 128], 255, 255, 255};
      if constexpr (requires { P::kTwice; }) {
        ends[3] = P::kTwice[h];
        ends[4] = P::kTwice[h + 128];
      }
      for (const std::size_t end : ends) {
        for (const std::size_t l : {end, end == 255 ? std::size_t{0} : end + 1}) {
          const unsigned magnitude = result(h, l);
          if (result(h + 128, l) != (magnitude == 0 ? 0 : magnitude | 0x80)) return false;
        }
      }
    }
    return true;
  }
  template <class Table>
  static constexpr int kept(const Table& table, int difference) noexcept {
    for (std::size_t h = 0; h < 128; ++h) {
      if (table[h + 128] != static_cast<std::uint8_t>(table[h] + difference)) return 256;
    }
    return 128;
  }
  template <class Table>
  constexpr int append(const Table& table, int entries, int at) noexcept {
    for (int h = 0; h < entries; ++h) bytes[at + h] = table[static_cast<std::size_t>(h)];
    return at + entries;
  }
};

// Place: the plan when it has place(), otherwise void, which all plans of a pattern share.
template <StepsPattern kPattern, int kDstBits, class Place>
__attribute__((flatten)) CASTFORGE_SHARED static void steps_loop(const std::uint8_t* data, std::uint8_t offset,
                                                                 const void* src, void* dst, std::size_t count,
                                                                 std::size_t ahead) noexcept {
  constexpr int kOnceAt = kPattern.first, kTwiceAt = kOnceAt + kPattern.once, kRiseAt = kTwiceAt + kPattern.twice;
  constexpr int kSmallAt = kRiseAt + kPattern.rise;
  constexpr bool kHasTwice = kPattern.twice != 0, kHasRise = kPattern.rise != 0, kHasSmall = kPattern.small != 0;
  // A table that is missing repeats the first one and is optimised away.
  constexpr int kTwiceEntries = kHasTwice ? kPattern.twice : 128, kRiseEntries = kHasRise ? kPattern.rise : 128;
  const Plane<kPattern.first> first(data);
  const Plane<kPattern.once> once(data + kOnceAt);
  const Plane<kTwiceEntries> twice(data + (kHasTwice ? kTwiceAt : 0));
  const Plane<kRiseEntries> rise(data + (kHasRise ? kRiseAt : 0));
  const Plane<kHasSmall ? 256 : 128> small(data + (kHasSmall ? kSmallAt : 0));
  alignas(64) static constexpr auto kEven = [] {
    std::array<std::uint8_t, 64> index{};
    for (std::size_t i = 0; i < 64; ++i) index[i] = static_cast<std::uint8_t>(2 * i);
    return index;
  }();
  const Bytes low_bytes_at(_mm512_load_si512(kEven.data()));
  const Bytes high_bytes_at = low_bytes_at + Bytes(1);
  const Bytes one(1), top(0x80), sign_offset(offset);

  for_each_block<16, kDstBits, kVectorBytes>(
      src, dst, count, ahead, [&](const std::byte* in, std::byte* out) noexcept CASTFORGE_LAMBDA_INLINE {
        Bytes front = load<std::uint8_t>(in), back = load<std::uint8_t>(in + kVectorBytes);
        [[maybe_unused]] const Bytes source_high(_mm512_permutex2var_epi8(front, high_bytes_at, back));
        if constexpr (!std::is_void_v<Place>) {
          const auto placed = [](Bytes v) noexcept CASTFORGE_LAMBDA_INLINE {
            return Bytes(typename Bytes::register_type(Place::place(Batch<std::uint16_t>(typename Bytes::register_type(v)))));
          };
          front = placed(front);
          back = placed(back);
        }
        const Bytes low(_mm512_permutex2var_epi8(front, low_bytes_at, back));
        const Bytes high(_mm512_permutex2var_epi8(front, high_bytes_at, back));
        Bytes code = first(CodeVector<kPattern.first>(high));
        if constexpr (kPattern.offset == Offset::top_bit) {
          code = Bytes(_mm512_ternarylogic_epi32(code, high, top, 0x78));  // truth table of "code ^ (high & top)"
        } else if constexpr (kPattern.offset == Offset::number) {
          code = Bytes(_mm512_mask_add_epi8(code, _mm512_movepi8_mask(high), code, sign_offset));
        }
        const __mmask64 past_once = _mm512_cmpgt_epu8_mask(low, once(CodeVector<kPattern.once>(high)));
        Bytes height = one;
        if constexpr (kHasRise) height = rise(CodeVector<kRiseEntries>(high));
        code = Bytes(_mm512_mask_add_epi8(code, past_once, code, height));
        if constexpr (kHasTwice) {
          const __mmask64 past_twice = _mm512_cmpgt_epu8_mask(low, twice(CodeVector<kTwiceEntries>(high)));
          code = Bytes(_mm512_mask_add_epi8(code, past_twice, code, one));
        }
        if constexpr (kHasSmall) {
          code = lane::select(lane::eq(high, Bytes(0)), small(CodeVector<256>(low)), code);
        }
        if constexpr (kPattern.signed_unless_zero) {
          code = code | Bytes(_mm512_ternarylogic_epi32(high, code + Bytes(0x7F), top, 0x80));  // what all three have
        }
        if constexpr (requires { Place::kSignBit; }) {
          constexpr int kDown = std::countl_zero(Place::kSignBit);
          const Bytes sign = (source_high >> kDown) & Bytes(Place::kSignBit);
          if constexpr (Place::kSignUnlessZero) code = code | lane::zero_unless(lane::ne(code, Bytes(0)), sign);
          else code = code | sign;
        }
        store_pack<kDstBits, true>(out, code);
      });
}

}  // namespace detail

/// Converts `count` elements by the tables of plan P (see simd::run).
template <class K, class P>
static void run_steps(const void* src, void* dst, std::size_t count, std::size_t ahead) noexcept {
  static_assert(K::kSrcBits == 16 && K::kDstBits <= 8, "steps serve 16-bit sources and results of at most a byte");
  static constexpr detail::StepsLayout<P> kLayout;
  using Place = std::conditional_t<lane::PlacingPlan<P>, P, void>;
  detail::steps_loop<kLayout.pattern, K::kDstBits, Place>(kLayout.bytes, kLayout.offset, src, dst, count, ahead);
}

}  // namespace simd
}  // namespace CASTFORGE_ISA
}  // namespace castforge

#endif  // CASTFORGE_X86 >= 4

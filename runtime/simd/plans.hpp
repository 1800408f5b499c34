// How a kernel lists its plans, which one this instruction set runs, and evaluation of a kernel on a single code.
//
// A map plan has kLaneBits, kSignExtend and map(); a table plan has kTable, one result per source code; a steps plan has
// kFirst, kOnce and perhaps kTwice and kRise (steps.hpp). Optional:
//   kUsesFloat  the plan calls functions marked [environment] in float.hpp; the loop sets the environment (default no)
//   kFlushSafe  ... and gives the same results where the functions read and make zeros in place of subnormals (default no)
//   prepare()   64-bit sources in narrower lanes: runs first, in 64-bit lanes; the low kLaneBits of its result go to map()
//   kLoadShift  the source is this many bits up in the lane that map() is given
//   kLoadFloat  map()'s lanes hold float32: the source converted, which is a float16 (16; exact) or, after prepare(), a
//               float64 (64; to nearest, ties to even); signs and the leading bits of NaN payloads are kept
//   kStoreShift the result of 16 bits is this many bits up in the 32-bit lane that map() returns
//   kStoreFloat map() returns a float32 that is converted to the result: float16 (16; nearest) or float64 (64; exact)
//   kSignBit, kSignUnlessZero  map() returns magnitudes of at most 8 bits in 32-bit lanes; the top bit of the lane it was given
//               goes to kSignBit, but with kSignUnlessZero not where the result is 0; with kSignUnlessNan not where the
//               lane, a float32, is a NaN
//   kStoreSigned  map() returns a two's complement integer in 32-bit lanes that is sign-extended to 64 bits
//   kStoreLong  map() returns a float32 that is cut to a 64-bit integer, modulo 2^64; NaN and infinities give 0
//   kCodeFits   map() returns nothing above the low kDstBits of the lane, which saves the loop a mask (default no)
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "simd/float.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace lane {

namespace detail {

template <class First, class... Rest>
struct FirstMet {
  using type = typename std::conditional_t<isa_meets(First::kNeeds), std::type_identity<First>, FirstMet<Rest...>>::type;
};
template <class Only>
struct FirstMet<Only> {
  static_assert(Only::kNeeds == Needs::nothing, "the last plan of a kernel must run on every instruction set");
  using type = Only;
};

template <class First, class... Rest>
struct Last : Last<Rest...> {};
template <class Only>
struct Last<Only> {
  using type = Only;
};

template <int kBits>
struct UnsignedOf;
template <> struct UnsignedOf<8> { using type = std::uint8_t; };
template <> struct UnsignedOf<16> { using type = std::uint16_t; };
template <> struct UnsignedOf<32> { using type = std::uint32_t; };
template <> struct UnsignedOf<64> { using type = std::uint64_t; };

constexpr std::uint64_t low_bits(std::uint64_t v, int bits) noexcept {
  return bits >= 64 ? v : v & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace detail

/// Unsigned type of 8, 16, 32 or 64 bits.
template <int kBits>
using Unsigned = typename detail::UnsignedOf<kBits>::type;

/// The plans of a kernel in order of preference.
template <class... P>
struct Plans {
  using chosen = typename detail::FirstMet<P...>::type;  ///< runs on this instruction set
  using general = typename detail::Last<P...>::type;     ///< runs everywhere, also in constant expressions
};

template <class P>
concept TablePlan = requires { P::kTable; };

template <class P>
concept StepsPlan = requires { P::kFirst; P::kOnce; };

/// A steps plan whose tables are entered with place(source). With kSignBit they give magnitudes and the sign of the source
/// goes there, with kSignUnlessZero not on a zero.
template <class P>
concept PlacingPlan = requires(Word<std::uint16_t> v) { P::place(v); };

/// A map plan whose loop puts the sign of the source over the magnitudes that map() returns.
template <class P>
concept SignedPlan = !StepsPlan<P> && requires { P::kSignBit; P::kSignUnlessZero; };

template <class P>
concept PreparingPlan = requires(Word<std::uint64_t> v) { P::prepare(v); };

namespace detail {
/// Width of the floating-point element that memory holds while the lanes hold float32; 0: lanes hold plain codes.
template <class P>
constexpr int load_float() noexcept {
  if constexpr (requires { P::kLoadFloat; }) return P::kLoadFloat;
  else return 0;
}
template <class P>
constexpr int load_shift() noexcept {
  if constexpr (requires { P::kLoadShift; }) return P::kLoadShift;
  else return 0;
}
template <class P>
constexpr int store_shift() noexcept {
  if constexpr (requires { P::kStoreShift; }) return P::kStoreShift;
  else return 0;
}
/// A lane whose top bit is the sign of the result of a SignedPlan.
template <class P, class W>
constexpr W sign_lane(W bits) noexcept {
  // Beyond the bits of -infinity the sum wraps around and loses the top bit.
  if constexpr (requires { P::kSignUnlessNan; }) return bits & (bits + W(0x007FFFFF));
  else return bits;
}
template <class P>
constexpr int store_float() noexcept {
  if constexpr (requires { P::kStoreFloat; }) return P::kStoreFloat;
  else return 0;
}
template <class P>
constexpr bool store_long() noexcept {
  if constexpr (requires { P::kStoreLong; }) return P::kStoreLong;
  else return false;
}
template <class P>
constexpr bool store_signed() noexcept {
  if constexpr (requires { P::kStoreSigned; }) return P::kStoreSigned;
  else return false;
}
}  // namespace detail

/// Result of map(), and of what stands before and after it, for one source code that is extended to the lane.
template <class P>
constexpr std::uint64_t map_word(std::uint64_t code) noexcept {
  using U = Unsigned<P::kLaneBits>;
  if constexpr (PreparingPlan<P>) code = P::prepare(Word<std::uint64_t>(code)).value;
  code <<= detail::load_shift<P>();
  if constexpr (detail::load_float<P>() == 16) code = float32_of_float16(Word<std::uint32_t>(static_cast<std::uint32_t>(code))).value;
  if constexpr (detail::load_float<P>() == 64) code = float32_of_float64(Word<std::uint64_t>(code)).value;
  U result = P::map(Word<U>(static_cast<U>(code))).value;
  if constexpr (SignedPlan<P>) {
    const bool zero = P::kSignUnlessZero && (result & (2u * P::kSignBit - 1)) == 0;
    const U sign = detail::sign_lane<P>(Word<U>(static_cast<U>(code))).value;
    if (sign >> (P::kLaneBits - 1) != 0 && !zero) result |= P::kSignBit;
  }
  result = static_cast<U>(result >> detail::store_shift<P>());
  if constexpr (detail::store_float<P>() == 16) return float16_of_float32(Word<U>(result)).value;
  else if constexpr (detail::store_float<P>() == 64) return float64_of_float32(Word<std::uint64_t>(result)).value;
  else if constexpr (detail::store_long<P>()) return cut_float64_to_int64(float64_of_float32(Word<std::uint64_t>(result))).value;
  else if constexpr (detail::store_signed<P>()) return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(result)});
  else return result;
}

/// Result code of one source code under plan P of a kernel with the given storage widths in bits.
template <class P, int kSrcBits, int kDstBits>
constexpr std::uint64_t at_plan(std::uint64_t code) noexcept {
  const std::uint64_t bits = detail::low_bits(code, kSrcBits);
  if constexpr (TablePlan<P>) {
    return detail::low_bits(P::kTable[bits], kDstBits);
  } else if constexpr (StepsPlan<P>) {
    std::uint64_t placed = bits;
    if constexpr (PlacingPlan<P>) placed = P::place(Word<std::uint16_t>(static_cast<std::uint16_t>(bits))).value;
    const std::uint64_t high = placed >> 8, low = placed & 0xFF;
    std::uint64_t rise = 1;
    if constexpr (requires { P::kRise; }) rise = P::kRise[high];
    std::uint64_t result = P::kFirst[high] + (low > P::kOnce[high] ? rise : 0);
    if constexpr (requires { P::kTwice; }) result += low > P::kTwice[high] ? 1 : 0;
    if constexpr (requires { P::kSmall; }) result = high == 0 ? P::kSmall[low] : result;
    result = detail::low_bits(result, kDstBits);
    if constexpr (requires { P::kSignBit; }) {
      if (bits >> (kSrcBits - 1) != 0 && !(P::kSignUnlessZero && result == 0)) result |= P::kSignBit;
    }
    return result;
  } else {
    std::uint64_t wide = bits;
    if constexpr (P::kSignExtend) {
      constexpr std::uint64_t sign = std::uint64_t{1} << (kSrcBits - 1);
      wide = (bits ^ sign) - sign;
    }
    return detail::low_bits(map_word<P>(wide), kDstBits);
  }
}

/// Result code of one source code under the general plan of kernel K.
template <class K>
constexpr std::uint64_t at(std::uint64_t code) noexcept {
  return at_plan<typename K::plans::general, K::kSrcBits, K::kDstBits>(code);
}

/// A source code and the result it must have.
struct Row {
  std::uint64_t code, result;
};

/// Does kernel K give every row's result? For static_assert beside each kernel.
template <class K>
constexpr bool maps(std::initializer_list<Row> rows) noexcept {
  for (const Row& row : rows) {
    if (at<K>(row.code) != row.result) return false;
  }
  return true;
}

namespace detail {
template <class P>
static constexpr bool uses_float() noexcept {
  if constexpr (requires { P::kUsesFloat; }) return P::kUsesFloat;
  else return false;
}
// Does the plan need FloatGuard? Where the instruction set embeds rounding and suppresses exceptions, flushing is the only
// part of the environment that acts.
template <class P>
static constexpr bool needs_guard() noexcept {
#if CASTFORGE_X86 >= 3
  if constexpr (requires { P::kFlushSafe; }) return uses_float<P>() && !P::kFlushSafe;
#endif
  return uses_float<P>();
}
template <class P>
static constexpr bool code_fits() noexcept {
  if constexpr (requires { P::kCodeFits; }) return P::kCodeFits;
  else return false;
}
}  // namespace detail

}  // namespace lane
}  // namespace CASTFORGE_ISA
}  // namespace castforge

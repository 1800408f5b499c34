// How a kernel lists its plans, which one this instruction set runs, and evaluation of a kernel on a single code.
//
// A map plan has kLaneBits, kSignExtend and map(); a table plan has kTable, one result per source code; a steps plan has
// kFirst, kOnce and perhaps kTwice and kRise (steps.hpp). Optional:
//   kUsesFloat  the plan calls functions marked [environment] in float_word.hpp; the loop sets the environment (default no)
//   kFlushSafe  ... and gives the same results where the functions read and make zeros in place of subnormals (default no)
//   prepare()   64-bit sources in narrower lanes: runs first, in 64-bit lanes; the low kLaneBits of its result go to map()
//   kLoadShift  the source is this many bits up in the lane that map() is given
//   kLoad       how the source, after prepare(), becomes the 32-bit lane that map() is given (default Load::plain)
//   kStore      how the 32-bit lane that map() returns becomes the result (default Store::plain)
//   kSignBit, kSignUnlessZero  map() returns magnitudes of at most 8 bits in 32-bit lanes; the top bit of the lane it was given
//               goes to kSignBit, but with kSignUnlessZero not where the result is 0; with kSignInResult the top bit of the
//               lane that map() returns
//   kFold       what map() returns, v, stands for v + (v >> kFold), kFold from 16 to 23, of which the low bits are the result
//               (default: for itself); with kSignInResult v must be a number whose fraction is short, see lane::has_sign_in_folded()
//   kCodeFits   map() returns nothing above the low kDstBits of the lane, which saves the loop a mask (default no)
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "simd/float_word.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {
namespace lane {

/// How an element becomes a 32-bit lane. NaN: quieted, sign and the leading payload bits kept.
enum class Load {
  plain,           ///< zero- or sign-extended; of a wider one the low half
  float16,         ///< to float32: exact
  float32_cut,     ///< cut_float32_to_int32()
  float64,         ///< to float32: nearest, ties to even
  float64_cut,     ///< cut_float64_to_int32()
  float64_toward_zero,  ///< to float32
  int64, uint64,   ///< to float32: nearest, ties to even
};

/// How a 32-bit lane becomes an element. NaN: quieted, sign and the leading payload bits kept.
enum class Store {
  plain,           ///< truncated
  upper_half,      ///< the upper 16 bits
  upper_nearest,   ///< the same rounded by the lower ones: nearest, ties to even; modulo 2^16
  float16,         ///< from float32: nearest, ties to even
  float64,         ///< from float32: exact
  int64,           ///< from a two's complement integer: sign-extended
  float32_cut,     ///< from float32, cut to an integer modulo 2^64; NaN and infinities give 0
  float64_of_int,  ///< from a two's complement integer: exact
};

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
template <class P>
constexpr Load load() noexcept {
  if constexpr (requires { P::kLoad; }) return P::kLoad;
  else return Load::plain;
}
template <class P>
constexpr Store store() noexcept {
  if constexpr (requires { P::kStore; }) return P::kStore;
  else return Store::plain;
}
template <class P>
constexpr int load_shift() noexcept {
  if constexpr (requires { P::kLoadShift; }) return P::kLoadShift;
  else return 0;
}
template <class P>
constexpr bool sign_in_result() noexcept {
  if constexpr (requires { P::kSignInResult; }) return P::kSignInResult;
  else return false;
}
template <class P>
constexpr int fold() noexcept {
  if constexpr (requires { P::kFold; }) return P::kFold;
  else return 0;
}

template <Load kLoad>
constexpr std::uint64_t loaded(std::uint64_t code) noexcept {
  [[maybe_unused]] const Word<std::uint32_t> half(static_cast<std::uint32_t>(code));
  [[maybe_unused]] const Word<std::uint64_t> whole(code);
  if constexpr (kLoad == Load::float16) return float32_of_float16(half).value;
  else if constexpr (kLoad == Load::float32_cut) return cut_float32_to_int32(half).value;
  else if constexpr (kLoad == Load::float64) return float32_of_float64(whole).value;
  else if constexpr (kLoad == Load::float64_cut) return cut_float64_to_int32(whole).value;
  else if constexpr (kLoad == Load::float64_toward_zero) return float32_of_float64_toward_zero(whole).value;
  else if constexpr (kLoad == Load::int64) return float32_of_int64_rne(whole).value;
  else if constexpr (kLoad == Load::uint64) return float32_of_uint64_rne(whole).value;
  else return code;
}

template <Store kStore>
constexpr std::uint64_t stored(std::uint64_t lane) noexcept {
  [[maybe_unused]] const Word<std::uint32_t> half(static_cast<std::uint32_t>(lane));
  [[maybe_unused]] const Word<std::uint64_t> whole(lane);
  [[maybe_unused]] const std::int64_t integer = static_cast<std::int32_t>(lane);
  if constexpr (kStore == Store::upper_half) return lane >> 16;
  else if constexpr (kStore == Store::upper_nearest) return (lane + 0x7FFF + (lane >> 16 & 1)) >> 16 & 0xFFFF;
  else if constexpr (kStore == Store::float16) return float16_of_float32(half).value;
  else if constexpr (kStore == Store::float64) return float64_of_float32(whole).value;
  else if constexpr (kStore == Store::int64) return static_cast<std::uint64_t>(integer);
  else if constexpr (kStore == Store::float32_cut) return cut_float64_to_int64(float64_of_float32(whole)).value;
  else if constexpr (kStore == Store::float64_of_int) return std::bit_cast<std::uint64_t>(static_cast<double>(integer));
  else return lane;
}
}  // namespace detail

/// Has low half * 2^8 + high half * 2^(24 - fold) the sign of v, halves in two's complement? Instruction sets may take the sign
/// from that sum, one multiply-add. True of a float32 not too near 0 whose lower half is small, as sums that round to codes are.
constexpr bool has_sign_in_folded(std::uint32_t v, int fold) noexcept {
  const std::int64_t low = static_cast<std::int16_t>(v), high = static_cast<std::int16_t>(v >> 16);
  return (low * 256 + high * (std::int64_t{1} << (24 - fold)) < 0) == (v >> 31 != 0);
}

/// Result of map(), and of what stands before and after it, for one source code that is extended to the lane.
template <class P>
constexpr std::uint64_t map_word(std::uint64_t code) noexcept {
  using U = Unsigned<P::kLaneBits>;
  if constexpr (PreparingPlan<P>) code = P::prepare(Word<std::uint64_t>(code)).value;
  code <<= detail::load_shift<P>();
  code = detail::loaded<detail::load<P>()>(code);
  const U mapped = P::map(Word<U>(static_cast<U>(code))).value;
  U result = mapped;
  if constexpr (detail::fold<P>() != 0) result += mapped >> detail::fold<P>();
  if constexpr (SignedPlan<P>) {
    const bool zero = P::kSignUnlessZero && (result & (2u * P::kSignBit - 1)) == 0;
    const U sign = detail::sign_in_result<P>() ? mapped : static_cast<U>(code);
    if (sign >> (P::kLaneBits - 1) != 0 && !zero) result |= P::kSignBit;
  }
  return detail::stored<detail::store<P>()>(result);
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

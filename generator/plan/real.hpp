// Building blocks of floating plans: a real number in flight between its source and its destination.
#pragma once

#include <string>

#include "ir/layout.hpp"
#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

using namespace ir;

/// What an entry of a carry table (spec::Rounding::carry) is about.
struct CarryEntry {
  bool negative, last_kept, first_dropped, sticky;
  constexpr bool is_inexact() const { return first_dropped || sticky; }
};

/// The table of a mode that moves up where this holds.
template <class MovesUp>
constexpr std::uint16_t carry_table(const MovesUp& moves_up) {
  unsigned table = 0;
  for (unsigned i = 0; i < 16; ++i)
    table |= static_cast<unsigned>(moves_up(CarryEntry{(i & 8) != 0, (i & 4) != 0, (i & 2) != 0, (i & 1) != 0})) << i;
  return static_cast<std::uint16_t>(table);
}

// The rounding modes that instructions have.
inline constexpr auto kNearestEvenTable =
    carry_table([](CarryEntry e) { return e.first_dropped && (e.sticky || e.last_kept); });
inline constexpr auto kNearestAwayTable = carry_table([](CarryEntry e) { return e.first_dropped; });
inline constexpr auto kTowardZeroTable = carry_table([](CarryEntry) { return false; });
inline constexpr auto kFloorTable = carry_table([](CarryEntry e) { return e.negative && e.is_inexact(); });
inline constexpr auto kCeilTable = carry_table([](CarryEntry e) { return !e.negative && e.is_inexact(); });
inline constexpr auto kOddTable = carry_table([](CarryEntry e) { return !e.last_kept && e.is_inexact(); });

/// A constant of the plan: above it are only the magnitudes of NaN.
Value infinity_of(Builder& builder, const Layout& layout);
/// The layout with none or some of its fraction bits left out, special values included: one is the other, shifted.
bool is_shortened(const spec::Type& type, const Layout& layout);
/// "bits of 2^-7", of a constant of `width` bits: with the format where that is not the one of IEEE 754.
std::string bits_of_power(const Layout& layout, int exponent, int width);
/// The IEEE 754 format of that layout, in an element that it fills.
bool is_layout(const spec::Type& type, const Layout& layout);
/// float32 or, as bfloat16, some of its leading bits, in an element that they fill.
bool is_shortened_float32(const spec::Type& type);

/// False where the rule rounds nothing.
inline bool rounds_to_nearest_even(const spec::Meaning& meaning) {
  return meaning.round != nullptr && meaning.round->carry == kNearestEvenTable;
}

/// sign (isolated at layout.sign_bit()) and magnitude bits; exact.
struct Real {
  Value mag, sign;
  Value whole;  // sign and magnitude together, where a plan has them in one value
  Layout layout;
  bool may_be_negative = true, may_be_nan = true, may_be_infinite = true;
  bool quiet_nan = false;  // a conversion has set the quiet bit of every NaN
};

/// `bits` of a float32, where a NaN whose fraction is at least that of `nan`, a positive one, becomes `nan` with its
/// own sign. As unsigned integers negative NaNs are the largest, as signed ones positive NaNs.
Value limit_nan(Builder& builder, Value bits, std::uint64_t nan);
/// `bits` of real, where a NaN becomes `nan`, the positive canonical one, with its sign. `formula` says how nan is
/// made.
Value canonical_nan(Builder& builder, const Real& real, Value bits, std::uint64_t nan, const std::string& formula);

/// The code of a source as it is stored, in the low bits.
Value code_of_storage(Builder& builder, const spec::Type& src);
/// The code in the low bits as the destination stores it; what lies above it in the lane may be anything.
Value to_storage(Builder& builder, const spec::Type& dst, Value code);
/// The same of a code without other bits, and without copies of the sign.
Value at_storage(const spec::Type& dst, Value code);

/// The layout that holds every value of `src` exactly and whose grid is nowhere coarser than that of `dst`.
Layout working_layout(const spec::Type& src, const spec::Type& dst);

/// Exact decode of a floating source. `hardware`: by the float16 conversion of the instruction set.
Real decode_floating(Builder& builder, const spec::Type& src, const Layout& layout, bool hardware = false);
/// A floating source in a layout of its own exponent and fraction.
Real decode_own(Builder& builder, const spec::Meaning& meaning);

/// The value of an integer source, in the width worked in.
Value decode_value(Builder& builder, const spec::Type& src);
/// Integer source whose values are exact in `layout`, or (64-bit into float64, 32-bit into float32) rounded to odd,
/// which leaves room for one more rounding to at most `odd_room(...)` mantissa bits.
Real decode_integer(Builder& builder, const spec::Type& src, const Layout& layout);
int odd_room(const Layout& layout);

/// What programs of integers alone work in; has_room: an integer source that is rounded to odd there has the results of
/// the exact one.
struct IntegerForm {
  Layout layout;
  int lane;
  bool has_room;
};
IntegerForm integer_form(const spec::Meaning& meaning);
/// Has the destination the fraction bits and the bias of the layout, and is no integer of the source, once rounded,
/// beyond its range? An integer that is rounded to it then has the exponent and significand that it has in the layout.
bool shares_grid(const spec::Meaning& meaning, const Layout& layout);
Real decode_by_integers(Builder& builder, const spec::Meaning& meaning);

/// A source of at most 32 bits as a float32, by a conversion of the instruction set where there is one.
Real decode_single(Builder& builder, const spec::Meaning& meaning);
/// Integers by one conversion, sign included. Those beyond 2^24 may be clamped there, which no destination with a
/// smaller range can tell. False when neither holds.
bool has_quick_integer(const spec::Type& src, const spec::Type& dst);
/// Such an integer by the conversion to nearest, which rounds those beyond 2^24, to no less than that.
Real decode_nearest(Builder& builder, const spec::Meaning& meaning);
/// Integers that fill their lane of 32 or 64 bits, rounded to odd before they become float32.
bool has_odd_integer(const spec::Type& src, const spec::Type& dst, int lane_bits);

/// May integers be clamped to +-2^24 before they become float32? Twice the largest number is below that; and half the
/// smallest subnormal is a normal float32.
bool may_be_clamped(const spec::Type& dst);
/// Do the range and precision of the destination, and the way its results are rounded, allow that a source of 64 bits
/// becomes a float32 first?
bool may_round_to_odd(const spec::Meaning& meaning);
/// Rounded to odd, by integers before one conversion.
Real decode_rounded_to_odd(Builder& builder, const spec::Meaning& meaning);
/// Rounded to odd, by a conversion toward zero and a sticky bit.
Real decode_sticky(Builder& builder, const spec::Meaning& meaning);
/// An integer, clamped to +-2^24.
Real decode_clamped(Builder& builder, const spec::Meaning& meaning);
/// A float64 source as float32, rounded to odd. Results that are integers of at most 16 bits, to nearest or toward
/// zero, are the same: what float32 makes zero or infinity is far from every tie and from the ends of the range.
Real decode_odd_single(Builder& builder, const spec::Meaning& meaning);
/// A float64 source rounded to float32, nearest even.
Real decode_rounded(Builder& builder, const spec::Meaning& meaning);
/// The real number that a float32 value holds.
Real real_of_single(Builder& builder, const spec::Type& src, Value single);

/// An integer that fills its lane as a float64: exact, or rounded to odd.
Value decode_double(Builder& builder, const spec::Type& src);

/// The least number of an integer type, in a lane of any width.
inline std::uint64_t least_integer(const spec::Type& type) {
  return type.is_signed ? ~low_bits(type.value_bits - 1) : 0;
}
/// What is out of range gives where overflow is `indefinite`.
inline std::uint64_t indefinite_integer(const spec::Type& type) {
  return type.is_signed ? least_integer(type) : type.largest_code();
}

/// How a significand loses its low bits.
struct RoundingSite {
  Value sig;                  // the significand, at least one bit below what is kept
  Value shift;                // bits to drop, >= 1 in every lane; no value: use `drop`
  int drop = 0;               // the same as an immediate
  Value field;                // exponent field added to the kept part; no value: none
  bool field_parity = false;  // no mantissa: the last kept bit is the lowest bit of the whole code
  Value sign;                 // isolated sign bit of the source; no value: never negative
  int sign_bit = 0;           // its position
  bool full = false;          // the significand may fill the lane: no bias may be added to it
};
/// (kept part rounded by `mode`) + field.
Value round_significand(Builder& builder, const RoundingSite& site, const spec::Rounding* mode);

/// The bits of a float64, of which the lowest `drop` are rounded to zero; the carry goes on into the exponent. Missing
/// for a mode that no few operations round in.
Value round_low_bits(Builder& builder, Value bits, int drop, bool may_be_negative, const spec::Rounding* mode);

/// Does `mode` ever round up a magnitude below half an ulp? Then no sticky bit may be set for an exact value.
bool moves_small_values(const spec::Rounding* mode);

/// All-ones lanes where the sign bit is set, and its complement.
Value negative_mask(Builder& builder, Value sign, int sign_bit);

/// Destination storage bits of a real number.
Value encode_floating(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_power_of_two(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
/// Low bits of the integer, as many as a lane has above the fraction; by two of the modes. Nothing for more.
Value encode_shifted_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
/// Toward zero, by one shift from the top of a lane that holds all of the integer. Nothing for more.
Value encode_integer_part(Builder& builder, const Real& real, const spec::Meaning& meaning);
/// All results in one table of 64, by place; of a float32, or of what was rounded to odd as one. Nothing where there
/// are more places, or where results of negative sources are not those of positive ones with the sign. Held against the
/// exact semantics at both ends of every place, between which results do not change.
Value encode_places(Builder& builder, const Real& real, const spec::Meaning& meaning);
/// Rounded to an integral value: in a layout that is the format's own, and in any that holds it.
Value encode_integral(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_as_integral(Builder& builder, const Real& real, const spec::Meaning& meaning);
/// The same of a float32 by way of an integer of 32 bits, where conversions have the mode.
Value encode_converted_integral(Builder& builder, const Real& real, const spec::Meaning& meaning);

/// Sign and magnitude in one value.
Value source_bits(const Real& real);
/// The same of a float32, 0 for a NaN.
Value number_or_zero(Builder& builder, const Real& real);
/// Why the lower end of a range is a minimum of unsigned integers.
inline constexpr const char* kNegativeOrder = "with the sign set, the larger the bits, the lower the number";
/// Do numbers keep their low bits in a whole element, while what is no number becomes 0?
bool wraps_whole_elements(const spec::Meaning& meaning);
/// The carry table of the rule; where nothing is ever rounded, that of the least work.
std::uint16_t carry_of(const spec::Meaning& meaning);

/// The integer of a float32 or float64 in the mode of a carry table; missing where no operation rounds so.
Value int_of_float(Value number, std::uint16_t carry);
/// 1 where a number rounded down and up has two codes, so that it is inexact and one of them is odd.
Value differing_codes(Builder& builder, Value down, Value up);
/// An integer of 32 or 64 bits as the nearest float of that width.
Value nearest_float(Value integer, bool is_signed);
/// The same as the nearest float32.
Value nearest_single(Value integer, bool is_signed);
/// An unsigned integer as a float of its width, exact.
Value float_of_uint(Value integer);

/// Fast encoders, for what the list of lowerings asks of formats and rule; missing where results do not fit.
Value encode_by_multiply_add(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_float16(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_small_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_integer_in_parts(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_saturated_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
/// A float32 to a signed integer of 64 bits, by a conversion of float64 to that.
Value encode_saturated_by_double(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_extended_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_truncated_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_indefinite_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_wrapped_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_scaled_integer(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_single(Builder& builder, const Real& real, const spec::Meaning& meaning);
Value encode_double(Builder& builder, const Real& real, const spec::Meaning& meaning);

}  // namespace castforge::plan

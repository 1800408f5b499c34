#include "plan/lowerings.hpp"

#include <algorithm>

#include "lower/lower_cells.hpp"
#include "lower/lower_regular.hpp"
#include "lower/lower_saturated.hpp"
#include "lower/lower_steps.hpp"
#include "lower/lower_table.hpp"
#include "lower/lower_windows.hpp"
#include "plan/conditions.hpp"
#include "plan/real.hpp"

namespace castforge::plan {
namespace {

using lower::TableClass;
using Built = std::optional<Program>;
using enum Results;

constexpr std::string_view kFast = "plan/encode_fast.cpp", kFastInt = "plan/encode_fast_integer.cpp",
                           kFloating = "plan/encode_floating.cpp", kInteger = "plan/encode_integer.cpp",
                           kScaled = "plan/encode_scaled_integer.cpp", kSimple = "plan/simple.cpp",
                           kPower = "plan/power_of_integer.cpp", kFromFloat16 = "plan/from_float16.cpp",
                           kPlaces = "plan/encode_places.cpp";
constexpr std::string_view kTables = "lower/lower_table.cpp", kSaturated = "lower/lower_saturated.cpp",
                           kSteps = "lower/lower_steps.cpp", kRegular = "lower/lower_regular.cpp",
                           kCells = "lower/lower_cells.cpp", kWindows = "lower/lower_windows.cpp";

// ---- lanes ----

template <int kBits>
int in(const Meaning&) {
  return kBits;
}
int as_source(const Meaning& meaning) { return storage_unit(meaning.src->storage_bits); }
int as_destination(const Meaning& meaning) { return storage_unit(meaning.dst->storage_bits); }
template <int kLeast>
int as_wider(const Meaning& meaning) {
  return std::max({kLeast, as_source(meaning), as_destination(meaning)});
}
int for_integers(const Meaning& meaning) { return integer_form(meaning).lane; }

// ---- builders ----

Built finished(Builder& b, Value result) { return result ? Built(b.finish(result)) : std::nullopt; }

/// The source as a real number, and that in the destination.
template <auto kDecode, auto kEncode>
Built through(Builder& b, const Meaning& meaning) {
  const Real number = kDecode(b, meaning);
  return finished(b, kEncode(b, number, meaning));
}

/// A value as it is written down.
template <auto kWritten>
Built plain(Builder& b, const Meaning& meaning) {
  return finished(b, kWritten(b, meaning));
}

/// A program that ../lower/ puts together of results.
template <auto kLowered, auto... kMore>
Built lowered(Builder& b, const Meaning& meaning) {
  Built built = kLowered(meaning, kMore...);
  if (!built) return {};
  built->id = b.program().id;
  built->source = b.program().source;
  built->needs |= b.program().needs;
  return built;
}
Built all_looked_up(const Meaning& meaning) { return lower::lower_table(meaning); }
Built all_looked_up_by(const Meaning& meaning, TableClass table_class) {
  return lower::lower_table(meaning, table_class);
}
/// NEON prefers windows, which stand further down the list: then the two sets with long tables have no plan in common.
Built all_looked_up_in_long_table(const Meaning& meaning) {
  const bool may_be_windows = meaning.src->storage_bits == 8 && meaning.dst->storage_bits <= 8;
  if (may_be_windows && lower::lower_windows(meaning, TableClass::neon)) return {};
  return lower::lower_long_table(meaning);
}

constexpr int kBitsOf64 = 6, kBitsOfByte = 8;  // of indices: tables of 64 entries, of 256

// ---- the list ----

// An instruction set runs the first program that it can: faster lowerings stand higher, and of two for one task the one
// that needs more stands first. The search ends at a program that needs nothing, so a row may rely on those above it.
//
// clang-format off
constexpr Lowering kLowerings[] = {
    // Bits alone.
    {"truth.integer", kSimple, any, boolean, by_value,
     kNeedsNothing, as_source, exact, plain<truth>},
    {"from_truth.integer", kSimple, boolean, any, by_value,
     kNeedsNothing, as_source, exact, plain<number_of_truth>},
    {"copy.integer", kSimple, any, any, keeps_code,
     kNeedsNothing, as_destination, exact, plain<same_code>},

    // A few operations in narrow lanes, faster than lookups for 16 bits.
    {"convert_float.in_16_bits", kFloating, like<kBfloat16>, all<exponent_alone, at_most<16>>, in_float32,
     kNeedsNothing, in<16>, computed, through<decode_own, encode_power_of_two>},

    // Integers of which few have a result of their own: the others become the last of these.
    {"lookup.saturated", kSaturated, all<integer, fills_lane>, all<floating, at_most<8>>, any,
     kNeedsVector, as_source, exact, lowered<lower::lower_saturated>},
    {"lookup.saturated_byte", kSaturated, all<integer, fills<8>>, all<floating, at_most<8>>, any,
     kNeedsVbmi, as_source, exact, lowered<lower::lower_saturated_to, kBitsOf64, TableClass::vbmi>},

    // All results in one table, which beats arithmetic. Every instruction set has lookups in 16 bytes. With VBMI a byte
    // of a result is one instruction, which beats conversions of the instruction set as well. Of interleaved bytes a
    // sign takes two operations, each byte by lookup one. Powers of two as integers and as wide floats are so regular
    // that one or two lookups in 16 bytes are faster than that one in 256; and integers of 4 bits as 64 are faster
    // widened than looked up, as their table is two vectors.
    {"lookup.table", kSimple, any, any, all<tabulated, in_short_table>,
     kNeedsNothing, as_destination, exact, plain<table_of_results>},
    {"lookup.long_table", kTables, all<at_most<8>, no<exponent_alone>>, any, tabulated,
     kNeedsTables, as_source, exact, lowered<all_looked_up_in_long_table>},
    {"lookup.long_table", kTables, all<at_most<8>, exponent_alone>, all<floating, at_most<16>>, tabulated,
     kNeedsTables, as_source, exact, lowered<all_looked_up_in_long_table>},
    {"lookup.vbmi", kTables, all<at_most<8>, no<exponent_alone>>, any, tabulated,
     kNeedsVbmi, as_source, exact, lowered<all_looked_up_by, TableClass::vbmi>},
    {"lookup.vbmi", kTables, all<at_most<8>, exponent_alone>, all<floating, at_most<16>>, tabulated,
     kNeedsVbmi, as_source, exact, lowered<all_looked_up_by, TableClass::vbmi>},
    {"lookup.vbmi", kTables, all<integer, at_most<7>>, all<integer, at_least<9>, at_most<32>>, any,
     kNeedsVbmi, as_source, exact, lowered<all_looked_up_by, TableClass::vbmi>},
    {"lookup.vbmi", kTables, all<integer, at_most<3>>, all<integer, at_least<33>>, any,
     kNeedsVbmi, as_source, exact, lowered<all_looked_up_by, TableClass::vbmi>},
    {"lookup.vbmi", kTables, all<integer, bits<8>>, all<floating, bits<16>>, any,
     kNeedsVbmi, as_source, exact, lowered<all_looked_up_by, TableClass::vbmi>},
    {"lookup.windows_bytes16", kWindows, bits<8>, at_most<8>, tabulated,
     kNeedsBytes16, as_source, exact, lowered<lower::lower_windows, TableClass::bytes16>},
    {"lookup.windows_neon", kWindows, bits<8>, at_most<8>, tabulated,
     kNeedsNeon, as_source, exact, lowered<lower::lower_windows, TableClass::neon>},
    {"lookup.bytes", kTables, at_most<8>, any, tabulated,
     kNeedsVector, as_source, exact, lowered<all_looked_up>},
    {"lookup.bytes16", kTables, at_most<8>, any, tabulated,
     kNeedsBytes16, as_source, exact, lowered<all_looked_up_by, TableClass::bytes16>},
    {"lookup.bytes16", kTables, all<integer, with_sign, at_most<7>>, all<integer, bits<16>>, any,
     kNeedsBytes16, as_source, exact, lowered<all_looked_up_by, TableClass::bytes16>},
    {"lookup.neon", kTables, at_most<8>, any, tabulated,
     kNeedsNeon, as_source, exact, lowered<all_looked_up_by, TableClass::neon>},
    {"lookup.table", kSimple, any, any, all<tabulated, no<in_short_table>>,
     kNeedsNothing, as_destination, exact, plain<table_of_results>},

    // Lookups for wider sources: saturated to a byte, or by the high byte and thresholds on the low one. VBMI has large
    // tables, which serve more rules than those of 16 entries do.
    {"lookup.saturated_long_table", kSaturated, all<integer, fills_lane, at_least<16>>, all<floating, at_most<8>>, any,
     kNeedsTables, as_source, exact, lowered<lower::lower_saturated_in_long_table>},
    {"lookup.saturated_vbmi", kSaturated, all<integer, fills_lane, at_least<16>>, all<floating, at_most<8>>, any,
     kNeedsVbmi, as_source, exact, lowered<lower::lower_saturated_to, kBitsOfByte, TableClass::vbmi>},
    {"lookup.saturated_bytes16", kSaturated, all<integer, fills<16>>, all<floating, at_most<8>>, any,
     kNeedsBytes16, as_source, exact, lowered<lower::lower_saturated_to, kBitsOfByte, TableClass::bytes16>},
    {"lookup.saturated_bytes16", kSaturated, all<integer, fills_lane, at_least<32>>, all<floating, at_most<7>>, any,
     kNeedsBytes16, as_source, exact, lowered<lower::lower_saturated_to, kBitsOfByte, TableClass::bytes16>},
    {"lookup.saturated_neon", kSaturated, all<integer, fills_lane, at_least<16>>, all<floating, at_most<8>>, any,
     kNeedsNeon, as_source, exact, lowered<lower::lower_saturated_to, kBitsOfByte, TableClass::neon>},
    {"lookup.steps", kSteps, bits<16>, at_most<8>, real,
     kNeedsVbmi, in<16>, exact, lowered<lower::lower_steps>},
    {"lookup.places", kPlaces, like<kFloat32>, all<floating, with_sign, at_most<7>>, any,
     kNeedsVbmi, in<32>, exact, through<decode_single, encode_places>},
    {"lookup.odd_steps", kSteps, all<floating, fills<32>>, at_most<7>, any,
     kNeedsVbmi, in<16>, exact, lowered<lower::lower_odd_steps>},
    {"lookup.cells_bytes16", kCells, all<floating, bits<16>>, all<floating, at_most<8>>, any,
     kNeedsBytes16, in<16>, exact, lowered<lower::lower_cells, TableClass::bytes16>},
    {"lookup.cells_neon", kCells, all<floating, bits<16>>, all<floating, at_most<8>>, any,
     kNeedsNeon, in<16>, exact, lowered<lower::lower_cells, TableClass::neon>},
    {"lookup.odd_cells_bytes16", kCells, all<floating, fills<32>>, all<floating, at_most<8>>, any,
     kNeedsBytes16, in<16>, exact, lowered<lower::lower_odd_cells, TableClass::bytes16>},
    {"lookup.odd_cells_neon", kCells, all<floating, fills<32>>, all<floating, at_most<8>>, any,
     kNeedsNeon, in<16>, exact, lowered<lower::lower_odd_cells, TableClass::neon>},
    {"lookup.regular", kRegular, all<floating, bits<16>>, all<floating, at_most<8>>, any,
     kNeedsVector, in<16>, exact, lowered<lower::lower_regular_without_tables>},
    {"lookup.regular_bytes16", kRegular, all<floating, bits<16>>, all<floating, at_most<8>>, any,
     kNeedsBytes16, in<16>, exact, lowered<lower::lower_regular, TableClass::bytes16>},
    {"lookup.regular_neon", kRegular, all<floating, bits<16>>, all<floating, at_most<8>>, any,
     kNeedsNeon, in<16>, exact, lowered<lower::lower_regular, TableClass::neon>},

    // Tasks with one program for all instruction sets.
    {"integers.integer", kSimple, integer, integer, any,
     kNeedsNothing, as_wider<8>, computed, plain<integer_of_integer>},
    {"round_to_integral.convert", kInteger, like<kFloat32>, any, to_integral,
     kNeedsVector, in<32>, computed, through<decode_own, encode_converted_integral>},
    {"round_to_integral.integer", kInteger, like<kFloat32>, any, to_integral,
     kNeedsNothing, in<32>, computed, through<decode_own, encode_integral>},
    {"round_to_integral.integer", kInteger, like<kFloat64>, any, to_integral,
     kNeedsNothing, in<64>, computed, through<decode_own, encode_integral>},
    {"round_to_integral.converted", kInteger, floating, any, to_integral,
     kNeedsNothing, for_integers, computed, through<decode_by_integers, encode_as_integral>},

    // To float32 and float64 by a conversion of the instruction set: what that rounds right by itself, then what has to
    // be rounded apart from it.
    {"from_integer.nearest", kSimple, all<integer, fills_lane, at_least<32>>, like<kFloat32>, nearest_even,
     kNeedsVector, as_source, computed, plain<nearest_of_integer>},
    {"from_integer.nearest", kSimple, all<integer, fills<64>>, like<kFloat64>, nearest_even,
     kNeedsVector, as_source, computed, plain<nearest_of_integer>},
    {"from_integer.exact", kSimple, all<integer, fills_lane, at_most<16>>, like<kFloat64>, any,
     kNeedsVector, in<32>, computed, plain<double_of_integer>},
    {"from_integer.exact", kSimple, all<integer, fills<32>, with_sign>, like<kFloat64>, any,
     kNeedsVector, in<32>, computed, plain<double_of_integer>},
    {"from_integer.directed", kSimple, all<integer, fills_lane, at_least<32>, with_sign>, like<kFloat32>, any,
     kNeedsVector | kNeedsAvx512, as_source, computed, plain<directed_of_integer>},
    {"from_integer.by_double", kSimple, all<integer, fills_lane, at_least<32>>, like<kFloat32>, any,
     kNeedsVector, in<64>, computed, plain<single_by_double>},
    {"convert_float.widening", kFast, all<floating, at_least<16>, at_most<32>, within_float32>, like<kFloat64>, any,
     kNeedsVector, in<32>, computed, through<decode_single, encode_double>},
    {"convert_float.nearest", kFast, like<kFloat64>, like<kFloat32>, nearest_even,
     kNeedsVector, in<64>, computed, through<decode_rounded, encode_single>},

    // Integers to powers of two alone: the place of the leading bit, counted, or from the exponent of a float32.
    {"from_integer.leading_zeros", kPower, all<integer, fills_lane, at_least<32>>, exponent_alone, any,
     kNeedsAvx512, as_source, computed, plain<power_by_leading_zeros>},
    {"from_integer.leading_bit", kPower, all<integer, fills_lane, at_least<32>>, exponent_alone, any,
     kNeedsVector, as_source, computed, plain<power_by_leading_bit>},

    // To integers of 64 bits: by the conversions of AVX-512, or without any of that width: in 32 bits all of the number
    // or its significand.
    {"round_to_integer.truncate", kFastInt, is_shortened_float32, all<integer, fills<64>>, all<wraps, toward_zero>,
     kNeedsVector | kNeedsAvx512, in<32>, computed, through<decode_single, encode_truncated_integer>},
    {"round_to_integer.extended", kFastInt, like<kFloat16>, all<integer, bits<64>>, wraps,
     kNeedsVector, in<32>, computed, through<decode_single, encode_extended_integer>},
    {"round_to_integer.by_double", kFastInt, is_shortened_float32, all<integer, with_sign, fills<64>>,
     in_mode_of_conversions,
     kNeedsVector | kNeedsAvx512, in<32>, computed, through<decode_single, encode_saturated_by_double>},
    {"round_to_integer.scaled", kScaled, is_shortened_float32, all<integer, fills<64>>, any,
     kNeedsVector, in<32>, computed, through<decode_single, encode_scaled_integer>},

    // float64 to integers: by the conversions of AVX-512 where low bits are kept, without any other operation first.
    {"round_to_integer.convert", kFastInt, like<kFloat64>, integer, wraps,
     kNeedsAvx512, in<64>, computed, through<decode_own, encode_small_integer>},
    {"round_to_integer.saturate", kFastInt, like<kFloat64>, all<integer, whole, at_most<16>>, nearest_or_toward_zero,
     kNeedsVector, in<64>, computed, through<decode_odd_single, encode_saturated_integer>},
    {"round_to_integer.truncate", kFastInt, like<kFloat64>, integer, all<wraps, toward_zero>,
     kNeedsAvx512, in<64>, computed, through<decode_own, encode_truncated_integer>},
    {"round_to_integer.wrap", kFastInt, like<kFloat64>, all<integer, at_most<32>>, wraps,
     kNeedsVector, in<64>, computed, through<decode_own, encode_wrapped_integer>},
    {"round_to_integer.indefinite", kFastInt, like<kFloat64>, all<integer, with_sign, fills<64>>, indefinite,
     kNeedsAvx512, in<64>, computed, through<decode_own, encode_indefinite_integer>},

    // 64 bits to shorter floats by way of float32, rounded to odd: the one rounding is that to the destination. AVX-512
    // has conversions in directed modes: toward zero, with which a sticky bit is enough, and of integers both down and
    // up. In the order of the 32 bits that follow: by a conversion to float16, by a multiply-add, by integers.
    {"lookup.places_sticky", kPlaces, like<kFloat64>, all<floating, with_sign, at_most<7>>,
     all<by_float32, nearest_even>,
     kNeedsVector | kNeedsAvx512 | kNeedsVbmi, in<64>, exact, through<decode_sticky, encode_places>},
    {"convert_float.float16_sticky", kFast, like<kFloat64>, like<kFloat16>, all<by_float32, nearest_even>,
     kNeedsVector | kNeedsFloat16 | kNeedsAvx512, in<64>, computed, through<decode_sticky, encode_float16>},
    {"convert_float.multiply_add_sticky", kFast, fills<64>, floating_with_zero, all<by_float32, nearest_even>,
     kNeedsVector | kNeedsAvx512, in<64>, computed, through<decode_sticky, encode_by_multiply_add>},
    {"convert_float.odd_sticky", kFloating, like<kFloat64>, all<floating, with_sign>, all<by_float32, nearest_even>,
     kNeedsAvx512, in<64>, computed, through<decode_sticky, encode_floating>},
    {"from_integer.odd_single", kFloating, all<integer, fills<64>>, floating, by_float32,
     kNeedsAvx512, in<64>, computed, through<decode_sticky, encode_floating>},
    {"convert_float.float16", kFast, like<kFloat64>, like<kFloat16>, all<by_float32, nearest_even>,
     kNeedsVector | kNeedsFloat16, in<64>, computed, through<decode_rounded_to_odd, encode_float16>},
    {"convert_float.float16_nearest", kFast, all<integer, with_sign, fills<64>>, like<kFloat16>,
     all<clamped, nearest_even>,
     kNeedsVector | kNeedsFloat16 | kNeedsAvx512, in<64>, computed, through<decode_nearest, encode_float16>},
    {"convert_float.float16", kFast, all<integer, fills<64>>, like<kFloat16>, all<clamped, nearest_even>,
     kNeedsVector | kNeedsFloat16, in<64>, computed, through<decode_clamped, encode_float16>},
    {"convert_float.multiply_add", kFast, fills<64>, floating_with_zero, all<by_float32, nearest_even>,
     kNeedsVector, in<64>, computed, through<decode_rounded_to_odd, encode_by_multiply_add>},
    {"convert_float.multiply_add_nearest", kFast, all<integer, with_sign, fills<64>>, floating_with_zero,
     all<clamped, nearest_even>,
     kNeedsVector | kNeedsAvx512, in<64>, computed, through<decode_nearest, encode_by_multiply_add>},
    {"convert_float.multiply_add", kFast, all<integer, fills<64>>, floating_with_zero, all<clamped, nearest_even>,
     kNeedsVector, in<64>, computed, through<decode_clamped, encode_by_multiply_add>},
    {"convert_float.odd", kFloating, like<kFloat64>, all<floating, with_sign>, all<by_float32, nearest_even>,
     kNeedsVector, in<64>, computed, through<decode_rounded_to_odd, encode_floating>},
    {"from_integer.odd", kFloating, all<integer, fills<64>>, floating, by_float32,
     kNeedsVector, in<64>, computed, through<decode_rounded_to_odd, encode_floating>},
    {"from_integer.odd", kFloating, all<integer, fills<64>>, floating, clamped,
     kNeedsNothing, in<64>, computed, through<decode_clamped, encode_floating>},

    // From float32 in lanes of 32 bits: one conversion to float16, one multiplication and addition, one conversion to
    // an integer. Of the last that comes first which has the least to do for what is no number or out of range.
    {"convert_float.float16", kFast, any, like<kFloat16>, all<in_float32, quick_int32, no<to_odd>>,
     kNeedsVector | kNeedsFloat16, in<32>, computed, through<decode_nearest, encode_float16>},
    {"convert_float.float16", kFast, any, like<kFloat16>, all<in_float32, no<quick_int32>, no<to_odd>>,
     kNeedsVector | kNeedsFloat16, in<32>, computed, through<decode_single, encode_float16>},
    // Three conversions, which take NEON four to seven instructions each; of an int32 they take AVX2 longer as well.
    {"convert_float.float16", kFast, any, like<kFloat16>, all<in_float32, quick_int32, to_odd>,
     kNeedsVector | kNeedsFloat16 | kNeedsAvx512, in<32>, computed, through<decode_nearest, encode_float16>},
    {"convert_float.float16", kFast, any, like<kFloat16>, all<in_float32, no<quick_int32>, to_odd>,
     kNeedsVector | kNeedsFloat16 | kNeedsBytes16, in<32>, computed, through<decode_single, encode_float16>},
    {"from_integer.by_bfloat16", kSimple, all<integer, fills<8>>, like<kFloat16>, in_float32,
     kNeedsVector, in<32>, computed, plain<float16_of_integer>},
    {"convert_float.multiply_add", kFast, any, floating_with_zero, all<in_float32, quick_int32, nearest_even>,
     kNeedsVector, in<32>, computed, through<decode_nearest, encode_by_multiply_add>},
    {"convert_float.multiply_add_nearest", kFast, all<integer, no<with_sign>, fills<32>>, floating_with_zero,
     all<in_float32, quick_integer, nearest_even>,
     kNeedsVector | kNeedsAvx512, in<32>, computed, through<decode_nearest, encode_by_multiply_add>},
    {"convert_float.multiply_add", kFast, any, floating_with_zero, all<in_float32, no<quick_int32>, nearest_even>,
     kNeedsVector, in<32>, computed, through<decode_single, encode_by_multiply_add>},
    {"round_to_integer.saturate", kFastInt, floating, all<integer, whole>, in_float32,
     kNeedsVector, in<32>, computed, through<decode_single, encode_saturated_integer>},
    // Without a conversion of float16 few bits of an integer are shifted to their place instead, or all of one of 16
    // bits; toward zero with AVX-512 VBMI and NEON, which shift words, both in any case. AVX-512 without VBMI, which
    // only Intel's processors have, converts: that is faster for most on the one that was measured.
    {"round_to_integer.shifted_vbmi", kInteger, like<kFloat16>, all<integer, at_most<16>>,
     all<in_float32, wraps, toward_zero>,
     kNeedsVbmi, in<16>, computed, through<decode_own, encode_integer_part>},
    {"round_to_integer.convert", kFastInt, like<kFloat16>, all<integer, at_most<5>>,
     all<in_float32, wraps, nearest_even>,
     kNeedsVector | kNeedsFloat16, in<32>, computed, through<decode_single, encode_small_integer>},
    {"round_to_integer.convert", kFastInt, like<kFloat16>, all<integer, at_most<5>>,
     all<in_float32, wraps, toward_zero>,
     kNeedsVector | kNeedsFloat16 | kNeedsBytes16, in<32>, computed, through<decode_single, encode_small_integer>},
    {"round_to_integer.shifted", kInteger, like<kFloat16>, all<integer, at_most<5>>, all<in_float32, wraps>,
     kNeedsNothing, in<16>, computed, through<decode_own, encode_shifted_integer>},
    {"round_to_integer.convert", kFastInt, like<kFloat16>, all<integer, at_least<6>, at_most<16>>,
     all<in_float32, wraps, toward_zero>,
     kNeedsVector | kNeedsFloat16 | kNeedsBytes16, in<32>, computed, through<decode_single, encode_small_integer>},
    {"round_to_integer.shifted", kInteger, like<kFloat16>, all<integer, at_least<6>, at_most<16>>,
     all<in_float32, wraps, toward_zero>,
     kNeedsNothing, in<16>, computed, through<decode_own, encode_integer_part>},
    {"round_to_integer.convert", kFastInt, like<kFloat16>, all<integer, at_least<6>>, all<in_float32, wraps>,
     kNeedsVector, in<32>, computed, through<decode_single, encode_small_integer>},
    {"round_to_integer.convert", kFastInt, all<floating, no<like<kFloat16>>>, integer, all<in_float32, wraps>,
     kNeedsNothing, in<32>, computed, through<decode_single, encode_small_integer>},
    // x86's conversions to integers tell what is out of range: two of them for results of few bits or sources with few.
    {"round_to_integer.in_parts", kFastInt, floating, integer, all<in_float32, wraps>,
     kNeedsVector | kNeedsBytes16, in<32>, computed, through<decode_single, encode_integer_in_parts>},
    // One conversion to 64 bits.
    {"round_to_integer.truncate", kFastInt, floating, integer, all<in_float32, wraps, toward_zero>,
     kNeedsAvx512, in<32>, computed, through<decode_single, encode_truncated_integer>},
    {"round_to_integer.wrap", kFastInt, floating, integer, all<in_float32, wraps>,
     kNeedsVector, in<32>, computed, through<decode_single, encode_wrapped_integer>},
    {"round_to_integer.indefinite", kFastInt, floating, all<integer, with_sign, fills<32>>, all<in_float32, indefinite>,
     kNeedsVector, in<32>, computed, through<decode_single, encode_indefinite_integer>},

    // The source by a conversion of the instruction set, the rest by integers, which takes the most operations.
    {"round_to_integer.float16_decode", kInteger, like<kFloat16>, integer, in_float32,
     kNeedsVector, in<32>, computed, through<decode_single, encode_integer>},
    {"convert_float.float16_decode", kFloating, like<kFloat16>, like<kBfloat16>, all<in_float32, nearest_even>,
     kNeedsVector | kNeedsFloat16, in<32>, computed, through<decode_single, encode_floating>},
    {"convert_float.positive_float16", kFromFloat16, like<kFloat16>, like<kBfloat16>, all<in_float32, nearest_even>,
     kNeedsVector, in<32>, computed, plain<bfloat16_of_float16>},
    {"convert_float.float16_decode", kFloating, like<kFloat16>, floating_with_zero, in_float32,
     kNeedsVector, in<32>, computed, through<decode_single, encode_floating>},
    {"convert_float.float16_decode", kFloating, like<kFloat16>, exponent_alone, in_float32,
     kNeedsVector | kNeedsFloat16, in<32>, computed, through<decode_single, encode_floating>},
    // A positive number is decoded without the conversion in half as many operations; not every format and rule allows
    // that.
    {"convert_float.positive_float16", kFromFloat16, like<kFloat16>, exponent_alone, in_float32,
     kNeedsVector, in<32>, computed, plain<power_of_two_of_float16>},
    {"convert_float.float16_decode", kFloating, like<kFloat16>, exponent_alone, in_float32,
     kNeedsVector, in<32>, computed, through<decode_single, encode_floating>},
    {"from_integer.quick", kFloating, integer, floating, all<in_float32, quick_integer>,
     kNeedsNothing, in<32>, computed, through<decode_single, encode_floating>},
    // AVX-512 and NEON alone convert 32 bits without a sign to a float.
    {"from_integer.odd", kFloating, all<integer, with_sign>, floating, all<in_float32, no<quick_integer>>,
     kNeedsVector, in<32>, computed, through<decode_single, encode_floating>},
    {"from_integer.odd", kFloating, integer, floating, all<in_float32, no<quick_integer>>,
     kNeedsVector | kNeedsAvx512, in<32>, computed, through<decode_single, encode_floating>},
    {"from_integer.odd_neon", kFloating, integer, floating, all<in_float32, no<quick_integer>>,
     kNeedsVector | kNeedsNeon, in<32>, computed, through<decode_single, encode_floating>},

    // All by integers: any rule, on any machine.
    {"wide_integer.integer", kSimple, integer, floating, rounded_directly,
     kNeedsNothing, as_wider<32>, computed, plain<rounded_integer>},
    {"round_to_integer.integer", kInteger, floating, integer, any,
     kNeedsNothing, for_integers, computed, through<decode_by_integers, encode_integer>},
    {"from_integer.integer", kFloating, integer, floating, any,
     kNeedsNothing, for_integers, computed, through<decode_by_integers, encode_floating>},
    {"convert_float.integer", kFloating, floating, floating, real,
     kNeedsNothing, for_integers, computed, through<decode_by_integers, encode_floating>},
};
// clang-format on

}  // namespace

std::span<const Lowering> lowerings() { return kLowerings; }

}  // namespace castforge::plan

// Numbers to text and text to numbers, for every format that a Format can describe and by the rule that a
// Rule holds. Follows the string rules of ONNX Cast-9 and later. Independent of locale, of the
// floating-point environment and of everything but the C++ standard library; no allocation, no locks, no
// exceptions.
#pragma once

#include <castforge/format.hpp>
#include <castforge/rule.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/exact/rounding.hpp"

namespace castforge::text {

using exact::kNearestEven;

// ---------------------------------------------------------------- number to text

/// Bytes of room that are enough for any element of any type in either notation.
inline constexpr std::size_t kFormatBuffer = 384;

/// Longest text of an element of `type`, in bytes. Fixed notation of float64 has up to 327: "-0." and 324
/// decimals.
std::size_t max_length(const Format& type, Notation notation);

/// Bytes that must be writable at format_one's `out`: max_length plus slack for wide stores; at most
/// kFormatBuffer.
std::size_t buffer_size(const Format& type, Notation notation);

/// Writes one element as text and returns its length; no terminating zero. `code` is the element's bit
/// pattern in the low value_bits bits (higher bits are ignored). `out` has buffer_size(type, notation) bytes,
/// all of which may be written.
///
/// Integers are decimal, booleans 1 or 0, NaN of either sign `NaN`, infinities `INF` and `-INF`, zeros `0`
/// and `-0`. A finite floating value is the shortest decimal that rounds (to nearest, ties to even) back to
/// it on the grid of its own type, the exponent unbounded above; the closest one among equally short, then
/// the one with an even last digit. Integral values in positional notation are written in full. Types without
/// a mantissa use float64's grid; their text lies on that side of the value on which a reader that rounds by the
/// carry table `reader` finds the value again.
std::size_t format_one(const Format& type, std::uint64_t code, Notation notation, char* out,
                       std::uint16_t reader = kNearestEven);

struct FormatResult {
  std::size_t elements = 0;  // written
  std::size_t bytes = 0;
};

/// Formats elements first .. first + count - 1 of the tensor at `src` (layout as in storage: sub-byte types
/// packed, others little-endian) one after the other into `out`, without separators;
/// ends[i] is the offset in `out` behind the i-th text. Stops before the first element that does not fit into
/// `capacity` bytes and writes nothing beyond them; call again from there. `ends` has room for `count`
/// entries.
FormatResult format_many(const Format& type, const void* src, std::size_t first, std::size_t count, Notation notation,
                         char* out, std::size_t capacity, std::size_t* ends, std::uint16_t reader = kNearestEven);

// ---------------------------------------------------------------- text to number

enum class ParseError : std::uint8_t {
  none,
  bad_number,            // the text does not match the grammar
  integer_out_of_range,  // integer syntax outside [-2^63, 2^64) for an integer destination
};

struct ParseResult {
  ParseError error = ParseError::none;
  std::size_t index = 0;  // of the first bad element
  constexpr bool ok() const { return error == ParseError::none; }
};

/// Whether boolean destinations also read the words true and false (an op-set's option `bool_words`).
enum class BoolWords : bool { rejected, accepted };

/// Reads `count` numbers into the tensor at `out` (packed for sub-byte types, unused bits of the last byte zero); `dst`
/// is not a string type. ASCII white space around a text is ignored; the rest must match
///     number  = [sign] ( digit+ [ "." digit* ] | "." digit+ ) [ ("e"|"E") [sign] digit+ ]
///     special = [sign] ( "inf" | "infinity" | "nan" )      in any letter case
/// Floating destinations: the exact decimal value is rounded once, by the rule's carry table and policies.
///
/// Integer destinations: digits alone are exact, must lie in [-2^63, 2^64) and keep their low bits, whatever
/// the rule says of overflow. Other numbers are rounded to float64 and follow the rule as a float64 source
/// would.
///
/// Boolean destinations: rounded to float64; zero is 0, anything else including NaN is 1.
/// With BoolWords::accepted also "true" and "false" in any letter case.
///
/// Stops at the first bad text; the destination's content is then unspecified, nothing outside it is written.
ParseResult parse_many(const Format& dst, const Rule& rule, const std::string_view* texts, std::size_t count, void* out,
                       BoolWords bool_words = BoolWords::rejected);

/// The same for texts packed into one buffer: text i is chars[offsets[i] .. offsets[i + 1]), `offsets` has
/// count + 1 ascending entries. Nothing outside chars[offsets[0] .. offsets[count]) is read.
ParseResult parse_many(const Format& dst, const Rule& rule, const char* chars, const std::size_t* offsets,
                       std::size_t count, void* out, BoolWords bool_words = BoolWords::rejected);

}  // namespace castforge::text

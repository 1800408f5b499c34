// Number formats as the oracle knows them: its own table, typed in by hand from the published encodings. Further ones
// come from their JSON files (specs.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::oracle {

enum class Kind { floating, integer, boolean };

/// Which codes are NaN.
enum class Nan {
  none,
  ieee,           // top binade, fraction not zero; infinity is the top binade with fraction zero
  top,            // only the largest magnitude, with either sign
  negative_zero,  // only "sign set, all else clear"
};

/// One number format. A code is the bit pattern of one element.
struct Format {
  std::string name;
  Kind kind = Kind::floating;
  bool is_signed = true;
  int exponent_bits = 0;
  int mantissa_bits = 0;
  int bias = 0;
  bool subnormals = true;
  bool infinity = false;
  Nan nan = Nan::none;
  int bits = 0;                                // value bits of an element
  int storage = 0;                             // storage bits of an element, 1 to 64
  bool high_first = false;                     // elements that share a byte begin at its high end
  bool high = false;                           // the code is in the high bits of its storage, zeros below it
  bool sign_fill = false;                      // the storage above the code repeats the sign
  std::optional<std::uint64_t> canonical_nan;  // the positive NaN that is written, where not the usual one

  friend bool operator==(const Format&, const Format&) = default;
};

/// The formats of the supported systems. Throws std::out_of_range for another name.
const Format& format(std::string_view name);
const std::vector<Format>& all_formats();

/// A further floating format, stored in the low bits of `storage` bits.
Format make_floating(std::string name, bool is_signed, int exponent_bits, int mantissa_bits, int bias, bool subnormals,
                     bool infinity, Nan nan, int storage);

}  // namespace castforge::oracle

// What a call has to say: a code, and the parts of a message that is put together only when someone reads it.
#pragma once

#include <castforge/export.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace castforge {

namespace tables {
struct OpSet;
}

enum class StatusCode : std::uint8_t {
  ok,
  no_kernel,             // a Kernel that was never looked up
  unknown_opset,         // no such op-set, or no such version of it
  unknown_type,          // neither a canonical name nor an alias
  type_not_admitted,     // the op-set's version lacks the type
  pair_not_admitted,     // both types are there, the conversion is not
  unknown_attribute,     // the op-set has no attribute of that name
  bad_attribute,         // a value outside the attribute's set, or of the wrong kind
  repeated_attribute,    // the same attribute given twice
  wrong_operation,       // the op-set describes another operation
  text_conversion,       // a string on one side: format_text and parse_text do these
  isa_unavailable,       // instruction set unknown, not built, or not usable on this machine
  null_pointer,          // no data, but elements to convert
  bad_shape,             // negative extent, or more elements than an address can count
  shape_mismatch,        // source and destination differ in shape
  type_mismatch,         // the destination's type is not the one asked for
  rank_not_admitted,     // outside the op-set's limits
  too_many_elements,     // above the op-set's limit
  empty_tensor,          // the op-set refuses tensors without elements
  buffer_too_small,      // fewer bytes than the elements need
  buffers_overlap,       // other than in place with equal storage widths
  bad_number,            // text that is no number; index() says which element
  integer_out_of_range,  // text of an integer outside [-2^63, 2^64); index() says which element
  bad_options,           // C API: the options structure is smaller than its first version
  // Sequences (range.hpp). What a message is about: start, stop, step or the result.
  bad_type,            // not a number, not admitted, or not of the common type
  not_scalar,          // an input of rank 1 or more
  non_finite,          // an input is infinite or NaN
  input_range,         // integer result: an input outside [-2^63, 2^64)
  step_zero,           // the step is zero, or becomes zero when it is truncated to an integer
  count_limit,         // more elements than the op-set's limit
  beyond_end,          // elements asked for that the sequence does not have
  unsupported_option,  // the op-set states an option, or a value of one, that this library does not know
  kernels_refused,     // kernels to add do not fit this library, or contradict what it knows
  file_refused,        // a .cft file cannot be read, is damaged, or says what cannot be
};

/// Parts of a message. Filled by the library; nothing in here is part of the interface.
struct StatusParts {
  StatusCode code = StatusCode::ok;
  std::uint8_t role = 0;           // what the complaint is about, an enumerator of its code's kind
  std::uint16_t src = 0, dst = 0;  // types
  std::uint16_t attribute = 0;     // index within the op-set
  const tables::OpSet* opset = nullptr;
  std::uint64_t first = 0, second = 0;  // element index, sizes, limits
  char given[40] = {};                  // what the caller wrote, shortened where it is long
};

/// The outcome of a call; a small value without owned memory. Converts to true where all went well.
class [[nodiscard]] Status {
 public:
  constexpr Status() noexcept = default;
  constexpr explicit Status(const StatusParts& parts) noexcept : parts_(parts) {}

  constexpr bool ok() const noexcept { return parts_.code == StatusCode::ok; }
  constexpr explicit operator bool() const noexcept { return ok(); }
  constexpr StatusCode code() const noexcept { return parts_.code; }

  /// Index of the first bad element, for bad_number and integer_out_of_range; 0 otherwise.
  constexpr std::uint64_t index() const noexcept { return is_element_error() ? parts_.first : 0; }
  constexpr bool is_element_error() const noexcept {
    return parts_.code == StatusCode::bad_number || parts_.code == StatusCode::integer_out_of_range;
  }

  /// Writes the message, truncated to `size - 1` characters and terminated by NUL (nothing where size is 0).
  /// Returns the length of the whole message. No allocation.
  CASTFORGE_API std::size_t write_message(char* buffer, std::size_t size) const noexcept;

  /// The whole message as a string, for convenience.
  std::string message() const {
    std::string text(write_message(nullptr, 0), '\0');
    write_message(text.data(), text.size() + 1);
    return text;
  }

  /// The same outcome, told about another element.
  constexpr Status at_element(std::uint64_t index) const noexcept {
    StatusParts parts = parts_;
    parts.first = index;
    return Status(parts);
  }

 private:
  StatusParts parts_;
};

/// The code's own name: "ok", "unknown_opset", ...
CASTFORGE_API const char* name(StatusCode code) noexcept;

}  // namespace castforge

// Why a .cft file was refused: file_refused in words.
#pragma once

#include <castforge/status.hpp>
#include <cstdint>
#include <string_view>

#include "src/status_parts.hpp"

namespace castforge {

enum class FileProblem : std::uint8_t {
  unreadable,      // it cannot be opened or read
  no_cft,          // it does not begin as one
  version,         // second: of the file
  byte_order,      //
  size,            // second: by the header
  check,           // the bytes are not those that were written
  truncated,       // it ends in the middle of `given`
  trailing,        // more bytes than the content
  number,          // `given` is out of range or contradicts something
  text,            // `given` is no text of its kind
  order,           // `given` does not ascend
  no_result,       // the rule of the kernel `given` states no result for a code; second: the code
  wrong,           // the table of the kernel `given` contradicts its rule; second: the code
  known_type,      // the type `given` is not that of the library
  unknown_kernel,  // the library lacks the kernel `given`
  memory,
};

/// `place`: where in the file.
inline Status file_refused(FileProblem problem, std::uint64_t place = 0, std::string_view given = {},
                           std::uint64_t second = 0) noexcept {
  StatusParts parts = status_parts(StatusCode::file_refused);
  parts.role = static_cast<std::uint8_t>(problem);
  parts.first = place;
  parts.second = second;
  keep_given(parts, given, false);
  return Status(parts);
}

}  // namespace castforge

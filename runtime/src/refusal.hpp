// Why kernels were not added: kernels_refused in words.
#pragma once

#include <castforge/status.hpp>
#include <cstdint>
#include <string_view>

#include "src/status_parts.hpp"
#include "src/tables.hpp"

namespace castforge {

enum class Refusal : std::uint8_t {
  layout,           // data of another shape
  version,          // of castforge; given: theirs
  manifest,         // made beside another library; given: its manifest
  instruction_set,  // given: the one that is missing
  type,             // given: its name; src: its id
  alias,            // given
  kernel,           // a kernel of that name means something else
  missing_kernel,   // the library lacks a kernel that is referred to
  attributes,       // opset: attributes or operation differ
  options,          // opset: options, notation, the family it casts like or the last version it holds for differ
  cell,             // opset, src, dst: the pair is admitted with another meaning
  default_opset,    // given; another family is the operation's default
  too_many,         // kernels, or rules of texts
  too_many_types,   // of files
  too_many_opsets,  // of files
  memory,
};

inline Status refused(Refusal reason, std::string_view given = {}, const tables::OpSet* opset = nullptr, Type src = {},
                      Type dst = {}) noexcept {
  StatusParts parts = status_parts(StatusCode::kernels_refused);
  parts.role = static_cast<std::uint8_t>(reason);
  parts.opset = opset;
  parts.src = static_cast<std::uint16_t>(src);
  parts.dst = static_cast<std::uint16_t>(dst);
  keep_given(parts, given, false);
  return Status(parts);
}

}  // namespace castforge

// Building the parts of a Status. The messages themselves are in status.cpp.
#pragma once

#include <castforge/attributes.hpp>
#include <castforge/status.hpp>
#include <castforge/type_info.hpp>
#include <string_view>

#include "src/type_rows.hpp"
#include "src/writer.hpp"

namespace castforge {

/// What a complaint is about, where its code leaves that open (StatusParts::role).
enum class Role : std::uint8_t {
  none,
  source,
  destination,
  forced,       // isa_unavailable: CASTFORGE_FORCE_ISA named it
  lower_limit,  // rank_not_admitted
  upper_limit,
  attributes,  // null_pointer: the list of a C caller
  start,       // the parts of a range
  stop,
  step,
  result,
};

inline StatusParts status_parts(StatusCode code) noexcept { return StatusParts{.code = code}; }

/// Keeps what the caller wrote: at most 30 bytes of it, unprintable ones replaced; `...` follows where it is longer.
inline void keep_given(StatusParts& parts, std::string_view text, bool quoted) noexcept {
  constexpr std::size_t kLongest = 30;
  char clean[kLongest + 3];
  const bool shortened = text.size() > kLongest;
  const std::size_t kept = shortened ? kLongest : text.size();
  for (std::size_t i = 0; i < kept; ++i) clean[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
  if (shortened) std::memcpy(clean + kept, "...", 3);
  Writer out(parts.given, sizeof parts.given);
  if (quoted) out << "\"";
  out << std::string_view(clean, kept + (shortened ? 3 : 0));
  if (quoted) out << "\"";
}

inline void keep_given(StatusParts& parts, const AttributeValue& value) noexcept {
  if (value.is_word()) return keep_given(parts, value.word(), true);
  Writer out(parts.given, sizeof parts.given);
  out << value.number();
}

inline Status simple_status(StatusCode code, Role role = Role::none, std::uint64_t first = 0,
                            std::uint64_t second = 0) noexcept {
  StatusParts parts = status_parts(code);
  parts.role = static_cast<std::uint8_t>(role);
  parts.first = first;
  parts.second = second;
  return Status(parts);
}

/// Of bad_shape, in place of the extent, which is never 0 there: the elements can be counted, their bytes cannot.
inline constexpr std::uint64_t kBytesBeyond = 0;
/// Of bad_shape, in `attribute`: no extent, but the end of text `first` of several.
inline constexpr std::uint16_t kFallingOffsets = 1;

inline Status pair_status(StatusCode code, const tables::OpSet* opset, Type src, Type dst) noexcept {
  StatusParts parts = status_parts(code);
  parts.opset = opset;
  parts.src = static_cast<std::uint16_t>(src);
  parts.dst = static_cast<std::uint16_t>(dst);
  return Status(parts);
}

inline Status opset_status(StatusCode code, const tables::OpSet* opset, std::uint64_t first = 0,
                           std::uint64_t second = 0) noexcept {
  StatusParts parts = status_parts(code);
  parts.opset = opset;
  parts.first = first;
  parts.second = second;
  return Status(parts);
}

inline Status given_status(StatusCode code, std::string_view given, Role role = Role::none) noexcept {
  StatusParts parts = status_parts(code);
  parts.role = static_cast<std::uint8_t>(role);
  keep_given(parts, given, true);
  return Status(parts);
}

/// A number from outside that is no type.
inline Status no_type_status(Type type) noexcept {
  StatusParts parts = status_parts(StatusCode::unknown_type);
  keep_given(parts, AttributeValue(static_cast<std::int64_t>(type)));
  return Status(parts);
}

/// unknown_type for the first number that is no type.
template <class... Types>
Status check_known(Types... types) noexcept {
  Status status;
  static_cast<void>(((find_type_row(types) != nullptr || (status = no_type_status(types), false)) && ...));
  return status;
}

inline Status attribute_status(StatusCode code, const tables::OpSet* opset, std::uint16_t attribute) noexcept {
  StatusParts parts = status_parts(code);
  parts.opset = opset;
  parts.attribute = attribute;
  return Status(parts);
}

}  // namespace castforge

// The options of a range op-set: how its sequences are computed.
#pragma once

#include <castforge/opset.hpp>
#include <castforge/status.hpp>
#include <cstdint>
#include <optional>

#include "src/tables.hpp"
#include "src/writer.hpp"

namespace castforge {

struct RangeRules {
  bool same_operand_types = false;    // operand_types: "any", or "same": inputs and result share one type
  bool exact_integers = true;         // integer_arithmetic: "exact", or "float64": count from float64 inputs
  bool accumulate_in_float64 = true;  // accumulator: "float64", or "result_at_least_float32"
  /// narrow_accumulator: the attribute that says so for floating results narrower than float32; none: as the others.
  std::optional<std::uint16_t> narrow_attribute;
  bool fused = false;             // fma: true: start + i * step is rounded once
  std::uint64_t count_limit = 0;  // count_limit: a number
};

/// Reads the options. Errors: wrong_operation; unsupported_option where one is missing, unknown, or has a
/// value that this library has no code for.
Status read_range_rules(OpSet opset, RangeRules& rules) noexcept;

/// Whether the value of a narrow_accumulator attribute means float64, else float32.
bool means_float64(const tables::AttributeValue& value) noexcept;

/// For messages: the name of option `index`, and the values it may have.
std::string_view range_option_name(std::uint16_t index) noexcept;
void list_range_option_words(Writer& out, std::uint16_t index) noexcept;

/// Number of options; as an index it stands for an option that no range has.
std::uint16_t range_option_count() noexcept;

}  // namespace castforge

#include "src/range_rules.hpp"

#include <charconv>

#include "src/opset_tables.hpp"
#include "src/status_parts.hpp"
#include "src/tables.hpp"

namespace castforge {
namespace {

struct Option {
  std::string_view name;
  std::string_view words[2];  // the second may be empty; none: a number
};

enum Index : std::uint16_t {
  kOperandTypes,
  kOperandRounding,
  kIntegerArithmetic,
  kAccumulator,
  kForm,
  kFma,
  kNonFinite,
  kStepZero,
  kCountLimit,
  kOptionCount,
};

constexpr Option kOptions[kOptionCount] = {
    {"operand_types", {"any", "same"}},
    {"operand_rounding", {"toward_zero"}},
    {"integer_arithmetic", {"exact", "float64"}},
    {"accumulator", {"float64", "result_at_least_float32"}},
    {"form", {"multiply"}},
    {"fma", {"false", "true"}},
    {"non_finite", {"error"}},
    {"step_zero", {"error"}},
    {"count_limit", {}},
};

Status unsupported(OpSet opset, std::uint16_t index, std::string_view given) noexcept {
  StatusParts parts = status_parts(StatusCode::unsupported_option);
  parts.opset = opset.table();
  parts.attribute = index;
  if (!given.empty()) keep_given(parts, given, true);
  return Status(parts);
}

/// Which of the option's words the op-set says; 2 for none of them.
std::size_t word(OpSet opset, Index index) noexcept {
  const std::string_view value = opset.option(kOptions[index].name);
  if (value.empty()) return 2;
  return value == kOptions[index].words[0] ? 0 : value == kOptions[index].words[1] ? 1 : 2;
}

Status check_names(OpSet opset) noexcept {
  for (std::size_t i = 0; i < opset.option_count(); ++i) {
    const std::string_view name = opset.option(i).name;
    bool known = false;
    for (const Option& option : kOptions) known = known || option.name == name;
    if (!known) return unsupported(opset, kOptionCount, name);
  }
  return Status();
}

}  // namespace

std::string_view range_option_name(std::uint16_t index) noexcept { return kOptions[index].name; }

void list_range_option_words(Writer& out, std::uint16_t index) noexcept {
  const Option& option = kOptions[index];
  if (option.words[0].empty()) {
    out << "a number below 2^64";
    return;
  }
  out << option.words[0];
  if (!option.words[1].empty()) out << " or " << option.words[1];
}

std::uint16_t range_option_count() noexcept { return kOptionCount; }

Status read_range_rules(OpSet opset, RangeRules& rules) noexcept {
  if (opset.operation() != kRange) {
    StatusParts parts = status_parts(StatusCode::wrong_operation);
    parts.opset = opset.table();
    keep_given(parts, kRange, false);
    return Status(parts);
  }
  if (const Status status = check_names(opset); !status) return status;
  std::size_t chosen[kOptionCount] = {};
  for (std::uint16_t i = 0; i < kCountLimit; ++i) {
    chosen[i] = word(opset, static_cast<Index>(i));
    if (chosen[i] == 2) return unsupported(opset, i, opset.option(kOptions[i].name));
  }
  const std::string_view limit = opset.option(kOptions[kCountLimit].name);
  const auto parsed = std::from_chars(limit.data(), limit.data() + limit.size(), rules.count_limit);
  if (limit.empty() || parsed.ec != std::errc() || parsed.ptr != limit.data() + limit.size()) {
    return unsupported(opset, kCountLimit, limit);
  }
  rules.same_operand_types = chosen[kOperandTypes] == 1;
  rules.exact_integers = chosen[kIntegerArithmetic] == 0;
  rules.accumulate_in_float64 = chosen[kAccumulator] == 0;
  rules.fused = chosen[kFma] == 1;
  return Status();
}

}  // namespace castforge

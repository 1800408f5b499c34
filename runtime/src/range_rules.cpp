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

/// The words of an attribute that names an accumulator.
constexpr std::string_view kSingle = "float32", kDouble = "float64";

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
  kNarrowAccumulator,
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
    {"narrow_accumulator", {}},
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

/// The attribute that the option narrow_accumulator names, where the op-set has it.
Status read_narrow_accumulator(OpSet opset, std::optional<std::uint16_t>& attribute) noexcept {
  const std::string_view name = opset.option(kOptions[kNarrowAccumulator].name);
  attribute.reset();
  if (name.empty()) return Status();
  const auto found = attribute_position(*opset.table(), name);
  if (!found || *found >= kMostAttributes) return unsupported(opset, kNarrowAccumulator, name);
  const tables::Attribute& row = opset.table()->attributes[*found];
  for (std::uint16_t i = 0; i < row.value_count; ++i) {
    const std::string_view word = row.values[i].word == nullptr ? "" : row.values[i].word;
    if (word != kSingle && word != kDouble) return unsupported(opset, kNarrowAccumulator, name);
  }
  attribute = found;
  return Status();
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

bool means_float64(const tables::AttributeValue& value) noexcept { return value.word == kDouble; }

std::string_view range_option_name(std::uint16_t index) noexcept { return kOptions[index].name; }

void list_range_option_words(Writer& out, std::uint16_t index) noexcept {
  const Option& option = kOptions[index];
  if (option.words[0].empty()) {
    if (index == kCountLimit) out << "a number below 2^64";
    else out << "an attribute of the op-set whose values are words among " << kSingle << ", " << kDouble;
    return;
  }
  out << option.words[0];
  if (!option.words[1].empty()) out << " or " << option.words[1];
}

std::uint16_t range_option_count() noexcept { return kOptionCount; }

Status read_range_rules(OpSet opset, RangeRules& rules) noexcept {
  if (const Status status = check_operation(*opset.table(), kRange); !status) return status;
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
  if (const Status status = read_narrow_accumulator(opset, rules.narrow_attribute); !status) return status;
  rules.same_operand_types = chosen[kOperandTypes] == 1;
  rules.exact_integers = chosen[kIntegerArithmetic] == 0;
  rules.accumulate_in_float64 = chosen[kAccumulator] == 0;
  rules.fused = chosen[kFma] == 1;
  return Status();
}

}  // namespace castforge

#include "src/range_rules.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "src/opset_options.hpp"
#include "src/opset_tables.hpp"
#include "src/status_parts.hpp"
#include "src/tables.hpp"

namespace castforge {
namespace {

/// Index of an option in kOptionDefinitions.
consteval std::uint16_t option_index(std::string_view name) {
  std::uint16_t index = 0;
  while (kOptionDefinitions[index].name != name) ++index;
  return index;
}

/// What the op-set says of the option, empty for nothing.
std::string_view said(OpSet opset, std::uint16_t index) noexcept {
  return opset.option(kOptionDefinitions[index].name);
}

Status unsupported(OpSet opset, std::uint16_t index, std::string_view given) noexcept {
  StatusParts parts = status_parts(StatusCode::unsupported_option);
  parts.opset = opset.table();
  parts.attribute = index;
  if (!given.empty()) keep_given(parts, given, true);
  return Status(parts);
}

bool may_be_said(const OptionDefinition& option, std::string_view value) noexcept {
  const auto words = option.all_words();
  return std::find(words.begin(), words.end(), value) != words.end();
}

/// The attribute that the option narrow_accumulator names, where the op-set has it.
Status read_narrow_accumulator(OpSet opset, std::optional<std::uint16_t>& attribute) noexcept {
  constexpr std::uint16_t kIndex = option_index("narrow_accumulator");
  const std::string_view name = said(opset, kIndex);
  attribute.reset();
  if (name.empty()) return Status();
  const auto found = attribute_position(*opset.table(), name);
  if (!found || *found >= kMostAttributes) return unsupported(opset, kIndex, name);
  const tables::Attribute& row = opset.table()->attributes[*found];
  for (std::uint16_t i = 0; i < row.value_count; ++i) {
    const std::string_view word = row.values[i].word == nullptr ? "" : row.values[i].word;
    if (!may_be_said(kOptionDefinitions[kIndex], word)) return unsupported(opset, kIndex, name);
  }
  attribute = found;
  return Status();
}

Status check_names(OpSet opset) noexcept {
  for (std::size_t i = 0; i < opset.option_count(); ++i) {
    const std::string_view name = opset.option(i).name;
    bool known = false;
    for (const OptionDefinition& option : kOptionDefinitions)
      known = known || (option.name == name && option.operation == kRange);
    if (!known) return unsupported(opset, range_option_count(), name);
  }
  return Status();
}

}  // namespace

bool means_float64(const tables::AttributeValue& value) noexcept {
  return value.word == kOptionDefinitions[option_index("narrow_accumulator")].words[1];
}

std::string_view range_option_name(std::uint16_t index) noexcept { return kOptionDefinitions[index].name; }

void list_range_option_words(Writer& out, std::uint16_t index) noexcept {
  const OptionDefinition& option = kOptionDefinitions[index];
  if (option.kind == OptionDefinition::Kind::number) out << "a number from 0 to 2^63 - 1";
  if (option.kind == OptionDefinition::Kind::attribute)
    out << "an attribute of the op-set whose values are words among ";
  for (const std::string_view& word : option.all_words()) out << (&word == option.words ? "" : " or ") << word;
}

std::uint16_t range_option_count() noexcept { return static_cast<std::uint16_t>(std::size(kOptionDefinitions)); }

Status read_range_rules(OpSet opset, RangeRules& rules) noexcept {
  if (const Status status = check_operation(*opset.table(), kRange); !status) return status;
  if (const Status status = check_names(opset); !status) return status;
  for (std::uint16_t i = 0; i < range_option_count(); ++i) {
    const OptionDefinition& option = kOptionDefinitions[i];
    if (option.operation != kRange || option.kind != OptionDefinition::Kind::word) continue;
    if (!may_be_said(option, said(opset, i))) return unsupported(opset, i, said(opset, i));
  }
  constexpr std::uint16_t kLimit = option_index("count_limit");
  const std::string_view limit = said(opset, kLimit);
  const auto parsed = std::from_chars(limit.data(), limit.data() + limit.size(), rules.count_limit);
  if (limit.empty() || parsed.ec != std::errc() || parsed.ptr != limit.data() + limit.size() ||
      rules.count_limit > INT64_MAX) {
    return unsupported(opset, kLimit, limit);
  }
  if (const Status status = read_narrow_accumulator(opset, rules.narrow_attribute); !status) return status;
  rules.same_operand_types = said(opset, option_index("operand_types")) == "same";
  rules.exact_integers = said(opset, option_index("integer_arithmetic")) == "exact";
  rules.accumulate_in_float64 = said(opset, option_index("accumulator")) == "float64";
  rules.fused = said(opset, option_index("fma")) == "true";
  return Status();
}

}  // namespace castforge

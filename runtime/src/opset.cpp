#include <castforge/opset.hpp>

#include "src/opset_tables.hpp"
#include "src/status_parts.hpp"
#include "src/tables.hpp"

namespace castforge {
namespace {

/// A version that is a whole number; numbers too long to matter count as the largest.
std::optional<std::uint64_t> whole_number(std::string_view version) noexcept {
  if (version.empty()) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : version) {
    if (c < '0' || c > '9') return std::nullopt;
    const std::uint64_t digit = static_cast<std::uint64_t>(c - '0');
    number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
  }
  return number;
}

constexpr std::string_view kCastLikeSuffix = "-castlike";

/// Whether `whole` is `family` followed by `suffix`.
bool is_joined(std::string_view whole, std::string_view family, std::string_view suffix) noexcept {
  return whole.size() == family.size() + suffix.size() && whole.starts_with(family) &&
         whole.ends_with(suffix);
}

/// An op-set's name taken apart at its last '@'; without one there is no version.
struct Name {
  std::string_view family, version;
};

Name take_apart(std::string_view name) noexcept {
  const std::size_t at = name.rfind('@');
  if (at == std::string_view::npos) return {name, {}};
  return {name.substr(0, at), name.substr(at + 1)};
}

/// The op-set of family + suffix with exactly this version, else the newest numbered one not above it.
const tables::OpSet* find_version(Name name, std::string_view suffix = {}) noexcept {
  const auto& [family, version] = name;
  const auto wanted = whole_number(version);
  const tables::OpSet* best = nullptr;
  std::uint64_t best_number = 0;
  for (std::uint16_t i = 0; i < tables::kOpSetCount; ++i) {
    const tables::OpSet* candidate = tables::kOpSets[i];
    if (!is_joined(candidate->family, family, suffix)) continue;
    if (version == candidate->version) return candidate;
    const auto number = whole_number(candidate->version);
    if (!wanted || !number || *number > *wanted) continue;
    if (best == nullptr || *number > best_number) {
      best = candidate;
      best_number = *number;
    }
  }
  return best;
}

/// unknown_opset, with the versions of family + suffix where there are any.
Status unknown(std::string_view name, std::string_view suffix = {}) noexcept {
  StatusParts parts = status_parts(StatusCode::unknown_opset);
  for (std::uint16_t i = 0; i < tables::kOpSetCount; ++i) {
    if (is_joined(tables::kOpSets[i]->family, take_apart(name).family, suffix))
      parts.opset = tables::kOpSets[i];
  }
  keep_given(parts, name, true);
  return Status(parts);
}

}  // namespace

std::string_view OpSet::name() const noexcept { return table_->name; }
std::string_view OpSet::family() const noexcept { return table_->family; }
std::string_view OpSet::version() const noexcept { return table_->version; }
std::string_view OpSet::operation() const noexcept { return table_->operation; }
std::string_view OpSet::doc() const noexcept { return table_->doc == nullptr ? "" : table_->doc; }

std::size_t OpSet::type_count() const noexcept { return table_->type_count; }
Type OpSet::type(std::size_t index) const noexcept { return table_->types[index]; }
bool OpSet::admits(Type type) const noexcept { return type_position(*table_, type).has_value(); }
bool OpSet::admits(Type src, Type dst) const noexcept { return find_pair(*table_, src, dst) != nullptr; }

std::size_t OpSet::attribute_count() const noexcept { return table_->attribute_count; }

AttributeInfo OpSet::attribute(std::size_t index) const noexcept {
  const tables::Attribute& a = table_->attributes[index];
  return {.name = a.name,
          .doc = a.doc == nullptr ? "" : a.doc,
          .kind = static_cast<AttributeKind>(a.kind),
          .choice_count = a.value_count,
          .default_choice = a.default_index};
}

AttributeChoice OpSet::choice(std::size_t attribute, std::size_t index) const noexcept {
  const tables::AttributeValue& value = table_->attributes[attribute].values[index];
  return {.word = value.word == nullptr ? "" : value.word, .number = value.number};
}

bool OpSet::acts(std::size_t attribute, Type src, Type dst) const noexcept {
  const tables::Variant* pair = find_pair(*table_, src, dst);
  return pair != nullptr && (pair->attributes >> attribute & 1) != 0;
}

std::size_t OpSet::option_count() const noexcept { return table_->option_count; }

OpSetOption OpSet::option(std::size_t index) const noexcept {
  return {.name = table_->options[index].name, .value = table_->options[index].value};
}

std::string_view OpSet::option(std::string_view name) const noexcept {
  for (std::uint16_t i = 0; i < table_->option_count; ++i) {
    if (name == table_->options[i].name) return table_->options[i].value;
  }
  return {};
}

std::size_t opset_count() noexcept { return tables::kOpSetCount; }
OpSet opset(std::size_t index) noexcept { return OpSet(tables::kOpSets[index]); }

std::optional<OpSet> find_opset(std::string_view name) noexcept {
  const tables::OpSet* found = find_version(take_apart(name));
  if (found == nullptr) return std::nullopt;
  return OpSet(found);
}

Status find_opset(std::string_view name, OpSet& opset) noexcept {
  const auto found = find_opset(name);
  if (!found) return unknown(name);
  opset = *found;
  return Status();
}

Status find_cast_like(std::string_view name, OpSet& opset) noexcept {
  const std::string_view suffix = take_apart(name).family.ends_with(kCastLikeSuffix) ? "" : kCastLikeSuffix;
  const tables::OpSet* found = find_version(take_apart(name), suffix);
  if (found == nullptr) return unknown(name, suffix);
  opset = OpSet(found);
  return Status();
}

}  // namespace castforge

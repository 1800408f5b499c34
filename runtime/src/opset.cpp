#include <castforge/opset.hpp>

#include "src/opset_tables.hpp"
#include "src/registry.hpp"
#include "src/status_parts.hpp"
#include "src/tables.hpp"
#include "src/versions.hpp"

namespace castforge {
namespace {

/// Numbers too long to matter count as the largest.
std::optional<std::uint64_t> whole_number(std::string_view version) noexcept {
  if (!is_whole_version(version)) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : version) {
    const std::uint64_t digit = static_cast<std::uint64_t>(c - '0');
    number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
  }
  return number;
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

/// The op-sets that count as versions of a family.
using Belongs = bool (*)(const tables::OpSet& opset, std::string_view family) noexcept;

bool is_of_family(const tables::OpSet& opset, std::string_view family) noexcept { return opset.family == family; }

/// Both the family that casts like others and the family it does so for may be named.
bool casts_like(const tables::OpSet& opset, std::string_view family) noexcept {
  return opset.cast_like_of != nullptr && (opset.cast_like_of == family || opset.family == family);
}

/// Versions ascend in the tables.
const tables::OpSet* newest_version(const Registry& all, std::string_view family, Belongs belongs) noexcept {
  const tables::OpSet* newest = nullptr;
  for (const tables::OpSet* opset : all.opsets) {
    if (belongs(*opset, family)) newest = opset;
  }
  return newest;
}

/// The op-set with exactly this version, else the newest numbered one not above it; the newest one without a version.
/// None where the version is above what the newest one is known to hold for.
const tables::OpSet* find_version(std::string_view name, Belongs belongs) noexcept {
  const auto& [family, version] = take_apart(name);
  const Registry& all = registry();  // once: another thread may add op-sets, and put tables in the place of known ones
  if (const tables::OpSet* exact = all.opset_named(name); exact != nullptr && belongs(*exact, family)) return exact;
  const tables::OpSet* newest = newest_version(all, family, belongs);
  if (newest == nullptr || version.data() == nullptr) return newest;
  const auto wanted = whole_number(version);
  const tables::OpSet* best = nullptr;
  for (const tables::OpSet* candidate : all.opsets) {
    if (!belongs(*candidate, family)) continue;
    if (version == candidate->version) return candidate;
    const auto number = whole_number(candidate->version);
    if (wanted && number && *number <= *wanted) best = candidate;
  }
  return best == newest && wanted > newest->valid_through ? nullptr : best;
}

/// The op-set in that role for an operation; null where there is none.
const tables::OpSet* serving(std::string_view operation, tables::Default role) noexcept {
  for (const tables::OpSet* one : registry().opsets) {
    if (one->as_default == role && one->operation == operation) return one;
  }
  return nullptr;
}

/// unknown_opset; `second` is 1 where the version is above the newest one known, and `otherwise` where none is.
Status unknown(std::string_view name, Belongs belongs, std::uint64_t otherwise = 0) noexcept {
  StatusParts parts = status_parts(StatusCode::unknown_opset);
  const auto& [family, version] = take_apart(name);
  parts.opset = newest_version(registry(), family, belongs);
  parts.second = otherwise;
  if (parts.opset != nullptr) {
    const auto wanted = whole_number(version);
    parts.second = wanted && whole_number(parts.opset->version) && *wanted > parts.opset->valid_through ? 1 : 0;
  }
  keep_given(parts, name, true);
  return Status(parts);
}

Status find(std::string_view name, std::string_view operation, OpSet& opset) noexcept {
  if (name.empty()) {
    const tables::OpSet* const found = serving(operation, tables::Default::yes);
    if (found == nullptr) return unknown(name, is_of_family);
    opset = OpSet(found);
    return Status();
  }
  const tables::OpSet* found = registry().opset_named(name);
  if (found == nullptr) found = find_version(name, is_of_family);
  if (found == nullptr) return unknown(name, is_of_family);
  opset = OpSet(found);
  return Status();
}

}  // namespace

std::string_view OpSet::name() const noexcept { return table_->name; }
std::string_view OpSet::family() const noexcept { return table_->family; }
std::string_view OpSet::version() const noexcept { return table_->version; }
std::string_view OpSet::operation() const noexcept { return table_->operation; }
std::optional<std::uint64_t> OpSet::valid_through() const noexcept {
  return table_->valid_through == 0 ? std::nullopt : std::optional(table_->valid_through);
}
bool OpSet::is_default() const noexcept { return table_->as_default == tables::Default::yes; }
bool OpSet::is_fallback() const noexcept { return table_->as_default == tables::Default::fallback; }
std::string_view OpSet::notation() const noexcept { return table_->notation == nullptr ? "" : table_->notation; }
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

std::size_t opset_count() noexcept { return registry().opsets.size(); }
OpSet opset(std::size_t index) noexcept { return OpSet(registry().opsets[index]); }

std::optional<OpSet> default_opset(std::string_view operation) noexcept {
  const tables::OpSet* const found = serving(operation, tables::Default::yes);
  return found == nullptr ? std::nullopt : std::optional(OpSet(found));
}

std::optional<OpSet> find_opset(std::string_view name) noexcept {
  OpSet opset;
  return find(name, kCast, opset) ? std::optional(opset) : std::nullopt;
}

Status find_opset(std::string_view name, OpSet& opset) noexcept { return find(name, kCast, opset); }

Status find_opset(std::string_view name, Type src, Type dst, OpSet& opset) noexcept {
  if (const Status status = find(name, kCast, opset); !status || !name.empty()) return status;
  if (opset.admits(src) && opset.admits(dst)) return Status();
  const tables::OpSet* const other = serving(kCast, tables::Default::fallback);
  if (other != nullptr && OpSet(other).admits(src) && OpSet(other).admits(dst)) opset = OpSet(other);
  return Status();
}

Status find_range_opset(std::string_view name, OpSet& opset) noexcept { return find(name, kRange, opset); }

Status find_bitcast_opset(std::string_view name, OpSet& opset) noexcept { return find(name, kBitcast, opset); }

Status find_cast_like(std::string_view name, OpSet& opset) noexcept {
  const auto family = name.empty() ? default_opset(kCast) : std::nullopt;
  if (family) name = family->name();
  const tables::OpSet* found = find_version(name, casts_like);
  if (found == nullptr) return unknown(name, casts_like, find_version(name, is_of_family) == nullptr ? 0 : kNoCastLike);
  opset = OpSet(found);
  return Status();
}

}  // namespace castforge

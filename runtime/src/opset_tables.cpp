#include "src/opset_tables.hpp"

#include <algorithm>
#include <string_view>

#include "src/status_parts.hpp"

namespace castforge {
namespace {

/// Whether the attribute is of a kind that takes such a value at all.
bool has_kind(const tables::Attribute& attribute, const AttributeValue& value) noexcept {
  switch (attribute.kind) {
    case tables::AttributeKind::integer:
    case tables::AttributeKind::flag: return !value.is_word();
    case tables::AttributeKind::string: return value.is_word();
    case tables::AttributeKind::enumeration: return true;
  }
  return false;
}

/// Index of the admitted value that `value` means.
std::optional<std::uint16_t> value_position(const tables::Attribute& attribute, const AttributeValue& value) noexcept {
  if (!has_kind(attribute, value)) return std::nullopt;
  const bool flag = attribute.kind == tables::AttributeKind::flag;
  const std::int64_t number = flag ? value.number() != 0 : value.number();
  for (std::uint16_t i = 0; i < attribute.value_count; ++i) {
    const tables::AttributeValue& admitted = attribute.values[i];
    if (value.is_word() ? value.word() == admitted.word : number == admitted.number) return i;
  }
  return std::nullopt;
}

/// Chosen values of an op-set's attributes, filled one by one.
class Choice {
 public:
  Choice(const tables::OpSet& opset, const tables::Variant& pair) noexcept : opset_(opset), pair_(pair) {
    for (std::uint16_t i = 0; i < opset.attribute_count && i < kMostAttributes; ++i)
      position_[i] = opset.attributes[i].default_index;
  }

  /// False, with the reason in `why`, where the attribute cannot have the value.
  bool set(std::string_view name, const AttributeValue& value, Status& why) noexcept {
    const auto found = attribute_position(opset_, name);
    if (!found || *found >= kMostAttributes) {
      StatusParts parts = status_parts(StatusCode::unknown_attribute);
      parts.opset = &opset_;
      keep_given(parts, name, true);
      why = Status(parts);
      return false;
    }
    const std::uint16_t index = *found;
    if (given_ >> index & 1) {
      why = attribute_status(StatusCode::repeated_attribute, &opset_, index);
      return false;
    }
    given_ |= 1u << index;
    const tables::Attribute& attribute = opset_.attributes[index];
    const auto position = value_position(attribute, value);
    if (position) {
      position_[index] = *position;
      return true;
    }
    if (attribute.checked_where_used && !acts(index) && has_kind(attribute, value)) return true;
    StatusParts parts = status_parts(StatusCode::bad_attribute);
    parts.opset = &opset_;
    parts.attribute = index;
    keep_given(parts, value);
    why = Status(parts);
    return false;
  }

  /// Of every attribute: the index of its value.
  const ValuePositions& positions() const noexcept { return position_; }

  /// Of the attributes that act on the pair: mixed radix, the last one fastest.
  std::size_t combination() const noexcept {
    std::size_t index = 0;
    for (std::uint16_t i = 0; i < opset_.attribute_count && i < kMostAttributes; ++i) {
      if (acts(i)) index = index * opset_.attributes[i].value_count + position_[i];
    }
    return index;
  }

 private:
  bool acts(std::uint16_t index) const noexcept { return (pair_.attributes >> index & 1) != 0; }

  const tables::OpSet& opset_;
  const tables::Variant& pair_;
  ValuePositions position_ = {};
  std::uint32_t given_ = 0;
};

bool set_all(Choice& choice, const Attributes& attributes, Status& why) noexcept {
  const struct {
    std::string_view name;
    const std::optional<AttributeValue>& value;
  } named[] = {
      {"saturate", attributes.saturate},
      {"round_mode", attributes.round_mode},
      {"mode", attributes.mode},
      {"satmode", attributes.satmode},
  };
  for (const auto& entry : named) {
    if (entry.value && !choice.set(entry.name, *entry.value, why)) return false;
  }
  if (attributes.others.data() == nullptr && !attributes.others.empty()) {
    why = simple_status(StatusCode::null_pointer, Role::attributes, attributes.others.size());
    return false;
  }
  return std::ranges::all_of(attributes.others,
                             [&](const Attribute& entry) { return choice.set(entry.name, entry.value, why); });
}

}  // namespace

std::optional<std::uint16_t> attribute_position(const tables::OpSet& opset, std::string_view name) noexcept {
  for (std::uint16_t i = 0; i < opset.attribute_count; ++i) {
    if (is_word(opset.attributes[i].name, name)) return i;
  }
  return std::nullopt;
}

std::optional<std::uint16_t> type_position(const tables::OpSet& opset, Type type) noexcept {
  for (std::uint16_t i = 0; i < opset.type_count; ++i) {
    if (opset.types[i] == type) return i;
  }
  return std::nullopt;
}

const tables::Variant* find_pair(const tables::OpSet& opset, Type src, Type dst) noexcept {
  const tables::Variant* const end = opset.variants + opset.variant_count;
  // Both ids in one number: one comparison.
  const auto place = [](Type from, Type to) {
    return std::uint32_t{static_cast<std::uint16_t>(from)} << 16 | static_cast<std::uint16_t>(to);
  };
  const std::uint32_t wanted = place(src, dst);
  const tables::Variant* const found = std::partition_point(
      opset.variants, end, [&](const tables::Variant& variant) { return place(variant.src, variant.dst) < wanted; });
  return found != end && found->src == src && found->dst == dst ? found : nullptr;
}

namespace {

/// Why the op-set has no such pair.
Status no_pair(const tables::OpSet& opset, Type src, Type dst) noexcept {
  if (const Status status = check_known(src, dst); !status) return status;
  for (const Role role : {Role::source, Role::destination}) {
    const Type type = role == Role::source ? src : dst;
    if (type_position(opset, type)) continue;
    StatusParts parts = status_parts(StatusCode::type_not_admitted);
    parts.opset = &opset;
    parts.role = static_cast<std::uint8_t>(role);
    parts.src = static_cast<std::uint16_t>(type);
    return Status(parts);
  }
  return pair_status(StatusCode::pair_not_admitted, &opset, src, dst);
}

}  // namespace

Selection select(const tables::OpSet& opset, Type src, Type dst, const Attributes& attributes) noexcept {
  const tables::Variant* pair = find_pair(opset, src, dst);
  if (pair == nullptr) return {no_pair(opset, src, dst)};
  Choice choice(opset, *pair);
  const bool given = attributes.saturate || attributes.round_mode || attributes.mode || attributes.satmode ||
                     !attributes.others.empty();
  Selection selection;
  if (!given || set_all(choice, attributes, selection.status)) selection.variant = pair + choice.combination();
  return selection;
}

Status choose_values(const tables::OpSet& opset, Type src, Type dst, const Attributes& attributes,
                     ValuePositions& values) noexcept {
  const tables::Variant* pair = find_pair(opset, src, dst);
  if (pair == nullptr) return no_pair(opset, src, dst);
  Choice choice(opset, *pair);
  Status status;
  set_all(choice, attributes, status);
  values = choice.positions();
  return status;
}

Status check_operation(const tables::OpSet& opset, std::string_view operation) noexcept {
  if (is_word(opset.operation, operation)) return Status();
  StatusParts parts = status_parts(StatusCode::wrong_operation);
  parts.opset = &opset;
  keep_given(parts, operation, false);
  return Status(parts);
}

Status check_conversion(const tables::OpSet& opset) noexcept {
  return describes_conversions(opset) ? Status() : check_operation(opset, kCast);
}

}  // namespace castforge

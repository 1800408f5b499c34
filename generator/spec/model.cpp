#include "spec/model.hpp"

#include <algorithm>
#include <castforge/elements.hpp>
#include <cmath>

#include "spec/names.hpp"

namespace castforge::spec {

int Type::magnitude_bits() const { return value_bits - (is_signed ? 1 : 0); }

bool Type::is_ieee(int exponent, int mantissa) const {
  return kind == Kind::floating && is_signed && subnormals && infinity && nan == NanCodes::ieee &&
         exponent_bits == exponent && mantissa_bits == mantissa && exponent_bias == (1 << (exponent - 1)) - 1 &&
         storage_bits == 1 + exponent + mantissa;
}

bool Type::has_negative_zero() const {
  return kind == Kind::floating && is_signed && has_zero() && nan != NanCodes::negative_zero;
}

bool Type::has_nan() const { return kind == Kind::floating && nan != NanCodes::none; }

std::uint64_t Type::largest_code() const {
  switch (kind) {
    case Kind::floating: return max_finite_code();
    case Kind::integer: return magnitude_mask();
    case Kind::boolean: return 1;
    case Kind::string: break;
  }
  return 0;
}

std::uint64_t Type::canonical_nan(bool negative) const {
  if (nan == NanCodes::negative_zero) return sign_mask();
  std::uint64_t magnitude = magnitude_mask();
  if (stated_canonical_nan) magnitude = *stated_canonical_nan;
  else if (nan == NanCodes::ieee) magnitude = infinity_code() | std::uint64_t{1} << (mantissa_bits - 1);
  return negative ? magnitude | sign_mask() : magnitude;
}

double Type::finite_value(std::uint64_t magnitude) const {
  if (magnitude == 0 && has_zero()) return 0;
  const std::uint64_t hidden = std::uint64_t{1} << mantissa_bits;
  const std::uint64_t field = magnitude >> mantissa_bits;
  const std::uint64_t fraction = magnitude & (hidden - 1);
  const bool subnormal = subnormals && field == 0;
  const std::uint64_t significand = subnormal ? fraction : fraction | hidden;
  const int exponent = (subnormal ? 1 : static_cast<int>(field)) - exponent_bias - mantissa_bits;
  return std::ldexp(static_cast<double>(significand), exponent);
}

double Type::max_finite() const { return finite_value(max_finite_code()); }

double Type::min_positive() const { return finite_value(has_zero() ? 1 : 0); }

std::string print(const IntegerRange& range) { return (range.is_signed ? "int" : "uint") + std::to_string(range.bits); }

IntegerRange range_of(const Type& type) { return {type.is_signed, type.value_bits}; }

bool converts_to_itself(const Meaning& meaning) {
  return meaning.src == meaning.dst && meaning.same_type == SameType::converted && meaning.dst->kind == Kind::floating;
}

std::optional<IntegerRange> clamp_range(const Meaning& meaning) {
  if (meaning.overflow == Overflow::indefinite) return range_of(*meaning.dst);
  if (meaning.overflow != Overflow::saturate) return meaning.saturate_first;
  const IntegerRange own = range_of(*meaning.dst);
  if (!meaning.saturate_first) return own;
  // What two ranges share is a range too: the non-negative half of a signed one has a bit less.
  const IntegerRange& first = *meaning.saturate_first;
  if (own.is_signed == first.is_signed) return IntegerRange{own.is_signed, std::min(own.bits, first.bits)};
  const IntegerRange& with_sign = own.is_signed ? own : first;
  const IntegerRange& without = own.is_signed ? first : own;
  return IntegerRange{false, std::min(with_sign.bits - 1, without.bits)};
}

bool OpSet::admits(const Type& type) const { return std::find(types.begin(), types.end(), &type) != types.end(); }

int OpSet::find_attribute(const std::string& attribute) const {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name == attribute) return static_cast<int>(i);
  }
  return -1;
}

const Type* SpecModel::find_type(const std::string& name_or_alias) const {
  const std::string wanted = lower_case(name_or_alias);
  for (const auto& type : types) {
    if (type->name == wanted) return type.get();
  }
  if (!is_user_facing(wanted)) return nullptr;
  for (const auto& type : types) {
    for (const Alias& alias : type->aliases) {
      if (lower_case(alias.name) == wanted) return type.get();
    }
  }
  return nullptr;
}

const OpSet* SpecModel::find_opset(const std::string& name) const {
  if (name.empty()) return default_opset("cast");
  const std::size_t at = name.find('@');
  if (at == std::string::npos) return newest_opset(name);
  const std::string family = name.substr(0, at);
  const std::string version = name.substr(at + 1);
  const bool rounds_down = is_whole_version(version);
  const OpSet* best = nullptr;
  for (const auto& opset : opsets) {  // versions ascending
    if (opset->family != family) continue;
    if (opset->version == version) return opset.get();
    if (!rounds_down) continue;
    if (!is_whole_number(opset->version)) return nullptr;
    if (compare_versions(opset->version, version) < 0) best = opset.get();
  }
  const bool is_newest = best != nullptr && best == newest_opset(family);
  return is_newest && compare_versions(version, best->valid_through) > 0 ? nullptr : best;
}

const OpSet* SpecModel::newest_opset(const std::string& family) const {
  const OpSet* newest = nullptr;
  for (const auto& opset : opsets) {  // versions ascending
    if (opset->family == family) newest = opset.get();
  }
  return newest;
}

std::string_view word(Default role) {
  switch (role) {
    case Default::no: return "no";
    case Default::yes: return "yes";
    case Default::fallback: return "fallback";
  }
  return "";
}

const OpSet* SpecModel::default_opset(const std::string& operation, Default role) const {
  for (const auto& opset : opsets) {
    if (opset->as_default == role && opset->operation == operation) return newest_opset(opset->family);
  }
  return nullptr;
}

Default SpecModel::role_of(const OpSet& opset) const {
  for (const Default role : {Default::yes, Default::fallback}) {
    if (default_opset(opset.operation, role) == &opset) return role;
  }
  return Default::no;
}

bool System::fits(std::string_view alias) const {
  if (parts.empty()) return true;
  for (const Part& part : parts) {
    if (!part.characters.empty()) {
      if (alias.empty() || part.characters.find(alias[0]) == std::string::npos) return false;
      alias.remove_prefix(1);
      continue;
    }
    const std::size_t digits = std::min(alias.find_first_not_of("0123456789"), alias.size());
    if (!is_number_in(alias.substr(0, digits), part.from, part.to)) return false;
    alias.remove_prefix(digits);
  }
  return alias.empty();
}

bool System::shares(std::string_view alias) const {
  return std::any_of(shared_prefixes.begin(), shared_prefixes.end(),
                     [&](const std::string& prefix) { return alias.starts_with(prefix); });
}

const Rounding* SpecModel::find_rounding(const std::string& name) const {
  for (const auto& rounding : roundings) {
    if (rounding->name == name) return rounding.get();
  }
  return nullptr;
}

const System* SpecModel::find_system(std::string_view name) const {
  const auto found =
      std::find_if(systems.begin(), systems.end(), [&](const System& system) { return system.name == name; });
  return found == systems.end() ? nullptr : &*found;
}

bool SpecModel::is_shared(const Alias& alias) const {
  if (is_user_facing(alias.name)) return false;
  const System* const system = find_system(alias.system);
  return system == nullptr || system->shares(alias.name);
}

}  // namespace castforge::spec

#include "subject.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "elements.hpp"

namespace castforge::exhaustive {

namespace {

Type type_named(const std::string& name) {
  const std::optional<Type> type = find_type(name);
  if (!type) throw std::runtime_error("the runtime has no type " + name);
  return *type;
}

Kernel look_up(const Duty& duty, std::string_view isa) {
  return find_kernel(duty.opset, type_named(duty.request.src), type_named(duty.request.dst),
                     attributes_of(duty.request), isa);
}

}  // namespace

Attributes attributes_of(const oracle::Request& request) {
  Attributes a;
  if (request.saturate) a.saturate = AttributeValue(*request.saturate);
  if (request.round_mode) a.round_mode = AttributeValue(*request.round_mode);
  if (request.mode) a.mode = AttributeValue(*request.mode);
  if (request.satmode) a.satmode = AttributeValue(*request.satmode);
  // Attributes refer to the others: good until the next call.
  thread_local std::vector<Attribute> others;
  others.clear();
  if (request.rounding) others.push_back({"rounding", AttributeValue(*request.rounding)});
  if (request.saturation) others.push_back({"saturation", AttributeValue(*request.saturation)});
  a.others = others;
  return a;
}

std::string label(const Duty& duty) {
  const oracle::Request& r = duty.request;
  std::string text = duty.opset + " " + r.src + " to " + r.dst;
  if (r.saturate) text += " saturate=" + std::to_string(*r.saturate);
  if (r.round_mode) text += " round_mode=" + *r.round_mode;
  if (r.mode) text += " mode=" + *r.mode;
  if (r.satmode) text += " satmode=" + *r.satmode;
  if (r.rounding) text += " rounding=" + *r.rounding;
  if (r.saturation) text += " saturation=" + *r.saturation;
  return text;
}

std::vector<RuleSet> rule_sets() {
  std::vector<RuleSet> sets;
  for (const auto& [family, version] : oracle::rule_sets()) {
    const std::string name = family + "@" + version;
    sets.push_back({name, family, version});
  }
  // CastLike has the rules of Cast at the same version; 15 has those of 13.
  for (const char* version : {"15", "19", "21", "23", "24", "25"}) {
    const std::string name = std::string("onnx-castlike@") + version;
    if (find_opset(name)) sets.push_back({name, "onnx", version == std::string("15") ? "13" : version});
  }
  return sets;
}

std::vector<Duty> duties(const std::string& dst, std::vector<std::string>& problems, const std::string& opset) {
  std::vector<Duty> found;
  std::set<std::pair<std::string, oracle::Rule>> seen;
  for (const RuleSet& set : rule_sets()) {
    if (!opset.empty() && set.opset != opset) continue;
    for (const auto& [src, to] : oracle::pairs_of(set.family, set.version)) {
      if (to != dst) continue;
      for (oracle::Request& request : oracle::requests(set.family, set.version, src, dst)) {
        Duty duty{std::move(request), set.opset, "", {}};
        duty.rule = oracle::rule_for(duty.request);
        const Kernel kernel = look_up(duty, {});
        if (!kernel) {
          problems.push_back(label(duty) + ": " + kernel.status().message());
          continue;
        }
        duty.kernel = kernel.name();
        if (name(kernel.src()) != duty.request.src || name(kernel.dst()) != duty.request.dst) {
          problems.push_back(label(duty) + ": leads to kernel " + duty.kernel);
        }
        if (seen.emplace(duty.kernel, duty.rule).second) found.push_back(std::move(duty));
      }
    }
  }
  return found;
}

std::vector<std::string> usable_isas() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < isa_count(); ++i) {
    if (isa(i).usable) names.emplace_back(isa(i).name);
  }
  return names;
}

std::vector<std::string> tested_types() {
  std::vector<std::string> names;
  for (const oracle::Format& f : oracle::all_formats()) names.push_back(f.name);
  for (const oracle::Format& f : oracle::added_formats()) names.push_back(f.name);
  return names;
}

std::vector<std::string> unknown_types() {
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < type_count(); ++i) {
    const TypeInfo info = type_info(type_at(i));
    if (info.kind != TypeKind::string && oracle::find_codec(info.name) == nullptr) unknown.emplace_back(info.name);
  }
  return unknown;
}

std::vector<std::uint8_t> elements_of(const oracle::Codec& codec, std::span<const std::uint64_t> codes) {
  std::vector<std::uint64_t> stored;
  stored.reserve(codes.size());
  for (std::uint64_t code : codes) stored.push_back(codec.stored(code));
  return pack(stored, codec.format());
}

Subject subject_of(const Duty& duty, const std::string& isa) {
  const Kernel kernel = look_up(duty, isa);
  if (!kernel) throw std::runtime_error(label(duty) + " on " + isa + ": " + kernel.status().message());
  if (kernel.isa() != isa || kernel.name() != duty.kernel) {
    throw std::runtime_error(label(duty) + " on " + isa + ": got kernel " + std::string(kernel.name()) + " of " +
                             std::string(kernel.isa()));
  }
  return {
      duty.kernel, isa, kernel.function(), kernel, &oracle::codec(duty.request.src), &oracle::codec(duty.request.dst)};
}

}  // namespace castforge::exhaustive

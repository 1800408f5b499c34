#include "spec/lookup.hpp"

#include <stdexcept>
#include <vector>

#include "spec/names.hpp"
#include "spec/nearest.hpp"

namespace castforge::spec {
namespace {

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// Why `name` is no op-set, and what may have been meant.
std::string no_opset(const SpecModel& model, const std::string& name) {
  const std::string where = "`castforge-gen list opsets` shows all";
  if (name.empty()) return "no op-set is given, and none is the default; " + where;
  const std::string family = name.substr(0, name.find('@'));
  const OpSet* newest = model.newest_opset(family);
  if (newest == nullptr) {
    std::vector<std::string> names, families;
    for (const auto& known : model.opsets) {
      names.push_back(known->name());
      families.push_back(known->family);
    }
    const std::string near = nearest(family, families);
    const OpSet* meant = near.empty() ? nullptr : model.find_opset(near + name.substr(family.size()));
    if (meant == nullptr && !near.empty()) meant = model.newest_opset(near);
    const std::string best = meant == nullptr ? nearest(name, names) : meant->name();
    return quoted(name) + " is not an op-set" + did_you_mean(best, std::vector{best}, where);
  }
  const std::string version = name.substr(name.find('@') + 1);
  if (is_whole_version(version) && is_whole_number(newest->version) &&
      compare_versions(version, newest->valid_through) > 0) {
    const std::string through =
        newest->valid_through == newest->version ? "" : ", which holds through version " + newest->valid_through;
    return quoted(name) + " is above the newest version known, " + newest->name() + through;
  }
  std::string versions;
  for (const auto& known : model.opsets) {
    if (known->family == family) versions += (versions.empty() ? "" : ", ") + known->version;
  }
  return "no such version of " + family + ": " + quoted(name) + "; its versions are " + versions;
}

}  // namespace

const Type& type_named(const SpecModel& model, const std::string& name) {
  if (const Type* type = model.find_type(name)) return *type;
  std::vector<std::string> names;
  for (const auto& known : model.types) names.push_back(known->name);
  for (const auto& known : model.types) {
    for (const Alias& alias : known->aliases) {
      if (is_user_facing(alias.name)) names.push_back(alias.name);
    }
  }
  throw std::invalid_argument(quoted(name) + " is not a type" +
                              did_you_mean(name, names, "`castforge-gen list types` shows all"));
}

std::pair<const Type*, const Type*> pair_named(const SpecModel& model, const std::string& pair) {
  const std::size_t colon = pair.find(':');
  if (colon == std::string::npos) throw std::invalid_argument("expected a pair as SRC:DST, found " + quoted(pair));
  return {&type_named(model, pair.substr(0, colon)), &type_named(model, pair.substr(colon + 1))};
}

const OpSet& opset_named(const SpecModel& model, const std::string& name) {
  if (const OpSet* opset = model.find_opset(name)) return *opset;
  throw std::invalid_argument(no_opset(model, name));
}

const OpSet& opset_for(const SpecModel& model, const std::string& name, const Type& src, const Type& dst) {
  const OpSet& found = opset_named(model, name);
  const auto admits_both = [&](const OpSet& opset) { return opset.admits(src) && opset.admits(dst); };
  if (!name.empty() || admits_both(found)) return found;
  const OpSet* const other = model.default_opset("cast", Default::fallback);
  return other != nullptr && admits_both(*other) ? *other : found;
}

}  // namespace castforge::spec

#include "spec/standing.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "spec/names.hpp"
#include "spec/nearest.hpp"

namespace castforge::spec {
namespace {

/// Whether a version can stand beside `known`, which says how long it is valid. What cannot is reported.
bool may_be_added(const OpSetFile& added, const OpSetFile& known, Diagnostics& diagnostics) {
  const bool whole = is_whole_number(added.version);
  if (whole &&
      (compare_versions(added.version, known.version) <= 0 || compare_versions(added.version, known.valid_through) > 0))
    return true;
  diagnostics.error(added.where,
                    "expected " + std::string(whole ? "a version that no other one covers" : "a whole number") +
                        " as \"version\", found " + added.version + ": " + known.name() + " has \"valid_through\" " +
                        known.valid_through + " (" + diagnostics.cite(known.where) + ")");
  return false;
}

/// Files that are known to be good, then the others: what contradicts those is to blame.
std::vector<std::size_t> known_first(const std::vector<std::unique_ptr<OpSetFile>>& files) {
  std::vector<std::size_t> order(files.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](std::size_t index) { return files[index]->good; });
  return order;
}

}  // namespace

int find_file(const std::vector<std::unique_ptr<OpSetFile>>& files, const std::string& family,
              const std::string& version) {
  int found = -1;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i]->family != family || compare_versions(files[i]->version, version) != 0) continue;
    if (found < 0 || (files[i]->good && !files[static_cast<std::size_t>(found)]->good)) found = static_cast<int>(i);
  }
  return found;
}

void report_duplicates(const std::vector<std::unique_ptr<OpSetFile>>& files, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const int first = find_file(files, files[i]->family, files[i]->version);
    if (first == static_cast<int>(i)) continue;
    diagnostics.error(files[i]->where, "op-set " + files[i]->name() + " is already defined at " +
                                           diagnostics.cite(files[static_cast<std::size_t>(first)]->where));
  }
}

void check_standing(const std::vector<std::unique_ptr<OpSetFile>>& files, const std::vector<const OpSet*>& linked,
                    Diagnostics& diagnostics) {
  std::map<std::pair<std::string, Default>, const OpSetFile*> defaults;  // by operation and role: the first family
  std::set<const OpSetFile*> refused;                                    // added versions
  for (const std::size_t i : known_first(files)) {
    const OpSetFile& file = *files[i];
    if (const Node* node = file.valid_through_node; node != nullptr && !file.valid_through.empty()) {
      const OpSetFile* next = nullptr;
      bool whole = true;
      for (const auto& other : files) {
        if (other->family != file.family) continue;
        if (file.good && !other->good) {
          if (!refused.contains(other.get()) && !may_be_added(*other, file, diagnostics)) refused.insert(other.get());
          continue;
        }
        whole = whole && is_whole_number(other->version);
        const bool above = compare_versions(other->version, file.version) > 0;
        if (above && (next == nullptr || compare_versions(other->version, next->version) < 0)) next = other.get();
      }
      if (!whole) {
        diagnostics.error(node->where, "\"valid_through\" is for families whose versions are whole numbers");
      } else if (compare_versions(file.valid_through, file.version) < 0) {
        diagnostics.error(node->where,
                          "\"valid_through\" " + file.valid_through + " is below the version itself, " + file.version);
      } else if (next != nullptr && compare_versions(file.valid_through, next->version) >= 0) {
        diagnostics.error(node->where, "\"valid_through\" " + file.valid_through + " is not below the next version, " +
                                           next->version);
      }
    }
    if (const Node* node = file.cast_like_node; node != nullptr && !file.cast_like_of.empty()) {
      std::vector<std::string> families;
      for (const auto& other : files) families.push_back(other->family);
      if (std::find(families.begin(), families.end(), file.cast_like_of) == families.end()) {
        diagnostics.error(node->where, "\"cast_like_of\" names \"" + file.cast_like_of +
                                           "\", of which no version is loaded" +
                                           did_you_mean(file.cast_like_of, families));
      }
    }
    if (linked[i] == nullptr || file.as_default == nullptr) continue;
    const OpSet& opset = *linked[i];
    if (opset.as_default == Default::no) continue;
    const auto [first, fresh] = defaults.emplace(std::pair(opset.operation, opset.as_default), &file);
    if (!fresh && first->second->family != file.family) {
      diagnostics.error(file.as_default->where,
                        std::string("the ") + (opset.as_default == Default::yes ? "default" : "fallback") + " for " +
                            opset.operation + " is " + first->second->family + " already (" +
                            diagnostics.cite(first->second->as_default->where) + ")");
    }
  }
}

}  // namespace castforge::spec

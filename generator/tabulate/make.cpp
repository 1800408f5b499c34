#include "tabulate/make.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "driver/beside.hpp"
#include "spec/attributes.hpp"
#include "spec/lookup.hpp"
#include "tabulate/file.hpp"

namespace castforge::tabulate {
namespace {

using driver::OpSetCells;
using spec::Type;

constexpr std::size_t kRandomCodes = 1'000'000;  // against which a table of a wide source is held

/// Leaves the cells that the request names.
void select(const Request& request, const spec::SpecModel& model, driver::Catalogue& catalogue) {
  if (!request.opsets.empty()) {
    std::vector<const spec::OpSet*> wanted;
    for (const std::string& name : request.opsets) wanted.push_back(&spec::opset_named(model, name));
    std::erase_if(catalogue.opsets, [&](const OpSetCells& cells) {
      return std::find(wanted.begin(), wanted.end(), cells.opset) == wanted.end();
    });
  }
  if (request.pairs.empty()) return;
  std::vector<std::pair<const Type*, const Type*>> wanted;
  for (const std::string& pair : request.pairs) wanted.push_back(spec::pair_named(model, pair));
  for (OpSetCells& cells : catalogue.opsets) {
    std::erase_if(cells.cells, [&](const auto& cell) {
      return std::find(wanted.begin(), wanted.end(), cell.first) == wanted.end();
    });
  }
}

/// What the library may lack of op-sets: all of one that it does not have, or not with these attributes; of others the
/// pairs with a type that it does not admit, as no file changes another.
class Additions {
 public:
  Additions(const spec::SpecModel& library, const spec::SpecModel& model) {
    for (const auto& opset : model.opsets) {
      const auto known = std::find_if(library.opsets.begin(), library.opsets.end(),
                                      [&](const auto& other) { return other->name() == opset->name(); });
      if (known == library.opsets.end() || !spec::same_attributes(**known, *opset)) continue;
      auto& admitted = admitted_[opset->name()];
      for (const Type* type : (*known)->types) admitted.insert(type->name);
    }
  }

  spec::PairFilter operator()(const spec::OpSet& opset) const {
    const auto found = admitted_.find(opset.name());
    if (found == admitted_.end()) return {};
    return [&admitted = found->second](const Type& src, const Type& dst) {
      return !admitted.contains(src.name) || !admitted.contains(dst.name);
    };
  }

 private:
  std::unordered_map<std::string, std::unordered_set<std::string>> admitted_;  // by op-set: types in the library
};

/// The pairs of a catalogue, whose kernels another one may have as well.
spec::PairFilter pairs_of(const driver::Catalogue& catalogue) {
  std::unordered_map<std::string, std::unordered_set<std::string>> pairs;
  for (const OpSetCells& cells : catalogue.opsets) {
    for (const auto& [pair, entry] : cells.cells) pairs[pair.first->name].insert(pair.second->name);
  }
  return [pairs = std::move(pairs)](const Type& src, const Type& dst) {
    const auto found = pairs.find(src.name);
    return found != pairs.end() && found->second.contains(dst.name);
  };
}

/// What to say where the op-sets and pairs of a request select nothing.
std::string no_conversion(const spec::SpecModel& library, const spec::SpecModel& model) {
  const Additions additions(library, model);
  std::string names;
  for (const auto& opset : model.opsets) {
    const spec::PairFilter added = additions(*opset);
    const bool some = std::any_of(opset->pairs.begin(), opset->pairs.end(),
                                  [&](const auto& pair) { return !added || added(*pair.first, *pair.second); });
    if (some) names += (names.empty() ? "" : ", ") + opset->name();
  }
  return "no conversion that the library lacks matches --opset and --pairs; " +
         (names.empty() ? "no op-set admits these types: an op-set of your own adds them (specs/README.md)"
                        : "those with conversions are " + names);
}

}  // namespace

Made make(const Request& request, const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::filesystem::path> paths = request.library;
  paths.insert(paths.end(), request.own.begin(), request.own.end());
  const std::size_t good = request.library.size();
  std::vector<spec::SpecText> known;
  std::copy_if(request.texts.begin(), request.texts.end(), std::back_inserter(known),
               [](const spec::SpecText& text) { return text.good; });
  const spec::SpecModel model = spec::load(paths, request.library_opsets, good, request.texts);
  const spec::SpecModel shipped = spec::load(request.library, request.library_opsets, good, known);
  driver::Catalogue all = driver::resolve_catalogue(model, Additions(shipped, model));
  const spec::PairFilter wanted = pairs_of(all);
  const driver::Catalogue library =
      driver::resolve_catalogue(shipped, [&](const spec::OpSet&) { return std::cref(wanted); });
  select(request, model, all);
  const driver::Catalogue catalogue = driver::beside(library, std::move(all));
  if (catalogue.types.empty() && catalogue.opsets.empty())
    throw NothingNew("nothing to tabulate: the library has all of it");

  const bool none = std::all_of(catalogue.opsets.begin(), catalogue.opsets.end(),
                                [](const OpSetCells& cells) { return cells.cells.empty(); });
  if (none && !(request.opsets.empty() && request.pairs.empty())) throw NoConversion(no_conversion(shipped, model));

  Made made;
  for (const Type* type : catalogue.types) made.types.push_back(type->name);
  for (const OpSetCells& cells : catalogue.opsets) made.opsets.push_back(cells.opset->name());
  std::vector<Table> tables;
  for (const driver::Kernel& kernel : catalogue.kernels) {
    if (progress) progress(tables.size(), catalogue.kernels.size());
    tables.push_back(tabulate(kernel.meaning));
    if (!request.verified) continue;
    if (const auto difference = find_difference(kernel.meaning, tables.back(), kRandomCodes))
      throw WrongTable(kernel.name + ": " + *difference + "\n  " + kernel.text);
  }
  made.file = file_of(catalogue, tables);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const driver::Kernel& kernel = catalogue.kernels[i];
    made.kernels.push_back({kernel.name, kernel.meaning.src->name, kernel.meaning.dst->name, std::move(tables[i])});
  }
  return made;
}

}  // namespace castforge::tabulate

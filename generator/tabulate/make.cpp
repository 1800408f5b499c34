#include "tabulate/make.hpp"

#include <algorithm>
#include <set>

#include "driver/beside.hpp"
#include "spec/loader.hpp"
#include "spec/lookup.hpp"
#include "tabulate/file.hpp"

namespace castforge::tabulate {
namespace {

using driver::OpSetCells;
using spec::Type;

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

bool has_opset(const spec::SpecModel& model, const std::string& name) {
  return std::any_of(model.opsets.begin(), model.opsets.end(),
                     [&](const auto& opset) { return opset->name() == name; });
}

/// Op-sets that the library lacks, or lacks types of: all others are the same in both, as no file changes another.
std::set<std::string> touched_opsets(const spec::SpecModel& shipped, const spec::SpecModel& model) {
  std::set<std::string> known, touched;
  for (const auto& type : shipped.types) known.insert(type->name);
  for (const auto& opset : model.opsets) {
    const bool has_own = std::any_of(opset->types.begin(), opset->types.end(),
                                     [&](const Type* type) { return !known.contains(type->name); });
    if (has_own || !has_opset(shipped, opset->name())) touched.insert(opset->name());
  }
  return touched;
}

}  // namespace

Made make(const Request& request, const std::function<void(std::size_t, std::size_t)>& progress) {
  const spec::SpecModel shipped = spec::load(request.library);
  std::vector<std::filesystem::path> paths = request.library;
  paths.insert(paths.end(), request.own.begin(), request.own.end());
  const spec::SpecModel model = spec::load(paths);
  const std::set<std::string> touched = touched_opsets(shipped, model);
  const auto is_touched = [&](const spec::OpSet& opset) { return touched.contains(opset.name()); };
  // A new op-set may lead to any kernel of the library, those that are there to its own types only.
  const bool all_of_library =
      std::any_of(touched.begin(), touched.end(), [&](const std::string& name) { return !has_opset(shipped, name); });
  driver::Catalogue all = driver::resolve_catalogue(model, is_touched);
  select(request, model, all);
  const driver::Catalogue library =
      all_of_library ? driver::resolve_catalogue(shipped) : driver::resolve_catalogue(shipped, is_touched);
  const driver::Catalogue catalogue = driver::beside(library, std::move(all));
  if (catalogue.types.empty() && catalogue.opsets.empty())
    throw NothingNew("nothing to tabulate: the library has all of it");

  Made made;
  for (const Type* type : catalogue.types) made.types.push_back(type->name);
  for (const OpSetCells& cells : catalogue.opsets) made.opsets.push_back(cells.opset->name());
  std::vector<Table> tables;
  for (const driver::Kernel& kernel : catalogue.kernels) {
    if (progress) progress(tables.size(), catalogue.kernels.size());
    tables.push_back(tabulate(kernel.meaning));
    if (const auto difference = find_difference(kernel.meaning, tables.back(), request.random_codes))
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

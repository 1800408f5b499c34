#include "tabulate/make.hpp"

#include <algorithm>
#include <set>

#include "driver/beside.hpp"
#include "spec/attributes.hpp"
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

/// Op-sets that the library lacks, or lacks types or values of attributes of: all others are the same in both, as no
/// file changes another.
struct Touched {
  std::set<std::string> all;
  bool any_kernel = false;  // some may lead to any kernel of the library, not to those of types that it gains alone
};

Touched touched_opsets(const spec::SpecModel& shipped, const spec::SpecModel& model) {
  Touched touched;
  for (const auto& opset : model.opsets) {
    const auto known = std::find_if(shipped.opsets.begin(), shipped.opsets.end(),
                                    [&](const auto& other) { return other->name() == opset->name(); });
    const bool fresh = known == shipped.opsets.end() || !spec::same_attributes(**known, *opset);
    const bool has_own = !fresh && (*known)->types.size() != opset->types.size();
    if (fresh || has_own) touched.all.insert(opset->name());
    std::set<std::string> names;
    for (const auto& type : shipped.types) names.insert(type->name);
    const auto is_shipped = [&](const Type* type) { return names.contains(type->name); };
    const auto shipped_types = std::count_if(opset->types.begin(), opset->types.end(), is_shipped);
    touched.any_kernel |= fresh || static_cast<std::size_t>(shipped_types) != (*known)->types.size();
  }
  return touched;
}

}  // namespace

Made make(const Request& request, const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::filesystem::path> paths = request.library;
  paths.insert(paths.end(), request.own.begin(), request.own.end());
  const spec::SpecModel model = spec::load(paths, request.library_opsets, spec::Cells::of_additions);
  const spec::SpecModel shipped = spec::load(request.library, request.library_opsets, spec::Cells::none);
  const Touched touched = touched_opsets(shipped, model);
  const auto is_touched = [&](const spec::OpSet& opset) { return touched.all.contains(opset.name()); };
  driver::Catalogue all = driver::resolve_catalogue(model, is_touched);
  select(request, model, all);
  const driver::Catalogue library =
      touched.any_kernel ? driver::resolve_catalogue(shipped) : driver::resolve_catalogue(shipped, is_touched);
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

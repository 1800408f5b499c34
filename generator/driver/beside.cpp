#include "driver/beside.hpp"

#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "spec/attributes.hpp"

namespace castforge::driver {
namespace {

using spec::Type;

/// Which words of a manifest name a kernel and its meaning.
std::map<std::string, std::string> kernels_of(const std::filesystem::path& manifest) {
  std::ifstream file(manifest);
  std::string line;
  if (!std::getline(file, line) || line.rfind("kernel\tfile\tmeaning\t", 0) != 0)
    throw std::invalid_argument(manifest.string() + ": this is no MANIFEST.tsv of castforge");
  std::map<std::string, std::string> kernels;
  while (std::getline(file, line)) {
    const std::size_t name = line.find('\t');
    const std::size_t path = name == std::string::npos ? name : line.find('\t', name + 1);
    const std::size_t hash = path == std::string::npos ? path : line.find('\t', path + 1);
    if (hash == std::string::npos)
      throw std::invalid_argument(manifest.string() + ": a line with too few columns: " + line);
    kernels[line.substr(0, name)] = line.substr(path + 1, hash - path - 1);
  }
  return kernels;
}

/// Of one op-set's cell, what serves it: names that mean the same in both catalogues.
std::vector<std::string> served_by(const Catalogue& catalogue, const OpSetCells::Cell& cell) {
  std::vector<std::string> names;
  for (const Entry& entry : cell.variants)
    names.push_back(entry.is_text() ? meaning_text(catalogue.text_rules[entry.index].meaning)
                                    : catalogue.kernels[entry.index].text);
  return names;
}

class Difference {
 public:
  Difference(const Catalogue& library, Catalogue all) : library_(library), all_(std::move(all)) {}

  Catalogue run() {
    out_.model = all_.model;
    out_.beside = manifest_hash(library_);
    types();
    systems();
    find_cells();
    entries();
    for (OpSetCells& cells : out_.opsets) {
      for (auto& [pair, cell] : cells.cells) {
        for (Entry& entry : cell.variants) entry = entries_.at(entry);
      }
    }
    return std::move(out_);
  }

 private:
  void types() {
    std::map<std::string, const Type*> known;
    for (const Type* type : library_.types) known[type->name] = type;
    for (const Type* type : all_.types) {
      if (known.erase(type->name) == 0) out_.types.push_back(type);
    }
    if (!known.empty()) throw std::invalid_argument("type " + known.begin()->first + " of the library is missing");
  }

  void systems() {
    std::set<std::string> known;
    for (const spec::System* system : library_.systems) known.insert(system->name);
    for (const spec::System* system : all_.systems) {
      if (!known.contains(system->name)) out_.systems.push_back(system);
    }
  }

  void find_cells() {
    std::map<std::string, const OpSetCells*> known;
    for (const OpSetCells& opset : library_.opsets) known[opset.opset->name()] = &opset;
    for (const OpSetCells& opset : all_.opsets) {
      const auto found = known.find(opset.opset->name());
      if (found == known.end()) {
        out_.opsets.push_back(opset);
        continue;
      }
      OpSetCells fresh = new_cells(*found->second, opset);
      if (!fresh.cells.empty()) out_.opsets.push_back(std::move(fresh));
    }
  }

  /// Of an op-set of the library that has more values of its attributes now, all of it.
  OpSetCells widened(const OpSetCells& old, const OpSetCells& now) const {
    const std::string name = now.opset->name();
    if (!spec::is_wider(*old.opset, *now.opset))
      throw std::invalid_argument(name + " has other attributes than the library's");
    std::map<std::pair<std::string, std::string>, const OpSetCells::Cell*> cells;
    for (const auto& [pair, cell] : now.cells) cells[{pair.first->name, pair.second->name}] = &cell;
    for (const auto& [pair, cell] : in_order(old)) {
      const auto found = cells.find({pair.first->name, pair.second->name});
      const std::vector<std::string> before = served_by(library_, *cell);
      const std::vector<std::string> after =
          found == cells.end() ? std::vector<std::string>{} : served_by(all_, *found->second);
      for (std::size_t i = 0; i < before.size(); ++i) {
        const std::size_t k = spec::same_combination(*old.opset, *now.opset, i);
        if (k >= after.size() || after[k] != before[i])
          throw std::invalid_argument(name + " would convert " + pair.first->name + " -> " + pair.second->name +
                                      " by another rule than the library's");
      }
    }
    return now;
  }

  /// What an op-set admits that the library's op-set of that name does not.
  OpSetCells new_cells(const OpSetCells& old, const OpSetCells& now) const {
    if (!spec::same_attributes(*old.opset, *now.opset)) return widened(old, now);
    std::set<std::string> types;
    for (const Type* type : old.types) types.insert(type->name);
    OpSetCells fresh;
    fresh.opset = now.opset;
    for (const Type* type : now.types) {
      if (!types.contains(type->name)) fresh.types.push_back(type);
    }
    std::map<std::pair<std::string, std::string>, const OpSetCells::Cell*> cells;
    for (const auto& [pair, cell] : old.cells) cells[{pair.first->name, pair.second->name}] = &cell;
    for (const auto& [pair, cell] : in_order(now)) {
      const auto known = cells.find({pair.first->name, pair.second->name});
      if (known == cells.end()) {
        fresh.cells.emplace(pair, *cell);
      } else if (served_by(library_, *known->second) != served_by(all_, *cell)) {
        throw std::invalid_argument(now.opset->name() + " would convert " + pair.first->name + " -> " +
                                    pair.second->name + " by another rule than the library's");
      }
    }
    return fresh;
  }

  /// Rules of text are data: all that are used are written, the library's too.
  void entries() {
    std::map<std::string, const Kernel*> known;
    for (const Kernel& kernel : library_.kernels) known[kernel.name] = &kernel;
    for (const OpSetCells& opset : out_.opsets) {
      for (const auto& [pair, cell] : opset.cells) {
        for (const Entry& entry : cell.variants) entries_[entry] = {};
      }
    }
    for (auto& [entry, made] : entries_) {
      if (entry.is_text()) {
        made = {Entry::List::text_rules, out_.text_rules.size()};
        out_.text_rules.push_back(all_.text_rules[entry.index]);
        continue;
      }
      Kernel& kernel = all_.kernels[entry.index];
      const auto old = known.find(kernel.name);
      if (old == known.end()) {
        made = {Entry::List::kernels, out_.kernels.size()};
        out_.kernels.push_back(std::move(kernel));
      } else if (old->second->text == kernel.text) {
        made = {Entry::List::references, out_.references.size()};
        out_.references.push_back({kernel.name, kernel.hash});
      } else {
        throw std::invalid_argument("kernel " + kernel.name + " would have another meaning than the library's:\n  " +
                                    old->second->text + "\n  " + kernel.text);
      }
    }
  }

  const Catalogue& library_;
  Catalogue all_, out_;
  std::map<Entry, Entry> entries_;  // of all_, to those of out_
};

}  // namespace

void check_manifest(const Catalogue& library, const std::filesystem::path& manifest) {
  std::map<std::string, std::string> kernels = kernels_of(manifest);
  const std::string other = manifest.string() + ": this is the manifest of another library than that of the specs: ";
  for (const Kernel& kernel : library.kernels) {
    const auto found = kernels.find(kernel.name);
    if (found == kernels.end()) throw std::invalid_argument(other + "it lacks the kernel " + kernel.name);
    if (found->second != kernel.hash)
      throw std::invalid_argument(other + "the kernel " + kernel.name + " has the meaning " + found->second +
                                  ", by the specs " + kernel.hash);
    kernels.erase(found);
  }
  if (!kernels.empty()) throw std::invalid_argument(other + "no spec leads to its kernel " + kernels.begin()->first);
}

Catalogue beside(const Catalogue& library, Catalogue all) { return Difference(library, std::move(all)).run(); }

}  // namespace castforge::driver

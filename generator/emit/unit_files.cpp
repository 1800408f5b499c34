#include "emit/unit_files.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "emit/kernel_file.hpp"
#include "spec/words.hpp"

namespace castforge::emit {
namespace {

using driver::Kernel, driver::OpSetCells;
using spec::Type;

/// The kernels by which range op-sets convert elements from the types in which sequences are computed; none beside a
/// library, which looks for its own.
Fields kernel_ramps(const Tree& tree) {
  if (!tree.catalogue.beside.empty()) return {};
  std::set<std::size_t> all;
  for (const OpSetCells& cells : tree.catalogue.opsets) {
    if (cells.opset->operation != "range") continue;
    for (const auto& [pair, cell] : cells.cells) {
      const auto& [src, dst] = pair;
      if (!src->is_ieee(8, 23) && !src->is_ieee(11, 52)) continue;
      if (dst->kind != spec::Kind::floating || dst->storage_bits >= src->storage_bits) continue;
      if (storage_unit(dst->storage_bits) != dst->storage_bits) continue;
      for (const driver::Entry& entry : cell.variants) {
        if (entry.is_kernel()) all.insert(entry.index);
      }
    }
  }
  Fields fields;
  std::set<std::string> headers;
  for (const std::size_t i : all) {
    const Kernel& kernel = tree.catalogue.kernels[i];
    const std::string header = pair_path(kernel.meaning);
    if (headers.insert(header).second) fields.lists["headers"].push_back(field("header", header));
    fields.lists["ramps"].push_back(
        {{{"id", kernel.name}, {"dst", kernel.meaning.dst->name}, {"struct_name", kernel.struct_name}}, {}});
  }
  return fields;
}

void units(const Tree& tree, FileSet& files) {
  std::vector<Fields> all;
  for (const std::string& unit : unit_names(tree.catalogue)) {
    Fields fields = field("unit", unit), shared;
    std::set<std::string> headers;
    for (std::size_t i = 0; i < tree.catalogue.kernels.size(); ++i) {
      const Kernel& kernel = tree.catalogue.kernels[i];
      if (unit_of(kernel) != unit) continue;
      const bool to_newer = kernel.meaning.dst->id >= kernel.meaning.src->id;
      fields.words["what"] = to_newer ? "to " + kernel.meaning.dst->name + " from a type that is no newer"
                                      : "from " + kernel.meaning.src->name + " to an older type";
      Fields item{{{"struct_name", kernel.struct_name}, {"dst", kernel.meaning.dst->name}}, {}};
      if (tree.functions[i] == i) {
        fields.lists["kernels"].push_back(std::move(item));
      } else {
        const Kernel& like = tree.catalogue.kernels[tree.functions[i]];
        item.words["like"] = "to_" + like.meaning.dst->name + "::" + like.struct_name;
        shared.lists["kernels"].push_back(std::move(item));
      }
      const std::string header = pair_path(kernel.meaning);
      if (headers.insert(header).second) fields.lists["headers"].push_back(field("header", header));
    }
    if (!fields.lists.contains("kernels")) fields.lists["no_kernels"].push_back({});
    if (!shared.lists.empty()) fields.lists["has_shared"].push_back(std::move(shared));
    files["units/" + unit + ".cpp"] = tree.templates.render("unit.cpp", fields);
    all.push_back(field("unit", unit));
  }
  Fields fields;
  fields.lists["units"] = all;
  if (all.empty()) fields.lists["no_units"].push_back({});
  if (Fields ramps = kernel_ramps(tree); !ramps.lists.empty()) fields.lists["has_ramps"].push_back(std::move(ramps));
  files["units/units.cpp"] = tree.templates.render("units.cpp", fields);
}

/// What units share for the kernels between two layouts.
void layouts(const Tree& tree, FileSet& files) {
  std::set<std::tuple<int, int, Packing>> all;
  for (const Kernel& kernel : tree.catalogue.kernels) {
    const Type &src = *kernel.meaning.src, &dst = *kernel.meaning.dst;
    all.emplace(src.storage_bits, dst.storage_bits, dst.packing);
  }
  Fields fields;
  for (const auto& [src_bits, dst_bits, dst_packing] : all) {
    Fields layout = field("src_bits", std::to_string(src_bits));
    layout.words["dst_bits"] = std::to_string(dst_bits);
    layout.words["dst_packing"] = spec::word_of(dst_packing);
    layout.words["next"] = fields.lists["layouts"].size() + 1 < all.size() ? " \\" : "";
    fields.lists["layouts"].push_back(layout);
  }
  files["units/layouts.hpp"] = tree.templates.render("layouts.hpp", fields);
}

}  // namespace

std::string unit_of(const Kernel& kernel) {
  const spec::Meaning& meaning = kernel.meaning;
  return meaning.src->id > meaning.dst->id ? "from_" + meaning.src->name : "to_" + meaning.dst->name;
}

std::vector<std::string> unit_names(const driver::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const Kernel& kernel : catalogue.kernels) {
    const std::string unit = unit_of(kernel);
    if (std::find(names.begin(), names.end(), unit) == names.end()) names.push_back(unit);
  }
  return names;
}

FileSet unit_files(const Tree& tree) {
  FileSet files;
  units(tree, files);
  layouts(tree, files);
  return files;
}

}  // namespace castforge::emit

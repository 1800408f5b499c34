#include "emit/opset_files.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "emit/cpp_text.hpp"
#include "emit/symbols.hpp"
#include "spec/names.hpp"
#include "spec/words.hpp"

namespace castforge::emit {
namespace {

using driver::OpSetCells;
using spec::Type;

const char* truth(bool value) { return value ? "true" : "false"; }

/// The namespace of a table, opset_onnx_8_5_0 for "onnx@8.5.0". Several tables are one translation unit.
std::string namespace_of(const spec::OpSet& opset) {
  std::string text = "opset_" + opset.name();
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

std::string file_stem(const spec::OpSet& opset) {
  std::string text = opset.name();
  std::replace(text.begin(), text.end(), '@', '-');
  return text;
}

/// The name, made longer where it is among those before: a-1@2 and a@1-2 are written alike. Adds it to them.
std::string unlike(std::set<std::string>& before, std::string name, char more) {
  while (!before.insert(name).second) name += more;
  return name;
}

/// One op-set's own table.
std::string opset(const Tree& tree, const OpSetCells& cells, const std::string& own_namespace) {
  const spec::OpSet& opset = *cells.opset;
  Fields fields = field("name", opset.name());
  fields.words["namespace"] = own_namespace;
  const bool has_cells = !cells.cells.empty();
  Fields body;
  std::vector<std::string> admitted;
  for (const Type* type : cells.types) admitted.push_back(type_symbol(*type));
  body.lists["types"] = wrapped(admitted);
  std::uint32_t used = 0;
  for (const auto& [pair, cell] : driver::in_order(cells)) {
    used |= cell->attributes_used;
    std::string acting;
    for (std::size_t i = 0; i < opset.attributes.size(); ++i) {
      if ((cell->attributes_used >> i & 1) != 0)
        acting += (acting.empty() ? "" : " | ") + ("kActs_" + opset.attributes[i].name);
    }
    const std::string key =
        type_symbol(*pair.first) + ", " + type_symbol(*pair.second) + ", " + (acting.empty() ? "0" : acting) + ",";
    for (const driver::Entry& entry : driver::acting_variants(opset, *cell)) {
      const std::string& name = tree.catalogue.name_of(entry);
      const bool fits = key.size() + 1 + name.size() <= kListWidth;
      body.lists["variants"].push_back(field("row", "{" + key + (fits ? " " : "\n     ") + name + "}"));
    }
  }
  if (has_cells) {
    for (std::size_t i = 0; i < opset.attributes.size(); ++i) {
      if ((used >> i & 1) != 0)
        body.lists["bits"].push_back({{{"attribute", opset.attributes[i].name}, {"bit", std::to_string(i)}}, {}});
    }
    fields.lists["has_types"].push_back(body);
  }

  Fields attributes;
  for (const spec::Attribute& attribute : opset.attributes) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < attribute.values.size(); ++i) {
      const auto* number = std::get_if<std::int64_t>(&attribute.values[i]);
      std::string word = "nullptr", value = number != nullptr ? std::to_string(*number) : "0";
      if (number == nullptr) word = cpp_string(std::get<std::string>(attribute.values[i]));
      if (i < attribute.numbers.size()) value = std::to_string(attribute.numbers[i]);
      values.push_back("{" + word + ", " + value + "}");
    }
    Fields item = field("attribute", attribute.name);
    item.lists["values"] = wrapped(values);
    item.words["doc"] = cpp_text(attribute.doc, 5);
    item.words["default"] = std::to_string(attribute.default_index);
    item.words["kind"] = spec::word_of(attribute.kind);
    item.words["checked_where_used"] = truth(attribute.checked_where_used);
    attributes.lists["attributes"].push_back(item);
  }
  fields.lists["attributes"] = attributes.lists["attributes"];
  if (!opset.attributes.empty()) fields.lists["has_attributes"].push_back(attributes);
  Fields options;
  for (const auto& [name, value] : opset.options) {
    options.lists["options"].push_back({{{"option", name}, {"value", cpp_string(value)}}, {}});
  }
  if (!opset.options.empty()) fields.lists["has_options"].push_back(options);

  const auto list = [&](const char* word, bool there, const std::string& array) {
    fields.words[word] = there ? array : "nullptr";
    fields.words[word + std::string("_size")] = there ? "row_count(" + array + ")" : "0";
  };
  list("types_list", has_cells, "kAdmitted");
  list("attributes_list", !opset.attributes.empty(), "kAttributes");
  list("variants_list", has_cells, "kVariants");
  list("options_list", !opset.options.empty(), "kOptions");
  fields.words["family"] = opset.family;
  fields.words["version"] = opset.version;
  fields.words["operation"] = opset.operation;
  fields.words["doc"] = cpp_text(opset.doc, 4);
  fields.words["valid_through"] = spec::is_whole_number(opset.valid_through) ? opset.valid_through : "0";
  fields.words["cast_like_of"] = opset.cast_like_of.empty() ? "nullptr" : cpp_string(opset.cast_like_of);
  fields.words["notation"] = opset.notation.empty() ? "nullptr" : cpp_string(opset.notation);
  fields.words["as_default"] = "Default::" + std::string(word(tree.catalogue.model->role_of(opset)));
  return tree.templates.render("table_opset.cpp", fields);
}

}  // namespace

FileSet opset_files(const Tree& tree) {
  FileSet files;
  Fields list;
  std::set<std::string> namespaces, stems;
  for (const OpSetCells& cells : tree.catalogue.opsets) {
    const std::string own = unlike(namespaces, namespace_of(*cells.opset), '_');
    list.lists["opsets"].push_back(field("namespace", own));
    files["tables/opset_" + unlike(stems, file_stem(*cells.opset), '-') + ".cpp"] = opset(tree, cells, own);
  }
  if (tree.catalogue.opsets.empty()) list.lists["no_opsets"].push_back({});
  files["tables/opsets.cpp"] = tree.templates.render("table_opsets.cpp", list);
  return files;
}

}  // namespace castforge::emit

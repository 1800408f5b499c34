#include "emit/table_files.hpp"

#include <algorithm>

#include "driver/program_hash.hpp"
#include "emit/cpp_text.hpp"
#include "emit/symbols.hpp"
#include "emit/unit_files.hpp"
#include "spec/words.hpp"

namespace castforge::emit {
namespace {

using driver::Kernel, driver::TextRule;
using spec::Type;

/// The public enumeration. It has those of a library that the tree is beside too: it takes the place of the library's.
void type_header(const Tree& tree, FileSet& files) {
  Fields enumeration = field("count", std::to_string(tree.catalogue.model->types.size()));
  std::vector<const Type*> all;
  for (const auto& type : tree.catalogue.model->types) all.push_back(type.get());
  std::sort(all.begin(), all.end(), [](const Type* a, const Type* b) { return a->id < b->id; });
  for (const Type* type : all) {
    const std::string name = identifier(type->name);
    Fields enumerator = field("enumerator", name);
    enumerator.words["id"] = std::to_string(type->id);
    enumerator.words["note"] = name == type->name ? "" : "  // `" + type->name + "` is a keyword";
    enumeration.lists["types"].push_back(enumerator);
  }
  files["include/castforge/types.hpp"] = tree.templates.render("types.hpp", enumeration);
}

void types(const Tree& tree, FileSet& files) {
  type_header(tree, files);
  Fields table;
  for (const Type* type : tree.catalogue.types) {
    Fields row = field("name", type->name);
    row.words["rest"] =
        cpp_string(type->name) + ",\n     " + cpp_text(type->doc, 5) + ",\n     " +
        (type->aliases.empty() ? "nullptr, 0" : "kAliases_" + type->name + ", row_count(kAliases_" + type->name + ")");
    row.lists["format"] = wrapped(format_items(*type), "{{", "},");
    if (!type->aliases.empty()) {
      Fields aliases_block = field("name", type->name);
      for (const spec::Alias& alias : type->aliases) {
        const std::string_view shared = tree.catalogue.model->is_shared(alias) ? ", kShared" : "";
        aliases_block.lists["aliases"].push_back(field(
            "alias", "{" + cpp_string(alias.system) + ", " + cpp_string(alias.name) + std::string(shared) + "},"));
      }
      row.lists["has_aliases"].push_back(aliases_block);
    }
    table.lists["types"].push_back(row);
  }
  if (tree.catalogue.types.empty()) table.lists["no_types"].push_back({});
  files["tables/types.cpp"] = tree.templates.render("table_types.cpp", table);
}

void rule_words(const Tree& tree, FileSet& files) {
  Fields fields;
  for (const spec::Enumeration& enumeration : spec::enumerations()) {
    Fields item = field("name", std::string(enumeration.name));
    std::string doc;
    for (const char c : enumeration.doc) doc += c == '\n' ? std::string("\n/// ") : std::string(1, c);
    item.words["doc"] = doc;
    std::string list;
    for (const std::string_view word : enumeration.enumerators) list += (list.empty() ? "" : ", ") + std::string(word);
    item.words["enumerators"] = list;
    std::vector<std::string> words;
    for (const std::string_view word : enumeration.words.empty() ? enumeration.enumerators : enumeration.words)
      words.push_back(cpp_string(std::string(word)));
    item.words["count"] = std::to_string(words.size());
    item.lists["words"] = wrapped(words, "    ", "};");
    fields.lists["enumerations"].push_back(item);
  }
  for (const auto& mode : tree.catalogue.model->roundings) {
    fields.lists["roundings"].push_back(
        {{{"rounding", identifier(mode->name)}, {"table", driver::carry_word(*mode)}}, {}});
  }
  const spec::Meaning usual;
  fields.words["overflow"] = spec::word_of(usual.overflow);
  fields.words["inf"] = spec::word_of(usual.inf, spec::Kind::floating);
  fields.words["nan"] = spec::word_of(usual.nan);
  fields.words["negative"] = spec::word_of(usual.negative);
  fields.words["negative_test"] = spec::word_of(usual.negative_test);
  fields.words["negative_inf"] = spec::word_of(usual.negative_inf);
  fields.words["zero_sign"] = spec::word_of(usual.zero_sign);
  fields.words["bits"] = spec::word_of(usual.bits);
  fields.words["zero"] = spec::word_of(usual.zero);
  fields.words["underflow"] = spec::word_of(usual.underflow);
  fields.words["same_type"] = spec::word_of(usual.same_type);
  files["include/castforge/rule.hpp"] = tree.templates.render("rule.hpp", fields);
}

void ids(const Tree& tree, FileSet& files) {
  Fields fields;
  for (const Kernel& kernel : tree.catalogue.kernels) fields.lists["kernels"].push_back(field("id", kernel.name));
  for (const TextRule& rule : tree.catalogue.text_rules) fields.lists["text_rules"].push_back(field("id", rule.name));
  for (const std::string& unit : unit_names(tree.catalogue)) fields.lists["units"].push_back(field("id", unit));
  Fields references;
  for (const driver::Reference& one : tree.catalogue.references)
    references.lists["references"].push_back(field("id", one.name));
  if (!tree.catalogue.references.empty()) fields.lists["has_references"].push_back(references);
  std::size_t elements = 0;
  for (const spec::System* system : tree.catalogue.systems) elements += system->other_elements.size();
  const std::pair<const char*, std::size_t> counts[] = {
      {"type_count", tree.catalogue.types.size()},           {"kernel_count", tree.catalogue.kernels.size()},
      {"reference_count", tree.catalogue.references.size()}, {"text_rule_count", tree.catalogue.text_rules.size()},
      {"opset_count", tree.catalogue.opsets.size()},         {"other_element_count", elements}};
  for (const auto& [name, count] : counts) fields.words[name] = std::to_string(count);
  for (const evidence::ProcessorFamily& family : tree.processors.families()) {
    const std::size_t bit = fields.lists["processors"].size();
    const std::string row =
        "{" + cpp_string(family.vendor) + ", " + cpp_string(family.set) + ", " + cpp_string(family.lesser) + "}";
    fields.lists["processors"].push_back(
        {{{"name", identifier(family.name)}, {"bit", std::to_string(bit)}, {"row", row}}, {}});
  }
  if (tree.processors.families().empty()) fields.lists["no_processors"].push_back({});
  fields.words["processor_count"] = std::to_string(tree.processors.families().size());
  fields.words["manifest_hash"] = cpp_string(driver::manifest_hash(tree.catalogue));
  fields.words["beside"] = tree.catalogue.beside.empty() ? "nullptr" : cpp_string(tree.catalogue.beside);
  files["tables/ids.hpp"] = tree.templates.render("table_ids.hpp", fields);
}

/// The last member of a kernel's row, where it has one: ", on::intel".
std::string processors_of(const Tree& tree, const Kernel& kernel) {
  std::string bits;
  for (const evidence::ProcessorFamily& family : tree.processors.of(kernel))
    bits += (bits.empty() ? ", on::" : " | on::") + identifier(family.name);
  return bits;
}

void kernel_table(const Tree& tree, FileSet& files) {
  Fields fields;
  std::map<std::string, int> taken;  // places in each unit
  std::vector<std::string> places;   // of the functions of kernels
  for (std::size_t i = 0; i < tree.catalogue.kernels.size(); ++i) {
    const std::string unit = unit_of(tree.catalogue.kernels[i]);
    places.push_back(tree.functions[i] == i ? "UnitId::" + unit + ", " + std::to_string(taken[unit]++) : "");
  }
  for (std::size_t i = 0; i < tree.catalogue.kernels.size(); ++i) {
    const Kernel& kernel = tree.catalogue.kernels[i];
    const spec::Meaning& meaning = kernel.meaning;
    Fields row = field("key", "{" + cpp_string(kernel.name) + ", " + cpp_string(kernel.hash) + ",");
    row.words["types"] =
        type_symbol(*meaning.src) + ", " + type_symbol(*meaning.dst) + ", " + places[tree.functions[i]] + ",";
    row.lists["rule"] = wrapped(rule_items(meaning), "{", "}" + processors_of(tree, kernel) + "},");
    row.words["programs"] = cpp_string(driver::program_hashes(kernel));
    fields.lists["kernels"].push_back(row);
  }
  for (const driver::Reference& one : tree.catalogue.references)
    fields.lists["references"].push_back(field("row", "{" + cpp_string(one.name) + ", " + cpp_string(one.hash) + "}"));
  if (tree.catalogue.kernels.empty()) fields.lists["no_kernels"].push_back({});
  if (tree.catalogue.references.empty()) fields.lists["no_references"].push_back({});
  files["tables/kernels.cpp"] = tree.templates.render("table_kernels.cpp", fields);
  files["tables/programs.cpp"] = tree.templates.render("table_programs.cpp", fields);
}

void text_table(const Tree& tree, FileSet& files) {
  Fields fields;
  for (const TextRule& rule : tree.catalogue.text_rules) {
    const spec::Meaning& meaning = rule.meaning;
    Fields row = field("name", rule.name);
    row.words["types"] = "{.src = " + type_symbol(*meaning.src) + ", .dst = " + type_symbol(*meaning.dst) + ",";
    std::string words;
    if (!meaning.parse.empty()) words += ", .parse = Grammar::" + meaning.parse;
    if (!meaning.format.empty()) words += ", .format = Notation::" + meaning.format;
    row.lists["rule"] = wrapped(rule_items(meaning), ".rule = {", "}" + words + "},");
    fields.lists["rules"].push_back(row);
  }
  if (tree.catalogue.text_rules.empty()) fields.lists["empty"].push_back({});
  files["tables/text_rules.cpp"] = tree.templates.render("table_text.cpp", fields);
}

void other_elements(const Tree& tree, FileSet& files) {
  Fields fields;
  for (const spec::System* system : tree.catalogue.systems) {
    for (const auto& [name, bits] : system->other_elements) {
      const std::string row =
          "{" + cpp_string(system->name) + ", " + cpp_string(name) + ", " + std::to_string(bits) + "}";
      fields.lists["elements"].push_back(field("row", row));
    }
  }
  if (fields.lists["elements"].empty()) fields.lists["empty"].push_back({});
  files["tables/other_elements.cpp"] = tree.templates.render("table_other_elements.cpp", fields);
}

}  // namespace

FileSet table_files(const Tree& tree) {
  FileSet files;
  types(tree, files);
  rule_words(tree, files);
  ids(tree, files);
  kernel_table(tree, files);
  text_table(tree, files);
  other_elements(tree, files);
  return files;
}

}  // namespace castforge::emit

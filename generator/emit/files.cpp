#include "emit/files.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <tuple>

#include "driver/functions.hpp"
#include "driver/program_hash.hpp"
#include "emit/kernel_file.hpp"
#include "emit/operation_files.hpp"
#include "emit/symbols.hpp"
#include "spec/names.hpp"
#include "spec/words.hpp"

namespace castforge::emit {
namespace {

using driver::Kernel, driver::OpSetCells, driver::TextRule;
using spec::Type;

std::string cpp_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + "\"";
}

constexpr std::size_t kWidth = 112;  // of lists and texts, before they are indented

/// A text as string literals, one after the other on lines of their own.
std::string cpp_text(std::string text, std::size_t indent) {
  std::string out;
  while (text.size() > kWidth - indent) {
    const std::size_t space = text.rfind(' ', kWidth - indent - 1);
    if (space == std::string::npos) break;
    out += cpp_string(text.substr(0, space + 1)) + "\n" + std::string(indent, ' ');
    text.erase(0, space + 1);
  }
  return out + cpp_string(text);
}

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

/// One line of a list per element: {{line}}. The text around a list of items in braces goes to its first and last line.
std::vector<Fields> wrapped(const std::vector<std::string>& items, const std::string& before = "",
                            const std::string& after = "") {
  std::vector<std::string> lines = comma_lines(items, kWidth - before.size() - after.size());
  if (lines.empty()) lines.emplace_back();
  lines.front() = before + lines.front();
  for (std::size_t i = 1; i < lines.size(); ++i) lines[i] = std::string(before.size(), ' ') + lines[i];
  lines.back() += after;
  std::vector<Fields> fields;
  for (const std::string& line : lines) fields.push_back(field("line", line));
  return fields;
}

class Emitter {
 public:
  Emitter(const driver::Catalogue& catalogue, const evidence::Evidence& evidence,
          const evidence::Processors& processors, const Templates& templates)
      : catalogue_(catalogue),
        model_(*catalogue.model),
        evidence_(evidence),
        processors_(processors),
        templates_(templates),
        functions_(driver::functions(catalogue.kernels)) {}

  FileSet run() {
    kernels();
    units();
    types();
    rule_words();
    ids();
    kernel_table();
    text_table();
    other_elements();
    opsets();
    sources();
    index();
    manifest();
    files_["operations.hpp"] = lane_operations(templates_);
    if (catalogue_.beside.empty()) {
      files_["OPERATIONS.md"] = operations_page(templates_);
      files_["README.md"] = templates_.render("generated_readme.md", {});
    }
    return std::move(files_);
  }

 private:
  void kernels() {
    std::map<std::string, std::vector<const Kernel*>> pairs;
    for (const Kernel& kernel : catalogue_.kernels) pairs[pair_path(kernel.meaning)].push_back(&kernel);
    for (const auto& [path, list] : pairs) {
      PairFiles pair = pair_files(templates_, processors_, list);
      files_.merge(pair.files);
      if (!pair.files.empty())  // merge() leaves what has no place
        throw std::logic_error("two pairs of types have one file " + pair.files.begin()->first);
      kernel_paths_.merge(pair.kernel_paths);
    }
    pair_count_ = pairs.size();
    kernel_file_count_ = files_.size();
  }

  /// The unit of a kernel: that of the newer of its two types, in its direction. A type that is added makes units of
  /// its own, and those of all others stay as they are.
  static std::string unit_of(const Kernel& kernel) {
    const spec::Meaning& meaning = kernel.meaning;
    return meaning.src->id > meaning.dst->id ? "from_" + meaning.src->name : "to_" + meaning.dst->name;
  }

  void units() {
    std::vector<Fields> all;
    for (const Kernel& kernel : catalogue_.kernels) {
      const std::string unit = unit_of(kernel);
      if (std::find(unit_names_.begin(), unit_names_.end(), unit) == unit_names_.end()) unit_names_.push_back(unit);
      destinations_.insert(kernel.meaning.dst->name);
    }
    for (const std::string& unit : unit_names_) {
      Fields fields = field("unit", unit), shared;
      std::set<std::string> headers;
      for (std::size_t i = 0; i < catalogue_.kernels.size(); ++i) {
        const Kernel& kernel = catalogue_.kernels[i];
        if (unit_of(kernel) != unit) continue;
        const bool to_newer = kernel.meaning.dst->id >= kernel.meaning.src->id;
        fields.words["what"] = to_newer ? "to " + kernel.meaning.dst->name + " from a type that is no newer"
                                        : "from " + kernel.meaning.src->name + " to an older type";
        Fields item{{{"struct_name", kernel.struct_name}, {"dst", kernel.meaning.dst->name}}, {}};
        if (functions_[i] == i) {
          fields.lists["kernels"].push_back(std::move(item));
        } else {
          const Kernel& like = catalogue_.kernels[functions_[i]];
          item.words["like"] = "to_" + like.meaning.dst->name + "::" + like.struct_name;
          shared.lists["kernels"].push_back(std::move(item));
        }
        const std::string header = pair_path(kernel.meaning);
        if (headers.insert(header).second) fields.lists["headers"].push_back(field("header", header));
      }
      if (!fields.lists.contains("kernels")) fields.lists["no_kernels"].push_back({});
      if (!shared.lists.empty()) fields.lists["has_shared"].push_back(std::move(shared));
      files_["units/" + unit + ".cpp"] = templates_.render("unit.cpp", fields);
      all.push_back(field("unit", unit));
    }
    Fields fields;
    fields.lists["units"] = all;
    if (all.empty()) fields.lists["no_units"].push_back({});
    if (Fields ramps = kernel_ramps(); !ramps.lists.empty()) fields.lists["has_ramps"].push_back(std::move(ramps));
    files_["units/units.cpp"] = templates_.render("units.cpp", fields);
    layouts();
  }

  /// The kernels by which range op-sets convert elements from the types in which sequences are computed; none beside a
  /// library, which looks for its own.
  Fields kernel_ramps() {
    if (!catalogue_.beside.empty()) return {};
    std::set<std::size_t> all;
    for (const OpSetCells& cells : catalogue_.opsets) {
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
      const Kernel& kernel = catalogue_.kernels[i];
      const std::string header = pair_path(kernel.meaning);
      if (headers.insert(header).second) fields.lists["headers"].push_back(field("header", header));
      fields.lists["ramps"].push_back(
          {{{"id", kernel.name}, {"dst", kernel.meaning.dst->name}, {"struct_name", kernel.struct_name}}, {}});
    }
    return fields;
  }

  /// What units share for the kernels between two layouts.
  void layouts() {
    std::set<std::tuple<int, int, Packing>> all;
    for (const Kernel& kernel : catalogue_.kernels) {
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
    files_["units/layouts.hpp"] = templates_.render("layouts.hpp", fields);
  }

  /// The header has those of a library that the tree is beside too: it takes the place of the library's.
  void type_header() {
    Fields enumeration = field("count", std::to_string(model_.types.size()));
    std::vector<const Type*> all;
    for (const auto& type : model_.types) all.push_back(type.get());
    std::sort(all.begin(), all.end(), [](const Type* a, const Type* b) { return a->id < b->id; });
    for (const Type* type : all) {
      const std::string name = identifier(type->name);
      Fields enumerator = field("enumerator", name);
      enumerator.words["id"] = std::to_string(type->id);
      enumerator.words["note"] = name == type->name ? "" : "  // `" + type->name + "` is a keyword";
      enumeration.lists["types"].push_back(enumerator);
    }
    files_["include/castforge/types.hpp"] = templates_.render("types.hpp", enumeration);
  }

  void types() {
    type_header();
    Fields table;
    for (const Type* type : catalogue_.types) {
      Fields row = field("name", type->name);
      row.words["rest"] =
          cpp_string(type->name) + ",\n     " + cpp_text(type->doc, 5) + ",\n     " +
          (type->aliases.empty() ? "nullptr, 0"
                                 : "kAliases_" + type->name + ", row_count(kAliases_" + type->name + ")");
      row.lists["format"] = wrapped(format_items(*type), "{{", "},");
      if (!type->aliases.empty()) {
        Fields aliases_block = field("name", type->name);
        for (const spec::Alias& alias : type->aliases) {
          const std::string_view shared = model_.is_shared(alias) ? ", kShared" : "";
          aliases_block.lists["aliases"].push_back(field(
              "alias", "{" + cpp_string(alias.system) + ", " + cpp_string(alias.name) + std::string(shared) + "},"));
        }
        row.lists["has_aliases"].push_back(aliases_block);
      }
      table.lists["types"].push_back(row);
    }
    if (catalogue_.types.empty()) table.lists["no_types"].push_back({});
    files_["tables/types.cpp"] = templates_.render("table_types.cpp", table);
  }

  void rule_words() {
    Fields fields;
    for (const spec::Enumeration& enumeration : spec::enumerations()) {
      Fields item = field("name", std::string(enumeration.name));
      std::string doc;
      for (const char c : enumeration.doc) doc += c == '\n' ? std::string("\n/// ") : std::string(1, c);
      item.words["doc"] = doc;
      std::string list;
      for (const std::string_view word : enumeration.enumerators)
        list += (list.empty() ? "" : ", ") + std::string(word);
      item.words["enumerators"] = list;
      std::vector<std::string> words;
      for (const std::string_view word : enumeration.words.empty() ? enumeration.enumerators : enumeration.words)
        words.push_back(cpp_string(std::string(word)));
      item.words["count"] = std::to_string(words.size());
      item.lists["words"] = wrapped(words, "    ", "};");
      fields.lists["enumerations"].push_back(item);
    }
    for (const auto& mode : model_.roundings) {
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
    files_["include/castforge/rule.hpp"] = templates_.render("rule.hpp", fields);
  }

  void ids() {
    Fields fields;
    for (const Kernel& kernel : catalogue_.kernels) fields.lists["kernels"].push_back(field("id", kernel.name));
    for (const TextRule& rule : catalogue_.text_rules) fields.lists["text_rules"].push_back(field("id", rule.name));
    for (const std::string& unit : unit_names_) fields.lists["units"].push_back(field("id", unit));
    Fields references;
    for (const driver::Reference& one : catalogue_.references)
      references.lists["references"].push_back(field("id", one.name));
    if (!catalogue_.references.empty()) fields.lists["has_references"].push_back(references);
    std::size_t elements = 0;
    for (const spec::System* system : catalogue_.systems) elements += system->other_elements.size();
    const std::pair<const char*, std::size_t> counts[] = {
        {"type_count", catalogue_.types.size()},           {"kernel_count", catalogue_.kernels.size()},
        {"reference_count", catalogue_.references.size()}, {"text_rule_count", catalogue_.text_rules.size()},
        {"opset_count", catalogue_.opsets.size()},         {"other_element_count", elements}};
    for (const auto& [name, count] : counts) fields.words[name] = std::to_string(count);
    for (const evidence::ProcessorFamily& family : processors_.families()) {
      const std::size_t bit = fields.lists["processors"].size();
      const std::string row =
          "{" + cpp_string(family.vendor) + ", " + cpp_string(family.set) + ", " + cpp_string(family.lesser) + "}";
      fields.lists["processors"].push_back(
          {{{"name", identifier(family.name)}, {"bit", std::to_string(bit)}, {"row", row}}, {}});
    }
    if (processors_.families().empty()) fields.lists["no_processors"].push_back({});
    fields.words["processor_count"] = std::to_string(processors_.families().size());
    fields.words["manifest_hash"] = cpp_string(driver::manifest_hash(catalogue_));
    fields.words["beside"] = catalogue_.beside.empty() ? "nullptr" : cpp_string(catalogue_.beside);
    files_["tables/ids.hpp"] = templates_.render("table_ids.hpp", fields);
  }

  /// The last member of a kernel's row, where it has one: ", on::intel".
  std::string processors_of(const Kernel& kernel) const {
    std::string bits;
    for (const evidence::ProcessorFamily& family : processors_.of(kernel))
      bits += (bits.empty() ? ", on::" : " | on::") + identifier(family.name);
    return bits;
  }

  void kernel_table() {
    Fields fields;
    std::map<std::string, int> taken;  // places in each unit
    std::vector<std::string> places;   // of the functions of kernels
    for (std::size_t i = 0; i < catalogue_.kernels.size(); ++i) {
      const std::string unit = unit_of(catalogue_.kernels[i]);
      places.push_back(functions_[i] == i ? "UnitId::" + unit + ", " + std::to_string(taken[unit]++) : "");
    }
    for (std::size_t i = 0; i < catalogue_.kernels.size(); ++i) {
      const Kernel& kernel = catalogue_.kernels[i];
      const spec::Meaning& meaning = kernel.meaning;
      Fields row = field("key", "{" + cpp_string(kernel.name) + ", " + cpp_string(kernel.hash) + ",");
      row.words["types"] =
          type_symbol(*meaning.src) + ", " + type_symbol(*meaning.dst) + ", " + places[functions_[i]] + ",";
      row.lists["rule"] = wrapped(rule_items(meaning), "{", "}" + processors_of(kernel) + "},");
      row.words["programs"] = cpp_string(driver::program_hashes(kernel));
      fields.lists["kernels"].push_back(row);
    }
    for (const driver::Reference& one : catalogue_.references)
      fields.lists["references"].push_back(
          field("row", "{" + cpp_string(one.name) + ", " + cpp_string(one.hash) + "}"));
    if (catalogue_.kernels.empty()) fields.lists["no_kernels"].push_back({});
    if (catalogue_.references.empty()) fields.lists["no_references"].push_back({});
    files_["tables/kernels.cpp"] = templates_.render("table_kernels.cpp", fields);
    files_["tables/programs.cpp"] = templates_.render("table_programs.cpp", fields);
  }

  void text_table() {
    Fields fields;
    for (const TextRule& rule : catalogue_.text_rules) {
      const spec::Meaning& meaning = rule.meaning;
      Fields row = field("name", rule.name);
      row.words["types"] = "{.src = " + type_symbol(*meaning.src) + ", .dst = " + type_symbol(*meaning.dst) + ",";
      std::string words;
      if (!meaning.parse.empty()) words += ", .parse = Grammar::" + meaning.parse;
      if (!meaning.format.empty()) words += ", .format = Notation::" + meaning.format;
      row.lists["rule"] = wrapped(rule_items(meaning), ".rule = {", "}" + words + "},");
      fields.lists["rules"].push_back(row);
    }
    if (catalogue_.text_rules.empty()) fields.lists["empty"].push_back({});
    files_["tables/text_rules.cpp"] = templates_.render("table_text.cpp", fields);
  }

  void other_elements() {
    Fields fields;
    for (const spec::System* system : catalogue_.systems) {
      for (const auto& [name, bits] : system->other_elements) {
        const std::string row =
            "{" + cpp_string(system->name) + ", " + cpp_string(name) + ", " + std::to_string(bits) + "}";
        fields.lists["elements"].push_back(field("row", row));
      }
    }
    if (fields.lists["elements"].empty()) fields.lists["empty"].push_back({});
    files_["tables/other_elements.cpp"] = templates_.render("table_other_elements.cpp", fields);
  }

  void opsets() {
    Fields list;
    std::set<std::string> namespaces, stems;
    for (const OpSetCells& cells : catalogue_.opsets) {
      const std::string own = unlike(namespaces, namespace_of(*cells.opset), '_');
      list.lists["opsets"].push_back(field("namespace", own));
      files_["tables/opset_" + unlike(stems, file_stem(*cells.opset), '-') + ".cpp"] = opset(cells, own);
    }
    if (catalogue_.opsets.empty()) list.lists["no_opsets"].push_back({});
    files_["tables/opsets.cpp"] = templates_.render("table_opsets.cpp", list);
  }

  std::string opset(const OpSetCells& cells, const std::string& own_namespace) {
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
        const std::string& name = catalogue_.name_of(entry);
        const bool fits = key.size() + 1 + name.size() <= kWidth;
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
    fields.words["as_default"] = "Default::" + std::string(word(model_.role_of(opset)));
    return templates_.render("table_opset.cpp", fields);
  }

  void sources() {
    Fields fields;
    for (const auto& [path, content] : files_) {
      if (path.rfind("units/", 0) == 0 && path.ends_with(".cpp")) fields.lists["units"].push_back(field("path", path));
      if (path.rfind("tables/", 0) == 0 && path.ends_with(".cpp"))
        fields.lists["tables"].push_back(field("path", path));
    }
    for (const std::string& name : destinations_) fields.lists["destinations"].push_back(field("name", name));
    files_["sources.cmake"] = templates_.render("sources.cmake", fields);
  }

  void index() {
    std::map<std::pair<std::string, std::string>, int> count;
    std::set<std::string> sources;
    for (const Kernel& kernel : catalogue_.kernels) {
      ++count[{kernel.meaning.src->name, kernel.meaning.dst->name}];
      sources.insert(kernel.meaning.src->name);
    }
    Fields fields = field("kernel_count", std::to_string(catalogue_.kernels.size()));
    fields.words["pair_count"] = std::to_string(pair_count_);
    fields.words["file_count"] = std::to_string(kernel_file_count_);
    fields.words["opset_count"] = std::to_string(catalogue_.opsets.size());
    for (const std::string& dst : destinations_) fields.lists["destinations"].push_back(field("dst", dst));
    for (const std::string& src : sources) {
      Fields row = field("src", src);
      for (const std::string& dst : destinations_) {
        Fields cell;
        if (const auto found = count.find({src, dst}); found != count.end())
          cell.lists["kernels"].push_back({{{"count", std::to_string(found->second)}, {"src", src}, {"dst", dst}}, {}});
        row.lists["cells"].push_back(cell);
      }
      fields.lists["rows"].push_back(row);
    }
    files_["INDEX.md"] = templates_.render("index.md", fields);
  }

  void manifest() {
    Fields fields;
    for (std::size_t at = 0; at < catalogue_.kernels.size(); ++at) {
      const Kernel& kernel = catalogue_.kernels[at];
      const evidence::KernelEvidence verified = evidence_.of(kernel);
      std::vector<std::string> plans, programs, marks;
      for (std::size_t i = 0; i < kernel.programs.size(); ++i) {
        plans.push_back(kernel.programs[i].id);
        programs.push_back(verified.plans[i].program);
        marks.push_back(verified.plans[i].word());
      }
      fields.lists["kernels"].push_back({{{"name", kernel.name},
                                          {"file", kernel_paths_.at(&kernel)},
                                          {"hash", kernel.hash},
                                          {"plans", spec::join(plans, ",")},
                                          {"programs", spec::join(programs, ",")},
                                          {"verified", spec::join(marks, ",")},
                                          {"swept", spec::join(verified.swept, ",")},
                                          {"opsets", spec::join({kernel.opsets.begin(), kernel.opsets.end()}, ",")},
                                          {"text", kernel.text},
                                          {"function", catalogue_.kernels[functions_[at]].name}},
                                         {}});
    }
    files_["MANIFEST.tsv"] = templates_.render("manifest.tsv", fields);
  }

  const driver::Catalogue& catalogue_;
  const spec::SpecModel& model_;
  const evidence::Evidence& evidence_;
  const evidence::Processors& processors_;
  const Templates& templates_;
  std::vector<std::size_t> functions_;  // driver::functions of the catalogue's kernels
  FileSet files_;
  std::map<const Kernel*, std::string> kernel_paths_;
  std::vector<std::string> unit_names_;
  std::set<std::string> destinations_;
  std::size_t pair_count_ = 0, kernel_file_count_ = 0;
};

}  // namespace

FileSet emit_all(const driver::Catalogue& catalogue, const evidence::Evidence& evidence,
                 const evidence::Processors& processors, const Templates& templates) {
  return Emitter(catalogue, evidence, processors, templates).run();
}

}  // namespace castforge::emit

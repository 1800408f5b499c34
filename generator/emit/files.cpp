#include "emit/files.hpp"

#include <algorithm>
#include <set>

#include "emit/kernel_file.hpp"
#include "emit/operations_page.hpp"
#include "emit/sha256.hpp"
#include "spec/names.hpp"

namespace castforge::emit {
namespace {

using spec::Type;

Fields field(const std::string& name, const std::string& word) { return {{{name, word}}, {}}; }

std::string cpp_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + "\"";
}

std::string or_null(const std::string& text) { return text.empty() ? "nullptr" : cpp_string(text); }
const char* truth(bool value) { return value ? "true" : "false"; }

/// "onnx@8.5.0" as a C++ identifier: kOpSet_onnx_8_5_0.
std::string symbol(const spec::OpSet& opset) {
  std::string text = "kOpSet_" + opset.name();
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

/// Names of types that C++ keeps for itself.
bool is_keyword(const std::string& name) {
  static const std::set<std::string> keywords = {
      "alignas",     "alignof",   "and",        "and_eq",    "asm",      "auto",         "bitand",
      "bitor",       "bool",      "break",      "case",      "catch",    "char",         "char8_t",
      "char16_t",    "char32_t",  "class",      "compl",     "concept",  "const",        "consteval",
      "constexpr",   "constinit", "const_cast", "continue",  "co_await", "co_return",    "co_yield",
      "decltype",    "default",   "delete",     "do",        "double",   "dynamic_cast", "else",
      "enum",        "explicit",  "export",     "extern",    "false",    "float",        "for",
      "friend",      "goto",      "if",         "inline",    "int",      "long",         "mutable",
      "namespace",   "new",       "noexcept",   "not",       "not_eq",   "nullptr",      "operator",
      "or",          "or_eq",     "private",    "protected", "public",   "register",     "reinterpret_cast",
      "requires",    "return",    "short",      "signed",    "sizeof",   "static",       "static_assert",
      "static_cast", "struct",    "switch",     "template",  "this",     "thread_local", "throw",
      "true",        "try",       "typedef",    "typeid",    "typename", "union",        "unsigned",
      "using",       "virtual",   "void",       "volatile",  "wchar_t",  "while",        "xor",
      "xor_eq"};
  return keywords.contains(name);
}

/// Whether the kernel does what IEEE 754 calls a conversion in its default rounding.
bool is_ieee(const spec::Meaning& meaning) {
  constexpr std::uint16_t kNearestEven = 0xC8C8;  // the carry table
  const Type& dst = *meaning.dst;
  return dst.kind == spec::Kind::floating && dst.infinity && dst.has_nan() && meaning.src != meaning.dst &&
         meaning.round != nullptr && meaning.round->carry == kNearestEven &&
         meaning.overflow == spec::Overflow::infinity && meaning.inf == spec::InfResult::infinity &&
         meaning.nan == spec::NanResult::nan;
}

std::vector<Fields> wrapped(const std::vector<std::string>& items, const std::string& name, std::size_t width) {
  std::vector<Fields> lines;
  std::string line;
  for (const std::string& item : items) {
    if (!line.empty() && line.size() + item.size() + 2 > width) {
      lines.push_back(field(name, line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + item + ",";
  }
  if (!line.empty()) lines.push_back(field(name, line));
  return lines;
}

class Emitter {
 public:
  Emitter(const Catalogue& catalogue, const Templates& templates) : catalogue_(catalogue), model_(*catalogue.model), templates_(templates) {
    for (std::size_t i = 0; i < model_.types.size(); ++i) type_index_[model_.types[i].get()] = static_cast<int>(i);
  }

  FileSet run() {
    kernels();
    units();
    types();
    kernel_table();
    text_table();
    other_elements();
    opsets();
    sources();
    index();
    manifest();
    files_["OPERATIONS.md"] = operations_page(templates_);
    files_["README.md"] = templates_.render("generated_readme.md", {});
    return std::move(files_);
  }

 private:
  void kernels() {
    std::map<std::string, std::vector<const Kernel*>> pairs;
    for (const Kernel& kernel : catalogue_.kernels) pairs[pair_path(kernel.meaning)].push_back(&kernel);
    for (const auto& [path, list] : pairs) {
      PairFiles pair = pair_files(templates_, list);
      files_.merge(pair.files);
      kernel_paths_.merge(pair.kernel_paths);
    }
    pair_count_ = pairs.size();
  }

  void units() {
    std::vector<Fields> all;
    for (const Kernel& kernel : catalogue_.kernels) {
      const std::string& dst = kernel.meaning.dst->name;
      if (unit_of_.empty() || unit_names_.back() != dst) {
        unit_of_[dst] = static_cast<int>(unit_names_.size());
        unit_names_.push_back(dst);
      }
    }
    for (const std::string& dst : unit_names_) {
      Fields fields = field("dst", dst);
      std::set<std::string> headers;
      for (const Kernel& kernel : catalogue_.kernels) {
        if (kernel.meaning.dst->name != dst) continue;
        slot_.push_back(static_cast<int>(fields.lists["kernels"].size()));
        fields.lists["kernels"].push_back({{{"struct_name", kernel.struct_name}, {"dst", dst}}, {}});
        const std::string header = pair_path(kernel.meaning);
        if (headers.insert(header).second) fields.lists["headers"].push_back(field("header", header));
      }
      files_["units/" + dst + ".cpp"] = templates_.render("unit.cpp", fields);
      all.push_back(field("dst", dst));
    }
    Fields fields;
    fields.lists["units"] = all;
    files_["units/units.cpp"] = templates_.render("units.cpp", fields);
  }

  void types() {
    Fields enumeration = field("count", std::to_string(model_.types.size()));
    Fields table = enumeration;
    static const char* const kKinds[] = {"floating", "integer", "boolean", "string"};
    static const char* const kNans[] = {"none", "top", "ieee", "negative_zero"};
    for (const auto& type : model_.types) {
      const bool floating = type->kind == spec::Kind::floating;
      Fields enumerator = field("enumerator", type->name + (is_keyword(type->name) ? "_" : ""));
      enumerator.words["note"] = is_keyword(type->name) ? "  // `" + type->name + "` is a keyword" : "";
      enumeration.lists["types"].push_back(enumerator);

      std::uint64_t largest = 0;
      if (floating) largest = type->max_finite_code();
      if (type->kind == spec::Kind::integer) largest = ~0ull >> (64 - type->value_bits + (type->is_signed ? 1 : 0));
      if (type->kind == spec::Kind::boolean) largest = 1;
      Fields row = field("name", type->name);
      const std::string aliases = type->aliases.empty() ? "nullptr" : "kAliases_" + type->name;
      row.words["row"] = "{" + cpp_string(type->name) + ", " + cpp_string(type->doc) + ", " + aliases + ", " +
                         std::to_string(floating && type->has_nan() ? type->canonical_nan(false) : 0) + "u, " + std::to_string(largest) + "u, " +
                         std::to_string(floating && type->infinity ? type->infinity_code() : 0) + "u, " + std::to_string(type->exponent_bias) + ", " +
                         std::to_string(type->aliases.size()) + ", Kind::" + kKinds[static_cast<int>(type->kind)] + ", NanCodes::" +
                         kNans[static_cast<int>(type->nan)] + ", " + std::to_string(type->storage_bits) + ", " + std::to_string(type->value_bits) + ", " +
                         std::to_string(type->exponent_bits) + ", " + std::to_string(type->mantissa_bits) + ", " + truth(type->is_signed) + ", " +
                         truth(type->subnormals) + ", " + truth(type->infinity) + ", " + truth(type->storage_high) + "}";
      if (!type->aliases.empty()) {
        Fields aliases_block = field("name", type->name);
        for (const spec::Alias& alias : type->aliases) {
          aliases_block.lists["aliases"].push_back(field("alias", "{" + cpp_string(alias.system) + ", " + cpp_string(alias.name) + "}"));
        }
        row.lists["has_aliases"].push_back(aliases_block);
      }
      table.lists["types"].push_back(row);
    }
    files_["include/castforge/types.hpp"] = templates_.render("types.hpp", enumeration);
    files_["tables/types.cpp"] = templates_.render("table_types.cpp", table);
  }

  void kernel_table() {
    Fields fields = field("count", std::to_string(catalogue_.kernels.size()));
    std::string all;
    for (std::size_t i = 0; i < catalogue_.kernels.size(); ++i) {
      const Kernel& kernel = catalogue_.kernels[i];
      all += kernel.text + "\n";
      fields.lists["kernels"].push_back(field("row", "{" + cpp_string(kernel.name) + ", " + cpp_string(kernel.hash) +
                                                         ", " + std::to_string(type_index_.at(kernel.meaning.src)) +
                                                         ", " + std::to_string(type_index_.at(kernel.meaning.dst)) +
                                                         ", " + std::to_string(unit_of_.at(kernel.meaning.dst->name)) +
                                                         ", " + std::to_string(slot_[i]) + ", " +
                                                         truth(is_ieee(kernel.meaning)) + "}"));
    }
    fields.words["manifest_hash"] = "sha256:" + sha256(all).substr(0, 16);
    files_["tables/kernels.cpp"] = templates_.render("table_kernels.cpp", fields);
  }

  void text_table() {
    Fields fields = field("count", std::to_string(catalogue_.text_rules.size()));
    for (const spec::Meaning& rule : catalogue_.text_rules) {
      std::string row = "{" + std::to_string(type_index_.at(rule.src)) + ", " + std::to_string(type_index_.at(rule.dst)) + ", " +
                        std::to_string(rule.round == nullptr ? 0 : rule.round->carry);
      for (const int value : {static_cast<int>(rule.overflow), static_cast<int>(rule.inf), static_cast<int>(rule.nan),
                              static_cast<int>(rule.negative), static_cast<int>(rule.zero), static_cast<int>(rule.underflow)}) {
        row += ", " + std::to_string(value);
      }
      row += ", " + or_null(rule.parse) + ", " + or_null(rule.format);
      if (rule.saturate_first)
        row += ", " + std::to_string(rule.saturate_first->bits) + ", " + truth(rule.saturate_first->is_signed);
      row += "}";
      fields.lists["rules"].push_back(field("row", row));
    }
    if (catalogue_.text_rules.empty()) fields.lists["empty"].push_back({});
    files_["tables/text_rules.cpp"] = templates_.render("table_text.cpp", fields);
  }

  void other_elements() {
    Fields fields;
    std::size_t count = 0;
    for (const spec::Container& container : model_.containers) {
      for (const auto& [name, bits] : container.other_elements) {
        const std::string row =
            "{" + cpp_string(container.name) + ", " + cpp_string(name) + ", " + std::to_string(bits) + "}";
        fields.lists["elements"].push_back(field("row", row));
        ++count;
      }
    }
    if (count == 0) fields.lists["empty"].push_back({});
    fields.words["count"] = std::to_string(count);
    files_["tables/other_elements.cpp"] = templates_.render("table_other_elements.cpp", fields);
  }

  void opsets() {
    Fields list = field("count", std::to_string(catalogue_.opsets.size()));
    for (const OpSetCells& cells : catalogue_.opsets) {
      list.lists["opsets"].push_back(field("symbol", symbol(*cells.opset)));
      files_["tables/opset_" + file_stem(*cells.opset) + ".cpp"] = opset(cells);
    }
    files_["tables/opsets.cpp"] = templates_.render("table_opsets.cpp", list);
  }

  std::string opset(const OpSetCells& cells) {
    const spec::OpSet& opset = *cells.opset;
    Fields fields = field("name", opset.name());
    fields.words["symbol"] = symbol(opset);
    const bool has_cells = !cells.cells.empty();
    std::vector<std::string> variants;
    std::map<std::vector<int>, std::size_t> pool;
    Fields body;
    std::vector<std::string> admitted;
    for (const Type* type : opset.types) admitted.push_back(std::to_string(type_index_.at(type)));
    body.lists["types"] = wrapped(admitted, "type", 100);
    for (const Type* src : opset.types) {
      std::string line;
      for (const Type* dst : opset.types) {
        const auto found = cells.cells.find({src, dst});
        if (found == cells.cells.end()) {
          line += "{kNotAdmitted, 0}, ";
          continue;
        }
        const auto [at, fresh] = pool.emplace(found->second.variants, variants.size());
        if (fresh) {
          for (const int index : found->second.variants) {
            variants.push_back(index >= 0 ? std::to_string(index) : "kTextFlag | " + std::to_string(-1 - index));
          }
        }
        line += "{" + std::to_string(at->second) + ", " + std::to_string(found->second.attributes_used) + "}, ";
      }
      if (!line.empty()) line.pop_back();
      body.lists["rows"].push_back({{{"src", src->name}, {"cells", line}}, {}});
    }
    body.lists["variants"] = wrapped(variants, "line", 100);
    if (has_cells) fields.lists["has_types"].push_back(body);

    static const char* const kKinds[] = {"integer", "flag", "string", "enumeration"};
    Fields attributes;
    for (const spec::Attribute& attribute : opset.attributes) {
      std::string values;
      for (std::size_t i = 0; i < attribute.values.size(); ++i) {
        const auto* number = std::get_if<std::int64_t>(&attribute.values[i]);
        std::string word = "nullptr", value = number != nullptr ? std::to_string(*number) : "0";
        if (number == nullptr) word = cpp_string(std::get<std::string>(attribute.values[i]));
        if (i < attribute.numbers.size()) value = std::to_string(attribute.numbers[i]);
        values += (values.empty() ? "" : ", ") + std::string("{") + word + ", " + value + "}";
      }
      Fields item = field("attribute", attribute.name);
      item.words["values"] = values;
      item.words["row"] = "{" + cpp_string(attribute.name) + ", " + cpp_string(attribute.doc) + ", kValues_" + attribute.name + ", " +
                          std::to_string(attribute.values.size()) + ", " + std::to_string(attribute.default_index) + ", AttributeKind::" +
                          kKinds[static_cast<int>(attribute.kind)] + ", " + truth(attribute.checked_where_used) + "}";
      attributes.lists["attributes"].push_back(item);
    }
    fields.lists["attributes"] = attributes.lists["attributes"];
    if (!opset.attributes.empty()) fields.lists["has_attributes"].push_back(attributes);
    Fields options;
    for (const auto& [name, value] : opset.options) {
      options.lists["options"].push_back(field("row", "{" + cpp_string(name) + ", " + cpp_string(value) + "}"));
    }
    if (!opset.options.empty()) fields.lists["has_options"].push_back(options);

    const std::string types = has_cells ? "kAdmitted" : "nullptr";
    fields.words["definition"] =
        "{" + cpp_string(opset.name()) + ", " + cpp_string(opset.family) + ", " + cpp_string(opset.version) + ", " +
        cpp_string(opset.operation) + ", " + cpp_string(opset.doc) + ",\n    " + types + ", " +
        (opset.attributes.empty() ? "nullptr" : "kAttributes") + ", " + (has_cells ? "kCells" : "nullptr") + ", " +
        (has_cells ? "kVariants" : "nullptr") + ", " + (opset.options.empty() ? "nullptr" : "kOptions") + ",\n    " +
        std::to_string(has_cells ? opset.types.size() : 0) + ", " + std::to_string(opset.attributes.size()) + ", " +
        std::to_string(combination_count(opset)) + ", " + std::to_string(opset.options.size()) + ", " +
        (spec::is_whole_number(opset.valid_through) ? opset.valid_through : "0") + ", " + or_null(opset.cast_like_of) +
        ", " + truth(model_.default_opset(opset.operation) == &opset) + "}";
    return templates_.render("table_opset.cpp", fields);
  }

  void sources() {
    Fields fields;
    for (const auto& [path, content] : files_) {
      if (path.rfind("units/", 0) == 0) fields.lists["units"].push_back(field("path", path));
      if (path.rfind("tables/", 0) == 0) fields.lists["tables"].push_back(field("path", path));
    }
    files_["sources.cmake"] = templates_.render("sources.cmake", fields);
  }

  void index() {
    std::map<std::pair<std::string, std::string>, int> count;
    std::set<std::string> sources, destinations;
    for (const Kernel& kernel : catalogue_.kernels) {
      ++count[{kernel.meaning.src->name, kernel.meaning.dst->name}];
      sources.insert(kernel.meaning.src->name);
      destinations.insert(kernel.meaning.dst->name);
    }
    Fields fields = field("kernel_count", std::to_string(catalogue_.kernels.size()));
    fields.words["pair_count"] = std::to_string(pair_count_);
    fields.words["opset_count"] = std::to_string(catalogue_.opsets.size());
    std::string header = "| from / to |", divider = "|---|";
    for (const std::string& dst : destinations) {
      header += " " + dst + " |";
      divider += "---|";
    }
    fields.words["header"] = header;
    fields.words["divider"] = divider;
    for (const std::string& src : sources) {
      std::string row = "| **" + src + "** |";
      for (const std::string& dst : destinations) {
        const auto found = count.find({src, dst});
        row += found == count.end() ? " |" : " [" + std::to_string(found->second) + "](kernels/" + dst + "/from_" + src + ".hpp) |";
      }
      fields.lists["rows"].push_back(field("row", row));
    }
    files_["INDEX.md"] = templates_.render("index.md", fields);
  }

  void manifest() {
    std::string text = "kernel\tfile\tmeaning\tplans\topsets\tmeaning_text\n";
    for (const Kernel& kernel : catalogue_.kernels) {
      std::string plans;
      for (const ir::Program& program : kernel.programs) plans += (plans.empty() ? "" : ",") + program.id;
      std::string opsets;
      for (const std::string& name : kernel.opsets) opsets += (opsets.empty() ? "" : ",") + name;
      text += kernel.name + "\t" + kernel_paths_.at(&kernel) + "\t" + kernel.hash + "\t" + plans + "\t" + opsets + "\t" + kernel.text + "\n";
    }
    files_["MANIFEST.tsv"] = text;
  }

  const Catalogue& catalogue_;
  const spec::SpecModel& model_;
  const Templates& templates_;
  FileSet files_;
  std::map<const Kernel*, std::string> kernel_paths_;
  std::map<const Type*, int> type_index_;
  std::map<std::string, int> unit_of_;
  std::vector<std::string> unit_names_;
  std::vector<int> slot_;  // per kernel, catalogue order
  std::size_t pair_count_ = 0;
};

}  // namespace

FileSet emit_all(const Catalogue& catalogue, const Templates& templates) { return Emitter(catalogue, templates).run(); }

}  // namespace castforge::emit

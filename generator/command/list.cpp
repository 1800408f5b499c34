#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/io/json_text.hpp"
#include "command/command.hpp"
#include "emit/files.hpp"
#include "emit/kernel_file.hpp"
#include "spec/loader.hpp"
#include "spec/words.hpp"

namespace castforge::command {
namespace {

/// Columns by their names: texts and numbers.
using Row = nlohmann::ordered_json;

const char* role_word(spec::Default role) {
  return role == spec::Default::yes ? "default" : role == spec::Default::fallback ? "fallback" : "";
}

void print(const std::vector<Row>& rows, bool json) {
  if (json) {
    std::printf("%s\n", cli::json_text(rows, 2).c_str());
    return;
  }
  std::vector<std::vector<std::string>> lines;
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    auto& words = lines.emplace_back();
    for (const Row& value : row) words.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    widths.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) widths[i] = std::max(widths[i], words[i].size());
  }
  for (const auto& words : lines) {
    std::string line;
    for (std::size_t i = 0; i < words.size(); ++i) {
      line += words[i];
      if (i + 1 < words.size()) line.resize(line.size() + widths[i] - words[i].size() + 2, ' ');
    }
    std::printf("%s\n", line.c_str());
  }
}

/// Of elements that share bytes.
std::string packing(const spec::Type& type) {
  if (type.kind == spec::Kind::string || is_natural_width(type.storage_bits)) return "";
  return std::string(spec::word_of(type.packing));
}

}  // namespace

int list(const Places& places, const std::string& what, bool json) {
  std::vector<Row> rows;
  if (what == "types" || what == "opsets" || what == "rules") {
    const spec::SpecModel model = places.model();
    if (what == "types") {
      for (const auto& type : model.types) {
        rows.push_back({{"name", type->name},
                        {"storage_bits", type->storage_bits},
                        {"packing", packing(*type)},
                        {"loop", type->kind == spec::Kind::string      ? "none"
                                 : has_vector_loop(type->storage_bits) ? "vector"
                                                                       : "scalar"},
                        {"file", type->where.file},
                        {"doc", type->doc}});
      }
    } else if (what == "opsets") {
      for (const auto& opset : model.opsets) {
        rows.push_back({{"name", opset->name()},
                        {"operation", opset->operation},
                        {"types", opset->types.size()},
                        {"pairs", opset->pairs.size()},
                        {"valid_through", opset->valid_through},
                        {"default", role_word(model.role_of(*opset))},
                        {"file", opset->where.file},
                        {"doc", opset->doc}});
      }
    } else {
      for (const auto& opset : model.opsets) {
        for (const spec::Rule& rule : opset->rules) {
          std::string set;
          for (const auto& [name, value] : rule.set.values) set += (set.empty() ? "" : " ") + name + "=" + value;
          rows.push_back({{"opset", opset->name()},
                          {"rule", rule.id},
                          {"src", spec::join(rule.src, ",")},
                          {"dst", spec::join(rule.dst, ",")},
                          {"set", set},
                          {"where", rule.where.file + ":" + std::to_string(rule.where.line)}});
        }
      }
    }
  } else {
    Loaded loaded = load(places);
    if (what == "kernels") {
      const emit::Templates templates(places.templates);
      std::map<std::string, std::vector<driver::Kernel*>> pairs;
      for (driver::Kernel& kernel : loaded.catalogue.kernels) pairs[emit::pair_path(kernel.meaning)].push_back(&kernel);
      std::map<const driver::Kernel*, std::string> paths;
      for (const auto& [path, kernels] : pairs)
        paths.merge(emit::pair_files(templates, loaded.processors, {kernels.begin(), kernels.end()}).kernel_paths);
      for (const driver::Kernel& kernel : loaded.catalogue.kernels) {
        rows.push_back({{"kernel", kernel.name},
                        {"meaning", kernel.hash},
                        {"file", paths.at(&kernel)},
                        {"summary", driver::meaning_summary(kernel.meaning)}});
      }
    } else {
      const emit::Templates templates(places.templates);
      for (const auto& [path, content] :
           emit::emit_all(loaded.catalogue, load_evidence(places), loaded.processors, templates)) {
        rows.push_back({{"file", path}, {"bytes", content.size()}});
      }
    }
  }
  print(rows, json);
  return kOk;
}

}  // namespace castforge::command

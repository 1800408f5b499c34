// castforge list types|opsets|pairs|shelf [--opset NAME] [--json]
#include "cli/commands/commands.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/selection/kernel_options.hpp"
#include "cli/selection/load_formats.hpp"
#include "cli/terminal/usage.hpp"
#include "src/user_facing.hpp"

#include <castforge/interface.hpp>
#include <castforge/notation.hpp>

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace castforge::cli {
namespace {

using Json = nlohmann::ordered_json;

/// How elements that share bytes lie in them; of others nothing.
std::string packing(const TypeInfo& info) {
  if (info.storage_bits == 0 || is_natural_width(info.storage_bits)) return "";
  return info.packing == Packing::high_first ? "high_first" : "low_first";
}

/// What moves the elements where the instruction set has vectors.
std::string loop(const TypeInfo& info) {
  if (info.storage_bits == 0) return "none";
  return has_vector_loop(info.storage_bits) ? "vector" : "scalar";
}

Json types() {
  Json list = Json::array();
  for (std::size_t i = 0; i < type_count(); ++i) {
    const Type type = type_at(i);
    const TypeInfo info = type_info(type);
    Json aliases = Json::array();
    for (std::size_t k = 0; k < alias_count(type); ++k) {
      aliases.push_back({{"system", alias(type, k).system}, {"name", alias(type, k).name}});
    }
    list.push_back({{"name", info.name},
                    {"id", static_cast<int>(info.id)},
                    {"kind", word_of(info.kind)},
                    {"storage_bits", info.storage_bits},
                    {"packing", packing(info)},
                    {"loop", loop(info)},
                    {"signed", info.is_signed},
                    {"exponent_bits", info.exponent_bits},
                    {"mantissa_bits", info.mantissa_bits},
                    {"exponent_bias", info.exponent_bias},
                    {"doc", info.doc},
                    {"aliases", aliases}});
  }
  return list;
}

/// Further names by which --to and --from know the type, those that differ in letter case only once.
std::vector<std::string> other_names(Type type) {
  std::set<std::string> seen = {std::string(name(type))};
  std::vector<std::string> result;
  for (std::size_t k = 0; k < alias_count(type); ++k) {
    const std::string other(alias(type, k).name);
    std::string small = other;
    for (char& c : small) c = to_lower(c);
    if (find_type(other) == type && seen.insert(small).second) result.push_back(other);
  }
  return result;
}

void print_types() {
  for (std::size_t i = 0; i < type_count(); ++i) {
    const Type type = type_at(i);
    const TypeInfo info = type_info(type);
    std::cout << std::left << std::setw(18) << info.name << std::setw(9) << word_of(info.kind) << std::right
              << std::setw(3) << info.storage_bits << " bits ";
    if (info.packing == Packing::high_first) std::cout << " high-first";
    if (loop(info) == "scalar") std::cout << " scalar-loop";
    for (const std::string& other : other_names(type)) std::cout << ' ' << other;
    std::cout << '\n';
  }
}

Json attribute_json(const OpSet& opset, std::size_t index) {
  const AttributeInfo info = opset.attribute(index);
  Json values = Json::array();
  for (std::size_t k = 0; k < info.choice_count; ++k) {
    const AttributeChoice choice = opset.choice(index, k);
    choice.word.empty() ? values.push_back(choice.number) : values.push_back(choice.word);
  }
  return {{"name", info.name}, {"values", values}, {"default", values.at(info.default_choice)}, {"doc", info.doc}};
}

Json opsets() {
  Json list = Json::array();
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet set = opset(i);
    Json admitted = Json::array(), attributes = Json::array(), options = Json::object();
    for (std::size_t k = 0; k < set.type_count(); ++k) admitted.push_back(name(set.type(k)));
    for (std::size_t k = 0; k < set.attribute_count(); ++k) attributes.push_back(attribute_json(set, k));
    for (std::size_t k = 0; k < set.option_count(); ++k) {
      options[std::string(set.option(k).name)] = set.option(k).value;
    }
    list.push_back({{"name", set.name()},
                    {"operation", set.operation()},
                    {"valid_through", set.valid_through() ? Json(*set.valid_through()) : Json()},
                    {"default", set.is_default()},
                    {"fallback", set.is_fallback()},
                    {"doc", set.doc()},
                    {"types", admitted},
                    {"attributes", attributes},
                    {"options", options}});
  }
  return list;
}

void print_opsets() {
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet set = opset(i);
    std::cout << std::left << std::setw(24) << set.name() << std::setw(9) << set.operation() << std::right
              << std::setw(3) << set.type_count() << " types";
    for (std::size_t k = 0; k < set.attribute_count(); ++k) {
      const Json attribute = attribute_json(set, k);
      std::cout << (k == 0 ? "; " : ", ") << set.attribute(k).name << " =";
      for (const Json& value : attribute.at("values")) {
        std::cout << ' ' << (value.is_string() ? value.get<std::string>() : json_text(value));
      }
    }
    if (set.is_default()) std::cout << "; the default of " << set.operation();
    if (set.is_fallback()) std::cout << "; the default of " << set.operation() << " for types that this one alone has";
    std::cout << '\n';
  }
}

/// Calls `use(src, dst, attributes that act)` for every admitted pair.
template <class Use>
void for_each_pair(const OpSet& set, const Use& use) {
  for (std::size_t s = 0; s < set.type_count(); ++s) {
    for (std::size_t d = 0; d < set.type_count(); ++d) {
      const Type src = set.type(s), dst = set.type(d);
      if (!set.admits(src, dst)) continue;
      std::vector<std::string_view> acting;
      for (std::size_t k = 0; k < set.attribute_count(); ++k) {
        if (set.acts(k, src, dst)) acting.push_back(set.attribute(k).name);
      }
      use(src, dst, acting);
    }
  }
}

/// What converts a pair, with default attributes: text, or KernelForm in words.
std::string_view form(const OpSet& set, Type src, Type dst) {
  const Kernel kernel = find_kernel(set, src, dst);
  if (!kernel) return "text";
  switch (kernel.form()) {
    case KernelForm::code: return "code";
    case KernelForm::table: return "table";
    case KernelForm::rule: break;
  }
  return "rule";
}

/// What the op-set's system calls a type.
std::string_view name_in(std::string_view system, Type type) {
  const std::string_view own = alias(type, system);
  return own.empty() ? name(type) : own;
}

/// A pair's conversions as the op-set's system writes them, one for each combination of attribute values.
std::vector<std::string> written(const OpSet& set, Type src, Type dst) {
  std::vector<std::string> list;
  std::vector<std::size_t> chosen(set.attribute_count());
  for (bool more = !set.notation().empty(); more;) {
    std::string& one = list.emplace_back();
    notation::for_each_part(
        set.notation(), [&](std::string_view literal) { one += literal; },
        [&](std::string_view field) {
          if (field == "src") one += name_in(set.family(), src);
          if (field == "dst") one += name_in(set.family(), dst);
          for (std::size_t k = 0; k < chosen.size(); ++k) {
            if (field != set.attribute(k).name) continue;
            const AttributeChoice choice = set.choice(k, chosen[k]);
            one += choice.word.empty() ? std::to_string(choice.number) : std::string(choice.word);
          }
        });
    more = false;
    for (std::size_t k = chosen.size(); k-- > 0 && !more;) {
      more = ++chosen[k] < set.attribute(k).choice_count;
      if (!more) chosen[k] = 0;
    }
  }
  return list;
}

void list_pairs(const std::string& name_of_set, bool json) {
  KernelOptions options;
  options.opset = name_of_set;
  const OpSet set = options.set();
  Json list = Json::array();
  for_each_pair(set, [&](Type src, Type dst, const std::vector<std::string_view>& acting) {
    if (json) {
      list.push_back({{"src", name(src)}, {"dst", name(dst)}, {"attributes", acting}, {"form", form(set, src, dst)}});
      if (!set.notation().empty()) list.back()["conversions"] = written(set, src, dst);
      return;
    }
    std::cout << name(src) << ' ' << name(dst);
    for (const std::string_view attribute : acting) std::cout << ' ' << attribute;
    const std::string_view by = form(set, src, dst);
    if (by == "table") std::cout << " (loaded table)";
    if (by == "rule") std::cout << " (loaded rule: slow, element by element)";
    std::cout << '\n';
    for (const std::string& one : written(set, src, dst)) std::cout << "  " << one << '\n';
  });
  if (json) std::cout << json_text(Json{{"opset", set.name()}, {"pairs", list}}, 2) << '\n';
}

void list_shelf(bool json) {
  Json list = Json::array();
  for (const ShelvedFormats& one : shelved_formats(shipped_specs())) {
    if (json) {
      list.push_back({{"pattern", one.pattern}, {"doc", one.doc}, {"names", one.names}});
      continue;
    }
    std::cout << std::left << std::setw(28) << one.pattern << ' ' << one.doc;
    if (one.names.size() > 1) {
      std::cout << ' ' << one.names.size() << " formats, " << one.names.front() << " to " << one.names.back() << '.';
    }
    std::cout << '\n';
  }
  if (json) std::cout << json_text(list, 2) << '\n';
}

struct ListArguments {
  std::string what, opset = default_opset_name("cast");
  bool json = false;
};

}  // namespace

void add_list_command(CLI::App& program, int&) {
  auto options = std::make_shared<ListArguments>();
  CLI::App* command =
      program.add_subcommand("list", "Types with their names, op-sets, the pairs of an op-set, or the shelf");
  command->add_option("WHAT", options->what, "types, opsets, pairs or shelf")
      ->type_name("WHAT")
      ->required()
      ->check(terminal::one_of({"types", "opsets", "pairs", "shelf"}));
  CLI::Option* opset = command->add_option("--opset", options->opset, "Op-set whose pairs to list")
                           ->type_name("OPSET")
                           ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(R"(Examples:
  castforge list types
  castforge list opsets --json
  castforge list pairs --opset pypto@8.5.0
      One line per pair: source, destination, and the attributes that act on it.
  castforge list pairs --opset p3109@4.0
      Below each pair its conversions as the system writes them, for op-sets that say how.
  castforge list shelf
      Formats that --load shelf/NAME takes: they come along, and the library does not have them until then.
  castforge --load my8.json list pairs --opset castforge@1
      Conversions that were loaded say so: by tables, or, where no table fits, slowly by their rule.

Exit codes: 0 done, 1 a file of --load is bad, 2 wrong usage, 4 input/output error.)");
  command->callback([options, opset] {
    if (options->what == "pairs") return list_pairs(options->opset, options->json);
    if (opset->count() != 0) throw usage_error("--opset goes with `list pairs`");
    if (options->what == "shelf") return list_shelf(options->json);
    if (options->json) {
      std::cout << json_text(options->what == "types" ? types() : opsets(), 2) << '\n';
    } else {
      options->what == "types" ? print_types() : print_opsets();
    }
  });
}

}  // namespace castforge::cli

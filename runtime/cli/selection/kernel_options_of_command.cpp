// KernelOptions as options of a command. Apart from what looks kernels up, which is also for programs without commands.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include "cli/io/failure.hpp"
#include "cli/selection/kernel_options.hpp"

namespace castforge::cli {
namespace {

constexpr const char* kGroup = "Rules";  // of options in the help
// Names of values in the help, by which attribute_words() knows the options.
constexpr const char *kValue = "VALUE", *kAssignment = "NAME=VALUE";

/// "--round-mode" for round_mode.
std::string option_name(std::string_view attribute) {
  std::string name = "--" + std::string(attribute);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// "nearest", "1": what is written on a command line.
std::string choice_word(const AttributeChoice& choice) {
  return choice.word.empty() ? std::to_string(choice.number) : std::string(choice.word);
}

/// "up, down, nearest"; enumerations also by number: "float32 (1), float64 (11)".
std::string list_choices(OpSet opset, std::size_t index) {
  const AttributeInfo attribute = opset.attribute(index);
  std::string list;
  for (std::size_t i = 0; i < attribute.choice_count; ++i) {
    const AttributeChoice choice = opset.choice(index, i);
    list += (list.empty() ? "" : ", ") + choice_word(choice);
    if (attribute.kind == AttributeKind::enumeration) list += " (" + std::to_string(choice.number) + ")";
  }
  return list;
}

/// "0, 1; default 1"
std::string values_of(OpSet opset, std::size_t index) {
  return list_choices(opset, index) + "; default " +
         choice_word(opset.choice(index, opset.attribute(index).default_choice));
}

/// "castforge, onnx: 0, 1; default 1": the families that have an attribute of that name for an operation, and its
/// values in the newest version of each that has it.
std::string values_in_families(std::string_view operation, std::string_view attribute) {
  std::vector<std::pair<std::string, std::string>> values;  // by family; versions of one follow each other
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = castforge::opset(i);
    for (std::size_t k = 0; one.operation() == operation && k < one.attribute_count(); ++k) {
      if (one.attribute(k).name != attribute) continue;
      if (values.empty() || values.back().first != one.family()) values.emplace_back(one.family(), "");
      values.back().second = values_of(one, k);
    }
  }
  std::string list;
  while (!values.empty()) {
    const std::string same = values.front().second;
    list += list.empty() ? "" : "; ";
    std::string_view comma;
    for (const auto& [family, its] : values) {
      if (its == same) list += std::string(std::exchange(comma, ", ")) + family;
    }
    list += ": " + same;
    std::erase_if(values, [&](const auto& one) { return one.second == same; });
  }
  return list;
}

}  // namespace

void KernelOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "--opset", opset,
          "Rules to go by, as NAME@VERSION, or NAME for its newest version; `castforge list opsets` shows them, and "
          "which serves where none is named and the default lacks a type")
      ->type_name("OPSET")
      ->default_str(default_opset_name(operation))
      ->group(kGroup);
  command.add_option("--attr", attributes, "Any attribute of the op-set, as NAME=VALUE; can be given several times")
      ->type_name(kAssignment)
      ->allow_extra_args(false)
      ->group(kGroup);
  command.add_option("--isa", isa, "Instruction set; `castforge info` shows those of this machine")
      ->type_name("ISA")
      ->group(kGroup);
  add_attributes_to(command);
  // Files that are loaded before the command bring attributes too.
  command.preparse_callback([this, &command](std::size_t) {
    add_attributes_to(command);
    command.get_option("--opset")->default_str(default_opset_name(operation));
  });
}

void KernelOptions::add_attributes_to(CLI::App& command) {
  std::set<std::string> described;  // by the first op-set that has an attribute of the name
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = castforge::opset(i);
    if (one.operation() != operation) continue;
    for (std::size_t k = 0; k < one.attribute_count(); ++k) {
      const std::string attribute(one.attribute(k).name);
      if (!described.insert(attribute).second) continue;
      CLI::Option* option = command.get_option_no_throw(option_name(attribute));
      if (option == nullptr)
        option = command.add_option(option_name(attribute), named[attribute])->type_name(kValue)->group(kGroup);
      else if (!named.contains(attribute)) continue;  // an option of the command's own
      option->description(text(one.attribute(k).doc, " (", values_in_families(operation, attribute), ")"));
    }
  }
}

terminal::ValueWords attribute_words() {
  terminal::ValueWords words;
  const auto add = [&](const std::string& key, const std::string& word) {
    std::vector<std::string>& list = words[key];
    if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
  };
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = castforge::opset(i);
    const std::string command = one.operation() == "range" ? "range " : "";
    for (std::size_t k = 0; k < one.attribute_count(); ++k) {
      const AttributeInfo attribute = one.attribute(k);
      for (std::size_t n = 0; n < attribute.choice_count; ++n) {
        const std::string word = choice_word(one.choice(k, n));
        add(command + option_name(attribute.name) + ' ' + kValue, word);
        add(command + "--attr " + kAssignment, std::string(attribute.name) + '=' + word);
      }
    }
  }
  return words;
}

}  // namespace castforge::cli

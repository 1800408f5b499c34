// KernelOptions as options of a command. Apart from what looks kernels up, which is also for programs without commands.
#include <CLI/CLI.hpp>

#include <algorithm>

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

/// "castforge, onnx": the families that have an attribute of that name and these values for an operation.
std::string families_with(std::string_view operation, std::string_view attribute, const std::string& values) {
  std::string list;
  std::string_view last;  // versions of a family follow each other
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = castforge::opset(i);
    if (one.operation() != operation || one.family() == last) continue;
    for (std::size_t k = 0; k < one.attribute_count() && one.family() != last; ++k) {
      if (one.attribute(k).name != attribute || values_of(one, k) != values) continue;
      last = one.family();
      list += (list.empty() ? "" : ", ") + std::string(last);
    }
  }
  return list;
}

}  // namespace

void KernelOptions::add_to(CLI::App& command) {
  command
      .add_option("--opset", opset,
                  "Rules to go by, as NAME@VERSION, or NAME for its newest version; `castforge list opsets` shows them")
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
  command.preparse_callback([this, &command](std::size_t) { add_attributes_to(command); });
}

void KernelOptions::add_attributes_to(CLI::App& command) {
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = castforge::opset(i);
    if (one.operation() != operation) continue;
    for (std::size_t k = 0; k < one.attribute_count(); ++k) {
      const std::string attribute(one.attribute(k).name);
      if (command.get_option_no_throw(option_name(attribute)) != nullptr) continue;
      const std::string values = values_of(one, k);
      const std::string description =
          text(one.attribute(k).doc, " (", families_with(operation, attribute, values), ": ", values, ")");
      command.add_option(option_name(attribute), named[attribute], description)->type_name(kValue)->group(kGroup);
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

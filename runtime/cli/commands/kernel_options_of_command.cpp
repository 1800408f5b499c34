// KernelOptions as options of a command. Apart from what looks kernels up, which is also for programs without commands.
#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/commands/kernel_options.hpp"
#include "cli/io/failure.hpp"

namespace castforge::cli {
namespace {

constexpr const char* kGroup = "Rules";  // of options in the help

/// "--round-mode" for round_mode.
std::string option_name(std::string_view attribute) {
  std::string name = "--" + std::string(attribute);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// "up, down, nearest"; enumerations also by number: "float32 (1), float64 (11)".
std::string list_choices(OpSet opset, std::size_t index) {
  const AttributeInfo attribute = opset.attribute(index);
  std::string list;
  for (std::size_t i = 0; i < attribute.choice_count; ++i) {
    const AttributeChoice choice = opset.choice(index, i);
    list += list.empty() ? "" : ", ";
    if (choice.word.empty()) list += std::to_string(choice.number);
    else list += choice.word;
    if (attribute.kind == AttributeKind::enumeration) list += " (" + std::to_string(choice.number) + ")";
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
      ->type_name("NAME=VALUE")
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
      const std::string description = text("Attribute ", attribute, " of ", one.family(), ": ", list_choices(one, k));
      command.add_option(option_name(attribute), named[attribute], description)->type_name("VALUE")->group(kGroup);
    }
  }
}

}  // namespace castforge::cli

// The options that choose a conversion: op-set, attributes, instruction set. Shared by several commands.
#pragma once

#include <castforge/interface.hpp>

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace castforge::cli {

/// Name of the op-set that serves an operation where none is given; empty where the specs name no default.
inline std::string default_opset_name(std::string_view operation) {
  const auto found = default_opset(operation);
  return found ? std::string(found->name()) : "";
}

struct KernelOptions {
  std::string opset = default_opset_name("cast");
  std::optional<std::string> saturate, round_mode, mode, satmode;
  std::vector<std::string> attributes;  // "name=value"
  std::string isa;                      // empty: the best one of this machine, or CASTFORGE_FORCE_ISA

  void add_to(CLI::App& command);

  /// Looks a kernel up; a usage Failure says what the op-set admits.
  Kernel find(Type src, Type dst) const;

  /// Calls `use(const Attributes&)` with the attributes; they refer to this object.
  template <class Use>
  auto with_attributes(const Use& use) const {
    const std::vector<Attribute> others = named_attributes();
    Attributes attributes;
    if (saturate) attributes.saturate = AttributeValue::from_text(*saturate);
    if (round_mode) attributes.round_mode = AttributeValue::from_text(*round_mode);
    if (mode) attributes.mode = AttributeValue::from_text(*mode);
    if (satmode) attributes.satmode = AttributeValue::from_text(*satmode);
    attributes.others = others;
    return use(attributes);
  }

 private:
  std::vector<Attribute> named_attributes() const;
};

/// The type of that name or alias; a usage Failure that names `option` otherwise.
Type type_option(const std::string& text, std::string_view option);

}  // namespace castforge::cli

// The options that choose rules: op-set, attributes, instruction set. Shared by several commands.
#pragma once

#include "cli/terminal/command_facts.hpp"

#include <castforge/interface.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace castforge::cli {

/// Name of the op-set that serves an operation where none is given; empty where the specs name no default.
inline std::string default_opset_name(std::string_view operation) {
  const auto found = default_opset(operation);
  return found ? std::string(found->name()) : "";
}

/// What to say where no op-set writes a conversion so: how those that write one do.
std::string unknown_notation(std::string_view notation);

struct KernelOptions {
  explicit KernelOptions(std::string_view operation = "cast") : operation(operation) {}

  std::string operation;
  std::string opset;  // as given; empty: the one that serves the operation, or the fallback for the types of a cast
  std::map<std::string, std::optional<std::string>> named;  // by attribute: the option of its name
  std::vector<std::string> attributes;                      // --attr: "name=value"
  std::string notation;  // what a system calls a conversion, in place of op-set and attributes; empty: these
  std::string isa;       // empty: the best one of this machine, or CASTFORGE_FORCE_ISA

  /// Adds the options, one for each attribute of an op-set of the operation among them. To be called last: an
  /// attribute with the name of an option that the command has is left to --attr. It has to stay where it is until the
  /// command line is read.
  void add_to(CLI::App& command);

  /// The op-set that was named, or serves the operation; a usage Failure where there is none.
  OpSet set() const;
  /// The one that was named, or serves a cast between these types.
  OpSet set(Type src, Type dst) const;

  /// Looks a kernel up; a usage Failure says what the op-set admits.
  Kernel find(Type src, Type dst) const;

  /// Where nothing is converted after all: a usage Failure where no conversion to the type would be found, for the
  /// attributes among others.
  void check_for(Type dst) const;

  /// What the op-set says of the rank and the size of a tensor, at which kernels do not look. Conversions in a notation
  /// have no such limits.
  Status limits(Type src, Type dst, std::size_t rank, std::uint64_t elements) const;

  /// The conversion that `notation` names; a usage Failure where there is none, or where op-set or attributes are given
  /// too.
  Kernel find_by_notation() const;

  /// Calls `use(const Attributes&)` with the attributes; they refer to this object.
  template <class Use>
  auto with_attributes(const Use& use) const {
    std::vector<Attribute> others;
    const auto given = given_attributes();
    for (const auto& [name, value] : given) others.push_back({name, AttributeValue::from_text(value)});
    Attributes attributes;
    attributes.others = others;
    return use(attributes);
  }

  /// Names and values as they were typed; a usage Failure where --attr has none of the two.
  std::vector<std::pair<std::string, std::string>> given_attributes() const;

 private:
  void add_attributes_to(CLI::App& command);
};

/// What the attributes of all op-sets may be, for completion: by the option of each, and as NAME=VALUE; those of ranges
/// for the command `range` alone.
terminal::ValueWords attribute_words();

/// The type of that name or alias; a usage Failure that names `option` otherwise.
Type type_option(const std::string& given, std::string_view option);

}  // namespace castforge::cli

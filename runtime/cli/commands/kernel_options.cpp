#include "cli/commands/kernel_options.hpp"

#include "cli/io/failure.hpp"

namespace castforge::cli {

void KernelOptions::add_to(CLI::App& command) {
  const std::string group = "Conversion";
  command
      .add_option(
          "--opset", opset,
          "Rules to convert by, as NAME@VERSION, or NAME for its newest version; `castforge list opsets` shows them")
      ->capture_default_str()
      ->group(group);
  command.add_option("--saturate", saturate, "Attribute saturate: 0 or 1")->group(group);
  command.add_option("--round-mode", round_mode, "Attribute round_mode: up, down or nearest")->group(group);
  command.add_option("--mode", mode, "Attribute mode, a name or its number: CAST_RINT, ...")->group(group);
  command.add_option("--satmode", satmode, "Attribute satmode, a name or its number")->group(group);
  command.add_option("--attr", attributes, "Any attribute of the op-set, as NAME=VALUE; can be given several times")
      ->allow_extra_args(false)
      ->group(group);
  command.add_option("--isa", isa, "Instruction set; `castforge info` shows those of this machine")->group(group);
}

std::vector<Attribute> KernelOptions::named_attributes() const {
  std::vector<Attribute> result;
  for (const std::string& assignment : attributes) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw usage_error(text("--attr: expected NAME=VALUE, found ", in_quotes(assignment)));
    }
    const std::string_view view = assignment;
    result.push_back({view.substr(0, equals), AttributeValue::from_text(view.substr(equals + 1))});
  }
  return result;
}

Kernel KernelOptions::find(Type src, Type dst) const {
  const Kernel kernel = with_attributes(
      [&](const Attributes& given) { return find_kernel(std::string_view(opset), src, dst, given, isa); });
  if (kernel.status().code() == StatusCode::text_conversion) {
    throw usage_error(text(name(src), " to ", name(dst),
                           ": strings are converted by `castforge cast` from and to npy, pb and raw files only"));
  }
  if (!kernel) throw usage_error(kernel.status().message());
  return kernel;
}

Type type_option(const std::string& given, std::string_view option) {
  Type type{};
  if (const Status status = find_type(given, type); !status) {
    throw usage_error(text(option, ": ", status.message()));
  }
  return type;
}

}  // namespace castforge::cli

#include "cli/selection/kernel_options.hpp"

#include "cli/formats/tensor.hpp"
#include "cli/io/failure.hpp"
#include "cli/selection/load_formats.hpp"

#include <algorithm>

namespace castforge::cli {
namespace {

Failure unknown_opset(const Status& status, const std::string& name) {
  return usage_error(text(status.message(), how_to_load(name, shipped_specs())));
}

}  // namespace

OpSet KernelOptions::set() const {
  OpSet found;
  const std::string name = opset.empty() ? default_opset_name(operation) : opset;
  if (const Status status = find_opset(name, found); !status) throw unknown_opset(status, name);
  return found;
}

OpSet KernelOptions::set(Type src, Type dst) const {
  OpSet found;
  if (const Status status = find_opset(opset, src, dst, found); !status) throw unknown_opset(status, opset);
  return found;
}

std::vector<std::pair<std::string, std::string>> KernelOptions::given_attributes() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [name, value] : named) {
    if (value) result.emplace_back(name, *value);
  }
  for (const std::string& assignment : attributes) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw usage_error(text("--attr: expected NAME=VALUE, found ", in_quotes(assignment)));
    }
    result.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  return result;
}

Status KernelOptions::limits(Type src, Type dst, std::size_t rank, std::uint64_t elements) const {
  return notation.empty() ? check_limits(set(src, dst), rank, elements) : Status();
}

std::string unknown_notation(std::string_view notation) {
  std::string known;
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = castforge::opset(i);
    if (!one.notation().empty()) known += text(known.empty() ? ": " : "; ", one.name(), " writes ", one.notation());
  }
  return text("no op-set writes a conversion as ", in_quotes(notation), known);
}

Kernel KernelOptions::find_by_notation() const {
  if (!opset.empty() || !given_attributes().empty()) {
    throw usage_error(text(in_quotes(notation), " names its op-set and attributes; no others go with it"));
  }
  const Kernel kernel = find_kernel_by_notation(notation, isa);
  if (kernel.status().code() == StatusCode::unknown_opset) throw usage_error(unknown_notation(notation));
  if (!kernel) throw usage_error(text(in_quotes(notation), ": ", kernel.status().message()));
  return kernel;
}

Kernel KernelOptions::find(Type src, Type dst) const {
  if (!notation.empty()) {
    const Kernel named = find_by_notation();
    if (named.src() == src && named.dst() == dst) return named;
    throw usage_error(text(in_quotes(notation), " does not convert ", name(src), " to ", name(dst)));
  }
  const Kernel kernel = with_attributes(
      [&](const Attributes& given) { return find_kernel(std::string_view(opset), src, dst, given, isa); });
  if (kernel.status().code() == StatusCode::text_conversion) {
    throw usage_error(text(name(src), " to ", name(dst),
                           ": strings are converted by `castforge cast` from and to npy, pb and raw files only"));
  }
  if (kernel.status().code() == StatusCode::unknown_opset) throw unknown_opset(kernel.status(), opset);
  if (kernel.status().code() == StatusCode::bad_attribute) {
    std::string hint;
    for (const auto& [name, value] : given_attributes()) {
      if (hint.empty()) hint = how_to_load_value(std::string(set(src, dst).name()), name, value, shipped_specs());
    }
    throw usage_error(text(kernel.status().message(), hint));
  }
  if (!kernel) throw usage_error(kernel.status().message());
  return kernel;
}

void KernelOptions::check_for(Type dst) const {
  if (!notation.empty()) return;
  const OpSet rules = set(dst, dst);
  Type src = dst;
  for (std::size_t i = 0; i < rules.type_count() && !rules.admits(src, dst); ++i) {
    if (!is_string(rules.type(i))) src = rules.type(i);
  }
  find(src, dst);
}

Type type_option(const std::string& given, std::string_view option) {
  Type type{};
  if (const Status status = find_type(given, type); !status) {
    const std::string hint = how_to_load_type(given, shipped_specs());
    throw usage_error(hint.empty() ? text(option, ": ", status.message())
                                   : text(option, ": unknown type ", in_quotes(given), hint));
  }
  return type;
}

}  // namespace castforge::cli

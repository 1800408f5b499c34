#include "cli/commands/tensor_selection.hpp"

#include "cli/formats/safetensors.hpp"
#include "cli/io/failure.hpp"

#include <fnmatch.h>

#include <algorithm>

namespace castforge::cli {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

bool is_floating(const SafetensorsEntry& tensor) {
  const auto type = type_of_dtype(tensor.dtype);
  return type && type_info(*type).kind == TypeKind::floating;
}

}  // namespace

std::vector<bool> select_tensors(const std::string& file, const SafetensorsHeader& header,
                                 const std::vector<std::string>& patterns, std::optional<Type> from) {
  std::vector<bool> selected(header.tensors.size(), false);
  for (const std::string& pattern : patterns) {
    bool matched = false;
    for (std::size_t i = 0; i < selected.size(); ++i) {
      if (!matches(pattern, header.tensors[i].name)) continue;
      selected[i] = matched = true;
    }
    if (!matched) throw usage_error(text(file, ": --tensors ", in_quotes(pattern), " matches no tensor"));
  }
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const SafetensorsEntry& tensor = header.tensors[i];
    if (patterns.empty()) selected[i] = from ? true : is_floating(tensor);
    if (from && type_of_dtype(tensor.dtype) != from) selected[i] = false;
  }
  return selected;
}

const SafetensorsEntry& only_tensor(const std::string& file, const SafetensorsHeader& header,
                                    const std::vector<std::string>& patterns) {
  const SafetensorsEntry* found = nullptr;
  std::size_t count = 0;
  for (const SafetensorsEntry& tensor : header.tensors) {
    const bool chosen =
        patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                        [&](const std::string& pattern) { return matches(pattern, tensor.name); });
    if (!chosen) continue;
    found = &tensor;
    ++count;
  }
  if (count != 1) {
    throw usage_error(text(file, ": output of this format holds one tensor, found ", count,
                           patterns.empty() ? "; choose one with --tensors" : " that --tensors matches"));
  }
  return *found;
}

Type castable_type(const std::string& file, const SafetensorsEntry& tensor, std::optional<Type> from) {
  const auto type = type_of_dtype(tensor.dtype);
  if (!type) throw bad_file(file, text("tensor ", in_quotes(tensor.name), ": cannot cast ", tensor.dtype));
  if (from && *type != *from) {
    throw bad_file(file, text("tensor ", in_quotes(tensor.name), ": expected ", name(*from), ", found ", name(*type)));
  }
  return *type;
}

}  // namespace castforge::cli

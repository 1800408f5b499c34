#include "cli/commands/tensor_selection.hpp"

#include "cli/formats/safetensors.hpp"
#include "cli/inspect/tensor_patterns.hpp"
#include "cli/io/failure.hpp"

#include <algorithm>

namespace castforge::cli {

std::vector<bool> select_tensors(const std::string& file, const SafetensorsHeader& header,
                                 const std::vector<std::string>& patterns, std::optional<Type> from) {
  std::vector<bool> selected = wanted_names(
      file, header.size(), [&](std::size_t i) { return header.name(i); }, patterns);
  std::vector<bool> wanted;  // by dtype
  for (const std::string& dtype : header.dtypes()) {
    const auto type = type_of_dtype(dtype);
    const bool floating = type && type_info(*type).kind == TypeKind::floating;
    wanted.push_back(from ? type == from : !patterns.empty() || floating);
  }
  for (std::size_t i = 0; i < selected.size(); ++i) selected[i] = selected[i] && wanted[header.dtype(i)];
  if (from && std::find(selected.begin(), selected.end(), true) == selected.end()) {
    throw none_of_type(file, *from, patterns, {header.dtypes().begin(), header.dtypes().end()});
  }
  return selected;
}

std::size_t only_name(const std::string& file, std::size_t count, const std::function<std::string(std::size_t)>& name,
                      const std::vector<std::string>& patterns) {
  const std::string expected = file + ": one tensor goes into this output, ";
  if (count == 0) throw usage_error(expected + "the file holds none");
  std::size_t found = 0, matched = 0;
  bool of_one_name = true;
  TensorPatterns chosen(patterns);
  for (std::size_t i = 0; i < count; ++i) {
    if (!chosen(name(i))) continue;
    if (matched++ == 0) found = i;
    else of_one_name = of_one_name && name(i) == name(found);
  }
  chosen.check(file);
  if (matched == 1) return found;
  if (of_one_name) {  // members of an archive may be
    throw usage_error(text(expected, "found ", matched, " of the name ", in_quotes(name(found)),
                           ", which --tensors cannot tell apart"));
  }
  throw usage_error(
      text(expected, "found ", matched, patterns.empty() ? "; choose one with --tensors" : " that --tensors matches"));
}

SafetensorsEntry only_tensor(const std::string& file, const SafetensorsHeader& header,
                             const std::vector<std::string>& patterns, std::optional<Type> from) {
  std::vector<std::size_t> of_type;
  TensorPatterns chosen(patterns);
  for (std::size_t i = 0; from && i < header.size(); ++i) {
    const bool matches = chosen(header.name(i));
    if (matches && type_of_dtype(header.dtypes()[header.dtype(i)]) == from) of_type.push_back(i);
  }
  if (of_type.size() == 1) {
    chosen.check(file);
    return header.tensor(of_type.front());
  }
  return header.tensor(only_name(
      file, header.size(), [&](std::size_t i) { return header.name(i); }, patterns));
}

Type castable_type(const std::string& file, const SafetensorsEntry& tensor, std::optional<Type> from) {
  const auto type = type_of_dtype(tensor.dtype);
  if (!type) throw bad_file(file, text("tensor ", in_quotes(tensor.name()), ": cannot cast ", tensor.dtype));
  if (from && *type != *from) {
    throw bad_file(file,
                   text("tensor ", in_quotes(tensor.name()), ": expected ", name(*from), ", found ", name(*type)));
  }
  return *type;
}

}  // namespace castforge::cli

#include "cli/inspect/tensor_patterns.hpp"

#include "cli/convert/globs.hpp"

namespace castforge::cli {

TensorPatterns::TensorPatterns(const std::vector<std::string>& patterns)
    : patterns_(patterns), matched_(patterns.size(), false) {}

bool TensorPatterns::operator()(const std::string& name) {
  bool wanted = patterns_.empty();
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    if (!matches(patterns_[i], name)) continue;
    matched_[i] = wanted = true;
  }
  return wanted;
}

void TensorPatterns::check(const std::string& file) const {
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    if (matched_[i]) continue;
    throw usage_error(
        text(file, ": --tensors ", in_quotes(patterns_[i]), " matches no tensor; `castforge info` lists them"));
  }
}

std::vector<bool> wanted_names(const std::string& file, std::size_t count,
                               const std::function<std::string(std::size_t)>& name,
                               const std::vector<std::string>& patterns) {
  TensorPatterns matched(patterns);
  std::vector<bool> wanted(count);
  for (std::size_t i = 0; i < count; ++i) wanted[i] = matched(name(i));
  matched.check(file);
  return wanted;
}

Failure none_of_type(const std::string& file, Type from, const std::vector<std::string>& patterns,
                     const std::set<std::string>& held) {
  std::string list;
  for (const std::string& type : held) list += text(list.empty() ? "" : ", ", type);
  return usage_error(text(file, ": --from ", name(from), " matches no tensor", patterns.empty() ? "" : " of --tensors",
                          "; the file holds ", list.empty() ? "no tensors" : list));
}

}  // namespace castforge::cli

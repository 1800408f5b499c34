// --tensors: patterns of names.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace castforge::cli {

/// Which names are wanted: those that a pattern matches, or all where there is none.
class TensorPatterns {
 public:
  explicit TensorPatterns(const std::vector<std::string>& patterns);

  bool operator()(const std::string& name);

  /// A usage Failure where a pattern has matched no name so far.
  void check(const std::string& file) const;

 private:
  const std::vector<std::string>& patterns_;
  std::vector<bool> matched_;
};

/// Which of `count` names are wanted; a usage Failure where a pattern matches none of them.
std::vector<bool> wanted_names(const std::string& file, std::size_t count,
                               const std::function<std::string(std::size_t)>& name,
                               const std::vector<std::string>& patterns);

}  // namespace castforge::cli

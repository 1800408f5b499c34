// --tensors and --from: which tensors of a file are meant, by patterns of names and by type.
#pragma once

#include "cli/io/failure.hpp"

#include <castforge/interface.hpp>

#include <cstddef>
#include <functional>
#include <set>
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

/// The usage Failure where none of the wanted tensors is of type `from`. `held`: what types the file calls its own.
Failure none_of_type(const std::string& file, Type from, const std::vector<std::string>& patterns,
                     const std::set<std::string>& held);

}  // namespace castforge::cli

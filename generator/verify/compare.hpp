// Holds programs against the semantics.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::verify {

struct Counterexample {
  std::string program;         // which one
  std::uint64_t source = 0;    // storage word
  std::uint64_t expected = 0;  // storage word by the exact semantics
  std::uint64_t found = 0;
  std::string problem;  // set instead of `found` when an operand left the domain of its operation
};

/// Holds one program after another against the same semantics.
class Comparison {
 public:
  /// On source_points().
  explicit Comparison(const spec::Meaning& meaning);
  /// On other source words.
  Comparison(const spec::Meaning& meaning, std::vector<std::uint64_t> sources);

  /// The first source on which the program differs from the semantics, or nothing.
  std::optional<Counterexample> find(const ir::Program& program) const;

 private:
  std::vector<std::uint64_t> sources_, expected_;
};

/// The first source word on which any program differs from the semantics, or nothing.
std::optional<Counterexample> compare(const spec::Meaning& meaning, std::span<const ir::Program> programs);

}  // namespace castforge::verify

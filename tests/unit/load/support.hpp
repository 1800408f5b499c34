// Spec files of the tests, as tables.
#pragma once

#include <castforge/interface.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tabulate/make.hpp"

namespace load_test {

inline std::filesystem::path spec(const std::string& name) {
  return std::filesystem::path(CASTFORGE_SOURCE_DIR) / "tests/unit/load/specs" / name;
}

/// What `castforge-gen tables` writes for spec files of the test's folder.
inline castforge::tabulate::Made made(const std::vector<std::string>& names, const std::vector<std::string>& pairs = {},
                                      std::size_t random_codes = 1000) {
  castforge::tabulate::Request request{.library = {std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"},
                                       .own = {},
                                       .opsets = {},
                                       .pairs = pairs,
                                       .random_codes = random_codes};
  for (const std::string& name : names) request.own.push_back(spec(name));
  return castforge::tabulate::make(request);
}

inline castforge::Status load(const std::string& bytes) { return castforge::load(std::as_bytes(std::span(bytes))); }

}  // namespace load_test

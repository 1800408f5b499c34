// Spec files of the tests, as tables.
#pragma once

#include <castforge/interface.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "spec/shelf.hpp"
#include "tabulate/make.hpp"

namespace load_test {

inline std::filesystem::path spec(const std::string& name) {
  return std::filesystem::path(CASTFORGE_SOURCE_DIR) / "tests/unit/load/specs" / name;
}

/// What `castforge-gen tables` writes for spec files of the test's folder.
inline castforge::tabulate::Made made(const std::vector<std::string>& names,
                                      const std::vector<std::string>& pairs = {}) {
  castforge::tabulate::Request request{.library = {std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"},
                                       .own = {},
                                       .library_opsets = {},
                                       .opsets = {},
                                       .pairs = pairs,
                                       .verified = false};  // load() compares
  for (const std::string& name : names) request.own.push_back(spec(name));
  return castforge::tabulate::make(request);
}

/// The folder of the shipped specs.
inline std::filesystem::path shipped() { return std::filesystem::path(CASTFORGE_SOURCE_DIR) / "specs"; }

/// The same for one spec, given as its text.
inline std::string made_of_text(const std::string& json) {
  const auto folder =
      std::filesystem::path(CASTFORGE_BINARY_DIR) / ("unit_load_text." + std::to_string(std::random_device()()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "spec.json") << json;
  const castforge::tabulate::Request request{.library = {shipped()},
                                             .own = {folder / "spec.json"},
                                             .library_opsets = {},
                                             .opsets = {},
                                             .pairs = {},
                                             .verified = false};
  std::string file = castforge::tabulate::make(request).file;
  std::filesystem::remove_all(folder);
  return file;
}

/// Loads shipped specs by their names, each beside those before it.
inline castforge::Status load_named(const std::vector<std::string>& names) {
  castforge::tabulate::Request request{
      .library = {shipped()}, .own = {}, .library_opsets = {}, .opsets = {}, .pairs = {}, .verified = false};
  for (const std::string& name : names) {
    request.own = {castforge::spec::named_spec(shipped(), name)};
    const std::string file = castforge::tabulate::make(request).file;
    if (const castforge::Status status = castforge::load(std::as_bytes(std::span(file))); !status) return status;
    request.library.push_back(request.own[0]);
  }
  return {};
}

/// Rows of a table of tests/conformance/data without its heading: words between tabs.
inline std::vector<std::vector<std::string>> data_rows(const std::string& file) {
  std::ifstream in(std::filesystem::path(CASTFORGE_SOURCE_DIR) / "tests/conformance/data" / file);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  for (std::getline(in, line); std::getline(in, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '\t');) rows.back().push_back(cell);
  }
  return rows;
}

/// What spaces part.
inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

inline castforge::Status load(const std::string& bytes) { return castforge::load(std::as_bytes(std::span(bytes))); }

}  // namespace load_test

// Errors in spec files: collected, sorted, thrown together.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "spec/model.hpp"

namespace castforge::spec {

struct Diagnostic {
  std::string path;  // the file as the user named it
  Location where;
  std::string message;

  /// "FILE:LINE:COLUMN: error: /json/pointer: message"; the pointer of a whole document is written "/".
  std::string text() const;
};

/// Text with its control characters as JSON writes them, \n and \u001B: NUL ends no message, and no line is broken.
std::string escaped(std::string_view text);

/// Everything that is wrong with a set of specs; what() has one line per diagnostic.
class SpecError : public std::runtime_error {
 public:
  explicit SpecError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

class Diagnostics {
 public:
  /// Remembers under which path the user named a model file.
  void name_file(const std::string& file, const std::string& path) { paths_[file] = path; }
  void error(const Location& where, std::string message);
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  /// Throws SpecError, sorted by file, line and column, when anything was reported.
  void throw_if_any() const;
  /// Path of a model file as the user named it, with the line: "specs/types/int8.json:3".
  std::string cite(const Location& where) const;

 private:
  std::string path_of(const std::string& file) const;

  std::map<std::string, std::string> paths_;
  std::vector<Diagnostic> list_;
};

}  // namespace castforge::spec

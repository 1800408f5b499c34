#include "spec/diagnostics.hpp"

#include <algorithm>
#include <tuple>

#include "cli/io/printable.hpp"
#include "spec/names.hpp"

namespace castforge::spec {
namespace {

std::string all_lines(const std::vector<Diagnostic>& diagnostics) {
  std::string lines;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!lines.empty()) lines += '\n';
    lines += diagnostic.text();
  }
  return lines;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += "\\n";
    else if (is_control(c)) cli::append_escape(out, c, "\\u00");
    else out += c;
  }
  return out;
}

// A path is bytes, not text of JSON: as the programs show those in other messages.
std::string Diagnostic::text() const {
  return cli::printable(path) + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) +
         ": error: " + (where.pointer.empty() ? "/" : escaped(where.pointer)) + ": " + escaped(message);
}

SpecError::SpecError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(all_lines(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void Diagnostics::error(const Location& where, std::string message) {
  list_.push_back({path_of(where.file), where, std::move(message)});
}

void Diagnostics::throw_if_any() const {
  if (list_.empty()) return;
  std::vector<Diagnostic> sorted = list_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.path, a.where.line, a.where.column) < std::tie(b.path, b.where.line, b.where.column);
  });
  throw SpecError(std::move(sorted));
}

std::string Diagnostics::cite(const Location& where) const {
  return path_of(where.file) + ":" + std::to_string(where.line);
}

std::string Diagnostics::path_of(const std::string& file) const {
  const auto found = paths_.find(file);
  return found == paths_.end() ? file : found->second;
}

}  // namespace castforge::spec

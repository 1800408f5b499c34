#include "emit/cpp_text.hpp"

#include "emit/symbols.hpp"

namespace castforge::emit {

std::string cpp_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + "\"";
}

std::string cpp_text(std::string text, std::size_t indent) {
  std::string out;
  while (text.size() > kListWidth - indent) {
    const std::size_t space = text.rfind(' ', kListWidth - indent - 1);
    if (space == std::string::npos) break;
    out += cpp_string(text.substr(0, space + 1)) + "\n" + std::string(indent, ' ');
    text.erase(0, space + 1);
  }
  return out + cpp_string(text);
}

std::vector<Fields> wrapped(const std::vector<std::string>& items, const std::string& before,
                            const std::string& after) {
  std::vector<std::string> lines = comma_lines(items, kListWidth - before.size() - after.size());
  if (lines.empty()) lines.emplace_back();
  lines.front() = before + lines.front();
  for (std::size_t i = 1; i < lines.size(); ++i) lines[i] = std::string(before.size(), ' ') + lines[i];
  lines.back() += after;
  std::vector<Fields> fields;
  for (const std::string& line : lines) fields.push_back(field("line", line));
  return fields;
}

}  // namespace castforge::emit

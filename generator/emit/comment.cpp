#include "emit/comment.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

namespace castforge::emit {

std::vector<std::string> words_within(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

std::vector<std::string> comment_lines(const std::string& first, const std::string& text) {
  const std::size_t slashes = first.find("//") + 2;
  const std::string below = first.substr(0, slashes) + std::string(first.size() - slashes, ' ');
  std::vector<std::string> lines = words_within(text, kColumns - std::min(kColumns, first.size()));
  for (std::string& line : lines) line.insert(0, &line == lines.data() ? first : below);
  return lines;
}

std::vector<std::string> citations(const std::vector<const spec::Rule*>& rules) {
  std::vector<std::pair<std::string, std::string>> texts;  // and the rules in front
  std::set<const spec::Rule*> seen;
  for (const spec::Rule* rule : rules) {
    if (rule->basis.empty() || !seen.insert(rule).second) continue;
    const std::string name = std::filesystem::path(rule->where.file).stem().string() + " (" + rule->id + ")";
    const auto same = std::ranges::find(texts, rule->basis, &std::pair<std::string, std::string>::first);
    if (same == texts.end()) texts.emplace_back(rule->basis, name);
    else same->second += ", " + name;
  }
  std::vector<std::string> lines;
  for (const auto& [text, names] : texts) lines.push_back(names + ": " + text);
  return lines;
}

}  // namespace castforge::emit

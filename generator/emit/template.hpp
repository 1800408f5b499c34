// Mustache file frames from templates/, filled with data.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::emit {

/// Data for a frame: words, and lists of further data for sections. No logic beyond that.
struct Fields {
  std::map<std::string, std::string> words;
  std::map<std::string, std::vector<Fields>> lists;
};

/// One word.
inline Fields field(const std::string& name, const std::string& word) { return {{{name, word}}, {}}; }

/// In capitals, as names of macros are.
inline std::string upper_case(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

class Templates {
 public:
  /// Reads every *.mustache file of `directory`. Throws std::runtime_error naming the file that is missing or broken.
  explicit Templates(const std::filesystem::path& directory);

  /// Fills the frame `name` (file name without ".mustache"); `{{> other}}` in it is the frame `other`. In frames named
  /// *.html words are escaped for HTML.
  std::string render(const std::string& name, const Fields& fields) const;

 private:
  void check_parts(const std::string& name, const std::string& text) const;

  std::map<std::string, std::string> texts_;
};

}  // namespace castforge::emit

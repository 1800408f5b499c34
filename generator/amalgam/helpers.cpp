#include "amalgam/helpers.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace castforge::amalgam {
namespace {

struct Helper {
  std::string name, text;
};

/// What one file says.
struct HelperFile {
  std::map<std::string, std::string> settings;  // "bytes", "order 16_8", "word V"
  std::vector<Helper> helpers;
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The names behind dollar signs.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = text.find('$', at)) != std::string::npos;) {
    std::size_t end = ++at;
    while (end < text.size() && is_name(text[end])) ++end;
    names.push_back(text.substr(at, end - at));
  }
  return names;
}

bool begins_helper(const std::string& line) {
  return line.starts_with("@FN ") || line.starts_with("static ") || line.starts_with("#define ");
}

HelperFile read_helpers(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(path.string() + ": cannot be read (expected an instruction set's helpers)");
  HelperFile file;
  std::string comment, text;
  int number = 0;
  const auto finish = [&] {
    if (text.empty()) return;
    const auto names = names_in(text);
    if (names.empty() || names.front().empty())
      throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": a helper without a name ($name)");
    file.helpers.push_back({names.front(), text});
    text.clear();
  };
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.starts_with("//@ ")) {
      std::istringstream words(line.substr(4));
      std::string key, more, value;
      words >> key;
      if (key == "order" || key == "word") words >> more, key += " " + more;
      std::getline(words >> std::ws, value);
      std::string& setting = file.settings[key];
      setting += (setting.empty() ? "" : " ") + value;
      continue;
    }
    if (line.empty()) {
      finish();
      comment.clear();
    } else if (line.starts_with("//")) {
      finish();
      comment += line + "\n";
    } else if (begins_helper(line)) {
      finish();
      text = comment + line + "\n";
      comment.clear();
    } else if (!text.empty()) {
      text += line + "\n";
    } else {
      throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": neither a helper nor a comment");
    }
  }
  finish();
  return file;
}

}  // namespace

Target::Target(const std::filesystem::path& folder, std::string name) : name_(std::move(name)) {
  std::string file_name = name_;
  while (!file_name.empty()) {
    const HelperFile file = read_helpers(folder / (file_name + ".h"));
    for (const auto& [key, value] : file.settings) settings_.emplace(key, value);  // the first one counts
    for (const Helper& helper : file.helpers) {
      if (helper.text.find("@W") == std::string::npos) {
        helpers_.emplace(helper.name, helper.text);
        continue;
      }
      for (const char* const width : {"8", "16", "32", "64"}) {
        std::string text = helper.text;
        replace_all(text, "@W", width);
        helpers_.emplace(names_in(text).front(), text);
      }
    }
    const auto base = file.settings.find("base");
    file_name = base == file.settings.end() ? "" : base->second;
  }
  // The longest first, as one may begin with another.
  std::vector<std::pair<std::string, std::string>> words;
  for (const auto& [key, value] : settings_) {
    if (key.starts_with("word ")) words.emplace_back("@" + key.substr(5), value);
  }
  std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  for (auto& [helper, text] : helpers_) {
    for (const auto& [word, value] : words) replace_all(text, word, value);
  }
}

std::string Target::setting(const std::string& key) const {
  const auto found = settings_.find(key);
  return found == settings_.end() ? "" : found->second;
}

int Target::number(const std::string& key, int otherwise) const {
  const std::string value = setting(key);
  return value.empty() ? otherwise : std::stoi(value);
}

std::string Target::use(const std::string& helper) {
  if (has(helper)) used_.insert(helper);
  else missing_.insert(helper);
  return name_ + "_" + helper;
}

std::string Target::take_missing() {
  std::string text;
  for (const std::string& name : missing_) text += (text.empty() ? "no " : ", ") + name;
  missing_.clear();
  return text;
}

std::string Target::text(const std::string& function) const {
  std::string all;
  std::set<std::string> printed;
  const std::function<void(const std::string&)> print = [&](const std::string& name) {
    if (!printed.insert(name).second) return;
    const auto found = helpers_.find(name);
    if (found == helpers_.end()) throw std::logic_error("amalgam: " + name_ + " has no helper $" + name);
    for (const std::string& callee : names_in(found->second)) print(callee);
    std::string text = found->second;
    replace_all(text, "$", name_ + "_");
    replace_all(text, "@FN ", function + " ");
    all += text;
  };
  for (const std::string& name : used_) print(name);
  return all;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::vector<std::string> targets_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".h" && read_helpers(entry.path()).settings.contains("bytes"))
      names.push_back(entry.path().stem().string());
  }
  if (error) throw std::runtime_error(folder.string() + ": " + error.message() + " (expected helpers of amalgams)");
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace castforge::amalgam

// Relative links in the project's Markdown files lead to files, and to headings, that exist; pictures say in words
// what they show.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "blocks.hpp"

using namespace castforge::readme;
namespace fs = std::filesystem;

namespace {

/// The fragment that a heading gets: lower case, spaces as hyphens, punctuation dropped.
std::string fragment(const std::string& heading) {
  std::string out;
  for (const char c : heading) {
    const unsigned char u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0 || c == '-' || c == '_' || u >= 128) out += static_cast<char>(std::tolower(u));
    if (c == ' ') out += '-';
  }
  return out;
}

std::set<std::string> headings(const fs::path& file) {
  std::set<std::string> found;
  std::istringstream stream(read(file));
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("#")) continue;
    found.insert(fragment(line.substr(std::min(line.size(), line.find_first_not_of("# ")))));
  }
  return found;
}

/// Without blocks of code, which show links of other projects, and without links in code.
std::string prose(const std::string& text) {
  std::string out;
  bool code = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) code = !code;
    if (!code) out += line + '\n';
  }
  return std::regex_replace(out, std::regex("`[^`\n]*`"), "`code`");
}

/// What a file's relative links name: of Markdown, and of HTML in it.
std::vector<std::string> targets(const std::string& text) {
  static const std::regex links[] = {std::regex(R"(\]\(<?([^)>\s]+)>?(?:\s+"[^"]*")?\))"),  // [text](target "title")
                                     std::regex(R"(\n\[[^\]\n]+\]:\s+(\S+))"),              // [name]: target
                                     std::regex(R"((?:href|src)="([^"]+)\")")};
  std::vector<std::string> found;
  for (const std::regex& link : links) {
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      const std::string target = (*match)[1];
      if (target.find("://") == std::string::npos && !target.starts_with("mailto:")) found.push_back(target);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("targets of links") {
  CHECK(targets("[a](b.md) ![c](d.svg \"e\")\n[f]: g.md\n<a href=\"h.md\">") ==
        std::vector<std::string>{"b.md", "d.svg", "g.md", "h.md"});
  CHECK(targets("[a](https://b) [c](mailto:d@e)").empty());
  CHECK(targets(prose("```\n[a](b.md)\n```\n[c](d.md) `[e](f.md)`")) == std::vector<std::string>{"d.md"});
}

TEST_CASE("links in Markdown files") {
  const fs::path root = CASTFORGE_SOURCE_DIR;
  const std::regex bare_picture(R"(!\[\s*\]\()");
  const std::regex picture(R"(\.(svg|png)$)");
  std::size_t files = 0, links = 0, pictures = 0;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    const bool build = it->is_directory() && fs::exists(it->path() / "CMakeCache.txt");
    const bool builds = it->path() == root / "build";                // of presets, and libraries for them
    if (build || builds || name == ".git" || name == "generated") {  // generated/ has a test of its own
      it.disable_recursion_pending();
      continue;
    }
    if (it->path().extension() != ".md") continue;
    ++files;
    const std::string text = prose(read(it->path()));
    INFO(it->path().string());
    CHECK(!std::regex_search(text, bare_picture));
    for (const std::string& target : targets(text)) {
      ++links;
      INFO(it->path().string() << " links " << target);
      const std::size_t hash = target.find('#');
      const fs::path file = hash == 0 ? it->path() : it->path().parent_path() / target.substr(0, hash);
      CHECK(fs::exists(file));
      if (std::regex_search(file.string(), picture)) ++pictures;
      if (hash != std::string::npos && fs::exists(file)) CHECK(headings(file).contains(target.substr(hash + 1)));
    }
  }
  CHECK(files >= 30);
  CHECK(links >= 60);
  CHECK(pictures >= 2);
}

// Relative links in the project's Markdown files lead to files, and to headings, that exist.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

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

}  // namespace

TEST_CASE("links in Markdown files") {
  const fs::path root = CASTFORGE_SOURCE_DIR;
  const std::regex link(R"(\]\(([^)\s]+)\))");
  std::size_t files = 0, links = 0;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    const bool build = it->is_directory() && fs::exists(it->path() / "CMakeCache.txt");
    if (build || name == ".git" || name == "generated") {  // generated/ has a test of its own
      it.disable_recursion_pending();
      continue;
    }
    if (it->path().extension() != ".md") continue;
    ++files;
    const std::string text = read(it->path());
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      const std::string target = (*match)[1];
      if (target.find("://") != std::string::npos) continue;
      ++links;
      INFO(it->path().string() << " links " << target);
      const std::size_t hash = target.find('#');
      const fs::path file = hash == 0 ? it->path() : it->path().parent_path() / target.substr(0, hash);
      CHECK(fs::exists(file));
      if (hash != std::string::npos && fs::exists(file)) CHECK(headings(file).contains(target.substr(hash + 1)));
    }
  }
  CHECK(files >= 10);
  CHECK(links >= 3);
}

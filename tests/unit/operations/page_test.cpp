// The page of the vector layer, runtime/simd/README.md, against what there is: every vector operation stands in its
// table of operations, nothing else does, and each row names the targets that have forms of their own.
#include <catch2/catch_test_macros.hpp>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "ir/operations.hpp"

using namespace castforge;

namespace {

using Words = std::set<std::string>;

const std::filesystem::path kFolder = std::filesystem::path(CASTFORGE_SOURCE_DIR) / "runtime/simd";

// A target's file, and the last parameter of its forms.
const std::map<std::string, std::string> kTargets = {
    {"sse4_2", "sse4_2"}, {"avx2", "avx2"}, {"avx512", "avx512bw"}, {"avx512vbmi", "avx512vbmi"}, {"neon64", "neon64"}};

// Operations whose forms for one vector have another name, or several.
const std::map<std::string, Words> kForms = {{"+", {"add"}},
                                             {"-", {"subtract"}},
                                             {"&", {"bit_and"}},
                                             {"|", {"bit_or"}},
                                             {"^", {"bit_xor"}},
                                             {"<<", {"shift_left"}},
                                             {">>", {"shift_right"}},
                                             {"sign8", {"signs"}},
                                             {"table", {"lookup16"}},
                                             {"widen", {"load_widened", "extended", "interleave", "place_bytes"}},
                                             {"widen_signed", {"load_widened", "extended", "interleave"}},
                                             {"join", {"interleave", "place_bytes"}},
                                             {"truncate_float32_to_int32", {"truncate_float32_modulo_32"}}};

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// Without comments.
std::string code_of(const std::string& name) {
  std::string code;
  for (const std::string& line : lines_of(kFolder / (name + ".hpp"))) code += line.substr(0, line.find("//")) + "\n";
  return code;
}

bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Is a function of that name defined there whose last parameter is the tag?
bool defines(std::string_view code, const std::string& name, const std::string& tag) {
  if (code.find("CASTFORGE_LANEWISE(" + name + ",") != std::string_view::npos) return true;
  for (std::size_t at = 0; (at = code.find(name + "(", at)) != std::string_view::npos; ++at) {
    if (at != 0 && continues_name(code[at - 1])) continue;
    const std::size_t close = code.find(')', at), body = code.find_first_not_of(" \n", close + 1);
    if (body == std::string_view::npos || code[body] != '{') continue;
    const std::string_view parameters = code.substr(at, close - at);
    if (parameters.ends_with(" " + tag) || parameters.ends_with("(" + tag)) return true;
  }
  return false;
}

/// The words between backquotes; a bar is written \|.
Words in_backquotes(const std::string& cell) {
  Words words;
  bool inside = false;
  std::string part;
  for (const char c : cell + "`") {
    if (c != '`') {
      if (c != '\\') part += c;
      continue;
    }
    std::istringstream list(inside ? part : "");
    for (std::string word; list >> word;) words.insert(word);
    part.clear();
    inside = !inside;
  }
  return words;
}

struct Row {
  Words operations, targets;
  bool common;
};

/// The rows of the table below the heading "Operations".
std::vector<Row> table() {
  std::vector<Row> rows;
  bool inside = false;
  for (const std::string& line : lines_of(kFolder / "README.md")) {
    if (line.starts_with("## ")) inside = line == "## Operations";
    if (!inside || !line.starts_with("| `")) continue;
    std::vector<std::string> cells(1);
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '|' && line[i - 1] != '\\') cells.emplace_back();
      else cells.back() += line[i];
    }
    INFO(line);
    REQUIRE(cells.size() == 5);
    Words targets;
    for (const std::string& word : in_backquotes(cells[2])) {
      if (kTargets.contains(word)) targets.insert(word);
    }
    rows.push_back({in_backquotes(cells[0]), targets, cells[1].find_first_not_of(' ') != std::string::npos});
  }
  return rows;
}

}  // namespace

TEST_CASE("the page of the vector layer has every vector operation, once, and nothing else") {
  Words expected;
  for (const ir::Operation& row : ir::operations()) {
    const bool has_vector_form = row.signature.shape != ir::Shape::source && row.signature.shape != ir::Shape::constant;
    if (has_vector_form) expected.insert(row.spelling);
  }
  Words found;
  for (const Row& row : table()) {
    for (const std::string& name : row.operations) {
      INFO(name);
      CHECK(found.insert(name).second);
    }
  }
  CHECK(found == expected);
}

TEST_CASE("the page of the vector layer names the targets that have forms of their own") {
  const std::string common = code_of("common");
  std::map<std::string, std::string> code;
  for (const auto& [target, tag] : kTargets) code[target] = code_of(target);
  for (const Row& row : table()) {
    Words targets;
    bool has_common = true;
    for (const std::string& name : row.operations) {
      INFO(name);
      const auto other = kForms.find(name);
      const Words forms = other != kForms.end() ? other->second : Words{name};
      bool in_common = false;
      for (const std::string& form : forms) {
        in_common = in_common || defines(common, form, "CommonArch");
        for (const auto& [target, tag] : kTargets) {
          if (defines(code[target], form, tag)) targets.insert(target);
        }
      }
      has_common = has_common && in_common;
    }
    INFO(*row.operations.begin());
    CHECK(row.targets == targets);
    CHECK(row.common == has_common);
  }
}

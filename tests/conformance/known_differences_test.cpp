// known-differences.md as a test: every row of its table of casts.
#include <set>

#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// Rows of the page's table of casts, without its heading.
std::vector<std::vector<std::string>> rows() {
  std::ifstream in(std::string(CASTFORGE_SOURCE_DIR) + "/tests/conformance/known-differences.md");
  REQUIRE(in.good());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ") || line.find(" -> ") == std::string::npos) continue;
    std::vector<std::string> cells;
    std::stringstream fields(line.substr(1));
    for (std::string cell; std::getline(fields, cell, '|');) cells.push_back(trimmed(cell));
    rows.push_back(cells);
  }
  return rows;
}

}  // namespace

TEST_CASE("what others get wrong is right here") {
  const auto all = rows();
  CHECK(all.size() >= 29);
  std::set<std::string> inputs;
  for (const std::vector<std::string>& row : all) {
    REQUIRE(row.size() == 8);
    const std::string &opset = row[1], &pair = row[2], &attribute = row[3];
    INFO(opset << " " << pair << " " << attribute << " " << row[4]);
    CHECK(inputs.insert(opset + pair + attribute + row[4]).second);
    const std::size_t arrow = pair.find(" -> ");
    const std::size_t equals = attribute.find('=');
    const Attribute given{std::string_view(attribute).substr(0, equals),
                          AttributeValue::from_text(std::string_view(attribute).substr(equals + 1))};
    Attributes attributes;
    if (!attribute.empty()) {
      REQUIRE(equals != std::string::npos);
      attributes.others = {&given, 1};
    }
    const auto code = [](const std::string& hex) { return std::stoull(hex, nullptr, 16); };
    CHECK(cast_code(opset, pair.substr(0, arrow), pair.substr(arrow + 4), code(row[4]), attributes) == code(row[6]));
    CHECK(code(row[5]) != code(row[6]));
  }
}

// The numbers that the rule sets print in their own documentation, one line of examples.tsv at a time.
#include <catch2/catch_all.hpp>

#include <fstream>
#include <map>
#include <sstream>

#include "meanings.hpp"
#include "semantics/convert.hpp"

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::map<std::string, std::string> attributes_of(const std::string& text) {
  std::map<std::string, std::string> attributes;
  if (text == "-") return attributes;
  for (const std::string& setting : split(text, ' ')) {
    const std::size_t equals = setting.find('=');
    attributes[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return attributes;
}

}  // namespace

TEST_CASE("published examples") {
  std::ifstream file(CASTFORGE_SOURCE_DIR "/tests/unit/semantics/examples.tsv");
  REQUIRE(file);
  std::size_t examples = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    const std::vector<std::string> fields = split(line, '\t');
    INFO(line.substr(0, line.rfind('\t')));
    REQUIRE(fields.size() == 6);
    for (const std::string& opset : split(fields[1], ',')) {
      const castforge::spec::Meaning& meaning =
          castforge::test::shipped().meaning(opset, fields[2], fields[3], attributes_of(fields[4]));
      for (const std::string& example : split(fields[5], ' ')) {
        const std::size_t equals = example.find('=');
        const std::uint64_t source = std::stoull(example.substr(0, equals), nullptr, 16);
        const std::uint64_t expected = std::stoull(example.substr(equals + 1), nullptr, 16);
        const std::uint64_t found = castforge::semantics::convert_code(meaning, source);
        INFO(opset << " " << example << " found " << std::hex << found);
        if (found != expected) CHECK(found == expected);
        ++examples;
      }
    }
  }
  CHECK(examples > 1000);
}

// pypto.cast: vectors computed from its documentation, as none are published.
#include <map>

#include "oracle/oracle.hpp"
#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

std::uint64_t code(const std::string& text) { return std::stoull(text, nullptr, 16); }

}  // namespace

TEST_CASE("pypto vectors") {
  // Grouped by conversion, so that the vectors go through the kernels' vector loops together.
  struct Vector {
    std::uint64_t in, out, later;
    bool any_nan;
  };
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Vector>> groups;
  const auto rows = read_table("pypto/computed_from_documentation.tsv");
  REQUIRE(rows.size() == 2317);
  REQUIRE(rows[0][7] == "out_2026_03");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& r = rows[i];
    const std::uint64_t out = code(r[4]);
    groups[{r[0], r[1], r[2]}].push_back({code(r[3]), out, r[7] == "-" ? out : code(r[7]), r[5] == "1"});
  }
  for (const auto& [key, vectors] : groups) {
    const auto& [src, dst, mode] = key;
    std::vector<std::uint64_t> inputs;
    for (const Vector& v : vectors) inputs.push_back(v.in);
    for (const char* opset : {"pypto@8.5.0", "pypto@2026-03"}) {
      REQUIRE(find_opset(opset));
      const bool later = std::string_view(opset) == "pypto@2026-03";
      const auto results = cast_codes(opset, src, dst, {.mode = AttributeValue(mode)}, inputs);
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        INFO(opset << " " << src << " to " << dst << " " << mode << " " << std::hex << vectors[i].in);
        const std::uint64_t want = later ? vectors[i].later : vectors[i].out;
        if (vectors[i].any_nan) {
          CHECK(oracle::codec(dst).is_nan(results[i]));
        } else {
          CHECK(results[i] == want);
        }
      }
    }
  }
  REQUIRE(find_opset("pypto@8.5.0"));
}

TEST_CASE("pypto vectors against the oracle") {
  const auto rows = read_table("pypto/computed_from_documentation.tsv");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& r = rows[i];
    for (const char* version : {"8.5.0", "2026-03"}) {
      oracle::Request request;
      request.family = "pypto";
      request.version = version;
      request.src = r[0];
      request.dst = r[1];
      request.mode = r[2];
      INFO(version << " " << r[0] << " to " << r[1] << " " << r[2] << " " << r[3]);
      const bool later = std::string_view(version) == "2026-03" && r[7] != "-";
      const std::uint64_t got = oracle::cast(request, code(r[3]));
      if (r[5] == "1") {
        CHECK(oracle::codec(r[1]).is_nan(got));
      } else {
        CHECK(got == code(later ? r[7] : r[4]));
      }
    }
    if (r[6] != "-") {
      oracle::Rule rule;
      rule.overflow = oracle::Overflow::ieee;
      rule.round = r[2] == "CAST_FLOOR"   ? oracle::Round::down
                   : r[2] == "CAST_CEIL"  ? oracle::Round::up
                   : r[2] == "CAST_TRUNC" ? oracle::Round::toward_zero
                                          : oracle::Round::odd;
      CHECK(oracle::convert(oracle::codec(r[0]), oracle::codec(r[1]), rule, code(r[3])) == code(r[6]));
    }
  }
}

TEST_CASE("pypto modes by number") {
  const Attributes by_name{.mode = AttributeValue("CAST_CEIL")}, by_number{.mode = AttributeValue(4)};
  CHECK(cast_code("pypto@8.5.0", "float32", "float16", 0x3F800001, by_name) == 0x3C01);
  CHECK(cast_code("pypto@8.5.0", "float32", "float16", 0x3F800001, by_number) == 0x3C01);
}

// Berkeley TestFloat vectors against every rule set that rounds that way, and against the oracle.
#include <filesystem>
#include <map>

#include "oracle/oracle.hpp"
#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

struct Vector {
  std::uint64_t in = 0, out = 0;
  bool invalid = false;   // integers: SoftFloat clamps
  bool overflow = false;  // floats: SoftFloat follows IEEE
};

struct Table {
  std::string src, dst;
  std::map<std::string, std::vector<Vector>> modes;  // rne, rna, ...
};

std::vector<Table> read_tables() {
  std::vector<Table> all;
  for (const auto& entry : std::filesystem::directory_iterator(data_path("testfloat"))) {
    const std::string stem = entry.path().stem().string();
    const std::size_t cut = stem.find("_to_");
    Table t{stem.substr(0, cut), stem.substr(cut + 4), {}};
    const auto rows = read_table("testfloat/" + stem + ".tsv");
    for (std::size_t column = 1; column < rows[0].size(); ++column) {
      for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string& cell = rows[i][column];
        t.modes[rows[0][column]].push_back({std::stoull(rows[i][0], nullptr, 16), std::stoull(cell, nullptr, 16),
                                            cell.back() == '!', cell.back() == '^'});
      }
    }
    all.push_back(std::move(t));
  }
  REQUIRE(all.size() == 32);
  return all;
}

const std::map<std::string, oracle::Round> kRounds = {
    {"rne", oracle::Round::nearest_even}, {"rna", oracle::Round::nearest_away}, {"rtz", oracle::Round::toward_zero},
    {"rtn", oracle::Round::down},         {"rtp", oracle::Round::up},           {"rto", oracle::Round::odd}};
const std::map<std::string, const char*> kPyptoModes = {{"rne", "CAST_RINT"},  {"rna", "CAST_ROUND"},
                                                        {"rtz", "CAST_TRUNC"}, {"rtn", "CAST_FLOOR"},
                                                        {"rtp", "CAST_CEIL"},  {"rto", "CAST_ODD"}};

bool to_integer(const Table& t) { return oracle::format(t.dst).kind == oracle::Kind::integer; }

}  // namespace

TEST_CASE("TestFloat vectors against the oracle") {
  for (const Table& t : read_tables()) {
    for (const auto& [mode, vectors] : t.modes) {
      oracle::Rule rule;
      rule.round = kRounds.at(mode);
      rule.overflow = to_integer(t) ? oracle::Overflow::saturate : oracle::Overflow::ieee;
      rule.infinite = to_integer(t) ? oracle::Infinite::as_overflow : oracle::Infinite::infinity;
      rule.not_a_number = to_integer(t) ? oracle::NotANumber::zero : oracle::NotANumber::nan;
      const oracle::Codec& src = oracle::codec(t.src);
      const oracle::Codec& dst = oracle::codec(t.dst);
      for (const Vector& v : vectors) {
        INFO(t.src << " to " << t.dst << " " << mode << " " << std::hex << v.in);
        const oracle::Value value = src.decode(v.in);
        const bool nan = value.what == oracle::Class::nan;
        const std::uint64_t got = oracle::convert(src, dst, rule, v.in);
        if (nan && to_integer(t)) continue;  // SoftFloat gives the maximum
        if (nan) {
          CHECK(dst.is_nan(got));  // SoftFloat drops the sign
        } else {
          CHECK(got == v.out);
        }
      }
    }
  }
}

TEST_CASE("TestFloat vectors against onnx, onnx-reference and openvino-convert") {
  int tested = 0;
  for (const Table& t : read_tables()) {
    const char* mode = to_integer(t) ? "rtz" : "rne";
    const std::vector<Vector>& vectors = t.modes.at(mode);
    std::vector<std::uint64_t> inputs;
    for (const Vector& v : vectors) inputs.push_back(v.in);
    for (const char* opset : {"onnx@13", "onnx@25", "onnx-reference@25", "openvino-convert@1"}) {
      REQUIRE(find_opset(opset));
      if (std::string_view(opset) == "openvino-convert@1" && t.src == "int32" && t.dst == "float16")
        continue;  // its own overflow
      const auto results = cast_codes(opset, t.src, t.dst, {}, inputs);
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        if (vectors[i].invalid && to_integer(t)) continue;  // these rule sets wrap: other data
        INFO(opset << " " << t.src << " to " << t.dst << " " << std::hex << inputs[i]);
        if (oracle::codec(t.src).is_nan(inputs[i])) {
          CHECK(oracle::codec(t.dst).is_nan(results[i]));
        } else {
          CHECK(results[i] == vectors[i].out);
        }
        ++tested;
      }
    }
  }
  CHECK(tested > 50000);
}

TEST_CASE("TestFloat vectors against pypto") {
  int tested = 0;
  for (const Table& t : read_tables()) {
    const std::optional<OpSet> set = find_opset("pypto@8.5.0");
    REQUIRE(set.has_value());
    if (!set->admits(type_of(t.src)) || !set->admits(type_of(t.dst)) || !set->admits(type_of(t.src), type_of(t.dst)))
      continue;
    const oracle::Codec& src = oracle::codec(t.src);
    const oracle::Codec& dst = oracle::codec(t.dst);
    for (const auto& [mode, vectors] : t.modes) {
      std::vector<std::uint64_t> inputs;
      for (const Vector& v : vectors) inputs.push_back(v.in);
      const auto results =
          cast_codes("pypto@8.5.0", t.src, t.dst, {.mode = AttributeValue(kPyptoModes.at(mode))}, inputs);
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        INFO(t.src << " to " << t.dst << " " << mode << " " << std::hex << inputs[i]);
        const oracle::Value value = src.decode(inputs[i]);
        ++tested;
        if (value.what == oracle::Class::nan) {  // NaN gives 0, or NaN
          CHECK((to_integer(t) ? results[i] == 0 : dst.is_nan(results[i])));
        } else if (vectors[i].overflow) {  // infinity in every mode
          CHECK(results[i] == dst.infinity_code(value.negative));
        } else {
          CHECK(results[i] == vectors[i].out);  // integers: SoftFloat clamps too
        }
      }
    }
  }
  CHECK(tested > 50000);
}

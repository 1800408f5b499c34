// Range-4 data of OpenVINO and Range data of ONNX, against the oracle.
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>

#include "oracle/oracle.hpp"
#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

const std::map<std::string, std::string> kTypes = {
    {"f16", "float16"}, {"bf16", "bfloat16"}, {"f32", "float32"}, {"f64", "float64"},
    {"i8", "int8"},     {"i16", "int16"},     {"i32", "int32"},   {"i64", "int64"},
    {"u8", "uint8"},    {"u16", "uint16"},    {"u32", "uint32"},  {"u64", "uint64"}};

/// A decimal literal as an element of the type: nearest, ties to even.
oracle::Scalar scalar(const std::string& type, double x) {
  const oracle::Codec& codec = oracle::codec(type);
  if (codec.format().kind == oracle::Kind::integer) {
    const auto n = static_cast<std::int64_t>(x);
    return {type, static_cast<std::uint64_t>(n) & (~0ull >> (64 - codec.format().bits))};
  }
  return {type, oracle::convert(oracle::codec("float64"), codec, oracle::Rule{},
                                std::bit_cast<std::uint64_t>(x))};
}

double literal(const nlohmann::json& value) {
  if (!value.is_string()) return value.get<double>();
  return std::stod(value.get<std::string>());
}

std::vector<std::uint64_t> hex_codes(const nlohmann::json& list) {
  std::vector<std::uint64_t> codes;
  for (const auto& text : list) codes.push_back(std::stoull(text.get<std::string>(), nullptr, 16));
  return codes;
}

struct Inputs {
  oracle::Scalar start, stop, step;
};

Inputs inputs(const nlohmann::json& c, const std::string& type) {
  return {scalar(type, literal(c["start"])), scalar(type, literal(c["stop"])),
          scalar(type, literal(c["step"]))};
}

}  // namespace

TEST_CASE("Range data, values") {
  int compared = 0;
  for (const auto& c : read_json("openvino/range.json")) {
    if (c["kind"] != "values" || !c.contains("input_type")) continue;
    INFO(c.dump());
    const std::string output = kTypes.at(c["output_type"]);
    const Inputs in = inputs(c, kTypes.at(c["input_type"]));
    const oracle::RangeResult got = oracle::range(in.start, in.stop, in.step, output);
    REQUIRE(got.error == oracle::RangeError::none);
    CHECK(got.count == c["count"].get<std::uint64_t>());
    const bool floating = oracle::codec(output).format().kind == oracle::Kind::floating;
    if (c.contains("out_bits")) CHECK(got.codes == hex_codes(c["out_bits"]));
    REQUIRE(c["expected"].size() == got.codes.size());
    for (std::size_t i = 0; i < got.codes.size(); ++i) {
      const oracle::Value v = oracle::codec(output).decode(got.codes[i]);
      const double want = c["expected"][i];
      const double tolerance = floating && c.value("compare", "exact") == "approx" ? 2e-2 : 0;
      const double value = static_cast<double>(v.negative ? -v.magnitude : v.magnitude);
      if (v.what == oracle::Class::finite) CHECK(std::fabs(value - want) <= tolerance);
    }
    const oracle::RangeResult reference = oracle::reference_range(in.start, in.stop, in.step, output);
    if (c.contains("out_bits_openvino_reference")) {
      CHECK(reference.codes == hex_codes(c["out_bits_openvino_reference"]));
    } else {
      CHECK(reference.codes == got.codes);
    }
    ++compared;
  }
  CHECK(compared == 34);
}

TEST_CASE("Range data, counts") {
  int compared = 0;
  for (const auto& c : read_json("openvino/range.json")) {
    if (c["kind"] != "count") continue;
    std::vector<std::pair<std::string, std::string>> types;
    if (c.contains("types")) {
      for (const std::string type : c["types"]) types.emplace_back(kTypes.at(type), kTypes.at(type));
    } else {
      types.emplace_back(kTypes.at(c["input_type"]), kTypes.at(c["output_type"]));
    }
    for (const auto& [input, output] : types) {
      INFO(c.dump() << " " << input);
      const Inputs in = inputs(c, input);
      const oracle::RangeResult got = oracle::range(in.start, in.stop, in.step, output);
      CHECK(got.error == oracle::RangeError::none);
      CHECK(got.count == c["count"].get<std::uint64_t>());
      ++compared;
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("Range data, refusals") {
  int compared = 0;
  for (const auto& c : read_json("openvino/range.json")) {
    if (c["kind"] != "error") continue;
    INFO(c.dump());
    const std::string bad = c["bad"].begin().key(), value = c["bad"].begin().value();
    if (value != "nan" && value != "+inf" && value != "-inf" && value != "0") continue;
    const auto input = [&](const char* name, double otherwise) {
      return scalar("float32", bad == name ? std::stod(value) : otherwise);
    };
    const oracle::RangeResult got =
        oracle::range(input("start", 0), input("stop", 10), input("step", 1), "float32");
    CHECK(got.error == (value == "0" ? oracle::RangeError::step_zero : oracle::RangeError::non_finite));
    ++compared;
  }
  CHECK(compared == 19);
}

TEST_CASE("ONNX Range data") {
  int compared = 0;
  for (const auto& c : read_json("onnx/cases.json")) {
    if (c["op"] != "Range") continue;
    INFO(c["file"]);
    const std::string type(name(type_of(c["outputs"][0]["type"].get<std::string>())));
    const int bits = oracle::codec(type).format().storage;
    const auto input = [&](std::size_t i) {
      return oracle::Scalar{type, code_at(from_hex(c["inputs"][i]["hex"]), bits, 0)};
    };
    const Bytes want = from_hex(c["outputs"][0]["hex"]);
    for (const oracle::RangeResult& got : {oracle::range(input(0), input(1), input(2), type),
                                           oracle::reference_range(input(0), input(1), input(2), type)}) {
      CHECK(got.error == oracle::RangeError::none);
      CHECK(bytes_of(got.codes, bits) == want);
    }
    ++compared;
  }
  CHECK(compared == 4);
}

// The published cases, through the public interface.
#include "support.hpp"

#include <cmath>
#include <map>

using namespace castforge;
using namespace castforge::range_test;

namespace {

/// In the data a type is called i8, bf16, ...
Type type_named(const nlohmann::json& value) { return conformance::type_of(value.get<std::string>()); }

double number(const nlohmann::json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

Codes hex_codes(const nlohmann::json& list) {
  Codes codes;
  for (const auto& code : list) codes.push_back(std::stoull(code.get<std::string>(), nullptr, 16));
  return codes;
}

Codes run(const nlohmann::json& c, Type input, Type output, std::string_view opset) {
  return elements(opset, scalar(input, number(c["start"])), scalar(input, number(c["stop"])),
                  scalar(input, number(c["step"])), output);
}

}  // namespace

TEST_CASE("Range data: elements") {
  int compared = 0;
  for (const auto& c : conformance::read_json("openvino/range.json")) {
    if (c["kind"] != "values" || !c.contains("input_type")) continue;
    INFO(c.dump());
    const Type input = type_named(c["input_type"]), output = type_named(c["output_type"]);
    const Codes codes = run(c, input, output, "openvino-range@4");
    CHECK(codes.size() == c["count"].get<std::size_t>());
    if (c.contains("out_bits")) CHECK(codes == hex_codes(c["out_bits"]));
    const Codes reference = run(c, input, output, "openvino-reference@4");
    if (c.contains("out_bits_openvino_reference")) {
      CHECK(reference == hex_codes(c["out_bits_openvino_reference"]));
    } else {
      CHECK(reference == codes);
    }
    REQUIRE(c["expected"].size() == codes.size());
    // Upstream's values: exact where the data says so, else decimal literals that bound the result.
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const double expected = c["expected"][i];
      if (c.value("compare", "exact") == "exact") {
        CHECK(codes[i] == scalar(output, expected).code);
      } else {
        const std::uint64_t bits =
            exact_range::encode(exact_range::decode(codes[i], format_of(output)), exact_range::kFloat64);
        CHECK(std::fabs(std::bit_cast<double>(bits) - expected) <= 0.01);
      }
    }
    ++compared;
  }
  CHECK(compared == 34);
}

TEST_CASE("Range data: counts") {
  int compared = 0;
  for (const auto& c : conformance::read_json("openvino/range.json")) {
    if (c["kind"] != "count") continue;
    std::vector<std::pair<Type, Type>> types;
    if (c.contains("types")) {
      for (const auto& type : c["types"]) types.emplace_back(type_named(type), type_named(type));
    } else {
      types.emplace_back(type_named(c["input_type"]), type_named(c["output_type"]));
    }
    for (const auto& [input, output] : types) {
      INFO(c.dump() << " " << name(input));
      for (const std::string_view opset : {"openvino-range@4", "openvino-reference@4"}) {
        const RangeCount got = range_count(opset, scalar(input, number(c["start"])), scalar(input, number(c["stop"])),
                                           scalar(input, number(c["step"])), output);
        CHECK(got.status.ok());
        CHECK(got.count == c["count"].get<std::uint64_t>());
      }
      ++compared;
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("Range data: refusals") {
  std::map<StatusCode, int> seen;
  for (const auto& c : conformance::read_json("openvino/range.json")) {
    if (c["kind"] != "error") continue;
    INFO(c.dump());
    const std::string bad = c["bad"].begin().key(), what = c["bad"].begin().value();
    struct Input {
      float value;
      Type type = Type::float32;
      std::vector<std::int64_t> shape = {};
    } inputs[] = {{0}, {10}, {1}};
    const std::string names[] = {"start", "stop", "step"};
    StatusCode expected = StatusCode::non_finite;
    Type output = Type::float32;
    const bool number = what.find_first_not_of("0123456789+-naif") == std::string::npos;
    for (int i = 0; i < 3; ++i) {
      if (bad != names[i]) continue;
      if (number) inputs[i].value = std::stof(what);
      if (what == "0") expected = StatusCode::step_zero;
      if (what.starts_with("boolean")) inputs[i].type = Type::bool_;
      if (what.starts_with("rank")) inputs[i].shape = {1};
    }
    if (what.starts_with("boolean")) expected = StatusCode::bad_type;
    if (what.starts_with("rank")) expected = StatusCode::not_scalar;
    if (bad == "output_type") output = Type::bool_;

    const auto view = [](const Input& input) { return TensorView{input.type, input.shape, &input.value, 4}; };
    const std::int64_t shape[] = {10};
    Bytes result(40, 0xA5);
    const Status status = range("openvino-range@4", view(inputs[0]), view(inputs[1]), view(inputs[2]),
                                {output, shape, result.data(), result.size()});
    INFO(status.message());
    CHECK(status.code() == expected);
    CHECK(status.message().find(bad == "output_type" ? "the result is bool" : "the " + bad + " ") != std::string::npos);
    CHECK(result == Bytes(40, 0xA5));
    ++seen[status.code()];
  }
  CHECK(seen[StatusCode::non_finite] == 18);
  CHECK(seen[StatusCode::step_zero] == 1);
  CHECK(seen[StatusCode::bad_type] == 5);
  CHECK(seen[StatusCode::not_scalar] == 3);
}

TEST_CASE("ONNX Range data") {
  int compared = 0;
  for (const auto& c : conformance::read_json("onnx/cases.json")) {
    if (c["op"] != "Range") continue;
    INFO(c["file"]);
    const Type type = type_named(c["outputs"][0]["type"]);
    const auto input = [&](std::size_t i) {
      return Scalar(type, code_at(conformance::from_hex(c["inputs"][i]["hex"]), bits_of(type), 0));
    };
    // Version 11 lacks the 16-bit types.
    for (const char* opset : {"onnx-range@11", "onnx-range@27"}) {
      if (!find_opset(opset)->admits(type)) continue;
      const Codes codes = elements(opset, input(0), input(1), input(2), type);
      CHECK(conformance::bytes_of(codes, bits_of(type)) == conformance::from_hex(c["outputs"][0]["hex"]));
    }
    ++compared;
  }
  CHECK(compared == 4);
}

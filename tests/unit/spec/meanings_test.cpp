// What the shipped op-sets say, row by row of their sources.
#include <catch2/catch_all.hpp>

#include "meanings.hpp"
#include "semantics/convert.hpp"

using castforge::spec::Cell;
using castforge::spec::Kind;
using castforge::test::Meanings;
using castforge::test::shipped;

namespace {

using Attributes = std::map<std::string, std::string>;

std::string says(const std::string& opset, const std::string& src, const std::string& dst,
                 const Attributes& attributes = {}) {
  return shipped().says(opset, src, dst, attributes);
}

std::uint64_t cast(const std::string& opset, const std::string& src, const std::string& dst, std::uint64_t code,
                   const Attributes& attributes = {}) {
  return castforge::semantics::convert_code(shipped().meaning(opset, src, dst, attributes), code);
}

const std::vector<std::string> kOnnx = {"onnx@1",  "onnx@6",  "onnx@9",  "onnx@13", "onnx@19",
                                        "onnx@21", "onnx@23", "onnx@24", "onnx@25", "onnx@28"};

}  // namespace

TEST_CASE("ONNX: to float16, bfloat16, float32, float64") {
  const std::string real = "round nearest_even, overflow infinity, inf infinity, nan nan";
  for (const std::string& opset : kOnnx) {
    CHECK(says(opset, "float32", "float16") == real);
    CHECK(says(opset, "float64", "float32") == real);
    CHECK(says(opset, "float16", "float64") == real);
    CHECK(says(opset, "int64", "float16") == "round nearest_even, overflow infinity");
    CHECK(says(opset, "bool", "float16") == "");
    CHECK(says(opset, "float16", "float16") == "inf infinity, same_type copy");
  }
  CHECK(says("onnx@13", "float64", "bfloat16") == real);
  CHECK(says("onnx@25", "float8e8m0", "bfloat16") == real);
  CHECK(says("onnx@25", "float64", "bfloat16", {{"saturate", "0"}, {"round_mode", "down"}}) == real);
}

TEST_CASE("ONNX: to integers and bool") {
  for (const std::string& opset : kOnnx) {
    CHECK(says(opset, "float32", "int8") == "round toward_zero, overflow wrap, inf zero, nan zero");
    CHECK(says(opset, "float16", "uint64") == "round toward_zero, overflow wrap, inf zero, nan zero");
    CHECK(says(opset, "int64", "uint8") == "overflow wrap");
    CHECK(says(opset, "bool", "int32") == "");
    CHECK(says(opset, "float64", "bool") == "");
    CHECK(says(opset, "int8", "int8") == "same_type copy");
    CHECK(says(opset, "bool", "bool") == "same_type copy");
  }
  const std::string saturates = "round nearest_even, overflow saturate, inf saturate, nan zero";
  const std::string wraps = "round nearest_even, overflow wrap, inf zero, nan zero";
  for (const std::string src : {"float16", "bfloat16", "float64", "float8e5m2fnuz"}) {
    for (const std::string dst : {"int4", "uint4"}) {
      CHECK(says("onnx@21", src, dst) == saturates);
      CHECK(says("onnx@23", src, dst) == saturates);
      CHECK(says("onnx-reference@21", src, dst) == saturates);
      CHECK(says("onnx@24", src, dst) == wraps);
      CHECK(says("onnx@25", src, dst, {{"saturate", "0"}}) == wraps);
    }
    CHECK(says("onnx@25", src, "int2") == wraps);
    CHECK(says("onnx@25", src, "uint2") == wraps);
  }
  CHECK(says("onnx@23", "float4e2m1", "int4") == saturates);
  CHECK(says("onnx@25", "float8e8m0", "uint2") == wraps);
  CHECK(says("onnx@21", "int32", "int4") == "overflow wrap");
  CHECK(says("onnx@25", "int4", "int2") == "overflow wrap");
}

TEST_CASE("ONNX: to the 8-bit floats") {
  const std::string head = "round nearest_even, overflow ";
  for (const std::string opset : {"onnx@19", "onnx@21", "onnx@23"}) {
    for (const std::string dst : {"float8e4m3fn", "float8e5m2"})
      CHECK(says(opset, "float32", dst) == head + "max, inf max, nan nan");
    for (const std::string dst : {"float8e4m3fnuz", "float8e5m2fnuz"}) {
      CHECK(says(opset, "float32", dst) == head + "max, inf nan, nan nan");
      CHECK(says("onnx-reference@" + opset.substr(5), "float32", dst) == head + "max, inf max, nan nan");
    }
  }
  for (const std::string opset :
       {"onnx@24", "onnx@25", "onnx@28", "onnx-reference@24", "onnx-reference@25", "onnx-reference@28"}) {
    for (const std::string dst : {"float8e4m3fn", "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz"}) {
      CHECK(says(opset, "float64", dst) == head + "max, inf max, nan nan");
    }
  }
  for (const std::string opset : {"onnx@19", "onnx@25", "onnx-reference@21"}) {
    for (const std::string dst : {"float8e4m3fn", "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz"}) {
      CHECK(says(opset, "float16", dst, {{"saturate", "0"}}) == head + "infinity, inf infinity, nan nan");
    }
  }
  CHECK(says("onnx@19", "float8e5m2", "float8e5m2") == "inf max, same_type copy");
  CHECK(says("onnx@19", "float8e5m2", "float8e5m2", {{"saturate", "0"}}) == "inf infinity, same_type copy");
  CHECK(says("onnx@19", "float8e4m3fnuz", "float8e4m3fnuz") == "same_type copy");
}

TEST_CASE("ONNX: to float4e2m1 and float8e8m0") {
  const std::string clamps = "round nearest_even, overflow max, inf max, nan ";
  for (const std::string opset : {"onnx@23", "onnx@24", "onnx@25", "onnx@28", "onnx-reference@23"}) {
    CHECK(says(opset, "float32", "float4e2m1") == clamps + "max");
    CHECK(says(opset, "float32", "float4e2m1", {{"saturate", "0"}}) == clamps + "max");
  }
  CHECK(says("onnx-reference@24", "float32", "float4e2m1") == clamps + "zero_opposite");
  CHECK(says("onnx-reference@25", "float8e8m0", "float4e2m1") == clamps + "zero_opposite");
  for (const auto& [mode, round] : {std::pair{"up", "ceil"}, {"down", "toward_zero"}, {"nearest", "nearest_away"}}) {
    for (const std::string opset : {"onnx@24", "onnx@25", "onnx-reference@24"}) {
      CHECK(says(opset, "float64", "float8e8m0", {{"round_mode", mode}}) ==
            std::string("round ") + round +
                ", overflow max, inf max, nan nan, negative clamp, zero min, underflow min");
      CHECK(says(opset, "float64", "float8e8m0", {{"round_mode", mode}, {"saturate", "0"}}) ==
            std::string("round ") + round + ", overflow nan, inf nan, nan nan, negative nan, zero nan, underflow nan");
    }
  }
  CHECK(says("onnx@24", "uint8", "float8e8m0") == "round ceil, overflow max, negative clamp, zero min");
  CHECK(says("onnx@24", "bool", "float8e8m0", {{"saturate", "0"}}) == "zero nan");
  CHECK(says("onnx@24", "float8e8m0", "float8e8m0", {{"saturate", "0"}}) == "same_type copy");
}

TEST_CASE("ONNX: to and from the 6-bit floats") {
  for (const std::string opset : {"onnx@28", "onnx-reference@28"}) {
    for (const std::string type : {"float6e2m3", "float6e3m2"}) {
      const std::string clamps = "round nearest_even, overflow max, inf max, nan zero_opposite";
      for (const std::string saturate : {"0", "1"}) {
        CHECK(says(opset, "float32", type, {{"saturate", saturate}, {"round_mode", "down"}}) == clamps);
        CHECK(says(opset, type, type, {{"saturate", saturate}}) == "same_type copy");
      }
      CHECK(says(opset, "string", type) == clamps + ", parse decimal");
      CHECK(says(opset, "int32", type) == "round nearest_even, overflow max");
      CHECK(says(opset, type, "int4") == "round nearest_even, overflow wrap, inf zero, nan zero");
      CHECK(says(opset, type, "int8") == "round toward_zero, overflow wrap, inf zero, nan zero");
    }
  }
  CHECK(says("castforge@1", "float32", "float6e2m3") == "round nearest_even, overflow max, inf max, nan max");
}

TEST_CASE("ONNX: strings") {
  for (const std::string opset : {"onnx@9", "onnx@13", "onnx@25"}) {
    CHECK(says(opset, "string", "float16") ==
          "round nearest_even, overflow infinity, inf infinity, nan nan, parse decimal");
    CHECK(says(opset, "string", "int8") == "round toward_zero, overflow wrap, inf zero, nan zero, parse decimal");
    CHECK(says(opset, "string", "bool") == "parse decimal");
    CHECK(says(opset, "bool", "string") == "format fixed");
    CHECK(says(opset, "float64", "string") == "format fixed");
    CHECK(says(opset, "string", "string") == "");
  }
  CHECK(says("onnx-reference@19", "float64", "string") == "format general");
  CHECK(says("onnx@21", "string", "int4") ==
        "round nearest_even, overflow saturate, inf saturate, nan zero, parse decimal");
  CHECK(says("onnx@24", "string", "int4") == "round nearest_even, overflow wrap, inf zero, nan zero, parse decimal");
  CHECK(says("onnx@25", "string", "float8e8m0") ==
        "round ceil, overflow max, inf max, nan nan, negative clamp, zero min, underflow min, parse decimal");
  CHECK(shipped().model().find_opset("onnx@25")->options.at("bool_words") == "false");
}

// Every row of a string destination or source is the float64 row of the same version.
TEST_CASE("ONNX: strings are parsed like an unbounded float64") {
  for (const std::string opset :
       {"onnx@9", "onnx@19", "onnx@21", "onnx@24", "onnx@25", "onnx@28", "onnx-reference@24"}) {
    for (const Cell& cell : shipped().cells(opset)) {
      if (cell.src->kind != Kind::string || cell.dst->kind == Kind::string || cell.dst->name == "float64") continue;
      const Cell& real = *shipped().cell(opset, "float64", cell.dst->name);
      for (std::size_t i = 0; i < cell.variants.size(); ++i) {
        castforge::spec::Meaning copy = cell.variants[i];
        copy.decided_by.erase("parse");
        CHECK(Meanings::print(copy) == Meanings::print(real.variants[i]));
      }
    }
  }
}

TEST_CASE("the two ONNX profiles differ in the named rows only") {
  for (const std::string version : {"19", "21", "23", "24", "25"}) {
    for (const Cell& cell : shipped().cells("onnx@" + version)) {
      const Cell& other = *shipped().cell("onnx-reference@" + version, cell.src->name, cell.dst->name);
      const std::string& dst = cell.dst->name;
      const bool from_real = cell.src->kind == Kind::floating || cell.src->kind == Kind::string;
      const bool fnuz = from_real && cell.src != cell.dst && dst.ends_with("fnuz") && std::stoi(version) < 24;
      const bool float4 = from_real && cell.src != cell.dst && dst == "float4e2m1" && std::stoi(version) >= 24;
      const bool text = dst == "string" && cell.src->kind != Kind::string;
      bool same = true;
      for (std::size_t i = 0; i < cell.variants.size(); ++i)
        same = same && same_properties(cell.variants[i], other.variants[i]);
      CAPTURE(version, cell.src->name, dst);
      CHECK(same == !(fnuz || float4 || text));
    }
  }
}

TEST_CASE("pypto 8.5.0: every mode on every pair") {
  const std::vector<std::pair<std::string, std::string>> modes = {
      {"CAST_RINT", "nearest_even"}, {"CAST_ROUND", "nearest_away"}, {"CAST_FLOOR", "floor"},
      {"CAST_CEIL", "ceil"},         {"CAST_TRUNC", "toward_zero"},  {"CAST_ODD", "odd"}};
  for (const Cell& cell : shipped().cells("pypto@8.5.0")) {
    const std::string& src = cell.src->name;
    const std::string& dst = cell.dst->name;
    if (cell.src == cell.dst) continue;
    const bool real = cell.src->kind == Kind::floating;
    const bool to_integer = cell.dst->kind == Kind::integer;
    CAPTURE(src, dst);
    const auto expected = [&](const std::string& round) -> std::string {
      if (!to_integer) return "round " + round + ", overflow infinity" + (real ? ", inf infinity, nan nan" : "");
      return real ? "round " + round + ", overflow saturate, inf saturate, nan zero" : "overflow saturate";
    };
    CHECK(says("pypto@8.5.0", src, dst) == expected(to_integer ? "toward_zero" : "nearest_even"));
    for (const auto& [mode, round] : modes) CHECK(says("pypto@8.5.0", src, dst, {{"mode", mode}}) == expected(round));
  }
  CHECK(shipped().cell("pypto@8.5.0", "float32", "int8") == nullptr);
  CHECK(shipped().cell("pypto@8.5.0", "bfloat16", "float16") == nullptr);
  CHECK(shipped().cell("pypto@8.5.0", "int8", "int32") == nullptr);
  CHECK(shipped().cell("pypto@8.5.0", "uint8", "float32") == nullptr);
}

TEST_CASE("pypto: same type") {
  for (const std::string opset : {"pypto@8.5.0", "pypto@2026-03"}) {
    for (const std::string mode : {"CAST_NONE", "CAST_RINT", "CAST_ODD"}) {
      CHECK(says(opset, "float32", "float32", {{"mode", mode}}) == "inf infinity, same_type copy");
    }
    for (const auto& [mode, round] : {std::pair{"CAST_FLOOR", "floor"},
                                      {"CAST_CEIL", "ceil"},
                                      {"CAST_ROUND", "nearest_away"},
                                      {"CAST_TRUNC", "toward_zero"}}) {
      CHECK(says(opset, "float32", "float32", {{"mode", mode}}) ==
            std::string("round ") + round + ", overflow infinity, inf infinity, same_type integral");
    }
    CHECK(says(opset, "float16", "float16", {{"mode", "CAST_FLOOR"}}) == "inf infinity, same_type copy");
    CHECK(says(opset, "int32", "int32", {{"mode", "CAST_FLOOR"}}) == "same_type copy");
  }
  CHECK(cast("pypto@8.5.0", "float32", "float32", 0xBF000000, {{"mode", "CAST_CEIL"}}) == 0x80000000);   // -0.5 -> -0
  CHECK(cast("pypto@8.5.0", "float32", "float32", 0xC0200000, {{"mode", "CAST_ROUND"}}) == 0xC0400000);  // -2.5 -> -3
  CHECK(cast("pypto@8.5.0", "float32", "float32", 0x7F800001, {{"mode", "CAST_FLOOR"}}) == 0x7FC00000);
  CHECK(cast("pypto@8.5.0", "float32", "float32", 0x7F800001) == 0x7F800001);
}

TEST_CASE("pypto 2026-03: permitted modes and satmode") {
  const std::string opset = "pypto@2026-03";
  const Attributes odd = {{"mode", "CAST_ODD"}};
  const std::string real = ", overflow infinity, inf infinity, nan nan";
  CHECK(says(opset, "float32", "float16", odd) == "round odd" + real);
  CHECK(says(opset, "float32", "bfloat16", odd) == "round nearest_even" + real);
  CHECK(says(opset, "float32", "bfloat16", {{"mode", "CAST_CEIL"}}) == "round ceil" + real);
  CHECK(says(opset, "float32", "int32", odd) == "round toward_zero, overflow saturate, inf saturate, nan zero");
  CHECK(says(opset, "int64", "float32", odd) == "round nearest_even, overflow infinity");
  for (const std::string mode :
       {"CAST_NONE", "CAST_RINT", "CAST_ROUND", "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC", "CAST_ODD"}) {
    CHECK(says(opset, "int32", "float16", {{"mode", mode}}) == "round nearest_even, overflow infinity");
  }
  const Attributes on = {{"satmode", "ON"}};
  for (const auto& [src, dst] :
       {std::pair{"float16", "int8"}, {"float16", "uint8"}, {"float16", "int16"}, {"float32", "int16"}}) {
    CHECK(says(opset, src, dst) == "round toward_zero, overflow wrap, saturate_first int32, inf as_overflow, nan zero");
    CHECK(says(opset, src, dst, on) == "round toward_zero, overflow saturate, inf saturate, nan zero");
  }
  CHECK(says(opset, "int32", "int16") == "overflow wrap");
  CHECK(says(opset, "int64", "int32") == "overflow wrap");
  CHECK(says(opset, "int32", "int16", on) == "overflow saturate");
  CHECK(says(opset, "float32", "int32") == "round toward_zero, overflow saturate, inf saturate, nan zero");
  CHECK(cast(opset, "float16", "int8", 0x5CB0) == 44);    // 300
  CHECK(cast(opset, "float16", "int8", 0x7C00) == 0xFF);  // +Inf
  CHECK(cast(opset, "float16", "uint8", 0x7C00) == 0xFF);
  CHECK(cast(opset, "float16", "uint8", 0xFC00) == 0x00);  // -Inf
  CHECK(cast(opset, "float16", "int16", 0x7E00) == 0x00);  // NaN
}

TEST_CASE("OpenVINO Convert-1") {
  const std::string opset = "openvino-convert@1";
  const std::string real = "round nearest_even, overflow infinity, inf infinity, nan nan";
  CHECK(says(opset, "float32", "bool") == "");
  CHECK(says(opset, "bool", "float8e4m3fn") == "");
  CHECK(says(opset, "int32", "int4") == "overflow wrap");
  CHECK(says(opset, "int32", "uint1") == "overflow wrap");
  CHECK(says(opset, "float32", "uint1") == "round toward_zero, overflow wrap, inf zero, nan zero");
  CHECK(says(opset, "float32", "int8") == "round toward_zero, overflow wrap, inf zero, nan zero");
  CHECK(says(opset, "float32", "uint4") == "round toward_zero, overflow wrap, inf zero, nan zero");
  CHECK(says(opset, "float64", "float16") == real);
  CHECK(says(opset, "int64", "float16") == "round nearest_even, overflow infinity");
  CHECK(says(opset, "int32", "float16") == "round nearest_even, overflow max");
  CHECK(says(opset, "float32", "float8e4m3fn") == "round nearest_even, overflow nan, inf nan, nan nan");
  CHECK(says(opset, "float32", "float8e5m2") == real);
  CHECK(says(opset, "float32", "float4e2m1") == "round nearest_even, overflow max, inf max, nan max_signed");
  CHECK(cast(opset, "int32", "float16", 70000) == 0x7BFF);
  CHECK(cast(opset, "float32", "float4e2m1", 0xFFC00000) == 0xF);
}

TEST_CASE("Range op-sets") {
  for (const std::string opset : {"openvino-range@4", "openvino-reference@4", "onnx-range@11", "onnx-range@27"}) {
    CHECK(shipped().model().find_opset(opset)->operation == "range");
    CHECK(says(opset, "float64", "float32") == "round nearest_even, overflow infinity, inf infinity, nan nan");
    CHECK(says(opset, "float64", "int32") == "round toward_zero, overflow wrap, inf zero, nan zero");
    CHECK(says(opset, "int64", "int16") == "overflow wrap");
  }
  const auto option = [](const std::string& opset, const std::string& name) {
    return shipped().model().find_opset(opset)->options.at(name);
  };
  CHECK(option("openvino-range@4", "accumulator") == "float64");
  CHECK(option("openvino-reference@4", "accumulator") == "result_at_least_float32");
  CHECK(option("openvino-reference@4", "count_limit") == "4294967295");
  CHECK(option("onnx-range@11", "operand_types") == "same");
  CHECK(option("onnx-range@27", "operand_types") == "same");
  CHECK(option("onnx-range@27", "accumulator") == "float64");
  CHECK(option("onnx-range@27", "narrow_accumulator") == "stash_type");
  CHECK(says("onnx-range@27", "float32", "bfloat16") == "round nearest_even, overflow infinity, inf infinity, nan nan");
  CHECK(option("pypto@2026-03", "max_rank") == "4");
}

TEST_CASE("bit casts") {
  std::size_t pairs = 0;
  for (const auto& cell : shipped().cells("onnx-bitcast@26")) {
    CAPTURE(cell.src->name, cell.dst->name);
    CHECK(says("onnx-bitcast@26", cell.src->name, cell.dst->name) == "bits kept");
    CHECK(cell.src->storage_bits == cell.dst->storage_bits);
    ++pairs;
  }
  CHECK(pairs == 9 + 9 + 16 + 64 + 9 + 4);
  CHECK(shipped().model().default_opset("bitcast")->name() == "onnx-bitcast@26");
  CHECK(shipped().model().find_opset("onnx-bitcast@28")->name() == "onnx-bitcast@26");
  CHECK(shipped().model().find_opset("onnx-bitcast@29") == nullptr);
  CHECK(shipped().model().find_opset("onnx-bitcast@028") == nullptr);
}

TEST_CASE("provenance of properties") {
  const auto decider = [](const std::string& opset, const std::string& src, const std::string& dst,
                          const std::string& property) {
    const auto* rule = shipped().meaning(opset, src, dst).decided_by.at(property);
    return rule->where.file + "#" + rule->where.pointer + " " + rule->id;
  };
  CHECK(decider("onnx@25", "float32", "float16", "round") == "specs/opsets/onnx-1.json#/rules/1 to-float");
  CHECK(decider("onnx@23", "float32", "float8e4m3fnuz", "inf") ==
        "specs/opsets/onnx-19.json#/rules/2 f8-saturate-fnuz");
  CHECK(decider("onnx@25", "float32", "float8e4m3fnuz", "inf") ==
        "specs/opsets/onnx-24.json#/rules/0 f8-saturate-fnuz");
  CHECK(decider("onnx@25", "float32", "float8e4m3fnuz", "round") == "specs/opsets/onnx-1.json#/rules/1 to-float");
  CHECK(decider("onnx-reference@23", "float32", "float8e4m3fnuz", "inf") ==
        "specs/opsets/onnx-reference-23.json#/rules/0 f8-saturate-fnuz");
}

TEST_CASE("every rule says what it rests on") {
  for (const auto& opset : shipped().model().opsets) {
    for (const auto& rule : opset->rules) {
      CAPTURE(opset->name(), rule.id);
      CHECK_FALSE(rule.basis.empty());
    }
    CHECK_FALSE(opset->doc.empty());
    CHECK_FALSE(opset->cites.empty());
    for (const auto& attribute : opset->attributes) CHECK_FALSE(attribute.doc.empty());
  }
}

// How types, op-sets and rounding modes are found by name.
#include <catch2/catch_all.hpp>

#include <map>
#include <string>

#include "scratch.hpp"
#include "spec/names.hpp"

using castforge::spec::SpecModel;
using castforge::test::shipped_specs;

TEST_CASE("names of types in every ecosystem") {
  const SpecModel model = castforge::spec::load({shipped_specs()});
  CHECK(model.types.size() == 30);
  const auto name_of = [&](const std::string& alias) {
    const auto* type = model.find_type(alias);
    return type == nullptr ? std::string("(none)") : type->name;
  };
  const std::vector<std::pair<const char*, const char*>> names = {{"FLOAT8E4M3FN", "float8e4m3fn"},
                                                                  {"float8_e4m3fn", "float8e4m3fn"},
                                                                  {"F8_E4M3", "float8e4m3fn"},
                                                                  {"f8e4m3", "float8e4m3fn"},
                                                                  {"__nv_fp8_e4m3", "float8e4m3fn"},
                                                                  {"CUDA_R_8F_E4M3", "float8e4m3fn"},
                                                                  {"DT_FP8E4M3", "float8e4m3fn"},
                                                                  {"hf8", "float8e4m3fn"},
                                                                  {"DT_FP32", "float32"},
                                                                  {"f32", "float32"},
                                                                  {"float", "float32"},
                                                                  {"FLOAT", "float32"},
                                                                  {"double", "float64"},
                                                                  {"DT_DOUBLE", "float64"},
                                                                  {"F64", "float64"},
                                                                  {"half", "float16"},
                                                                  {"f16", "float16"},
                                                                  {"__half", "float16"},
                                                                  {"bf16", "bfloat16"},
                                                                  {"bfloat", "bfloat16"},
                                                                  {"__nv_bfloat16", "bfloat16"},
                                                                  {"float8_e8m0fnu", "float8e8m0"},
                                                                  {"f8E8M0FNU", "float8e8m0"},
                                                                  {"F4", "float4e2m1"},
                                                                  {"float4_e2m1fn", "float4e2m1"},
                                                                  {"float4_e2m1fn_x2", "float4e2m1"},
                                                                  {"bf8", "float8e5m2"},
                                                                  {"i8", "int8"},
                                                                  {"U4", "uint4"},
                                                                  {"u1", "uint1"},
                                                                  {"ui64", "uint64"},
                                                                  {"i1", "bool"},
                                                                  {"boolean", "bool"},
                                                                  {"BOOL", "bool"},
                                                                  {"STRING", "string"},
                                                                  {"DT_INT4", "int4"},
                                                                  {"uint16_t", "uint16"},
                                                                  {"F8_E5M2FNUZ", "float8e5m2fnuz"}};
  for (const auto& [alias, type] : names) {
    CAPTURE(alias);
    CHECK(name_of(alias) == type);
  }
  for (const char* unknown : {"", "float17", "17", "<f2", "2,16", "1", "|b1", "|u1", "complex64"}) {
    CAPTURE(unknown);
    CHECK(name_of(unknown) == "(none)");
  }
}

TEST_CASE("numbers and descriptors are kept with their system") {
  const SpecModel model = castforge::spec::load({shipped_specs()});
  const auto alias = [&](const std::string& type, const std::string& system) {
    for (const auto& one : model.find_type(type)->aliases) {
      if (one.system == system) return one.name;
    }
    return std::string("(none)");
  };
  const std::vector<std::pair<const char*, int>> onnx = {
      {"float32", 1},     {"uint8", 2},           {"int8", 3},          {"uint16", 4},
      {"int16", 5},       {"int32", 6},           {"int64", 7},         {"string", 8},
      {"bool", 9},        {"float16", 10},        {"float64", 11},      {"uint32", 12},
      {"uint64", 13},     {"bfloat16", 16},       {"float8e4m3fn", 17}, {"float8e4m3fnuz", 18},
      {"float8e5m2", 19}, {"float8e5m2fnuz", 20}, {"uint4", 21},        {"int4", 22},
      {"float4e2m1", 23}, {"float8e8m0", 24},     {"uint2", 25},        {"int2", 26}};
  for (const auto& [type, number] : onnx) CHECK(alias(type, "onnx_enum") == std::to_string(number));
  // enum Version of onnx.proto says which version brought them; what is older is in all.
  const std::map<std::string, std::string> ir_versions = {
      {"bfloat16", "4"}, {"float8e4m3fn", "9"}, {"float8e4m3fnuz", "9"}, {"float8e5m2", "9"},  {"float8e5m2fnuz", "9"},
      {"uint4", "10"},   {"int4", "10"},        {"float4e2m1", "11"},    {"float8e8m0", "12"}, {"uint2", "13"},
      {"int2", "13"},    {"float6e2m3", "14"},  {"float6e3m2", "14"}};
  for (const auto& type : model.types) {
    const auto version = ir_versions.find(type->name);
    CHECK(alias(type->name, "onnx_ir") == (version == ir_versions.end() ? "(none)" : version->second));
  }
  CHECK(alias("float8e5m2", "numpy") == "<V1");
  CHECK(alias("int4", "numpy") == "<V1");
  CHECK(alias("bool", "numpy") == "|b1");
  CHECK(alias("float16", "dlpack") == "2,16");
  CHECK(alias("float4e2m1", "dlpack") == "17,4");
  CHECK(alias("int64", "pypto_enum") == "9");
}

TEST_CASE("op-sets by name, also between versions") {
  const SpecModel model = castforge::spec::load({shipped_specs()});
  const auto found = [&](const std::string& name) {
    const auto* opset = model.find_opset(name);
    return opset == nullptr ? std::string("(none)") : opset->name();
  };
  CHECK(found("onnx@25") == "onnx@25");
  CHECK(found("onnx@22") == "onnx@21");
  CHECK(found("onnx@18") == "onnx@13");
  CHECK(found("onnx@2") == "onnx@1");
  CHECK(found("onnx@26") == "onnx@25");
  CHECK(found("onnx@27") == "onnx@25");
  CHECK(found("onnx@28") == "onnx@28");
  CHECK(found("onnx@29") == "(none)");
  CHECK(found("onnx-castlike@28") == "onnx-castlike@25");
  CHECK(found("onnx-castlike@29") == "(none)");
  CHECK(found("onnx-range@26") == "onnx-range@11");
  CHECK(found("onnx-range@28") == "onnx-range@27");
  CHECK(found("onnx-range@29") == "(none)");
  CHECK(found("onnx") == "onnx@28");
  CHECK(found("pypto") == "pypto@2026-03");
  CHECK(found("") == "onnx@28");
  CHECK(model.default_opset("range")->name() == "openvino-range@4");
  CHECK(model.default_opset("bake") == nullptr);
  CHECK(found("onnx@0") == "(none)");
  CHECK(found("onnx-reference@18") == "(none)");
  CHECK(found("onnx-reference@22") == "onnx-reference@21");
  CHECK(found("onnx-castlike@18") == "onnx-castlike@15");
  CHECK(found("pypto@8.5.0") == "pypto@8.5.0");
  CHECK(found("pypto@2026-03") == "pypto@2026-03");
  CHECK(found("pypto@9") == "(none)");
  CHECK(found("castforge@1") == "castforge@1");
  CHECK(found("openvino-convert@1") == "openvino-convert@1");
  for (const char* unknown : {"onnx@", "onnx@x", "@1", "nnx@1", "onnx@25.0"}) CHECK(found(unknown) == "(none)");
}

TEST_CASE("op-sets are ordered by family and version") {
  const SpecModel model = castforge::spec::load({shipped_specs()});
  std::string names;
  for (const auto& opset : model.opsets) names += opset->name() + " ";
  CHECK(names ==
        "castforge@1 onnx@1 onnx@6 onnx@9 onnx@13 onnx@19 onnx@21 onnx@23 onnx@24 onnx@25 onnx@28 onnx-bitcast@26 "
        "onnx-castlike@15 "
        "onnx-castlike@19 "
        "onnx-castlike@21 onnx-castlike@23 onnx-castlike@24 onnx-castlike@25 onnx-range@11 onnx-range@27 "
        "onnx-reference@19 "
        "onnx-reference@21 "
        "onnx-reference@23 onnx-reference@24 onnx-reference@25 onnx-reference@28 openvino-convert@1 openvino-range@4 "
        "openvino-reference@4 "
        "p3109@4.0 pypto@8.5.0 pypto@2026-03 ");
}

TEST_CASE("rounding modes as carry tables") {
  const SpecModel model = castforge::spec::load({shipped_specs()});
  const std::vector<std::tuple<const char*, const char*, int>> modes = {
      {"nearest_even", "rne", 0xC8C8}, {"nearest_away", "rna", 0xCCCC}, {"toward_zero", "rtz", 0x0000},
      {"floor", "rtn", 0xEE00},        {"ceil", "rtp", 0x00EE},         {"odd", "rto", 0x0E0E}};
  CHECK(model.roundings.size() == modes.size());
  for (const auto& [name, short_name, carry] : modes) {
    REQUIRE(model.find_rounding(name) != nullptr);
    CHECK(model.find_rounding(name)->short_name == short_name);
    CHECK(model.find_rounding(name)->carry == carry);
  }
}

TEST_CASE("versions are compared number by number") {
  using castforge::spec::compare_versions;
  CHECK(compare_versions("9", "13") < 0);
  CHECK(compare_versions("8.5.0", "2026-03") < 0);
  CHECK(compare_versions("2.10", "2.9") > 0);
  CHECK(compare_versions("2.1", "2.1.0") < 0);
  CHECK(compare_versions("2026-03", "2026.3") == 0);
}

TEST_CASE("locations are relative to the folder that was named") {
  const SpecModel model = castforge::spec::load({shipped_specs()});
  CHECK(model.find_type("int4")->where.file == "specs/types/int4.json");
  const auto& rule = model.find_opset("onnx@24")->rules.back();
  CHECK(rule.where.file == "specs/opsets/onnx-24.json");
  CHECK(rule.where.pointer == "/rules/6");
  CHECK(rule.where.line > 40);
  CHECK(rule.where.column == 5);
  CHECK(rule.set.where.at("nan").pointer == "/rules/6/set/nan");
}

TEST_CASE("the same folder named twice counts once, folders of one name are told apart") {
  const SpecModel model =
      castforge::spec::load({shipped_specs(), shipped_specs() / "types", shipped_specs() / "types" / "int4.json"});
  CHECK(model.types.size() == 30);
  const castforge::test::Scratch scratch{
      {"a/specs/types/x.json", R"({"name":"x","id":1000,"kind":"bool","storage_bits":8})"},
      {"b/specs/types/x.json", R"({"name":"y","id":1001,"kind":"bool","storage_bits":8})"}};
  const SpecModel merged = castforge::spec::load({scratch.root() / "a/specs", scratch.root() / "b/specs"});
  CHECK(merged.find_type("x")->where.file == "specs/types/x.json");
  CHECK(merged.find_type("y")->where.file == "b/specs/types/x.json");
}

TEST_CASE("of several names of one file in a folder the first in order counts, however the folder lists them") {
  const castforge::test::Scratch scratch{{"types/m.json", R"({"name":"x","id":1000,"kind":"bool","storage_bits":8})"}};
  for (const std::string name : {"k", "z", "e", "a", "o", "c", "y", "b", "w"})
    std::filesystem::create_symlink("m.json", scratch.root() / "types" / (name + ".json"));
  const SpecModel model = castforge::spec::load({scratch.root() / "types"});
  REQUIRE(model.types.size() == 1);
  CHECK(model.types.front()->where.file == "types/a.json");
  CHECK(model.types.front()->path == (scratch.root() / "types/a.json").generic_string());
}

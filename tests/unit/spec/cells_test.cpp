// How many pairs and distinct rules every shipped op-set has, and on which pairs its attributes act.
#include <catch2/catch_all.hpp>

#include "meanings.hpp"

using castforge::spec::Cell;
using castforge::spec::Meaning;
using castforge::test::shipped;

namespace {

std::size_t distinct(const std::vector<Meaning>& meanings) {
  std::vector<Meaning> seen;
  for (const Meaning& meaning : meanings) {
    bool known = false;
    for (const Meaning& other : seen) known = known || same_properties(meaning, other);
    if (!known) seen.push_back(meaning);
  }
  return seen.size();
}

/// Rules as written: attribute values that set the same words count once, and so does a cast to the own type.
std::size_t rows(const std::string& opset) {
  std::size_t count = 0;
  for (const Cell& cell : shipped().cells(opset)) count += cell.src == cell.dst ? 1 : distinct(cell.variants);
  return count;
}

/// Functions: variants that no source value can tell apart count once.
std::size_t functions(const std::string& opset) {
  std::size_t count = 0;
  for (const Cell& cell : shipped().cells(opset)) {
    std::vector<Meaning> forms;
    for (const Meaning& meaning : cell.variants) forms.push_back(canonical(meaning));
    count += distinct(forms);
  }
  return count;
}

}  // namespace

TEST_CASE("pairs and rows of every op-set") {
  struct Expected {
    const char* opset;
    std::size_t types, pairs, rows;
  };
  const std::vector<Expected> expected = {{"onnx@1", 12, 144, 144},
                                          {"onnx@6", 12, 144, 144},
                                          {"onnx@9", 13, 169, 169},
                                          {"onnx@13", 14, 196, 196},
                                          {"onnx@19", 18, 324, 388},
                                          {"onnx@21", 20, 400, 472},
                                          {"onnx@23", 21, 441, 517},
                                          {"onnx@24", 22, 484, 665},
                                          {"onnx@25", 24, 576, 775},
                                          {"onnx@28", 26, 676, 893},
                                          {"pypto@8.5.0", 8, 30, 117 + 8},
                                          {"openvino-range@4", 12, 144, 144},
                                          {"openvino-reference@4", 12, 144, 144},
                                          {"openvino-convert@1", 19, 361, 361},
                                          {"onnx-range@11", 5, 25, 25},
                                          {"onnx-range@27", 7, 49, 49},
                                          {"onnx-bitcast@26", 23, 111, 111},
                                          {"onnx-reference@19", 18, 324, 388},
                                          {"onnx-reference@25", 24, 576, 775},
                                          {"onnx-reference@28", 26, 676, 893},
                                          {"onnx-castlike@15", 14, 196, 196},
                                          {"onnx-castlike@25", 24, 576, 775},
                                          {"castforge@1", 27, 729, 1005}};
  for (const auto& [opset, types, pairs, row_count] : expected) {
    CAPTURE(opset);
    CHECK(shipped().model().find_opset(opset)->types.size() == types);
    CHECK(shipped().model().find_opset(opset)->pairs.size() == pairs);
    CHECK(shipped().cells(opset).size() == pairs);
    CHECK(rows(opset) == row_count);
    CHECK(functions(opset) <= row_count + 4);  // float8e5m2 and pypto's float32 to themselves depend on attributes
  }
}

TEST_CASE("the open op-set says what ONNX says between the types of ONNX") {
  for (const Cell& cell : shipped().cells("onnx@25")) {
    const Cell& open = *shipped().cell("castforge@1", cell.src->name, cell.dst->name);
    for (std::size_t i = 0; i < cell.variants.size(); ++i) CHECK(same_properties(cell.variants[i], open.variants[i]));
  }
}

TEST_CASE("CastLike says what Cast says") {
  for (const auto& [like, cast] :
       {std::pair{"15", "13"}, {"19", "19"}, {"21", "21"}, {"23", "23"}, {"24", "24"}, {"25", "25"}}) {
    for (const Cell& cell : shipped().cells(std::string("onnx@") + cast)) {
      const Cell& other = *shipped().cell(std::string("onnx-castlike@") + like, cell.src->name, cell.dst->name);
      REQUIRE(cell.variants.size() == other.variants.size());
      for (std::size_t i = 0; i < cell.variants.size(); ++i)
        CHECK(same_properties(cell.variants[i], other.variants[i]));
    }
  }
}

TEST_CASE("on which pairs attributes act") {
  const auto used = [](const std::string& opset, const std::string& src, const std::string& dst) {
    return shipped().cell(opset, src, dst)->attributes_used;
  };
  const auto tested = [](const std::string& opset, const std::string& src, const std::string& dst) {
    return shipped().cell(opset, src, dst)->attributes_tested;
  };
  // onnx: bit 0 saturate, bit 1 round_mode
  CHECK(used("onnx@19", "float32", "float8e4m3fn") == 1);
  CHECK(used("onnx@19", "uint8", "float8e4m3fn") == 0);    // at most 255, far below 448
  CHECK(used("onnx@19", "uint8", "float8e4m3fnuz") == 1);  // 255 rounds to 256, beyond 240
  CHECK(used("onnx@19", "int8", "float8e4m3fnuz") == 0);
  CHECK(used("onnx@19", "int16", "float8e5m2") == 0);  // at most 2^15
  CHECK(used("onnx@19", "uint16", "float8e5m2") == 1);
  CHECK(used("onnx@19", "bool", "float8e5m2fnuz") == 0);
  CHECK(used("onnx@19", "float8e5m2", "float8e5m2") == 1);  // infinities saturate
  CHECK(used("onnx@19", "float8e4m3fn", "float8e4m3fn") == 0);
  CHECK(used("onnx@19", "float32", "float16") == 0);
  CHECK(used("onnx@19", "string", "float8e5m2") == 1);
  CHECK(used("onnx@25", "float32", "float8e8m0") == 3);
  CHECK(used("onnx@25", "float32", "int4") == 0);
  CHECK(used("onnx@25", "float32", "float4e2m1") == 0);
  CHECK(used("onnx@25", "bool", "float8e8m0") == 1);  // zero, but nothing to round
  CHECK(tested("onnx@25", "bool", "float8e8m0") == 3);
  CHECK(used("onnx@25", "float8e8m0", "float8e8m0") == 0);
  CHECK(tested("onnx@25", "float8e8m0", "float8e8m0") == 3);
  CHECK(tested("onnx@25", "float32", "float8e5m2") == 1);
  CHECK(tested("onnx@25", "float32", "int4") == 0);
  // pypto: bit 0 mode, bit 1 satmode
  CHECK(used("pypto@8.5.0", "float32", "float16") == 1);
  CHECK(used("pypto@8.5.0", "float16", "float32") == 0);
  CHECK(used("pypto@8.5.0", "int16", "float32") == 0);
  CHECK(used("pypto@8.5.0", "int16", "float16") == 1);
  CHECK(used("pypto@8.5.0", "int32", "int16") == 0);
  CHECK(used("pypto@8.5.0", "float32", "float32") == 1);
  CHECK(used("pypto@8.5.0", "float16", "float16") == 0);
  CHECK(used("pypto@2026-03", "int32", "int16") == 2);
  CHECK(used("pypto@2026-03", "int32", "float16") == 0);
  CHECK(used("pypto@2026-03", "float16", "int8") == 3);
  CHECK(used("pypto@2026-03", "float16", "int16") == 3);
  CHECK(used("pypto@2026-03", "float16", "int32") == 1);
  CHECK(used("pypto@2026-03", "int32", "int64") == 0);
}

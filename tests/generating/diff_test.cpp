// diff as its users see it.
#include <catch2/catch_all.hpp>

#include <algorithm>

#include "support.hpp"

using namespace castforge::generating;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("diff onnx@21 onnx@24: infinities into FNUZ, integers of 4 bits wrap, nothing else") {
  const Folder folder;
  const Run run = gen(folder.path(), "diff onnx@21 onnx@24");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  std::size_t fnuz = 0, small = 0;
  for (const std::string& line : lines(run.output)) {
    if (line.find(" -> ") == std::string::npos) continue;
    INFO(line);
    const std::size_t arrow = line.find(" -> ");
    const std::string src = line.substr(0, arrow);
    const std::string dst = line.substr(arrow + 4, line.find_first_of(" :", arrow + 4) - arrow - 4);
    const bool float_source = src.starts_with("float") || src.starts_with("bfloat");
    CHECK(float_source);
    if (dst == "float8e4m3fnuz" || dst == "float8e5m2fnuz") {
      ++fnuz;
      CHECK_THAT(line, ContainsSubstring(" saturate=1: ") && ContainsSubstring(" 2 ranges"));
    } else {
      ++small;
      CHECK((dst == "int4" || dst == "uint4"));
    }
  }
  CHECK(fnuz == 10);   // from float16, bfloat16, float32, float64 and float8e5m2: the sources with an infinity
  CHECK(small == 16);  // from all eight floats
  CHECK_THAT(run.output, ContainsSubstring("84 pairs exist only in onnx@24"));
  CHECK_THAT(run.output, !ContainsSubstring("exist only in onnx@21"));

  const auto ranges = [](const Run& one) {
    const std::vector<std::string> all = lines(one.output);
    return std::count_if(all.begin(), all.end(), [](const std::string& line) { return line.starts_with("    "); });
  };
  const Run exact = gen(folder.path(), "diff onnx@21 onnx@24 --pair float8e5m2:int4");
  CHECK(exact.code == 0);
  CHECK(ranges(exact) == 5);
  // The neighbours of -8 and 7 in that type, -10 and 8, are the first values that differ.
  CHECK_THAT(exact.output, ContainsSubstring("    -20 .. -10 "));
  CHECK_THAT(exact.output, ContainsSubstring("    8 .. Inf "));
  CHECK_THAT(exact.output, ContainsSubstring(" first 7 | -8, last 7 | 0\n"));

  // Clamped and wrapped agree at 7 and -8 modulo 16: counted, not enumerated.
  const Run wide = gen(folder.path(), "diff onnx@21 onnx@24 --pair float32:int4");
  CHECK_THAT(wide.output, ContainsSubstring("float32 -> int4: 9437184 ranges"));
  CHECK_THAT(wide.output, ContainsSubstring("... 9437176 more ranges, then the last one\n    16777208 .. Inf "));
  CHECK_THAT(wide.output, ContainsSubstring(" first 7 | -8, last 7 | 0\n"));  // between them also 2, 4 and 6
  CHECK(ranges(wide) == 9);

  const Run infinities = gen(folder.path(), "diff onnx@21 onnx@24 --pair float32:float8e4m3fnuz");
  CHECK(ranges(infinities) == 2);
  CHECK_THAT(infinities.output, ContainsSubstring(" NaN | -240\n"));
  CHECK_THAT(infinities.output, ContainsSubstring(" NaN | 240\n"));
}

TEST_CASE("diff shows as many ranges as are asked for") {
  const Folder folder;
  const auto shown = [&](const std::string& ranges) {
    const Run run = gen(folder.path(), "diff onnx@21 onnx@24 --pair float8e5m2:int4" + ranges);
    CHECK(run.code == 0);
    const std::vector<std::string> all = lines(run.output);
    return std::count_if(all.begin(), all.end(), [](const std::string& line) {
      return line.starts_with("    ") && !line.starts_with("    ...");
    });
  };
  CHECK(shown("") == 5);
  CHECK(shown(" --ranges 5") == 5);
  CHECK(shown(" --ranges 4") == 4);
  CHECK(shown(" --ranges 1") == 1);
  const Run last = gen(folder.path(), "diff onnx@21 onnx@24 --pair float8e5m2:int4 --ranges 1");
  CHECK_THAT(last.output, ContainsSubstring("    ... 4 more ranges, then the last one\n    8 .. Inf "));
  CHECK(gen(folder.path(), "diff onnx@21 onnx@24 --ranges 0").code == 2);
  // Sources of 32 bits, whose ranges are counted and not enumerated.
  for (const std::string count : {"1", "20", "200"}) {
    const Run wide = gen(folder.path(), "diff onnx@21 onnx@24 --pair float32:int4 --ranges " + count);
    CHECK_THAT(wide.output, ContainsSubstring("... " + std::to_string(9437184 - std::stoi(count)) + " more ranges"));
  }
}

TEST_CASE("diff of range op-sets tells the options that differ, and that sequences are not compared") {
  const Folder folder;
  const Run run = gen(folder.path(), "diff openvino-range@4 openvino-reference@4");
  CHECK(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("option accumulator: ") &&
                             ContainsSubstring("not compared: sequences, which follow from the options"));
  CHECK_THAT(gen(folder.path(), "diff onnx@21 onnx@24").output, !ContainsSubstring("option "));
  CHECK_THAT(gen(folder.path(), "explain float32 float32 --opset openvino-reference@4").output,
             ContainsSubstring("  accumulator          result_at_least_float32\n"));
  CHECK_THAT(gen(folder.path(), "explain float32 float32 --opset openvino-reference@4 --json").output,
             ContainsSubstring("\"accumulator\": \"result_at_least_float32\""));
}

TEST_CASE("diff compares variants by the attributes that both sides have") {
  const Folder folder;
  // One side has `mode`, the other `mode` and `satmode`.
  const Run run = gen(folder.path(), "diff pypto@8.5.0 pypto@2026-03 --pair float16:int8");
  CHECK(run.code == 0);
  std::size_t variants = 0;
  for (const std::string& line : lines(run.output)) {
    if (line.find(" -> ") == std::string::npos) continue;
    ++variants;
    INFO(line);
    CHECK((line.find(" satmode=OFF: ") != std::string::npos || line.find(" mode=CAST_ODD satmode=ON: ") != line.npos));
  }
  CHECK(variants == 8);  // all seven modes without saturation, and the mode that one lacks with it
  CHECK_THAT(run.output, ContainsSubstring("float16 -> int8 mode=CAST_NONE satmode=OFF: "));
  // No value of `rounding` is of both.
  const Run apart =
      gen(folder.path(), "diff ieee754@2019 p3109@4.0 --specs ieee754@2019 --specs p3109@4.0 --pair float32:float16");
  CHECK(apart.code == 0);
  CHECK_THAT(apart.output, ContainsSubstring("not compared, as an attribute has no value in common; pairs: 1"));
  CHECK_THAT(apart.output, !ContainsSubstring("no result differs"));
}

TEST_CASE("diff prints pairs in the order of the first op-set") {
  const Folder folder;
  const auto opset = [&](const std::string& name, const std::string& types, const std::string& inf) {
    write(folder / (name + ".json"), R"({"opset": ")" + name + R"(", "version": "1", "operation": "cast",
        "types": {"add": [)" + types + R"(]}, "pairs": "all",
        "rules": [{"id": "x", "src": "any", "dst": "any", "basis": "b", "set": {"round": "nearest_even",
        "overflow": "infinity", "inf": ")" +
                                         inf + R"(", "nan": "nan", "same_type": "copy"}}]})");
  };
  opset("one", R"("float64", "float8e5m2", "bfloat16", "float32", "float16")", "infinity");
  opset("two", R"("bfloat16", "float16", "float32", "float64", "float8e5m2")", "max");
  const auto order = [&](const std::string& names) {
    const Run run = gen(folder.path(), "diff " + names + " --specs one.json --specs two.json");
    INFO(run.errors);
    CHECK(run.code == 0);
    std::string pairs;
    for (const std::string& line : lines(run.output)) {
      if (const std::size_t end = line.find(": "); line.find(" -> ") < end) pairs += line.substr(0, end) + "\n";
    }
    return pairs;
  };
  const auto all = [](const std::vector<std::string>& types) {
    std::string pairs;
    for (const std::string& src : types) {
      for (const std::string& dst : types) pairs += src + " -> " + dst + "\n";
    }
    return pairs;
  };
  CHECK(order("one@1 two@1") == all({"float64", "float8e5m2", "bfloat16", "float32", "float16"}));
  CHECK(order("two@1 one@1") == all({"bfloat16", "float16", "float32", "float64", "float8e5m2"}));
}

TEST_CASE("diff compares no variants that one side refuses") {
  const Folder folder;
  const auto opset = [&](const std::string& name, const std::string& values, const std::string& test) {
    write(folder / (name + ".json"), R"({"opset": ")" + name + R"(", "version": "1", "operation": "cast",
        "types": {"add": ["float32", "int8"]}, "pairs": {"float32": ["int8"]},
        "attributes": {"m": {"type": "string", "values": )" +
                                         values + R"(, "default": "q"},
        "s": {"type": "flag", "default": 1}},
        "rules": [{"id": "x", "src": "any", "dst": "any", "basis": "b",
        "set": {"round": "nearest_even", "overflow": "wrap", "inf": "zero", "nan": "zero"}},
        {"id": "y", "src": "any", "dst": "int8", "basis": "b", "attr": )" +
                                         test + R"(, "set": {"overflow": "saturate"}}]})");
  };
  opset("one", R"(["p", "q"])", R"({"m": "q"})");
  opset("two", R"(["r", "q"])", R"({"s": 0})");  // where m acts on nothing, and cannot be p
  const Run run = gen(folder.path(), "diff one@1 two@1 --specs one.json --specs two.json");
  INFO(run.output << run.errors);
  CHECK(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("float32 -> int8 m=q s=1: "));
  CHECK_THAT(run.output, !ContainsSubstring("m=p"));
}

TEST_CASE("diff tells results of the same text by their codes") {
  const Folder folder;
  const Run run = gen(folder.path(), "diff castforge@1 p3109@4.0 --specs p3109@4.0 --pair bfloat16:bfloat16");
  INFO(run.output << run.errors);
  CHECK(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring(" first NaN (code 0x7FC1) | NaN (code 0x7FC0), last NaN (code 0x7FFF) | "
                                           "NaN (code 0x7FC0)\n"));
}

TEST_CASE("versions of ONNX differ as specs/opsets/README.md says") {
  const Folder folder;
  std::size_t rows = 0;
  for (const std::string& line : lines(read(source_tree() / "specs/opsets/README.md"))) {
    if (!line.starts_with("| `onnx@")) continue;
    std::vector<std::string> cells;
    for (std::size_t at = 2; at < line.size();) {
      const std::size_t end = line.find(" |", at);
      cells.push_back(line.substr(at, end - at));
      at = end + 3;
    }
    REQUIRE(cells.size() == 5);
    const auto name = [](const std::string& cell) { return cell.substr(1, cell.size() - 2); };
    const Run run = gen(folder.path(), "diff " + name(cells[0]) + " " + name(cells[1]));
    INFO(line << "\n" << run.output << run.errors);
    CHECK(run.code == 0);
    CHECK((run.output.find(" -> ") == std::string::npos) == cells[4].starts_with("none"));
    const std::string added = " pairs exist only in " + name(cells[1]);
    CHECK((run.output.find(added) != std::string::npos) == (cells[3] != "0"));
    CHECK((run.output.find("\n" + cells[3] + added) != std::string::npos) == (cells[3] != "0"));
    CHECK(run.output.find("exist only in " + name(cells[0])) == std::string::npos);
    ++rows;
  }
  CHECK(rows == 9);
}

TEST_CASE("diff of equal rule sets is empty; of unknown ones an error") {
  const Folder folder;
  const Run same = gen(folder.path(), "diff onnx@6 onnx@9");
  CHECK(same.code == 0);
  for (const std::string& line : lines(same.output)) CHECK(line.find(" -> ") == std::string::npos);
  CHECK_THAT(same.output, ContainsSubstring("no result differs in the pairs that both have: "));
  CHECK_THAT(same.output, !ContainsSubstring("no result differs in the pairs that both have: 0"));
  const Run text = gen(folder.path(), "diff onnx@9 onnx@13 --pair float32:string");
  CHECK(text.code == 0);
  CHECK_THAT(text.output, ContainsSubstring("pairs from or to string: 1"));
  CHECK_THAT(text.output, !ContainsSubstring("no result differs"));
  const Run unknown = gen(folder.path(), "diff onnx@6 onyx@9");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.errors, ContainsSubstring("\"onyx@9\" is not an op-set"));
  CHECK(gen(folder.path(), "diff onnx@6 onnx@9 --pair float32").code == 2);
  const Run neither = gen(folder.path(), "diff onnx@6 onnx@9 --pair float32:float8e5m2");
  CHECK(neither.code == 2);
  CHECK_THAT(neither.errors, ContainsSubstring("neither onnx@6 nor onnx@9 admits float32 -> float8e5m2"));
}

TEST_CASE("diff finds the exact place between two values of a wide source") {
  const Folder folder;
  small_specs(folder);
  const Run run = gen(folder.path(), "diff mini@1 mini@2 --specs specs --pair float32:int8");
  INFO(run.output << run.errors);
  REQUIRE(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("float32 -> int8"));
  CHECK_THAT(run.output, ContainsSubstring("-128"));
}

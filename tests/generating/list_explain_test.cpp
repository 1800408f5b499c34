// list and explain as their users see them.
#include <catch2/catch_all.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "support.hpp"

using namespace castforge::generating;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("list") {
  const Folder folder;
  small_specs(folder);
  const auto list = [&](const std::string& what) {
    const Run run = gen(folder.path(), "list " + what + " --specs specs");
    INFO(run.errors);
    REQUIRE(run.code == 0);
    return run.output;
  };
  const auto json = [&](const std::string& what) { return nlohmann::json::parse(list(what + " --json")); };
  CHECK(lines(list("types")).size() == 4);
  CHECK_THAT(list("types"), StartsWith("float16 "));
  CHECK_THAT(list("opsets"), ContainsSubstring("mini@2"));
  CHECK_THAT(list("rules"), ContainsSubstring("f8-saturate"));
  const auto types = json("types");
  REQUIRE(types.size() == 4);
  CHECK(types[2]["name"] == "float8e4m3fn");
  CHECK(types[2]["storage_bits"] == 8);
  CHECK(types[2]["file"] == "specs/types/float8e4m3fn.json");
  const auto opsets = json("opsets");
  REQUIRE(opsets.size() == 2);
  CHECK(opsets[0]["name"] == "mini@1");
  CHECK(opsets[0]["operation"] == "cast");
  CHECK(opsets[0]["types"].is_number_unsigned());
  CHECK(opsets[0]["pairs"].is_number_unsigned());
  const auto rules = json("rules");
  CHECK(rules.size() == 8);
  CHECK(std::any_of(rules.begin(), rules.end(), [](const auto& rule) {
    return rule["opset"] == "mini@2" && rule["rule"] == "to-integer" &&
           rule["where"].template get<std::string>().starts_with("specs/opsets/mini-2.json:");
  }));
  const auto kernels = json("kernels"), files = json("files");
  REQUIRE(gen(folder.path(), "generate --specs specs --out generated").code == 0);
  const Tree generated = tree(folder / "generated");
  CHECK(files.size() == generated.size());
  for (const auto& file : files) {
    const std::string path = file["file"];
    INFO(path);
    REQUIRE(generated.contains(path));
    CHECK(file["bytes"] == generated.at(path).size());
  }
  CHECK(kernels.size() == lines(generated.at("MANIFEST.tsv")).size() - 1);
  for (const auto& kernel : kernels) {
    const std::string file = kernel["file"];
    CHECK_THAT(generated.at("MANIFEST.tsv"),
               ContainsSubstring(kernel["kernel"].get<std::string>() + "\t" + file + "\t"));
  }
}

TEST_CASE("list names the file in which each kernel of a divided pair stands") {
  const Run run = gen(".", "list kernels --json");
  REQUIRE(run.code == 0);
  std::size_t divided = 0;
  for (const auto& kernel : nlohmann::json::parse(run.output)) {
    const std::string path = kernel["file"];
    divided += path.find("__") != std::string::npos;
    CHECK_THAT(read(source_tree() / "generated" / path), ContainsSubstring(kernel["meaning"].get<std::string>()));
  }
  CHECK(divided > 10);
}

TEST_CASE("explain leads from the pair to rule, spec line, citation, truth table, plan and source") {
  const Folder folder;
  const Run run = gen(folder.path(), "explain float32 float8e4m3fn --opset onnx@23 --attr saturate=0");
  INFO(run.output << run.errors);
  REQUIRE(run.code == 0);
  for (const std::string expected :
       {"float32 -> float8e4m3fn under onnx@23  saturate=0", "specs/types/float8e4m3fn.json:1",
        "OCP 8-bit Floating Point Specification", "/rules/0  rule \"f8-overflow\"", "specs/opsets/onnx-19.json:",
        "basis: ONNX Cast-19 table for saturate = 0", "rule \"to-float\"", "0xC8C8", "float32_to_float8e4m3fn__rne_nan",
        "sha256:", "plan   convert_float.integer", "runs on portable", "struct from_float32__rne_nan",
        "static_assert(lane::maps<from_float32__rne_nan>", "every plan equals the exact semantics",
        "every class of sign, exponent, kept bits, first dropped bit and sticky, of the destination's normal "
        "exponents a sample where they are many"}) {
    CHECK_THAT(run.output, ContainsSubstring(expected));
  }
  // Rows of the truth table: 464 is the last that stays finite.
  const std::vector<std::string> all = lines(run.output);
  const auto row = [&](const std::string& start) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const std::string& line) { return line.starts_with("  " + start); });
    return found == all.end() ? std::string() : *found;
  };
  CHECK_THAT(row("0 .. 2^-10"), ContainsSubstring(" 00 "));
  CHECK_THAT(row("464.00003 .."), ContainsSubstring(" 7F "));
  CHECK_THAT(row("464.00003 .."), ContainsSubstring("NaN"));
  CHECK_THAT(row("-NaN"), ContainsSubstring(" FF "));
  CHECK_THAT(row("-0 "), ContainsSubstring(" 80 "));
  // The cited lines hold the rule.
  const std::size_t at = run.output.find("specs/opsets/onnx-19.json:") + 26;
  const int line = std::stoi(run.output.substr(at));
  const std::vector<std::string> spec = lines(read(source_tree() / "specs/opsets/onnx-19.json"));
  CHECK_THAT(spec.at(static_cast<std::size_t>(line)), ContainsSubstring("f8-overflow"));
}

TEST_CASE("explain prints the very text of the generated file") {
  const Folder folder;
  small_specs(folder);
  REQUIRE(gen(folder.path(), "generate --specs specs --out generated").code == 0);
  for (const std::string pair : {"float32 float8e4m3fn", "float16 int8", "int8 float16", "float8e4m3fn float32"}) {
    INFO(pair);
    const std::string src = pair.substr(0, pair.find(' ')), dst = pair.substr(pair.find(' ') + 1);
    const Run run = gen(folder.path(), "explain " + pair + " --opset mini@1 --specs specs");
    REQUIRE(run.code == 0);
    const std::string heading = "Source, as the library runs it\n";
    const std::size_t at = run.output.find(heading);
    REQUIRE(at != std::string::npos);
    const std::vector<std::string> printed = lines(run.output.substr(at + heading.size()));
    const std::vector<std::string> file = lines(read(folder / ("generated/kernels/" + dst + "/from_" + src + ".hpp")));
    REQUIRE(printed.size() > 10);
    auto place = file.begin();  // the printed lines are lines of the file in their order; of the struct, all of them
    bool inside = false;
    for (const std::string& line : printed) {
      REQUIRE(line.starts_with("  "));
      const std::string text = line.substr(2);
      const auto found = std::find(place, file.end(), text);
      INFO(text);
      REQUIRE(found != file.end());
      if (inside) CHECK(found == place);
      place = found + 1;
      inside = text != "};" && text != "}));";
    }
  }
}

TEST_CASE("integers stay the same as far as both types reach; the last step of a plan says why") {
  const Folder folder;
  const auto explained = [&](const std::string& pair) {
    const Run run = gen(folder.path(), "explain " + pair + " --opset onnx@25");
    CHECK(run.code == 0);
    return run.output;
  };
  CHECK_THAT(explained("int2 int32"), ContainsSubstring("  -2 .. 1 "));
  CHECK_THAT(explained("uint4 int64"), ContainsSubstring("  0 .. 15 "));
  CHECK_THAT(explained("int8 uint8"), ContainsSubstring("  0 .. 127 "));
  CHECK_THAT(explained("uint8 int8"), ContainsSubstring("  0 .. 127 "));
  CHECK_THAT(explained("int32 int8"), ContainsSubstring("  -128 .. 127 "));
  const std::string cut = explained("float32 int8");
  CHECK_THAT(cut, ContainsSubstring("  -128 .. 127 "));
  CHECK_THAT(cut, ContainsSubstring("const auto integer = lane::int32_of_float32_rtz(bits);"));
}

TEST_CASE("explain says which attributes have no effect on the pair") {
  const auto first_line = [](const std::string& arguments) {
    const Folder folder;
    const Run run = gen(folder.path(), "explain " + arguments + " --opset onnx@25");
    INFO(run.errors);
    REQUIRE(run.code == 0);
    return lines(run.output).at(0);
  };
  CHECK(first_line("float32 float8e4m3fn") ==
        "float32 -> float8e4m3fn under onnx@25  saturate=1  (round_mode has no effect)");
  CHECK(first_line("float32 float8e8m0") == "float32 -> float8e8m0 under onnx@25  saturate=1  round_mode=up");
  CHECK(first_line("int8 float16") ==
        "int8 -> float16 under onnx@25  (saturate has no effect)  (round_mode has no effect)");
}

TEST_CASE("explain under a directed mode, by alias, and for text") {
  const Folder folder;
  const Run scale =
      gen(folder.path(), "explain FLOAT F8_E8M0 --opset onnx@24 --attr saturate=0 --attr round_mode=nearest");
  INFO(scale.output << scale.errors);
  CHECK(scale.code == 0);
  CHECK_THAT(scale.output, ContainsSubstring("float32 -> float8e8m0 under onnx@24  saturate=0  round_mode=nearest"));
  CHECK_THAT(scale.output, ContainsSubstring("0xCCCC"));
  const Run text = gen(folder.path(), "explain string int8 --opset onnx@25");
  CHECK(text.code == 0);
  CHECK_THAT(text.output, ContainsSubstring("grammar \"decimal\""));
}

TEST_CASE("explain shows what every plan computes from an element, step by step") {
  const Folder folder;
  const Run run = gen(folder.path(), "explain float32 float8e4m3fn --opset onnx@28 --element 0x3FA66666");
  REQUIRE(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("\nElement 0x3FA66666 (1.3) becomes 0x3A (1.25)\n"
                                           "  plan convert_float.multiply_add\n"));
  CHECK_THAT(run.output, ContainsSubstring("3F800000  binade = lane::max(bounded & kExponent, kMinNormal)\n"));
  CHECK_THAT(run.output, ContainsSubstring("              3A  return code | lane::sign8<7>(bits)\n"));

  // Each plan ends with the result; the steps are the statements of the printed source.
  const Run json = gen(folder.path(), "explain float8e5m2 float16 --opset onnx@28 --element 0x41 --json");
  REQUIRE(json.code == 0);
  const nlohmann::json facts = nlohmann::json::parse(json.output);
  CHECK(facts["element"]["source"] == "0x41 (2.5)");
  CHECK(facts["element"]["result"] == "0x4100 (2.5)");
  REQUIRE(facts["element"]["plans"].size() == facts["kernel"]["plans"].size());
  const std::string code = facts["kernel"]["code"];
  for (const nlohmann::json& plan : facts["element"]["plans"]) {
    CHECK(plan["steps"].back()["value"] == "4100");
    for (const nlohmann::json& step : plan["steps"])
      CHECK_THAT(code, ContainsSubstring(step["text"].get<std::string>() + ";"));
  }
}

TEST_CASE("explain of truth values where 1 has code 0") {
  const Folder folder;
  write(folder / "powers16.json", R"({"name": "powers16", "id": 30000, "kind": "float",
    "doc": "Powers of two from 1 on.", "signed": false, "exponent_bits": 4, "mantissa_bits": 0, "exponent_bias": 0,
    "subnormals": false, "infinity": false, "nan": "none", "storage_bits": 16})");
  const Run run = gen(folder.path(), "explain bool powers16 --opset castforge@1 --specs powers16.json");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("kResult = 0x00;"));
}

TEST_CASE("explain refuses with advice") {
  const Folder folder;
  const auto refuses = [&](const std::string& arguments, const std::string& advice) {
    const Run run = gen(folder.path(), "explain " + arguments);
    INFO(arguments << ": " << run.errors);
    CHECK(run.code == 2);
    CHECK(run.output.empty());
    CHECK_THAT(run.errors, ContainsSubstring(advice));
  };
  refuses("float32 float9 --opset onnx@23", "error: \"float9\" is not a type: did you mean ");
  refuses("float32 float8e4m3fm",
          "error: \"float8e4m3fm\" is not a type: did you mean \"float8e4m3fn\"? `castforge-gen list types` shows all");
  refuses("float32 float16 --opset onyx@1",
          "\"onyx@1\" is not an op-set: did you mean \"onnx@1\"? `castforge-gen list opsets` shows all");
  refuses("float32 float16 --opset tensorflow@1",
          "\"tensorflow@1\" is not an op-set; `castforge-gen list opsets` shows all");
  refuses("float32 float16 --opset onnx@99", "\"onnx@99\" is above the newest version known, onnx@28");
  refuses("float32 float16 --opset onnx-range@99", "known, onnx-range@27, which holds through version 28");
  refuses("float32 float16 --opset onnx@23 --attr satruate=1",
          "no attribute \"satruate\": did you mean \"saturate\"? it has saturate");
  refuses("float32 float8e8m0 --attr round_mode=nearset",
          "cannot be \"nearset\": did you mean \"nearest\"? it admits up");
  refuses("float32 int8 --opset pypto@8.5.0",
          "error: pypto@8.5.0 does not admit float32 -> int8; from float32 it admits");
  refuses("float32 float16 --opset onnx@23 --attr mode=1", "error: onnx@23 has no attribute \"mode\"; it has saturate");
  refuses("float32 float16 --opset pypto@8.5.0 --attr mode=FAST",
          "error: attribute mode cannot be \"FAST\"; it admits CAST_NONE");
  refuses("float16 int8 --element 0x10000", "--element: float16 has 16 bits, at most 0xFFFF (got 0x10000)");
  for (const std::string bits : {"-1", "1.5", "0xZZ", "0x", "3FA66666", "0x10000000000000000", "18446744073709551616"})
    refuses("float64 uint64 --element " + bits,
            "--element: expected up to 64 bits, as 0x3FA66666 or a decimal number, "
            "found \"" +
                bits + "\"");
  refuses("float16 string --element 0x1", "--element: conversions of strings are no kernels and have no plans");
  refuses("float32 float16 --attr saturate", "error: --attr expects name=value, found \"saturate\"");
}

// --json: the facts that the commands print, for programs.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "support.hpp"

using namespace castforge::generating;
using nlohmann::json;

namespace {

json parsed(const Folder& folder, const std::string& arguments, int code = 0) {
  const Run run = gen(folder.path(), arguments + " --json");
  INFO(arguments << ": " << run.errors);
  REQUIRE(run.code == code);
  CHECK(run.errors == "");
  return json::parse(run.output);
}

}  // namespace

TEST_CASE("generate and check say as JSON what changed") {
  const Folder folder;
  small_specs(folder);
  const std::string places = " --specs specs --out generated";
  const json first = parsed(folder, "generate" + places);
  CHECK(first.at("new").size() == first.at("files"));
  CHECK(parsed(folder, "generate" + places) == json{{"files", first.at("files")},
                                                    {"new", json::array()},
                                                    {"changed", json::array()},
                                                    {"removed", json::array()}});
  CHECK(parsed(folder, "check" + places).at("current") == true);
  const std::string kernel = "kernels/int8/from_float32.hpp";
  edit(folder / ("generated/" + kernel), "pragma once", "pragma twice");
  write(folder / "generated/more.txt", "x");
  fs::remove(folder / "generated/MANIFEST.tsv");
  const json drifted = parsed(folder, "check" + places, 3);
  CHECK(drifted.at("current") == false);
  CHECK(drifted.at("drift") == json{{"missing", {"MANIFEST.tsv"}}, {"changed", {kernel}}, {"orphaned", {"more.txt"}}});
}

TEST_CASE("explain, diff, verify, tables and new-type as JSON") {
  const Folder folder;
  small_specs(folder);
  const json fact = parsed(folder, "explain float32 float8e4m3fn --opset mini@1 --attr saturate=0 --specs specs");
  CHECK(fact.at("source").at("name") == "float32");
  CHECK(fact.at("attributes") == json{{"saturate", "0"}});
  CHECK(fact.at("attributes_without_effect") == json::array());
  CHECK(fact.at("rounding").at("carry") == "0xC8C8");
  const auto overflow = std::find_if(fact.at("rule").begin(), fact.at("rule").end(),
                                     [](const json& one) { return one.at("property") == "overflow"; });
  REQUIRE(overflow != fact.at("rule").end());
  CHECK(overflow->at("value") == "infinity");  // which float8e4m3fn lacks
  CHECK(overflow->at("where").at("file").get<std::string>().starts_with("specs/opsets/mini-1.json"));
  const json& kernel = fact.at("kernel");
  CHECK(kernel.at("name") == "float32_to_float8e4m3fn__rne_nan");
  CHECK(kernel.at("code").get<std::string>().starts_with("struct from_float32__rne_nan"));
  CHECK(kernel.at("checked").at("all") == false);
  CHECK(kernel.at("truth_table").at(0).at("source") == "0 .. 2^-10");
  CHECK(kernel.at("plans").size() > 1);
  // The text says the same.
  const Run text = gen(folder.path(), "explain float32 float8e4m3fn --opset mini@1 --attr saturate=0 --specs specs");
  CHECK(text.output.find(kernel.at("hash").get<std::string>()) != std::string::npos);
  CHECK(parsed(folder, "explain string int8 --opset onnx@25").at("text").contains("grammar"));

  const json differing = parsed(folder, "diff mini@1 mini@2 --specs specs");
  CHECK(differing.at("left") == "mini@1");
  REQUIRE_FALSE(differing.at("differing").empty());
  const json& pair = differing.at("differing").at(0);
  CHECK(pair.at("destination") == "int8");
  CHECK(pair.at("ranges").size() <= pair.at("range_count"));
  CHECK(pair.at("ranges").at(0).at("left") != pair.at("ranges").at(0).at("right"));

  const json verified = parsed(folder, "verify --pair float16:int8 --specs specs");
  CHECK(verified.at("kernels") == verified.at("on_every_source_element"));

  const json made = parsed(folder, "new-type float8e3m4 --bits 8 --exponent 3 --mantissa 4 --nan ieee --out mine");
  CHECK(made.at("file") == "mine/float8e3m4.json");
  CHECK(made.at("largest") == "15.5");
  CHECK_FALSE(made.contains("clash"));
  const json clash = parsed(folder, "new-type float16 --bits 8 --exponent 3 --mantissa 4 --nan ieee --out other");
  CHECK(clash.at("clash") == "there is a type \"float16\" already");
  const json tables = parsed(folder, "tables mine/float8e3m4.json -o mine.cft --pairs float32:float8e3m4");
  CHECK(tables.at("types") == json{"float8e3m4"});
  CHECK(tables.at("conversions").size() >= 1);
  CHECK(tables.at("bytes") == read(folder / "mine.cft").size());
}

TEST_CASE("castforge-gen describes its own command line") {
  const Folder folder;
  const std::string shells[] = {"bash", "zsh", "fish"};
  for (const std::string& shell : shells) {
    const Run run = gen(folder.path(), "completion " + shell);
    CHECK(run.code == 0);
    for (const char* word : {"new-type", "beside", "exhaustive", "float8e4m3fn", "onnx@28"}) {
      INFO(shell << ": " << word);
      CHECK(run.output.find(word) != std::string::npos);
    }
  }
  CHECK(gen(folder.path(), "manual explain").output.find(".SH OPTIONS") != std::string::npos);
  CHECK(gen(folder.path(), "manual expalin").code == 2);
  for (const char* command :
       {"generate", "check", "list", "tables", "amalgamate", "explain", "audit", "verify", "diff", "new-type"}) {
    const Run page = gen(folder.path(), std::string("manual ") + command);
    INFO(command);
    CHECK(page.code == 0);
    for (const char* value : {"\\fITEXT", "\\fIINT", "\\fIUINT", "\\fIFLOAT"})  // CLI11's, of values without a name
      CHECK(page.output.find(value) == std::string::npos);
  }
  CHECK(gen(folder.path(), "completion bash -o nowhere/x").code == 4);
}

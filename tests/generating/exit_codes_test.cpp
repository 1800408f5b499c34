// Command lines that are wrong, and every exit code.
#include <catch2/catch_all.hpp>

#include "support.hpp"

using namespace castforge::generating;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

void refuses(const std::string& arguments, const std::string& complaint) {
  const Folder folder;
  const Run run = gen(folder.path(), arguments);
  INFO(arguments << ": " << run.errors);
  CHECK(run.code == 2);
  CHECK_THAT(run.errors, ContainsSubstring(complaint));
}

}  // namespace

TEST_CASE("misspelt command lines name what is nearest") {
  refuses("lsit types", "castforge-gen: \"lsit\" is no command: did you mean \"list\"?\n");
  refuses("frobnicate", "\"frobnicate\" is no command\n");
  refuses("list types --jsno", "\"--jsno\" is no option of list: did you mean \"--json\"?\n");
  refuses("tables --pair float32:float16", "\"--pair\" is no option of tables: did you mean \"--pairs\"?\n");
  refuses("audit --speeds nowhere -o report more", "expected no more words, found \"more\"\n");
  refuses("list typse",
          "WHAT: expected types, opsets, rules, kernels or files, found \"typse\": did you mean \"types\"?\n");
  refuses("verify --level quikc",
          "--level: expected quick, exhaustive or smt, found \"quikc\": did you mean \"quick\"?\n");
  refuses("verify --pair float32:flaot16", "error: \"flaot16\" is not a type: did you mean \"float16\"?");
  refuses("verify --pair float32:float16,", "--pair: expected SRC:DST,SRC:DST,..., found \"float32:float16,\"");
  refuses("verify --pair float32:float16,int8:int4 --pair float32:string",
          "error: --pair: there is no kernel for float32:string");
}

TEST_CASE("what a command line says twice, or cannot say, is refused") {
  const Folder folder;
  const std::string cast = "explain float32 float8e4m3fn --attr saturate=";
  for (const char* word : {"-", "1-2", "--1", "1.0", "yes"})
    refuses(cast + word, "expected a whole number, of which 0 is");
  CHECK(gen(folder.path(), cast + "-1").code == 0);
  refuses(cast + "0 --attr saturate=1", "attribute saturate is given twice");
  const std::string written = "explain 'Convert<binary32, Binary8p3se, (NearestTiesToEven, SatFinite)>' ";
  CHECK(gen(folder.path(), written).code == 0);
  CHECK(gen(folder.path(), written + "--opset p3109@4.0").code == 0);
  refuses(written + "--opset onnx@23", "names its op-set, p3109@4.0, and its attributes; no others go with it");
  refuses(written + "--attr saturation=SatNone", "no others go with it");
  const std::string parts = " --bits 8 --exponent 4 --mantissa 3 --out .";
  refuses("diff onnx@21 openvino-range@4", "onnx@21 is of the operation cast, openvino-range@4 of range");
  // Such types are good in specs of one's own, and cannot be loaded.
  CHECK_THAT(gen(folder.path(), "new-type float32" + parts).output,
             ContainsSubstring("there is a type \"float32\" already") && !ContainsSubstring("--load"));
  CHECK_THAT(gen(folder.path(), "new-type mine" + parts + " --id 1").output,
             ContainsSubstring("1 is the number of the type \"") && !ContainsSubstring("--load"));
  CHECK_THAT(gen(folder.path(), "new-type yours" + parts).output, ContainsSubstring("--load"));
}

TEST_CASE("no value of the command line is empty") {
  const Folder folder;
  const auto refuses_empty = [&](const std::string& arguments, const std::string& name) {
    const Run run = gen(folder.path(), arguments);
    INFO(arguments << ": " << run.errors);
    CHECK(run.code == 2);
    CHECK(run.output.empty());
    CHECK_THAT(run.errors, StartsWith("castforge-gen: " + name + ": expected a value, found \"\"\n"));
  };
  refuses_empty("explain float32 float16 --opset ''", "--opset");
  refuses_empty("explain float32 ''", "DST");
  refuses_empty("explain float32 float16 --attr ''", "--attr");
  refuses_empty("amalgamate --pairs float32:float16 --opset '' -o out", "--opset");
  refuses_empty("tables shelf/binary8p3ue --opset '' -o x.cft", "--opset");
  refuses_empty("diff '' ''", "OPSET_A");
  refuses_empty("diff onnx@6 ''", "OPSET_B");
  refuses_empty("diff onnx@6 onnx@9 --pair ''", "--pair");
  refuses_empty("verify --pair ''", "--pair");
  refuses_empty("list types --specs ''", "--specs");
  refuses_empty("check --beside ''", "--beside");
  refuses_empty("check --evidence ''", "--evidence");
  CHECK(tree(folder.path()).empty());
}

TEST_CASE("exit codes") {
  const Folder folder;
  const fs::path specs = small_specs(folder);
  const auto code = [&](const std::string& arguments) { return gen(folder.path(), arguments).code; };

  // 0
  CHECK(code("--help") == 0);
  CHECK(code("generate --help") == 0);
  CHECK(code("list types --specs specs") == 0);

  // 2: usage
  CHECK(code("") == 2);
  CHECK(code("frobnicate") == 2);
  CHECK(code("list") == 2);
  CHECK(code("list everything") == 2);
  CHECK(code("explain float32") == 2);
  // Of an attribute that says so a value is checked where it acts.
  CHECK(gen(folder.path(), "explain float32 float16 --opset onnx@25 --attr round_mode=side").code == 0);
  CHECK_THAT(gen(folder.path(), "explain float32 float8e8m0 --opset onnx@25 --attr round_mode=side").errors,
             StartsWith("error: attribute round_mode cannot be \"side\""));
  CHECK_THAT(gen(folder.path(), "").errors, StartsWith("castforge-gen: expected a command, found nothing"));
  CHECK_THAT(gen(folder.path(), "new-type x --bits").errors,
             StartsWith("castforge-gen: --bits: expected a number from 2 to 64"));
  CHECK_THAT(gen(folder.path(), "explain float32 --specs specs").errors, StartsWith("error: DST is missing: "));

  // 2: usage; what is for measurements does not write where the library's kernels are
  CHECK(code("generate --specs specs --next-plan-on avx2") == 2);
  CHECK(code("generate --specs specs --next-plan-on avx --out other") == 2);
  CHECK_FALSE(fs::exists(folder / "other"));

  // 4: input/output
  CHECK(code("generate --specs specs --out /proc/castforge") == 4);
  CHECK(code("generate --specs nowhere") == 4);
  CHECK(code("generate --specs specs --out generated --evidence nowhere") == 4);
  CHECK(code("audit --speeds nowhere -o report") == 4);
  CHECK(code("tables nowhere.json -o x.cft") == 4);

  // 1: spec errors, with file, line, column, pointer, what was expected and what was found
  edit(specs / "types/float16.json", "\"exponent_bits\": 5", "\"exponent_bits\": \"five\"");
  for (const std::string command : {"generate --out generated", "check --out generated", "list opsets",
                                    "explain float32 int8 --opset mini@1", "verify", "diff mini@1 mini@2"}) {
    const Run run = gen(folder.path(), command + " --specs specs");
    INFO(command << ": " << run.errors);
    CHECK(run.code == 1);
    CHECK_THAT(run.errors, Catch::Matchers::Matches(
                               "specs/types/float16\\.json:[0-9]+:[0-9]+: error: /exponent_bits: .*\n(.*\n)*"));
    CHECK(run.output.empty());
  }
  CHECK_FALSE(fs::exists(folder / "generated"));
  edit(specs / "types/float16.json", "\"exponent_bits\": \"five\"", "\"exponent_bits\": 5");

  // 3: drift
  CHECK(code("check --specs specs --out generated") == 3);

  // 0: a rule that no shipped op-set has for this type
  write(specs / "opsets/mini-3.json", R"({
  "opset": "mini", "version": 3, "extends": 2,
  "rules": [ { "id": "whole", "src": "float16", "dst": "same",
               "set": { "same_type": "integral", "round": "floor", "overflow": "infinity", "inf": "infinity" },
               "basis": "whole numbers" } ]
})");
  const Run whole = gen(folder.path(), "generate --specs specs --out generated");
  INFO(whole.errors);
  CHECK(whole.code == 0);
  CHECK_THAT(read(folder / "generated/kernels/float16/from_float16.hpp"),
             ContainsSubstring("struct from_float16__rtn_integral {"));
}

TEST_CASE("what cannot be printed is an input/output error") {
  const Folder folder;
  small_specs(folder);
  for (const std::string arguments : {"list types --specs specs", "--help", "diff mini@1 mini@2 --specs specs"}) {
    for (const std::string to : {" > /dev/full", " >&-"}) {
      const Run run = gen(folder.path(), arguments + to);
      INFO(arguments << to << run.errors);
      CHECK(run.code == 4);
      CHECK_THAT(run.errors, ContainsSubstring("standard output: cannot write"));
    }
  }
  CHECK(gen(folder.path(), "list types --specs specs | true").errors.empty());
}

TEST_CASE("closed standard descriptors never become generated files") {
  const Folder folder;
  small_specs(folder);
  REQUIRE(gen(folder.path(), "generate --specs specs --out whole").code == 0);
  CHECK(gen(folder.path(), "generate --specs specs --out closed <&- >&- 2>&-").code == 4);
  CHECK(differences(tree(folder / "whole"), tree(folder / "closed")).empty());
}

TEST_CASE("specs are regular files of reasonable size") {
  const Folder folder;
  small_specs(folder);
  const Run device = gen(folder.path(), "list types --specs /dev/full");
  CHECK(device.code == 4);
  CHECK(device.errors == "error: /dev/full: specs are read from regular files only\n");
  fs::create_directory(folder / "empty");
  const Run empty = gen(folder.path(), "list types --specs empty");
  CHECK(empty.code == 4);
  CHECK(empty.errors == "error: empty: this folder holds no specs (*.json)\n");
  write(folder / "large.json", std::string((std::size_t{16} << 20) + 1, ' '));
  const Run large = gen(folder.path(), "list types --specs specs --specs large.json");
  CHECK(large.code == 1);
  CHECK(large.errors == "large.json:1:1: error: /: expected a file of at most 16777216 bytes, found a longer one\n");
}

TEST_CASE("numbers on the command line are whole and within their limits") {
  const Folder folder;
  const std::string type = "new-type x --bits 8 --exponent 4 --mantissa 3 --out . ";
  for (const std::string option : {"--bits ''", "--bits -8", "--bits 1", "--bits 8x", "--exponent ''", "--exponent 12",
                                   "--mantissa ''", "--mantissa -3", "--mantissa 3.0", "--bias ''", "--bias 7,",
                                   "--bias 1e3", "--id ''", "--id -5", "--id 32768"}) {
    const std::string name = option.substr(0, option.find(' '));
    std::string arguments = type;
    if (const std::size_t at = type.find(name + " "); at != std::string::npos) {
      arguments.erase(at, type.find(" -", at) - at);
    }
    const Run run = gen(folder.path(), arguments + option);
    INFO(option << ": " << run.errors);
    CHECK(run.code == 2);
    CHECK_THAT(run.errors, StartsWith("castforge-gen: " + name + ": expected a number from "));
  }
  CHECK(gen(folder.path(), "verify --level smt --timeout ''").code == 2);
  CHECK(gen(folder.path(), "generate --out ''").code == 2);
  CHECK(fs::is_empty(folder.path()));
  // Digits are decimal, whatever they begin with.
  REQUIRE(gen(folder.path(), "new-type x --bits 08 --exponent 4 --mantissa 3 --bias -010 --id 01234 --out .").code ==
          0);
  CHECK_THAT(read(folder / "x.json"),
             ContainsSubstring("\"id\": 1234,") && ContainsSubstring("\"exponent_bias\": -10,"));
}

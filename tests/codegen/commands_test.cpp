// list, explain, diff, new-type and verify as their users see them, and every exit code.
#include <catch2/catch_all.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "command/command.hpp"
#include "spec/loader.hpp"
#include "support.hpp"

using namespace castforge::codegen;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {}  // namespace

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
  CHECK(types[2]["file"] == "specs/types/float8e4m3fn.json");
  const auto opsets = json("opsets");
  REQUIRE(opsets.size() == 2);
  CHECK(opsets[0]["name"] == "mini@1");
  CHECK(opsets[0]["operation"] == "cast");
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
    CHECK(file["bytes"] == std::to_string(generated.at(path).size()));
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
        "static_assert(lane::maps<from_float32__rne_nan>", "every plan equals the exact semantics"}) {
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
  refuses("float32 float16 --attr saturate", "error: --attr expects name=value, found \"saturate\"");
}

TEST_CASE("misspelt command lines name what is nearest") {
  const Folder folder;
  const auto refuses = [&](const std::string& arguments, const std::string& advice) {
    const Run run = gen(folder.path(), arguments);
    INFO(arguments << ": " << run.errors);
    CHECK(run.code == 2);
    CHECK_THAT(run.errors, StartsWith(advice));
  };
  refuses("lsit types", "\"lsit\" is no command: did you mean \"list\"?\n");
  refuses("frobnicate", "\"frobnicate\" is no command\n");
  refuses("list types --jsno", "\"--jsno\" is no option: did you mean \"--json\"?\n");
  refuses("list typse", "WHAT: typse not in {types,opsets,rules,kernels,files}: did you mean \"types\"?\n");
  refuses("verify --level quikc", "--level: quikc not in {quick,exhaustive,smt}: did you mean \"quick\"?\n");
  refuses("verify --pair float32:flaot16", "error: \"flaot16\" is not a type: did you mean \"float16\"?");
}

TEST_CASE("no value of the command line is empty") {
  const Folder folder;
  const auto refuses = [&](const std::string& arguments, const std::string& name) {
    const Run run = gen(folder.path(), arguments);
    INFO(arguments << ": " << run.errors);
    CHECK(run.code == 2);
    CHECK(run.output.empty());
    CHECK_THAT(run.errors, StartsWith(name + ": expected a value, found \"\"\n"));
  };
  refuses("explain float32 float16 --opset ''", "--opset");
  refuses("explain float32 ''", "DST");
  refuses("explain float32 float16 --attr ''", "--attr");
  refuses("amalgamate --pairs float32:float16 --opset '' -o out", "--opset");
  refuses("tables shelf/binary8p3ue --opset '' -o x.cft", "--opset");
  refuses("diff '' ''", "RULES_A");
  refuses("diff onnx@6 ''", "RULES_B");
  refuses("diff onnx@6 onnx@9 --pair ''", "--pair");
  refuses("verify --pair ''", "--pair");
  refuses("list types --specs ''", "--specs");
  refuses("check --beside ''", "--beside");
  refuses("check --evidence ''", "--evidence");
  CHECK(tree(folder.path()).empty());
}

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
  CHECK_THAT(exact.output, ContainsSubstring("7 | -8 .. 0"));

  // Clamped and wrapped agree at 7 and -8 modulo 16: counted, not enumerated.
  const Run wide = gen(folder.path(), "diff onnx@21 onnx@24 --pair float32:int4");
  CHECK_THAT(wide.output, ContainsSubstring("float32 -> int4: 9437184 ranges"));
  CHECK_THAT(wide.output, ContainsSubstring("... 9437176 more ranges, then the last one\n    16777208 .. Inf "));
  CHECK(ranges(wide) == 9);

  const Run infinities = gen(folder.path(), "diff onnx@21 onnx@24 --pair float32:float8e4m3fnuz");
  CHECK(ranges(infinities) == 2);
  CHECK_THAT(infinities.output, ContainsSubstring("NaN | -240"));
  CHECK_THAT(infinities.output, ContainsSubstring("NaN | 240"));
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

TEST_CASE("new-type writes a spec that loads") {
  const Folder folder;
  small_specs(folder);
  const Run run = gen(folder.path(), "new-type float8e3m4 --bits 8 --exponent 3 --mantissa 4 --nan ieee --out own");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("float8e3m4.json: largest 15.5, smallest positive 2^-6"));
  const castforge::spec::SpecModel model = castforge::spec::load({folder / "own"});
  const castforge::spec::Type* type = model.find_type("float8e3m4");
  REQUIRE(type != nullptr);
  CHECK(type->id == 1000);
  CHECK(type->exponent_bias == 3);
  CHECK(type->infinity);
  CHECK(type->storage_bits == 8);
  CHECK(type->value_bits == 8);

  REQUIRE(gen(folder.path(), "new-type float12e5m6 --bits 12 --exponent 5 --mantissa 6 --nan ieee --out own").code ==
          0);
  REQUIRE(gen(folder.path(), "new-type ufloat8e5m3 --bits 8 --exponent 5 --mantissa 3 --unsigned --nan top --out own")
              .code == 0);
  REQUIRE(
      gen(folder.path(), "new-type float6e2m3 --bits 6 --exponent 2 --mantissa 3 --nan none --bias 1 --out own").code ==
      0);
  REQUIRE(
      gen(folder.path(), "new-type byte6 --bits 6 --exponent 2 --mantissa 3 --nan none --storage 8 --out own").code ==
      0);
  const castforge::spec::SpecModel all = castforge::spec::load({folder / "own"});
  CHECK(all.types.size() == 5);
  CHECK(all.find_type("float6e2m3")->storage_bits == 6);
  CHECK(all.find_type("byte6")->storage_bits == 8);
  CHECK(all.find_type("float12e5m6")->id == 1001);
  CHECK(all.find_type("ufloat8e5m3")->id == 1002);
  CHECK(all.find_type("float12e5m6")->storage_bits == 16);
  CHECK_FALSE(all.find_type("ufloat8e5m3")->is_signed);
  CHECK(all.find_type("float6e2m3")->max_finite() == 7.5);
  // And the generator takes them.
  write(folder / "own/mini-3.json",
        R"({ "opset": "mini", "version": 3, "extends": 2, "types": { "add": ["float8e3m4", "float12e5m6"] } })");
  const Run generate = gen(folder.path(), "generate --specs specs --specs own --out generated");
  INFO(generate.errors);
  CHECK(generate.code == 0);
}

TEST_CASE("new-type refuses what cannot be, and leaves nothing behind") {
  const Folder folder;
  const auto refuses = [&](const std::string& arguments, int code, const std::string& message) {
    const Run run = gen(folder.path(), "new-type " + arguments + " --out own");
    INFO(arguments << ": " << run.output << run.errors);
    CHECK(run.code == code);
    CHECK_THAT(run.errors, ContainsSubstring(message));
    CHECK((!fs::exists(folder / "own") || fs::is_empty(folder / "own")));
  };
  refuses("float8e4m4 --bits 8 --exponent 4 --mantissa 4", 2,
          "error: sign 1 + exponent 4 + mantissa 4 = 9 bits, but --bits says 8");
  refuses("u8 --bits 8 --exponent 5 --mantissa 4 --unsigned", 2,
          "error: exponent 5 + mantissa 4 = 9 bits, but --bits says 8");
  refuses("Float8 --bits 8 --exponent 4 --mantissa 3", 2, "NAME: expected a lower-case letter, then");
  refuses("'Foo bar' --bits 8 --exponent 4 --mantissa 3", 2, "found \"Foo bar\"");
  refuses("wide --bits 64 --exponent 12 --mantissa 51", 2, "--exponent");
  refuses("x --bits 8 --exponent 4 --mantissa 3 --nan maybe", 2, "--nan");
  refuses("x --bits 4 --exponent 3 --mantissa 0 --nan ieee", 1, "nan");
  refuses("x --bits 6 --exponent 2 --mantissa 3 --storage 5", 1, "do not fit in storage_bits 5");
  refuses("x --bits 6 --exponent 2 --mantissa 3 --storage 7", 1, "do not fill storage_bits 7");
  const Run first = gen(folder.path(), "new-type once --bits 8 --exponent 4 --mantissa 3 --out own");
  CHECK(first.code == 0);
  const std::string kept = read(folder / "own/once.json");
  const Run again = gen(folder.path(), "new-type once --bits 8 --exponent 5 --mantissa 2 --out own");
  CHECK(again.code == 4);
  CHECK_THAT(again.errors, ContainsSubstring("own/once.json: error: already exists"));
  CHECK(read(folder / "own/once.json") == kept);
}

TEST_CASE("verify counts what it proved") {
  const Folder folder;
  small_specs(folder);
  const Run all = gen(folder.path(), "verify --specs specs");
  INFO(all.output << all.errors);
  CHECK(all.code == 0);
  CHECK_THAT(all.output, ContainsSubstring("kernels equal the exact semantics"));
  const Run pair = gen(folder.path(), "verify --specs specs --pair float16:float8e4m3fn");
  CHECK(pair.code == 0);
  CHECK_THAT(pair.output, ContainsSubstring("2 kernels equal the exact semantics: 2 on every source element, 0 on"));
  CHECK(gen(folder.path(), "verify --specs specs --pair float16:float64").code == 2);
  CHECK(gen(folder.path(), "verify --specs specs --pair float16").code == 2);
  CHECK(gen(folder.path(), "verify --specs specs --level vague").code == 2);
  for (const std::string level : {"", " --level quick", " --level exhaustive"}) {
    const Run record = gen(folder.path(), "verify --specs specs --record r.tsv" + level);
    CHECK(record.code == 2);
    CHECK_THAT(record.errors, StartsWith("error: --record goes with --level smt"));
    CHECK_FALSE(fs::exists(folder / "r.tsv"));
  }
}

TEST_CASE("a plan that differs stops the generator with both results") {
  const Folder folder;
  castforge::command::Places places;
  places.specs = {small_specs(folder)};
  castforge::command::Loaded loaded = castforge::command::load(places);
  std::size_t tried = 0;
  for (castforge::driver::Kernel& kernel : loaded.catalogue.kernels) {
    if (kernel.name != "float32_to_float8e4m3fn__rne_max") continue;
    ++tried;
    castforge::command::verify_kernel(kernel);  // as planned, it is right
    for (castforge::ir::Node& node : kernel.programs.back().nodes) {
      if (node.op == castforge::ir::Op::constant && node.imm == 0x7E) node.imm = 0x7D;  // the largest finite code
    }
    try {
      castforge::command::verify_kernel(kernel);
      FAIL("a wrong plan passed");
    } catch (const castforge::command::VerificationFailed& failed) {
      CHECK_THAT(failed.message, StartsWith("float32_to_float8e4m3fn__rne_max: source 0x"));
      CHECK_THAT(failed.message, ContainsSubstring("the rule gives 0x7E (448), convert_float.integer 0x7D (416)"));
    }
  }
  CHECK(tried == 1);
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
  CHECK_THAT(gen(folder.path(), "").errors, StartsWith("expected a command, found nothing"));
  CHECK_THAT(gen(folder.path(), "new-type x --bits").errors, StartsWith("--bits: expected a number from 2 to 64"));
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
    CHECK_THAT(run.errors, StartsWith(name + ": expected a number from "));
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

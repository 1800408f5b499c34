// amalgamate as its users see it: what is written, what is refused. Whether the files are right: tests/amalgam.
#include <catch2/catch_all.hpp>

#include "amalgam/amalgam.hpp"
#include "driver/catalogue.hpp"
#include "spec/loader.hpp"
#include "support.hpp"
#include "unit/planned.hpp"

using namespace castforge;
using namespace castforge::generating;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string shipped_specs() { return " --specs " + quoted(source_tree() / "specs"); }

}  // namespace

TEST_CASE("amalgamate writes two files of modest size, the same every time") {
  const Folder folder;
  const std::string pairs =
      "amalgamate --pairs float32:float8e4m3fn,float8e4m3fn:float32 --opset onnx@28" + shipped_specs();
  const Run run = gen(folder.path(), pairs + " --isa avx2,avx512,avx512vbmi -o out");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK(run.errors.empty());
  const Tree files = tree(folder / "out");
  REQUIRE(files.size() == 2);
  const std::string& header = files.at("castforge_casts.h");
  const std::string& source = files.at("castforge_casts.c");
  CHECK(header.size() + source.size() < 60 * 1024);
  CHECK_THAT(header, ContainsSubstring("void castforge_float32_to_float8e4m3fn__rne_max(const void *src"));
  CHECK_THAT(header, ContainsSubstring("464.00003"));  // a row of the truth table
  CHECK_THAT(header, ContainsSubstring("#define CASTFORGE_CASTS_MANIFEST \"sha256:"));
  CHECK_THAT(header, ContainsSubstring("castforge-gen amalgamate --pairs float32:float8e4m3fn,float8e4m3fn:float32"));
  CHECK_THAT(source, !ContainsSubstring("xsimd"));
  CHECK_THAT(source, !ContainsSubstring("sse4_2"));
  REQUIRE(gen(folder.path(), pairs + " --isa avx512vbmi,avx512,avx2 -o again").code == 0);
  const std::string again = read(folder / "again/castforge_casts.c");
  CHECK(again == source);
}

TEST_CASE("amalgamate takes attributes, names and languages") {
  const Folder folder;
  const Run run = gen(folder.path(),
                      "amalgamate --pairs float32:float8e5m2 --attr saturate=0 --attr saturate=1 "
                      "--lang c++ --name my_casts --isa portable -o out" +
                          shipped_specs());
  INFO(run.errors);
  REQUIRE(run.code == 0);
  const Tree files = tree(folder / "out");
  REQUIRE(files.size() == 2);
  CHECK_THAT(files.at("my_casts.h"), ContainsSubstring("castforge_float32_to_float8e5m2__rne_inf("));
  CHECK_THAT(files.at("my_casts.h"), ContainsSubstring("castforge_float32_to_float8e5m2__rne_max("));
  CHECK_THAT(files.at("my_casts.h"), ContainsSubstring("int my_casts_use_isa(const char *isa);"));
  CHECK_THAT(files.at("my_casts.cpp"), !ContainsSubstring("immintrin.h"));
}

TEST_CASE("amalgamate says how it was called, and at which end of a byte elements begin") {
  const Folder folder;
  write(folder / "hf4.json", R"({"name":"hf4","id":2002,"kind":"float","signed":true,"exponent_bits":2,
      "mantissa_bits":1,"exponent_bias":1,"subnormals":true,"infinity":false,"nan":"none","storage_bits":4,
      "packing":"high_first"})");
  const std::string command = "amalgamate --pairs hf4:float32,float4e2m1:int8 --opset castforge@1 --specs hf4.json";
  REQUIRE(gen(folder.path(), command + " -o out").code == 0);
  const std::string header = read(folder / "out/castforge_casts.h");
  CHECK_THAT(header, ContainsSubstring("//   castforge-gen " + command + "\n"));
  CHECK_THAT(header, ContainsSubstring("the first at the low end, of hf4 at the high end."));
  REQUIRE(gen(folder.path(), command + " -o again").code == 0);  // what the header says
  CHECK(read(folder / "again/castforge_casts.h") == header);
}

TEST_CASE("amalgamate says where an instruction set has no form of a kernel") {
  const Folder folder;
  REQUIRE(gen(folder.path(), "new-type float5e2m2 --bits 5 --exponent 2 --mantissa 2 --nan none --out own").code == 0);
  const Run run = gen(folder.path(), "amalgamate --pairs float32:float5e2m2 --opset castforge@1 --isa avx2 -o out" +
                                         shipped_specs() + " --specs own");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK_THAT(run.errors, ContainsSubstring("not written for avx2 (no pack5), which runs portable"));
  CHECK_THAT(read(folder / "out/castforge_casts.h"), ContainsSubstring("not written for avx2 (no pack5)"));
}

TEST_CASE("amalgamate refuses what it does not know, with advice") {
  const Folder folder;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Run run = gen(folder.path(), "amalgamate " + arguments + " -o out" + shipped_specs());
    CAPTURE(arguments, run.errors);
    CHECK(run.code == 2);
    CHECK_THAT(run.errors, ContainsSubstring(message));
    CHECK(!fs::exists(folder / "out"));
  };
  refused("--pairs float32:flot8e4m3fn", "did you mean \"float8e4m3fn\"?");
  refused("--pairs float32:float8e4m3fn --isa avx3", "no instruction set is called \"avx3\": did you mean \"avx2\"?");
  refused("--pairs float32:float8e4m3fn --attr saturat=1", "did you mean \"saturate\"?");
  refused("--pairs float32:float8e4m3fn --attr saturate=2x",
          "attribute saturate cannot be \"2x\": expected a whole number, of which 0 is false");
  refused("--pairs float32:float8e4m3fn --opset onx@28", "onx");
  refused("--pairs float32:string", "text is converted by the library");
  refused("--pairs float32", "expected a pair as SRC:DST, found \"float32\"");
  refused("--pairs ,,", "--pairs: expected SRC:DST,SRC:DST,..., found \",,\"");
  refused("--pairs ''", "--pairs: expected a value, found \"\"");
  refused("--pairs float32:float8e4m3fn --lang rust", "rust");
  CHECK_THAT(gen(folder.path(), "amalgamate -o out --pairs").errors,
             ContainsSubstring("--pairs: expected PAIRS, found nothing"));
  refused("--pairs float32:float8e4m3fn --name 2fast", "--name expects an identifier of C");
}

TEST_CASE("amalgamate writes both files or none") {
  const Folder folder;
  const std::string pair = "amalgamate --pairs bool:float32 --isa portable" + shipped_specs();
  write(folder / "file", "text");
  CHECK(gen(folder.path(), pair + " -o file/out").code == 4);
  CHECK(read(folder / "file") == "text");
  fs::create_directories(folder / "out/castforge_casts.h");
  const Run run = gen(folder.path(), pair + " -o out");
  CHECK(run.code == 4);
  CHECK_THAT(run.errors, ContainsSubstring("castforge_casts.h: cannot write: Is a directory"));
  CHECK(tree(folder / "out").empty());
}

TEST_CASE("every shipped kernel has a form in C, on every instruction set") {
  const spec::SpecModel model = spec::load({source_tree() / "specs"});
  const driver::Catalogue catalogue = test::planned(model);
  amalgam::Request all{
      .kernels = {}, .sets = amalgam::known_sets(source_tree() / "templates"), .manifest = "", .command = ""};
  for (const driver::Kernel& kernel : catalogue.kernels) all.kernels.push_back(&kernel);
  REQUIRE(all.kernels.size() > 1000);
  const amalgam::Amalgam made = amalgam::amalgamate(all, source_tree() / "templates");
  for (const std::string& note : made.notes) UNSCOPED_INFO(note);
  CHECK(made.notes.empty());
}

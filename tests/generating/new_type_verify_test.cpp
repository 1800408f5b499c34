// new-type and verify as their users see them.
#include <catch2/catch_all.hpp>

#include "command/command.hpp"
#include "spec/loader.hpp"
#include "support.hpp"

using namespace castforge::generating;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("new-type writes a spec that loads") {
  const Folder folder;
  small_specs(folder);
  const Run run = gen(folder.path(), "new-type float8e3m4 --bits 8 --exponent 3 --mantissa 4 --nan ieee --out own");
  INFO(run.errors);
  REQUIRE(run.code == 0);
  CHECK_THAT(run.output, ContainsSubstring("float8e3m4.json: largest 15.5, smallest positive 2^-6"));
  CHECK_THAT(read(folder / "own/float8e3m4.json"),
             ContainsSubstring(R"("facts": {"max_finite": "0x1.fp+3", "min_positive": "0x1p-6", "value_bits": 8})"));
  const castforge::spec::SpecModel model = castforge::spec::load({folder / "own"});
  const castforge::spec::Type* type = model.find_type("float8e3m4");
  REQUIRE(type != nullptr);
  CHECK(type->id == 1000);
  CHECK(type->exponent_bias == 3);
  CHECK(type->infinity);
  CHECK(type->storage_bits == 8);
  CHECK(type->value_bits == 8);

  CHECK_THAT(run.output, Catch::Matchers::ContainsSubstring("in specs/types it is compiled in"));
  const Run precise = gen(folder.path(), "new-type d --bits 60 --exponent 11 --mantissa 48 --nan ieee --out loadable");
  CHECK_THAT(precise.output, Catch::Matchers::ContainsSubstring("`castforge-gen generate` refuses it"));
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
  CHECK_THAT(all.output, ContainsSubstring("on every class of source elements, of the destination's normal exponents a "
                                           "sample where they are many\n"));
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
    const Run timeout = gen(folder.path(), "verify --specs specs --timeout 5" + level);
    CHECK(timeout.code == 2);
    CHECK_THAT(timeout.errors, StartsWith("error: --timeout goes with --level smt"));
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
      CHECK_THAT(failed.message, StartsWith("float32_to_float8e4m3fn__rne_max: plan convert_float.integer: source 0x"));
      CHECK_THAT(failed.message, ContainsSubstring("the rule gives 0x7E (448), the plan 0x7D (416)"));
    }
  }
  CHECK(tried == 1);
}

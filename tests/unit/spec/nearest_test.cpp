// The nearest of some names.
#include "spec/nearest.hpp"

#include <catch2/catch_test_macros.hpp>

using castforge::spec::did_you_mean;
using castforge::spec::nearest;

TEST_CASE("the nearest name is the one that the fewest slips change") {
  const std::vector<std::string> names = {"float16", "float32", "float8e4m3fn", "float8e4m3fnuz", "int4", "up"};
  CHECK(nearest("float8e4m3fm", names) == "float8e4m3fn");   // a wrong letter
  CHECK(nearest("float8e4m3fnz", names) == "float8e4m3fn");  // one too many, or one missing: the first
  CHECK(nearest("FLOAT8E4M3FM", names) == "float8e4m3fn");   // letter case does not count
  CHECK(nearest("flaot32", names) == "float32");             // two swapped
  CHECK(nearest("loat16", names) == "float16");
  CHECK(nearest("int", names) == "int4");
  CHECK(nearest("FLOAT8E4M3FNU", names) == "float8e4m3fnuz");  // of two at the same distance the one that goes on so
  CHECK(nearest("float8e4m3", {"float6e2m3", "float8e4m3fn"}) == "float8e4m3fn");
  CHECK(nearest("pu", names) == "");  // half of the letters
  CHECK(nearest("", names) == "");
  CHECK(nearest("quaternion", names) == "");
  CHECK(nearest("x", {}) == "");
}

TEST_CASE("what follows a complaint") {
  const std::vector<std::string> names = {"saturate", "round_mode"};
  CHECK(did_you_mean("satruate", names) == ": did you mean \"saturate\"?");
  CHECK(did_you_mean("satruate", names, "it has two") == ": did you mean \"saturate\"? it has two");
  CHECK(did_you_mean("mode", names, "it has two") == "; it has two");
  CHECK(did_you_mean("mode", names) == "");
}

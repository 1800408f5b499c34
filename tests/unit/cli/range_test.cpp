// castforge range: files, literals, refusals.
#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>

using namespace cli_test;

TEST_CASE("range: every output format") {
  const Folder folder;
  const std::string numbers = "--start 0 --stop 2 --step 0.5 --to float16";
  const std::string elements = codes<std::uint16_t>({0x0000, 0x3800, 0x3C00, 0x3E00});
  for (const std::string extension : {"raw", "npy", "pb", "safetensors"}) {
    const Run run = program(folder, "range out." + extension + " " + numbers);
    INFO(extension << " " << run.errors);
    REQUIRE(run.code == 0);
    CHECK(run.output.empty());
    CHECK(run.errors.empty());
    const std::string file = folder.read("out." + extension);
    CHECK(file.size() >= elements.size());
    CHECK(file.ends_with(elements));
    if (extension == "raw") CHECK(file == elements);
    if (extension == "npy") CHECK(file.find("'shape': (4,)") != std::string::npos);
  }
  CHECK(program(folder, "range - " + numbers).output == elements);
  CHECK(program(folder, "range x.bin --output-format raw " + numbers).code == 0);
  CHECK(folder.read("x.bin") == elements);
  // The files can be read again.
  CHECK(program(folder, "cast out.pb back.raw --to float16").code == 0);
  CHECK(folder.read("back.raw") == elements);
}

TEST_CASE("range: numbers as they are typed") {
  const Folder folder;
  const auto run = [&](const std::string& arguments) {
    const Run run = program(folder, "range - " + arguments);
    INFO(arguments << ": " << run.errors);
    CHECK(run.code == 0);
    return run.output;
  };
  CHECK(run("--start 9007199254740993 --stop 9007199254740995 --step 1 --to int64") ==
        codes<std::int64_t>({9007199254740993, 9007199254740994}));
  CHECK(run("--start 18446744073709551614 --stop 18446744073709551615 --step 1 --to uint64") ==
        codes<std::uint64_t>({18446744073709551614U}));
  CHECK(run("--start -9223372036854775808 --stop 9223372036854775807 --step 9223372036854775807 --to "
            "int64") == codes<std::int64_t>({INT64_MIN, -1, INT64_MAX - 1}));
  CHECK(run("--start 1.2 --stop 5.6 --step 1.9 --to int32") == codes<std::int32_t>({1, 2, 3, 4}));
  CHECK(run("--start 3 --stop 0 --step=-1 --to i8") == bytes({3, 2, 1}));
  CHECK(run("--start 3 --stop 0 --step -1 --to i8") == bytes({3, 2, 1}));
  CHECK(run("--start 0 --stop -1 --step -.5 --to float16") == codes<std::uint16_t>({0, 0xB800}));
  CHECK(program(folder, "range --help").output.find("needs the sign") == std::string::npos);
  CHECK(run("--start 5 --stop 1 --step 1 --to float32").empty());
  CHECK(run("--start 250 --stop 258 --step 4 --from float64 --to uint8") == bytes({250, 254}));
  // 0.2 in float32, and an element of it that no other reading gives.
  CHECK(run("--start -1 --stop 0.875 --step 0.2 --from float32 --to float32").substr(20, 4) ==
        codes<std::uint32_t>({0x32800000}));
  CHECK(run("--start -1 --stop 0.875 --step 0.2 --to float32").substr(20, 4) == codes<std::uint32_t>({0}));
  CHECK(run("--start -1 --stop 0.875 --step 0.2 --from f32 --to f32 --opset openvino-reference@4").substr(20, 4) ==
        codes<std::uint32_t>({0}));
  const Run beyond =
      program(folder, "range - --start 18446744073709551615 --stop 18446744073709551616 --step 1 --to uint64");
  CHECK(beyond.code == 2);
  CHECK(beyond.errors.find("--stop: expected an integer from -9223372036854775808 to 18446744073709551615, found") !=
        std::string::npos);
  // Where all types must be the same, the numbers are of the result's type.
  CHECK(run("--start 1 --stop 5 --step 2 --to float32 --opset onnx-range@11") ==
        codes<std::uint32_t>({0x3F800000, 0x40400000}));
}

TEST_CASE("range: attributes of the op-set") {
  const Folder folder;
  const std::string half =
      "range - --start 5.9604644775390625e-08 --stop 3000 --step 683 --to float16 --opset onnx-range@27";
  const Run single = program(folder, half), twice = program(folder, half + " --stash-type 11");
  REQUIRE(single.code == 0);
  REQUIRE(twice.code == 0);
  CHECK(single.output.size() == twice.output.size());
  CHECK(single.output != twice.output);
  CHECK(program(folder, half + " --attr stash_type=1").output == single.output);
  CHECK(program(folder, half + " --attr stash_type=float64").output == twice.output);
  const Run bad = program(folder, half + " --stash-type 2");
  CHECK(bad.code == 2);
  CHECK(bad.errors.find("stash_type") != std::string::npos);
  const Run unknown = program(folder, "range - --start 0 --stop 1 --step 1 --to int32 --stash-type 1");
  CHECK(unknown.code == 2);
  CHECK(unknown.errors.find("openvino-range@4") != std::string::npos);
  CHECK(program(folder, "range - --start 0 --stop 2 --step 0.1 --to float16 --opset onnx-range").output.size() == 42);
}

TEST_CASE("range: wrong usage") {
  const Folder folder;
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"--start 0 --stop 1 --step 0 --to int32",
       "castforge: openvino-range@4: the step is 0; it must be positive or negative\n"},
      {"--start 0 --stop 1 --step 0.5 --to int32", "the step is 0 once it is truncated to an integer"},
      {"--start inf --stop 1 --step 1 --to float32", "the start is infinite or NaN"},
      {"--start 0 --stop 5000000000 --step 1 --to int64",
       "the range has 5000000000 elements; the op-set admits up to 4294967295"},
      {"--start 0 --stop 1e30 --step 1 --to int64", "the stop is outside [-2^63, 2^64)"},
      {"--start 0 --stop 18446744073709551615 --step 9e18 --to uint64 --opset openvino-reference@4",
       "the stop, as a float64, is outside [-2^63, 2^64)"},
      {"--start=-1.7e308 --stop 1.7e308 --step=1e308 --to float64",
       "the number of elements, computed in float64, is not finite; the op-set admits up to 4294967295"},
      {"--start 0 --stop 1 --step 1 --to bool", "the result is bool; it admits numbers of type float16"},
      {"--start 0 --stop 1 --step 1 --from bool --to int8", "--start: bool is no type of numbers"},
      {"--start 0 --stop 1 --step 1 --to float7", "--to: unknown type \"float7\""},
      {"--start 0 --stop 1 --step 1 --to int8 --opset onnx@13",
       "onnx@13 describes the operation cast, not range; op-sets of range: onnx-range@27, openvino-range@4"},
      {"--start 0 --stop 1 --step 1 --to int8 --isa mmx", "unknown instruction set \"mmx\""},
      {"--start zero --stop 1 --step 1 --to int8", "--start: expected a number, found \"zero\""},
      {"--start 0 --stop 1x --step 1 --to int8", "--stop: expected a number, found \"1x\""},
      {"--start 0 --stop 300 --step 1 --from uint8 --to int8",
       "--stop: expected an integer from 0 to 255 (uint8), found \"300\""},
      {"--start 0 --stop 1 --step -129 --from int8 --to int8",
       "--step: expected an integer from -128 to 127 (int8), found \"-129\""},
      {"--start 0.5 --stop 1 --step 1 --from int8 --to int8",
       "--start: expected an integer from -128 to 127 (int8), found \"0.5\""},
      {"--start 0 --stop 18446744073709551616 --step 1 --to int8",
       "--stop: expected an integer from -9223372036854775808"},
      {"--start 0 --stop 1 --to int8", "--step is required"},
  };
  for (const auto& [arguments, message] : cases) {
    const Run run = program(folder, "range out.raw " + std::string(arguments));
    INFO(arguments << ": " << run.errors);
    CHECK(run.code == 2);
    CHECK(run.errors.find(message) != std::string::npos);
  }
  CHECK(program(folder, "range out.xyz --start 0 --stop 1 --step 1 --to int8").code == 2);
  CHECK(program(folder, "range nowhere/out.raw --start 0 --stop 1 --step 1 --to int8").code == 4);
  CHECK(folder.names().empty());
}

TEST_CASE("range: a TensorProto holds less than 2 GiB") {
  const Folder folder;
  const Run run = program(folder, "range out.pb --start 0 --stop 2147483648 --step 1 --to int8");
  CHECK(run.code == 1);
  CHECK(run.errors.find("expected a TensorProto below 2 GiB") != std::string::npos);
  CHECK(folder.names().empty());
  CHECK(program(folder, "range --help").output.find("Exit codes: 0 done, 1 ") != std::string::npos);
}

TEST_CASE("range: more than one block, and --verbose") {
  const Folder folder;
  const Run run =
      program(folder, "range out.raw --start 0 --stop 3000001 --step 1 --to int16 --isa portable --verbose");
  CHECK(run.code == 0);
  CHECK(run.errors == "castforge: out.raw: 3000001 elements of int16 on portable\n");
  CHECK(program(folder, "range one.raw --start 0 --stop 1 --step 1 --to int16 --isa portable --verbose").errors ==
        "castforge: one.raw: 1 element of int16 on portable\n");
  const std::string file = folder.read("out.raw");
  REQUIRE(file.size() == 6000002);
  for (const std::size_t i : {0UL, 524287UL, 524288UL, 1048576UL, 3000000UL}) {
    const std::string element = codes<std::uint16_t>({static_cast<std::uint16_t>(i)});
    CHECK(file.substr(2 * i, 2) == element);
  }
}

#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace cli_test;

TEST_CASE("raw: codes in, codes out") {
  const std::string floats = codes<float>({1, -2, 0.5});
  CHECK(cast({.extension = "raw", .input = floats, .to = "float16", .from = "float32"}).output ==
        codes<std::uint16_t>({0x3C00, 0xC000, 0x3800}));
  CHECK(cast({.extension = "raw", .input = "", .to = "float16", .from = "float32"}).output == "");
  CHECK(cast({.extension = "raw", .input = bytes({0x21, 0xF3}), .to = "int8", .from = "int4"}).output ==
        bytes({1, 2, 3, 255}));
  CHECK(cast({.extension = "raw", .input = bytes({0x39}), .to = "int8", .from = "uint2"}).output ==
        bytes({1, 2, 3, 0}));
  CHECK(cast({.extension = "raw", .input = bytes({0xA1}), .to = "int8", .from = "u1", .opset = "openvino-convert@1"})
            .output == bytes({1, 0, 1, 0, 0, 0, 0, 1}));
}

TEST_CASE("raw: bit casts") {
  const std::string floats = codes<std::uint32_t>({0x7F800001, 0x80000000, 0x3F800000});
  const std::string opset = "onnx-bitcast@26";
  CHECK(cast({.extension = "raw", .input = floats, .to = "int32", .from = "float32", .opset = opset}).output == floats);
  const std::string truths = bytes({0, 1, 2, 255});
  CHECK(cast({.extension = "raw", .input = truths, .to = "bool", .from = "uint8", .opset = opset}).output == truths);
  const Outcome narrow = cast({.extension = "raw", .input = truths, .to = "int4", .from = "int8", .opset = opset});
  CHECK(narrow.code == 2);
  CHECK(narrow.message.find("onnx-bitcast@26") != std::string::npos);
}

TEST_CASE("raw: complaints") {
  const std::string floats = codes<float>({1, -2});
  const Outcome torn = cast({.extension = "raw", .input = floats + "ab", .to = "float16", .from = "float32"});
  CHECK(torn.code == 1);
  CHECK(torn.message == "in.raw: byte 8: float32: expected an element of 4 bytes, found 2 before the file ends");
  const Outcome untyped = cast({.extension = "raw", .input = floats, .to = "float16"});
  CHECK(untyped.code == 2);
  CHECK(untyped.message == "raw input says nothing of its type: give it with --from");
}

TEST_CASE("raw: --count") {
  const Folder folder;
  folder.write("in.raw", bytes({0x21, 0x03}));
  CHECK(program(folder, "cast in.raw out.npy --from int4 --to int8 --count 3").code == 0);
  CHECK(folder.read("out.npy").substr(128) == bytes({1, 2, 3}));
  const Run wrong = program(folder, "cast in.raw out.npy --from int4 --to int8 --count 5");
  CHECK(wrong.code == 1);
  CHECK(wrong.errors == "castforge: in.raw: expected 3 bytes for 5 elements of int4, found 2\n");
  const Run huge = program(folder, "cast in.raw out.npy --from float64 --to int8 --count 9223372036854775807");
  CHECK(huge.code == 2);
  CHECK(huge.errors == "castforge: --count 9223372036854775807 is too large\n");
  const Run misplaced = program(folder, "cast out.npy x.npy --to int8 --count 3");
  CHECK(misplaced.code == 2);
  CHECK(misplaced.errors == "castforge: --count is for raw input; npy says how many elements it has\n");
}

TEST_CASE("raw: standard input and output") {
  const Folder folder;
  std::string floats, halves;
  for (int i = 0; i < 300000; ++i) {
    floats += codes<float>({static_cast<float>(i % 2048)});
  }
  folder.write("in.raw", floats);
  CHECK(program(folder, "cast in.raw expected.raw --from float32 --to float16").code == 0);
  CHECK(folder.read("expected.raw").size() == 600000);
  for (const char* threads : {"1", "3"}) {
    const Run piped =
        program(folder, std::string("cast - - --from float32 --to float16 --threads ") + threads + " < in.raw > a.raw");
    CHECK(piped.code == 0);
    CHECK(folder.read("a.raw") == folder.read("expected.raw"));
  }
  CHECK(program(folder, "cast - out.npy --from float32 --to float16 --count 300000 < in.raw").code == 0);
  CHECK(folder.read("out.npy").substr(128) == folder.read("expected.raw"));

  // Formats that begin with the number of elements: a stream is read to its end first.
  for (const char* input : {"cast - counted.npy --from float32 --to float16 < in.raw",
                            "cast /dev/stdin counted.npy --from float32 --to float16 --input-format raw < in.raw"}) {
    INFO(input);
    CHECK(program(folder, input).code == 0);
    CHECK(folder.read("counted.npy") == folder.read("out.npy"));
  }
  CHECK(program(folder, "cast - empty.npy --from float32 --to float16 < /dev/null").code == 0);
  CHECK(folder.read("empty.npy").size() == 128);
  const Run more = program(folder, "cast - - --from float32 --to float16 --count 299999 < in.raw");
  CHECK(more.code == 1);
  CHECK(more.errors ==
        "castforge: standard input: byte 1199996: expected the end after 299999 elements, found more "
        "bytes\n");
  const Run fewer = program(folder, "cast - - --from float32 --to float16 --count 300001 < in.raw");
  CHECK(fewer.code == 1);
  CHECK(fewer.errors ==
        "castforge: standard input: byte 1048576: expected 151428 bytes of element data, found 151424 "
        "before the file ends\n");
  const Run torn = program(folder, "cast - - --from float32 --to float16 < torn.raw");
  CHECK(torn.code != 0);  // no such file: the shell complains
  folder.write("torn.raw", "abcdefg");
  const Run rest = program(folder, "cast - - --from float32 --to float16 < torn.raw");
  CHECK(rest.code == 1);
  CHECK(rest.errors ==
        "castforge: standard input: byte 4: expected an element of 4 bytes, found 3 before the file ends\n");
}

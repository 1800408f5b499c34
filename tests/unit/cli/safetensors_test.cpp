#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace cli_test;

namespace {

const std::string kHeader =
    R"({"__metadata__":{"format":"pt","note":"caf\u00e9"},"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
    R"("steps":{"dtype":"I64","shape":[1],"data_offsets":[8,16]},"b.bias":{"dtype":"F32","shape":[],)"
    R"("data_offsets":[16,20]}})";
const std::string kData = codes<float>({1, -2}) + codes<std::int64_t>({7}) + codes<float>({0.5});

/// Header text of a file, without the spaces at its end.
std::string header_of(const std::string& file) {
  std::string header = file.substr(8, static_cast<unsigned char>(file[0]) + 256U * static_cast<unsigned char>(file[1]));
  CHECK((8 + header.size()) % 8 == 0);
  header.erase(header.find_last_not_of(' ') + 1);
  return header;
}

std::string data_of(const std::string& file) {
  return file.substr(8 + static_cast<unsigned char>(file[0]) + 256U * static_cast<unsigned char>(file[1]));
}

}  // namespace

TEST_CASE("safetensors: floating tensors are cast, the others and the metadata stay") {
  const Outcome outcome = cast({.extension = "safetensors", .input = safetensors(kHeader, kData), .to = "float16"});
  CHECK(outcome.message == "");
  // The widest elements come first, so that all are aligned.
  CHECK(header_of(outcome.output) ==
        "{\"__metadata__\":{\"format\":\"pt\",\"note\":\"caf\\u00e9\"},\"steps\":{\"dtype\":\"I64\","
        "\"shape\":[1],"
        "\"data_offsets\":[0,8]},\"a\":{\"dtype\":\"F16\",\"shape\":[2,1],\"data_offsets\":[8,12]},"
        "\"b.bias\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[12,14]}}");
  CHECK(data_of(outcome.output) == codes<std::int64_t>({7}) + codes<std::uint16_t>({0x3C00, 0xC000, 0x3800}));
}

TEST_CASE("safetensors: tensors by name") {
  const std::string input = safetensors(kHeader, kData);
  Outcome outcome = cast({.extension = "safetensors", .input = input, .to = "float16", .tensors = {"*.bias"}});
  CHECK(data_of(outcome.output) == codes<std::int64_t>({7}) + codes<float>({1, -2}) + codes<std::uint16_t>({0x3800}));
  outcome = cast({.extension = "safetensors", .input = input, .to = "int32", .tensors = {"step?", "[a]"}});
  CHECK(data_of(outcome.output) == codes<std::int32_t>({1, -2, 7}) + codes<float>({0.5}));
  outcome = cast({.extension = "safetensors", .input = input, .to = "int32", .tensors = {"c*"}});
  CHECK(outcome.code == 2);
  CHECK(outcome.message == "in.safetensors: --tensors \"c*\" matches no tensor; `castforge info` lists them");
  // --from chooses by type, of which there must be one.
  outcome = cast({.extension = "safetensors", .input = input, .to = "int32", .from = "int64"});
  CHECK(data_of(outcome.output) == codes<float>({1, -2}) + codes<std::int32_t>({7}) + codes<float>({0.5}));
  outcome = cast({.extension = "safetensors", .input = input, .to = "int32", .from = "float16"});
  CHECK(outcome.code == 2);
  CHECK(outcome.message == "in.safetensors: --from float16 matches no tensor; the file holds F32, I64");
  outcome = cast({.extension = "safetensors", .input = input, .to = "int32", .from = "int64", .tensors = {"a"}});
  CHECK(outcome.code == 2);
  CHECK(outcome.message == "in.safetensors: --from int64 matches no tensor of --tensors; the file holds F32, I64");
}

TEST_CASE("safetensors: the only tensor of a type goes into a file of one") {
  const Folder folder;
  folder.write("in.safetensors", safetensors(kHeader, kData));
  CHECK(program(folder, "cast in.safetensors out.raw --to int32 --from int64").code == 0);
  CHECK(folder.read("out.raw") == codes<std::int32_t>({7}));
  const Run two = program(folder, "cast in.safetensors two.raw --to int32 --from float32");
  CHECK(two.code == 2);
  CHECK(two.errors.find("one tensor goes into this output, found 3; choose one with --tensors") != std::string::npos);
}

TEST_CASE("safetensors: what would be no conversion is said where nothing is converted, too") {
  const Folder folder;
  folder.write("in.safetensors",
               safetensors(R"({"n":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", codes<std::int64_t>({7})));
  const auto errors = [&](const std::string& options) {
    return program(folder, "cast in.safetensors out.safetensors --to " + options).errors;
  };
  CHECK(errors("float8e4m3fn --attr saturate=0") == "");
  CHECK(folder.names() == std::vector<std::string>{"in.safetensors", "out.safetensors"});
  CHECK(errors("float8e4m3fn --attr saturat=0")
            .starts_with("castforge: onnx@28 has no attribute \"saturat\": did you mean saturate?"));
  CHECK(errors("float8e4m3fn --saturate maybe").starts_with("castforge: onnx@28: saturate \"maybe\": expected"));
  CHECK(errors("float8e4m3fn --opset onnx@1").starts_with("castforge: onnx@1 does not admit float8e4m3fn;"));
}

TEST_CASE("safetensors: no strings") {
  const Outcome outcome = cast({.extension = "safetensors", .input = safetensors(kHeader, kData), .to = "string"});
  CHECK(outcome.code == 2);
  CHECK(outcome.message == "out.safetensors: a safetensors file cannot hold string, which has no alias of safetensors");
}

TEST_CASE("safetensors: one tensor to and from other formats") {
  const std::string input = safetensors(kHeader, kData);
  CHECK(cast({.extension = "safetensors", .input = input, .to = "float16", .output_extension = "raw", .tensors = {"a"}})
            .output == codes<std::uint16_t>({0x3C00, 0xC000}));
  Outcome outcome = cast({.extension = "safetensors", .input = input, .to = "float16", .output_extension = "raw"});
  CHECK(outcome.code == 2);
  CHECK(outcome.message == "in.safetensors: one tensor goes into this output, found 3; choose one with --tensors");
  outcome =
      cast({.extension = "safetensors", .input = safetensors("{}", ""), .to = "float16", .output_extension = "raw"});
  CHECK(outcome.code == 2);
  CHECK(outcome.message == "in.safetensors: one tensor goes into this output, the file holds none");
  outcome = cast(
      {.extension = "raw", .input = codes<float>({1}), .to = "F16", .from = "F32", .output_extension = "safetensors"});
  CHECK(header_of(outcome.output) == R"({"tensor":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})");
  outcome = cast(
      {.extension = "raw", .input = codes<float>({1}), .to = "int4", .from = "F32", .output_extension = "safetensors"});
  CHECK(outcome.code == 2);
  CHECK(outcome.message == "out.safetensors: a safetensors file cannot hold int4, which has no alias of safetensors");
}

TEST_CASE("safetensors: F4 is packed and fills whole bytes") {
  const std::string input =
      safetensors(R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", codes<float>({1, -6, 0.5, 3}));
  const Outcome packed = cast({.extension = "safetensors", .input = input, .to = "float4e2m1"});
  CHECK(data_of(packed.output) == bytes({0xF2, 0x51}));
  CHECK(data_of(cast({.extension = "safetensors", .input = packed.output, .to = "float32"}).output) ==
        codes<float>({1, -6, 0.5, 3}));
  const Outcome odd =
      cast({.extension = "safetensors",
            .input = safetensors(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", codes<float>({1})),
            .to = "float4e2m1"});
  CHECK(odd.code == 1);
  CHECK(odd.message ==
        "in.safetensors: tensor \"w\": safetensors wants elements that fill whole bytes, found 1 element of 4 bits");
}

TEST_CASE("safetensors: a tensor of the wanted type stays where the op-set has no rule for it") {
  const std::string header = R"({"h":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})";
  const std::string input = safetensors(header, codes<double>({1.5}));
  CHECK(data_of(cast({.extension = "safetensors", .input = input, .to = "float64"}).output) == codes<double>({1.5}));
  const Outcome outcome = cast({.extension = "safetensors", .input = input, .to = "float16", .opset = "pypto@8.5.0"});
  CHECK(outcome.code == 2);
  CHECK(outcome.message.starts_with("in.safetensors: tensor \"h\": pypto@8.5.0 does not admit float64"));
}

TEST_CASE("safetensors: shapes of as many extents are written as are read") {
  const auto tensor = [](int extents) {
    std::string message;
    for (int i = 0; i < extents; ++i) message += varint_field(1, 1);
    return message + varint_field(2, 1) + bytes_field(8, "t") + bytes_field(9, codes<float>({1.5}));
  };
  const auto to_safetensors = [&](int extents) {
    return cast({.extension = "pb", .input = tensor(extents), .to = "float32", .output_extension = "safetensors"});
  };
  const Outcome most = to_safetensors(64);
  CHECK(most.code == 0);
  CHECK(cast({.extension = "safetensors", .input = most.output, .to = "float16"}).code == 0);
  const Outcome more = to_safetensors(65);
  CHECK(more.code == 1);
  CHECK(more.message == "out.safetensors: tensor \"t\": expected at most 64 extents");
}

TEST_CASE("safetensors: the name under which headers keep texts is no tensor's") {
  const std::string input =
      varint_field(1, 1) + varint_field(2, 1) + bytes_field(8, "__metadata__") + bytes_field(9, codes<float>({1.5}));
  const Outcome outcome = cast({.extension = "pb", .input = input, .to = "float32", .output_extension = "safetensors"});
  CHECK(outcome.code == 1);
  CHECK(outcome.message.starts_with("out.safetensors: expected another name of a tensor: under __metadata__"));
}

TEST_CASE("safetensors: a name that is no text is none of a tensor's") {
  const auto named = [](std::string_view name) {
    const std::string input =
        varint_field(1, 1) + varint_field(2, 1) + bytes_field(8, name) + bytes_field(9, codes<float>({1.5}));
    return cast({.extension = "pb", .input = input, .to = "float32", .output_extension = "safetensors"});
  };
  const Outcome outcome = named("w\xFF");
  CHECK(outcome.code == 1);
  CHECK(outcome.message == "out.safetensors: name: expected UTF-8, found \"w\\xFF\"");
  CHECK(header_of(named("w\xC3\xA4rme").output).starts_with("{\"w\xC3\xA4rme\":{"));
}

TEST_CASE("safetensors: complaints") {
  struct Case {
    std::string input, message;
  };
  const auto tensor = [](const std::string& members) {
    return safetensors("{\"t\":{" + members + "}}", codes<float>({1}));
  };
  const std::string in_t = "safetensors header: tensor \"t\": ";
  const std::vector<Case> cases = {
      {"abc", "byte 0: expected 8 bytes of header length, found 3 before the file ends"},
      {safetensors("", ""), "byte 0: expected a header length of 2 to 100000000 bytes, found 0"},
      {bytes({255, 255, 255, 255, 255, 255, 255, 127}) + "{}",
       "byte 0: expected a header length of 2 to 100000000 bytes, found 9223372036854775807"},
      {bytes({5, 0, 0, 0, 0, 0, 0, 0}) + "{}",
       "byte 0: expected a header of 5 bytes, as its length says, found 2 before the file ends"},
      {safetensors(" {}", ""), "byte 8: safetensors header: expected '{', found \" \""},
      {safetensors("{]", ""), "byte 9: safetensors header: expected the name of a tensor, found \"]\""},
      {safetensors("{}{}", ""), "byte 10: safetensors header: expected the end, found an object"},
      {safetensors(R"({"t":[]})", ""), "byte 13: " + in_t + "expected an object, found an array"},
      {safetensors(R"({"t":1})", ""), "byte 13: " + in_t + "expected an object, found a number"},
      {safetensors(R"({"t)", ""), "byte 9: safetensors header: expected the end of a string, found none"},
      {safetensors("{\"t\n\":1}", ""),
       "byte 11: safetensors header: expected control characters to be escaped, found one in a string"},
      {safetensors(R"({"\q":1})", ""),
       "byte 10: safetensors header: expected an escape that JSON has, found another one"},
      {safetensors(R"({"\ud800":1})", ""),
       "byte 10: safetensors header: expected an escape that JSON has, found another one"},
      {safetensors("{\"\xFF\":1}", ""), "byte 10: safetensors header: expected well-formed UTF-8, found other bytes"},
      {safetensors("{\"\x80\":1}", ""), "byte 10: safetensors header: expected well-formed UTF-8, found other bytes"},
      {safetensors("{\"t\":{},}", ""), "byte 15: " + in_t + "expected dtype, found the end of the object"},
      {safetensors(R"({"__metadata__":{},"__metadata__":{}})", ""),
       "byte 27: safetensors header: expected __metadata__ once, found it again"},
      {safetensors(R"({"__metadata__":{"a":"","\u0061":""}})", ""),
       "byte 32: safetensors header: expected each key once, found \"a\" again"},
      {safetensors(R"({"__metadata__":{"a":{}}})", ""),
       "byte 29: safetensors header: expected a string, found an object"},
      {safetensors(R"({"__metadata__":{"a":"","a":""}})", ""),
       "byte 32: safetensors header: expected each key once, found \"a\" again"},
      {safetensors(R"({"t":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)"
                   R"("t":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})",
                   ""),
       "byte 62: safetensors header: expected each tensor once, found \"t\" again"},
      {tensor(R"("dtype":1)"), "byte 22: " + in_t + "expected a string, found a number"},
      {tensor(R"("dtype":"F32","shape":[1])"),
       "byte 40: " + in_t + "expected data_offsets, found the end of the object"},
      {tensor(R"("dtype":"F32","dtype":"F32")"), "byte 28: " + in_t + "expected dtype once, found it again"},
      {tensor(R"("colour":"red")"), "byte 14: " + in_t + "expected dtype, shape or data_offsets, found \"colour\""},
      {tensor(R"("shape":[-1])"), "byte 23: " + in_t + "expected a number from 0 to 2^63 - 1, found -1"},
      {tensor(R"("shape":[1.5])"), "byte 23: " + in_t + "expected a whole number, found 1.5"},
      {tensor(R"("shape":[9223372036854775808])"),
       "byte 23: " + in_t + "expected a number from 0 to 2^63 - 1, found 9223372036854775808"},
      {tensor(R"("shape":[[1]])"), "byte 23: " + in_t + "expected a whole number, found an array"},
      {tensor(R"("data_offsets":[0,1,2])"), "byte 33: " + in_t + "expected ']' after two data_offsets, found \",\""},
      {tensor(R"("data_offsets":[0])"), "byte 31: " + in_t + "expected ',' between two data_offsets, found \"]\""},
      {tensor(R"("dtype":"F33","shape":[1],"data_offsets":[0,4])"),
       "byte 22: " + in_t + "expected a dtype such as F32, found \"F33\"; formats that are loaded may have others"},
      {tensor(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4])"),
       "tensor \"t\": shape [4294967296, 4294967296] is too large"},
      {tensor(R"("dtype":"F4","shape":[3],"data_offsets":[0,2])"),
       "tensor \"t\": expected elements that fill whole bytes, found 3 elements of 4 bits"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[4,0])"),
       "tensor \"t\": expected data_offsets [BEGIN, END], found [4, 0], whose end lies before the begin"},
      {tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"),
       "expected 8 bytes of data, found 4: the file ends 4 bytes before what its header announces"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[0,8])"),
       "tensor \"t\": expected 4 bytes for F32 [1], found 8 in data_offsets [0, 8]"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[4,8])"),
       "byte 62: tensor \"t\": expected data from 0 on, found data_offsets [4, 8], which leave a gap"},
      {tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,4])"),
       "tensor \"t\": expected 8 bytes for F32 [2], found 4 in data_offsets [0, 4]"},
      {tensor(R"("dtype":"U8","shape":[2],"data_offsets":[0,2])"),
       "byte 63: expected the end of the file after the last tensor, found 2 bytes more"},
      {tensor(R"("dtype":"U8","shape":[2],"data_offsets":[2,4])"),
       "byte 61: tensor \"t\": expected data from 0 on, found data_offsets [2, 4], which leave a gap"},
      {safetensors(R"({"t":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                   R"("u":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
                   "1234"),
       "byte 115: tensor \"u\": expected data from 3 on, found data_offsets [2, 4], which overlap another "
       "tensor"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = cast({.extension = "safetensors", .input = c.input, .to = "float16"});
    CHECK(outcome.message == "in.safetensors: " + c.message);
    CHECK(outcome.code == 1);
  }
  const Outcome complex =
      cast({.extension = "safetensors",
            .input = safetensors(R"({"z":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}})", "12345678"),
            .to = "float16",
            .tensors = {"z"}});
  CHECK(complex.code == 1);
  CHECK(complex.message == "in.safetensors: tensor \"z\": cannot cast C64");
}

TEST_CASE("safetensors: nesting costs nothing") {
  std::string deep = R"({"t":)";
  for (int i = 0; i < 1000000; ++i) deep += "[";
  CHECK(cast({.extension = "safetensors", .input = safetensors(deep, ""), .to = "float16"}).message ==
        "in.safetensors: byte 13: safetensors header: tensor \"t\": expected an object, found an array");
}

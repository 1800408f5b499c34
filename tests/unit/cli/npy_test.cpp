#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace cli_test;

namespace {

// What numpy.save writes for such an array (NumPy 2): padded to 64 bytes with room for the growing axis.
std::string saved(std::string_view dictionary, std::size_t size, std::string_view data) {
  std::string header(dictionary);
  header.append(size - header.size() - 1, ' ');
  return npy(header + '\n', data);
}

const std::string kFloats = codes<float>({1.0F, -2.0F, 0.5F, 65504.0F, -0.0F, 3.0F});
const std::string kHalves = codes<std::uint16_t>({0x3C00, 0xC000, 0x3800, 0x7BFF, 0x8000, 0x4200});

}  // namespace

TEST_CASE("npy: float32 to float16, header as NumPy writes it") {
  const Outcome outcome = cast({.extension = "npy", .input = npy_array("<f4", "(2, 3)", kFloats), .to = "float16"});
  CHECK(outcome.message == "");
  CHECK(outcome.output == saved("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }", 118, kHalves));
}

TEST_CASE("npy: rank 0, rank 1, empty arrays") {
  CHECK(cast({.extension = "npy", .input = npy_array("<f4", "()", codes<float>({1})), .to = "float16"}).output ==
        saved("{'descr': '<f2', 'fortran_order': False, 'shape': (), }", 118, codes<std::uint16_t>({0x3C00})));
  CHECK(cast({.extension = "npy", .input = npy_array("<f4", "(1,)", codes<float>({1})), .to = "float16"}).output ==
        saved("{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", 118, codes<std::uint16_t>({0x3C00})));
  CHECK(cast({.extension = "npy", .input = npy_array("<f4", "(3, 0, 9223372036854775807)", ""), .to = "float16"})
            .output ==
        saved("{'descr': '<f2', 'fortran_order': False, 'shape': (3, 0, 9223372036854775807), }", 118, ""));
}

TEST_CASE("npy: all header versions and spellings are read") {
  const std::string expected =
      cast({.extension = "npy", .input = npy_array("<f4", "(6,)", kFloats), .to = "float16"}).output;
  REQUIRE(!expected.empty());
  for (const int version : {1, 2, 3}) {
    for (const char* header : {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }   \n",
                               "{\"shape\": (6L,), \"fortran_order\": False, \"descr\": \"=f4\"}",
                               "{ 'shape':(6 ,),'descr':'f4','fortran_order':False}\n"}) {
      CHECK(cast({.extension = "npy", .input = npy(header, kFloats, version), .to = "float16"}).output == expected);
    }
  }
}

TEST_CASE("npy: big-endian input") {
  const std::string big = bytes({0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0});
  CHECK(cast({.extension = "npy", .input = npy_array(">f4", "(2,)", big), .to = "float16"}).output.substr(128) ==
        codes<std::uint16_t>({0x3C00, 0xC000}));
  const std::string big64 = bytes({0x3F, 0xF0, 0, 0, 0, 0, 0, 0});
  CHECK(cast({.extension = "npy", .input = npy_array(">f8", "(1,)", big64), .to = "float32"}).output.substr(128) ==
        codes<float>({1}));
  CHECK(
      cast({.extension = "npy", .input = npy_array(">i2", "(1,)", bytes({1, 2})), .to = "int32"}).output.substr(128) ==
      codes<std::int32_t>({0x0102}));
  CHECK(cast({.extension = "npy",
              .input = npy_array(">V2", "(1,)", bytes({0x3F, 0x80})),
              .to = "float32",
              .from = "bfloat16"})
            .output.substr(128) == codes<float>({1}));
}

TEST_CASE("npy: Fortran order stays") {
  const std::string input = npy_array("<f4", "(2, 3)", kFloats, true);
  CHECK(cast({.extension = "npy", .input = input, .to = "float16"}).output ==
        saved("{'descr': '<f2', 'fortran_order': True, 'shape': (2, 3), }", 118, kHalves));
  for (const char* other : {"raw", "pb", "safetensors"}) {
    const Outcome outcome = cast({.extension = "npy", .input = input, .to = "float16", .output_extension = other});
    CHECK(outcome.output.ends_with(codes<std::uint16_t>({0x3C00, 0x3800, 0x8000, 0xC000, 0x7BFF, 0x4200})));
  }
  // A vector lies the same way in both orders.
  CHECK(cast({.extension = "npy",
              .input = npy_array("<f4", "(1, 6)", kFloats, true),
              .to = "float16",
              .output_extension = "raw"})
            .output == kHalves);
}

TEST_CASE("npy: types without a name of their own") {
  const std::string ones = bytes({0x38, 0xB8});  // float8e4m3fn 1 and -1
  const Outcome ambiguous = cast({.extension = "npy", .input = npy_array("|V1", "(2,)", ones), .to = "float32"});
  CHECK(ambiguous.code == 2);
  CHECK(ambiguous.message.starts_with("in.npy: \"|V1\" may be any of "));
  CHECK(ambiguous.message.ends_with("; say which with --from"));
  const Folder folder;
  folder.write("in.npy", npy_array("|V1", "(2,)", ones));
  const Run loaded = program(folder, "--load shelf/ue5m3 cast in.npy out.npy --to float32");
  CHECK(loaded.errors.ends_with(", ue5m3; say which with --from\n"));
  for (const char* descr : {"<V1", "|V1", "|u1"}) {
    CHECK(cast({.extension = "npy", .input = npy_array(descr, "(2,)", ones), .to = "float32", .from = "float8e4m3fn"})
              .output.substr(128) == codes<float>({1, -1}));
  }
  CHECK(cast({.extension = "npy", .input = npy_array("<V2", "(1,)", codes<std::uint16_t>({0x3F80})), .to = "float32"})
            .output.substr(128) == codes<float>({1}));
  CHECK(cast({.extension = "npy", .input = npy_array(">V2", "(1,)", bytes({0x3F, 0x80})), .to = "float32"})
            .output.substr(128) == codes<float>({1}));
  // Two bytes of NumPy's own type void, not the bfloat16 of ml_dtypes, unless somebody says so.
  for (const char* descr : {"|V2", "V2", "=V2"}) {
    const std::string record = npy_array(descr, "(1,)", codes<std::uint16_t>({0x3F80}));
    const Outcome refused = cast({.extension = "npy", .input = record, .to = "float32"});
    CHECK(refused.code == 1);
    CHECK(refused.message.find("npy header: expected a bool, integer or floating type, found \"") != std::string::npos);
    CHECK(refused.message.ends_with("; where these bytes are a type's codes, say which with --from"));
    CHECK(cast({.extension = "npy", .input = record, .to = "float32", .from = "bfloat16"}).output.substr(128) ==
          codes<float>({1}));
  }
  CHECK(cast({.extension = "npy", .input = npy_array("<f1", "(1,)", bytes({0x3C})), .to = "float32"})
            .output.substr(128) == codes<float>({1}));
  CHECK(
      cast({.extension = "npy", .input = npy_array("<f4", "(6,)", kFloats), .to = "bfloat16"}).output.substr(10, 15) ==
      "{'descr': '<V2'");
  // A type whose own description says so.
  folder.write("own.json", R"({"name": "f24x", "id": 1002, "kind": "float", "signed": true, "exponent_bits": 8,
      "mantissa_bits": 15, "exponent_bias": 127, "subnormals": true, "infinity": true, "nan": "ieee",
      "storage_bits": 32, "aliases": {"numpy": "|V4"}})");
  folder.write("x.npy", npy_array("<f4", "(6,)", kFloats));
  const std::string load = "--load own.json cast ";
  REQUIRE(program(folder, load + "x.npy own.npy --to f24x").code == 0);
  CHECK(folder.read("own.npy").substr(10, 15) == "{'descr': '|V4'");
  CHECK(program(folder, load + "own.npy back.npy --to float32").code == 0);
  // ml_dtypes calls float8e5m2 '<f1', which NumPy alone does not open.
  CHECK(cast({.extension = "npy", .input = npy_array("<f4", "(6,)", kFloats), .to = "float8e5m2"})
            .output.substr(10, 15) == "{'descr': '<V1'");
}

TEST_CASE("npy: 4-bit types are one element per byte and upper bits are ignored") {
  const Outcome out =
      cast({.extension = "npy", .input = npy_array("<f4", "(3,)", codes<float>({1, -2, 7})), .to = "int4"});
  CHECK(out.output.substr(128) == bytes({1, 14, 7}));
  for (const int upper : {0x00, 0xF0, 0x50}) {
    const std::string data = bytes({upper | 1, upper | 14, upper | 7});
    CHECK(cast({.extension = "npy", .input = npy_array("<V1", "(3,)", data), .to = "float32", .from = "int4"})
              .output.substr(128) == codes<float>({1, -2, 7}));
  }
  CHECK(cast({.extension = "npy",
              .input = npy_array("<V1", "(5,)", bytes({1, 2, 3, 0, 1})),
              .to = "uint2",
              .from = "uint2",
              .output_extension = "raw"})
            .output == bytes({0x39, 0x01}));
}

TEST_CASE("npy: complaints name the byte") {
  struct Case {
    std::string input;
    int code;
    std::string message;
  };
  const std::string ok = npy_array("<f4", "(2,)", codes<float>({1, 2}));  // the header is 58 bytes from byte 10 on
  const auto dictionary = [](const std::string& header) { return npy(header, codes<float>({1, 2})); };
  const std::vector<Case> cases = {
      {"", 1, "in.npy: byte 0: expected the npy signature \"\\x93NUMPY\", found \"\""},
      {"PK\x03\x04zip file", 1, "in.npy: byte 0: expected the npy signature \"\\x93NUMPY\", found \"PK\\x03\\x04zi\""},
      {"\x93NUMPY\x01", 1, "in.npy: byte 6: expected the npy version, found the end of the file"},
      {npy("{}", "", 4), 1, "in.npy: byte 6: expected npy version 1.0, 2.0 or 3.0, found 4.0"},
      {std::string("\x93NUMPY\x01\0\x05", 9), 1,
       "in.npy: byte 8: expected the header length, found the end of the file"},
      {std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF{}", 14), 1,
       "in.npy: byte 8: expected a header of at most 2 bytes, found length 4294967295"},
      {dictionary("[]"), 1, "in.npy: byte 10: npy header: expected '{', found \"[]\""},
      {dictionary("{'descr': '<f4', 'shape': (2,)}"), 1,
       "in.npy: byte 41: npy header: expected the key 'fortran_order', found the end of the dictionary"},
      {dictionary("{'descr': '<f4', 'descr': '<f4'}"), 1,
       "in.npy: byte 27: npy header: expected each key once, found \"descr\" again"},
      {dictionary("{'order': 1}"), 1,
       "in.npy: byte 11: npy header: expected the key 'descr', 'fortran_order' or 'shape', found "
       "\"order\""},
      {dictionary("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,)}"), 1,
       "in.npy: byte 20: npy header: expected a single element type, found a record type"},
      {dictionary("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"), 1,
       "in.npy: byte 44: npy header: expected True or False, found \"0, 'shape': \""},
      {dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}"), 1,
       "in.npy: byte 61: npy header: expected a non-negative extent, found \"-2,)}\""},
      {dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}"), 1,
       "in.npy: byte 62: npy header: expected ',' after the only extent, found \")}\""},
      {dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,)}"), 1,
       "in.npy: byte 61: npy header: expected an extent below 2^63, found a larger number"},
      {dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"), 1,
       "in.npy: byte 0: npy header: shape [4294967296, 4294967296] is too large"},
      {dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x"), 1,
       "in.npy: byte 66: npy header: expected the end of the header, found \"x\""},
      {dictionary("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}"), 1,
       "in.npy: byte 20: npy header: expected a bool, integer or floating type, found \"<c8\""},
      {dictionary("{'descr': 'object', 'fortran_order': False, 'shape': (1,)}"), 1,
       "in.npy: byte 20: npy header: expected a type such as '<f4', found \"object\""},
      {dictionary("{'descr': '<U', 'fortran_order': False, 'shape': (1,)}"), 1,
       "in.npy: byte 20: npy header: expected a type such as '<f4', found \"<U\""},
      {ok.substr(0, ok.size() - 1), 1, "in.npy: byte 75: expected 8 bytes of data for float32 [2], found 7"},
      {ok + "xy", 1, "in.npy: byte 76: expected the end of the file after float32 [2], found 2 bytes more"},
      {ok + "x", 1, "in.npy: byte 76: expected the end of the file after float32 [2], found 1 byte more"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = cast({.extension = "npy", .input = c.input, .to = "float16"});
    CHECK(outcome.message == c.message);
    CHECK(outcome.code == c.code);
  }
  CHECK(cast({.extension = "npy", .input = ok, .to = "float16", .from = "int32"}).message ==
        "in.npy: byte 20: npy header: expected int32 (4 bytes), found \"<f4\"");
  CHECK(cast({.extension = "npy", .input = npy_array("|i1", "(1,)", "x"), .to = "float16", .from = "int4"}).message ==
        "in.npy: byte 20: npy header: expected int4 (1 byte), found \"|i1\"; view it as uint8 first");
  CHECK(cast({.extension = "npy", .input = npy_array("<i2", "(1,)", "xx"), .to = "float16", .from = "bfloat16"})
            .message ==
        "in.npy: byte 20: npy header: expected bfloat16 (2 bytes), found \"<i2\"; view it as uint16 first");
  CHECK(cast({.extension = "npy", .input = npy_array("<i2", "(1,)", "xx"), .to = "float16", .from = "int4"}).message ==
        "in.npy: byte 20: npy header: expected int4 (1 byte), found \"<i2\"");
}

TEST_CASE("npy: the highest rank") {
  std::string dims;
  for (int i = 0; i < 64; ++i) dims += varint_field(1, 1);
  const std::string tensor = varint_field(2, 1) + bytes_field(9, codes<float>({1}));
  const Outcome most = cast({.extension = "pb", .input = dims + tensor, .to = "float16", .output_extension = "npy"});
  CHECK(cast({.extension = "npy", .input = most.output, .to = "float32"}).code == 0);
  const Outcome more =
      cast({.extension = "pb", .input = dims + dims + tensor, .to = "float16", .output_extension = "npy"});
  CHECK(more.code == 1);
  CHECK(more.message == "npy arrays have at most 64 extents, found 128");
}

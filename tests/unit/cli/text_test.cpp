// Strings: one per line in raw files, U and S arrays in npy, string_data in pb.
#include "support.hpp"

#include "cli/io/unicode.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace cli_test;

namespace {

/// UTF-32, little-endian.
std::string utf32(std::initializer_list<std::uint32_t> code_points) { return codes<std::uint32_t>(code_points); }

std::string string_tensor(std::initializer_list<std::string_view> texts) {
  std::string out = varint_field(1, texts.size()) + varint_field(2, 8);
  for (const std::string_view text : texts) out += bytes_field(6, text);
  return out;
}

}  // namespace

TEST_CASE("text: lines to numbers and back") {
  CHECK(cast({.extension = "raw", .input = "1.5\n 2e3 \n-0\nNaN", .to = "float16", .from = "string"}).output ==
        codes<std::uint16_t>({0x3E00, 0x67D0, 0x8000, 0x7E00}));
  CHECK(cast({.extension = "raw",
              .input = codes<std::uint16_t>({0x3E00, 0x67D0, 0x8000, 0xFE00}),
              .to = "string",
              .from = "float16"})
            .output == "1.5\n2000\n-0\nNaN\n");
  CHECK(cast({.extension = "raw", .input = "", .to = "float16", .from = "string"}).output == "");
  CHECK(cast({.extension = "raw", .input = "7\n", .to = "int4", .from = "string"}).output == bytes({7}));
  CHECK(cast({.extension = "raw", .input = "7\n-8\n1", .to = "int4", .from = "string"}).output == bytes({0x87, 0x01}));
  // The notation belongs to the op-set.
  const std::string small = codes<float>({1e-7F});
  CHECK(cast({.extension = "raw", .input = small, .to = "string", .from = "float32"}).output == "0.0000001\n");
  CHECK(cast({.extension = "raw", .input = small, .to = "string", .from = "float32", .opset = "onnx-reference@25"})
            .output == "1e-07\n");
}

TEST_CASE("text: pb") {
  CHECK(cast({.extension = "pb", .input = string_tensor({"1", "-2.5"}), .to = "float32"}).output ==
        varint_field(1, 2) + varint_field(2, 1) + bytes_field(9, codes<float>({1, -2.5})));
  const std::string floats = varint_field(1, 2) + varint_field(2, 1) + bytes_field(8, "n") +
                             bytes_field(9, codes<float>({1, -2.5})) + bytes_field(12, "doc");
  CHECK(cast({.extension = "pb", .input = floats, .to = "string"}).output ==
        varint_field(1, 2) + varint_field(2, 8) + bytes_field(8, "n") + bytes_field(6, "1") + bytes_field(6, "-2.5") +
            bytes_field(12, "doc"));
  // A string is any bytes; as a copy it stays what it is.
  const std::string any = string_tensor({"", std::string_view("a\0b", 3), "\xFF"});
  CHECK(cast({.extension = "pb", .input = any, .to = "string"}).output == any);
}

TEST_CASE("text: strings of pb that reach over the end of the buffer, and long ones") {
  std::string entries;
  std::vector<float> numbers;
  for (std::uint32_t i = 0; i < 40000; ++i) {  // every length up to 13, about 400 KB
    const std::string number = std::to_string(i % 1000);
    entries += bytes_field(6, std::string(i % 11, ' ') + number);
    numbers.push_back(static_cast<float>(i % 1000));
  }
  for (const std::size_t length : {65534, 65535, 65536, 65537, 70000}) {  // the buffer has 65536 bytes
    entries += bytes_field(6, std::string(length, '0') + "7");
    numbers.push_back(7);
  }
  const std::string input = varint_field(1, numbers.size()) + varint_field(2, 8) + entries;
  std::string raw;
  for (const float number : numbers) raw += codes<float>({number});
  CHECK(cast({.extension = "pb", .input = input, .to = "float32"}).output ==
        varint_field(1, numbers.size()) + varint_field(2, 1) + bytes_field(9, raw));
}

TEST_CASE("text: npy") {
  const std::string wide = utf32({'1', 0, 0, '-', '2', '5'});
  CHECK(cast({.extension = "npy", .input = npy_array("<U3", "(2,)", wide), .to = "int8"}).output.substr(128) ==
        bytes({1, 0xE7}));
  CHECK(cast({.extension = "npy", .input = npy_array(">U1", "(1,)", bytes({0, 0, 0, '7'})), .to = "int8"})
            .output.substr(128) == bytes({7}));
  CHECK(cast({.extension = "npy", .input = npy_array("|S3", "(2,)", std::string_view("1\0\0-25", 6)), .to = "int8"})
            .output.substr(128) == bytes({1, 0xE7}));
  const Outcome made =
      cast({.extension = "npy", .input = npy_array("<f4", "(2,)", codes<float>({1, -25})), .to = "string"});
  CHECK(made.output.substr(10, 60) == "{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }   ");
  CHECK(made.output.substr(128) == wide);
  // NumPy has no strings of length 0, and reads a missing text as an empty one.
  const Outcome none = cast({.extension = "npy", .input = npy_array("<f4", "(0,)", ""), .to = "string"});
  CHECK(none.output.substr(10, 15) == "{'descr': '<U1'");
  // UTF-8 elsewhere, UTF-32 here.
  const Outcome words = cast({.extension = "pb",
                              .input = string_tensor({"caf\xC3\xA9", "\xF0\x9F\x98\x80", ""}),
                              .to = "string",
                              .output_extension = "npy"});
  CHECK(words.output.substr(128) == utf32({'c', 'a', 'f', 0xE9, 0x1F600, 0, 0, 0, 0, 0, 0, 0}));
  CHECK(cast({.extension = "npy", .input = words.output, .to = "string", .output_extension = "raw"}).output ==
        "caf\xC3\xA9\n\xF0\x9F\x98\x80\n\n");
}

TEST_CASE("text: complaints name the element") {
  const Outcome word = cast({.extension = "raw", .input = "1\n2\nabc\n", .to = "float32", .from = "string"});
  CHECK(word.code == 1);
  CHECK(word.message.starts_with("in.raw: "));
  CHECK(word.message.find("element 2") != std::string::npos);
  CHECK(word.message.find("\"abc\"") != std::string::npos);
  const Outcome range = cast({.extension = "pb", .input = string_tensor({"1", "18446744073709551616"}), .to = "int64"});
  CHECK(range.code == 1);
  CHECK(range.message.find("element 1") != std::string::npos);

  const Outcome line =
      cast({.extension = "pb", .input = string_tensor({"a", "b\nc"}), .to = "string", .output_extension = "raw"});
  CHECK(line.code == 1);
  CHECK(line.message == "out.raw: element 1: a raw file holds one string per line, found one with a line feed");
  const Outcome utf8 =
      cast({.extension = "pb", .input = string_tensor({"a", "\xFF"}), .to = "string", .output_extension = "npy"});
  CHECK(utf8.code == 1);
  CHECK(utf8.message == "in.pb: element 1: expected UTF-8, found \"\\xFF\"");
  // NumPy fills strings up with U+0000, and takes off what they end in.
  const auto with_zero = [](std::string_view text) {
    return cast({.extension = "pb", .input = string_tensor({"a", text}), .to = "string", .output_extension = "npy"});
  };
  for (const std::string_view text : {std::string_view("b\0", 2), std::string_view("\0", 1)}) {
    const Outcome zero = with_zero(text);
    CHECK(zero.code == 1);
    CHECK(zero.message.starts_with("in.pb: element 1: a string that ends in U+0000 loses it in npy, found \""));
  }
  CHECK(with_zero(std::string_view("b\0c", 3)).output.substr(128) == utf32({'a', 0, 0, 'b', 0, 'c'}));
  const Outcome surrogate = cast({.extension = "npy",
                                  .input = npy_array("<U1", "(2,)", utf32({'a', 0xD800})),
                                  .to = "int8",
                                  .output_extension = "raw"});
  CHECK(surrogate.code == 1);
  CHECK(surrogate.message == "in.npy: element 1: expected a Unicode code point, found 55296");
  const Outcome empty = cast({.extension = "npy", .input = npy_array("<U0", "(2,)", ""), .to = "int8"});
  CHECK(empty.message == "in.npy: byte 20: npy header: expected strings of 1 to 16777216 bytes, found \"<U0\"");
  const Outcome wide = cast({.extension = "npy", .input = npy_array("<U99999999", "(2,)", ""), .to = "int8"});
  CHECK(wide.message == "in.npy: byte 20: npy header: expected strings of 1 to 16777216 bytes, found \"<U99999999\"");
  CHECK(cast({.extension = "pb", .input = varint_field(1, 2) + varint_field(2, 8) + bytes_field(6, "1"), .to = "int8"})
            .message == "in.pb: string_data: expected 2 entries, found 1");
  CHECK(cast({.extension = "pb", .input = string_tensor({"1"}) + bytes_field(6, "1"), .to = "int8"}).message ==
        "in.pb: byte 7: string_data: expected 1 entries, found more");
  CHECK(cast({.extension = "pb", .input = varint_field(1, 0) + varint_field(2, 8) + bytes_field(9, ""), .to = "int8"})
            .message == "in.pb: byte 4: expected strings in string_data, found raw_data");
  CHECK(cast({.extension = "raw", .input = std::string((1 << 24) + 1, '1'), .to = "int8", .from = "string"}).message ==
        "in.raw: byte 0: expected a line of at most 16777216 bytes, found a longer one");
}

TEST_CASE("text: what is not admitted is wrong usage") {
  const Outcome old = cast({.extension = "raw", .input = "1\n", .to = "float32", .from = "string", .opset = "onnx@6"});
  CHECK(old.code == 2);
  CHECK(old.message.starts_with("onnx@6 does not admit string"));
  const Outcome format = cast({.extension = "raw",
                               .input = codes<float>({1}),
                               .to = "string",
                               .from = "float32",
                               .output_extension = "safetensors"});
  CHECK(format.code == 2);
  CHECK(format.message == "out.safetensors: a safetensors file cannot hold string");
}

TEST_CASE("text: more than a block, several threads, pipes") {
  std::string lines, numbers;
  for (int i = 0; i < 200003; ++i) {
    lines += std::to_string(i) + "\n";
    numbers += codes<std::int32_t>({i});
  }
  for (const unsigned threads : {1U, 4U}) {
    CHECK(cast({.extension = "raw", .input = lines, .to = "int32", .from = "string", .threads = threads}).output ==
          numbers);
    CHECK(cast({.extension = "raw", .input = numbers, .to = "string", .from = "int32", .threads = threads}).output ==
          lines);
    const Outcome bad =
        cast({.extension = "raw", .input = lines + "x", .to = "int32", .from = "string", .threads = threads});
    CHECK(bad.code == 1);
    CHECK(bad.message.find("element 200003") != std::string::npos);
  }
  const Folder folder;
  folder.write("in.raw", lines);
  CHECK(program(folder, "cast - - --from string --to int32 < in.raw").output == numbers);
  CHECK(program(folder, "cast - out.npy --from string --to int32 --count 200003 < in.raw").code == 0);
  CHECK(folder.read("out.npy").substr(128) == numbers);
  const Run fewer = program(folder, "cast - - --from string --to int32 --count 200004 < in.raw");
  CHECK(fewer.code == 1);
  CHECK(fewer.errors ==
        "castforge: standard input: byte " + std::to_string(lines.size()) + ": expected 200004 lines, found 200003\n");
  const Run more = program(folder, "cast - - --from string --to int32 --count 3 < in.raw");
  CHECK(more.code == 1);
  CHECK(more.errors == "castforge: standard input: byte 6: expected 3 lines, found more\n");
  const Run unknown = program(folder, "cast - out.npy --from string --to string --count 200003 < in.raw");
  CHECK(unknown.code == 2);
  CHECK(unknown.errors ==
        "castforge: standard input: npy output of strings needs their greatest length first, which a "
        "stream does not tell\n");
}

TEST_CASE("UTF-8 by the book") {
  using castforge::cli::count_code_points;
  CHECK(count_code_points("") == 0);
  CHECK(count_code_points("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") == 4);
  for (const char* bad : {"\x80", "\xC3", "\xC3(", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xF8\x88\x80\x80\x80"}) {
    CHECK(!count_code_points(bad));
  }
  // Every code point is read back.
  for (char32_t c = 1; c <= 0x10FFFF; ++c) {
    std::string utf8;
    if (!castforge::cli::append_utf8(utf8, c)) {
      CHECK((c >= 0xD800 && c <= 0xDFFF));
      continue;
    }
    std::string_view rest = utf8;
    if (castforge::cli::take_code_point(rest) != c || !rest.empty()) {
      FAIL("code point " << static_cast<unsigned>(c));
    }
  }
}

#include "child.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>

using namespace cli_test;

namespace {

// Field numbers and data types of onnx.proto.
constexpr std::uint32_t kDims = 1, kDataType = 2, kSegment = 3, kFloatData = 4, kInt32Data = 5, kInt64Data = 7,
                        kName = 8, kRawData = 9, kDoubleData = 10, kUint64Data = 11, kDocString = 12, kExternal = 13,
                        kLocation = 14;
constexpr std::uint64_t kFloat = 1, kUint8 = 2, kInt8 = 3, kInt32 = 6, kInt64 = 7, kBool = 9, kFloat16 = 10,
                        kDouble = 11, kUint32 = 12, kUint64 = 13, kFloat8e4m3fn = 17, kUint4 = 21, kInt4 = 22;

std::string dims(std::initializer_list<std::uint64_t> extents) {
  std::string out;
  for (const std::uint64_t extent : extents) out += varint_field(kDims, extent);
  return out;
}

std::string minus(std::int64_t value) { return varint(static_cast<std::uint64_t>(-value)); }

Outcome to_raw(const std::string& message, const std::string& to) {
  return cast({.extension = "pb", .input = message, .to = to, .output_extension = "raw"});
}

}  // namespace

TEST_CASE("pb: raw_data") {
  const std::string floats = codes<float>({1, -2, 0.5});
  // The order of fields is free; what holds no elements is kept, unknown fields too.
  const std::string input = dims({3}) + varint_field(kDataType, kFloat) + bytes_field(kName, "weight") +
                            bytes_field(kRawData, floats) + bytes_field(kDocString, "doc") + varint_field(99, 5) +
                            varint(77 * 8 + 5) + "abcd" + varint(78 * 8 + 1) + "abcdefgh";
  const Outcome outcome = cast({.extension = "pb", .input = input, .to = "float16"});
  CHECK(outcome.message == "");
  CHECK(outcome.output == dims({3}) + varint_field(kDataType, kFloat16) + bytes_field(kName, "weight") +
                              bytes_field(kRawData, codes<std::uint16_t>({0x3C00, 0xC000, 0x3800})) +
                              bytes_field(kDocString, "doc") + varint_field(99, 5) + varint(77 * 8 + 5) + "abcd" +
                              varint(78 * 8 + 1) + "abcdefgh");
  const std::string shuffled = bytes_field(kRawData, floats) + bytes_field(kName, "weight") +
                               varint_field(kDataType, kFloat) + bytes_field(kDims, varint(3));
  CHECK(to_raw(shuffled, "float16").output == codes<std::uint16_t>({0x3C00, 0xC000, 0x3800}));
}

TEST_CASE("pb: rank 0, no elements") {
  CHECK(to_raw(varint_field(kDataType, kFloat) + bytes_field(kRawData, codes<float>({1})), "float16").output ==
        codes<std::uint16_t>({0x3C00}));
  CHECK(cast({.extension = "pb", .input = dims({0, 3}) + varint_field(kDataType, kFloat), .to = "float16"}).output ==
        dims({0, 3}) + varint_field(kDataType, kFloat16) + bytes_field(kRawData, ""));
}

TEST_CASE("pb: lengths and extents of one byte and of two") {
  for (const std::size_t count : {127, 128, 129}) {
    const std::string elements(count, '\1');
    const Outcome made =
        cast({.extension = "raw", .input = elements, .to = "int8", .from = "uint8", .output_extension = "pb"});
    CHECK(made.output ==
          bytes_field(kDims, varint(count)) + varint_field(kDataType, kInt8) + bytes_field(kRawData, elements));
    CHECK(to_raw(made.output, "uint8").output == elements);
  }
}

TEST_CASE("pb: made from other formats") {
  const Outcome made = cast({.extension = "npy",
                             .input = npy_array("<f4", "(2, 1)", codes<float>({1, 7})),
                             .to = "int4",
                             .output_extension = "pb"});
  CHECK(made.output == bytes_field(kDims, varint(2) + varint(1)) + varint_field(kDataType, kInt4) +
                           bytes_field(kRawData, bytes({0x71})));
  const Outcome back = cast({.extension = "pb", .input = made.output, .to = "float32", .output_extension = "npy"});
  CHECK(back.output.substr(10, 60) == "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), } ");
  CHECK(back.output.substr(128) == codes<float>({1, 7}));
}

TEST_CASE("pb: typed fields, packed and not") {
  // float_data
  const std::string head = dims({3}) + varint_field(kDataType, kFloat);
  const auto one = [](float value) { return varint(kFloatData * 8 + 5) + codes<float>({value}); };
  const std::string halves = codes<std::uint16_t>({0x3C00, 0xC000, 0x3800});
  CHECK(to_raw(head + bytes_field(kFloatData, codes<float>({1, -2, 0.5})), "float16").output == halves);
  CHECK(to_raw(head + one(1) + one(-2) + one(0.5), "float16").output == halves);
  CHECK(to_raw(head + one(1) + bytes_field(kFloatData, codes<float>({-2, 0.5})), "float16").output == halves);
  CHECK(to_raw(head + bytes_field(kFloatData, "") + one(1) + bytes_field(kFloatData, codes<float>({-2})) + one(0.5),
               "float16")
            .output == halves);
  // double_data, int64_data, uint64_data
  CHECK(
      to_raw(dims({2}) + varint_field(kDataType, kDouble) + bytes_field(kDoubleData, codes<double>({1, -2})), "float32")
          .output == codes<float>({1, -2}));
  CHECK(to_raw(dims({2}) + varint_field(kDataType, kInt64) + bytes_field(kInt64Data, varint(300) + minus(5)), "int16")
            .output == codes<std::int16_t>({300, -5}));
  CHECK(
      to_raw(dims({2}) + varint_field(kDataType, kUint32) + bytes_field(kUint64Data, varint(300) + varint(0xFFFFFFFF)),
             "uint64")
          .output == codes<std::uint64_t>({300, 0xFFFFFFFF}));
  CHECK(to_raw(dims({1}) + varint_field(kDataType, kUint64) + varint_field(kUint64Data, ~std::uint64_t{0}), "uint64")
            .output == codes<std::uint64_t>({~std::uint64_t{0}}));
}

TEST_CASE("pb: int32_data holds integers and bit patterns") {
  const auto from = [](std::uint64_t type, std::uint64_t count, const std::string& entries, const std::string& to) {
    return to_raw(dims({count}) + varint_field(kDataType, type) + bytes_field(kInt32Data, entries), to).output;
  };
  CHECK(from(kInt32, 2, varint(7) + minus(7), "int64") == codes<std::int64_t>({7, -7}));
  CHECK(from(kInt8, 2, varint(7) + minus(7), "int16") == codes<std::int16_t>({7, -7}));
  CHECK(from(kUint8, 1, varint(200), "int16") == codes<std::int16_t>({200}));
  CHECK(from(kBool, 2, varint(1) + varint(0), "int8") == bytes({1, 0}));
  CHECK(from(kFloat16, 2, varint(0x3C00) + varint(0xC000), "float32") == codes<float>({1, -2}));
  CHECK(from(kFloat8e4m3fn, 2, varint(0x38) + varint(0xB8), "float32") == codes<float>({1, -1}));
  // Packed types: an entry is a byte with its elements; old files sign-extend it.
  CHECK(from(kInt4, 3, varint(0xF1) + varint(0x02), "int8") == bytes({1, 255, 2}));
  CHECK(from(kUint4, 3, minus(15) + varint(0x02), "int8") == bytes({1, 15, 2}));
}

TEST_CASE("pb: published test data") {
  // ONNX node test test_cast_INT2_to_INT8: input and output of the node.
  const Outcome outcome =
      to_raw(dims({7, 1}) + varint_field(kDataType, 26) + bytes_field(kRawData, bytes({0x39, 0x39})), "int8");
  CHECK(outcome.output == bytes({0x01, 0xFE, 0xFF, 0x00, 0x01, 0xFE, 0xFF}));
}

TEST_CASE("pb: complaints") {
  struct Case {
    std::string input, message;
  };
  const std::string head = dims({2}) + varint_field(kDataType, kFloat);  // 4 bytes
  const std::string as_in_model =
      ", as in an ONNX model, which `castforge info` and `castforge convert` take as an .onnx file";
  const std::vector<Case> cases = {
      {"", "byte 0: expected the field data_type, found the end of the message"},
      {dims({2}), "byte 2: expected the field data_type, found the end of the message"},
      {varint_field(kDataType, 0),
       "byte 0: data_type: expected the number of a known element type, found 0 (UNDEFINED)"},
      {varint_field(kDataType, 14),
       "byte 0: data_type: expected the number of a known element type, found 14 (COMPLEX64)"},
      {varint_field(kDataType, 15),
       "byte 0: data_type: expected the number of a known element type, found 15 (COMPLEX128)"},
      {varint_field(kDataType, 99), "byte 0: data_type: expected the number of a known element type, found 99"},
      {head + varint_field(kDataType, kFloat), "byte 4: data_type: expected once, found again"},
      {head, "float_data: expected 2 entries for 2 elements, found 0"},
      {head + bytes_field(kRawData, "1234567"), "byte 6: raw_data: expected 8 bytes for float32 [2], found 7"},
      {head + bytes_field(kRawData, "12345678") + bytes_field(kRawData, "12345678"),
       "byte 14: raw_data: expected once, found again"},
      {head + bytes_field(kRawData, "12345678") + bytes_field(kFloatData, "12345678"),
       "byte 14: expected elements in raw_data only, found float_data too"},
      {head + bytes_field(kInt32Data, varint(1)),
       "byte 4: expected elements of float32 in float_data or raw_data, found int32_data"},
      {head + bytes_field(kFloatData, "12345678abcd"), "float_data: expected 2 entries for 2 elements, found more"},
      {head + bytes_field(kFloatData, "1234567"), "byte 6: float_data: expected entries of 4 bytes, found 7 bytes"},
      {head + varint_field(kFloatData, 1), "byte 4: float_data: expected wire type 5 or 2, found 0"},
      {varint_field(1, 10) + bytes_field(kDataType, "pytorch"),  // a model
       "byte 2: data_type: expected wire type 0, found 2" + as_in_model},
      {varint_field(1, 10) + bytes_field(7, bytes_field(2, "graph")) + bytes_field(8, varint_field(2, 21)),
       "byte 15: expected the field data_type, found the end of the message" + as_in_model},
      {varint_field(kRawData, 1), "byte 0: raw_data: expected wire type 2, found 0"},
      {varint_field(kName, 1), "byte 0: name: expected wire type 2, found 0"},
      {bytes_field(kName, std::string(65537, 'n')), "byte 0: name: expected at most 65536 bytes, found length 65537"},
      {varint_field(kDims, ~std::uint64_t{0}), "byte 1: dims: expected a non-negative extent, found -1"},
      {bytes_field(kDims, varint(3) + varint(~std::uint64_t{1})),
       "byte 3: dims: expected a non-negative extent, found -2"},
      {dims({1ULL << 32, 1ULL << 32}) + varint_field(kDataType, kFloat), "dims [4294967296, 4294967296] are too large"},
      {dims({(1ULL << 63) - 1}) + varint_field(kDataType, kFloat), "dims [9223372036854775807] are too large"},
      {bytes_field(kDims, std::string(1025, '\1')), "byte 1027: dims: expected at most 1024 extents, found more"},
      {head + bytes_field(kSegment, ""), "byte 4: segment: expected a whole tensor, found a segment of one"},
      {head + bytes_field(kExternal, ""),
       "byte 4: external_data: expected the elements in this file, found a reference to another"},
      {head + varint_field(kLocation, 1), "byte 4: data_location: expected 0 (in this file), found 1"},
      {head + bytes({0x0B}), "byte 4: field 1: expected wire type 0, 1, 2 or 5, found 3"},
      {head + bytes({0x00, 0x00}), "byte 4: expected a field number of 1 to 536870911, found 0"},
      {head + varint(std::uint64_t{1} << 33), "byte 4: expected a field number of 1 to 536870911, found 1073741824"},
      {head + bytes({0x4A, 0x7F}), "byte 4: field 9: expected at most 0 bytes, found length 127"},
      {head + bytes({0x4A, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}),
       "byte 4: field 9: expected at most 0 bytes, found length 18446744073709551615"},
      {head + bytes({0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2}),
       "byte 5: expected an integer of at most 64 bits, found a longer one"},
      {head + bytes({0x08, 0x80}), "byte 6: expected another byte of the field, found its end"},
      {head + bytes({0x25, 1, 2}), "byte 7: expected another byte of the field, found its end"},
      {dims({1}) + varint_field(kDataType, kInt32) + varint_field(kInt32Data, 1ULL << 32),
       "element 0: int32_data: expected an entry of 32 bits, found 4294967296"},
      {dims({2}) + varint_field(kDataType, kInt8) + bytes_field(kInt32Data, varint(1) + minus(129)),
       "element 1: int32_data: expected an entry of 8 bits, found -129"},
      {dims({4}) + varint_field(kDataType, kInt4) + bytes_field(kInt32Data, varint(1) + varint(256)),
       "element 2: int32_data: expected an entry of 8 bits, found 256"},
      {dims({1}) + varint_field(kDataType, kUint32) + varint_field(kUint64Data, 1ULL << 32),
       "element 0: uint64_data: expected an entry of 32 bits, found 4294967296"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = cast({.extension = "pb", .input = c.input, .to = "float16"});
    CHECK(outcome.message == "in.pb: " + c.message);
    CHECK(outcome.code == 1);
  }
  const Outcome other =
      cast({.extension = "pb", .input = head + bytes_field(kRawData, "12345678"), .to = "float16", .from = "int32"});
  CHECK(other.message == "in.pb: byte 2: data_type: expected int32, found float32");
}

TEST_CASE("pb: many small fields are kept in their order, and take time by their size") {
  constexpr std::size_t kMany = 1000000;
  // Kept fields of both sides of raw_data in turn, some as long as what is copied at a time and longer.
  std::string before, after, mixed;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string small = varint_field(15, i % 128), low = bytes_field(kDims, "");
    mixed += small + low;
    after += small;
    before += low;
    if (i % (kMany / 4) == 0) {
      const std::string large = bytes_field(99, std::string((1 << 16) - 8 + i / (kMany / 4) * 4, 'l'));
      mixed += large;
      after += large;
    }
  }
  const Folder folder;
  const std::string type = varint_field(kDataType, kFloat);
  folder.write("in.pb", dims({1}) + type + bytes_field(kRawData, codes<float>({1})) + mixed);
  const End kept = Child(folder, {"cast", "in.pb", "out.pb", "--to", "float16"}).wait();
  CHECK(kept.code == 0);
  CHECK((folder.read("out.pb") == dims({1}) + varint_field(kDataType, kFloat16) + before +
                                      bytes_field(kRawData, codes<std::uint16_t>({0x3C00})) + after));
  // Packed fields of one entry each.
  std::string entries, halves;
  for (std::size_t i = 0; i < kMany; ++i) {
    entries += bytes_field(kFloatData, codes<float>({static_cast<float>(i % 4)}));
    halves += codes<std::uint16_t>({static_cast<std::uint16_t>(std::array{0, 0x3C00, 0x4000, 0x4200}[i % 4])});
  }
  folder.write("in.pb", varint_field(kDims, kMany) + type + entries);
  const End packed = Child(folder, {"cast", "in.pb", "out.raw", "--to", "float16"}).wait();
  CHECK(packed.code == 0);
  CHECK((folder.read("out.raw") == halves));
#ifndef CASTFORGE_SANITIZED  // which take time themselves
  CHECK(kept.cpu_seconds < 1);
  CHECK(packed.cpu_seconds < 0.6);
#endif
}

TEST_CASE("pb: a message of 2 GiB is refused before it is written") {
  const Folder folder;
  const std::string path = folder.path("in.raw");
  folder.write("in.raw", "");
  std::filesystem::resize_file(path, std::uint64_t{1} << 30);  // sparse
  const Run run = program(folder, "cast in.raw out.pb --from uint8 --to int16");
  CHECK(run.code == 1);
  CHECK(run.errors ==
        "castforge: out.pb: expected a TensorProto below 2 GiB, found int16 [1073741824]; npy and "
        "safetensors "
        "have no such limit\n");
  CHECK(folder.names() == std::vector<std::string>{"in.raw"});
}

// Files of 6-bit elements: a dense stream, one element to a byte, or one to an entry; and what is wrong with some.
#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace cli_test;

namespace {

// Codes 1, 2, 3, 4: the first in the low bits of the first byte.
const std::string kStream = bytes({0x81, 0x30, 0x10});
const std::string kValues = codes<float>({0.125F, 0.25F, 0.375F, 0.5F});

std::string proto(std::uint64_t count, const std::string& field) {
  constexpr std::uint32_t kDims = 1, kDataType = 2;
  constexpr std::uint64_t kFloat6e2m3 = 27;
  return varint_field(kDims, count) + varint_field(kDataType, kFloat6e2m3) + field;
}
std::string raw_data(const std::string& data) { return bytes_field(9, data); }
std::string int32_data(const std::string& entries) { return bytes_field(5, entries); }

}  // namespace

TEST_CASE("6-bit elements: raw") {
  CHECK(cast({.extension = "raw", .input = kStream, .to = "float32", .from = "float6e2m3"}).output == kValues);
  CHECK(cast({.extension = "raw", .input = kValues, .to = "float6e2m3", .from = "float32"}).output == kStream);
  // A tail of 1, 2 and 3 elements takes as many bytes.
  for (const std::size_t count : {1U, 2U, 3U}) {
    const Outcome tail =
        cast({.extension = "raw", .input = kValues.substr(0, 4 * count), .to = "float6e2m3", .from = "float32"});
    CHECK(tail.output.size() == count);
    CHECK((static_cast<unsigned char>(tail.output.back()) >> (6 * count - 8 * (count - 1))) == 0);
  }

  const Folder folder;
  folder.write("in.raw", kStream);
  CHECK(program(folder, "cast in.raw out.npy --from float6e2m3 --to float32 --count 3").code == 0);  // 18 bits
  CHECK(program(folder, "cast in.raw out.npy --from float6e2m3 --to float32 --count 2").code == 1);  // a byte too many
  const Run short_file = program(folder, "cast in.raw out.npy --from float6e2m3 --to float32 --count 5");
  CHECK(short_file.code == 1);
  CHECK(short_file.errors == "castforge: in.raw: expected 4 bytes for 5 elements of float6e2m3, found 3\n");
}

TEST_CASE("6-bit elements: npy has one to a byte") {
  const Outcome out = cast({.extension = "npy", .input = npy_array("<f4", "(4,)", kValues), .to = "float6e2m3"});
  CHECK(out.output.substr(128) == bytes({1, 2, 3, 4}));
  const std::string upper_bits = bytes({0xC1, 0x42, 0x83, 0x04});  // ignored
  CHECK(cast({.extension = "npy", .input = npy_array("|V1", "(4,)", upper_bits), .to = "float32", .from = "float6e2m3"})
            .output.substr(128) == kValues);
}

TEST_CASE("6-bit elements: safetensors") {
  const std::string input = safetensors(R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", kValues);
  const Outcome dense = cast({.extension = "safetensors", .input = input, .to = "float6e2m3"});
  CHECK(dense.output.find(R"({"w":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[0,3]}})") == 8);
  CHECK(dense.output.substr(dense.output.size() - 3) == kStream);
  const Outcome back = cast({.extension = "safetensors", .input = dense.output, .to = "float32"});
  CHECK(back.output.substr(back.output.size() - 16) == kValues);
}

TEST_CASE("6-bit elements: TensorProto") {
  const auto to_float = [](const std::string& message) {
    return cast({.extension = "pb", .input = message, .to = "float32", .output_extension = "raw"});
  };
  CHECK(to_float(proto(4, raw_data(kStream))).output == kValues);
  // int32_data has an entry for each element, as no number of them fills a byte.
  CHECK(to_float(proto(4, int32_data(varint(1) + varint(2) + varint(3) + varint(4)))).output == kValues);

  const Outcome missing = to_float(proto(5, raw_data(kStream)));
  CHECK(missing.code == 1);
  CHECK(missing.message.find("raw_data: expected 4 bytes for float6e2m3") != std::string::npos);
  const Outcome large = to_float(proto(2, int32_data(varint(63) + varint(64))));
  CHECK(large.code == 1);
  CHECK(large.message == "in.pb: element 1: int32_data: expected an entry of 0 to 63, found 64");
}

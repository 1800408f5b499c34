// Damaged files: every truncation and every flipped bit of small valid files ends in a result or a
// complaint.
#include "support.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace cli_test;

namespace {

struct Sample {
  const char* extension;
  std::string bytes;
};

std::vector<Sample> samples() {
  const std::string floats = codes<float>({1, -2, 0.5});
  return {
      {"npy", npy_array("<f4", "(3,)", floats)},
      {"npy", npy("{'descr': '>f4', 'fortran_order': True, 'shape': (1, 3), }\n", floats, 2)},
      {"safetensors", safetensors(R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                  R"("b":{"dtype":"U8","shape":[4],"data_offsets":[8,12]}})",
                                  floats)},
      {"pb", varint_field(1, 3) + varint_field(2, 1) + bytes_field(8, "n") + bytes_field(9, floats)},
      {"pb", varint_field(1, 3) + varint_field(2, 1) + bytes_field(8, "n") + bytes_field(4, floats)},
      {"pb", bytes_field(1, varint(3)) + varint_field(2, 6) + bytes_field(5, varint(1) + varint(300) + varint(~0ULL))},
      {"pb", varint_field(1, 2) + varint_field(2, 8) + bytes_field(6, "1.5") + bytes_field(6, "-2e3")},
      {"npy", npy_array("<U2", "(2,)", codes<std::uint32_t>({'1', 0, '-', '2'}))},
      {"raw", floats},
  };
}

Outcome attempt(const Sample& sample, const std::string& bytes, const std::string& output) {
  const std::string from = sample.extension == std::string("raw") ? "float32" : "";
  return cast(
      {.extension = sample.extension, .input = bytes, .to = "float16", .from = from, .output_extension = output});
}

}  // namespace

TEST_CASE("the samples are valid") {
  for (const Sample& sample : samples()) CHECK(attempt(sample, sample.bytes, "").message == "");
}

TEST_CASE("every truncation is bad data") {
  for (const Sample& sample : samples()) {
    for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
      const Outcome outcome = attempt(sample, sample.bytes.substr(0, size), "");
      INFO(sample.extension << " truncated to " << size << ": " << outcome.message);
      // Raw data may end after any element.
      CHECK(outcome.code == (sample.extension == std::string("raw") && size % 4 == 0 ? 0 : 1));
    }
  }
}

TEST_CASE("trailing bytes are bad data") {
  for (const Sample& sample : samples()) {
    for (const char byte : {'\0', ' ', '\xFF'}) CHECK(attempt(sample, sample.bytes + byte, "").code == 1);
  }
}

TEST_CASE("every flipped bit gives a result or a complaint") {
  for (const Sample& sample : samples()) {
    std::size_t complaints = 0;
    for (std::size_t bit = 0; bit < sample.bytes.size() * 8; ++bit) {
      std::string bytes = sample.bytes;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
      const Outcome outcome = attempt(sample, bytes, "");
      INFO(sample.extension << " with bit " << bit << " flipped: " << outcome.message);
      // A type that needs --from, or that the op-set lacks, counts as usage.
      CHECK((outcome.code == 0 || outcome.code == 1 || outcome.code == 2));
      complaints += outcome.code != 0;
    }
    CHECK((complaints != 0 || sample.extension == std::string("raw")));
  }
}

TEST_CASE("announced sizes cost no memory") {
  // 2^61 elements each, in files of a few dozen bytes.
  const std::string extent = "2305843009213693951";
  const Outcome npy_file =
      cast({.extension = "npy", .input = npy_array("|u1", "(" + extent + ",)", "x"), .to = "float64"});
  CHECK(npy_file.message.ends_with("expected " + extent + " bytes of data for uint8 [" + extent + "], found 1"));
  const Outcome pb = cast({.extension = "pb",
                           .input = varint_field(1, 2305843009213693951) + varint_field(2, 2),
                           .to = "float16",
                           .output_extension = "raw"});
  CHECK(pb.message == "in.pb: int32_data: expected " + extent + " entries for " + extent + " elements, found 0");
  const Outcome safe =
      cast({.extension = "safetensors",
            .input = safetensors(
                R"({"a":{"dtype":"F8_E5M2","shape":[)" + extent + R"(],"data_offsets":[0,)" + extent + "]}}", "x"),
            .to = "float16"});
  CHECK(safe.message == "in.safetensors: expected " + extent +
                            " bytes of data, found 1: the file ends 2305843009213693950 bytes before what its header "
                            "announces");
}

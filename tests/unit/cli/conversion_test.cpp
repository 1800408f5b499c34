#include "support.hpp"

#include "cli/commands/conversion.hpp"
#include "cli/formats/element_io.hpp"

#include <castforge/types.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>

using namespace cli_test;
using namespace castforge;
using namespace castforge::cli;

namespace {

/// Counts up and fails at a chosen element.
class Counter : public ElementReader {
 public:
  Counter(std::size_t count, std::size_t fail_at) : count_(count), fail_at_(fail_at) {}
  std::size_t read(void* codes, std::size_t count) override {
    count = std::min(count, count_ - at_);
    for (std::size_t i = 0; i < count; ++i, ++at_) {
      if (at_ == fail_at_) throw bad_element("input", at_, "expected to go on");
      const auto value = static_cast<std::int32_t>(at_);
      std::memcpy(static_cast<char*>(codes) + 4 * i, &value, 4);
    }
    return count;
  }

 private:
  std::size_t count_, fail_at_, at_ = 0;
};

class Collector : public ElementWriter {
 public:
  explicit Collector(std::size_t fail_at) : fail_at_(fail_at) {}
  void write(const void* codes, std::size_t count) override {
    if (total + count > fail_at_) throw Failure(ExitCode::input_output, "no room");
    bytes.append(static_cast<const char*>(codes), count * 8);
    total += count;
  }
  std::string bytes;
  std::size_t total = 0;

 private:
  std::size_t fail_at_;
};

constexpr std::size_t kNever = ~std::size_t{0};

}  // namespace

TEST_CASE("elements arrive in order, whatever the number of threads") {
  const Kernel kernel = find_kernel("onnx@25", Type::int32, Type::int64);
  REQUIRE(kernel);
  for (const std::size_t count : {0U, 1U, 7U, 8U, 131072U, 1000001U}) {
    for (const unsigned threads : {1U, 2U, 7U}) {
      Counter reader(count, kNever);
      Collector writer(kNever);
      Progress progress(0);
      CHECK(convert(reader, kernel, writer, count, threads, progress) == count);
      REQUIRE(writer.bytes.size() == count * 8);
      bool ordered = true;
      for (std::size_t i = 0; i < count; ++i) {
        std::int64_t value = 0;
        std::memcpy(&value, writer.bytes.data() + 8 * i, 8);
        ordered = ordered && value == static_cast<std::int64_t>(i);
      }
      CHECK(ordered);
    }
  }
}

TEST_CASE("a failure on any thread comes out") {
  const Kernel kernel = find_kernel("onnx@25", Type::int32, Type::int64);
  for (const unsigned threads : {1U, 2U, 7U}) {
    Progress progress(0);
    Counter bad_reader(3000000, 2500000);
    Collector writer(kNever);
    CHECK_THROWS_AS(convert(bad_reader, kernel, writer, 3000000, threads, progress), Failure);
    CHECK(writer.total <= 2500000);
    Counter reader(3000000, kNever);
    Collector bad_writer(1500000);
    CHECK_THROWS_AS(convert(reader, kernel, bad_writer, 3000000, threads, progress), Failure);
    CHECK(bad_writer.total <= 1500000);
  }
}

TEST_CASE("files larger than a chunk, all formats, several threads") {
  std::string floats, halves;
  for (int i = 0; i < 700001; ++i) {
    const int value = i % 2049;  // exact in float16
    floats += codes<float>({static_cast<float>(value)});
  }
  const std::string expected = cast({.extension = "raw", .input = floats, .to = "float16", .from = "float32"}).output;
  REQUIRE(expected.size() == 1400002);
  for (const unsigned threads : {1U, 4U}) {
    const Outcome npy_file =
        cast({.extension = "npy", .input = npy_array("<f4", "(700001,)", floats), .to = "float16", .threads = threads});
    CHECK(npy_file.output.substr(128) == expected);
    const Outcome safe =
        cast({.extension = "safetensors",
              .input = safetensors(R"({"a":{"dtype":"F32","shape":[700001],"data_offsets":[0,2800004]}})", floats),
              .to = "float16",
              .threads = threads});
    CHECK(safe.output.ends_with(expected));
    const Outcome raw_data = cast({.extension = "pb",
                                   .input = varint_field(1, 700001) + varint_field(2, 1) + bytes_field(9, floats),
                                   .to = "float16",
                                   .threads = threads});
    CHECK(raw_data.output.ends_with(expected));
    const Outcome typed = cast({.extension = "pb",
                                .input = varint_field(1, 700001) + varint_field(2, 1) + bytes_field(4, floats),
                                .to = "float16",
                                .threads = threads});
    CHECK(typed.output == raw_data.output);
    // 4-bit elements: chunks end on whole bytes.
    const Outcome nibbles =
        cast({.extension = "raw", .input = floats, .to = "uint4", .from = "float32", .threads = threads});
    CHECK(nibbles.output.size() == 350001);
    const Outcome back = cast({.extension = "npy",
                               .input = npy_array("<V1", "(700001,)", std::string(700001, '\x1F')),
                               .to = "uint4",
                               .from = "uint4",
                               .output_extension = "raw",
                               .threads = threads});
    CHECK(back.output == std::string(350000, '\xFF') + "\x0F");
  }
}

TEST_CASE("tensors without elements keep their shape, from and to every format") {
  const auto safetensors_of = [](const std::string& name, const std::string& dtype) {
    const std::string header =
        "{\"" + name + "\":{\"dtype\":\"" + dtype + R"(","shape":[2,0,3],"data_offsets":[0,0]}})";
    return safetensors(header + std::string((8 - header.size() % 8) % 8, ' '), "");
  };
  const auto pb_of = [](std::uint64_t data_type) {
    return varint_field(1, 2) + varint_field(1, 0) + varint_field(1, 3) + varint_field(2, data_type);
  };
  const auto npy_of = [](const std::string& descr, const std::string& order) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': (2, 0, 3), }";
    return npy(header + std::string(117 - header.size(), ' ') + "\n", "");
  };
  const CastOf inputs[] = {{.extension = "npy", .input = npy_of("<f4", "False"), .to = "float16"},
                           {.extension = "npy", .input = npy_of("<f4", "True"), .to = "float16"},
                           {.extension = "pb", .input = pb_of(1), .to = "float16"},
                           {.extension = "safetensors", .input = safetensors_of("tensor", "F32"), .to = "float16"}};
  for (CastOf one : inputs) {
    const bool is_fortran = one.input == inputs[1].input;
    for (const unsigned threads : {1u, 4u}) {
      const auto made = [&](const std::string& extension) {
        one.output_extension = extension;
        one.threads = threads;
        const Outcome outcome = cast(one);
        INFO(one.extension << " to " << extension << ": " << outcome.message);
        CHECK(outcome.code == 0);
        return outcome.output;
      };
      CHECK(made("npy") == npy_of("<f2", is_fortran ? "True" : "False"));
      CHECK(cast({.extension = "pb", .input = made("pb"), .to = "float16", .output_extension = "npy"}).output ==
            npy_of("<f2", "False"));
      CHECK(made("safetensors") == safetensors_of("tensor", "F16"));
      CHECK(made("raw").empty());
    }
  }

  // Between others, whose data stay where they belong.
  const std::string between = safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                          R"("none":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},)"
                                          R"("z":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                                          codes<float>({1, 2}));
  const Outcome outcome = cast({.extension = "safetensors", .input = between, .to = "float16"});
  CHECK(outcome.output.find(R"("none":{"dtype":"F16","shape":[0],"data_offsets":[2,2]})") != std::string::npos);
  CHECK(outcome.output.ends_with(codes<std::uint16_t>({0x3C00, 0x4000})));
}

TEST_CASE("limits of an op-set on ranks and sizes hold for files") {
  const auto header = [](const std::string& shape) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
  };
  const std::string two = codes<float>({1, 2});
  const auto npy_of = [&](const std::string& shape, const std::string& data) {
    return cast({.extension = "npy", .input = npy(header(shape), data), .to = "float16", .opset = "pypto@8.5.0"});
  };
  CHECK(npy_of("(1, 1, 1, 2)", two).message == "");
  struct Case {
    std::string shape, data, message;
  };
  for (const Case& c : {Case{"(1, 1, 1, 1, 2)", two, "does not admit rank 5; it admits ranks up to 4"},
                        Case{"()", codes<float>({1}), "does not admit rank 0; it admits ranks from 1 up"},
                        Case{"(2, 0)", "", "does not admit tensors without elements"}}) {
    const Outcome refused = npy_of(c.shape, c.data);
    CHECK(refused.code == 1);
    CHECK(refused.message == "in.npy: pypto@8.5.0 " + c.message);
    CHECK(refused.output.empty());
  }
  // What is raw has one dimension; and ONNX has no such limits.
  const Outcome empty =
      cast({.extension = "raw", .input = "", .to = "float16", .from = "float32", .opset = "pypto@8.5.0"});
  CHECK(empty.code == 1);
  CHECK(empty.message == "in.raw: pypto@8.5.0 does not admit tensors without elements");
  CHECK(cast({.extension = "raw", .input = two, .to = "float16", .from = "float32", .opset = "pypto@8.5.0"}).code == 0);
  CHECK(cast({.extension = "raw", .input = "", .to = "float16", .from = "float32"}).code == 0);
  CHECK(cast({.extension = "npy", .input = npy(header("()"), codes<float>({1})), .to = "float16"}).code == 0);

  const std::string scalar = R"({"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
                             R"("t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})";
  const Outcome refused =
      cast({.extension = "safetensors", .input = safetensors(scalar, two), .to = "float16", .opset = "pypto@8.5.0"});
  CHECK(refused.code == 1);
  CHECK(refused.message ==
        "in.safetensors: tensor \"s\": pypto@8.5.0 does not admit rank 0; it admits ranks from 1 up");
  const Outcome chosen = cast({.extension = "safetensors",
                               .input = safetensors(scalar, two),
                               .to = "float16",
                               .tensors = {"t"},
                               .opset = "pypto@8.5.0"});
  CHECK(chosen.message == "");

  const Folder folder;
  // The length of a stream is known at its end, that of a file before anything is read of it (sparse, 8 GiB).
  folder.write("x.raw", "");
  std::filesystem::resize_file(folder.path("x.raw"), std::uint64_t{1} << 33);
  const std::string to_half = " --from float32 --to float16 --opset pypto@8.5.0";
  const Run large = program(folder, "cast x.raw out.raw" + to_half);
  CHECK(large.code == 1);
  CHECK(large.errors.find("x.raw: pypto@8.5.0 does not admit 2147483648 elements; it admits up to 2147483647") !=
        std::string::npos);
  const Run stream = program(folder, "cast - out.raw" + to_half + " < /dev/null");
  CHECK(stream.code == 1);
  CHECK(stream.errors == "castforge: standard input: pypto@8.5.0 does not admit tensors without elements\n");
  CHECK(folder.names() == std::vector<std::string>{"x.raw"});

  folder.write("x.safetensors", safetensors(scalar, two));
  folder.write("plan.json", R"({"opset": "pypto@8.5.0", "default": {"to": "float16"}})");
  const Run run = program(folder, "convert x.safetensors out --plan plan.json");
  CHECK(run.code == 2);
  CHECK(run.errors ==
        "castforge: x.safetensors: tensor \"s\": the default (plan.json:1:37): pypto@8.5.0 does not admit "
        "rank 0; it admits ranks from 1 up\n");
}

TEST_CASE("the help says which values of a flag there are") {
  const Folder folder;
  folder.write("x.raw", codes<float>({1e9f}));
  CHECK(program(folder, "cast --help")
            .output.find("0 is false, any other number true. (castforge, onnx, onnx-castlike, onnx-reference: 0, 1; "
                         "default 1)\n") != std::string::npos);
  for (const char* value : {"1", "2", "-1"}) {
    const std::string cast = "cast x.raw - --from float32 --to float8e4m3fn --saturate=" + std::string(value);
    CHECK(program(folder, cast).output == "\x7E");
  }
  CHECK(program(folder, "cast x.raw - --from float32 --to float8e4m3fn --saturate 0").output == "\x7F");
}

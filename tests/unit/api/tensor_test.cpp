// The checked entry: what it refuses, and that splitting the work changes nothing.
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using castforge::cast;
using castforge::cast_like;
using castforge::MutableTensorView;
using castforge::Status;
using castforge::StatusCode;
using castforge::TensorView;
using castforge::Type;

namespace {

using Shape = std::vector<std::int64_t>;

struct Buffers {
  std::vector<std::byte> src = std::vector<std::byte>(256);
  std::vector<std::byte> dst = std::vector<std::byte>(256);
};

Status try_cast(const char* opset, Type src_type, const Shape& src_shape, Type dst_type, const Shape& dst_shape,
                std::size_t src_bytes = 256, std::size_t dst_bytes = 256) {
  Buffers b;
  return cast(opset, {src_type, src_shape, b.src.data(), src_bytes}, {dst_type, dst_shape, b.dst.data(), dst_bytes});
}

}  // namespace

TEST_CASE("a tensor is converted, scalars and empty ones too") {
  const std::int8_t src[6] = {-1, 2, -3, 4, -5, 6};
  std::int32_t dst[7] = {0, 0, 0, 0, 0, 0, 77};
  const Shape shape = {2, 3};
  REQUIRE(cast("onnx@13", {Type::int8, shape, src, 6}, {Type::int32, shape, dst, 24}).ok());
  for (int i = 0; i < 6; ++i) CHECK(dst[i] == src[i]);
  CHECK(dst[6] == 77);

  dst[0] = 99;
  REQUIRE(cast("onnx@13", {Type::int8, {}, src, 1}, {Type::int32, {}, dst, 4}).ok());
  CHECK(dst[0] == -1);

  const Shape empty = {3, 0, 1};
  CHECK(cast("onnx@13", {Type::int8, empty, nullptr, 0}, {Type::int32, empty, nullptr, 0}).ok());
}

TEST_CASE("lookup errors come through") {
  CHECK(try_cast("onyx@1", Type::int8, {2}, Type::int32, {2}).code() == StatusCode::unknown_opset);
  CHECK(try_cast("onnx@13", Type::int8, {2}, Type::int4, {2}).code() == StatusCode::type_not_admitted);
  CHECK(try_cast("onnx@13", Type::int8, {2}, Type::string, {2}).code() == StatusCode::text_conversion);
}

TEST_CASE("shapes") {
  CHECK(try_cast("onnx@13", Type::int8, {2, 3}, Type::int32, {2, 4}).message() ==
        "source and destination differ in extent 1: 3 and 4");
  CHECK(try_cast("onnx@13", Type::int8, {2, 3}, Type::int32, {6}).message() ==
        "source and destination differ in rank: 2 and 1");
  CHECK(try_cast("onnx@13", Type::int8, {2, -3}, Type::int32, {2, -3}).message() ==
        "the source's shape is not valid: extent 1 is -3");
  CHECK(try_cast("onnx@13", Type::int8, {2, 3}, Type::int32, {2, -3}).message() ==
        "the destination's shape is not valid: extent 1 is -3");
  const std::int64_t huge = std::int64_t{1} << 62;
  const Status beyond = try_cast("onnx@13", Type::int8, {huge, 3, 2}, Type::int32, {huge, 3, 2});
  CHECK(beyond.code() == StatusCode::bad_shape);
  CHECK(beyond.message() ==
        "the source's shape is not valid: extent 2 brings the number of elements beyond the address space");
  CHECK(try_cast("onnx@13", Type::int8, {huge, 0, huge}, Type::int32, {huge, 0, huge}).ok());
  // The elements can be counted, their bytes cannot.
  CHECK(try_cast("onnx@13", Type::int64, {huge}, Type::int8, {huge}).message() ==
        "the source's shape is not valid: 4611686018427387904 elements take more bytes than the address space has");
}

TEST_CASE("buffers") {
  CHECK(try_cast("onnx@13", Type::int8, {10}, Type::int32, {10}, 9).message() ==
        "the source holds 9 bytes, needed are 10");
  CHECK(try_cast("onnx@13", Type::int8, {10}, Type::int32, {10}, 10, 39).message() ==
        "the destination holds 39 bytes, needed are 40");
  CHECK(try_cast("onnx@21", Type::int4, {5}, Type::int8, {5}, 2).message() == "the source holds 2 bytes, needed are 3");
  CHECK(try_cast("onnx@21", Type::int8, {5}, Type::int4, {5}, 5, 1).message() ==
        "the destination holds 1 byte, needed are 3");

  std::int8_t one = 1;
  const Shape shape = {1};
  CHECK(cast("onnx@13", {Type::int8, shape, nullptr, 1}, {Type::int8, shape, &one, 1}).message() ==
        "the source is null, but has 1 element");
  const Shape two = {2};
  const Status null = cast("onnx@13", {Type::int8, two, &one, 2}, {Type::int8, two, nullptr, 2});
  CHECK(null.code() == StatusCode::null_pointer);
  CHECK(null.message() == "the destination is null, but has 2 elements");
}

TEST_CASE("in place where the storage widths are equal, no other overlap") {
  const Shape shape = {8};
  alignas(8) std::byte memory[128] = {};
  const auto attempt = [&](Type src, std::size_t src_at, Type dst, std::size_t dst_at, const char* opset = "onnx@21") {
    return cast(opset, {src, shape, memory + src_at, 64}, {dst, shape, memory + dst_at, 64}).code();
  };
  CHECK(attempt(Type::float32, 0, Type::int32, 0) == StatusCode::ok);
  CHECK(attempt(Type::uint4, 0, Type::int4, 0) == StatusCode::ok);
  CHECK(attempt(Type::float32, 0, Type::int32, 4) == StatusCode::buffers_overlap);
  CHECK(attempt(Type::float32, 4, Type::int32, 0) == StatusCode::buffers_overlap);
  CHECK(attempt(Type::float32, 0, Type::int16, 0) == StatusCode::buffers_overlap);
  CHECK(attempt(Type::int16, 0, Type::float32, 0) == StatusCode::buffers_overlap);
  CHECK(attempt(Type::float32, 0, Type::int32, 31) == StatusCode::buffers_overlap);
  CHECK(attempt(Type::float32, 0, Type::int32, 32) == StatusCode::ok);  // buffers overlap, elements do not
  CHECK(attempt(Type::float32, 32, Type::int32, 0) == StatusCode::ok);
  CHECK(cast("onnx@21", {Type::float32, shape, memory, 32}, {Type::int16, shape, memory, 16}).message() ==
        "source and destination overlap; in place needs the same start and equal storage widths");

  std::int32_t values[8] = {1, -2, 3, -4, 5, -6, 7, -8};
  REQUIRE(cast("onnx@13", {Type::int32, shape, values, 32}, {Type::float32, shape, values, 32}).ok());
  float result[8];
  std::memcpy(result, values, sizeof result);
  for (int i = 0; i < 8; ++i) CHECK(result[i] == static_cast<float>(i % 2 == 0 ? i + 1 : -i - 1));
}

TEST_CASE("limits of an op-set") {
  const auto attempt = [](const Shape& shape) {
    return try_cast("pypto@8.5.0", Type::int8, shape, Type::float16, shape);
  };
  CHECK(attempt({2, 2, 2, 2}).ok());
  CHECK(attempt({}).message() == "pypto@8.5.0 does not admit rank 0; it admits ranks from 1 up");
  CHECK(attempt({1, 1, 1, 1, 2}).message() == "pypto@8.5.0 does not admit rank 5; it admits ranks up to 4");
  CHECK(attempt({2, 0}).message() == "pypto@8.5.0 does not admit tensors without elements");
  CHECK(attempt({65536, 32768}).message() ==
        "pypto@8.5.0 does not admit 2147483648 elements; it admits up to 2147483647");
  CHECK(attempt({2147483647}).code() == StatusCode::buffer_too_small);
}

TEST_CASE("the caller's threads share the work at whole bytes") {
  std::size_t task_count = 0;
  struct Threads {
    std::size_t* count;
    static void run(void* context, std::size_t tasks, castforge::ParallelFor::Task task, void* data) {
      *static_cast<Threads*>(context)->count = tasks;
      std::vector<std::thread> pool;
      for (std::size_t t = 0; t < 3; ++t) {
        pool.emplace_back([=] {
          for (std::size_t i = t; i < tasks; i += 3) task(data, i);
        });
      }
      for (std::thread& thread : pool) thread.join();
    }
  } threads{&task_count};

  const std::size_t count = 10007;
  std::vector<std::int16_t> src(count);
  std::iota(src.begin(), src.end(), std::int16_t{-5000});
  for (const Type dst_type : {Type::int8, Type::int32, Type::int4, Type::uint2, Type::float64}) {
    INFO(castforge::name(dst_type));
    const std::size_t bytes = castforge::storage_bytes(dst_type, count).value();
    std::vector<std::uint8_t> whole(bytes + 1, 0xAB), split(bytes + 1, 0xAB);
    const Shape shape = {static_cast<std::int64_t>(count)};
    const TensorView from{Type::int16, shape, src.data(), count * 2};
    REQUIRE(cast("onnx@25", from, {dst_type, shape, whole.data(), bytes}).ok());
    castforge::CastOptions options;
    options.parallel = {&Threads::run, &threads};
    options.elements_per_task = 700;  // becomes 1024
    REQUIRE(cast("onnx@25", from, {dst_type, shape, split.data(), bytes}, {}, options).ok());
    CHECK(task_count == 10);
    CHECK(whole == split);
    CHECK(split.back() == 0xAB);

    task_count = 0;  // too little work to share
    options.elements_per_task = 0;
    REQUIRE(cast("onnx@25", from, {dst_type, shape, split.data(), bytes}, {}, options).ok());
    CHECK(task_count == 0);
    options.elements_per_task = SIZE_MAX;
    REQUIRE(cast("onnx@25", from, {dst_type, shape, split.data(), bytes}, {}, options).ok());
    CHECK(task_count == 0);
  }
}

TEST_CASE("an instruction set may be named") {
  const std::int8_t src[1] = {3};
  std::int32_t dst[1];
  castforge::CastOptions options;
  options.isa = "portable";
  CHECK(cast("onnx@13", {Type::int8, {}, src, 1}, {Type::int32, {}, dst, 4}, {}, options).ok());
  CHECK(dst[0] == 3);
  options.isa = "mmx";
  CHECK(cast("onnx@13", {Type::int8, {}, src, 1}, {Type::int32, {}, dst, 4}, {}, options).code() ==
        StatusCode::isa_unavailable);
}

TEST_CASE("cast to the type of another tensor") {
  const std::int8_t src[2] = {3, -4};
  std::int32_t dst[2] = {};
  const Shape shape = {2};
  const TensorView from{Type::int8, shape, src, 2};
  const MutableTensorView to{Type::int32, shape, dst, 8};
  for (const char* opset :
       {"onnx@24", "onnx@22", "onnx-castlike@24", "onnx@25", "onnx@28", "onnx@15", "onnx@18", "onnx", ""}) {
    INFO(opset);
    dst[0] = dst[1] = 0;
    REQUIRE(cast_like(opset, from, Type::int32, to).ok());
    CHECK(dst[1] == -4);
  }
  CHECK(cast_like("onnx@24", from, Type::int16, to).message() == "the destination is of type int32, expected int16");
  CHECK(cast_like("onnx@24", from, Type::int16, to).code() == StatusCode::type_mismatch);
  CHECK(cast_like("onnx@14", from, Type::int32, to).message() ==
        "no such version of onnx-castlike: \"onnx@14\"; its versions: 15, 19, 21, 23, 24, 25");
  CHECK(cast_like("onnx@29", from, Type::int32, to).message() ==
        "\"onnx@29\" is above the newest version known, onnx-castlike@25, which holds through version 28");
  CHECK(cast_like("pypto@8.5.0", from, Type::int32, to).code() == StatusCode::unknown_opset);
  CHECK(cast_like("onnx@15", from, Type::int32, to, {.saturate = 1}).message() ==
        "onnx-castlike@15 has no attribute \"saturate\"; it has none");
}

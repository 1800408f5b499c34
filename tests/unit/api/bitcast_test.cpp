// The checked entry of bit casts, and kernels of their op-set.
#include <castforge/castforge.h>

#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <vector>

using namespace castforge;

namespace {

template <class T>
Status run(Type from, Type to, const std::vector<T>& src, std::vector<T>& dst, std::int64_t count,
           std::string_view opset = "onnx-bitcast@26") {
  const std::int64_t shape[] = {count};
  return bitcast(opset, {from, shape, src.data(), src.size() * sizeof(T)},
                 {to, shape, dst.data(), dst.size() * sizeof(T)});
}

template <class T>
void check_kept(Type from, Type to, const std::vector<T>& codes) {
  std::vector<T> result(codes.size(), static_cast<T>(0x5A));
  const Status status = run(from, to, codes, result, static_cast<std::int64_t>(codes.size()));
  INFO(name(from) << " to " << name(to) << ": " << status.message());
  REQUIRE(status.ok());
  CHECK(result == codes);
  // In place.
  std::vector<T> both = codes;
  REQUIRE(run(from, to, both, both, static_cast<std::int64_t>(both.size())).ok());
  CHECK(both == codes);
}

StatusCode refused(Type from, Type to, std::string_view opset = "onnx-bitcast@26") {
  std::vector<std::uint8_t> src(8, 1), dst(8, 0xA5);
  const Status status = run(from, to, src, dst, 1, opset);
  CHECK(dst == std::vector<std::uint8_t>(8, 0xA5));
  return status.code();
}

}  // namespace

TEST_CASE("bit patterns are kept: payloads, signalling NaN, minus zero") {
  const std::vector<std::uint32_t> singles = {0x00000000, 0x80000000, 0x7F800001, 0xFFC12345, 0x7FFFFFFF, 0x3F800000};
  check_kept(Type::float32, Type::int32, singles);
  check_kept(Type::uint32, Type::float32, singles);
  check_kept(Type::float32, Type::float32, singles);
  const std::vector<std::uint64_t> doubles = {0x7FF0000000000001, 0x8000000000000000, 0xFFF8000000000042, 1};
  check_kept(Type::float64, Type::uint64, doubles);
  check_kept(Type::int64, Type::float64, doubles);
  std::vector<std::uint16_t> halves;
  for (std::uint32_t code = 0; code < 65536; ++code) halves.push_back(static_cast<std::uint16_t>(code));
  for (const Type from : {Type::float16, Type::bfloat16, Type::int16, Type::uint16}) {
    for (const Type to : {Type::float16, Type::bfloat16, Type::int16, Type::uint16}) check_kept(from, to, halves);
  }
}

TEST_CASE("every byte is kept, that of a bool too") {
  std::vector<std::uint8_t> bytes;
  for (int code = 0; code < 256; ++code) bytes.push_back(static_cast<std::uint8_t>(code));
  const Type types[] = {Type::int8,           Type::uint8,      Type::bool_,          Type::float8e4m3fn,
                        Type::float8e4m3fnuz, Type::float8e5m2, Type::float8e5m2fnuz, Type::float8e8m0};
  for (const Type from : types) {
    for (const Type to : types) check_kept(from, to, bytes);
  }
}

TEST_CASE("packed elements: bytes are copied, padding becomes zero") {
  const std::vector<std::uint8_t> src = {0x1F, 0x92, 0xF8};
  for (const auto& [from, to] : {std::pair{Type::int4, Type::float4e2m1}, {Type::float4e2m1, Type::uint4}}) {
    std::vector<std::uint8_t> dst(3, 0x5A);
    REQUIRE(run(from, to, src, dst, 5).ok());
    CHECK(dst == std::vector<std::uint8_t>{0x1F, 0x92, 0x08});
  }
  std::vector<std::uint8_t> dst(3, 0x5A);
  REQUIRE(run(Type::int2, Type::uint2, src, dst, 9).ok());
  CHECK(dst == std::vector<std::uint8_t>{0x1F, 0x92, 0x00});
}

TEST_CASE("pairs without a bit cast") {
  CHECK(refused(Type::int8, Type::int4) == StatusCode::pair_not_admitted);
  CHECK(refused(Type::int4, Type::int8) == StatusCode::pair_not_admitted);
  CHECK(refused(Type::float32, Type::float16) == StatusCode::pair_not_admitted);
  CHECK(refused(Type::string, Type::int8) == StatusCode::type_not_admitted);
  CHECK(refused(Type::uint1, Type::uint1) == StatusCode::type_not_admitted);
  CHECK(refused(Type::float32, Type::int32, "onnx@25") == StatusCode::wrong_operation);
  CHECK(refused(Type::float32, Type::int32, "openvino-range@4") == StatusCode::wrong_operation);
  CHECK(refused(Type::float32, Type::int32, "onnx-bitcast@25") == StatusCode::unknown_opset);
  CHECK(refused(Type::float32, Type::int32, "onnx-bitcast@29") == StatusCode::unknown_opset);
}

TEST_CASE("op-sets of bit casts by name") {
  CHECK(find_opset("onnx-bitcast@28")->name() == "onnx-bitcast@26");
  CHECK(default_opset("bitcast")->name() == "onnx-bitcast@26");
  std::vector<std::uint8_t> src = {2}, dst = {0};
  CHECK(run(Type::uint8, Type::bool_, src, dst, 1, "").ok());
  CHECK(dst[0] == 2);
  const Kernel kernel = find_kernel("onnx-bitcast@26", Type::float32, Type::int32);
  REQUIRE(kernel);
  CHECK(kernel.rule().bits == Bits::kept);
  CHECK(exact_cast(type_info(Type::float32), type_info(Type::int32), kernel.rule(), 0x7F800001) == 0x7F800001);
}

TEST_CASE("bit casts from C") {
  const std::uint32_t src = 0xFF800001;
  std::uint32_t dst = 0;
  const castforge_tensor from{static_cast<castforge_type>(Type::float32), 0, nullptr, &src, 4};
  const castforge_mutable_tensor to{static_cast<castforge_type>(Type::int32), 0, nullptr, &dst, 4};
  CHECK(castforge_bitcast("onnx-bitcast@26", &from, &to, nullptr) == CASTFORGE_OK);
  CHECK(dst == src);
  CHECK(castforge_bitcast("onnx@25", &from, &to, nullptr) == CASTFORGE_WRONG_OPERATION);
  CHECK(castforge_bitcast(nullptr, &from, nullptr, nullptr) == CASTFORGE_NULL_POINTER);
  const castforge_mutable_tensor narrow{static_cast<castforge_type>(Type::int8), 0, nullptr, &dst, 1};
  CHECK(castforge_bitcast(nullptr, &from, &narrow, nullptr) == CASTFORGE_PAIR_NOT_ADMITTED);
}

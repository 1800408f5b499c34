// Streaming gives the same bytes as one call of the kernel and touches nothing beyond the result.
#include "src/streaming.hpp"

#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

using castforge::Type;

namespace {

constexpr unsigned char kCanary = 0xA5;
constexpr std::size_t kMargin = 128;

void check(Type src, Type dst, std::size_t count, std::size_t offset) {
  const castforge::Kernel kernel = castforge::find_kernel("onnx@25", src, dst);
  REQUIRE(kernel);
  const std::size_t src_bits = static_cast<std::size_t>(castforge::type_info(src).storage_bits);
  const std::size_t dst_bits = static_cast<std::size_t>(castforge::type_info(dst).storage_bits);
  std::vector<unsigned char> source((count * src_bits + 7) / 8);
  std::uint32_t state = 1;
  for (unsigned char& byte : source) byte = static_cast<unsigned char>((state = state * 1664525u + 1013904223u) >> 24);
  const std::size_t bytes = (count * dst_bits + 7) / 8;
  std::vector<unsigned char> expected(bytes + 2 * kMargin, kCanary), found = expected;
  kernel.function()(source.data(), expected.data() + offset, count);
  castforge::run_streaming(kernel.function(), source.data(), src_bits, found.data() + offset, dst_bits, count);
  REQUIRE(found == expected);
}

}  // namespace

TEST_CASE("streaming gives the bytes of one call", "[streaming]") {
  const std::pair<Type, Type> pairs[] = {{Type::float32, Type::float8e4m3fn}, {Type::float8e4m3fn, Type::float32},
                                         {Type::float64, Type::float64},      {Type::int8, Type::int64},
                                         {Type::int64, Type::int8},           {Type::float32, Type::int4},
                                         {Type::int4, Type::float32},         {Type::uint2, Type::uint64},
                                         {Type::uint64, Type::uint2},         {Type::int4, Type::uint2},
                                         {Type::uint2, Type::float4e2m1}};
  for (const auto& [src, dst] : pairs) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{511}, std::size_t{512}, std::size_t{513},
                                    std::size_t{4095}, std::size_t{30001}}) {
      for (std::size_t offset = 0; offset < 64; offset += offset < 9 ? 1 : 11) {
        CAPTURE(castforge::type_info(src).name, castforge::type_info(dst).name, count, offset);
        check(src, dst, count, offset);
      }
    }
  }
}

TEST_CASE("the threshold is positive", "[streaming]") { CHECK(castforge::streaming_threshold() > 0); }

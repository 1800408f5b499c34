// Streaming gives the same bytes as one call of the kernel and touches nothing beyond the result.
#include "src/streaming.hpp"

#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

using castforge::Type;

namespace {

constexpr unsigned char kCanary = 0xA5;
constexpr std::size_t kMargin = 128;

void check(Type src, Type dst, std::string_view isa, std::size_t count, std::size_t offset) {
  const castforge::Kernel kernel = castforge::find_kernel("onnx@25", src, dst, {}, isa);
  REQUIRE(kernel);
  const std::size_t src_bits = static_cast<std::size_t>(castforge::type_info(src).storage_bits);
  const std::size_t dst_bits = static_cast<std::size_t>(castforge::type_info(dst).storage_bits);
  std::vector<unsigned char> source((count * src_bits + 7) / 8);
  std::uint32_t state = 1;
  for (unsigned char& byte : source) byte = static_cast<unsigned char>((state = state * 1664525u + 1013904223u) >> 24);
  const std::size_t bytes = (count * dst_bits + 7) / 8;
  std::vector<unsigned char> expected(bytes + 2 * kMargin, kCanary), found = expected;
  kernel.function()(source.data(), expected.data() + offset, count, 0);
  castforge::run_streaming({kernel.function(), isa, src_bits, dst_bits}, source.data(), found.data() + offset, count,
                           {.streams = 1, .ahead = 8192});
  REQUIRE(found == expected);
}

}  // namespace

TEST_CASE("streaming gives the bytes of one call", "[streaming]") {
  const std::pair<Type, Type> pairs[] = {
      {Type::float32, Type::float8e4m3fn}, {Type::float8e4m3fn, Type::float32}, {Type::float64, Type::float64},
      {Type::int8, Type::int64},           {Type::int64, Type::int8},           {Type::float32, Type::int4},
      {Type::int4, Type::float32},         {Type::uint2, Type::uint64},         {Type::uint64, Type::uint2},
      {Type::int4, Type::uint2},           {Type::uint2, Type::float4e2m1}};
  for (std::size_t i = 0; i < castforge::isa_count(); ++i) {
    const castforge::IsaInfo isa = castforge::isa(i);
    if (!isa.usable) continue;
    for (const auto& [src, dst] : pairs) {
      for (const std::size_t count : {0, 1, 7, 511, 512, 513, 4095, 30001}) {
        for (std::size_t offset = 0; offset < 64; offset += offset < 9 ? 1 : 11) {
          CAPTURE(isa.name, castforge::type_info(src).name, castforge::type_info(dst).name, count, offset);
          check(src, dst, isa.name, count, offset);
        }
      }
    }
  }
}

// Sizes around those from which sources are prefetched; the last two lie beyond a second-level cache, not beyond the
// last.
TEST_CASE("run() gives the bytes of its function at every size, in place too", "[streaming]") {
  for (std::size_t i = 0; i < castforge::isa_count(); ++i) {
    const castforge::IsaInfo isa = castforge::isa(i);
    if (!isa.usable) continue;
    for (const Type dst : {Type::bfloat16, Type::float32}) {
      const castforge::Kernel kernel = castforge::find_kernel("onnx@25", Type::int32, dst, {}, isa.name);
      REQUIRE(kernel);
      const std::size_t width = static_cast<std::size_t>(castforge::type_info(dst).storage_bits) / 8;
      for (const std::size_t count : {65535, 65536, 300001, 1000003}) {
        std::vector<std::uint32_t> source(count);
        std::uint32_t state = 1;
        for (std::uint32_t& code : source) code = state = state * 1664525u + 1013904223u;
        std::vector<unsigned char> expected(count * width + kMargin, kCanary), found = expected;
        kernel.function()(source.data(), expected.data(), count, 0);
        CAPTURE(isa.name, castforge::type_info(dst).name, count);
        REQUIRE(kernel.run(source.data(), found.data(), count).ok());
        REQUIRE((found == expected));  // not printed: too long to help
        if (width != sizeof(std::uint32_t)) continue;
        REQUIRE(kernel.run(source.data(), source.data(), count).ok());
        REQUIRE(std::memcmp(source.data(), expected.data(), count * width) == 0);
      }
    }
  }
}

// Places that take turns are 256 KiB of result apart in the caches and 1 MiB where results are streamed.
TEST_CASE("several places read in turns give the bytes of one call", "[streaming]") {
  constexpr std::size_t kMiB = 1 << 20;
  const std::pair<Type, Type> pairs[] = {{Type::float32, Type::bfloat16},
                                         {Type::int64, Type::int8},
                                         {Type::int32, Type::int4},
                                         {Type::uint2, Type::uint16}};
  for (const auto& [src, dst] : pairs) {
    const castforge::Kernel kernel = castforge::find_kernel("onnx@25", src, dst);
    REQUIRE(kernel);
    const std::size_t src_bits = static_cast<std::size_t>(castforge::type_info(src).storage_bits);
    const std::size_t dst_bits = static_cast<std::size_t>(castforge::type_info(dst).storage_bits);
    const castforge::Conversion conversion = {kernel.function(), kernel.isa(), src_bits, dst_bits};
    // The whole of two and of three places, an element less and more, and none.
    for (const std::size_t bytes : {2 * kMiB, 3 * kMiB, kMiB / 2, kMiB / 4}) {
      for (const int more : {-1, 0, 1, 777}) {
        const std::size_t count = bytes * 8 / dst_bits + static_cast<std::size_t>(more);
        std::vector<unsigned char> source((count * src_bits + 7) / 8);
        std::uint32_t state = 1;
        for (unsigned char& byte : source)
          byte = static_cast<unsigned char>((state = state * 1664525u + 1013904223u) >> 24);
        const std::size_t result = (count * dst_bits + 7) / 8;
        std::vector<unsigned char> expected(result + kMargin, kCanary);
        kernel.function()(source.data(), expected.data(), count, 0);
        const castforge::Reading ways[] = {{2, 0}, {2, 2048}, {2, 8192}, {3, 2048}, {1, 64}};
        for (const castforge::Reading& reading : ways) {
          CAPTURE(castforge::type_info(src).name, castforge::type_info(dst).name, count, reading.streams);
          std::vector<unsigned char> streamed(result + kMargin, kCanary), cached = streamed;
          castforge::run_streaming(conversion, source.data(), streamed.data(), count, reading);
          REQUIRE((streamed == expected));  // not printed: too long to help
          castforge::run_cached(conversion, source.data(), cached.data(), count, reading);
          REQUIRE((cached == expected));
        }
      }
    }
  }
}

TEST_CASE("how large sources are read depends on maker and family of the processor", "[streaming]") {
  CHECK(castforge::readings_of("AuthenticAMD", 0x19).in_memory.streams == 2);
  CHECK(castforge::readings_of("AuthenticAMD", 0x19).in_memory.ahead == 0);
  CHECK(castforge::readings_of("AuthenticAMD", 0x1A).in_memory.streams == 1);
  CHECK(castforge::readings_of("AuthenticAMD", 0x16).in_memory.ahead == 8192);
  CHECK(castforge::readings_of("GenuineIntel", 6).in_memory.streams == 2);
  CHECK(castforge::readings_of("GenuineIntel", 6).in_memory.ahead == 2048);
  CHECK(castforge::readings_of("GenuineIntel", 6).in_cache.streams == 1);
  CHECK(castforge::readings_of("GenuineIntel", 5).in_memory.streams == 1);
  CHECK(castforge::readings_of("GenuineIntel", 7).in_memory.streams == 1);
  CHECK(castforge::readings_of("", 0).in_cache.ahead == 2048);
  CHECK(castforge::readings().in_memory.streams >= 1);
}

TEST_CASE("the threshold is positive", "[streaming]") { CHECK(castforge::streaming_threshold() > 0); }

// Amalgamated kernels against those of the library: the same bits, on every instruction set of this machine.
#include <catch2/catch_all.hpp>

#include <castforge/castforge.hpp>
#include <castforge/elements.hpp>

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "casts.h"
#include "entries.hpp"

using namespace castforge::amalgam_tests;

namespace {

/// Elements of `bits`: every code up to 16 bits several times, otherwise random ones, half of them of a few bits only,
/// which are near what roundings and ranges turn on.
std::vector<std::uint8_t> sources(int bits, std::size_t count) {
  std::vector<std::uint8_t> bytes(castforge::bytes_of_elements(count, bits));
  if (bits <= 16) {
    for (std::size_t i = 0; i < count; ++i) castforge::store_element(bytes.data(), i, i, bits);
    return bytes;
  }
  std::mt19937_64 random(7);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t code = random();
    if (i % 2 == 0) {  // few bits below the leading ones
      std::uint64_t few = random();
      for (int k = 0; k < 2; ++k) few &= random();
      code &= few | ~std::uint64_t{0} << (bits - 1 - i % 24);
    }
    if (i % 4 == 0) code += random() % 3 - 1;
    castforge::store_element(bytes.data(), i, code, bits);
  }
  return bytes;
}

}  // namespace

TEST_CASE("amalgamated kernels give the bits of the library") {
  for (const char* isa : {"portable", "sse4_2", "avx2", "avx512", "avx512vbmi", "neon64"}) {
    if (casts_use_isa(isa) != 0) continue;
    REQUIRE(std::string(casts_isa()) == isa);
    for (const Entry& entry : kEntries) {
      CAPTURE(isa, entry.kernel);
      castforge::Kernel kernel = library_kernel(entry.kernel, isa);
      if (!kernel) kernel = library_kernel(entry.kernel, "portable");  // of a library with fewer sets: the same bits
      REQUIRE(kernel);
      const int src_bits = castforge::type_info(kernel.src()).storage_bits;
      const int dst_bits = castforge::type_info(kernel.dst()).storage_bits;
      const std::size_t many = src_bits <= 16 ? std::size_t{1} << 17 : std::size_t{1} << 20;
      std::vector<std::uint8_t> source = sources(src_bits, many);
      source.insert(source.begin(), 0);  // so that elements are not aligned
      const std::vector<std::size_t> lengths = {many - 1, 0,  1,  2,   3,   7,   15,  17,  31,
                                                33,       63, 65, 100, 127, 129, 255, 257, 1001};
      for (const std::size_t length : lengths) {
        CAPTURE(length);
        const std::size_t bytes = castforge::bytes_of_elements(length, dst_bits);
        std::vector<std::uint8_t> expected(bytes + 3, 0xA5), found(bytes + 3, 0xA5);
        REQUIRE(kernel.run(source.data() + 1, expected.data() + 1, length).ok());
        entry.run(source.data() + 1, found.data() + 1, length);
        REQUIRE(std::memcmp(expected.data(), found.data(), bytes + 3) == 0);
      }
    }
  }
  CHECK(casts_use_isa("avx3") == -1);
  CHECK(casts_use_isa(nullptr) == 0);
}

TEST_CASE("large amalgamated conversions, which go past the caches, give the bits of small ones") {
  constexpr std::size_t kCount = 9000001, kSmall = 80000;
  std::mt19937_64 random(11);
  std::vector<std::uint8_t> source(4 * kCount);
  for (std::uint8_t& byte : source) byte = static_cast<std::uint8_t>(random());
  for (const Entry& entry : kEntries) {
    const castforge::Kernel kernel = library_kernel(entry.kernel, "portable");
    const int src_bits = castforge::type_info(kernel.src()).storage_bits;
    const int dst_bits = castforge::type_info(kernel.dst()).storage_bits;
    if (src_bits > 32 || src_bits + dst_bits < 33) continue;  // the source is as large as that, and all is large
    const std::size_t bytes = castforge::bytes_of_elements(kCount, dst_bits);
    for (const std::size_t offset : {0, 3, 64}) {
      CAPTURE(entry.kernel, offset);
      std::vector<std::uint8_t> expected(bytes + 80, 0xA5), found(bytes + 80, 0xA5);
      entry.run(source.data(), found.data() + offset, kCount);
      for (std::size_t i = 0; i < kCount; i += kSmall) {
        entry.run(source.data() + castforge::bytes_of_elements(i, src_bits),
                  expected.data() + offset + castforge::bytes_of_elements(i, dst_bits), std::min(kSmall, kCount - i));
      }
      REQUIRE(expected == found);
    }
  }
}

TEST_CASE("amalgamated kernels leave the environment of the thread alone") {
  const float halfway[3] = {1.0625f, -1.0625f, 0x1p-10f * 1.5f};
  std::uint8_t codes[3], upward[3];
  castforge_float32_to_float8e4m3fn__rne_max(halfway, codes, 3);
  REQUIRE(std::fesetround(FE_UPWARD) == 0);
  castforge_float32_to_float8e4m3fn__rne_max(halfway, upward, 3);
  const int mode = std::fegetround();
  std::fesetround(FE_TONEAREST);
  CHECK(mode == FE_UPWARD);
  CHECK(std::memcmp(codes, upward, sizeof codes) == 0);
}

TEST_CASE("amalgamated kernels convert in place where both types are as wide") {
  std::vector<std::int8_t> bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::int8_t>(i);
  std::vector<std::int8_t> expected(bytes.size());
  castforge_float8e5m2_to_int8__rtz_wrap(bytes.data(), expected.data(), bytes.size());
  castforge_float8e5m2_to_int8__rtz_wrap(bytes.data(), bytes.data(), bytes.size());
  CHECK(bytes == expected);
}

TEST_CASE("the amalgam says which rules it holds") { CHECK(std::string(CASTS_MANIFEST) == castforge::manifest_hash()); }

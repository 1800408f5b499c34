// Threads that flush subnormals get the results of those that do not. AVX-512 kernels run without setting the
// environment where comparison at boundaries found flushing harmless: here it meets every float32 subnormal.
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>

using castforge::Kernel, castforge::Type;

namespace {

constexpr unsigned kUsual = 0x1F80, kFlushingUp = kUsual | 0x8040 | 0x4000;  // FTZ, DAZ, rounding up
constexpr std::size_t kChunk = std::size_t{1} << 17;

template <class Code>
void check(const Kernel& kernel, const std::vector<Code>& codes) {
  const std::size_t bits = static_cast<std::size_t>(castforge::type_info(kernel.dst()).storage_bits);
  std::vector<unsigned char> expected((codes.size() * bits + 7) / 8), found = expected;
  kernel.function()(codes.data(), expected.data(), codes.size(), 0);
  _mm_setcsr(kFlushingUp);
  kernel.function()(codes.data(), found.data(), codes.size(), 0);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(kUsual);
  CAPTURE(kernel.name(), kernel.isa());
  REQUIRE((found == expected));  // not printed: too long to help
  REQUIRE(after == kFlushingUp);
}

/// What to do with each kernel from that type on each instruction set, and how many codes it can afford to leave out:
/// where the environment is always set, a sample will do.
template <class Body>
void for_each_kernel(Type src, const Body& body) {
  for (std::size_t i = 0; i < castforge::isa_count(); ++i) {
    const castforge::IsaInfo isa = castforge::isa(i);
    if (!isa.usable) continue;
    const std::uint32_t stride = isa.name.starts_with("avx512") ? 1 : 1009;
    for (std::size_t k = 0; k < castforge::kernel_count(); ++k) {
      const Kernel kernel = castforge::kernel_at(k, isa.name);
      if (kernel.src() == src) body(kernel, stride);
    }
  }
}

}  // namespace

TEST_CASE("flushed subnormals change no result, every one of float32", "[environment]") {
  for_each_kernel(Type::float32, [](const Kernel& kernel, std::uint32_t stride) {
    std::vector<std::uint32_t> codes;
    for (std::uint32_t magnitude = 0; magnitude < 0x800000; magnitude += stride) {
      codes.push_back(magnitude);
      codes.push_back(magnitude | 0x80000000);
      if (codes.size() < kChunk && magnitude + stride < 0x800000) continue;
      check(kernel, codes);
      codes.clear();
    }
  });
}

TEST_CASE("flushed subnormals change no result, float64 around those of float32 and float64", "[environment]") {
  for_each_kernel(Type::float64, [](const Kernel& kernel, std::uint32_t stride) {
    std::vector<std::uint64_t> codes;
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < kChunk / (stride == 1 ? 1 : 16); ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::uint64_t exponent = i % 4 == 0 ? 0 : 1023 - 160 + (state >> 40) % 45;  // 2^-160 .. 2^-116
      codes.push_back((state & 0x800FFFFFFFFFFFFF) | exponent << 52);
    }
    check(kernel, codes);
  });
}

#endif

// Ramps of this instruction set against their definition, element by element.
#include "loops/ramp.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <vector>

using namespace castforge;

namespace {

constexpr std::size_t kMost = 150;
constexpr std::size_t kCounts[] = {0, 1, 2, 3, 7, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, kMost};

/// The first `count` codes that a ramp writes to an unaligned place; the bytes around it must stay as they
/// are.
template <class U>
std::vector<U> run(tables::RampFn ramp, const tables::Ramp& r, std::size_t count) {
  std::vector<std::byte> bytes(count * sizeof(U) + 129, std::byte{0xA5});
  ramp(r, bytes.data() + 65, count);
  for (std::size_t i = 0; i < 64; ++i) {
    REQUIRE(bytes[i + 1] == std::byte{0xA5});
    REQUIRE(bytes[bytes.size() - 1 - i] == std::byte{0xA5});
  }
  std::vector<U> codes(count);
  if (count != 0) std::memcpy(codes.data(), bytes.data() + 65, count * sizeof(U));
  return codes;
}

template <class U>
void check_integers() {
  const std::uint64_t values[] = {0, 1, 3, 0x80, 0xFFFF, 0x123456789ABCDEF1, ~std::uint64_t{0}, std::uint64_t{1} << 63};
  for (const std::uint64_t start : values) {
    for (const std::uint64_t step : values) {
      for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{0xFFFFFFFF0}}) {
        for (const std::size_t count : kCounts) {
          const std::vector<U> codes = run<U>(simd::integer_ramp<U>, {start, step, first}, count);
          std::size_t wrong = 0;
          for (std::size_t k = 0; k < count; ++k) wrong += codes[k] != static_cast<U>(start + (first + k) * step);
          REQUIRE(wrong == 0);
        }
      }
    }
  }
}

template <class F>
F stored(F value) {
  volatile F result = value;
  return result;
}

template <class F, class U>
void check_floats(bool fused) {
  const F starts[] = {0, -1, static_cast<F>(0.1), static_cast<F>(1e30), static_cast<F>(-3e-41)};
  const F steps[] = {1, static_cast<F>(-0.2), static_cast<F>(1e-42), static_cast<F>(7e20), static_cast<F>(1.0 / 3)};
  const std::uint64_t firsts[] = {0,
                                  65500,
                                  (1u << 20) - 50,
                                  (1u << 24) - 60,
                                  4294967280u,
                                  (std::uint64_t{1} << 40) - 90,
                                  (std::uint64_t{1} << 41) + (1u << 17) - 20,  // then half an ulp of float32, and more
                                  (std::uint64_t{1} << 53) - 70,
                                  0xFFFFFFFFFFFFFF00 - 200};
  for (const F start : starts) {
    for (const F step : steps) {
      for (const std::uint64_t first : firsts) {
        for (const std::size_t count : kCounts) {
          const auto codes = run<U>(fused ? simd::float_ramp<U, true> : simd::float_ramp<U, false>,
                                    {std::bit_cast<U>(start), std::bit_cast<U>(step), first}, count);
          std::size_t wrong = 0;
          for (std::size_t k = 0; k < count; ++k) {
            const F index = stored(static_cast<F>(first + k));
            const F expected = fused ? std::fma(index, step, start) : stored(start + stored(index * step));
            wrong += codes[k] != std::bit_cast<U>(expected);
          }
          INFO(start << " + i * " << step << " from " << first << ", " << count << " elements");
          REQUIRE(wrong == 0);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("integer ramps") {
  check_integers<std::uint8_t>();
  check_integers<std::uint16_t>();
  check_integers<std::uint32_t>();
  check_integers<std::uint64_t>();
}

TEST_CASE("float ramps: product and sum rounded") {
  check_floats<float, std::uint32_t>(false);
  check_floats<double, std::uint64_t>(false);
}

TEST_CASE("float ramps: rounded once") {
  check_floats<float, std::uint32_t>(true);
  check_floats<double, std::uint64_t>(true);
}

TEST_CASE("a product is not fused into the sum") {
  const double start = -1, step = 0.2;
  const auto codes =
      run<std::uint64_t>(simd::float_ramp<std::uint64_t, false>,
                         {std::bit_cast<std::uint64_t>(start), std::bit_cast<std::uint64_t>(step), 0}, 40);
  CHECK(codes[5] == 0);
  const auto fused =
      run<std::uint64_t>(simd::float_ramp<std::uint64_t, true>,
                         {std::bit_cast<std::uint64_t>(start), std::bit_cast<std::uint64_t>(step), 0}, 40);
  CHECK(fused[5] == 0x3C90000000000000);
}

TEST_CASE("infinite starts and steps: NaN is the canonical one") {
  constexpr std::uint32_t kInf = 0x7F800000, kNan = 0x7FC00000;
  CHECK(run<std::uint32_t>(simd::float_ramp<std::uint32_t, false>, {0, kInf, 0}, 3) ==
        std::vector<std::uint32_t>{kNan, kInf, kInf});
  CHECK(run<std::uint32_t>(simd::float_ramp<std::uint32_t, false>, {kInf, kInf | 1u << 31, 0}, 3) ==
        std::vector<std::uint32_t>{kNan, kNan, kNan});
  CHECK(run<std::uint64_t>(simd::float_ramp<std::uint64_t, true>, {0x7FF0000000000000, 0, 9}, 2) ==
        std::vector<std::uint64_t>{0x7FF0000000000000, 0x7FF0000000000000});
}

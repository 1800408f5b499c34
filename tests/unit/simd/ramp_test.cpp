// Ramps of this instruction set against their definition, element by element.
#include "loops/ramp.hpp"
#include "loops/ramp_narrow.hpp"

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

#if CASTFORGE_VECTOR
template <class F>
struct Values {
  std::vector<F> starts, steps;
};

/// Elements computed in F, then rounded by integer arithmetic from format From to format To.
template <class F, class U, class D, class From, class To>
void check_narrow(tables::RampFn ramp, const Values<F>& values) {
  for (const F start : values.starts) {
    for (const F step : values.steps) {
      for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1} << 16, (std::uint64_t{1} << 20) - 50}) {
        for (std::size_t count = 0; count <= 800; count += count < 200 ? 1 : 133) {
          const std::vector<D> codes = run<D>(ramp, {std::bit_cast<U>(start), std::bit_cast<U>(step), first}, count);
          std::size_t wrong = 0;
          for (std::size_t k = 0; k < count; ++k) {
            const F element = stored(start + stored(static_cast<F>(first + k) * step));
            wrong += codes[k] != static_cast<D>(lane::detail::convert<From, To>(std::bit_cast<U>(element)));
          }
          INFO(start << " + i * " << step << " from " << first << ", " << count << " elements");
          REQUIRE(wrong == 0);
        }
      }
    }
  }
}
#endif

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

#if CASTFORGE_VECTOR
TEST_CASE("ramps that round to a narrower type") {
  using lane::detail::Binary16, lane::detail::Binary32, lane::detail::Binary64;
  using Brain = lane::detail::Ieee<8, 7>;
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  const Values<double> doubles{{0, -1, 0.1, 65000, -3e-7, 1 + 0x1p-52, 0x1p-120},
                               {1, -0.2, 1e-7, 0x1p-12, 7e3, 0x1p-27, -1e-29}};
  check_narrow<double, U64, U32, Binary64, Binary32>(simd::float32_ramp<false>, doubles);
  check_narrow<double, U64, U16, Binary64, Binary16>(simd::float16_ramp<U64, false>, doubles);
  check_narrow<double, U64, U16, Binary64, Brain>(simd::bfloat16_ramp<U64, false>, doubles);
  const Values<float> floats{{0, -1, 0.1F, 65000, -3e-7F, 0x1p-126F},
                             {1, -0.2F, 1e-7F, 0x1p-12F, 7e3F, 0x1p-27F, -1e-29F}};
  check_narrow<float, U32, U16, Binary32, Binary16>(simd::float16_ramp<U32, false>, floats);
  check_narrow<float, U32, U16, Binary32, Brain>(simd::bfloat16_ramp<U32, false>, floats);
}

TEST_CASE("ramps that round to a narrower type: exact sums") {
  using lane::detail::Binary16, lane::detail::Binary32, lane::detail::Binary64;
  using Brain = lane::detail::Ieee<8, 7>;
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  const Values<double> doubles{{0, -1, 65000.25, 1 + 0x1p-30}, {1, -0.25, 0x1p-30, 0x1.234p-8}};
  check_narrow<double, U64, U32, Binary64, Binary32>(simd::float32_ramp<true>, doubles);
  check_narrow<double, U64, U16, Binary64, Binary16>(simd::float16_ramp<U64, true>, doubles);
  check_narrow<double, U64, U16, Binary64, Brain>(simd::bfloat16_ramp<U64, true>, doubles);
  const Values<float> floats{{0, -1, 65000, 0.25F}, {1, -0.5F, 0.25F, -2}};
  check_narrow<float, U32, U16, Binary32, Binary16>(simd::float16_ramp<U32, true>, floats);
  check_narrow<float, U32, U16, Binary32, Brain>(simd::bfloat16_ramp<U32, true>, floats);
}

TEST_CASE("ramps that round to a narrower type: the sign changes where it must, millions of elements on") {
  // Zero lies between the last two elements of a block, where an estimate of the distance to it is hardly good enough.
  constexpr std::size_t kBlock = simd::detail::FourVectors<std::uint32_t, false>::kCount,
                        kBlocks = (1 << 24) / kBlock - 20;
  std::vector<std::uint16_t> codes((kBlocks + 1) * kBlock);
  for (int i = 0; i < 100; ++i) {
    const float step = -0x1p-38F * (1 + static_cast<float>(i) / 100);
    const auto start = static_cast<float>(-static_cast<double>(step) * (static_cast<double>(kBlocks * kBlock) - 1.2));
    const tables::Ramp ramp{std::bit_cast<std::uint32_t>(start), std::bit_cast<std::uint32_t>(step), 0};
    simd::float16_ramp<std::uint32_t, false>(ramp, codes.data(), codes.size());
    std::size_t wrong = 0;
    for (std::size_t k = (kBlocks - 1) * kBlock; k < codes.size(); ++k) {
      const auto bits = std::bit_cast<std::uint32_t>(stored(start + stored(static_cast<float>(k) * step)));
      wrong += codes[k] != lane::detail::convert<lane::detail::Binary32, lane::detail::Binary16>(bits);
    }
    INFO(start << " + i * " << step);
    CHECK(wrong == 0);
  }
}
#endif

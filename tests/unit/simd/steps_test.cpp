// The loop of steps plans: tables with and without equal halves, with and without a height of the first step.
#include "run_check.hpp"

namespace {

using lane::Needs;

enum class Halves { differ, agree, offset };  // of every table; offset: of the results alone, the thresholds agree

constexpr std::uint8_t mixed(std::size_t h, unsigned salt) {
  const std::uint64_t v = (h * 4 + salt + 1) * 0x9E3779B97F4A7C15;
  return static_cast<std::uint8_t>(v >> 56);
}

template <Halves kHalves, int kDst>
constexpr std::array<std::uint8_t, 256> table(unsigned salt) {
  std::array<std::uint8_t, 256> t{};
  for (std::size_t h = 0; h < 256; ++h) {
    const std::size_t row = kHalves == Halves::differ ? h : h % 128;
    t[h] = mixed(row, salt);
    if (salt == 0) {  // room for both steps below the top of a packed result
      t[h] = static_cast<std::uint8_t>(t[h] % ((1 << kDst) - 2));
      if (kDst < 8) t[h] = static_cast<std::uint8_t>(t[h] % (1 << (kDst - 1)));
      if (kHalves == Halves::offset && h >= 128) t[h] = static_cast<std::uint8_t>(t[h] + (1 << (kDst - 1)) - 2);
    } else if (row % 5 == salt) {
      t[h] = 255;  // never
    } else if (row % 7 == salt) {
      t[h] = 0;
    }
  }
  return t;
}

template <Halves kHalves, int kDst>
struct Unit {
  static constexpr int kSrcBits = 16, kDstBits = kDst;
  struct general {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr std::array<std::uint8_t, 256> kFirst = table<kHalves, kDst>(0);
    static constexpr std::array<std::uint8_t, 256> kOnce = table<kHalves, kDst>(1);
    static constexpr std::array<std::uint8_t, 256> kTwice = table<kHalves, kDst>(2);
  };
  using plans = lane::Plans<general>;
};

template <Halves kHalves>
struct Rising {
  static constexpr int kSrcBits = 16, kDstBits = 8;
  struct general : Unit<kHalves, 8>::general {
    static constexpr std::array<std::uint8_t, 256> kRise = table<kHalves, 8>(3);
  };
  using plans = lane::Plans<general>;
};

template <Halves kHalves>
struct Single {
  static constexpr int kSrcBits = 16, kDstBits = 8;
  struct general {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr std::array<std::uint8_t, 256> kFirst = table<kHalves, 8>(0);
    static constexpr std::array<std::uint8_t, 256> kOnce = table<kHalves, 8>(1);
  };
  using plans = lane::Plans<general>;
};

}  // namespace

TEST_CASE("a source code follows its steps", "[simd][steps]") {
  using P = Rising<Halves::differ>::general;
  for (std::uint64_t code = 0; code < 65536; ++code) {
    const std::size_t h = code >> 8;
    int want = P::kFirst[h];
    if ((code & 0xFF) > P::kOnce[h]) want += P::kRise[h];
    if ((code & 0xFF) > P::kTwice[h]) want += 1;
    if (lane::at_plan<P, 16, 8>(code) != (static_cast<unsigned>(want) & 0xFF)) FAIL("code " << code);
  }
}

#if CASTFORGE_X86 >= 4
TEST_CASE("the loop of steps plans", "[simd][steps]") {
  check_kernel<Unit<Halves::differ, 8>>();
  check_kernel<Unit<Halves::agree, 8>>();
  check_kernel<Unit<Halves::offset, 8>>();
  check_kernel<Unit<Halves::differ, 4>>();
  check_kernel<Unit<Halves::offset, 4>>();
  check_kernel<Single<Halves::differ>>();
  check_kernel<Single<Halves::offset>>();
  check_kernel<Rising<Halves::differ>>();
  check_kernel<Rising<Halves::agree>>();
  check_kernel<Rising<Halves::offset>>();
}

TEST_CASE("tables with equal halves are kept once", "[simd][steps]") {
  constexpr auto pattern = [](const auto& layout) { return layout.pattern; };
  constexpr auto differ = pattern(simd::detail::StepsLayout<Unit<Halves::differ, 8>::general>());
  CHECK(differ.total() == 3 * 256);
  constexpr auto agree = pattern(simd::detail::StepsLayout<Rising<Halves::agree>::general>());
  CHECK(agree.total() == 4 * 128);
  constexpr simd::detail::StepsLayout<Unit<Halves::offset, 8>::general> offset;
  CHECK(offset.pattern.total() == 3 * 128);
  CHECK(offset.offset == 126);
}
#endif

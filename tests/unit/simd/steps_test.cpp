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

template <Halves kHalves, int kDst>
struct Small {  // the cell of high byte 0 in full
  static constexpr int kSrcBits = 16, kDstBits = kDst;
  struct general : Unit<kHalves, kDst>::general {
    static constexpr std::array<std::uint8_t, 256> kSmall = [] {
      std::array<std::uint8_t, 256> t{};
      for (std::size_t l = 0; l < 256; ++l) t[l] = static_cast<std::uint8_t>(mixed(l, 7) % (1 << kDst));
      return t;
    }();
  };
  using plans = lane::Plans<general>;
};

template <Halves kHalves, int kDst, bool kUnlessZero>
struct Placed {  // entered with the clamped magnitude, the sign put back afterwards
  static constexpr int kSrcBits = 16, kDstBits = kDst;
  struct general : Unit<kHalves, kDst>::general {
    static constexpr std::uint8_t kSignBit = 1 << (kDst - 1);
    static constexpr bool kSignUnlessZero = kUnlessZero;
    template <class W>
    static constexpr W place(W bits) noexcept {
      return (lane::min(bits & W(0x7FFF), W(0x4321)) + W(0x0123)) << 1;
    }
  };
  using plans = lane::Plans<general>;
};

template <Halves kHalves>
struct PlacedWithSign {
  static constexpr int kSrcBits = 16, kDstBits = 8;
  struct general : Unit<kHalves, 8>::general {
    template <class W>
    static constexpr W place(W bits) noexcept {
      return ~bits;
    }
  };
  using plans = lane::Plans<general>;
};

}  // namespace

// Of negative sources the result has the top bit where it is not 0, as in formats without a negative zero. The odd cells
// start at 0; kOneMore puts one entry elsewhere.
template <bool kOneMore>
struct NoNegativeZero {
  static constexpr int kSrcBits = 16, kDstBits = 8;
  struct general {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr auto kFirst = [] {
      std::array<std::uint8_t, 256> t{};
      for (std::size_t h = 0; h < 256; ++h) {
        const std::uint8_t magnitude = h % 2 == 1 ? 0 : static_cast<std::uint8_t>(mixed(h % 128, 0) % 125 + 1);
        t[h] = h >= 128 && magnitude != 0 ? magnitude | 0x80 : magnitude;
      }
      if (kOneMore) ++t[200];
      return t;
    }();
    static constexpr auto kOnce = table<Halves::agree, 8>(1);
    static constexpr auto kTwice = [] {  // after the first steps
      std::array<std::uint8_t, 256> t = kOnce;
      for (std::size_t h = 0; h < 256; ++h) t[h] = static_cast<std::uint8_t>(std::min(255, kOnce[h] + mixed(h % 128, 2) % 64));
      return t;
    }();
    static constexpr auto kRise = [] {
      std::array<std::uint8_t, 256> t{};
      for (std::size_t h = 0; h < 256; ++h) t[h] = h >= 128 && kFirst[h] == 0 ? 0x81 : 1;
      return t;
    }();
  };
  using plans = lane::Plans<general>;
};

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

TEST_CASE("the cell of high byte 0 may have a table of its own", "[simd][steps]") {
  using P = Small<Halves::differ, 8>::general;
  for (std::uint64_t code = 0; code < 512; ++code) {
    const std::uint64_t want = code < 256 ? P::kSmall[code] : lane::at_plan<Unit<Halves::differ, 8>::general, 16, 8>(code);
    CHECK(lane::at_plan<P, 16, 8>(code) == want);
  }
}

TEST_CASE("a source code is brought to its place, and its sign is put back", "[simd][steps]") {
  using P = Placed<Halves::differ, 8, true>::general;
  using Unplaced = Unit<Halves::differ, 8>::general;
  for (std::uint64_t code = 0; code < 65536; ++code) {
    const std::uint64_t place = (std::min<std::uint64_t>(code & 0x7FFF, 0x4321) + 0x123) << 1 & 0xFFFF;
    const std::uint64_t magnitude = lane::at_plan<Unplaced, 16, 8>(place);
    const std::uint64_t want = code >= 0x8000 && magnitude != 0 ? magnitude | 0x80 : magnitude;
    if (lane::at_plan<P, 16, 8>(code) != want) FAIL("code " << code);
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
  check_kernel<Small<Halves::differ, 8>>();
  check_kernel<Small<Halves::offset, 8>>();
  check_kernel<Small<Halves::agree, 4>>();
  check_kernel<Placed<Halves::differ, 8, false>>();
  check_kernel<Placed<Halves::differ, 8, true>>();
  check_kernel<Placed<Halves::offset, 4, true>>();
  check_kernel<Placed<Halves::agree, 4, false>>();
  check_kernel<PlacedWithSign<Halves::differ>>();
  check_kernel<NoNegativeZero<false>>();
  check_kernel<NoNegativeZero<true>>();
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
  constexpr simd::detail::StepsLayout<NoNegativeZero<false>::general> without;
  CHECK(without.pattern.signed_unless_zero);
  CHECK(without.pattern.total() == 3 * 128);  // nor is a height kept: every step of a magnitude is by one
  constexpr unsigned last_zero = NoNegativeZero<false>::general::kOnce[3];
  static_assert(last_zero < 254 && last_zero < NoNegativeZero<false>::general::kTwice[3]);
  CHECK(lane::at<NoNegativeZero<false>>(0x8300 + last_zero) == 0);
  CHECK(lane::at<NoNegativeZero<false>>(0x0300 + last_zero + 1) == 1);
  CHECK(lane::at<NoNegativeZero<false>>(0x8300 + last_zero + 1) == 0x81);
  constexpr simd::detail::StepsLayout<NoNegativeZero<true>::general> other;
  CHECK_FALSE(other.pattern.signed_unless_zero);
  CHECK(other.pattern.first == 256);
}
#endif

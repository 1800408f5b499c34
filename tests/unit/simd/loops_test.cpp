// The loops: every combination of storage widths, every count, misaligned, fenced, in place.
#include <bit>

#include "mixed.hpp"
#include "run_check.hpp"

namespace {

using lane::Environment;
using lane::Needs;

template <int kDst>
void check_sources() {
  check_kernel<Mixed<1, kDst>>();
  check_kernel<Mixed<2, kDst>>();
  check_kernel<Mixed<4, kDst>>();
  check_kernel<Mixed<8, kDst>>();
  check_kernel<Mixed<16, kDst>>();
  check_kernel<Mixed<32, kDst>>();
  check_kernel<Mixed<64, kDst>>();
  check_kernel<Same<kDst>>();
}

struct Offered {
  static constexpr Needs kNeeds = lane::kIsaHas;
};
struct Absent {
  static constexpr Needs kNeeds = static_cast<Needs>(1u << 30);
};
struct Plain {
  static constexpr Needs kNeeds = Needs::nothing;
};
static_assert(std::is_same_v<lane::Plans<Absent, Offered, Plain>::chosen, Offered>);
static_assert(std::is_same_v<lane::Plans<Absent, Plain>::chosen, Plain>);

// float32 -> float8e4m3fn, the two plans of the library.
struct ToFloat8 {
  static constexpr int kSrcBits = 32, kDstBits = 8;
  struct multiply_add {
    static constexpr Needs kNeeds = Needs::vector;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::rounding;
    static constexpr std::uint32_t kMagnitude = 0x7FFFFFFF, kTop = 0x43E00000, kNaN = 0x43F00000,
                                   kMinNormal = 0x3C800000;
    static constexpr std::uint32_t kExponent = 0x7F800000, kScale = 0x49800098;
    static constexpr auto map(auto bits) noexcept {
      const auto mag = bits & kMagnitude;
      const auto number = lane::min_nan2(kTop, mag);
      const auto bounded = lane::min(number, kNaN);
      const auto binade = lane::max(bounded & kExponent, kMinNormal);
      const auto rounded = lane::multiply_add(binade, kScale, bounded);
      const auto code = lane::fold<20>(rounded);
      return code | lane::sign8<7>(bits);
    }
  };
  struct integer {
    static constexpr Needs kNeeds = Needs::nothing;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr std::uint32_t kMagnitude = 0x7FFFFFFF, kFraction = 0x007FFFFF, kHidden = 0x00800000,
                                   kExpNormal = 121;
    static constexpr std::uint32_t kExpZero = 116, kShiftBase = 141, kInf = 0x7F800000, kMaxFinite = 0x7E, kNaN = 0x7F;
    static constexpr auto map(auto bits) noexcept {
      const auto mag = bits & kMagnitude;
      const auto sign = bits ^ mag;
      const auto exp = mag >> 23;
      const auto sig = (mag & kFraction) | kHidden;
      const auto shift = kShiftBase - lane::max(lane::min(exp, kExpNormal), kExpZero);
      const auto field = (lane::max(exp, kExpNormal) - kExpNormal) << 3;
      const auto odd = lane::shr(sig, shift) & 1;
      const auto half = lane::shl(1, shift - 1) - 1;
      const auto kept = lane::shr((sig + half) + odd, shift);
      const auto code = kept + field;
      const auto limited = lane::min(code, kMaxFinite);
      return lane::narrow<std::uint8_t>(lane::select(lane::gt(mag, kInf), kNaN, limited) | (sign >> 24));
    }
  };
  using plans = lane::Plans<multiply_add, integer>;
};
struct ToFloat8ByIntegers : ToFloat8 {
  using plans = lane::Plans<integer>;
};
static_assert(lane::maps<ToFloat8>({{0x00000000, 0x00},
                                    {0x3A800000, 0x00},
                                    {0x3A800001, 0x01},
                                    {0x3F800000, 0x38},
                                    {0x43E80000, 0x7E},
                                    {0x43E80001, 0x7E},
                                    {0xFF800000, 0xFE},
                                    {0x7F800001, 0x7F},
                                    {0x80000000, 0x80}}));
#if CASTFORGE_VECTOR
// A table of nibbles that is wrong at its end is seen.
struct WrongNibbles : Mixed<2, 4> {
  struct plan : Mixed<2, 4>::plan {
    static constexpr std::array<std::uint16_t, 16> kOfNibble = [] {
      std::array<std::uint16_t, 16> all = Mixed<2, 4>::plan::kOfNibble;
      all[15] ^= 0x80;
      return all;
    }();
  };
  using plans = lane::Plans<plan>;
};
static_assert(simd::detail::nibbles_are_by_map<Mixed<2, 4>>());
static_assert(!simd::detail::nibbles_are_by_map<WrongNibbles>());
#endif

#if !CASTFORGE_VECTOR
// The portable unit asserts for all sets; a row that one plan does not give fails there, whichever plan it is.
struct ToFloat8BadlyLater : ToFloat8 {
  struct constant {
    [[maybe_unused]] static constexpr Needs kNeeds = Needs::nothing;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr auto map(auto bits) noexcept { return lane::narrow<std::uint8_t>(bits & 0u); }
  };
  using plans = lane::Plans<integer, constant>;
};
static_assert(!lane::maps<ToFloat8>({{0x3F800000, 0x38}, {0x3A800001, 0x02}}));
static_assert(lane::maps<ToFloat8BadlyLater>({{0x00000000, 0x00}}));
static_assert(!lane::maps<ToFloat8BadlyLater>({{0x00000000, 0x00}, {0x3F800000, 0x38}}));
#endif

#if CASTFORGE_X86 != 1
// float64 -> float16 by way of float32.
struct ToFloat16 {
  static constexpr int kSrcBits = 64, kDstBits = 16;
  struct half {
    static constexpr Needs kNeeds = Needs::nothing;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::rounding;
    static constexpr std::uint64_t kDropped = 0x000000FFFFFFFFFF, kKept = 0xFFFFFF0000000000;
    static constexpr std::uint32_t kMinusNaN = 0xFFC00000, kNaN = 0x7FC00000;
    static constexpr auto map(auto bits) noexcept {
      const auto carried = (bits & kDropped) + kDropped;
      const auto single = lane::float32_of_float64((bits | carried) & kKept);
      return lane::float16_of_float32(lane::min_signed(lane::min(single, kMinusNaN), kNaN));
    }
  };
  using plans = lane::Plans<half>;
};
#endif

// int4 -> float32, three ways.
struct OfInt4 {
  static constexpr int kSrcBits = 4, kDstBits = 32;
  struct wide {
    static constexpr Needs kNeeds = Needs::vbmi;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr std::array<std::uint32_t, 16> kNumbers = {
        0x00000000, 0x3F800000, 0x40000000, 0x40400000, 0x40800000, 0x40A00000, 0x40C00000, 0x40E00000,
        0xC1000000, 0xC0E00000, 0xC0C00000, 0xC0A00000, 0xC0800000, 0xC0400000, 0xC0000000, 0xBF800000};
    static constexpr auto map(auto bits) noexcept { return lane::lookup16_wide<kNumbers>(bits); }
  };
  struct planes {
    static constexpr Needs kNeeds = Needs::vector;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr std::array<std::uint8_t, 16> kThird = {0, 0x80, 0,    0x40, 0x80, 0xA0, 0xC0, 0xE0,
                                                            0, 0xE0, 0xC0, 0xA0, 0x80, 0x40, 0,    0x80};
    static constexpr std::array<std::uint8_t, 16> kTop = {0,    0x3F, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40,
                                                          0xC1, 0xC0, 0xC0, 0xC0, 0xC0, 0xC0, 0xC0, 0xBF};
    static constexpr auto map(auto bits) noexcept {
      return lane::join<std::uint32_t>(0, 0, lane::lookup16<kThird>(bits), lane::lookup16<kTop>(bits));
    }
  };
  struct integer {
    static constexpr Needs kNeeds = Needs::nothing;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr auto map(auto bits) noexcept {
      return lane::float32_of_int(lane::widen_signed<std::uint32_t>((bits ^ 8) - 8));
    }
  };
  using plans = lane::Plans<wide, planes, integer>;
};
struct OfInt4ByPlanes : OfInt4 {
  using plans = lane::Plans<planes, integer>;
};
struct OfInt4ByIntegers : OfInt4 {
  using plans = lane::Plans<integer>;
};

// uint2 -> int64 by a table of 8 in which the four results repeat, or do not.
template <bool kRepeats>
struct OfUint2 {
  static constexpr int kSrcBits = 2, kDstBits = 64;
  struct wide {
    static constexpr Needs kNeeds = Needs::vbmi;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr std::array<std::uint64_t, 8> kNumbers = [] {
      std::array<std::uint64_t, 8> numbers{};
      for (std::size_t i = 0; i < 8; ++i) numbers[i] = kRepeats || i < 4 ? i % 4 : ~std::uint64_t{i};
      return numbers;
    }();
    static constexpr auto map(auto bits) noexcept { return lane::lookup8_wide<kNumbers>(bits); }
  };
  struct integer {
    static constexpr Needs kNeeds = Needs::nothing;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr auto map(auto bits) noexcept { return lane::widen<std::uint64_t>(bits); }
  };
  using plans = lane::Plans<wide, integer>;
};

#if CASTFORGE_HAS_VBMI
// uint4 -> float64, and elements in bytes, by a table of numbers, or of their upper halves.
template <int kBits, bool kUpper>
struct OfUint4 {
  static constexpr int kSrcBits = kBits, kDstBits = 64;
  static constexpr std::array<std::uint64_t, 16> kNumbers = [] {
    std::array<std::uint64_t, 16> numbers{};
    for (std::size_t i = 0; i < 16; ++i) numbers[i] = std::bit_cast<std::uint64_t>(static_cast<double>(i));
    return numbers;
  }();
  static constexpr std::array<std::uint32_t, 16> kHalves = [] {
    std::array<std::uint32_t, 16> halves{};
    for (std::size_t i = 0; i < 16; ++i) halves[i] = static_cast<std::uint32_t>(kNumbers[i] >> 32);
    return halves;
  }();
  static constexpr auto index(auto bits) noexcept {
    if constexpr (kBits == 4) return bits;
    else return bits & 15;
  }
  struct wide {
    static constexpr Needs kNeeds = Needs::vbmi;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr auto map(auto bits) noexcept {
      if constexpr (kUpper) return lane::lookup16_upper<kHalves>(index(bits));
      else return lane::lookup16_wide<kNumbers>(index(bits));
    }
  };
  struct table {
    static constexpr Needs kNeeds = Needs::nothing;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr auto map(auto bits) noexcept { return lane::table<kNumbers>(index(bits)); }
  };
  using plans = lane::Plans<wide, table>;
};
#endif

#if !CASTFORGE_VECTOR
// A lookup by the code, which has a loop that kernels of the same layouts share.
template <int kFrom, int kTo>
struct ByTable {
  static constexpr int kSrcBits = kFrom, kDstBits = kTo;
  struct table {
    static constexpr Needs kNeeds = Needs::nothing;
    [[maybe_unused]] static constexpr Environment kEnvironment = Environment::none;
    static constexpr auto kTable = [] {
      std::array<lane::StorageWord<kTo>, std::size_t{1} << kFrom> results{};
      for (std::size_t i = 0; i < results.size(); ++i)
        results[i] = static_cast<lane::StorageWord<kTo>>((i * 0x9E3779B97F4A7C15 >> 7) & low_bits(kTo));
      return results;
    }();
    static constexpr auto map(auto bits) noexcept { return lane::table<kTable>(bits); }
  };
  using plans = lane::Plans<table>;
};
#endif

static_assert(
    lane::maps<OfInt4>({{0, 0}, {1, 0x3F800000}, {7, 0x40E00000}, {8, 0xC1000000}, {9, 0xC0E00000}, {15, 0xBF800000}}));

}  // namespace

TEST_CASE("to 1 bit", "[simd][loops]") { check_sources<1>(); }
TEST_CASE("to 2 bits", "[simd][loops]") { check_sources<2>(); }
TEST_CASE("to 4 bits", "[simd][loops]") { check_sources<4>(); }
TEST_CASE("to 8 bits", "[simd][loops]") { check_sources<8>(); }
TEST_CASE("to 16 bits", "[simd][loops]") { check_sources<16>(); }
TEST_CASE("to 32 bits", "[simd][loops]") { check_sources<32>(); }
TEST_CASE("to 64 bits", "[simd][loops]") { check_sources<64>(); }

TEST_CASE("kernels as they are generated", "[simd][loops]") {
  check_kernel<ToFloat8>();
  check_kernel<ToFloat8ByIntegers>();
#if CASTFORGE_X86 != 1
  check_kernel<ToFloat16>();
#endif
  check_kernel<OfInt4>();
  check_kernel<OfInt4ByPlanes>();
  check_kernel<OfInt4ByIntegers>();
  check_kernel<OfUint2<true>>();
  check_kernel<OfUint2<false>>();
#if CASTFORGE_HAS_VBMI
  check_kernel<OfUint4<4, true>>();
  check_kernel<OfUint4<4, false>>();
  check_kernel<OfUint4<8, true>>();
  check_kernel<OfUint4<8, false>>();
#endif
#if !CASTFORGE_VECTOR
  check_kernel<ByTable<8, 32>>();
  check_kernel<ByTable<8, 8>>();
  check_kernel<ByTable<8, 6>>();
  check_kernel<ByTable<6, 16>>();
  check_kernel<ByTable<5, 3>>();
#endif
}

TEST_CASE("a rest is followed by zeros to the end of its block", "[simd][loops]") { check_padding(); }

// The loops of map plans: every combination of storage widths and lanes, every count, misaligned, fenced, in place.
#include "run_check.hpp"

namespace {

using lane::Needs;

// Leaves garbage above the destination's bits, and depends on every bit of the lane.
template <int kSrc, int kDst, int kLane, bool kSigned, bool kFits = false>
struct Mixed {
  static constexpr int kSrcBits = kSrc, kDstBits = kDst;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr int kLaneBits = kLane;
    static constexpr bool kSignExtend = kSigned, kCodeFits = kFits;
    using U = lane::Unsigned<kLane>;
    static constexpr U kKept = static_cast<U>(~std::uint64_t{0} >> (64 - (kFits ? kDst : kLane)));
    template <class W>
    static constexpr W map(W v) noexcept {
      const W folded = v ^ (v >> (kLane / 2)) ^ (v >> (kLane / 4));
      return (folded + W(static_cast<U>(0x9E3779B97F4A7C15))) & W(kKept);
    }
  };
  using plans = lane::Plans<plan>;
};

// 64-bit sources in narrower lanes: garbage above the low half of the first stage, every bit of the source in the result.
template <int kDst, int kLane>
struct Prepared {
  static constexpr int kSrcBits = 64, kDstBits = kDst;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr int kLaneBits = kLane;
    static constexpr bool kSignExtend = false;
    using U = lane::Unsigned<kLane>;
    template <class W>
    static constexpr W prepare(W v) noexcept {
      return (v ^ (v >> 32) ^ (v >> 16)) + W(std::uint64_t{0x9E3779B97F4A7C15});
    }
    template <class W>
    static constexpr W map(W v) noexcept {
      return (v ^ (v >> (kLane / 2))) + W(static_cast<U>(0x5851F42D));
    }
  };
  using plans = lane::Plans<plan>;
};

template <int kSrc, int kDst>
void check_widths() {
  constexpr int widest = kSrc > kDst ? kSrc : kDst;
  if constexpr (widest <= 8) check_kernel<Mixed<kSrc, kDst, 8, false>>();
  if constexpr (widest <= 16) check_kernel<Mixed<kSrc, kDst, 16, true>>();
  if constexpr (widest <= 32) check_kernel<Mixed<kSrc, kDst, 32, kSrc != 16>>();
  check_kernel<Mixed<kSrc, kDst, 64, kSrc != 8>>();
  constexpr int lane_bits = widest <= 8 ? 16 : widest;
  check_kernel<Mixed<kSrc, kDst, lane_bits, kSrc == 8, true>>();
}

template <int kDst>
void check_sources() {
  check_widths<1, kDst>();
  check_widths<2, kDst>();
  check_widths<4, kDst>();
  check_widths<8, kDst>();
  check_widths<16, kDst>();
  check_widths<32, kDst>();
  check_widths<64, kDst>();
}

}  // namespace

TEST_CASE("maps to 1 bit", "[simd][maps]") { check_sources<1>(); }
TEST_CASE("maps to 2 bits", "[simd][maps]") { check_sources<2>(); }
TEST_CASE("maps to 4 bits", "[simd][maps]") { check_sources<4>(); }
TEST_CASE("maps to 8 bits", "[simd][maps]") { check_sources<8>(); }
TEST_CASE("maps to 16 bits", "[simd][maps]") { check_sources<16>(); }
TEST_CASE("maps to 32 bits", "[simd][maps]") { check_sources<32>(); }
TEST_CASE("maps to 64 bits", "[simd][maps]") { check_sources<64>(); }

namespace {

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
static_assert(std::is_same_v<lane::Plans<Offered, Absent, Plain>::general, Plain>);

}  // namespace

TEST_CASE("map loops, 64-bit sources in narrower lanes", "[simd][maps]") {
  check_kernel<Prepared<1, 32>>();
  check_kernel<Prepared<2, 32>>();
  check_kernel<Prepared<4, 32>>();
  check_kernel<Prepared<8, 32>>();
  check_kernel<Prepared<16, 32>>();
  check_kernel<Prepared<32, 32>>();
  check_kernel<Prepared<8, 16>>();
  check_kernel<Prepared<16, 16>>();
}

namespace {

// Magnitudes of kDst bits in 32-bit lanes, under bits that the loop has to drop unless kFits; the loop adds the sign.
template <int kSrc, int kDst, bool kUnlessZero, bool kFits>
struct Signed {
  static constexpr int kSrcBits = kSrc, kDstBits = kDst;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr int kLaneBits = 32;
    static constexpr bool kSignExtend = false, kCodeFits = kFits;
    static constexpr int kLoadShift = 32 - kSrc;
    static constexpr std::uint8_t kSignBit = 1 << (kDst - 1);
    static constexpr bool kSignUnlessZero = kUnlessZero;
    template <class W>
    static constexpr W map(W bits) noexcept {
      const W magnitude = (bits >> 20) & W(kSignBit - 1) & (bits >> 16);  // often 0
      return kFits ? magnitude : magnitude | (bits & W(~(2u * kSignBit - 1)));
    }
  };
  using plans = lane::Plans<plan>;
};

// 16-bit results in the upper halves of 32-bit lanes.
template <int kSrc>
struct Upper {
  static constexpr int kSrcBits = kSrc, kDstBits = 16;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr int kLaneBits = 32;
    static constexpr bool kSignExtend = true, kCodeFits = true;
    static constexpr lane::Store kStore = lane::Store::upper_half;
    template <class W>
    static constexpr W map(W bits) noexcept {
      return (bits << 9) ^ (bits + W(0x12345678));
    }
  };
  using plans = lane::Plans<plan>;
};

// map() returns any lanes v that stand for v + (v >> kBy).
template <int kSrc, int kDst, int kBy>
struct Folded {
  static constexpr int kSrcBits = kSrc, kDstBits = kDst;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr int kLaneBits = 32;
    static constexpr bool kSignExtend = false;
    static constexpr int kFold = kBy;
    template <class W>
    static constexpr W map(W bits) noexcept {
      return bits ^ (bits << 15) ^ W(0x00A53C96);
    }
  };
  using plans = lane::Plans<plan>;
};
static_assert(lane::at<Folded<8, 8, 20>>(0x00) == ((0x96 + (0x00A53C96 >> 20)) & 0xFF));

// The same with the sign of the source (kInResult: of v) over a magnitude; v is a float32 with a short fraction.
template <int kDst, int kBy, bool kUnlessZero, bool kInResult>
struct FoldedSigned {
  static constexpr int kSrcBits = 32, kDstBits = kDst;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr int kLaneBits = 32;
    static constexpr bool kSignExtend = false;
    static constexpr int kFold = kBy;
    static constexpr std::uint8_t kSignBit = 1 << (kDst - 1);
    static constexpr bool kSignUnlessZero = kUnlessZero, kSignInResult = kInResult;
    template <class W>
    static constexpr W map(W bits) noexcept {
      // Exponents of 2 and 3 units of the code each add to a fraction that makes up for them: the magnitude is 0 to 3.
      const W exponent = (bits & W(1u << kBy)) + W(2u << kBy);
      return (exponent + ((bits >> 3) & W(3)) + W(0x100) - (exponent >> kBy)) | ((bits << 1) & W(0x80000000));
    }
  };
  using plans = lane::Plans<plan>;
  static_assert(lane::has_sign_in_folded(plan::map(lane::Word<std::uint32_t>(0xFFFFFFFF)).value, kBy));
  static_assert(lane::has_sign_in_folded(plan::map(lane::Word<std::uint32_t>(0x40000000)).value, kBy));
};
static_assert(lane::maps<FoldedSigned<8, 20, false, false>>({{0x80000018, 0x83}, {0x40100018, 0x03}, {0x80000000, 0x80}}));
static_assert(lane::maps<FoldedSigned<8, 20, false, true>>({{0x80000018, 0x03}, {0x40100018, 0x83}, {0x40000000, 0x80}}));
static_assert(lane::maps<FoldedSigned<4, 22, true, true>>({{0x80000018, 0x3}, {0x40400018, 0xB}, {0x40000000, 0x0}}));

template <int kSrc, int kDst>
void check_signs() {
  check_kernel<Signed<kSrc, kDst, false, false>>();
  check_kernel<Signed<kSrc, kDst, false, true>>();
  check_kernel<Signed<kSrc, kDst, true, false>>();
  check_kernel<Signed<kSrc, kDst, true, true>>();
}

}  // namespace

TEST_CASE("map loops take upper halves", "[simd][maps]") {
  check_kernel<Upper<32>>();
  check_kernel<Upper<16>>();
  check_kernel<Upper<8>>();
  check_kernel<Upper<4>>();
}

TEST_CASE("map loops put signs over magnitudes", "[simd][maps]") {
  check_signs<32, 8>();
  check_signs<32, 4>();
  check_signs<32, 2>();
  check_signs<16, 8>();
  check_signs<16, 4>();
}

TEST_CASE("map loops fold exponents over fractions", "[simd][maps]") {
  check_kernel<Folded<32, 8, 16>>();
  check_kernel<Folded<32, 8, 20>>();
  check_kernel<Folded<32, 8, 23>>();
  check_kernel<Folded<16, 8, 21>>();
  check_kernel<Folded<8, 8, 20>>();
  check_kernel<Folded<32, 4, 22>>();
  check_kernel<Folded<32, 2, 22>>();
  check_kernel<FoldedSigned<8, 20, false, false>>();
  check_kernel<FoldedSigned<8, 20, true, false>>();
  check_kernel<FoldedSigned<8, 21, false, true>>();
  check_kernel<FoldedSigned<4, 22, false, false>>();
  check_kernel<FoldedSigned<4, 22, false, true>>();
  check_kernel<FoldedSigned<4, 22, true, true>>();
}

namespace {

template <lane::Load kBy, int kSrc>
struct LoadedBy {
  static constexpr int kSrcBits = kSrc, kDstBits = 32;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr int kLaneBits = 32;
    static constexpr bool kSignExtend = false, kUsesFloat = true;
    static constexpr lane::Load kLoad = kBy;
    template <class W>
    static constexpr W map(W bits) noexcept {
      return bits ^ W(0x5851F42D);
    }
  };
  using plans = lane::Plans<plan>;
};

template <lane::Store kBy, int kDst>
struct StoredBy {
  static constexpr int kSrcBits = 32, kDstBits = kDst;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr int kLaneBits = 32;
    static constexpr bool kSignExtend = false, kUsesFloat = true;
    static constexpr lane::Store kStore = kBy;
    template <class W>
    static constexpr W map(W bits) noexcept {
      return bits ^ W(0x5851F42D);
    }
  };
  using plans = lane::Plans<plan>;
};

}  // namespace

TEST_CASE("map loops, conversions at the load", "[simd][maps]") {
  check_kernel<LoadedBy<lane::Load::float64, 64>>();
  check_kernel<LoadedBy<lane::Load::int64, 64>>();
  check_kernel<LoadedBy<lane::Load::uint64, 64>>();
  check_kernel<LoadedBy<lane::Load::float16, 16>>();
#if !CASTFORGE_VECTOR || CASTFORGE_X86 >= 3
  check_kernel<LoadedBy<lane::Load::float32_cut, 32>>();
  check_kernel<LoadedBy<lane::Load::float64_cut, 64>>();
  check_kernel<LoadedBy<lane::Load::float64_toward_zero, 64>>();
#endif
}

TEST_CASE("map loops, conversions at the store", "[simd][maps]") {
  check_kernel<StoredBy<lane::Store::upper_nearest, 16>>();
  check_kernel<StoredBy<lane::Store::float64, 64>>();
  check_kernel<StoredBy<lane::Store::int64, 64>>();
  check_kernel<StoredBy<lane::Store::float64_of_int, 64>>();
  check_kernel<StoredBy<lane::Store::float16, 16>>();
#if !CASTFORGE_VECTOR || CASTFORGE_X86 >= 3
  check_kernel<StoredBy<lane::Store::float32_cut, 64>>();
#endif
}

// The loops of table plans: all widths, and tables whose planes can be left out, shared or halved.
#include "run_check.hpp"

namespace {

using lane::Needs;

enum class Shape {
  random,        // every plane different
  high_bytes,    // low half of the result zero
  signed_high,   // the same, code bit 7 is the sign: c + 128 flips the top bit only
  halves,        // c + 128 flips bits in every byte
  exception,     // signed_high but for the one code with nothing but the sign
  sign_extended, // upper planes equal
  zero,          // all results zero
};

constexpr std::uint64_t mix(std::uint64_t v) {
  v = (v + 1) * 0x9E3779B97F4A7C15;
  v = (v ^ (v >> 29)) * 0xBF58476D1CE4E5B9;
  return v ^ (v >> 32);
}

template <int kSrc, int kDst, Shape kShape>
constexpr std::uint64_t entry(std::uint64_t c) {
  constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - kDst), high = all ^ (all >> kDst / 2);
  const bool upper = c >> (kSrc - 1) != 0;
  const std::uint64_t low = c & ((1u << (kSrc - 1)) - 1);
  switch (kShape) {
    case Shape::random: return mix(c) & all;
    case Shape::high_bytes: return mix(c) & high;
    case Shape::signed_high: return (mix(low) & high & (all >> 1)) | (upper ? all ^ (all >> 1) : 0);
    case Shape::exception:
      return upper && low == 0 ? 0x7FC07FC07FC07FC0 & all : entry<kSrc, kDst, Shape::signed_high>(c);
    case Shape::halves: return (mix(low) ^ (upper ? 0xC30F6600FF81A55A : 0)) & all;
    case Shape::sign_extended: return ((low * 3) ^ (upper ? ~std::uint64_t{0} : 0)) & all;
    case Shape::zero: return 0;
  }
  return 0;
}

template <int kSrc, int kDst, Shape kShape>
struct Tabled {
  static constexpr int kSrcBits = kSrc, kDstBits = kDst;
  struct table {
    static constexpr Needs kNeeds = Needs::nothing;
    using U = lane::Unsigned<(kDst < 8 ? 8 : kDst)>;
    static constexpr std::array<U, (std::size_t{1} << kSrc)> kTable = [] {
      std::array<U, (std::size_t{1} << kSrc)> t{};
      for (std::size_t c = 0; c < t.size(); ++c) t[c] = static_cast<U>(entry<kSrc, kDst, kShape>(c));
      return t;
    }();
  };
  using plans = lane::Plans<table>;
};

template <int kSrc, int kDst>
void check_shapes() {
  check_kernel<Tabled<kSrc, kDst, Shape::random>>();
  check_kernel<Tabled<kSrc, kDst, Shape::high_bytes>>();
  check_kernel<Tabled<kSrc, kDst, Shape::signed_high>>();
  check_kernel<Tabled<kSrc, kDst, Shape::halves>>();
  check_kernel<Tabled<kSrc, kDst, Shape::exception>>();
  check_kernel<Tabled<kSrc, kDst, Shape::sign_extended>>();
  check_kernel<Tabled<kSrc, kDst, Shape::zero>>();
}

template <int kSrc>
void check_destinations() {
  check_shapes<kSrc, 2>();
  check_shapes<kSrc, 4>();
  check_shapes<kSrc, 8>();
  check_shapes<kSrc, 16>();
  check_shapes<kSrc, 32>();
  check_shapes<kSrc, 64>();
}

}  // namespace

TEST_CASE("tables of 2-bit codes", "[simd][tables]") { check_destinations<2>(); }
TEST_CASE("tables of 4-bit codes", "[simd][tables]") { check_destinations<4>(); }
TEST_CASE("tables of 8-bit codes", "[simd][tables]") { check_destinations<8>(); }

#if CASTFORGE_VECTOR
TEST_CASE("a table's planes are left out where they can be", "[simd][tables]") {
  using Results = std::array<std::uint32_t, 256>;
  const auto layout = [](Shape shape) {
    Results r{};
    for (std::size_t c = 0; c < 256; ++c) {
      r[c] = static_cast<std::uint32_t>(shape == Shape::signed_high ? entry<8, 32, Shape::signed_high>(c)
                                        : shape == Shape::exception ? entry<8, 32, Shape::exception>(c)
                                        : shape == Shape::random    ? entry<8, 32, Shape::random>(c)
                                                                    : entry<8, 32, Shape::sign_extended>(c));
    }
    return simd::detail::TableLayout<8, 4, Results>(r).pattern;
  };
  const auto random = layout(Shape::random);
  CHECK(random.entries == 256);
  CHECK(random.planes == 4);
  const auto high = layout(Shape::signed_high);
  CHECK(high.entries == 128);
  CHECK(high.planes == 2);
  CHECK(high.from[0] == -1);
  CHECK(high.from[1] == -1);
  CHECK(high.sign[0] == 0);
  CHECK(high.sign[1] == 1);
  CHECK(!high.patched);
  const auto exception = layout(Shape::exception);
  CHECK(exception.entries == 128);
  CHECK(exception.patched);
  const auto extended = layout(Shape::sign_extended);
  CHECK(extended.planes == 3);
  CHECK(extended.from[2] == extended.from[3]);
}
#endif

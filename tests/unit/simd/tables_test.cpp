// The loops of table plans: all widths, tables whose planes can be left out, shared or halved, and every kind of term that
// rows of 16 entries are put together from.
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
  identity,      // all results the code
  float_like,    // rows that differ by constants, but for subnormal numbers and NaN at the ends of the magnitude
  no_sign,       // the same for a format without a sign
  negated,       // c + 128 is the negative, in every byte at once
  saturated,     // the same but for the largest values
  multiples,     // the same, results whose low byte is zero, always or often
  magnitudes,    // two's complement sources: the result of -c flips the top bit, and -128 has a row of its own
  magnitude_steps,  // the same, rows that differ by constants
  odd_negative,  // two's complement sources: the result of -c is the negative
  few_rows,      // nothing but rows 3, 6, 9 and 14
  common_row,    // most rows equal, the others different
  ties,          // rounded to a quarter of the codes and then to even in rows 8 to 15
};

constexpr std::uint64_t mix(std::uint64_t v) {
  v = (v + 1) * 0x9E3779B97F4A7C15;
  v = (v ^ (v >> 29)) * 0xBF58476D1CE4E5B9;
  return v ^ (v >> 32);
}

// A magnitude without a sign: equal steps, subnormal numbers below 8, NaN at the top.
constexpr std::uint64_t magnitude(std::uint64_t c, std::uint64_t top) {
  return c < 8 ? mix(c) : c == top ? 0x7F3F5F6F777B7D7E : (c / 2 + 8) * 0x0101010101010101 + c % 2 * 0x4000000040002010;
}

template <int kSrc, int kDst, Shape kShape>
constexpr std::uint64_t entry(std::uint64_t c) {
  constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - kDst), high = all ^ (all >> kDst / 2), sign = all ^ (all >> 1);
  constexpr std::uint64_t codes = std::uint64_t{1} << kSrc;
  const bool upper = c >> (kSrc - 1) != 0;
  const std::uint64_t low = c & (codes / 2 - 1), absolute = upper ? codes - c : c;
  switch (kShape) {
    case Shape::random: return mix(c) & all;
    case Shape::high_bytes: return mix(c) & high;
    case Shape::signed_high: return (mix(low) & high & (all >> 1)) | (upper ? sign : 0);
    case Shape::exception:
      return upper && low == 0 ? 0x7FC07FC07FC07FC0 & all : entry<kSrc, kDst, Shape::signed_high>(c);
    case Shape::halves: return (mix(low) ^ (upper ? 0xC30F6600FF81A55A : 0)) & all;
    case Shape::sign_extended: return ((low * 3) ^ (upper ? ~std::uint64_t{0} : 0)) & all;
    case Shape::zero: return 0;
    case Shape::identity: return c & all;
    case Shape::float_like: return (magnitude(low, codes / 2 - 1) & (all >> 1)) | (upper ? sign : 0);
    case Shape::no_sign: return magnitude(c, codes - 1) & all;
    case Shape::negated: return (upper ? 0 - low * low * 3 : low * low * 3) & all;
    case Shape::saturated: {
      const std::uint64_t limit = all >> 1, value = low * low < limit ? low * low : limit;
      return upper ? (low * low > limit ? sign : 0 - value) & all : value;
    }
    case Shape::multiples: {
      const std::uint64_t value = (low % 3 == 0 ? low * low : low % 3 == 1 ? low * 256 : 0) << (kDst > 16 ? 8 : 0);
      return (upper ? 0 - value : value) & all;
    }
    case Shape::magnitudes: return (mix(absolute) & (all >> 1)) | (upper ? sign : 0);
    case Shape::magnitude_steps: return ((absolute * 0x0411 + 0x33) & (all >> 1)) | (upper ? sign : 0);
    case Shape::odd_negative: return (upper ? 0 - mix(absolute) * 2 : c == 0 ? 0 : mix(c) * 2) & all;
    case Shape::few_rows: return c / 16 == 3 || c / 16 == 6 || c / 16 == 9 || c / 16 == 14 ? mix(c) & all : 0;
    case Shape::ties: return (c < 128 ? mix(c / 64 * 16 + c % 16) : (c + 7 + c / 16 % 2) / 16 * 0x0101010101010101) & all;
    case Shape::common_row: return mix(c / 16 % 5 == 2 ? c : c % 16) & all;
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

template <int kSrc, int kDst, Shape... kShapes>
void check_each() {
  (check_kernel<Tabled<kSrc, kDst, kShapes>>(), ...);
}

template <int kSrc, int kDst>
void check_shapes() {
  check_each<kSrc, kDst, Shape::random, Shape::high_bytes, Shape::signed_high, Shape::halves, Shape::exception,
             Shape::sign_extended, Shape::zero, Shape::identity>();
  if constexpr (kSrc == 8) {
    check_each<kSrc, kDst, Shape::float_like, Shape::no_sign, Shape::negated, Shape::saturated, Shape::multiples,
               Shape::magnitudes, Shape::magnitude_steps, Shape::odd_negative, Shape::few_rows, Shape::common_row,
               Shape::ties>();
  }
}

template <int kSrc>
void check_destinations() {
  check_shapes<kSrc, 1>();
  check_shapes<kSrc, 2>();
  check_shapes<kSrc, 4>();
  check_shapes<kSrc, 8>();
  check_shapes<kSrc, 16>();
  check_shapes<kSrc, 32>();
  check_shapes<kSrc, 64>();
}

// All 2^8 bit patterns of a packed byte, which random buffers do not promise to have.
template <int kSrc, int kDst>
void check_every_byte() {
  using K = Tabled<kSrc, kDst, Shape::random>;
  std::array<std::byte, 256> in;
  std::array<std::byte, 256 * 8> out;
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::byte>(i);
  const std::size_t count = in.size() * 8 / kSrc;
  simd::run<K>(in.data(), out.data(), count, 0);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    wrong += code_at(out.data(), i, kDst) != lane::at<K>(code_at(in.data(), i, kSrc)) ? 1 : 0;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("tables of 1-bit codes", "[simd][tables]") { check_destinations<1>(); }
TEST_CASE("tables of 2-bit codes", "[simd][tables]") { check_destinations<2>(); }
TEST_CASE("tables of 4-bit codes", "[simd][tables]") { check_destinations<4>(); }
TEST_CASE("tables of 8-bit codes", "[simd][tables]") { check_destinations<8>(); }

TEST_CASE("tables of every packed byte", "[simd][tables]") {
  check_every_byte<1, 1>();
  check_every_byte<1, 4>();
  check_every_byte<1, 8>();
  check_every_byte<4, 1>();
  check_every_byte<8, 1>();
  check_every_byte<2, 2>();
  check_every_byte<2, 4>();
  check_every_byte<4, 2>();
  check_every_byte<4, 4>();
  check_every_byte<8, 8>();
}

#if CASTFORGE_VECTOR
namespace {

template <int kDst, Shape kShape>
constexpr auto results_of() {
  std::array<std::uint32_t, 256> r{};
  for (std::size_t c = 0; c < 256; ++c) r[c] = static_cast<std::uint32_t>(entry<8, kDst, kShape>(c));
  return r;
}

}  // namespace

TEST_CASE("a table's planes are left out where they can be", "[simd][tables]") {
  const auto layout = [](const auto& results) {
    return simd::detail::TableLayout<8, 4, std::array<std::uint32_t, 256>>(results).pattern;
  };
  const auto random = layout(results_of<32, Shape::random>());
  CHECK(random.entries == 256);
  CHECK(random.planes == 4);
  const auto high = layout(results_of<32, Shape::signed_high>());
  CHECK(high.entries == 128);
  CHECK(high.planes == 2);
  CHECK(high.from[0] == -1);
  CHECK(high.from[1] == -1);
  CHECK(high.sign[0] == 0);
  CHECK(high.sign[1] == 1);
  CHECK(!high.patched);
  const auto exception = layout(results_of<32, Shape::exception>());
  CHECK(exception.entries == 128);
  CHECK(exception.patched);
  const auto extended = layout(results_of<32, Shape::sign_extended>());
  CHECK(extended.planes == 3);
  CHECK(extended.from[2] == extended.from[3]);
}
#endif

#if CASTFORGE_VECTOR && CASTFORGE_X86 < 4
TEST_CASE("a table's planes are given few terms", "[simd][tables]") {
  using simd::detail::Sign;
  const auto terms = [](const auto& pattern) { return pattern.terms; };
  const auto byte = [](const auto& results) {
    return simd::detail::RowsLayout<8, std::array<std::uint32_t, 256>>(results).pattern;
  };
  const auto wide = [](const auto& results) {
    return simd::detail::RowsLayout<32, std::array<std::uint32_t, 256>>(results).pattern;
  };
  CHECK(terms(byte(results_of<8, Shape::zero>())) == 0);
  CHECK(terms(byte(results_of<8, Shape::float_like>())) <= 3);
  CHECK(terms(byte(results_of<8, Shape::no_sign>())) <= 3);
  CHECK(terms(byte(results_of<8, Shape::few_rows>())) == 4);
  const auto negated = byte(results_of<8, Shape::negated>());
  CHECK(negated.plane[0].sign == Sign::negates);
  CHECK(!negated.masked);
  // Every byte of a negative but the lowest has the carry of those below.
  const auto wide_negated = wide(results_of<32, Shape::negated>());
  CHECK(wide_negated.planes == 3);
  CHECK(wide_negated.plane[0].sign == Sign::negates);
  CHECK(wide_negated.plane[1].sign == Sign::negates_with_carry);
  CHECK(wide_negated.plane[2].sign == Sign::negates_with_carry);
  CHECK(wide_negated.plane[2].terms == 0);
  CHECK(wide_negated.from[2] == wide_negated.from[3]);
  // A negative of two bits is one of a byte, of which two bits are stored.
  const auto packed = simd::detail::RowsLayout<2, std::array<std::uint32_t, 256>>(results_of<2, Shape::negated>()).pattern;
  CHECK(packed.masked);
  CHECK(packed.plane[0].sign == Sign::negates);
  CHECK(byte(results_of<8, Shape::magnitudes>()).absolute);
  CHECK(terms(byte(results_of<8, Shape::random>())) + byte(results_of<8, Shape::random>()).plane[0].direct >= 16);
  const auto extended = wide(results_of<32, Shape::sign_extended>());
  CHECK(extended.planes == 3);
  CHECK(extended.from[2] == extended.from[3]);
  const auto high = wide(results_of<32, Shape::signed_high>());
  CHECK(high.planes == 2);
  CHECK(high.from[0] == -1);
  CHECK(high.from[1] == -1);
}
#endif

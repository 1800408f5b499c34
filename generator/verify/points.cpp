#include "verify/points.hpp"

#include <algorithm>
#include <castforge/elements.hpp>
#include <random>

#include "semantics/value.hpp"

namespace castforge::verify {
namespace {

using spec::Kind;
using spec::Type;

/// Bit strings of `width` bits for a rounding at every place: three bits around the place, any sticky part below
/// (none, the lowest bit, all), zeros, ones or noise above.
void rounding_patterns(int width, std::mt19937_64& noise, std::vector<std::uint64_t>& out) {
  const std::uint64_t all = low_bits(width);
  out.insert(out.end(), {0, 1, all, all - 1, all >> 1, (all >> 1) + 1});
  for (int place = 0; place < width; ++place) {
    const std::uint64_t below = low_bits(place);
    for (std::uint64_t around = 0; around < 8; ++around) {
      const std::uint64_t bits = (around << place) & all;
      const std::uint64_t above = place + 3 >= width ? 0 : all & ~low_bits(place + 3);
      for (const std::uint64_t low : {std::uint64_t{0}, std::uint64_t{1}, below}) {
        for (const std::uint64_t high : {std::uint64_t{0}, above, noise() & above}) {
          out.push_back((high | bits | (low & below)) & all);
        }
      }
    }
  }
}

/// All leading `count` bits of a `width`-bit fraction, with every kind of remainder.
void leading_patterns(int width, int count, std::vector<std::uint64_t>& out) {
  const int rest = width - count;
  if (rest <= 0) return;
  const std::uint64_t tie = 1ull << (rest - 1);
  for (std::uint64_t lead = 0; lead < 1ull << count; ++lead) {
    for (const std::uint64_t low : {std::uint64_t{0}, std::uint64_t{1}, tie - 1, tie, tie + 1, low_bits(rest)}) {
      out.push_back(lead << rest | (low & low_bits(rest)));
    }
  }
}

/// A tie at `place` that two bits far below it decide: the lowest one and each other, which a program may keep apart
/// and then merge; and what is one such bit, or two neighbours, below the tie. The bit above the tie is even, then odd.
void decided_ties(int place, std::vector<std::uint64_t>& out) {
  for (int other = 1; other < place - 1; ++other) {
    const std::uint64_t tie = 1ull << (place - 1), bit = 1ull << other, odd = 1ull << place;
    out.insert(out.end(), {tie | bit | 1, tie | bit | 1 | odd, tie - bit, (tie - bit) | odd});
    if (other + 2 < place) out.insert(out.end(), {tie - bit - bit / 2, (tie - bit - bit / 2) | odd});
  }
}

void unique(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// How many points with dense fractions there are at most, or a few more: 32 MB of them.
constexpr std::uint64_t kMostDense = 1 << 22;
/// How many points are noise.
constexpr int kNoise = 4096;

/// Each once, in ascending order. `copies`: how many points each of them will be.
void floating_points(const Type& src, const Type& dst, std::uint64_t copies, std::vector<std::uint64_t>& out) {
  std::mt19937_64 noise(1);
  std::vector<std::uint64_t> dense, sparse;
  rounding_patterns(src.mantissa_bits, noise, dense);
  if (dst.kind == Kind::floating && dst.mantissa_bits <= 10) {
    leading_patterns(src.mantissa_bits, std::clamp(src.mantissa_bits - 1, 0, dst.mantissa_bits + 1), dense);
  }
  if (dst.kind == Kind::floating) decided_ties(src.mantissa_bits - dst.mantissa_bits, dense);
  const std::uint64_t all = low_bits(src.mantissa_bits);
  sparse = {0, 1, 2, all, all - 1, all >> 1, (all >> 1) + 1, (all >> 1) + 2};
  for (int i = 0; i < 24; ++i) sparse.push_back(noise() & all);
  unique(dense);
  unique(sparse);

  // Outside the exponents where the destination changes its behaviour nothing but the sticky bit is left.
  int low = -3, high = 67;
  if (dst.kind == Kind::floating) {
    low = dst.min_exponent() - dst.mantissa_bits - 3;
    high = semantics::max_exponent(dst) + 2;
  }
  const std::uint64_t exponents = 1ull << src.exponent_bits;
  // Where those are too many, of the exponents of the destination's normal numbers, which all round alike, only some.
  const std::uint64_t range = std::min(static_cast<std::uint64_t>(std::max(high - low + 1, 1)), exponents);
  const std::uint64_t all_copies = copies * (src.is_signed ? 2 : 1);
  const auto every = static_cast<int>(all_copies * range * dense.size() / kMostDense + 1);
  const int normal = dst.kind == Kind::floating ? dst.min_exponent() + 1 : low;
  const auto fractions = [&](std::uint64_t field) -> const std::vector<std::uint64_t>& {
    if (field == 0 || field + 1 == exponents) return dense;
    const int exponent = static_cast<int>(field) - src.exponent_bias;
    const bool left_out = exponent > normal && exponent < high - 3 && (exponent - normal) % every != 0;
    return exponent < low || exponent > high || left_out ? sparse : dense;
  };
  std::uint64_t count = 0;
  for (std::uint64_t field = 0; field < exponents; ++field) count += fractions(field).size();
  out.reserve(all_copies * count + copies * kNoise);
  for (std::uint64_t field = 0; field < exponents; ++field) {
    for (const std::uint64_t fraction : fractions(field)) {
      const std::uint64_t magnitude = field << src.mantissa_bits | fraction;
      if (fraction > all || (magnitude & ~src.magnitude_mask()) != 0) continue;
      out.push_back(magnitude);
    }
  }
  const std::size_t magnitudes = out.size();
  for (std::size_t i = 0; src.is_signed && i < magnitudes; ++i) out.push_back(out[i] | src.sign_mask());
}

/// `copies`: how many points each of them will be; of the leading bits fewer are tried where it is more than one.
void integer_points(const Type& src, const Type& dst, std::uint64_t copies, std::vector<std::uint64_t>& out) {
  std::mt19937_64 noise(1);
  const int leading = copies == 1 ? 12 : 10;
  for (int width = 1; width <= src.value_bits; ++width) {
    std::vector<std::uint64_t> tails;
    rounding_patterns(width - 1, noise, tails);
    if (dst.kind == Kind::floating) decided_ties(width - 1 - dst.mantissa_bits, tails);
    unique(tails);
    if (width - 1 > leading) leading_patterns(width - 1, leading, tails);  // some of them again
    for (const std::uint64_t tail : tails) {
      const std::uint64_t value = 1ull << (width - 1) | (tail & low_bits(width - 1));
      out.push_back(value);
      out.push_back((~value + 1) & low_bits(src.value_bits));
    }
  }
  out.push_back(0);
}

}  // namespace

bool points_are_exhaustive(const spec::Meaning& meaning) { return meaning.src->storage_bits <= 16; }

std::vector<std::uint64_t> source_points(const spec::Meaning& meaning) {
  const Type& src = *meaning.src;
  std::vector<std::uint64_t> points;
  if (points_are_exhaustive(meaning)) {
    points.resize(1ull << src.storage_bits);
    for (std::uint64_t i = 0; i < points.size(); ++i) points[i] = i;
    return points;
  }
  // Bits around an element mean nothing: the same with all of them changed, and with the lowest one.
  const std::uint64_t code = low_bits(src.value_bits) << (src.storage_high ? src.storage_bits - src.value_bits : 0);
  const std::uint64_t around = low_bits(src.storage_bits) & ~code;
  const std::uint64_t copies = around != 0 ? 3 : 1;
  if (src.kind == Kind::floating) floating_points(src, *meaning.dst, copies, points);
  else integer_points(src, *meaning.dst, copies, points);
  std::mt19937_64 noise(2);
  for (int i = 0; i < kNoise; ++i) points.push_back(noise() & low_bits(src.value_bits));
  for (std::uint64_t& point : points) point = semantics::storage_of_code(src, point);
  if (around != 0) {
    const std::size_t count = points.size();
    points.reserve(copies * count);
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(points[i] ^ around);
      points.push_back(points[i] ^ (around & (0 - around)));
    }
  }
  return points;
}

}  // namespace castforge::verify

#include "inputs.hpp"

#include <algorithm>
#include <cmath>

#include "elements.hpp"

namespace castforge::exhaustive {

namespace {

using oracle::Codec;
using oracle::Kind;

std::uint64_t mask(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// Collects source codes near given exact magnitudes.
class Collector {
 public:
  explicit Collector(const Codec& src) : src_(src), random_(7) {
    round_.round = oracle::Round::toward_zero;
    round_.overflow = oracle::Overflow::max;
  }

  void code(std::uint64_t c) { codes_.push_back(c & mask(src_.format().bits)); }

  /// The source codes just below, at and above +-x, and one that is a random power of two of ulps away.
  void around(long double x) {
    if (src_.format().kind == Kind::integer) {
      if (x >= 0x1p65L) return;
      const auto low = static_cast<std::uint64_t>(x >= 0x1p64L ? 0x1p64L - 1 : std::floor(x));
      const std::uint64_t far = std::uint64_t{1} << random_.below(static_cast<std::uint64_t>(src_.format().bits));
      for (std::uint64_t d : {std::uint64_t{0} - 1, std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, far})
        both_signs(low + d);
      return;
    }
    oracle::Value v;
    v.magnitude = x;
    const std::uint64_t near = oracle::encode(v, src_, round_);
    const std::uint64_t far = std::uint64_t{1}
                              << random_.below(static_cast<std::uint64_t>(src_.format().mantissa_bits));
    for (std::uint64_t d : {std::uint64_t{0}, std::uint64_t{1}, far}) {
      both_signs(near + d);
      if (near >= d) both_signs(near - d);
    }
  }

  std::vector<std::uint64_t> take() {
    std::sort(codes_.begin(), codes_.end());
    codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
    return std::move(codes_);
  }

  Random& random() { return random_; }

 private:
  void both_signs(std::uint64_t magnitude) {
    code(magnitude);
    if (src_.format().kind == Kind::integer) {
      if (src_.format().is_signed) code(std::uint64_t{0} - magnitude);
    } else {
      code(magnitude | src_.sign_code());
    }
  }

  const Codec& src_;
  Random random_;
  oracle::Rule round_;
  std::vector<std::uint64_t> codes_;
};

void around_listed_values(Collector& out, const Codec& dst) {
  const oracle::ValueList& list = dst.list();
  const std::uint64_t per_binade = std::uint64_t{1} << dst.format().mantissa_bits;
  if (list.count() <= (1u << 16)) {
    for (std::uint64_t i = 0; i < list.count(); ++i) {
      out.around(list.at(i));
      out.around((list.at(i) + list.at(i + 1)) / 2);
    }
  } else {
    for (std::uint64_t first = 0; first < list.count(); first += per_binade) {
      std::vector<std::uint64_t> chosen = {0, 1, 2, per_binade / 2, per_binade - 2, per_binade - 1};
      for (int i = 0; i < 16; ++i) chosen.push_back(out.random().below(per_binade));
      for (std::uint64_t i : chosen) {
        out.around(list.at(first + i));
        out.around((list.at(first + i) + list.at(first + i + 1)) / 2);
      }
    }
  }
  const long double beyond = list.at(list.count());  // the first value out of range, and further ones
  for (int i = 0; i < 8; ++i) {
    out.around(beyond * std::ldexp(1.0L, i));
    out.around(beyond * std::ldexp(1.25L, i));
    out.around(beyond * std::ldexp(1.5L, i));
  }
  const long double least = list.at(dst.has_zero() ? 1 : 0);  // the smallest value, and what lies below half of it
  for (int i = 1; i < 8; ++i) {
    out.around(least * std::ldexp(1.0L, -i));
    out.around(least * std::ldexp(1.5L, -i));
  }
}

void around_integers(Collector& out, const Codec& dst) {
  const int bits = dst.format().bits;
  const auto whole_and_halves = [&out](long double n) {
    for (long double d : {0.0L, 0.25L, 0.5L, 0.75L}) out.around(n + d);
  };
  if (bits <= 16) {
    for (std::uint64_t n = 0; n <= (std::uint64_t{1} << bits) + 2; ++n) {
      out.around(static_cast<long double>(n));
      out.around(static_cast<long double>(n) + 0.5L);
    }
  }
  for (int e = -4; e <= 70; ++e) {
    const long double p = std::ldexp(1.0L, e);
    for (long double n : {p, p + 1, p * 1.25L, p * 1.5L, p * 1.5L + 1}) whole_and_halves(n);
    if (p >= 2) {
      whole_and_halves(p - 1);
      whole_and_halves(p - 2);
    }
    for (int i = 0; i < 64; ++i)
      whole_and_halves(std::floor(p + p * static_cast<long double>(out.random()() >> 11) * 0x1p-53L));
  }
}

void representative_floats(Collector& out, const Codec& src) {
  const oracle::Format& f = src.format();
  const std::uint64_t fraction = mask(f.mantissa_bits);
  const std::uint64_t top = std::uint64_t{1} << (f.mantissa_bits - 1);
  for (std::uint64_t e = 0; e < (std::uint64_t{1} << f.exponent_bits); ++e) {
    std::vector<std::uint64_t> fractions = {
        0, 1, 2, top, top - 1, top + 1, fraction, fraction - 1, 0x5555555555555555u, 0xAAAAAAAAAAAAAAAAu};
    for (int bit = 0; bit < f.mantissa_bits; ++bit) fractions.push_back(std::uint64_t{1} << bit);
    for (int i = 0; i < 4; ++i) fractions.push_back(out.random()());
    for (std::uint64_t m : fractions) {
      const std::uint64_t code = (e << f.mantissa_bits) | (m & fraction);
      out.code(code);
      out.code(code | src.sign_code());
    }
  }
}

void representative_integers(Collector& out, const Codec& src) {
  const int bits = src.format().bits;
  for (int i = 0; i < bits; ++i) {
    const std::uint64_t p = std::uint64_t{1} << i;
    for (int j = 0; j <= i; ++j) {
      const std::uint64_t q = std::uint64_t{1} << j;
      for (std::uint64_t n : {p + q, p - q, p + q + 1, p + q - 1, p - q - 1, p - q + 1}) {
        out.code(n);
        out.code(std::uint64_t{0} - n);
      }
    }
  }
  out.code(mask(bits));
  out.code(mask(bits - 1));
}

std::vector<std::uint64_t> every_code(const Codec& src) {
  const int bits = src.format().bits;
  std::vector<std::uint64_t> codes;
  if (src.format().storage < 8) {
    const int per_byte = 8 / bits;
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
      for (int i = 0; i < per_byte; ++i) codes.push_back((byte >> (i * bits)) & mask(bits));
    }
  } else {
    for (std::uint64_t code = 0; code <= mask(bits); ++code) codes.push_back(code);
  }
  Random random(11);
  for (int i = 0; i < 8192; ++i) codes.push_back(random() & mask(bits));
  return codes;
}

}  // namespace

std::vector<std::uint64_t> inputs_for(const Codec& src, const Codec& dst) {
  if (src.format().bits <= 16) return every_code(src);
  Collector out(src);
  if (dst.format().kind == Kind::floating) around_listed_values(out, dst);
  if (dst.format().kind == Kind::integer) around_integers(out, dst);
  if (src.format().kind == Kind::floating) {
    representative_floats(out, src);
  } else {
    representative_integers(out, src);
  }
  for (std::uint64_t code : random_codes(src, 100000, 3)) out.code(code);
  return out.take();
}

std::vector<std::uint64_t> random_codes(const Codec& src, std::size_t count, std::uint64_t seed) {
  const oracle::Format& f = src.format();
  const std::uint64_t all = mask(f.bits);
  Random random(seed);
  std::vector<std::uint64_t> codes(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t code = random();
    if (i % 2 == 1) {
      if (f.kind == Kind::integer) {
        code = random() >> random.below(64);
        if (i % 4 == 1) code = std::uint64_t{0} - code;
      } else if (f.kind == Kind::floating && f.exponent_bits > 5) {  // exponents near that of 1
        const auto bias = static_cast<std::uint64_t>(f.bias);
        const std::uint64_t exponent = std::max<std::uint64_t>(bias, 40) - 40 + random.below(80);
        code = (random() & mask(f.mantissa_bits)) | (exponent << f.mantissa_bits) |
               (random() % 2 != 0 ? src.sign_code() : 0);
      }
    }
    codes[i] = code & all;
  }
  return codes;
}

}  // namespace castforge::exhaustive

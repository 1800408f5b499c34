// The exact semantics against the oracle, which searches ordered lists of values and shares no code with them: all
// codes of 8- and 16-bit sources, representative and random codes of wider ones, every mode and policy, not only those
// of some op-set.
#include <catch2/catch_all.hpp>

#include <optional>
#include <random>

#include "meanings.hpp"
#include "oracle/oracle.hpp"
#include "semantics/convert.hpp"

using namespace castforge;
using castforge::test::conversion;
using castforge::test::rounding;
using castforge::test::type;

namespace {

const std::pair<const char*, oracle::Round> kModes[] = {{"nearest_even", oracle::Round::nearest_even},
                                                        {"nearest_away", oracle::Round::nearest_away},
                                                        {"toward_zero", oracle::Round::toward_zero},
                                                        {"floor", oracle::Round::down},
                                                        {"ceil", oracle::Round::up},
                                                        {"odd", oracle::Round::odd}};

/// One set of policies in both vocabularies.
struct Policies {
  spec::Overflow overflow;
  spec::InfResult inf;
  spec::NanResult nan;
  spec::NegativeResult negative;
  spec::BelowRange below;
  oracle::Rule rule;
  spec::NegativeTest negative_test = spec::NegativeTest::rounded;
  std::optional<spec::IntegerRange> saturate_first = std::nullopt;

  Policies before_rounding() const {
    Policies all = *this;
    all.negative_test = spec::NegativeTest::exact;
    all.rule.negative_unrounded = true;
    return all;
  }
  Policies clamped_to(const spec::IntegerRange& range) const {
    Policies all = *this;
    all.saturate_first = range;
    all.rule.saturate_first = {.bits = range.bits, .is_signed = range.is_signed};
    return all;
  }
};

Policies policies(spec::Overflow overflow, oracle::Overflow o, spec::InfResult inf, oracle::Infinite i,
                  spec::NanResult nan, oracle::NotANumber n,
                  spec::NegativeResult negative = spec::NegativeResult::clamp,
                  oracle::Negative neg = oracle::Negative::clamp, spec::BelowRange below = spec::BelowRange::min,
                  oracle::BelowRange b = oracle::BelowRange::smallest) {
  oracle::Rule rule;
  rule.overflow = o;
  rule.infinite = i;
  rule.not_a_number = n;
  rule.negative = neg;
  rule.below = b;
  return {overflow, inf, nan, negative, below, rule};
}

std::vector<Policies> floating_policies() {
  using O = spec::Overflow;
  using I = spec::InfResult;
  using N = spec::NanResult;
  using P = oracle::Overflow;
  using J = oracle::Infinite;
  using M = oracle::NotANumber;
  const Policies nan_of_negative =
      policies(O::nan, P::nan, I::max, J::max, N::max_signed, M::max_signed, spec::NegativeResult::nan,
               oracle::Negative::nan, spec::BelowRange::nan, oracle::BelowRange::nan);
  return {policies(O::infinity, P::infinity, I::infinity, J::infinity, N::nan, M::nan),
          policies(O::max, P::max, I::nan, J::nan, N::max, M::max_positive), nan_of_negative,
          nan_of_negative.before_rounding(),
          policies(O::ieee, P::ieee, I::infinity, J::infinity, N::zero_opposite, M::zero_opposite_sign,
                   spec::NegativeResult::abs, oracle::Negative::magnitude)};
}

std::vector<Policies> integer_policies() {
  using O = spec::Overflow;
  using P = oracle::Overflow;
  using I = spec::InfResult;
  using J = oracle::Infinite;
  const auto with = [](O overflow, P o, I inf, J i, spec::NanResult nan, oracle::NotANumber n) {
    return policies(overflow, o, inf, i, nan, n);
  };
  using N = spec::NanResult;
  using M = oracle::NotANumber;
  const Policies wrap = with(O::wrap, P::wrap, I::as_overflow, J::as_overflow, N::zero, M::zero);
  return {with(O::wrap, P::wrap, I::zero, J::zero, N::zero, M::zero),
          with(O::saturate, P::saturate, I::as_overflow, J::as_overflow, N::zero, M::zero),
          with(O::indefinite, P::indefinite, I::as_overflow, J::as_overflow, N::min, M::min),
          wrap.clamped_to({true, 32}), wrap.clamped_to({false, 7})};
}

/// Codes of a source: all of up to 16 bits, else around the values that decide a rounding.
std::vector<std::uint64_t> codes(const spec::Type& src) {
  std::vector<std::uint64_t> out;
  const std::uint64_t all = src.value_bits == 64 ? ~0ull : (1ull << src.value_bits) - 1;
  if (src.value_bits <= 16) {
    for (std::uint64_t code = 0; code <= all; ++code) out.push_back(code);
    return out;
  }
  std::mt19937_64 noise(42);
  for (int i = 0; i < 1500; ++i) out.push_back(noise() & all);
  for (int i = 0; i < src.value_bits; ++i) {
    for (const std::uint64_t low : {0ull, 1ull, ~0ull}) {
      const std::uint64_t bit = 1ull << i;
      for (const std::uint64_t code :
           {bit, bit - 1, bit + 1, ~bit, bit | (noise() & (bit - 1)), bit | (low & (bit - 1))})
        out.push_back(code & all);
    }
  }
  if (src.kind == spec::Kind::floating) {  // representative fractions in every third binade
    const std::uint64_t fraction = (1ull << src.mantissa_bits) - 1, top = (fraction + 1) >> 1, ones = all;
    for (std::uint64_t e = 0; e < 1ull << src.exponent_bits; e += 1 + (src.exponent_bits > 8) * 2) {
      const std::uint64_t representative[] = {0,
                                              1,
                                              top,
                                              top - 1,
                                              top + 1,
                                              fraction,
                                              noise(),
                                              noise() << 20,
                                              ones << 13,
                                              top | top >> 1,
                                              ones << noise() % 50};
      for (const std::uint64_t f : representative) {
        out.push_back(e << src.mantissa_bits | (f & fraction) | (noise() & src.sign_mask()));
      }
    }
  }
  return out;
}

bool can_follow(const Policies& p, const spec::Type& dst) {
  if (dst.has_nan()) return true;
  return p.nan != spec::NanResult::nan && p.overflow != spec::Overflow::nan && p.inf != spec::InfResult::nan;
}

void compare(const spec::Type& src, const spec::Type& dst, const oracle::Codec& from, const oracle::Codec& to,
             std::size_t thin) {
  const std::vector<std::uint64_t> sources = codes(src);
  const bool integer = dst.kind == spec::Kind::integer;
  for (const Policies& p : integer ? integer_policies() : floating_policies()) {
    if (!integer && !can_follow(p, dst)) continue;
    for (const auto& [mode, round] : kModes) {
      spec::Meaning meaning = conversion(src, dst);
      meaning.round = &rounding(mode);
      meaning.overflow = p.overflow;
      meaning.saturate_first = p.saturate_first;
      meaning.negative_test = p.negative_test;
      meaning.inf = p.inf;
      meaning.nan = p.nan;
      if (p.nan == spec::NanResult::zero_opposite && !dst.has_negative_zero()) meaning.nan = spec::NanResult::max;
      meaning.negative = p.negative;
      if (dst.kind == spec::Kind::floating &&
          !dst.has_zero()) {  // negative numbers are below the range like all others
        meaning.negative = p.below == spec::BelowRange::min ? spec::NegativeResult::clamp : spec::NegativeResult::nan;
      }
      meaning.zero = meaning.underflow = p.below;
      oracle::Rule rule = p.rule;
      rule.round = round;
      if (meaning.nan == spec::NanResult::max) rule.not_a_number = oracle::NotANumber::max_positive;
      std::size_t wrong = 0;
      for (std::size_t i = static_cast<std::size_t>(round) % thin; i < sources.size(); i += thin) {
        const std::uint64_t expected = oracle::convert(from, to, rule, sources[i]);
        const std::uint64_t found = semantics::convert_code(meaning, sources[i]);
        if (found == expected || ++wrong > 3) continue;
        FAIL_CHECK(src.name << " -> " << dst.name << " " << mode << " overflow " << static_cast<int>(p.overflow)
                            << ": source " << std::hex << sources[i] << ": semantics " << found << ", oracle "
                            << expected);
      }
    }
  }
}

const std::vector<std::string> kNumbers = {
    "float16",    "bfloat16",   "float32", "float64", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
    "float4e2m1", "float8e8m0", "int2",    "uint2",   "int4",         "uint4",          "int8",       "uint8",
    "int16",      "uint16",     "int32",   "uint32",  "int64",        "uint64"};

}  // namespace

TEST_CASE("every pair of shipped types, every mode, every policy") {
  for (const std::string& src : kNumbers) {
    for (const std::string& dst : kNumbers) {
      if (src == dst) continue;
      const bool narrow = type(src).value_bits <= 8;
      compare(type(src), type(dst), oracle::codec(src), oracle::codec(dst),
              narrow                       ? 1
              : type(src).value_bits <= 16 ? 7
                                           : 3);
    }
  }
}

TEST_CASE("16-bit sources, every code") {
  for (const auto& [src, dst] : {std::pair{"float16", "float8e4m3fn"},
                                 {"float16", "float8e8m0"},
                                 {"float16", "int8"},
                                 {"bfloat16", "float8e5m2fnuz"},
                                 {"bfloat16", "float4e2m1"},
                                 {"uint16", "float16"}}) {
    compare(type(src), type(dst), oracle::codec(src), oracle::codec(dst), 1);
  }
}

TEST_CASE("formats given by parameters") {
  struct Format {
    const char* name;
    bool is_signed;
    int e, m, bias;
    bool subnormals, infinity;
    spec::NanCodes nan;
    oracle::Nan other;
    int storage;
  };
  using oracle::Nan;
  using spec::NanCodes;
  const Format formats[] = {{"float8e3m4", true, 3, 4, 3, true, true, NanCodes::ieee, Nan::ieee, 8},
                            {"float12e5m6", true, 5, 6, 15, true, true, NanCodes::ieee, Nan::ieee, 16},
                            {"float6e2m3", true, 2, 3, 1, true, false, NanCodes::none, Nan::none, 8},
                            {"ufloat8e5m3", false, 5, 3, 15, true, true, NanCodes::top, Nan::top, 8},
                            {"binary8p3", true, 5, 2, 16, true, true, NanCodes::negative_zero, Nan::negative_zero, 8},
                            {"float19e8m10", true, 8, 10, 127, true, true, NanCodes::ieee, Nan::ieee, 32},
                            {"float8e4m3ns", true, 4, 3, 7, false, false, NanCodes::top, Nan::top, 8},
                            {"bfloat16ns", true, 8, 7, 127, false, true, NanCodes::ieee, Nan::ieee, 16},
                            {"ufloat8e4m4ns", false, 4, 4, 7, false, false, NanCodes::top, Nan::top, 8},
                            {"float24e7m16ns", true, 7, 16, 63, false, false, NanCodes::none, Nan::none, 32},
                            {"float24e7m16", true, 7, 16, 63, true, true, NanCodes::ieee, Nan::ieee, 32}};
  for (const Format& f : formats) {
    const spec::Type made =
        test::floating(f.name, f.is_signed, f.e, f.m, f.bias, f.subnormals, f.infinity, f.nan, f.storage);
    const oracle::Codec codec(
        oracle::make_floating(f.name, f.is_signed, f.e, f.m, f.bias, f.subnormals, f.infinity, f.other, f.storage));
    for (const std::string other : {"float64", "float32", "float16", "float8e8m0", "float4e2m1", "int8", "uint64"}) {
      compare(made, type(other), codec, oracle::codec(other), made.value_bits > 8 ? 7 : 1);
      compare(type(other), made, oracle::codec(other), codec, type(other).value_bits > 8 ? 5 : 1);
    }
  }
}

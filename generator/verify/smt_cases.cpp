#include "verify/smt_cases.hpp"

#include <castforge/elements.hpp>
#include <cstdint>

#include "ir/smt_terms.hpp"
#include "semantics/convert.hpp"
#include "semantics/finite.hpp"
#include "semantics/value.hpp"
#include "verify/terms.hpp"

namespace castforge::verify {
namespace {

using smt::call, smt::concat, smt::constant, smt::extract, smt::ite, smt::ones, smt::resize;
using spec::Kind;
using spec::Meaning;
using spec::Type;

using Finite = semantics::Finite<Terms>;
using Number = semantics::Number<Terms>;

/// The term has `width` bits.
Number number(bool negative, int leading, int exponent, const std::string& significand, int width) {
  return {negative, leading, exponent, resize(significand, width, Terms::kWide)};
}

std::string storage_word(const Type& type, const std::string& code) {
  const int rest = type.storage_bits - type.value_bits;
  if (type.storage_high) return concat(code, constant(0, rest));
  if (rest == 0) return code;
  if (type.storage_sign_fill) return "((_ sign_extend " + std::to_string(rest) + ") " + code + ")";
  return concat(constant(0, rest), code);
}

std::string fixed_result(const Type& dst, std::uint64_t code) {
  return storage_word(dst, constant(code, dst.value_bits));
}

// ---------------------------------------------------------------- sources

class Cases {
 public:
  explicit Cases(const Meaning& meaning) : meaning_(meaning), src_(*meaning.src), dst_(*meaning.dst) {}

  SmtCases build() {
    const bool to_integral = src_.kind == Kind::floating && meaning_.same_type == spec::SameType::integral;
    if (meaning_.bits == spec::Bits::kept ||
        (meaning_.src == meaning_.dst && !spec::converts_to_itself(meaning_) && !to_integral))
      same_bits();
    else if (src_.kind == Kind::integer && dst_.kind != Kind::floating) integer_to_integer();
    else if (src_.kind == Kind::integer) integer_source();
    else if (src_.kind == Kind::floating && src_.infinity && src_.nan == spec::NanCodes::ieee && src_.subnormals &&
             src_.is_signed)
      floating_source();
    else out_.left_out = "no formula for sources like " + src_.name;
    if (!out_.left_out.empty()) out_.cases.clear();
    return std::move(out_);
  }

 private:
  /// The whole source word for a term of its code.
  std::string word(const std::string& code) const {
    const int rest = src_.storage_bits - src_.value_bits;
    if (rest == 0) return code;
    return src_.storage_high ? concat(code, extract(rest - 1, 0, "w"))
                             : concat(extract(src_.storage_bits - 1, src_.value_bits, "w"), code);
  }
  int code_low() const { return src_.storage_high ? src_.storage_bits - src_.value_bits : 0; }
  std::string source_bits(int high, int low) const { return extract(high + code_low(), low + code_low(), "w"); }

  void add(const std::string& name, const std::string& code, const std::string& condition,
           const std::string& expected) {
    out_.cases.push_back({name, word(code), condition, expected});
  }

  std::string by_semantics(std::uint64_t code) const {
    return fixed_result(dst_, semantics::convert_code(meaning_, code));
  }

  /// The storage word that `word_of` makes with the rule for finite numbers.
  template <class WordOf>
  std::string finite_result(const WordOf& word_of) const {
    Terms terms;
    Finite finite(terms, meaning_);
    const std::string code = extract(dst_.value_bits - 1, 0, word_of(finite));
    return terms.with_bindings(storage_word(dst_, code));
  }

  std::string result(const Number& x, const std::string& code) const {
    const bool to_integral = meaning_.src == meaning_.dst && !spec::converts_to_itself(meaning_);
    if (to_integral && x.exponent >= 0) return storage_word(dst_, code);
    if (dst_.kind == Kind::boolean) return fixed_result(dst_, 1);
    return finite_result([&](Finite& finite) {
      if (to_integral) return finite.to_integral(x);
      return dst_.kind == Kind::floating ? finite.to_floating(x) : finite.to_integer(x);
    });
  }

  void same_bits() {
    const std::string code = source_bits(src_.value_bits - 1, 0);
    if (src_.kind != Kind::floating || !src_.infinity)
      return add("every source", code, "true", storage_word(dst_, code));
    for (const bool negative : {false, true}) {
      if (negative && !src_.is_signed) continue;
      const std::uint64_t infinity = src_.infinity_code() | (negative ? src_.sign_mask() : 0);
      add(negative ? "minus infinity" : "infinity", constant(infinity, src_.value_bits), "true",
          by_semantics(infinity));
    }
    const std::string magnitude = src_.is_signed ? source_bits(src_.value_bits - 2, 0) : code;
    add("not infinity", code, call("distinct", magnitude, constant(src_.infinity_code(), src_.magnitude_bits())),
        storage_word(dst_, code));
  }

  void integer_to_integer() {
    const std::string code = source_bits(src_.value_bits - 1, 0);
    if (dst_.kind == Kind::boolean) {
      const std::string zero = call("=", code, constant(0, src_.value_bits));
      return add("every source", code, "true", ite(zero, fixed_result(dst_, 0), fixed_result(dst_, 1)));
    }
    for (const bool negative : {false, true}) {
      if (negative && !src_.is_signed) continue;
      const int rest = src_.magnitude_bits();
      const std::string low = source_bits(rest - 1, 0);
      const std::string signed_code = src_.is_signed ? concat(negative ? "#b1" : "#b0", low) : low;
      const std::string magnitude = negative ? call("bvneg", signed_code) : signed_code;
      const std::string expected = finite_result(
          [&](Finite& finite) { return finite.integer(negative, resize(magnitude, src_.value_bits, Terms::kWide)); });
      add(negative ? "negative" : "not negative", signed_code, "true", expected);
    }
  }

  void integer_source() {
    const int bits = src_.value_bits;
    add("zero", constant(0, bits), "true", by_semantics(0));
    for (int leading = 0; leading < src_.magnitude_bits(); ++leading) {
      const std::string code = concat(constant(1, bits - leading), source_bits(leading - 1, 0));
      const Number x = number(false, leading, 0, extract(leading, 0, code), leading + 1);
      add("2^" + std::to_string(leading) + " and above", code, "true", result(x, code));
    }
    for (int leading = 0; src_.is_signed && leading < bits; ++leading) {
      // Two's complement: ones, then low bits 1 .. 2^leading, whose distance to 2^(leading+1) is the magnitude.
      const std::string low = source_bits(leading, 0);
      const std::string code = concat(ones(bits - leading - 1), low);
      if (leading == bits - 1) {
        const Number x = number(true, leading, leading, "#b1", 1);
        add("the minimum", constant(1ull << (bits - 1), bits), "true", result(x, ""));
        continue;
      }
      const Number x = number(true, leading, 0, extract(leading, 0, call("bvneg", code)), leading + 1);
      const std::string condition = call("and", call("bvuge", low, constant(1, leading + 1)),
                                         call("bvule", low, constant(1ull << leading, leading + 1)));
      add("-2^" + std::to_string(leading) + " and below", code, condition, result(x, code));
    }
  }

  void floating_source() {
    const int fraction_bits = src_.mantissa_bits;
    const int magnitude_bits = src_.value_bits - 1;
    const std::uint64_t infinity = src_.infinity_code();
    const std::uint64_t last = src_.max_finite_code();
    // Exponents below `first` leave less than half an ulp, above `end` nothing changes any more.
    int first = -2, end = 66;
    if (dst_.kind == Kind::boolean) first = end = 0;
    if (dst_.kind == Kind::integer && !spec::clamp_range(meaning_)) end = 64 + fraction_bits;
    const bool integral = meaning_.src == meaning_.dst && !spec::converts_to_itself(meaning_);
    if (integral) end = fraction_bits;
    if (dst_.kind == Kind::floating && !integral) {
      first = dst_.min_exponent() - (dst_.has_zero() ? dst_.mantissa_bits + 2 : 1);
      end = semantics::max_exponent(dst_) + 1;
    }
    const auto code_of_power = [&](int exponent) -> std::uint64_t {  // smallest magnitude code not below 2^exponent
      if (exponent > semantics::max_exponent(src_)) return infinity;
      const int lowest = src_.min_exponent() - fraction_bits;
      if (exponent <= lowest) return 1;
      if (exponent < src_.min_exponent()) return 1ull << (exponent - lowest);
      return static_cast<std::uint64_t>(exponent - src_.min_exponent() + 1) << fraction_bits;
    };
    const std::uint64_t near_begin = code_of_power(first), near_end = code_of_power(end);

    for (const bool negative : {false, true}) {
      const std::string sign = negative ? "#b1" : "#b0";
      const std::string prefix = negative ? "negative, " : "";
      const std::uint64_t sign_bit = negative ? src_.sign_mask() : 0;
      const std::string any = concat(sign, source_bits(magnitude_bits - 1, 0));
      const std::string magnitude = source_bits(magnitude_bits - 1, 0);
      const auto between = [&](std::uint64_t from, std::uint64_t to) {
        return call("and", call("bvuge", magnitude, constant(from, magnitude_bits)),
                    call("bvule", magnitude, constant(to, magnitude_bits)));
      };
      add(prefix + "zero", constant(sign_bit, src_.value_bits), "true", by_semantics(sign_bit));
      add(prefix + "infinity", constant(sign_bit | infinity, src_.value_bits), "true",
          by_semantics(sign_bit | infinity));
      add(prefix + "NaN", any, call("bvugt", magnitude, constant(infinity, magnitude_bits)),
          by_semantics(sign_bit | src_.canonical_nan(false)));
      if (near_begin > 1) {
        // One number stands for all: nothing kept, first dropped bit 0, something below.
        const Number tiny = number(negative, first - 1, first - 1, "#b1", 1);
        add(prefix + "tiny", any, between(1, near_begin - 1), result(tiny, any));
      }
      if (near_end < infinity) {
        const Number huge = number(negative, end, end, "#b1", 1);
        add(prefix + "huge", any, between(near_end, last), result(huge, any));
      }
      for (int leading = 0; leading < fraction_bits; ++leading) {  // subnormal
        const std::uint64_t lowest = 1ull << leading;
        if (lowest < near_begin || lowest >= near_end) continue;
        const std::string code =
            concat(sign, concat(constant(1, magnitude_bits - leading), source_bits(leading - 1, 0)));
        const int exponent = src_.min_exponent() - fraction_bits;
        const Number x = number(negative, exponent + leading, exponent, extract(leading, 0, code), leading + 1);
        add(prefix + "exponent " + std::to_string(exponent + leading), code, "true", result(x, code));
      }
      for (std::uint64_t field = 1; field < infinity >> fraction_bits; ++field) {
        const std::uint64_t lowest = field << fraction_bits;
        if (lowest < near_begin || lowest >= near_end) continue;
        const std::string code =
            concat(sign, concat(constant(field, magnitude_bits - fraction_bits), source_bits(fraction_bits - 1, 0)));
        const int leading = static_cast<int>(field) - 1 + src_.min_exponent();
        const Number x = number(negative, leading, leading - fraction_bits,
                                concat("#b1", extract(fraction_bits - 1, 0, code)), fraction_bits + 1);
        add(prefix + "exponent " + std::to_string(leading), code, "true", result(x, code));
      }
    }
  }

  const Meaning& meaning_;
  const Type& src_;
  const Type& dst_;
  SmtCases out_;
};

}  // namespace

SmtCases smt_cases(const Meaning& meaning) { return Cases(meaning).build(); }

}  // namespace castforge::verify

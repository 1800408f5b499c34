// Floats of less than a byte whose numbers lie close together: every result in one table, by place.
//
// All thresholds are multiples of one step, half the smallest distance of two results. The place of a number is twice
// the number in steps, rounded to odd: even for multiples of a step, odd for all between two. Two roundings and a
// difference find it, one up from a number in whose binade the step is the ulp, one down. A source that was rounded to
// odd as a float32 keeps its place.
#include <bit>
#include <cmath>
#include <vector>

#include "plan/real.hpp"
#include "semantics/convert.hpp"
#include "semantics/results.hpp"

namespace castforge::plan {
namespace {

using spec::Meaning;
using spec::Type;

// Of a table that is one register. With 256, for float6e2m3, which are four registers: 0.93 of the rate of steps by the
// upper half (AVX-512 VBMI, Zen 5, 4 Ki elements).
constexpr std::size_t kMost = 64;

std::uint64_t single(double number) { return std::bit_cast<std::uint32_t>(static_cast<float>(number)); }

/// The results of both signs at every place. The last number's place is odd; NaN may have the one after it.
class Places {
 public:
  explicit Places(const Meaning& meaning)
      : meaning_(meaning),
        source_(float_of(meaning.src->storage_bits)),
        sign_(meaning.dst->sign_mask()),
        step_exponent_(meaning.dst->min_exponent() - meaning.dst->mantissa_bits - 1) {}

  /// Nothing else may be asked where this is false.
  bool find() {
    const spec::Type& dst = *meaning_.dst;
    const double steps = std::ldexp(dst.max_finite(), -step_exponent_);
    const bool has_grid =
        step_exponent_ > kFloat32.min_exponent() && step_exponent_ < kFloat32.bias - kFloat32.mantissa_bits;
    if (steps > kMost || !has_grid) return false;
    over_ = semantics::overflow_result(meaning_, false);
    std::uint64_t last = static_cast<std::uint64_t>(2 * steps) + 2;  // overflow begins below twice the largest number
    while (last > 0 && result(first_above(last - 1)) == over_) --last;
    if (2 * last + 3 > kMost) return false;
    for (std::uint64_t k = 0; k <= last; ++k) {
      const std::uint64_t above = first_above(k), below = k == last ? source_.infinity() : multiple(k + 1) - 1;
      if (!add(multiple(k), multiple(k)) || !add(above, below)) return false;
    }
    nan_ = semantics::nan_result(meaning_, false);
    const std::uint64_t minus_nan = semantics::nan_result(meaning_, true);
    nan_apart_ = nan_ != over_ || minus_nan != (over_ | sign_);
    if (!nan_apart_) return true;
    // Signs are flipped, or those of numbers are kept and NaN has none.
    nan_unsigned_ = minus_nan == nan_;
    if (nan_unsigned_ ? (nan_ & sign_) != 0 : minus_nan != (nan_ ^ sign_)) return false;
    results_.push_back(nan_);
    return true;
  }

  Value looked_up(Builder& b, const Real& real) const {
    const double step = std::ldexp(1.0, step_exponent_);
    const std::uint64_t last = results_.size() / 2 - 1;  // multiples of the step below the last place
    const std::string steps = " steps of " + power_formula(step_exponent_);
    const Value top = b.constant("kTop", single((static_cast<double>(last) + 0.5) * step),
                                 "bits of " + std::to_string(last) + ".5" + steps + ": larger numbers have its result");
    Value bounded;
    if (nan_apart_) {
      const Value nan = b.constant("kNaNNumber", single(static_cast<double>(last + 1) * step),
                                   "bits of " + std::to_string(last + 1) + steps);
      bounded = b.node(Op::limit_magnitude, {source_bits(real), top, nan}).named("bounded");
    } else {
      bounded = min(real.mag, top).named("bounded", "NaN, above every number, has the same result");
    }
    const int exponent = step_exponent_ + kFloat32.mantissa_bits;
    const Value grid = b.constant("kGrid", single(std::ldexp(1.5, exponent)),
                                  "bits of 1.5 * " + power_formula(exponent) + ", with a step for its ulp");
    const Value counted = binary(Op::half_ulps_rto, bounded, grid);
    const Value place = b.node(Op::narrow, {counted}, 0, 8).named("place", "even for multiples of a step, odd between");
    b.work_in(8);
    const int sign_place = std::countr_zero(sign_);
    const Value signs = sign8(source_bits(real), sign_place);
    if (!nan_unsigned_) return found(b, place, 0) ^ signs;
    const Value kept = signs | b.constant("kCodeBits", sign_ - 1, power_formula(sign_place) + " - 1");
    return found(b, place, sign_) & kept.named("kept", "all but the sign of a positive source");
  }

 private:
  const Meaning& meaning_;
  const Layout& source_;
  std::uint64_t sign_, over_ = 0, nan_ = 0;
  int step_exponent_;
  bool nan_apart_ = false, nan_unsigned_ = false;
  std::vector<std::uint64_t> results_;

  /// As codes of the source.
  std::uint64_t multiple(std::uint64_t k) const {
    const double number = std::ldexp(static_cast<double>(k), step_exponent_);
    return source_.bits() == 64 ? std::bit_cast<std::uint64_t>(number) : single(number);
  }
  std::uint64_t first_above(std::uint64_t k) const { return multiple(k) + 1; }
  std::uint64_t result(std::uint64_t code) const { return semantics::convert_storage(meaning_, code); }

  /// Another place, that of the codes from `least` to `most`.
  bool add(std::uint64_t least, std::uint64_t most) {
    const std::uint64_t code = result(least);
    results_.push_back(code);
    const auto is_negated = [&](std::uint64_t x) { return result(x | source_.sign()) == (code | sign_); };
    return (code & sign_) == 0 && result(most) == code && is_negated(least) && is_negated(most);
  }

  /// `with`: more bits of the results of numbers.
  Value found(Builder& b, Value place, std::uint64_t with) const {
    Table table{"kResults", 8, {}, "by place"};
    if (with != 0) table.note += ", with the bit of the sign, which a NaN has not";
    for (std::size_t i = 0; i < kMost; ++i) {
      const bool is_nan = nan_apart_ && i + 1 == results_.size();
      table.entries.push_back(i < results_.size() ? results_[i] | (is_nan ? 0 : with) : 0);
    }
    return lookup(Op::lookup64, place, b.table(table)).named("found");
  }
};

}  // namespace

Value encode_places(Builder& b, const Real& real, const Meaning& meaning) {
  const Type& dst = *meaning.dst;
  if (dst.kind != spec::Kind::floating || !dst.is_signed || dst.storage_high || dst.storage_bits >= 8) return {};
  Places places(meaning);
  return places.find() ? places.looked_up(b, real) : Value{};
}

}  // namespace castforge::plan

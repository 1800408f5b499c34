#include "cli/verify/exact_runs.hpp"

#include "cli/io/failure.hpp"
#include "src/exact/cast.hpp"
#include "src/exact/value.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace castforge::cli {
namespace {

using exact::Treatment;

/// Consecutive codes of finite numbers with one sign and one leading bit.
struct Piece {
  std::uint64_t first, count;  // codes
  bool negative;
  bool descending;            // the magnitude becomes smaller from one code to the next
  std::uint64_t significand;  // of the smallest magnitude
  int exponent;               // of the lowest bit of significands

  exact::Value smallest() const { return {.exponent = exponent, .significand = significand}; }

  /// The codes of the magnitudes `from` to `to` of the piece, counted from its smallest one.
  Piece part(std::uint64_t from, std::uint64_t to) const {
    Piece piece = *this;
    piece.count = to - from + 1;
    piece.first = descending ? first + (count - 1 - to) : first + from;
    piece.significand = significand + from;
    return piece;
  }
};

struct NoResult {
  std::uint64_t code;
};

class Runs {
 public:
  Runs(const Format& src, const Format& dst, const Rule& rule, const std::function<void(const ExactRun&)>& use)
      : src_(src), dst_(dst), rule_(rule), use_(use), dst_mask_(low_bits(dst.value_bits)) {
    treatment_ = exact::treatment(src, dst, rule);
  }

  std::optional<std::uint64_t> all() {
    try {
      switch (src_.kind) {
        case TypeKind::floating: floating_source(); break;
        case TypeKind::integer: integer_source(); break;
        default: each({0, low_bits(src_.value_bits) + 1, false, false, 0, 0}); break;
      }
    } catch (const NoResult& none) {
      return none.code;
    }
    flush();
    return std::nullopt;
  }

 private:
  // ---- sources

  void floating_source() {
    const std::uint64_t largest = low_bits(src_.value_bits - (src_.is_signed ? 1 : 0));
    for (const bool negative : {false, true}) {
      if (negative && !src_.is_signed) continue;
      const std::uint64_t sign = negative ? std::uint64_t{1} << (src_.value_bits - 1) : 0;
      std::uint64_t at = 0;
      if (exact::has_zero(src_)) one(sign | at++);
      while (at <= src_.max_finite) {
        const exact::Value number = exact::decode_floating(src_, at);
        const int width = static_cast<int>(std::bit_width(number.significand));
        const std::uint64_t rest = (std::uint64_t{1} << width) - number.significand;  // to the next power of two
        const std::uint64_t count = std::min(rest, src_.max_finite - at + 1);
        piece({sign | at, count, negative, false, number.significand, number.exponent});
        at += count;
      }
      while (at <= largest) {
        if (src_.infinity && at == src_.infinity_code) {
          one(sign | at++);
          continue;
        }
        const bool before_infinity = src_.infinity && at < src_.infinity_code;
        const std::uint64_t end = before_infinity ? src_.infinity_code : largest + 1;
        const Piece nans{sign | at, end - at, negative, false, 0, 0};
        treatment_ == Treatment::copied ? evenly(nans, 1) : constant(nans);
        at = end;
      }
    }
  }

  void integer_source() {
    one(0);
    const int magnitude_bits = src_.value_bits - (src_.is_signed ? 1 : 0);
    for (int k = 0; k < magnitude_bits; ++k) {
      const std::uint64_t power = std::uint64_t{1} << k;
      piece({power, power, false, false, power, 0});
    }
    if (!src_.is_signed) return;
    const std::uint64_t top = std::uint64_t{1} << magnitude_bits;  // the magnitude of the smallest number, and its code
    piece({top, 1, true, true, top, 0});
    for (int k = magnitude_bits - 1; k >= 0; --k) {
      const std::uint64_t power = std::uint64_t{1} << k;
      piece({2 * top - 2 * power + 1, power, true, true, power, 0});
    }
  }

  // ---- destinations

  void piece(const Piece& it) {
    if (treatment_ == Treatment::copied) return evenly(it, 1);
    if (treatment_ == Treatment::integral) return it.exponent >= 0 ? evenly(it, 1) : by_class(it, -it.exponent);
    switch (dst_.kind) {
      case TypeKind::integer: return to_integer(it);
      case TypeKind::floating: return to_floating(it);
      default: return constant(it);  // true
    }
  }

  void to_integer(const Piece& it) {
    const int drop = -it.exponent;
    split(it, drop, limit(it.negative), [&](const Piece& inside) {
      if (drop > 0) return by_class(inside, drop);
      evenly(inside, it.negative ? 0 - step(it, -drop) : step(it, -drop));
    });
  }

  void to_floating(const Piece& it) {
    const exact::Value largest = exact::decode_floating(dst_, dst_.max_finite);
    const int leading = it.smallest().leading(), smallest = exact::min_exponent(dst_);
    if (leading > largest.leading()) return constant(it);
    // A format without subnormals has no number between 0 and its smallest one, 2^smallest or one ulp above that. What
    // lies between is rounded at the middle, a multiple of the ulp of the binade below 2^smallest.
    const bool gap = exact::has_gap(dst_) && leading <= smallest;
    if (gap && leading < smallest - 1) return constant(it);
    const int ulp = (gap ? leading : std::max(leading, smallest)) - dst_.mantissa_bits;
    const int drop = ulp - it.exponent;
    if (drop > 0) return by_class(it, drop);
    if (gap) return each(it);
    if (it.negative && !dst_.is_signed && rule_.negative != NegativeResult::abs) return constant(it);
    Limit most;
    if (leading == largest.leading()) most = largest.significand;
    split(it, drop, most, [&](const Piece& inside) { evenly(inside, step(it, -drop)); });
  }

  /// The largest magnitude within the range, in ulps of the destination; all above have one result.
  using Limit = std::optional<std::uint64_t>;

  Limit limit(bool negative) const {
    const auto largest = [negative](bool is_signed, int bits) {
      return static_cast<std::uint64_t>(exact::last_integer(is_signed, bits, negative));
    };
    Limit most;
    if (rule_.saturate_first.bits != 0) most = largest(rule_.saturate_first.is_signed, rule_.saturate_first.bits);
    if (rule_.overflow != Overflow::wrap) {
      const std::uint64_t own = largest(dst_.is_signed, dst_.value_bits);
      most = most ? std::min(*most, own) : own;
    }
    return most;
  }

  /// What the result moves by from one code to the next, where an ulp of the source is 2^shift of the destination.
  static std::uint64_t step(const Piece& it, int shift) {
    const std::uint64_t size = shift >= 64 ? 0 : std::uint64_t{1} << shift;
    return it.descending ? 0 - size : size;
  }

  /// Magnitudes of at most `most` ulps to `inside`; those above have one result.
  template <class Inside>
  void split(const Piece& it, int drop, Limit most, const Inside& inside) {
    std::uint64_t last = ~std::uint64_t{0};  // the largest significand within; of what 64 bits hold
    if (most && drop <= 0) last = -drop >= 64 ? 0 : *most >> -drop;
    else if (most && drop < 64 && *most < low_bits(63 - drop)) last = ((*most + 1) << drop) - 1;
    const std::uint64_t end = last < it.significand ? 0 : std::min(it.count - 1, last - it.significand) + 1;
    const auto below = [&] {
      if (end > 0) inside(it.part(0, end - 1));
    };
    const auto above = [&] {
      if (end < it.count) constant(it.part(end, it.count - 1));
    };
    it.descending ? above() : below();
    it.descending ? below() : above();
  }

  // ---- runs

  /// All codes by their class. `drop` bits of significands are below the ulp; at least one.
  void by_class(const Piece& it, int drop) {
    const int width = static_cast<int>(std::bit_width(it.significand));
    if (drop > width) return constant(it);  // less than half an ulp, more than nothing
    const std::uint64_t last = it.significand + it.count - 1;
    const std::uint64_t half_ulp = std::uint64_t{1} << (drop - 1);
    const std::uint64_t low = it.significand >> drop, high = last >> drop;
    for (std::uint64_t i = 0; i <= high - low; ++i) {
      const std::uint64_t base = (it.descending ? high - i : low + i) << drop;
      const std::uint64_t from[4] = {base, base + 1, base + half_ulp, base + half_ulp + 1};
      const std::uint64_t to[4] = {base, base + half_ulp - 1, base + half_ulp, base + 2 * half_ulp - 1};
      for (int k = 0; k < 4; ++k) {
        const int at = it.descending ? 3 - k : k;
        const std::uint64_t a = std::max(from[at], it.significand), b = std::min(to[at], last);
        if (a > b) continue;
        const Piece part = it.part(a - it.significand, b - it.significand);
        add({part.first, part.count, answer(part.first), 0});
      }
    }
  }

  void constant(const Piece& it) { evenly(it, 0); }

  void evenly(const Piece& it, std::uint64_t step) {
    const ExactRun run{it.first, it.count, answer(it.first), it.count == 1 ? 0 : step};
    const std::uint64_t last = it.first + it.count - 1;
    if (((run.result + (run.count - 1) * run.step) & dst_mask_) != answer(last))
      throw std::logic_error(text("runs of exact results: the code 0x", std::hex, last,
                                  " does not have the result that 0x", it.first, " leads to"));
    add(run);
  }

  void each(const Piece& it) {
    for (std::uint64_t i = 0; i < it.count; ++i) one(it.first + i);
  }

  void one(std::uint64_t code) { add({code, 1, answer(code), 0}); }

  std::uint64_t answer(std::uint64_t code) const {
    const std::optional<std::uint64_t> result = exact_cast(src_, dst_, rule_, code);
    if (!result) throw NoResult{code};
    return *result;
  }

  /// Neighbours with one result become one run.
  void add(const ExactRun& run) {
    if (pending_.count > 0 && pending_.step == 0 && run.step == 0 && run.result == pending_.result) {
      pending_.count += run.count;
      return;
    }
    flush();
    pending_ = run;
  }
  void flush() {
    if (pending_.count > 0) use_(pending_);
    pending_ = {};
  }

  const Format& src_;
  const Format& dst_;
  const Rule& rule_;
  const std::function<void(const ExactRun&)>& use_;
  std::uint64_t dst_mask_;
  Treatment treatment_;
  ExactRun pending_;
};

}  // namespace

std::optional<std::uint64_t> for_each_exact_run(const Format& src, const Format& dst, const Rule& rule,
                                                const std::function<void(const ExactRun&)>& use) {
  return Runs(src, dst, rule, use).all();
}

}  // namespace castforge::cli

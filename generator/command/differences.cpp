#include "command/differences.hpp"

#include <algorithm>
#include <castforge/elements.hpp>
#include <deque>
#include <optional>

#include "semantics/convert.hpp"

namespace castforge::command {
namespace {

using spec::Kind;
using spec::Meaning;
using spec::Type;
__extension__ using u128 = unsigned __int128;

constexpr int kNear = 4;  // cells on each side of a place where the pattern may change
// Repetitions that are looked at one by one before and after those that are counted; more where more ranges are listed.
constexpr std::uint64_t kLeastRepeats = 10;

/// Joins pieces, which come in ascending order and without gaps, to ranges.
class Ranges {
 public:
  /// `listed`: how many ranges are kept from each end.
  explicit Ranges(std::size_t listed) : listed_(listed) {}
  void piece(u128 first, u128 last, bool differs) {
    if (differs) {
      if (!open_) begin(first);
      last_ = last;
    } else {
      close();
    }
    open_ = differs;
  }
  /// Counts ranges that are not listed. They follow the last piece, and the piece that follows them continues a range
  /// exactly when the last one would have.
  void unlisted(std::uint64_t ranges) {
    if (ranges == 0) return;
    count_ += ranges;
    hidden_ = hidden_ || open_;
    front_done_ = true;
    back_.clear();
  }
  void close() {
    if (open_ && !hidden_) {
      const Range range{first_, last_};
      if (!front_done_) front_.push_back(range);
      back_.push_back(range);
      if (back_.size() > listed_) back_.pop_front();
      front_done_ = front_done_ || front_.size() == listed_;
    }
    open_ = hidden_ = false;
  }
  std::uint64_t count() const { return count_; }

  struct Range {
    u128 first, last;
  };
  const std::vector<Range>& front() const { return front_; }
  const std::deque<Range>& back() const { return back_; }

 private:
  void begin(u128 first) {
    first_ = first;
    ++count_;
  }

  std::size_t listed_;
  std::vector<Range> front_;
  std::deque<Range> back_;
  std::uint64_t count_ = 0;
  u128 first_ = 0, last_ = 0;
  bool open_ = false, hidden_ = false, front_done_ = false;
};

/// Source magnitudes of one sign in ascending order.
class Axis {
 public:
  Axis(const Meaning& a, const Meaning& b, bool negative, std::size_t listed)
      : a_(a),
        b_(b),
        src_(*a.src),
        dst_(*a.dst),
        negative_(negative),
        repeats_(std::max<std::uint64_t>(kLeastRepeats, listed + 2)),
        ranges_(listed) {}

  Ranges run() {
    if (src_.kind == Kind::floating) floating();
    else integers();
    ranges_.close();
    return std::move(ranges_);
  }

 private:
  /// Consecutive positions on which the significand is position - base and the destination's grid drops `drop` bits.
  struct Segment {
    u128 first, last, base = 0;
    int drop = 0;
    int period_bits = 1;           // from cell to cell the pattern repeats with 2^period_bits
    std::vector<u128> events{};    // cells at which it does not
    std::vector<u128> residues{};  // of a cell within its period, where a wrapped integer meets the end of a range
  };

  bool differs(u128 position) const {
    auto code = static_cast<std::uint64_t>(position);
    if (negative_) code = src_.kind == Kind::floating ? code | src_.sign_mask() : (~code + 1) & mask();
    return semantics::convert_code(a_, code) != semantics::convert_code(b_, code);
  }
  std::uint64_t mask() const { return low_bits(src_.value_bits); }

  void one(u128 position) { ranges_.piece(position, position, differs(position)); }

  void integers() {
    const u128 top = src_.is_signed ? u128{1} << (src_.value_bits - 1) : u128{1} << src_.value_bits;
    const u128 last = negative_ ? top : top - 1;
    if (!negative_) one(0);
    if (dst_.kind == Kind::floating) {
      for (int binade = 0; binade < 64; ++binade)
        number(u128{1} << binade, std::min((u128{2} << binade) - 1, last), 0, 0, binade);
    } else {
      number(1, last, 0, 0, 0);
    }
  }

  void floating() {
    const int m = src_.mantissa_bits;
    const u128 hidden = u128{1} << m, last = src_.max_finite_code();
    one(0);
    for (u128 field = 0; field << m <= last; ++field) {
      const u128 first = field << m, end = std::min(last, first + hidden - 1);
      if (field == 0 && src_.subnormals) {
        const int exponent = 1 - src_.exponent_bias - m;
        for (int bit = 0; bit < m; ++bit)
          number(u128{1} << bit, std::min((u128{2} << bit) - 1, last), 0, exponent, exponent + bit);
      } else {
        const int exponent = static_cast<int>(field) - src_.exponent_bias - m;
        number(std::max<u128>(first, 1), end, first, exponent, exponent + m);
      }
    }
    u128 next = last + 1;
    if (src_.infinity) one(next++);
    if (next > src_.magnitude_mask()) return;
    // NaN codes have one result, but a copy keeps them, and one of them is the one that others write.
    Segment nans{next, src_.magnitude_mask()};
    nans.events.push_back(src_.canonical_nan(negative_) & src_.magnitude_mask());
    walk(nans);
  }

  /// Positions of one binade; the significand is position - start + (the hidden bit, where start is not 0).
  void number(u128 first, u128 last, u128 start, int exponent, int binade) {
    if (first > last) return;
    Segment segment{first, last};
    const bool normal = src_.kind == Kind::floating && (start != 0 || !src_.subnormals);
    segment.base = start;
    if (normal) segment.base -= u128{1} << src_.mantissa_bits;  // modulo 2^128 where there is no subnormal binade
    if (dst_.kind == Kind::floating && a_.src != a_.dst) {
      const int lowest = dst_.min_exponent(), place = std::max(binade, lowest);
      segment.drop = place - dst_.mantissa_bits - exponent;
      const std::int64_t below =
          (std::int64_t{place} - lowest + (dst_.subnormals ? 1 : 0) - 1) * (std::int64_t{1} << dst_.mantissa_bits);
      const std::int64_t largest = static_cast<std::int64_t>(dst_.max_finite_code()) - below;
      if (largest >= 0)
        segment.events.push_back(segment.drop >= 0 ? static_cast<u128>(largest)
                                                   : static_cast<u128>(largest) >> -segment.drop);
      if (dst_.has_gap() && binade <= lowest) {  // half of the smallest number, and that number
        const u128 hidden = u128{1} << dst_.mantissa_bits;
        for (const u128 event : {hidden / 2, hidden}) segment.events.push_back(event >> std::max(-segment.drop, 0));
      }
    } else {
      segment.drop = -exponent;
      const int width = dst_.kind == Kind::integer ? dst_.value_bits : 1;
      const int up = std::max(exponent, 0);
      segment.period_bits = std::max(width - up, 1);
      for (const int bit : {width - 1, width, 31, 32}) {
        if (bit >= up) segment.events.push_back(u128{1} << (bit - up));
      }
      if (dst_.kind == Kind::integer) clamp(segment, std::min(up, 127));
    }
    segment.drop = std::clamp(segment.drop, 0, 100);  // beyond all bits of the significand
    walk(segment);
  }

  /// Where a meaning begins to clamp, and where another one, which wraps, gives the same. A cell is 2^up.
  void clamp(Segment& segment, int up) const {
    for (const Meaning* const meaning : {&a_, &b_}) {
      const std::optional<spec::IntegerRange> range = spec::clamp_range(*meaning);
      if (!range) continue;
      const u128 largest = low_bits(range->bits - (range->is_signed ? 1 : 0)),
                 least = range->is_signed ? largest + 1 : 0;
      for (const u128 end : {largest, least}) {  // magnitudes
        segment.events.push_back(end >> up);
        segment.events.push_back((end + 1) >> up);
        segment.residues.push_back((end & low_bits(dst_.value_bits)) >> up);
      }
    }
  }

  // ---------------------------------------------------------------- within a segment

  void walk(const Segment& segment) {
    segment_ = &segment;
    const u128 first = (segment.first - segment.base) >> segment.drop,
               last = (segment.last - segment.base) >> segment.drop;
    std::vector<u128> events = segment.events;
    std::sort(events.begin(), events.end());
    u128 next = first;
    for (const u128 event : events) {
      const u128 from = event > kNear ? event - kNear : 0, to = event + kNear;
      if (to < next || from > last) continue;
      if (from > next) periods(next, from - 1);
      cells(std::max(from, next), std::min(to, last));
      next = to + 1;
    }
    if (next <= last) periods(next, last);
  }

  /// Cells on which the pattern repeats with 2^period_bits.
  void periods(u128 first, u128 last) {
    const u128 period = u128{1} << segment_->period_bits;
    if (period <= 4 * kNear) return repeat(first, last, period, [this](u128 from, u128 to) { cells(from, to); });
    const u128 next = (first + period - 1) / period * period;  // periods begin at their multiples
    const auto part = [&](u128 from, u128 to) { within_period(from, to, period); };
    if (next > last || (last + 1 - next) / period == 0) return parts(first, last, period);
    if (first < next) part(first, next - 1);
    const u128 whole = (last + 1 - next) / period * period;
    repeat(next, next + whole - 1, period, part);
    if (next + whole <= last) part(next + whole, last);
  }

  void parts(u128 first, u128 last, u128 period) {  // at most two, neither of them whole
    const u128 end = std::min(last, first / period * period + period - 1);
    within_period(first, end, period);
    if (end < last) within_period(end + 1, last, period);
  }

  /// Part of one period: results of integers meet near 0, half a period, its end and where a range ends; elsewhere
  /// parity decides.
  void within_period(u128 first, u128 last, u128 period) {
    const u128 start = first / period * period;
    std::vector<u128> events = {start, start + period / 2, start + period};
    for (const u128 residue : segment_->residues) events.push_back(start + residue);
    std::sort(events.begin(), events.end());
    u128 next = first;
    for (const u128 event : events) {
      const u128 from = event > kNear ? event - kNear : 0, to = event + kNear - 1;
      if (to < next || from > last) continue;
      if (from > next) repeat(next, from - 1, 2, [this](u128 a, u128 b) { cells(a, b); });
      cells(std::max(from, next), std::min(to, last));
      next = to + 1;
    }
    if (next <= last) repeat(next, last, 2, [this](u128 a, u128 b) { cells(a, b); });
  }

  /// Runs `look` on [first, last], but only counts what whole periods in the middle would give.
  template <class Look>
  void repeat(u128 first, u128 last, u128 period, const Look& look) {
    const u128 whole = (last - first + 1) / period;
    if (whole <= 2 * repeats_ + 2) {
      for (u128 at = first; at <= last; at += period) look(at, std::min(last, at + period - 1));
      return;
    }
    u128 at = first;
    std::uint64_t before = 0;
    for (std::uint64_t i = 0; i < repeats_; ++i, at += period) {
      before = ranges_.count();
      look(at, at + period - 1);
    }
    const std::uint64_t each = ranges_.count() - before;  // the period before it ended as every further one begins
    const u128 counted = whole - 2 * repeats_;
    ranges_.unlisted(each * static_cast<std::uint64_t>(counted));
    at += counted * period;
    for (; at <= last; at += period) look(at, std::min(last, at + period - 1));
  }

  void cells(u128 first, u128 last) {
    const int drop = segment_->drop;
    const u128 low = segment_->first - segment_->base, high = segment_->last - segment_->base;  // significands
    const auto piece = [&](u128 from, u128 to) {
      from = std::max(from, low);
      to = std::min(to, high);
      if (from <= to) ranges_.piece(from + segment_->base, to + segment_->base, differs(from + segment_->base));
    };
    for (u128 cell = first; cell <= last; ++cell) {
      const u128 exact = cell << drop;
      piece(exact, exact);
      if (drop == 0) continue;
      const u128 tie = exact + (u128{1} << (drop - 1)), end = exact + (u128{1} << drop) - 1;
      if (tie - 1 > exact) piece(exact + 1, tie - 1);
      piece(tie, tie);
      if (end > tie) piece(tie + 1, end);
    }
  }

  const Meaning &a_, &b_;
  const Type &src_, &dst_;
  bool negative_;
  std::uint64_t repeats_;
  const Segment* segment_ = nullptr;
  Ranges ranges_;
};

}  // namespace

ValueOrder::ValueOrder(const Type& type)
    : sign_(1ull << (type.value_bits - 1)),
      signed_float_(type.kind == Kind::floating && type.is_signed),
      signed_integer_(type.kind == Kind::integer && type.is_signed) {}

std::uint64_t ValueOrder::rank(std::uint64_t code) const {
  if (signed_integer_) return code ^ sign_;
  if (!signed_float_) return code;
  return (code & sign_) != 0 ? sign_ - 1 - (code & (sign_ - 1)) : code | sign_;
}

std::uint64_t ValueOrder::code(std::uint64_t rank) const {
  if (signed_integer_) return rank ^ sign_;
  if (!signed_float_) return rank;
  return (rank & sign_) != 0 ? rank & (sign_ - 1) : (sign_ - 1 - rank) | sign_;
}

Differences differences_by_code(const Meaning& a, const Meaning& b) {
  const ValueOrder order(*a.src);
  Differences all;
  bool inside = false;
  for (std::uint64_t rank = 0; rank < 1ull << a.src->value_bits; ++rank) {
    const std::uint64_t code = order.code(rank);
    const bool here = semantics::convert_code(a, code) != semantics::convert_code(b, code);
    if (here && inside) all.first.back().last = rank;
    if (here && !inside) all.first.push_back({rank, rank});
    inside = here;
  }
  all.count = all.first.size();
  return all;
}

Differences differences_by_structure(const Meaning& a, const Meaning& b, std::size_t listed_at_ends) {
  const ValueOrder order(*a.src);
  const bool two_signs = a.src->is_signed;
  const Ranges positive = Axis(a, b, false, listed_at_ends).run();
  const Ranges negative = two_signs ? Axis(a, b, true, listed_at_ends).run() : Ranges(listed_at_ends);
  const auto rank = [&](u128 position, bool is_negative) {
    auto code = static_cast<std::uint64_t>(position);
    if (is_negative) {
      code = a.src->kind == Kind::floating ? code | a.src->sign_mask() : (~code + 1) & low_bits(a.src->value_bits);
    }
    return order.rank(code);
  };
  // Listed ranges in value order, as far as they are known from each end: negative magnitudes run backwards.
  const auto listed = [&](const Ranges& ranges, bool is_negative, bool from_low_end) {
    std::vector<RankRange> list;
    const auto add = [&](const Ranges::Range& range) {
      const std::uint64_t one = rank(range.first, is_negative), other = rank(range.last, is_negative);
      list.push_back({std::min(one, other), std::max(one, other)});
    };
    if (from_low_end != is_negative) {
      for (const auto& range : ranges.front()) add(range);
    } else {
      for (const auto& range : ranges.back()) add(range);
    }
    if (is_negative) std::reverse(list.begin(), list.end());
    return list;
  };
  const auto joined = [](std::vector<RankRange> left, const std::vector<RankRange>& right) {
    for (const RankRange& range : right) {
      if (!left.empty() && left.back().last + 1 == range.first) left.back().last = range.last;
      else left.push_back(range);
    }
    return left;
  };
  const auto low_negative = listed(negative, true, true), high_negative = listed(negative, true, false);
  const auto low_positive = listed(positive, false, true), high_positive = listed(positive, false, false);

  Differences result;
  const bool meet =
      !high_negative.empty() && !low_positive.empty() && high_negative.back().last + 1 == low_positive.front().first;
  result.count = negative.count() + positive.count() - (meet ? 1 : 0);
  const bool all_negative = low_negative.size() == negative.count(),
             all_positive = low_positive.size() == positive.count();
  result.first = all_negative ? joined(low_negative, low_positive) : low_negative;
  if (all_negative && all_positive) return result;
  result.last = high_positive.size() == positive.count() ? joined(high_negative, high_positive) : high_positive;
  return result;
}

}  // namespace castforge::command

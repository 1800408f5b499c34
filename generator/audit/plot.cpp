#include "audit/plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "emit/truth_table.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"

namespace castforge::audit {
namespace {

using semantics::Value;
using spec::Kind;
using spec::Meaning;
using spec::Type;
__extension__ using u128 = unsigned __int128;

// In units of the picture: where the fields for results and for errors lie.
constexpr int kWidth = 640, kLeft = 64, kRight = 628;
constexpr int kTop = 30, kBottom = 270, kErrorTop = 300, kErrorBottom = 380, kHeight = 410;
constexpr int kNaNRow = 14;  // above the results
constexpr std::size_t kLongestLabel = 9;
constexpr int kSidePoints = 150;     // sources of each sign
constexpr double kLargestError = 1;  // in ulp; what is larger lies at the edge

/// The numbers of a type with one sign, by magnitude: places 0 (the least magnitude) to last. Zero is place 0 where the
/// type has one.
class Side {
 public:
  Side(const Type& type, bool negative) : type_(type), negative_(negative) {}

  bool exists() const { return !negative_ || (type_.kind != Kind::boolean && type_.is_signed); }

  std::uint64_t last() const {
    // One more integer is negative than positive.
    return type_.largest_code() + (negative_ && type_.kind == Kind::integer ? 1 : 0);
  }

  std::uint64_t code(std::uint64_t place) const {
    if (!negative_) return place;
    if (type_.kind == Kind::floating) return place | type_.sign_mask();
    return (~place + 1) & low_bits(type_.value_bits);
  }

  /// The least place whose magnitude is not below `magnitude`; last() where there is none.
  std::uint64_t place_of(long double magnitude) const {
    std::uint64_t low = 0, high = last();
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (magnitude_at(middle) < magnitude) low = middle + 1;
      else high = middle;
    }
    return low;
  }

 private:
  long double magnitude_at(std::uint64_t place) const {
    const Value value = semantics::decode(type_, code(place));
    return std::ldexp(static_cast<long double>(value.significand), value.exponent);
  }

  const Type& type_;
  bool negative_;
};

long double number(const Value& value) {
  const long double magnitude = std::ldexp(static_cast<long double>(value.significand), value.exponent);
  return value.negative ? -magnitude : magnitude;
}

/// Magnitude of a number in steps from number to number of its type.
std::uint64_t steps(const Type& type, std::uint64_t code) {
  if (type.kind == Kind::boolean) return code != 0;
  if (type.kind == Kind::floating) return code & type.magnitude_mask();
  return semantics::decode(type, code).significand;
}

long double largest(const Type& type) {
  if (type.kind == Kind::boolean) return 1;
  if (type.kind == Kind::floating) return type.max_finite();
  return std::ldexp(1.0L, type.magnitude_bits());
}

long double smallest(const Type& type) { return type.kind == Kind::floating ? type.min_positive() : 1; }

/// The unit in the last place of a type at a magnitude.
long double ulp(const Type& type, long double magnitude) {
  if (type.kind != Kind::floating) return 1;
  const int least = type.min_exponent();
  const int exponent = magnitude == 0 ? least : std::max(std::ilogb(magnitude), least);
  return std::ldexp(1.0L, exponent - type.mantissa_bits);
}

/// Positions along an axis that has zero in its middle, or, without negative numbers, at its beginning.
class Axis {
 public:
  Axis(std::uint64_t least, std::uint64_t most, bool both, int from, int to)
      : least_(least), most_(most), from_(from), to_(to), both_(both) {}

  int at(std::uint64_t steps, bool negative) const {
    long double share = 0;
    if (steps != 0) {
      const long double range = static_cast<long double>(most_) - static_cast<long double>(least_);
      const long double above = static_cast<long double>(steps) - static_cast<long double>(least_);
      // Next to zero there is a gap for the numbers that are left out.
      share = range > 0 ? 0.06L + 0.94L * above / range : 1;
      share = std::clamp(share, 0.0L, 1.0L);
    }
    const long double zero = both_ ? (from_ + to_) / 2.0L : from_;
    return static_cast<int>(std::lround(zero + (to_ - zero) * (negative && both_ ? -share : share)));
  }

 private:
  std::uint64_t least_, most_;
  int from_, to_;
  bool both_;
};

struct Point {
  std::uint64_t source = 0, result = 0;  // codes
  bool negative = false;                 // the source's sign
  Value from, to;
};

std::vector<Point> points_of(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const long double low = std::min(smallest(dst) / 4, largest(src)), high = largest(dst) * 2;
  std::vector<Point> points;
  for (const bool negative : {true, false}) {
    const Side side(src, negative);
    if (!side.exists()) continue;
    const std::uint64_t first = src.kind == Kind::floating ? side.place_of(low) : negative ? 1 : 0;
    const std::uint64_t last = std::max(side.place_of(high), first);
    const std::uint64_t count = std::min<std::uint64_t>(last - first, kSidePoints - 1) + 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      const u128 part = static_cast<u128>(last - first) * i;
      const std::uint64_t place = first + (count == 1 ? 0 : static_cast<std::uint64_t>(part / (count - 1)));
      const std::uint64_t source = side.code(place), result = semantics::convert_code(meaning, source);
      const Value from = semantics::decode(src, source), to = semantics::decode(dst, result);
      if (from.cls == Value::Class::finite)
        points.push_back({.source = source, .result = result, .negative = negative, .from = from, .to = to});
    }
  }
  return points;
}

std::string dots(const char* kind, const std::vector<std::pair<int, int>>& places) {
  if (places.empty()) return "";
  std::string path;
  std::pair<int, int> before{-1, -1};
  for (const auto& place : places) {
    if (place == before) continue;
    before = place;
    path += "M" + std::to_string(place.first) + " " + std::to_string(place.second) + "h0";
  }
  return std::string("<path class=\"") + kind + "\" d=\"" + path + "\"/>\n";
}

std::string label(int x, int y, const char* anchor, const std::string& text) {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" text-anchor=\"" + anchor + "\">" +
         text + "</text>\n";
}

std::string rule_line(const char* kind, int x1, int y1, int x2, int y2) {
  return std::string("<path class=\"") + kind + "\" d=\"M" + std::to_string(x1) + " " + std::to_string(y1) + "L" +
         std::to_string(x2) + " " + std::to_string(y2) + "\"/>\n";
}

struct Range {
  std::uint64_t least = ~0ull, most = 0;
  std::uint64_t least_code = 0, most_code = 0;
  bool negative = false;

  void add(const Type& type, std::uint64_t code, const Value& value) {
    if (value.cls != Value::Class::finite) return;
    const std::uint64_t here = steps(type, code);
    negative = negative || (value.negative && !value.is_zero());
    if (here == 0) return;
    if (here < least) least = here, least_code = code;
    if (here >= most) most = here, most_code = code;
  }
  void settle() {
    if (least > most) least = most = 1;
  }
};

/// "2^-9", of a magnitude.
std::string magnitude_text(const Type& type, std::uint64_t code) {
  std::string text = emit::value_text(type, code);
  if (text.starts_with('-')) text.erase(0, 1);
  if (text.size() <= kLongestLabel) return text;
  char shorter[32];
  std::snprintf(shorter, sizeof shorter, "%.3Lg", std::fabs(number(semantics::decode(type, code))));
  return shorter;
}

}  // namespace

std::string plot(const Meaning& meaning) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const std::vector<Point> points = points_of(meaning);
  Range from, to;
  for (const Point& point : points) {
    from.add(src, point.source, point.from);
    to.add(dst, point.result, point.to);
  }
  from.settle();
  to.settle();
  const Axis x(from.least, from.most, from.negative, kLeft, kRight);
  const Axis y(to.least, to.most, to.negative, kBottom, kTop);

  std::vector<std::pair<int, int>> results, nans, infinities, errors, large;
  for (const Point& point : points) {
    const int across = x.at(steps(src, point.source), point.negative);
    if (point.to.cls == Value::Class::nan) {
      nans.emplace_back(across, kNaNRow);
      continue;
    }
    if (point.to.cls == Value::Class::infinity) {
      infinities.emplace_back(across, point.to.negative ? kBottom : kTop);
      continue;
    }
    results.emplace_back(across, y.at(steps(dst, point.result), point.to.negative));
    const long double value = number(point.from);
    const long double error = (number(point.to) - value) / ulp(dst, std::fabs(value));
    const long double shown =
        std::clamp(error, -static_cast<long double>(kLargestError), static_cast<long double>(kLargestError));
    const long double share = (shown + kLargestError) / (2 * kLargestError);
    (shown == error ? errors : large)
        .emplace_back(across, static_cast<int>(std::lround(kErrorBottom + (kErrorTop - kErrorBottom) * share)));
  }

  std::string out = "<svg viewBox=\"0 0 " + std::to_string(kWidth) + " " + std::to_string(kHeight) +
                    "\" role=\"img\" aria-label=\"" + src.name + " against " + dst.name + ", and the error in ulp\">\n";
  const int zero_x = x.at(0, false), zero_y = y.at(0, false), zero_error = (kErrorTop + kErrorBottom) / 2;
  out += rule_line("axis", kLeft, zero_y, kRight, zero_y) + rule_line("axis", zero_x, kTop, zero_x, kBottom);
  out += rule_line("axis", kLeft, zero_error, kRight, zero_error);
  out += rule_line("edge", kLeft, kErrorTop, kRight, kErrorTop) +
         rule_line("edge", kLeft, kErrorBottom, kRight, kErrorBottom);
  // Sources below, results at the left.
  const auto x_label = [&](std::uint64_t step, std::uint64_t code, const char* anchor) {
    const std::string text = magnitude_text(src, code);
    out += label(x.at(step, false), kHeight - 10, anchor, text);
    if (from.negative)
      out += label(x.at(step, true), kHeight - 10, anchor == std::string("end") ? "start" : "end", "-" + text);
  };
  x_label(from.most, from.most_code, "end");
  if (src.kind == Kind::floating && from.least != from.most) x_label(from.least, from.least_code, "start");
  else out += label(zero_x, kHeight - 10, "middle", "0");
  const auto y_label = [&](std::uint64_t step, std::uint64_t code) {
    const std::string text = magnitude_text(dst, code);
    out += label(kLeft - 6, y.at(step, false) + 4, "end", text);
    if (to.negative) out += label(kLeft - 6, y.at(step, true) + 4, "end", "-" + text);
  };
  y_label(to.most, to.most_code);
  out += label(kLeft - 6, zero_y + 4, "end", "0");
  if (!nans.empty()) out += label(kLeft - 6, kNaNRow + 4, "end", "NaN");
  out += label(kLeft - 6, kErrorTop + 4, "end", "+1 ulp") + label(kLeft - 6, kErrorBottom + 4, "end", "-1 ulp");
  out += dots("result", results) + dots("nan", nans) + dots("infinity", infinities) + dots("error", errors) +
         dots("large", large);
  return out + "</svg>\n";
}

}  // namespace castforge::audit

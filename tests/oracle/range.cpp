#include "oracle/range.hpp"

#include <bit>
#include <cmath>

#include "oracle/convert.hpp"

namespace castforge::oracle {

namespace {

__extension__ using Wide = __int128;

bool is_floating(const std::string& type) { return codec(type).format().kind == Kind::floating; }

RangeResult failed(RangeError error) {
  RangeResult r;
  r.error = error;
  return r;
}

bool finite(const Scalar& s) { return codec(s.type).decode(s.code).what == Class::finite; }

/// The nearest float64, ties to even.
double as_double(const Scalar& s) {
  return std::bit_cast<double>(convert(codec(s.type), codec("float64"), Rule{}, s.code));
}

std::uint64_t rounded(double x, const std::string& type) {
  return convert(codec("float64"), codec(type), Rule{}, std::bit_cast<std::uint64_t>(x));
}

/// Results of operations are stored, so that no product can be fused into a sum.
template <class T>
T once(T x) {
  volatile T stored = x;
  return stored;
}

/// ceil(|b - a| / |d|) in float64, or 0 where the step leads away from the end. Negative: no finite count.
double float_count(double a, double b, double d) {
  if ((d > 0 && a >= b) || (d < 0 && a <= b)) return 0;
  const double quotient = once(std::fabs(once(b - a)) / std::fabs(d));
  return std::isfinite(quotient) ? std::ceil(quotient) : -1;
}

bool floats(const Scalar& start, const Scalar& stop, const Scalar& step) {
  return finite(start) && finite(stop) && finite(step);
}

/// An input truncated to an integer; false where it is outside [-2^63, 2^64).
bool integral(const Scalar& s, Wide& n) {
  const Value v = codec(s.type).decode(s.code);
  const long double whole = std::floor(v.magnitude);
  if (whole >= 0x1p64L || (v.negative && whole > 0x1p63L)) return false;
  n = static_cast<Wide>(static_cast<std::uint64_t>(whole));
  if (v.negative) n = -n;
  return true;
}

std::uint64_t low_bits(Wide n, int bits) {
  const auto low = static_cast<std::uint64_t>(n);
  return bits >= 64 ? low : low & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

RangeResult range(const Scalar& start, const Scalar& stop, const Scalar& step, const std::string& output,
                  std::uint64_t at_most, std::uint64_t count_limit) {
  if (!floats(start, stop, step)) return failed(RangeError::non_finite);
  RangeResult result;
  if (is_floating(output)) {
    const double a = as_double(start), b = as_double(stop), d = as_double(step);
    if (d == 0) return failed(RangeError::step_zero);
    const double n = float_count(a, b, d);
    if (n < 0 || n > static_cast<double>(count_limit)) return failed(RangeError::count_limit);
    result.count = static_cast<std::uint64_t>(n);
    for (std::uint64_t i = 0; i < result.count && i < at_most; ++i) {
      const double product = once(static_cast<double>(i) * d);
      result.codes.push_back(rounded(once(a + product), output));
    }
    return result;
  }
  Wide a = 0, b = 0, d = 0;
  if (!integral(start, a) || !integral(stop, b) || !integral(step, d)) return failed(RangeError::input_range);
  if (d == 0) return failed(RangeError::step_zero);
  Wide n = 0;
  if (d > 0 ? a < b : a > b) {
    const Wide distance = a < b ? b - a : a - b, stride = d > 0 ? d : -d;
    n = (distance + stride - 1) / stride;
  }
  if (n > static_cast<Wide>(count_limit)) return failed(RangeError::count_limit);
  result.count = static_cast<std::uint64_t>(n);
  const int bits = codec(output).format().bits;
  for (std::uint64_t i = 0; i < result.count && i < at_most; ++i) {
    result.codes.push_back(low_bits(a + static_cast<Wide>(i) * d, bits));
  }
  return result;
}

RangeResult reference_range(const Scalar& start, const Scalar& stop, const Scalar& step, const std::string& output,
                            std::uint64_t at_most, std::uint64_t count_limit) {
  if (!floats(start, stop, step)) return failed(RangeError::non_finite);
  double a = as_double(start), b = as_double(stop), d = as_double(step);
  const bool floating = is_floating(output);
  if (!floating) {
    a = std::trunc(a);
    b = std::trunc(b);
    d = std::trunc(d);
    for (double x : {a, b, d}) {
      if (x < -0x1p63 || x >= 0x1p64) return failed(RangeError::input_range);
    }
  }
  if (d == 0) return failed(RangeError::step_zero);
  const double n = float_count(a, b, d);
  if (n < 0 || n > static_cast<double>(count_limit)) return failed(RangeError::count_limit);
  RangeResult result;
  result.count = static_cast<std::uint64_t>(n);
  const int bits = codec(output).format().bits;
  for (std::uint64_t i = 0; i < result.count && i < at_most; ++i) {
    if (!floating) {
      result.codes.push_back(low_bits(static_cast<Wide>(a) + static_cast<Wide>(i) * static_cast<Wide>(d), bits));
    } else if (output == "float64") {
      result.codes.push_back(rounded(once(a + once(static_cast<double>(i) * d)), output));
    } else {
      const float first = once(static_cast<float>(a)), stride = once(static_cast<float>(d));
      const float product = once(once(static_cast<float>(i)) * stride);
      result.codes.push_back(rounded(static_cast<double>(once(first + product)), output));
    }
  }
  return result;
}

}  // namespace castforge::oracle

// Short ways to ask the oracle in its own tests.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "oracle/oracle.hpp"

namespace castforge::oracle::testing {

/// "onnx@24" -> a request of that rule set.
inline Request ask(const std::string& opset, const std::string& src, const std::string& dst) {
  Request r;
  r.family = opset.substr(0, opset.find('@'));
  r.version = opset.substr(opset.find('@') + 1);
  r.src = src;
  r.dst = dst;
  return r;
}

inline Request saturate(Request r, int value) {
  r.saturate = value;
  return r;
}

inline Request round_mode(Request r, const std::string& value) {
  r.round_mode = value;
  return r;
}

inline Request mode(Request r, const std::string& value) {
  r.mode = value;
  return r;
}

/// The code of a floating format nearest to x (which must be exact for what the tests do).
inline std::uint64_t code_of(const std::string& type, double x) {
  return convert(codec("float64"), codec(type), Rule{}, std::bit_cast<std::uint64_t>(x));
}

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace castforge::oracle::testing

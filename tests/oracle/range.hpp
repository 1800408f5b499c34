// Sequences start, start + step, ... as OpenVINO Range-4 defines them, and as OpenVINO's reference computes
// them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/value.hpp"

namespace castforge::oracle {

struct Scalar {
  std::string type;
  std::uint64_t code;
};

enum class RangeError { none, non_finite, step_zero, input_range, count_limit };

struct RangeResult {
  RangeError error = RangeError::none;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> codes;  // the first `count`, at most `at_most` of them
};

/// Range-4 with output type `output`. Integral outputs: exact integers, taken modulo 2^bits. Floating
/// outputs: count and elements in float64 with one rounding for each operation and no fused products, each
/// element rounded once more.
RangeResult range(const Scalar& start, const Scalar& stop, const Scalar& step, const std::string& output,
                  std::uint64_t at_most = 1u << 20, std::uint64_t count_limit = 4294967295u);

/// The variant that OpenVINO's reference implements: inputs read as float64, count from them; floating
/// outputs are computed in float32 (float16, bfloat16, float32) or float64.
RangeResult reference_range(const Scalar& start, const Scalar& stop, const Scalar& step, const std::string& output,
                            std::uint64_t at_most = 1u << 20, std::uint64_t count_limit = 4294967295u);

}  // namespace castforge::oracle

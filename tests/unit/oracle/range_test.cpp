// Every sequence that the definition of Range-4 prints.
#include <catch2/catch_test_macros.hpp>

#include "helpers.hpp"

using namespace castforge::oracle;
using namespace castforge::oracle::testing;

namespace {

Scalar scalar(const std::string& type, double x) {
  if (format(type).kind == Kind::floating) return {type, code_of(type, x)};
  const auto n = static_cast<std::int64_t>(x);
  return {type, static_cast<std::uint64_t>(n) & (~0ull >> (64 - format(type).bits))};
}

RangeResult run(double a, double b, double d, const std::string& input, const std::string& output) {
  return range(scalar(input, a), scalar(input, b), scalar(input, d), output);
}

using Codes = std::vector<std::uint64_t>;

Codes codes(const std::string& type, std::initializer_list<double> values) {
  Codes all;
  for (double x : values) all.push_back(scalar(type, x).code);
  return all;
}

}  // namespace

TEST_CASE("Range-4 by example") {
  CHECK(run(2, 23, 3, "int32", "int32").codes == codes("int32", {2, 5, 8, 11, 14, 17, 20}));
  CHECK(run(23, 2, -3, "int32", "int32").codes == codes("int32", {23, 20, 17, 14, 11, 8, 5}));
  CHECK(run(1, 2.5, 0.5, "float32", "float32").codes == codes("float32", {1, 1.5, 2}));
  CHECK(run(1.2, 5.6, 1.9, "float64", "int32").codes == Codes{1, 2, 3, 4});
  CHECK(run(5, 1, 1, "float32", "float32").count == 0);
  CHECK(run(250, 260, 1, "float64", "uint8").codes == Codes{250, 251, 252, 253, 254, 255, 0, 1, 2, 3});
  CHECK(run(9, 0, -4, "int32", "uint8").codes == Codes{9, 5, 1});
  const std::uint64_t big = 1ull << 53;
  CHECK(range({"int64", big + 1}, {"int64", big + 4}, {"int64", 1}, "int64").codes == Codes{big + 1, big + 2, big + 3});
  CHECK(run(65000, 66000, 250, "float64", "float16").codes == Codes{0x7BEF, 0x7BF7, 0x7BFF, 0x7C00});
  CHECK(run(-1, 0.875, 0.2, "float32", "float32").codes == Codes{0xBF800000, 0xBF4CCCCD, 0xBF19999A, 0xBECCCCCC,
                                                                 0xBE4CCCCC, 0x32800000, 0x3E4CCCCE, 0x3ECCCCCE,
                                                                 0x3F19999A, 0x3F4CCCCD});
  CHECK(run(-1, 0.875, 0.2, "float64", "float64").codes.at(5) == 0);
  CHECK(run(1, 1.3, 0.1, "float64", "float64").codes.size() == 4);
  CHECK(run(1, 1.3, 0.1, "float64", "float64").codes.at(3) == code_of("float64", 1.3));
}

TEST_CASE("Range-4 refusals") {
  CHECK(run(0, 1, 0, "float32", "float32").error == RangeError::step_zero);
  CHECK(run(0, 1, 0.5, "float32", "int32").error == RangeError::step_zero);
  CHECK(run(0, kInf, 1, "float32", "float32").error == RangeError::non_finite);
  CHECK(run(0, 1, kNan, "float32", "int32").error == RangeError::non_finite);
  CHECK(run(0, 1e30, 1, "float64", "int64").error == RangeError::input_range);
  CHECK(run(0, 1e30, 1, "float64", "float64").error == RangeError::count_limit);
  CHECK(range({"uint64", 0}, {"uint64", ~0ull}, {"uint64", 1}, "uint64").error == RangeError::count_limit);
  const RangeResult whole = range({"int64", 1ull << 63}, {"uint64", ~0ull}, {"uint64", 1ull << 63}, "int64");
  CHECK(whole.count == 3);  // from -2^63 to 2^64 - 1: the distance needs 65 bits
}

TEST_CASE("the reference variant") {
  const auto reference = [](const char* type) {
    return reference_range(scalar(type, -1), scalar(type, 0.875), scalar(type, 0.2), type).codes;
  };
  CHECK(reference("float32") == Codes{0xBF800000, 0xBF4CCCCD, 0xBF19999A, 0xBECCCCCC, 0xBE4CCCCC, 0x00000000,
                                      0x3E4CCCD0, 0x3ECCCCCC, 0x3F19999A, 0x3F4CCCCE});
}

// Every refusal of a sequence: its code, its message, and that nothing is written.
#include "support.hpp"

#include <cmath>
#include <limits>

#include "src/range_rules.hpp"
#include "src/tables.hpp"

using namespace castforge;
using namespace castforge::range_test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Refusal {
  StatusCode code;
  std::string message;
};

Refusal refused(Scalar start, Scalar stop, Scalar step, Type type, std::string_view opset = "openvino-range@4") {
  const Range range = find_range(opset, start, stop, step, type);
  CHECK_FALSE(range.ok());
  CHECK_FALSE(static_cast<bool>(range));
  CHECK(range.count() == 0);
  CHECK(range.fill(0, nullptr, 0).code() == range.status().code());
  CHECK(range_count(opset, start, stop, step, type).status.code() == range.status().code());
  unsigned char byte = 0xA5;
  const std::int64_t shape[] = {1};
  CHECK(castforge::range(opset, start, stop, step, {type, shape, &byte, 1}).code() == range.status().code());
  CHECK(byte == 0xA5);
  return {range.status().code(), range.status().message()};
}

}  // namespace

TEST_CASE("a sequence that was never looked up") {
  CHECK(Range().status().code() == StatusCode::no_kernel);
  CHECK(Range().fill(0, nullptr, 0).code() == StatusCode::no_kernel);
}

TEST_CASE("op-sets that describe no sequences") {
  const Refusal cast = refused(0, 1, 1, Type::int32, "onnx@9");
  CHECK(cast.code == StatusCode::wrong_operation);
  CHECK(cast.message.starts_with("onnx@9 describes the operation cast, not range; op-sets of range: onnx-range@27, "));
  CHECK(refused(0, 1, 1, Type::int32, "openvino-range@3").code == StatusCode::unknown_opset);
  CHECK(refused(0, 1, 1, Type::int32, "nothing@1").code == StatusCode::unknown_opset);
}

TEST_CASE("instruction sets that are not there") {
  const Range range = find_range("openvino-range@4", 0, 1, 1, Type::int32, {}, "mmx");
  CHECK(range.status().code() == StatusCode::isa_unavailable);
}

TEST_CASE("types that are no numbers or not admitted") {
  const std::string admitted =
      "; it admits numbers of type float16, bfloat16, float32, float64, int8, int16, int32, int64, uint8, "
      "uint16, "
      "uint32, uint64";
  const Refusal start = refused({Type::bool_, 1}, 1, 1, Type::int32);
  CHECK(start.code == StatusCode::bad_type);
  CHECK(start.message == "openvino-range@4: the start is bool" + admitted);
  CHECK(refused(0, {Type::string, 0}, 1, Type::int32).message == "openvino-range@4: the stop is string" + admitted);
  CHECK(refused(0, 1, {Type::float8e5m2, 1}, Type::int32).message ==
        "openvino-range@4: the step is float8e5m2" + admitted);
  CHECK(refused(0, 1, 1, Type::int4).message == "openvino-range@4: the result is int4" + admitted);
  CHECK(refused(0, 1, 1, Type::bool_).code == StatusCode::bad_type);
}

TEST_CASE("an op-set that wants one type") {
  const Refusal mixed = refused(0.0F, 1, 1.0F, Type::float32, "onnx-range@11");
  CHECK(mixed.code == StatusCode::bad_type);
  CHECK(mixed.message ==
        "onnx-range@11: the stop is int32, the start float32; start, stop, step and result must be of one "
        "type");
  CHECK(refused(0.0F, 1.0F, 1.0F, Type::float64, "onnx-range@11").message ==
        "onnx-range@11: the result is float64, the start float32; start, stop, step and result must be of "
        "one type");
}

TEST_CASE("inputs that are not finite are named") {
  const std::string rest = " is infinite or NaN; start, stop and step must be finite";
  for (const Type type : {Type::float32, Type::int16}) {
    for (const double bad : {kInf, -kInf, std::nan("")}) {
      CHECK(refused(bad, 1, 1, type).code == StatusCode::non_finite);
      CHECK(refused(bad, 1, 1, type).message == "openvino-range@4: the start" + rest);
      CHECK(refused(0, bad, 1, type).message == "openvino-range@4: the stop" + rest);
      CHECK(refused(0, 1, bad, type).message == "openvino-range@4: the step" + rest);
    }
    CHECK(refused(0, {Type::float16, 0x7C00}, 1, type).code == StatusCode::non_finite);
    CHECK(refused(0, {Type::bfloat16, 0xFFFF}, 1, type).code == StatusCode::non_finite);
  }
  CHECK(refused(0, kInf, 0.0, Type::float32, "openvino-reference@4").code == StatusCode::non_finite);
}

TEST_CASE("a step of zero") {
  const Refusal zero = refused(0, 1, 0, Type::int32);
  CHECK(zero.code == StatusCode::step_zero);
  CHECK(zero.message == "openvino-range@4: the step is 0; it must be positive or negative");
  CHECK(refused(0.0, 1.0, -0.0, Type::float32).message == zero.message);
  for (const std::string opset : {"openvino-range@4", "openvino-reference@4"}) {
    CHECK(refused(0.0, 1.0, 0.5, Type::int32, opset).message ==
          opset + ": the step is 0 once it is truncated to an integer; it must be positive or negative");
    CHECK(refused(5.0, 1.0, -0.999, Type::uint8, opset).code == StatusCode::step_zero);
  }
  // The smallest step there is, is one.
  CHECK(find_range("openvino-range@4", 0.0, 1e-323, 5e-324, Type::float64).count() == 2);
}

TEST_CASE("integer results: inputs outside [-2^63, 2^64)") {
  const std::string rest = " is outside [-2^63, 2^64), where the inputs of an integer range must lie";
  const Refusal stop = refused(0, 1e30, 1, Type::int64);
  CHECK(stop.code == StatusCode::input_range);
  CHECK(stop.message == "openvino-range@4: the stop" + rest);
  CHECK(refused(0x1p64, 0, -1, Type::int8).message == "openvino-range@4: the start" + rest);
  CHECK(refused(0, 1, -0x1.0000000000001p63, Type::int8).message == "openvino-range@4: the step" + rest);
  // Inside as an integer, outside as the float64 that the op-set computes with.
  CHECK(refused(std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{9000000000000000000}, Type::uint64,
                "openvino-reference@4")
            .message == "openvino-reference@4: the stop, as a float64," + rest);
  CHECK(refused(0.0, 0x1p64, 1.0, Type::uint64, "openvino-reference@4").message ==
        "openvino-reference@4: the stop" + rest);
  CHECK(find_range("openvino-range@4", 0, 0x1.fffffffffffffp63, 0x1p60, Type::int8).count() == 16);
  CHECK(find_range("openvino-range@4", 0, -0x1p63, -0x1p60, Type::int8).count() == 8);
}

TEST_CASE("more elements than the limit") {
  const Refusal known = refused(0, 4294967296.0, 1, Type::int64);
  CHECK(known.code == StatusCode::count_limit);
  CHECK(known.message == "openvino-range@4: the range has 4294967296 elements; the op-set admits up to 4294967295");
  CHECK(refused(0.0, 4294967295.5, 1.0, Type::float16).message == known.message);
  CHECK(find_range("openvino-range@4", 0, 4294967295.0, 1, Type::int64).count() == 4294967295u);
  const std::string many =
      "openvino-range@4: the range has at least 2^64 - 1 elements; the op-set admits up to 4294967295";
  CHECK(refused(0.0, 1e30, 1.0, Type::float64).message == many);
  CHECK(refused({Type::int64, std::uint64_t{1} << 63}, ~std::uint64_t{0}, 1, Type::int8).message == many);
  const std::string not_finite =
      "openvino-range@4: the number of elements, computed in float64, is not finite; the op-set admits up to "
      "4294967295";
  const Refusal few = refused(-1.7e308, 1.7e308, 1e308, Type::float64);  // 4, but the distance overflows
  CHECK(few.code == StatusCode::count_limit);
  CHECK(few.message == not_finite);
  CHECK(refused(0.0, 1.0, 5e-324, Type::float64).message == not_finite);  // the quotient overflows
}

TEST_CASE("parts beyond the end, and no destination") {
  const Range range = find_range("openvino-range@4", 0, 12, 1, Type::int16);
  std::uint16_t codes[16] = {};
  CHECK(range.fill(12, codes, 0).ok());
  CHECK(range.fill(12, nullptr, 0).ok());
  CHECK(range.fill(2, codes, 10).ok());
  const Status status = range.fill(10, codes + 10, 3);
  CHECK(status.code() == StatusCode::beyond_end);
  CHECK(status.message() == "the range has 12 elements; more were asked for from element 10 on");
  CHECK(codes[10] == 0);
  CHECK(range.fill(13, codes, 0).code() == StatusCode::beyond_end);
  CHECK(range.fill(~std::uint64_t{0}, codes, 2).code() == StatusCode::beyond_end);
  CHECK(range.fill(0, nullptr, 3).code() == StatusCode::null_pointer);
}

TEST_CASE("tensors: shapes and sizes are checked") {
  const std::int64_t shape[] = {10}, other[] = {9}, matrix[] = {2, 5}, one[] = {1};
  const float zero = 0, ten = 10, step = 1;
  const TensorView start{Type::float32, {}, &zero, 4}, stop{Type::float32, {}, &ten, 4},
      stride{Type::float32, {}, &step, 4};
  std::uint16_t codes[10] = {};
  const auto run = [&](const TensorView& a, const MutableTensorView& dst) {
    return range("openvino-range@4", a, stop, stride, dst);
  };
  const MutableTensorView good{Type::int16, shape, codes, sizeof codes};
  CHECK(run({Type::float32, one, &zero, 4}, good).message() ==
        "openvino-range@4: the start has rank 1; it must be a scalar, of rank 0");
  CHECK(run({Type::float32, {}, nullptr, 4}, good).message() == "the start is null, but has 1 element");
  CHECK(run({Type::float32, {}, &zero, 3}, good).message() == "the start holds 3 bytes, needed are 4");
  CHECK(run({Type::string, {}, nullptr, 0}, good).code() == StatusCode::bad_type);
  const std::string wrong_shape = "the range has 10 elements; the destination must be of rank 1 with as many";
  CHECK(run(start, {Type::int16, other, codes, sizeof codes}).message() == wrong_shape);
  CHECK(run(start, {Type::int16, matrix, codes, sizeof codes}).message() == wrong_shape);
  CHECK(run(start, {Type::int16, {}, codes, sizeof codes}).code() == StatusCode::shape_mismatch);
  CHECK(run(start, {Type::int16, shape, codes, 19}).message() == "the destination holds 19 bytes, needed are 20");
  CHECK(run(start, {Type::int16, shape, nullptr, 20}).message() == "the destination is null, but has 10 elements");
  CHECK(std::all_of(codes, codes + 10, [](int code) { return code == 0; }));
  CHECK(range("nothing@4", start, stop, stride, good).code() == StatusCode::unknown_opset);
  CHECK(run(start, good).ok());
  for (std::uint16_t i = 0; i < 10; ++i) CHECK(codes[i] == i);
}

TEST_CASE("options that the library has no code for are errors") {
  // The op-set's own options with one of them changed, added or taken away.
  const auto read = [](std::string_view name, const char* value) {
    const tables::OpSet& original = *find_opset("openvino-range@4")->table();
    std::vector<tables::Option> options(original.options, original.options + original.option_count);
    const auto found = std::find_if(options.begin(), options.end(), [&](const auto& o) { return name == o.name; });
    const std::string key(name);
    if (value == nullptr) {
      options.erase(found);
    } else if (found == options.end()) {
      options.push_back({key.c_str(), value});
    } else {
      found->value = value;
    }
    tables::OpSet changed = original;
    changed.options = options.data();
    changed.option_count = static_cast<std::uint16_t>(options.size());
    RangeRules rules;
    return read_range_rules(OpSet(&changed), rules).message();
  };
  CHECK(read("form", "multiply") == "ok");
  CHECK(read("fma", "true") == "ok");
  CHECK(read("form", "sum") == "openvino-range@4: its option \"form\" is \"sum\"; expected multiply");
  CHECK(read("accumulator", "float16") ==
        "openvino-range@4: its option \"accumulator\" is \"float16\"; expected float64 or "
        "result_at_least_float32");
  CHECK(read("operand_types", nullptr) ==
        "openvino-range@4: its option \"operand_types\" is missing; expected any or same");
  CHECK(read("count_limit", "many") ==
        "openvino-range@4: its option \"count_limit\" is \"many\"; expected a number from 0 to 2^63 - 1");
  for (const char* const beyond : {"9223372036854775808", "18446744073709551615", "18446744073709551616"})
    CHECK(read("count_limit", beyond).find("expected a number from 0 to 2^63 - 1") != std::string::npos);
  CHECK(read("stash_type", "float32") == "openvino-range@4: its option \"stash_type\" is none that a range has");
}

TEST_CASE("names of the codes") {
  CHECK(std::string(name(StatusCode::bad_type)) == "bad_type");
  CHECK(std::string(name(StatusCode::not_scalar)) == "not_scalar");
  CHECK(std::string(name(StatusCode::non_finite)) == "non_finite");
  CHECK(std::string(name(StatusCode::input_range)) == "input_range");
  CHECK(std::string(name(StatusCode::step_zero)) == "step_zero");
  CHECK(std::string(name(StatusCode::count_limit)) == "count_limit");
  CHECK(std::string(name(StatusCode::beyond_end)) == "beyond_end");
  CHECK(std::string(name(StatusCode::unsupported_option)) == "unsupported_option");
}

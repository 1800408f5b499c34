// Range-4 data of OpenVINO and Range data of ONNX, against the library and against the oracle; and both
// against each other on sequences of all kinds.
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>

#include "oracle/oracle.hpp"
#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

const std::map<std::string, std::string> kTypes = {{"f16", "float16"}, {"bf16", "bfloat16"}, {"f32", "float32"},
                                                   {"f64", "float64"}, {"i8", "int8"},       {"i16", "int16"},
                                                   {"i32", "int32"},   {"i64", "int64"},     {"u8", "uint8"},
                                                   {"u16", "uint16"},  {"u32", "uint32"},    {"u64", "uint64"}};

/// A decimal literal as an element of the type: nearest, ties to even.
oracle::Scalar scalar(const std::string& type, double x) {
  const oracle::Codec& codec = oracle::codec(type);
  if (codec.format().kind == oracle::Kind::integer) {
    const auto n = static_cast<std::int64_t>(x);
    return {type, static_cast<std::uint64_t>(n) & (~0ull >> (64 - codec.format().bits))};
  }
  return {type, oracle::convert(oracle::codec("float64"), codec, oracle::Rule{}, std::bit_cast<std::uint64_t>(x))};
}

double literal(const nlohmann::json& value) {
  if (!value.is_string()) return value.get<double>();
  return std::stod(value.get<std::string>());
}

std::vector<std::uint64_t> hex_codes(const nlohmann::json& list) {
  std::vector<std::uint64_t> codes;
  for (const auto& text : list) codes.push_back(std::stoull(text.get<std::string>(), nullptr, 16));
  return codes;
}

struct Inputs {
  oracle::Scalar start, stop, step;
};

Inputs inputs(const nlohmann::json& c, const std::string& type) {
  return {scalar(type, literal(c["start"])), scalar(type, literal(c["stop"])), scalar(type, literal(c["step"]))};
}

castforge::Scalar runtime_scalar(const oracle::Scalar& s) { return {type_of(s.type), s.code}; }

/// Elements as the library computes them, on every instruction set, whole and in two parts.
std::vector<std::uint64_t> library_range(const char* opset, const Inputs& in, const std::string& output) {
  const Type type = type_of(output);
  const int bits = type_info(type).storage_bits;
  Bytes first;
  std::uint64_t count = 0;
  for (const std::string& isa : usable_isas()) {
    const castforge::Range r =
        find_range(opset, runtime_scalar(in.start), runtime_scalar(in.stop), runtime_scalar(in.step), type, {}, isa);
    INFO(opset << " on " << isa << ": " << r.status().message());
    REQUIRE(r.ok());
    count = r.count();
    Bytes whole(storage_bytes(type, count).value()), parts(whole.size());
    REQUIRE(r.fill(0, whole.data(), count).ok());
    const std::size_t cut = count / 3;
    REQUIRE(r.fill(0, parts.data(), cut).ok());
    REQUIRE(r.fill(cut, parts.data() + storage_bytes(type, cut).value(), count - cut).ok());
    CHECK(whole == parts);
    if (first.empty()) first = whole;
    CHECK(whole == first);
  }
  std::vector<std::uint64_t> codes;
  for (std::size_t i = 0; i < count; ++i) codes.push_back(code_at(first, bits, i));
  return codes;
}

StatusCode expected_code(oracle::RangeError error) {
  switch (error) {
    case oracle::RangeError::none: return StatusCode::ok;
    case oracle::RangeError::non_finite: return StatusCode::non_finite;
    case oracle::RangeError::step_zero: return StatusCode::step_zero;
    case oracle::RangeError::input_range: return StatusCode::input_range;
    case oracle::RangeError::count_limit: return StatusCode::count_limit;
  }
  return StatusCode::ok;
}

}  // namespace

TEST_CASE("Range data, values") {
  int compared = 0;
  for (const auto& c : read_json("openvino/range.json")) {
    if (c["kind"] != "values" || !c.contains("input_type")) continue;
    INFO(c.dump());
    const std::string output = kTypes.at(c["output_type"]);
    const Inputs in = inputs(c, kTypes.at(c["input_type"]));
    const oracle::RangeResult got = oracle::range(in.start, in.stop, in.step, output);
    REQUIRE(got.error == oracle::RangeError::none);
    CHECK(got.count == c["count"].get<std::uint64_t>());
    CHECK(library_range("openvino-range@4", in, output) == got.codes);
    const bool floating = oracle::codec(output).format().kind == oracle::Kind::floating;
    if (c.contains("out_bits")) CHECK(got.codes == hex_codes(c["out_bits"]));
    REQUIRE(c["expected"].size() == got.codes.size());
    for (std::size_t i = 0; i < got.codes.size(); ++i) {
      const oracle::Value v = oracle::codec(output).decode(got.codes[i]);
      const double want = c["expected"][i];
      const double tolerance = floating && c.value("compare", "exact") == "approx" ? 2e-2 : 0;
      const double value = static_cast<double>(v.negative ? -v.magnitude : v.magnitude);
      if (v.what == oracle::Class::finite) CHECK(std::fabs(value - want) <= tolerance);
    }
    const oracle::RangeResult reference = oracle::reference_range(in.start, in.stop, in.step, output);
    CHECK(library_range("openvino-reference@4", in, output) == reference.codes);
    if (c.contains("out_bits_openvino_reference")) {
      CHECK(reference.codes == hex_codes(c["out_bits_openvino_reference"]));
    } else {
      CHECK(reference.codes == got.codes);
    }
    ++compared;
  }
  CHECK(compared == 34);
}

TEST_CASE("Range data, counts") {
  int compared = 0;
  for (const auto& c : read_json("openvino/range.json")) {
    if (c["kind"] != "count") continue;
    std::vector<std::pair<std::string, std::string>> types;
    if (c.contains("types")) {
      for (const std::string type : c["types"]) types.emplace_back(kTypes.at(type), kTypes.at(type));
    } else {
      types.emplace_back(kTypes.at(c["input_type"]), kTypes.at(c["output_type"]));
    }
    for (const auto& [input, output] : types) {
      INFO(c.dump() << " " << input);
      const Inputs in = inputs(c, input);
      const oracle::RangeResult got = oracle::range(in.start, in.stop, in.step, output);
      CHECK(got.error == oracle::RangeError::none);
      CHECK(got.count == c["count"].get<std::uint64_t>());
      for (const char* opset : {"openvino-range@4", "openvino-reference@4"}) {
        const RangeCount n = range_count(opset, runtime_scalar(in.start), runtime_scalar(in.stop),
                                         runtime_scalar(in.step), type_of(output));
        INFO(opset << ": " << n.status.message());
        CHECK(n.status.ok());
        CHECK(n.count == c["count"].get<std::uint64_t>());
      }
      ++compared;
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("Range data, refusals") {
  int compared = 0;
  for (const auto& c : read_json("openvino/range.json")) {
    if (c["kind"] != "error") continue;
    INFO(c.dump());
    const std::string bad = c["bad"].begin().key(), value = c["bad"].begin().value();
    if (value != "nan" && value != "+inf" && value != "-inf" && value != "0") continue;
    const auto input = [&](const char* name, double otherwise) {
      return scalar("float32", bad == name ? std::stod(value) : otherwise);
    };
    const oracle::RangeResult got = oracle::range(input("start", 0), input("stop", 10), input("step", 1), "float32");
    CHECK(got.error == (value == "0" ? oracle::RangeError::step_zero : oracle::RangeError::non_finite));
    for (const char* opset : {"openvino-range@4", "openvino-reference@4"}) {
      const castforge::Range r = find_range(opset, runtime_scalar(input("start", 0)), runtime_scalar(input("stop", 10)),
                                            runtime_scalar(input("step", 1)), Type::float32);
      CHECK(r.status().code() == expected_code(got.error));
    }
    ++compared;
  }
  CHECK(compared == 19);
}

TEST_CASE("Range data, refusals by type and rank") {
  int compared = 0;
  for (const auto& c : read_json("openvino/range.json")) {
    if (c["kind"] != "error") continue;
    const std::string bad = c["bad"].begin().key(), value = c["bad"].begin().value();
    const bool boolean = value.starts_with("boolean"), rank = value.starts_with("rank");
    if (!boolean && !rank) continue;
    INFO(c.dump());
    const std::int32_t number = 1;
    const std::int64_t one[] = {1}, some[] = {4};
    const auto input = [&](const char* name) {
      const bool this_one = bad == name;
      return TensorView{this_one && boolean ? Type::bool_ : Type::int32,
                        this_one && rank ? std::span<const std::int64_t>(one) : std::span<const std::int64_t>(),
                        &number, sizeof number};
    };
    std::int32_t out[4] = {-7, -7, -7, -7};
    const Type result = bad == "output_type" ? Type::bool_ : Type::int32;
    for (const char* opset : {"openvino-range@4", "openvino-reference@4"}) {
      const Status status =
          castforge::range(opset, input("start"), input("stop"), input("step"), {result, some, out, sizeof out});
      INFO(status.message());
      CHECK(status.code() == (rank ? StatusCode::not_scalar : StatusCode::bad_type));
      for (std::int32_t x : out) CHECK(x == -7);
    }
    ++compared;
  }
  CHECK(compared == 8);
}

TEST_CASE("Range, library against oracle") {
  std::uint64_t state = 0x853C49E6748FEA9B;
  const auto next = [&state] {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1D;
  };
  std::vector<std::string> types;
  for (const auto& [short_name, type] : kTypes) types.push_back(type);
  int filled = 0, refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const auto draw = [&](bool small) {
      const std::string type = types[next() % types.size()];
      const int bits = oracle::codec(type).format().bits;
      if (small || next() % 4 != 0) {
        const double span = small ? 8 : 400;
        const double x = (static_cast<double>(next() >> 11) * 0x1p-53 - 0.5) * span;
        return scalar(type, oracle::codec(type).format().kind == oracle::Kind::integer ? std::nearbyint(x) : x);
      }
      return oracle::Scalar{type, next() & (~0ull >> (64 - bits))};
    };
    const Inputs in{draw(false), draw(false), draw(true)};
    const std::string output = types[next() % types.size()];
    for (const bool reference : {false, true}) {
      const char* opset = reference ? "openvino-reference@4" : "openvino-range@4";
      const oracle::RangeResult want = reference ? oracle::reference_range(in.start, in.stop, in.step, output, 2000)
                                                 : oracle::range(in.start, in.stop, in.step, output, 2000);
      const castforge::Range got = find_range(opset, runtime_scalar(in.start), runtime_scalar(in.stop),
                                              runtime_scalar(in.step), type_of(output));
      INFO(opset << " " << in.start.type << " " << std::hex << in.start.code << ", " << in.stop.type << " "
                 << in.stop.code << ", " << in.step.type << " " << in.step.code << " to " << output << ": "
                 << got.status().message());
      if (got.status().code() != expected_code(want.error)) {
        CHECK(got.status().code() == expected_code(want.error));
        continue;
      }
      if (!got.ok()) {
        ++refused;
        continue;
      }
      if (got.count() != want.count) CHECK(got.count() == want.count);
      const std::size_t n = want.codes.size();
      Bytes out(storage_bytes(type_of(output), n).value());
      REQUIRE(got.fill(0, out.data(), n).ok());
      if (out != bytes_of(want.codes, oracle::codec(output).format().storage))
        CHECK(out == bytes_of(want.codes, oracle::codec(output).format().storage));
      ++filled;
    }
  }
  CHECK(filled > 5000);
  CHECK(refused > 500);
}

TEST_CASE("ONNX Range-27: the rows of its documentation, and both accumulators against the oracle") {
  const auto codes_of = [](std::string_view type, double start, double limit, double delta,
                           const Attributes& attributes) {
    const auto code = [&](double x) { return runtime_scalar(scalar(std::string(type), x)); };
    const castforge::Range r =
        find_range("onnx-range@27", code(start), code(limit), code(delta), type_of(std::string(type)), attributes);
    INFO(r.status().message());
    REQUIRE(r.ok());
    Bytes bytes(storage_bytes(r.type(), r.count()).value());
    REQUIRE(r.fill(0, bytes.data(), r.count()).ok());
    std::vector<std::uint64_t> codes;
    for (std::size_t i = 0; i < r.count(); ++i) codes.push_back(code_at(bytes, 16, i));
    return codes;
  };
  CHECK(codes_of("float16", 0, 2, 0.1, {}).size() == 21);
  CHECK(codes_of("float16", 2048, 2056, 1, {}) ==
        std::vector<std::uint64_t>{0x6800, 0x6800, 0x6801, 0x6802, 0x6802, 0x6802, 0x6803, 0x6804});
  const Attribute wide[] = {{"stash_type", 11}};
  Attributes in_float64;
  in_float64.others = wide;
  for (const std::string type : {"float16", "bfloat16"}) {
    for (int k = 1; k < 300; ++k) {
      const double start = (k % 17 - 8) * 1.37, delta = (k % 2 == 0 ? -1 : 1) * (0.003 + k * 0.00071);
      const double limit = start + 500 * delta;
      const oracle::Scalar a = scalar(type, start), b = scalar(type, limit), d = scalar(type, delta);
      const auto single = codes_of(type, start, limit, delta, {}),
                 twice = codes_of(type, start, limit, delta, in_float64);
      CHECK(single == oracle::reference_range(a, b, d, type).codes);
      CHECK(twice == oracle::range(a, b, d, type).codes);
    }
  }
  // A tie of float16, 2049, and a little more, which float32 loses.
  CHECK(codes_of("float16", 0x1p-24, 3000, 683, {})[3] == 0x6800);
  CHECK(codes_of("float16", 0x1p-24, 3000, 683, in_float64)[3] == 0x6801);
}

TEST_CASE("ONNX Range data") {
  int compared = 0;
  for (const auto& c : read_json("onnx/cases.json")) {
    if (c["op"] != "Range") continue;
    INFO(c["file"]);
    const std::string type(name(type_of(c["outputs"][0]["type"].get<std::string>())));
    const int bits = oracle::codec(type).format().storage;
    const auto input = [&](std::size_t i) {
      return oracle::Scalar{type, code_at(from_hex(c["inputs"][i]["hex"]), bits, 0)};
    };
    const Bytes want = from_hex(c["outputs"][0]["hex"]);
    for (const char* opset : {"openvino-range@4", "openvino-reference@4"}) {
      CHECK(bytes_of(library_range(opset, {input(0), input(1), input(2)}, type), bits) == want);
    }
    for (const oracle::RangeResult& got : {oracle::range(input(0), input(1), input(2), type),
                                           oracle::reference_range(input(0), input(1), input(2), type)}) {
      CHECK(got.error == oracle::RangeError::none);
      CHECK(bytes_of(got.codes, bits) == want);
    }
    ++compared;
  }
  CHECK(compared == 4);
}

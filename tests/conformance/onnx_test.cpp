// The backend test data of ONNX Cast and CastLike against the rule sets onnx and onnx-reference.
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "oracle/oracle.hpp"
#include "support.hpp"

using namespace castforge;
using namespace castforge::conformance;

namespace {

struct Case {
  nlohmann::json data;
  std::string from, to;  // canonical names
  std::size_t count = 1;
  Attributes attributes;
  std::string round_mode;
};

Case read_case(const nlohmann::json& data) {
  Case c{data,
         std::string(name(type_of(data["from"].get<std::string>()))),
         std::string(name(type_of(data["to"].get<std::string>()))),
         1,
         {},
         {}};
  for (const auto& extent : data["shape"]) c.count *= extent.get<std::size_t>();
  if (!data["saturate"].is_null()) c.attributes.saturate = AttributeValue(data["saturate"].get<int>());
  if (!data["round_mode"].is_null()) c.round_mode = data["round_mode"].get<std::string>();
  return c;
}

bool is_numeric(const Case& c) { return c.from != "string" && c.to != "string"; }

/// Casts as the node does: CastLike takes its target from a second tensor and goes through cast_like.
Bytes run(const Case& c, const std::string& family, int version) {
  const std::string opset = family + "@" + std::to_string(version);
  Attributes attributes = c.attributes;
  if (!c.round_mode.empty()) attributes.round_mode = AttributeValue(c.round_mode);
  const Bytes input = from_hex(c.data["input_hex"]);
  const Type src = type_of(c.from), dst = type_of(c.to);
  if (c.data["op"] == "CastLike" && family == "onnx") {
    std::vector<std::int64_t> shape;
    for (const auto& extent : c.data["shape"]) shape.push_back(extent);
    Bytes output(storage_bytes(dst, c.count).value());
    for (const std::string& isa : usable_isas()) {
      const Status status = cast_like(opset, {src, shape, input.data(), input.size()}, dst,
                                      {dst, shape, output.data(), output.size()}, attributes, {.isa = isa});
      INFO(opset << " CastLike on " << isa << ": " << status.message());
      REQUIRE(status.ok());
    }
    return output;
  }
  return cast_everywhere(opset, src, dst, attributes, input, c.count);
}

/// Indices of elements that differ, all NaN codes of the type being equal.
std::set<std::size_t> differing(const Case& c, const Bytes& got) {
  const Bytes want = from_hex(c.data["output_hex"]);
  REQUIRE(got.size() == want.size());
  const oracle::Codec& codec = oracle::codec(c.to);
  const int bits = codec.format().storage;
  std::set<std::size_t> indices;
  for (std::size_t i = 0; i < c.count; ++i) {
    const std::uint64_t a = code_at(got, bits, i), b = code_at(want, bits, i);
    if (a != b && !(codec.is_nan(a) && codec.is_nan(b))) indices.insert(i);
  }
  // Unused bits of the last byte are zero on both sides.
  const std::size_t used = c.count * static_cast<std::size_t>(bits) % 8;
  if (used != 0 && (got.back() >> used) != 0) indices.insert(c.count);
  return indices;
}

/// The elements that the note declares different in rule set onnx.
std::set<std::size_t> noted(const Case& c) {
  std::set<std::size_t> indices;
  for (const auto& note : c.data["notes"]) {
    const std::string text = note;
    std::smatch match;
    if (!std::regex_search(text, match, std::regex("onnx differs at element index ([0-9,]+)"))) continue;
    std::stringstream list(match[1].str());
    for (std::string index; std::getline(list, index, ',');) indices.insert(std::stoul(index));
  }
  return indices;
}

bool contains(const nlohmann::json& list, int version) {
  return std::find(list.begin(), list.end(), version) != list.end();
}

}  // namespace

TEST_CASE("ONNX data, numbers") {
  int compared = 0, split = 0;
  for (const auto& data : read_json("onnx/cases.json")) {
    if (data["op"] == "Range") continue;
    const Case c = read_case(data);
    if (!is_numeric(c) || data["compare"] != "bits") continue;
    for (const std::string family : {"onnx", "onnx-reference"}) {
      for (const int version : data["versions"].get<std::vector<int>>()) {
        const bool reference = family == "onnx-reference";
        if (reference && version < 19) continue;
        INFO(data["file"] << " " << family << "@" << version);
        const std::set<std::size_t> different = differing(c, run(c, family, version));
        ++compared;
        if (contains(data["pass"][family], version)) {
          CHECK(different.empty());
        } else {
          ++split;
          REQUIRE_FALSE(reference);
          CHECK_FALSE(different.empty());
          CHECK(different == noted(c));
        }
      }
    }
  }
  CHECK(compared > 250);
  CHECK(split == 10);
}

TEST_CASE("ONNX data, numbers, against the oracle") {
  int compared = 0;
  for (const auto& data : read_json("onnx/cases.json")) {
    if (data["op"] == "Range") continue;
    const Case c = read_case(data);
    if (!is_numeric(c) || data["compare"] != "bits") continue;
    const Bytes input = from_hex(data["input_hex"]);
    for (const std::string family : {"onnx", "onnx-reference"}) {
      for (const int version : data["versions"].get<std::vector<int>>()) {
        if (family == "onnx-reference" && version < 19) continue;
        INFO(data["file"] << " " << family << "@" << version);
        oracle::Request request;
        request.family = family;
        request.version = std::to_string(version == 15 ? 13 : version);  // CastLike-15 has the rules of Cast-13
        request.src = c.from;
        request.dst = c.to;
        if (!data["saturate"].is_null()) request.saturate = data["saturate"].get<int>();
        if (!c.round_mode.empty()) request.round_mode = c.round_mode;
        std::vector<std::uint64_t> codes;
        const int bits = oracle::codec(c.from).format().storage;
        for (std::size_t i = 0; i < c.count; ++i) codes.push_back(oracle::cast(request, code_at(input, bits, i)));
        const auto different = differing(c, bytes_of(codes, oracle::codec(c.to).format().storage));
        CHECK(different == (contains(data["pass"][family], version) ? std::set<std::size_t>() : noted(c)));
        ++compared;
      }
    }
  }
  CHECK(compared > 250);
}

TEST_CASE("ONNX data made by truncation, within ONNX's tolerance") {
  int elements = 0;
  for (const auto& data : read_json("onnx/cases.json")) {
    if (data.value("compare", "") != "rtol") continue;
    const Case c = read_case(data);
    const Bytes want = from_hex(data["output_hex"]);
    for (const std::string family : {"onnx", "onnx-reference"}) {
      for (const int version : data["versions"].get<std::vector<int>>()) {
        if (family == "onnx-reference" && version < 19) continue;
        INFO(data["file"] << " " << family << "@" << version);
        const Bytes got = run(c, family, version);
        CHECK(differing(c, got).size() == 5);  // by one unit; nearest-even is right
        for (std::size_t i = 0; i < c.count; ++i) {
          // The published files hold the bits as UINT16, so the tolerance acts on the codes as numbers.
          const auto a = static_cast<double>(code_at(got, 16, i)), b = static_cast<double>(code_at(want, 16, i));
          CHECK(std::fabs(a - b) <= 1e-3 * b);
          CHECK(std::fabs(a - b) <= 1);
          ++elements;
        }
      }
    }
  }
  CHECK(elements > 0);
}

TEST_CASE("ONNX data, strings") {
  int elements = 0;
  for (const auto& data : read_json("onnx/cases.json")) {
    if (data["op"] == "Range") continue;
    const Case c = read_case(data);
    if (is_numeric(c)) continue;
    for (const std::string family : {"onnx", "onnx-reference"}) {
      for (int version : data["versions"].get<std::vector<int>>()) {
        if (family == "onnx-reference" && version < 19) continue;
        const std::string opset = family + "@" + std::to_string(version);
        INFO(data["file"] << " " << opset);
        if (c.from == "string") {
          const std::vector<std::string> texts = data["input_strings"];
          const std::vector<std::string_view> views(texts.begin(), texts.end());
          Bytes output(storage_bytes(type_of(c.to), views.size()).value());
          const Status status = parse_text(opset, type_of(c.to), views, output.data(), c.attributes);
          INFO(status.message());
          REQUIRE(status.ok());
          CHECK(differing(c, output).empty());
          elements += static_cast<int>(views.size());
        } else {
          const std::vector<std::string> want = data["output_strings"];
          std::vector<std::string> got(c.count);
          const Bytes input = from_hex(data["input_hex"]);
          const Status status = format_text(opset, type_of(c.from), input.data(), c.count, c.attributes,
                                            [&got](std::size_t i, std::string_view text) { got.at(i) = text; });
          INFO(status.message());
          REQUIRE(status.ok());
          CHECK(got == want);
          elements += static_cast<int>(got.size());
        }
      }
    }
  }
  CHECK(elements > 0);
}

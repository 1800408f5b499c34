// Every rounding direction of IEEE 754 against Berkeley TestFloat: compiled, where the library was built with the
// op-set, and loaded otherwise. CASTFORGE_TESTFLOAT names a folder with more cases, as TestFloat writes them.
#include <castforge/castforge.hpp>
#include <catch2/catch_all.hpp>
#include <cstdlib>
#include <map>

#include "exhaustive/elements.hpp"
#include "oracle/oracle.hpp"
#include "support.hpp"

using namespace castforge;

namespace {

struct Case {
  std::uint64_t input = 0, output = 0;
  bool invalid = false;  // to integers: out of range, infinite or NaN
};

struct Conversion {
  std::string src, dst;
  std::map<std::string, std::vector<Case>> by_mode;  // rne, rna, ...
};

const std::map<std::string, std::string> kModes = {{"rne", "roundTiesToEven"},     {"rna", "roundTiesToAway"},
                                                   {"rtz", "roundTowardZero"},     {"rtp", "roundTowardPositive"},
                                                   {"rtn", "roundTowardNegative"}, {"rto", "roundToOdd"}};

std::vector<Conversion> committed() {
  std::vector<Conversion> all;
  const std::filesystem::path folder = std::filesystem::path(CASTFORGE_SOURCE_DIR) / "tests/conformance/data/testfloat";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    const std::size_t middle = stem.find("_to_");
    Conversion& one = all.emplace_back(Conversion{stem.substr(0, middle), stem.substr(middle + 4), {}});
    std::ifstream in(entry.path());
    std::string heading;
    std::getline(in, heading);
    const std::vector<std::string> modes = load_test::words_of(heading);
    for (const auto& row : load_test::data_rows("testfloat/" + stem + ".tsv")) {
      for (std::size_t i = 1; i < row.size(); ++i) {
        one.by_mode[modes[i]].push_back(
            {std::stoull(row[0], nullptr, 16), std::stoull(row[i], nullptr, 16), row[i].back() == '!'});
      }
    }
  }
  return all;
}

/// SRC_to_DST.MODE.txt, each line an input, a result and flags.
std::vector<Conversion> of_testfloat(const std::filesystem::path& folder) {
  const std::map<std::string, std::string> types = {{"f16", "float16"}, {"bf16", "bfloat16"}, {"f32", "float32"},
                                                    {"f64", "float64"}, {"i32", "int32"},     {"i64", "int64"},
                                                    {"ui32", "uint32"}, {"ui64", "uint64"}};
  const std::map<std::string, std::string> modes = {{"near_even", "rne"}, {"near_maxMag", "rna"}, {"minMag", "rtz"},
                                                    {"max", "rtp"},       {"min", "rtn"},         {"odd", "rto"}};
  std::vector<Conversion> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    const std::string stem = entry.path().stem().string();
    const std::size_t middle = stem.find("_to_"), dot = stem.find('.');
    Conversion& one = all.emplace_back(
        Conversion{types.at(stem.substr(0, middle)), types.at(stem.substr(middle + 4, dot - middle - 4)), {}});
    std::ifstream in(entry.path());
    std::string input, output, flags;
    while (in >> input >> output >> flags)
      one.by_mode[modes.at(stem.substr(dot + 1))].push_back({std::stoull(input, nullptr, 16),
                                                             std::stoull(output, nullptr, 16),
                                                             (std::stoul(flags, nullptr, 16) & 0x10) != 0});
  }
  return all;
}

/// The op-set, loaded where the library lacks it.
const OpSet& ieee754() {
  static const OpSet opset = [] {
    if (!find_opset("ieee754@2019")) {
      const Status status = load_test::load_named({"ieee754@2019"});
      INFO(status.message());
      REQUIRE(status.ok());
    }
    return find_opset("ieee754@2019").value();
  }();
  return opset;
}

std::uint64_t indefinite(const oracle::Format& type) {
  const std::uint64_t top = std::uint64_t{1} << (type.bits - 1);
  return type.is_signed ? top : top | (top - 1);
}

std::vector<std::uint64_t> convert(const std::string& src, const std::string& dst, const std::string& rounding,
                                   const std::string& invalid, const std::string& isa,
                                   const std::vector<std::uint64_t>& inputs) {
  const Attribute attributes[] = {{"rounding", AttributeValue(rounding)}, {"invalid", AttributeValue(invalid)}};
  const Kernel kernel =
      find_kernel(ieee754(), find_type(src).value(), find_type(dst).value(), {.others = attributes}, isa);
  INFO(src << " to " << dst << " " << rounding << ": " << kernel.status().message());
  REQUIRE(kernel.ok());
  const std::vector<std::uint8_t> in = exhaustive::pack(inputs, oracle::format(src));
  std::vector<std::uint8_t> out(storage_bytes(kernel.dst(), inputs.size()).value());
  REQUIRE(kernel.run(in.data(), out.data(), inputs.size()).ok());
  std::vector<std::uint64_t> results;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    results.push_back(exhaustive::element(out.data(), oracle::format(dst), i));
  return results;
}

std::size_t check(const Conversion& one) {
  const oracle::Codec &src = oracle::codec(one.src), &dst = oracle::codec(one.dst);
  const bool to_integer = dst.format().kind == oracle::Kind::integer;
  std::size_t tested = 0;
  for (const auto& [mode, cases] : one.by_mode) {
    std::vector<std::uint64_t> inputs;
    for (const Case& each : cases) inputs.push_back(each.input);
    for (std::size_t i = 0; i < isa_count(); ++i) {
      if (!isa(i).usable) continue;
      for (const std::string invalid : {"saturate", "indefinite"}) {
        if (!to_integer && invalid == "indefinite") continue;
        const auto results = convert(one.src, one.dst, kModes.at(mode), invalid, std::string(isa(i).name), inputs);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < cases.size(); ++k) {
          std::uint64_t expected = cases[k].output;
          const bool nan = src.decode(cases[k].input).what == oracle::Class::nan;
          bool right = results[k] == expected;
          if (to_integer && cases[k].invalid) {
            expected = invalid == "indefinite" ? indefinite(dst.format()) : nan ? 0 : expected;
            right = results[k] == expected;
          } else if (nan) {
            right = dst.is_nan(results[k]);
          }
          if (!right && wrong++ == 0) {
            INFO(one.src << " to " << one.dst << " " << mode << " " << invalid << " on " << isa(i).name << ": "
                         << std::hex << inputs[k] << " gives " << results[k] << ", expected " << expected);
            CHECK(right);
          }
        }
        CHECK(wrong == 0);
      }
    }
    tested += cases.size();
  }
  return tested;
}

}  // namespace

TEST_CASE("TestFloat cases in six modes") {
  const std::vector<Conversion> all = committed();
  REQUIRE(all.size() == 32);
  std::size_t tested = 0;
  for (const Conversion& one : all) tested += check(one);
  CHECK(tested > 40000);
}

TEST_CASE("all TestFloat cases") {
  const char* folder = std::getenv("CASTFORGE_TESTFLOAT");
  if (folder == nullptr) SKIP("CASTFORGE_TESTFLOAT names no folder");
  std::size_t tested = 0;
  for (const Conversion& one : of_testfloat(folder)) tested += check(one);
  std::printf("%zu TestFloat cases\n", tested);
  CHECK(tested > 0);
}

TEST_CASE("integers of 8 and 16 bits from every 16-bit float") {
  for (const std::string src : {"float16", "bfloat16"}) {
    std::vector<std::uint64_t> codes;
    for (std::uint64_t code = 0; code < 65536; ++code) codes.push_back(code);
    for (const std::string dst : {"int8", "uint8", "int16", "uint16"}) {
      const oracle::Codec &from = oracle::codec(src), &to = oracle::codec(dst);
      for (const auto& [mode, rounding] : kModes) {
        oracle::Rule rule{.round = oracle::find_rounding(mode == "rne"   ? "nearest_even"
                                                         : mode == "rna" ? "nearest_away"
                                                         : mode == "rtz" ? "toward_zero"
                                                         : mode == "rtp" ? "ceil"
                                                         : mode == "rtn" ? "floor"
                                                                         : "odd")
                                       .value(),
                          .overflow = oracle::Overflow::saturate,
                          .infinite = oracle::Infinite::as_overflow,
                          .not_a_number = oracle::NotANumber::zero};
        const auto saturated = convert(src, dst, rounding, "saturate", "", codes);
        const auto marked = convert(src, dst, rounding, "indefinite", "", codes);
        std::size_t wrong = 0;
        for (const std::uint64_t code : codes) {
          const std::uint64_t expected = oracle::convert(from, to, rule, code);
          // Of a wider integer the same number says whether it is in range.
          const std::uint64_t wide = oracle::convert(from, oracle::codec("int64"), rule, code);
          const auto value = static_cast<std::int64_t>(wide);
          const std::int64_t top = std::int64_t{1} << (to.format().bits - (to.format().is_signed ? 1 : 0));
          const bool inside = value < top && value >= (to.format().is_signed ? -top : 0) &&
                              from.decode(code).what == oracle::Class::finite;
          wrong += saturated[code] != expected ? 1 : 0;
          wrong += marked[code] != (inside ? expected : indefinite(to.format())) ? 1 : 0;
        }
        INFO(src << " to " << dst << " " << rounding);
        CHECK(wrong == 0);
      }
    }
  }
}

// exhaustive_specs [SPECS...]
// The two definitions of every cast against each other, before any kernel is made: specs/ read by the
// generator and computed by its exact semantics, and the oracle, which knows neither. A difference is an
// error in a spec, in the semantics or in the oracle.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "driver/catalogue.hpp"
#include "elements.hpp"
#include "inputs.hpp"
#include "oracle/oracle.hpp"
#include "report.hpp"
#include "semantics/convert.hpp"
#include "spec/canonical.hpp"
#include "spec/loader.hpp"
#include "spec/resolve.hpp"

namespace castforge::exhaustive {

namespace {

constexpr std::size_t kCodes = 1 << 16;

struct Set {
  std::string family, version;
};

/// Which of the oracle's rule sets an op-set must equal. CastLike has the rules of Cast; 15 has those
/// of 13.
Set oracle_set(const spec::OpSet& opset) {
  if (opset.family == "onnx-castlike") return {"onnx", opset.version == "15" ? "13" : opset.version};
  return {opset.family, opset.version};
}

void set_attribute(oracle::Request& request, const std::string& name, const spec::AttributeValue& value) {
  if (name == "saturate") request.saturate = std::get<std::int64_t>(value);
  else if (name == "round_mode") request.round_mode = std::get<std::string>(value);
  else if (name == "mode") request.mode = std::get<std::string>(value);
  else if (name == "satmode") request.satmode = std::get<std::string>(value);
  else if (name == "rounding") request.rounding = std::get<std::string>(value);
  else if (name == "saturation") request.saturation = std::get<std::string>(value);
  else throw std::runtime_error("the oracle knows no attribute " + name);
}

/// The request that variant `index` of a cell answers: mixed radix, the last attribute fastest.
oracle::Request request_of(const spec::OpSet& opset, const spec::Cell& cell, std::size_t index) {
  const Set set = oracle_set(opset);
  oracle::Request request;
  request.family = set.family;
  request.version = set.version;
  request.src = cell.src->name;
  request.dst = cell.dst->name;
  for (std::size_t i = opset.attributes.size(); i-- > 0;) {
    const spec::Attribute& attribute = opset.attributes[i];
    set_attribute(request, attribute.name, attribute.values[index % attribute.values.size()]);
    index /= attribute.values.size();
  }
  return request;
}

/// The whole meaning on both sides, so that what was compared already is not compared again.
using Key = std::pair<std::string, oracle::Rule>;

class Comparison {
 public:
  void opset(const spec::OpSet& opset) {
    const Set set = oracle_set(opset);
    report_.about(opset.name());
    const auto pairs = oracle::pairs_of(set.family, set.version);
    std::set<std::pair<std::string, std::string>> expected(pairs.begin(), pairs.end()), found;
    for (const spec::Cell& cell : spec::resolve(opset)) {
      if (cell.src->kind == spec::Kind::string || cell.dst->kind == spec::Kind::string) continue;
      found.emplace(cell.src->name, cell.dst->name);
      if (!expected.contains({cell.src->name, cell.dst->name})) continue;
      for (std::size_t i = 0; i < cell.variants.size(); ++i) {
        const oracle::Request request = request_of(opset, cell, i);
        variant(opset, cell.variants[i], request);
      }
    }
    if (found != expected) report_.fail("admits other pairs than the oracle");
  }

  std::uint64_t failures() const { return report_.failures(); }
  std::size_t conversions() const { return seen_.size(); }

 private:
  void variant(const spec::OpSet& opset, const spec::Meaning& meaning, const oracle::Request& request) {
    const oracle::Converter oracle(request);
    if (!seen_.emplace(driver::meaning_text(meaning), oracle.rule()).second) return;
    std::string label = opset.name() + " " + request.src + " to " + request.dst;
    if (request.saturate) label += " saturate=" + std::to_string(*request.saturate);
    if (request.round_mode) label += " round_mode=" + *request.round_mode;
    if (request.mode) label += " mode=" + *request.mode;
    if (request.satmode) label += " satmode=" + *request.satmode;
    if (request.rounding) label += " rounding=" + *request.rounding;
    if (request.saturation) label += " saturation=" + *request.saturation;
    report_.about(label);
    try {
      compare_codes(meaning, "", oracle);
      compare_codes(spec::canonical(meaning), " in canonical form", oracle);
    } catch (const std::logic_error& e) {
      report_.fail(std::string("the semantics refuse it: ") + e.what());
    }
  }

  void compare_codes(const spec::Meaning& meaning, const char* form, const oracle::Converter& oracle) {
    const int src_bits = oracle.src().format().bits, dst_bits = oracle.dst().format().bits;
    for (std::uint64_t code : inputs(oracle)) {
      const std::uint64_t got = semantics::convert_code(meaning, code);
      const std::uint64_t want = oracle(code);
      if (got != want)
        report_.fail(hex(code, src_bits) + " gives " + hex(got, dst_bits) + form + ", expected " + hex(want, dst_bits));
    }
  }

  const std::vector<std::uint64_t>& inputs(const oracle::Converter& oracle) {
    auto& codes = inputs_[{oracle.src().format().name, oracle.dst().format().name}];
    if (codes.empty()) {
      const std::vector<std::uint64_t> all = inputs_for(oracle.src(), oracle.dst());
      for (std::size_t i = 0; i < std::min(all.size(), kCodes); ++i) {
        codes.push_back(all[all.size() <= kCodes ? i : i * all.size() / kCodes]);
      }
    }
    return codes;
  }

  Report report_;
  std::set<Key> seen_;
  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> inputs_;
};

int compare(const std::vector<std::filesystem::path>& specs) {
  const spec::SpecModel model = spec::load(specs);
  oracle::read_specs(specs);
  Comparison comparison;
  std::set<std::string> done;
  for (const auto& opset : model.opsets) {
    if (opset->operation != "cast" && opset->operation != "bitcast") continue;
    comparison.opset(*opset);
    const Set set = oracle_set(*opset);
    done.insert(set.family + "@" + set.version);
  }
  int missing = 0;
  for (const auto& [family, version] : oracle::rule_sets()) {
    if (done.contains(family + "@" + version)) continue;
    std::printf("FAIL the specs lack %s@%s\n", family.c_str(), version.c_str());
    ++missing;
  }
  std::printf("%zu conversions compared, %llu failures\n", comparison.conversions(),
              static_cast<unsigned long long>(comparison.failures()));
  return comparison.failures() == 0 && missing == 0 && comparison.conversions() > 0 ? 0 : 1;
}

}  // namespace

}  // namespace castforge::exhaustive

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> specs(argv + 1, argv + argc);
  if (specs.empty()) specs.emplace_back(std::string(CASTFORGE_SOURCE_DIR) + "/specs");
  try {
    return castforge::exhaustive::compare(specs);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "exhaustive_specs: %s\n", e.what());
    return 3;
  }
}

#include "verify/compare.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/interpret.hpp"
#include "semantics/convert.hpp"
#include "verify/points.hpp"

namespace castforge::verify {

Comparison::Comparison(const spec::Meaning& meaning) : Comparison(meaning, source_points(meaning)) {}

Comparison::Comparison(const spec::Meaning& meaning, std::vector<std::uint64_t> sources)
    : sources_(std::move(sources)), expected_(sources_.size()) {
  for (std::size_t i = 0; i < sources_.size(); ++i) expected_[i] = semantics::convert_storage(meaning, sources_[i]);
}

std::optional<Counterexample> Comparison::find(const ir::Program& program) const {
  constexpr std::size_t kBlock = 4096;  // a wrong program shows in the first one, as a rule
  std::vector<std::uint64_t> codes;
  for (std::size_t start = 0; start < sources_.size(); start += kBlock) {
    const std::size_t count = std::min(kBlock, sources_.size() - start);
    const auto first = sources_.begin() + static_cast<std::ptrdiff_t>(start);
    codes.assign(first, first + static_cast<std::ptrdiff_t>(count));
    const std::string problem = ir::interpret(program, codes);
    if (!problem.empty()) {
      const std::size_t at = start + ir::first_outside(program, std::span(sources_).subspan(start, count));
      return Counterexample{program.id, sources_[at], expected_[at], 0, problem};
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = start + i;
      if (codes[i] != expected_[at]) return Counterexample{program.id, sources_[at], expected_[at], codes[i], ""};
    }
  }
  return std::nullopt;
}

std::optional<Counterexample> compare(const spec::Meaning& meaning, std::span<const ir::Program> programs) {
  const Comparison comparison(meaning);
  for (const ir::Program& program : programs) {
    if (auto counterexample = comparison.find(program)) return counterexample;
  }
  return std::nullopt;
}

}  // namespace castforge::verify

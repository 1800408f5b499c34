#include "verify/compare.hpp"

#include <vector>

#include "ir/interpret.hpp"
#include "semantics/convert.hpp"
#include "verify/points.hpp"

namespace castforge::verify {

std::optional<Counterexample> compare(const spec::Meaning& meaning, std::span<const ir::Program> programs) {
  const std::vector<std::uint64_t> sources = source_points(meaning);
  std::vector<std::uint64_t> expected(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) expected[i] = semantics::convert_storage(meaning, sources[i]);
  for (const ir::Program& program : programs) {
    std::vector<std::uint64_t> codes = sources;
    const std::string problem = ir::interpret(program, codes);
    if (!problem.empty()) return Counterexample{program.id, 0, 0, 0, problem};
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (codes[i] != expected[i]) return Counterexample{program.id, sources[i], expected[i], codes[i], ""};
    }
  }
  return std::nullopt;
}

}  // namespace castforge::verify

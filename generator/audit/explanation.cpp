#include "audit/explanation.hpp"

#include <algorithm>
#include <sstream>

#include "emit/print_cpp.hpp"
#include "ir/interpret.hpp"
#include "plan/instruction_sets.hpp"
#include "spec/hex.hpp"
#include "verify/points.hpp"

namespace castforge::audit {

std::vector<Property> properties(const spec::Meaning& meaning) {
  std::vector<Property> list;
  for (const auto& [name, rule] : meaning.decided_by) {
    const auto found = rule->set.values.find(name);
    std::string word;
    if (found != rule->set.values.end()) word = found->second;
    else if (name == "round" && meaning.round != nullptr) word = meaning.round->name;
    list.push_back({name, word, rule});
  }
  return list;
}

std::vector<PlanFacts> plan_facts(const driver::Kernel& kernel, const evidence::KernelEvidence& evidence) {
  std::vector<PlanFacts> list;
  for (std::size_t i = 0; i < kernel.programs.size(); ++i) {
    const ir::Program& program = kernel.programs[i];
    const auto operations = std::count_if(program.nodes.begin(), program.nodes.end(), [](const ir::Node& node) {
      return node.op != ir::Op::input && node.op != ir::Op::constant;
    });
    list.push_back({program.id, program.source, static_cast<std::size_t>(operations),
                    plan::chosen_on(kernel.programs, i), evidence.plans[i]});
  }
  return list;
}

const char* CheckFacts::words() const {
  return all ? "all there are"
             : "every class of sign, exponent, kept bits, first dropped bit and sticky, of the destination's normal "
               "exponents a sample where they are many";
}

CheckFacts check_facts(const spec::Meaning& meaning) {
  return {verify::source_points(meaning).size(), verify::points_are_exhaustive(meaning)};
}

std::vector<Step> steps(const ir::Program& program, std::uint64_t element) {
  const std::vector<std::uint64_t> values = ir::trace(program, element);
  std::vector<Step> list;
  for (const emit::PrintedStatement& statement : emit::print_cpp(program).statements) {
    const ir::Node& node = program.nodes[static_cast<std::size_t>(statement.node)];
    const std::uint64_t value = values[static_cast<std::size_t>(statement.node)];
    std::string text = statement.text.substr(0, statement.text.size() - 1);
    if (constexpr std::string_view kDeclares = "const auto "; text.starts_with(kDeclares))
      text.erase(0, kDeclares.size());
    list.push_back({text, ir::is_mask(node) ? value != 0 ? "true" : "false" : spec::hex(value, node.bits).substr(2)});
  }
  return list;
}

std::string source_in(const std::string& file, const driver::Kernel& kernel) {
  std::istringstream lines(file);
  std::string line, out;
  bool inside = false;
  while (std::getline(lines, line)) {
    inside = inside || line.rfind("struct " + kernel.struct_name + " ", 0) == 0 ||
             line.rfind("static_assert(lane::maps<" + kernel.struct_name + ">", 0) == 0;
    if (inside) out += line + "\n";
    if (line == "};" || line == "}));") inside = false;
  }
  return out;
}

}  // namespace castforge::audit

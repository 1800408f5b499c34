#include "verify/print_smt.hpp"

#include "ir/smt_terms.hpp"

namespace castforge::verify {

SmtProgram print_smt(const ir::Program& program, const std::string& input) {
  SmtProgram out;
  const auto name_of = [](int id) { return "v" + std::to_string(id); };
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const ir::Node& node = program.nodes[id];
    const ir::Operation& row = ir::operation(node.op);
    ir::TermCall call;
    if (node.op == ir::Op::input) call.args.push_back(input);
    for (const int arg : node.args) call.args.push_back(name_of(arg));
    call.name = name_of(static_cast<int>(id));
    call.bits = ir::operand_bits(program, node);
    call.to = node.bits;
    call.imm = node.imm;
    if (node.table >= 0) call.table = &program.tables[static_cast<std::size_t>(node.table)].entries;
    call.bindings = &out.bindings;
    call.domain = &out.domain;
    const std::string term = row.term(call);
    out.bindings += smt::let(call.name, term);
    out.result = call.name;
  }
  return out;
}

}  // namespace castforge::verify

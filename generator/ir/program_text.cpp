#include "ir/program_text.hpp"

#include <sstream>

namespace castforge::ir {

std::string program_text(const Program& program) {
  std::ostringstream out(std::ios_base::out);
  out << "program " << program.src_bits << ' ' << program.dst_bits << " needs " << program.needs << '\n';
  for (const Node& node : program.nodes) {
    out << operation(node.op).name << ' ' << node.bits;
    for (const int arg : node.args) out << " v" << arg;
    out << " 0x" << std::hex << node.imm << std::dec;
    if (node.table >= 0) out << " table " << node.table;
    out << '\n';
  }
  for (const Table& table : program.tables) {
    out << "table " << table.bits << std::hex;
    for (const std::uint64_t entry : table.entries) out << ' ' << entry;
    out << std::dec << '\n';
  }
  return out.str();
}

bool do_the_same(Program a, Program b) {
  a.needs = b.needs = kNeedsNothing;
  return program_text(a) == program_text(b);
}

}  // namespace castforge::ir

#include "emit/print_cpp.hpp"

#include "spec/hex.hpp"

namespace castforge::emit {
namespace {

using namespace ir;

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  /// A value where it is used: its name, or its expression; in parentheses where an operator stands beside it.
  std::string use(int id, bool beside_operator) const {
    const Node& node = program_.nodes[static_cast<std::size_t>(id)];
    if (node.op == Op::constant && node.name.empty()) return std::to_string(node.imm);
    if (!node.name.empty()) return node.name;
    return definition(node, beside_operator);
  }

  std::string definition(const Node& node, bool beside_operator) const {
    const Operation& row = operation(node.op);
    if (is_infix(node.op)) {
      const bool shifts = row.signature.argument == Argument::number;
      const std::string right = shifts ? std::to_string(node.imm) : use(node.args[1], true);
      const std::string text = use(node.args[0], true) + " " + row.spelling + " " + right;
      return beside_operator ? "(" + text + ")" : text;
    }
    if (node.op == Op::input) return row.spelling;
    std::string text = std::string("lane::") + row.spelling;
    switch (row.signature.argument) {
      case Argument::none: break;
      case Argument::number: text += "<" + std::to_string(node.imm) + ">"; break;
      case Argument::type: text += "<" + unsigned_type(node.bits) + ">"; break;
      case Argument::table: text += "<" + program_.tables[static_cast<std::size_t>(node.table)].name + ">"; break;
    }
    std::string list;
    for (const int arg : node.args) list += (list.empty() ? "" : ", ") + use(arg, false);
    return text + "(" + list + ")";
  }

 private:
  const Program& program_;
};

std::string constant_value(const Node& node) {
  if (node.is_count) return std::to_string(node.imm);
  return spec::hex(node.imm, node.imm < 256 ? 8 : node.bits);
}

}  // namespace

std::string spelling(Op op) {
  const Operation& row = operation(op);
  const Signature& signature = row.signature;
  if (signature.shape == Shape::source) return row.spelling;
  if (signature.shape == Shape::constant) return "kName, 1, lane::fill<U>(bits, kName)";
  if (is_infix(op)) return std::string("a ") + row.spelling + (signature.argument == Argument::number ? " n" : " b");
  std::string text = std::string("lane::") + row.spelling;
  switch (signature.argument) {
    case Argument::none: break;
    case Argument::number: text += "<n>"; break;
    case Argument::type: text += "<U>"; break;
    case Argument::table: text += "<kTable>"; break;
  }
  if (signature.shape == Shape::join) return text + "(a, b, ...)";
  text += "(a";
  for (int i = 1; i < signature.arity; ++i) text += std::string(", ") + static_cast<char>('a' + i);
  return text + ")";
}

std::string unsigned_type(int bits) { return "std::uint" + std::to_string(bits) + "_t"; }

PrintedProgram print_cpp(const Program& program) {
  PrintedProgram printed;
  const Printer printer(program);
  const Node& result = program.result();
  for (const Node& node : program.nodes) {
    if (node.op == Op::constant) {
      if (!node.name.empty())
        printed.constants.push_back({unsigned_type(node.bits), node.name, constant_value(node), node.note});
    } else if (node.op != Op::input && !node.name.empty() && &node != &result) {
      printed.statements.push_back({"const auto " + node.name + " = " + printer.definition(node, false) + ";",
                                    node.note, static_cast<int>(&node - program.nodes.data())});
    }
  }
  std::string text;
  if (result.op == Op::constant) {
    const std::string value = result.name.empty() ? std::to_string(result.imm) : result.name;
    text = "lane::fill<" + unsigned_type(result.bits) + ">(bits, " + value + ")";
  } else {
    text = printer.definition(result, false);
  }
  printed.statements.push_back({"return " + text + ";",
                                result.op == Op::constant || result.op == Op::input ? "" : result.note,
                                static_cast<int>(program.nodes.size()) - 1});
  return printed;
}

}  // namespace castforge::emit

#include "mutation/plans/mutants.hpp"

#include <map>
#include <vector>

#include "ir/operations.hpp"

namespace castforge::mutation {
namespace {

using ir::Argument;
using ir::Node;
using ir::Op;
using ir::Operation;
using ir::Program;
using ir::Shape;

/// What a reader would call a node: its name, its number, or its operation and place.
std::string place(const Program& program, std::size_t id) {
  const Node& node = program.nodes[id];
  if (!node.name.empty()) return node.name;
  if (node.op == Op::constant) return std::to_string(node.imm);
  return std::string(ir::operation(node.op).name) + " " + std::to_string(id);
}

const Node& operand(const Program& program, const Node& node, std::size_t index) {
  return program.nodes[static_cast<std::size_t>(node.args[index])];
}

/// Numbers that stay allowed between angle brackets.
bool allowed(const Program& program, const Node& node, std::uint64_t number) {
  const auto bits = static_cast<std::uint64_t>(operand(program, node, 0).bits);
  if (node.op == Op::fold) return number >= 16 && number <= 23;
  if (node.op == Op::byte) return number < bits / 8;
  if (node.op == Op::sign8) return number < 8;
  return number < bits;
}

/// Can `other` stand in the place of `node`, with the same operands and the same width of the result?
bool fits(const Program& program, const Node& node, const Operation& other) {
  const Operation& row = ir::operation(node.op);
  if (other.signature.shape != row.signature.shape || other.signature.arity != row.signature.arity ||
      other.signature.argument != row.signature.argument)
    return false;
  switch (row.signature.shape) {
    case Shape::source:
    case Shape::constant:
    case Shape::join:
    case Shape::choose: return false;
    case Shape::lookup: {  // a table of 16 serves both of these; others have other sizes
      const auto reads_16 = [](const Operation& one) {
        const std::string name = one.name;
        return name == "lookup16" || name == "lookup16_or_zero";
      };
      return reads_16(row) && reads_16(other);
    }
    default: break;
  }
  const auto bits = static_cast<unsigned>(operand(program, node, 0).bits);
  if ((other.signature.widths & bits) == 0) return false;
  if (row.signature.shape == Shape::convert && other.signature.to != row.signature.to) return false;
  if (row.signature.shape == Shape::resize) {  // the direction must be the same
    const auto widens = [](const Operation& one) { return std::string(one.name).starts_with("widen"); };
    if (widens(row) != widens(other)) return false;
  }
  if (row.signature.argument != Argument::number) return true;
  Node changed = node;
  changed.op = static_cast<Op>(&other - ir::operations().data());
  return allowed(program, changed, node.imm);
}

/// The operations beside it in the table that could stand in its place: the next one and the one before, going round.
std::vector<Op> neighbours(const Program& program, const Node& node) {
  const auto all = ir::operations();
  const std::size_t own = static_cast<std::size_t>(node.op);
  std::vector<Op> found;
  for (const std::size_t step : {std::size_t{1}, all.size() - 1}) {
    for (std::size_t at = (own + step) % all.size(); at != own; at = (at + step) % all.size()) {
      if (!fits(program, node, all[at])) continue;
      if (found.empty() || found.back() != static_cast<Op>(at)) found.push_back(static_cast<Op>(at));
      break;
    }
  }
  return found;
}

bool is_symmetric(Op op) {
  switch (op) {
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::add:
    case Op::add_saturated:
    case Op::min:
    case Op::max:
    case Op::min_signed:
    case Op::max_signed:
    case Op::equal:
    case Op::mask_and: return true;
    default: return false;
  }
}

/// Two operands of one width that are no masks and mean different things.
bool exchangeable(const Program& program, const Node& node, std::size_t first, std::size_t second) {
  const Node &a = operand(program, node, first), &b = operand(program, node, second);
  return node.args[first] != node.args[second] && a.bits == b.bits && ir::is_mask(a) == ir::is_mask(b);
}

class Visitor {
 public:
  Visitor(const Program& program, const std::function<void(const std::string&, const Program&)>& visit)
      : original_(program), mutant_(program), visit_(visit) {}

  void node(std::size_t id) {
    const Node& node = original_.nodes[id];
    const std::string name = place(original_, id);
    if (node.op == Op::constant) {
      for (const int step : {1, -1}) {
        changed(id, name + by(step),
                [&](Node& one) { one.imm = (node.imm + static_cast<std::uint64_t>(step)) & ir::low_bits(node.bits); });
      }
    }
    if (ir::operation(node.op).signature.argument == Argument::number) {
      for (const int step : {1, -1}) {
        const std::uint64_t number = node.imm + static_cast<std::uint64_t>(step);
        if (!allowed(original_, node, number)) continue;
        changed(id, name + ": number" + by(step), [&](Node& one) { one.imm = number; });
      }
    }
    for (const Op other : neighbours(original_, node)) {
      changed(id, name + ": " + ir::operation(other).name, [&](Node& one) { one.op = other; });
    }
    const std::size_t last = node.args.size();
    if (last == 2 && !is_symmetric(node.op) && exchangeable(original_, node, 0, 1)) {
      changed(id, name + ": operands exchanged", [](Node& one) { std::swap(one.args[0], one.args[1]); });
    }
    if (last == 3 && exchangeable(original_, node, 1, 2)) {
      changed(id, name + ": operands exchanged", [](Node& one) { std::swap(one.args[1], one.args[2]); });
    }
  }

  void table(std::size_t id) {
    const ir::Table& table = original_.tables[id];
    for (std::size_t entry = 0; entry < table.entries.size(); ++entry) {
      mutant_.tables[id].entries[entry] = (table.entries[entry] + 1) & ir::low_bits(table.bits);
      visit_(unique(table.name + "[" + std::to_string(entry) + "] + 1"), mutant_);
      mutant_.tables[id].entries[entry] = table.entries[entry];
    }
  }

 private:
  static std::string by(int step) { return step > 0 ? " + 1" : " - 1"; }

  std::string unique(const std::string& change) {
    const int count = ++seen_[change];
    return count == 1 ? change : change + " (" + std::to_string(count) + ")";
  }

  template <typename Edit>
  void changed(std::size_t id, const std::string& change, const Edit& edit) {
    edit(mutant_.nodes[id]);
    visit_(unique(change), mutant_);
    mutant_.nodes[id] = original_.nodes[id];
  }

  const Program& original_;
  Program mutant_;
  const std::function<void(const std::string&, const Program&)>& visit_;
  std::map<std::string, int> seen_;
};

}  // namespace

void each_mutant(const Program& program, const std::function<void(const std::string&, const Program&)>& visit) {
  Visitor visitor(program, visit);
  for (std::size_t id = 0; id < program.nodes.size(); ++id) visitor.node(id);
  for (std::size_t id = 0; id < program.tables.size(); ++id) visitor.table(id);
}

}  // namespace castforge::mutation

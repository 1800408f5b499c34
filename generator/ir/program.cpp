#include "ir/program.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "ir/analysis.hpp"

namespace castforge::ir {
namespace {

/// The operand that tells the width: the first but for the mask of a choice.
std::size_t first_lane(const Signature& signature) { return signature.shape == Shape::choose ? 1 : 0; }

/// Width of what an operation gives; throws where the operands do not fit it.
int result_bits(const Program& program, Op op, const std::vector<int>& args, std::uint64_t imm, int to, int table) {
  const Operation& row = operation(op);
  const Signature& signature = row.signature;
  const auto fail = [&](const std::string& what) {
    throw std::logic_error("program " + program.id + ": " + row.name + ": " + what);
  };
  const auto node = [&](std::size_t index) -> const Node& {
    return program.nodes[static_cast<std::size_t>(args[index])];
  };
  if (signature.arity >= 0 && args.size() != static_cast<std::size_t>(signature.arity))
    fail("a wrong number of operands");
  for (const int arg : args) {
    if (arg < 0) fail("an operand is missing");
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool mask_wanted = signature.shape == Shape::logic || (signature.shape == Shape::choose && i == 0);
    if (is_mask(node(i)) != mask_wanted) fail("a mask stands where a number should, or the other way round");
    if (node(i).bits != node(first_lane(signature)).bits) fail("operands of different widths");
    if ((static_cast<unsigned>(node(i).bits) & signature.widths) == 0) fail("no form for this width");
  }
  const bool shifts = signature.shape == Shape::same && signature.argument == Argument::number;
  if (shifts && imm >= static_cast<std::uint64_t>(node(0).bits)) {
    fail("by " + std::to_string(imm) + " bits, expected less than the " + std::to_string(node(0).bits) + " of a lane");
  }
  const auto least = static_cast<std::uint64_t>(signature.least), most = static_cast<std::uint64_t>(signature.most);
  if (most != 0 && (imm < least || imm > most))
    fail("the number " + std::to_string(imm) + ", expected " + std::to_string(least) + " to " + std::to_string(most));
  switch (signature.shape) {
    case Shape::source:
    case Shape::constant: return to;
    case Shape::convert: return signature.to;
    case Shape::resize: {
      const bool grows = op == Op::widen || op == Op::widen_signed;
      if (grows ? to <= node(0).bits : to >= node(0).bits) fail("to a width on the wrong side");
      return to;
    }
    case Shape::join:
      if (args.size() * 8 != static_cast<std::size_t>(to)) fail("not as many bytes as the result has");
      return to;
    case Shape::lookup: {
      const Table& found = program.tables[static_cast<std::size_t>(table)];
      const int entry_bits = signature.entry_bits != 0 ? signature.entry_bits : signature.to;
      if (entry_bits != 0 && found.bits != entry_bits) fail("a table of other entries");
      if (signature.entries != 0 && found.entries.size() != static_cast<std::size_t>(signature.entries))
        fail("a table of another size");
      return signature.to != 0 ? signature.to : found.bits;
    }
    default: return node(first_lane(signature)).bits;
  }
}

/// The program of the nodes that `result` uses. Compilers differ in the order in which they evaluate the operands of a
/// C++ expression, and the printed kernel must not: named nodes keep the order they were made in, each after what only
/// it uses, operands from left to right. Tables follow in the order of their first use.
class InOrderOfUse {
 public:
  InOrderOfUse(const Program& program, int result)
      : program_(program), out_(program), nodes_(program.nodes.size(), -1), tables_(program.tables.size(), -1) {
    out_.nodes.clear();
    out_.tables.clear();
    std::vector<bool> used(program.nodes.size(), false);
    used[static_cast<std::size_t>(result)] = true;
    for (std::size_t i = program.nodes.size(); i-- > 0;) {
      if (!used[i]) continue;
      for (const int arg : program.nodes[i].args) used[static_cast<std::size_t>(arg)] = true;
    }
    for (int i = 0; i <= result; ++i) {
      const Node& node = program.nodes[static_cast<std::size_t>(i)];
      const bool line = node.op != Op::constant && !node.name.empty();
      if (used[static_cast<std::size_t>(i)] && (line || i == result)) append(i);
    }
  }
  Program take() { return std::move(out_); }

 private:
  int append(int id) {
    int& number = nodes_[static_cast<std::size_t>(id)];
    if (number >= 0) return number;
    Node node = program_.nodes[static_cast<std::size_t>(id)];
    for (int& arg : node.args) arg = append(arg);
    if (node.table >= 0) {
      int& table = tables_[static_cast<std::size_t>(node.table)];
      if (table < 0) {
        table = static_cast<int>(out_.tables.size());
        out_.tables.push_back(program_.tables[static_cast<std::size_t>(node.table)]);
      }
      node.table = table;
    }
    number = static_cast<int>(out_.nodes.size());
    out_.nodes.push_back(std::move(node));
    return number;
  }

  const Program& program_;
  Program out_;
  std::vector<int> nodes_, tables_;  // new numbers, -1 before they have one
};

}  // namespace

bool is_short(const Table& table) { return table.bits == 8 && table.entries.size() <= 16; }

bool is_mask(const Node& node) {
  const Shape shape = operation(node.op).signature.shape;
  return shape == Shape::compare || shape == Shape::logic;
}

int operand_bits(const Program& program, const Node& node) {
  if (node.args.empty()) return node.bits;
  const int arg = node.args[first_lane(operation(node.op).signature)];
  return program.nodes[static_cast<std::size_t>(arg)].bits;
}

int Value::bits() const { return builder->at(*this).bits; }

Value Value::named(const std::string& name, const std::string& note) const {
  std::vector<Node>& nodes = builder->program_.nodes;
  Node& node = nodes[static_cast<std::size_t>(id)];
  if (node.op == Op::constant || !node.name.empty()) return *this;  // constants carry their own names
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node& other) { return other.name == candidate; });
  };
  std::string free = name;
  for (int number = 2; taken(free); ++number) free = name + std::to_string(number);
  node.name = free;
  node.note = note;
  return *this;
}

Builder::Builder(std::string id, std::string source, int src_bits, int dst_bits, int bits) : lane_bits_(bits) {
  program_.id = std::move(id);
  program_.source = std::move(source);
  program_.src_bits = src_bits;
  program_.dst_bits = dst_bits;
}

Value Builder::element() {
  const Value value = node(Op::input, {}, 0, storage_unit(program_.src_bits));
  program_.nodes[static_cast<std::size_t>(value.id)].name = "bits";
  return value;
}

Value Builder::input() {
  const Value value = element();
  return value.bits() < lane_bits_ ? widen(value, lane_bits_) : value;
}

Value Builder::signed_input() {
  Value value = element();
  const int word = value.bits(), bits = program_.src_bits;
  if (bits < word) {
    const Value top = constant("kSourceSign", 1ull << (bits - 1),
                               power_formula(bits - 1) + ": flipped and taken away, it extends the sign", word);
    value = (value ^ top) - top;
  }
  return word < lane_bits_ ? widen_signed(value, lane_bits_) : value;
}

Value Builder::literal(std::uint64_t value, int bits) { return constant("", value, "", bits); }

Value Builder::count(const std::string& name, std::uint64_t value, const std::string& formula) {
  const Value made = constant(name, value, formula);
  program_.nodes[static_cast<std::size_t>(made.id)].is_count = true;
  return made;
}

Value Builder::constant(const std::string& name, std::uint64_t value, const std::string& formula, int bits) {
  if (bits == 0) bits = lane_bits_;
  value &= low_bits(bits);
  for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
    const Node& node = program_.nodes[i];
    if (node.op == Op::constant && node.name == name && node.bits == bits && node.imm == value)
      return {this, static_cast<int>(i)};
  }
  Node node;
  node.bits = bits;
  node.imm = value;
  node.name = name;
  node.note = formula;
  program_.nodes.push_back(node);
  return {this, static_cast<int>(program_.nodes.size()) - 1};
}

int Builder::table(Table table) {
  for (std::size_t i = 0; i < program_.tables.size(); ++i) {
    const Table& known = program_.tables[i];
    if (known.bits == table.bits && known.entries == table.entries) return static_cast<int>(i);
    if (known.name == table.name) throw std::logic_error("program " + program_.id + ": two tables " + table.name);
  }
  program_.tables.push_back(std::move(table));
  return static_cast<int>(program_.tables.size()) - 1;
}

bool Builder::is_constant(Value value, std::uint64_t number) const {
  const Node& node = at(value);
  return node.op == Op::constant && node.imm == number;
}

Value Builder::node(Op op, const std::vector<Value>& args, std::uint64_t imm, int to, int table) {
  Node node;
  node.op = op;
  for (const Value& arg : args) node.args.push_back(arg.id);
  node.imm = imm;
  node.table = table;
  node.bits = result_bits(program_, op, node.args, imm, to, table);
  for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
    const Node& known = program_.nodes[i];
    if (known.op == op && known.args == node.args && known.imm == imm && known.bits == node.bits &&
        known.table == table) {
      return {this, static_cast<int>(i)};
    }
  }
  program_.nodes.push_back(std::move(node));
  return {this, static_cast<int>(program_.nodes.size()) - 1};
}

namespace {

/// A decoder and an encoder may each have a constant of the same name: the second is "kName2".
void number_constants(Program& program) {
  std::set<std::string> names;
  for (Node& node : program.nodes) {
    if (node.op != Op::constant || node.name.empty()) continue;
    const std::string name = node.name;
    for (int number = 2; !names.insert(node.name).second; ++number) node.name = name + std::to_string(number);
  }
}

}  // namespace

Program Builder::finish(Value result) {
  const int word = storage_unit(program_.dst_bits);
  if (result.bits() < word) result = widen(result, word);
  if (result.bits() > word) {
    const Node shifted = at(result);
    if (word == 16 && result.bits() == 32 && shifted.op == Op::shr_imm && shifted.imm == 16) {
      result = unary(Op::high_half, Value{this, shifted.args[0]});
    } else if (word == 8 && result.bits() == 32 && shifted.op == Op::shr_imm && shifted.imm % 8 == 0 &&
               shifted.imm != 0) {
      result = byte(Value{this, shifted.args[0]}, static_cast<int>(shifted.imm / 8));
    } else {
      const Node whole = at(result);
      if (whole.name.empty()) result.named("result");
      result = node(fits(program_, result.id, word) ? Op::narrow : Op::truncate, {result}, 0, word);
    }
  }
  if (!fits(program_, result.id, program_.dst_bits)) {
    std::string& note = program_.nodes[static_cast<std::size_t>(result.id)].note;
    if (note == "the result") note += " in its low bits";
    result =
        result & constant("kResultBits", low_bits(program_.dst_bits), power_formula(program_.dst_bits) + " - 1", word);
  }

  Program program = InOrderOfUse(program_, result.id).take();
  number_constants(program);
  return program;
}

Value unary(Op op, Value a) { return a.builder->node(op, {a}); }
Value binary(Op op, Value a, Value b) { return a.builder->node(op, {a, b}); }

namespace {
Value with_number(Op op, Value a, int number) { return a.builder->node(op, {a}, static_cast<std::uint64_t>(number)); }
}  // namespace

Value operator&(Value a, Value b) {
  if (a.builder->is_constant(b, low_bits(a.bits()))) return a;
  return binary(Op::bit_and, a, b);
}
Value operator|(Value a, Value b) {
  if (a.builder->is_constant(b, 0)) return a;
  if (a.builder->is_constant(a, 0)) return b;
  return binary(Op::bit_or, a, b);
}
Value operator^(Value a, Value b) {
  if (a.builder->is_constant(b, 0)) return a;
  return binary(Op::bit_xor, a, b);
}
Value operator+(Value a, Value b) {
  if (a.builder->is_constant(b, 0)) return a;
  if (a.builder->is_constant(a, 0)) return b;
  return binary(Op::add, a, b);
}
Value operator-(Value a, Value b) {
  if (a.builder->is_constant(b, 0)) return a;
  return binary(Op::sub, a, b);
}
Value operator<<(Value a, int count) { return count == 0 ? a : with_number(Op::shl_imm, a, count); }
Value operator>>(Value a, int count) { return count == 0 ? a : with_number(Op::shr_imm, a, count); }
Value sar(Value a, int count) { return count == 0 ? a : with_number(Op::sar_imm, a, count); }
Value negative_ones(Value number) {
  return sar(number, number.bits() - 1).named("negative", "all ones where the value is negative");
}
Value negated_where(Value number, Value ones) { return (number ^ ones) - ones; }
Value shl(Value a, Value count) { return binary(Op::shl, a, count); }
Value shr(Value a, Value count) { return binary(Op::shr, a, count); }
Value min(Value a, Value b) { return binary(Op::min, a, b); }
Value max(Value a, Value b) { return binary(Op::max, a, b); }
Value min_signed(Value a, Value b) { return binary(Op::min_signed, a, b); }
Value max_signed(Value a, Value b) { return binary(Op::max_signed, a, b); }
Value equal(Value a, Value b) { return binary(Op::equal, a, b); }
Value greater(Value a, Value b) { return binary(Op::greater, a, b); }
Value mask_and(Value a, Value b) { return binary(Op::mask_and, a, b); }
Value select(Value mask, Value yes, Value no) { return mask.builder->node(Op::select, {mask, yes, no}); }
Value merge(Value mask, Value ones, Value zeros) { return mask.builder->node(Op::merge, {mask, ones, zeros}); }
Value nan_becomes(Value a, Value nan) { return binary(Op::nan_becomes, a, nan); }
Value widen(Value a, int bits) { return a.bits() == bits ? a : a.builder->node(Op::widen, {a}, 0, bits); }
Value widen_signed(Value a, int bits) { return a.bits() == bits ? a : a.builder->node(Op::widen_signed, {a}, 0, bits); }
Value truncate(Value a, int bits) { return a.bits() == bits ? a : a.builder->node(Op::truncate, {a}, 0, bits); }
Value byte(Value a, int index) { return with_number(Op::byte, a, index); }
Value sign8(Value a, int place) { return with_number(Op::sign8, a, place); }
Value fold(Value a, int count) { return with_number(Op::fold, a, count); }
Value lookup(Op op, Value index, int table) { return index.builder->node(op, {index}, 0, 0, table); }
Value join(const std::vector<Value>& bytes, int bits) { return bytes.front().builder->node(Op::join, bytes, 0, bits); }

std::string power_formula(int exponent) { return "2^" + std::to_string(exponent); }

std::string difference_formula(int from, int less) {
  return std::to_string(from) + (less < 0 ? " + " : " - ") + std::to_string(std::abs(less));
}

}  // namespace castforge::ir

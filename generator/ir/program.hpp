// A program: the straight line of operations from the code of a source element to the code of its result.
//
// Every value has a lane width; masks too. A program is printed once as C++, for scalar words and vectors alike,
// interpreted, and turned into an SMT-LIB term.
#pragma once

#include <castforge/elements.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/operations.hpp"

namespace castforge::ir {

struct Node {
  Op op = Op::constant;
  std::vector<int> args;  // operand nodes, all before this one
  int bits = 32;          // lane width of the result; of a mask: that of its lanes
  std::uint64_t imm = 0;  // constants; the number in angle brackets
  int table = -1;         // index of the table in angle brackets
  std::string name;       // variables: "mag"; constants: "kMagnitude"; empty: printed inside its user
  std::string note;       // variables: what this line does; constants: the formula
  bool is_count = false;  // constants that count something, printed in decimal: others are patterns of bits
};

/// A table that operations name.
struct Table {
  std::string name;  // "kPlane2"
  int bits = 8;      // of an entry
  std::vector<std::uint64_t> entries;
  std::string note;  // what the entries are
};

/// Has Op::table of it a form for vectors, as on every instruction set?
bool is_short(const Table& table);

struct Program {
  std::string id;      // of its lowering; what follows the point names the nested struct of the kernel
  std::string source;  // the generator's file that builds it
  unsigned needs = kNeedsNothing;
  int src_bits = 32, dst_bits = 32;  // of an element in memory
  std::vector<Node> nodes;           // the last one is the result
  std::vector<Table> tables;

  std::string variant() const { return id.substr(id.find('.') + 1); }
  const Node& result() const { return nodes.back(); }
  bool is_copy() const { return nodes.size() == 1 && nodes.front().op == Op::input && src_bits == dst_bits; }
};

bool is_mask(const Node& node);
/// Width of the lanes that a node computes with; its own where it has no operands.
int operand_bits(const Program& program, const Node& node);

class Builder;
/// A node of a program under construction, with the operators programs are written in.
struct Value {
  Builder* builder = nullptr;
  int id = -1;

  explicit operator bool() const { return id >= 0; }
  int bits() const;
  /// Gives the value a line of its own in the printed kernel. The first name stays.
  Value named(const std::string& name, const std::string& note = "") const;
};

class Builder {
 public:
  /// `bits`: the width that constants get where no operand says another one.
  Builder(std::string id, std::string source, int src_bits, int dst_bits, int bits);
  /// Of a program that others name.
  Builder(int src_bits, int dst_bits, int bits) : Builder("", "", src_bits, dst_bits, bits) {}

  Program& program() { return program_; }
  void needs(unsigned what) { program_.needs |= what; }
  int lane_bits() const { return lane_bits_; }
  /// From here on constants are of this width.
  void work_in(int bits) { lane_bits_ = bits; }

  /// The element, in its storage unit.
  Value element();
  /// The element zero-extended, or sign-extended from its storage bits, to the width worked in.
  Value input();
  Value signed_input();

  Value literal(std::uint64_t value,
                int bits = 0);  // printed as a number: 0, 1 and the like; 0 bits: the width worked in
  /// A named constant with its formula; the same name and value give the same node. Of different values of one
  /// name finish() calls the second "kName2".
  Value constant(const std::string& name, std::uint64_t value, const std::string& formula, int bits = 0);
  /// A constant that counts something: an exponent, how far to shift.
  Value count(const std::string& name, std::uint64_t value, const std::string& formula);
  int table(Table table);

  /// The same operation on the same operands is the same value. `to`: the width asked for, where the operation wants
  /// one.
  Value node(Op op, const std::vector<Value>& args, std::uint64_t imm = 0, int to = 0, int table = -1);
  const Node& at(Value value) const { return program_.nodes[static_cast<std::size_t>(value.id)]; }
  bool is_constant(Value value, std::uint64_t number) const;

  /// Completes the program: `result` is brought to the destination's storage unit, bits above the element zero; nodes
  /// that nothing uses are dropped, the others numbered in the order in which the printed lines use them.
  Program finish(Value result);

 private:
  friend struct Value;
  Program program_;
  int lane_bits_ = 32;
};

Value operator&(Value a, Value b);
Value operator|(Value a, Value b);
Value operator^(Value a, Value b);
Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator<<(Value a, int count);
Value operator>>(Value a, int count);
Value sar(Value a, int count);
/// All ones where a number in two's complement is negative, else zeros.
Value negative_ones(Value number);
/// The number, negated in lanes where `ones` has all bits set; in others it has none. Of a number and its
/// negative_ones() this is the absolute value.
Value negated_where(Value number, Value ones);
Value shl(Value a, Value count);
Value shr(Value a, Value count);
Value min(Value a, Value b);
Value max(Value a, Value b);
Value min_signed(Value a, Value b);
Value max_signed(Value a, Value b);
Value equal(Value a, Value b);
Value greater(Value a, Value b);
Value mask_and(Value a, Value b);
Value select(Value mask, Value yes, Value no);
Value merge(Value mask, Value ones, Value zeros);
Value nan_becomes(Value a, Value nan);
Value widen(Value a, int bits);
Value widen_signed(Value a, int bits);
Value truncate(Value a, int bits);
Value byte(Value a, int index);
/// The top bit at bit `place` of a byte.
Value sign8(Value a, int place);
/// The low byte of a + (a >> count).
Value fold(Value a, int count);
/// Any operation of one operand without argument.
Value unary(Op op, Value a);
Value binary(Op op, Value a, Value b);
/// A lookup by bytes: table, lookup16, lookup64, lookup128, lookup256, lookup16_wide,
/// lookup8_wide, lookup16_upper.
Value lookup(Op op, Value index, int table);
Value join(const std::vector<Value>& bytes, int bits);

/// The power of two as text: "2^-6".
std::string power_formula(int exponent);

/// "127 - 3", "127 + 3" for 127 and -3.
std::string difference_formula(int from, int less);

}  // namespace castforge::ir

#include "program.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

#include "floats.hpp"

namespace castforge::evaluator {

namespace {

std::string hex(std::uint64_t value, int bits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llX", bits / 4, static_cast<unsigned long long>(value));
  return text;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

class Compiler {
 public:
  Compiler(Program& program, const Kernel& kernel, const Plan& plan) : program_(program), plan_(plan) {
    program_.src_bits_ = kernel.src_bits;
    for (const Constant& c : plan.constants) constants_.emplace(c.name, c.value);
    values_[plan.parameter] = {Value::lane, unit_of(kernel.src_bits), 0, 0};
    for (const Statement& s : plan.statements) {
      const Value v = compile(s.value);
      if (v.kind == Value::constant) throw Error(s.line, "a constant alone has no lanes; lane::fill gives it some");
      if (!s.name.empty()) {
        values_[s.name] = v;
        continue;
      }
      if (v.kind == Value::mask) throw Error(s.line, "map() returns a mask");
      const int unit = unit_of(kernel.dst_bits);
      if (v.bits != unit) {
        throw Error(s.line, "map() returns " + std::to_string(v.bits) + " bits; the unit of the destination has " +
                                std::to_string(unit));
      }
      program_.result_ = v.register_;
    }
  }

 private:
  struct Value {
    enum Kind { lane, mask, constant } kind = lane;
    int bits = 0;
    std::size_t register_ = 0;
    std::uint64_t number = 0;  // of a constant
  };

  Value compile(const Expression& e) {
    switch (e.kind) {
      case Expression::Kind::number:
        if (!e.decimal) throw Error(e.line, "numbers in expressions are decimal");
        return {Value::constant, 0, 0, e.number};
      case Expression::Kind::name: return name(e);
      case Expression::Kind::infix: return infix(e);
      case Expression::Kind::call: return call(e);
    }
    throw Error(e.line, "an expression of no kind");
  }

  Value name(const Expression& e) const {
    if (const auto v = values_.find(e.text); v != values_.end()) return v->second;
    if (const auto c = constants_.find(e.text); c != constants_.end()) return {Value::constant, 0, 0, c->second};
    throw Error(e.line, "unknown name " + quoted(e.text));
  }

  Value infix(const Expression& e) {
    const Operation& op = *find_operation(e.text);
    if (op.takes != Takes::number) return emit(e, op, {compile(e.operands[0]), compile(e.operands[1])}, {});
    const Expression& count = e.operands[1];
    if (count.kind != Expression::Kind::number || !count.decimal) {
      throw Error(e.line, "the count of " + e.text + " is not a literal");
    }
    Argument argument;
    argument.number = count.number;
    return emit(e, op, {compile(e.operands[0])}, argument);
  }

  Value call(const Expression& e) {
    const Operation* op = find_operation(e.text);
    if (op == nullptr) throw Error(e.line, "unknown operation lane::" + e.text);
    std::vector<Value> operands;
    for (const Expression& operand : e.operands) operands.push_back(compile(operand));
    std::optional<Argument> argument;
    if (!e.arguments.empty()) argument = e.arguments.front();
    return emit(e, *op, operands, argument);
  }

  /// What each operand of `op` must be.
  static std::string kinds(const Operation& op, const std::optional<Argument>& argument) {
    if (!op.operands.ends_with('*')) return std::string(op.operands);
    const int bytes = argument ? argument->bits / 8 : 0;
    return std::string(static_cast<std::size_t>(bytes), op.operands[0]);
  }

  Value emit(const Expression& e, const Operation& op, const std::vector<Value>& operands,
             const std::optional<Argument>& argument) {
    const std::string called = e.kind == Expression::Kind::infix ? e.text : "lane::" + e.text;
    Program::Instruction made;
    made.operation = &op;
    made.line = e.line;
    const int type = check_argument(e, called, op, argument, made);
    const std::string kinds = Compiler::kinds(op, argument);
    if (operands.size() != kinds.size()) {
      throw Error(e.line, called + " takes " + std::to_string(kinds.size()) + " operands, not " +
                              std::to_string(operands.size()));
    }
    made.width = width(e, called, op, operands);
    if (op.admits != nullptr) check_admitted(e, called, op, made, type);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      made.operands.push_back(operand(e, called, kinds[i], operands[i], kinds[i] == 'k' ? type : made.width));
    }
    made.result = program_.registers_++;
    Value result{op.gives == Gives::mask ? Value::mask : Value::lane, given(op, made, type), made.result, 0};
    program_.instructions_.push_back(std::move(made));
    return result;
  }

  /// The argument between < and >; returns the bits of the type that it names, or 0.
  int check_argument(const Expression& e, const std::string& called, const Operation& op,
                     const std::optional<Argument>& argument, Program::Instruction& made) const {
    if (op.takes == Takes::nothing) {
      if (argument) throw Error(e.line, called + " takes nothing between < and >");
      return 0;
    }
    if (!argument) throw Error(e.line, called + " lacks what stands between < and >");
    if (op.takes == Takes::number) {
      if (!argument->name.empty()) throw Error(e.line, called + " takes a literal, not " + argument->name);
      made.number = argument->number;
      return 0;
    }
    if (op.takes == Takes::type) {
      if (argument->bits == 0) throw Error(e.line, called + " takes a type: std::uint8_t .. std::uint64_t");
      made.number = static_cast<std::uint64_t>(argument->bits);
      return argument->bits;
    }
    for (const Table& t : plan_.tables) {
      if (t.name == argument->name) made.table = &t;
    }
    if (made.table == nullptr) throw Error(e.line, called + ": unknown table " + quoted(argument->name));
    if ((op.entry_bits & made.table->bits) == 0) {
      throw Error(e.line, called + " takes no table of " + std::to_string(made.table->bits) + " bits");
    }
    return 0;
  }

  static void check_admitted(const Expression& e, const std::string& called, const Operation& op,
                             const Program::Instruction& made, int type) {
    const std::uint64_t asked = made.table != nullptr ? made.table->entries.size() : made.number;
    if (asked <= 1 << 16 && op.admits(static_cast<int>(asked), made.width)) return;
    const std::string lanes = " for lanes of " + std::to_string(made.width) + " bits";
    if (type != 0) throw Error(e.line, called + ": not to " + std::to_string(type) + " bits" + lanes);
    if (made.table != nullptr)
      throw Error(e.line, called + ": not with a table of " + std::to_string(asked) + " entries");
    throw Error(e.line, called + ": not with " + std::to_string(asked) + lanes);
  }

  static int width(const Expression& e, const std::string& called, const Operation& op,
                   const std::vector<Value>& operands) {
    int bits = 0;
    for (const Value& v : operands) {
      if (v.kind == Value::constant) continue;
      if (bits != 0 && bits != v.bits) {
        throw Error(e.line,
                    called + " of mixed widths: " + std::to_string(bits) + " and " + std::to_string(v.bits) + " bits");
      }
      bits = v.bits;
    }
    if (bits == 0) throw Error(e.line, called + " of constants alone");
    if ((op.widths & bits) == 0)
      throw Error(e.line, called + " has no form for lanes of " + std::to_string(bits) + " bits");
    return bits;
  }

  std::size_t operand(const Expression& e, const std::string& called, char kind, const Value& v, int bits) {
    if (kind == 'm') {
      if (v.kind != Value::mask) throw Error(e.line, called + " takes a mask where it is given a value");
      return v.register_;
    }
    if (v.kind == Value::mask) throw Error(e.line, called + " takes a value where it is given a mask");
    if (kind == 'k' && v.kind != Value::constant)
      throw Error(e.line, called + " takes a constant where it is given a value");
    if (v.kind == Value::lane) return v.register_;
    if (kind == 'b' && v.number != 0) throw Error(e.line, called + " takes no constant but 0");
    if (bits < 64 && v.number >> bits != 0) {
      throw Error(e.line, called + ": the constant " + std::to_string(v.number) + " does not fit in lanes of " +
                              std::to_string(bits) + " bits");
    }
    for (const Program::Fixed& f : program_.fixed_) {
      if (f.value == v.number) return f.register_;
    }
    program_.fixed_.push_back({program_.registers_++, v.number});
    return program_.fixed_.back().register_;
  }

  static int given(const Operation& op, const Program::Instruction& made, int type) {
    switch (op.gives) {
      case Gives::same:
      case Gives::mask: return made.width;
      case Gives::byte: return 8;
      case Gives::half: return 16;
      case Gives::word: return 32;
      case Gives::double_word: return 64;
      case Gives::type: return type;
      case Gives::entry: return made.table->bits;
    }
    return 0;
  }

  Program& program_;
  const Plan& plan_;
  std::map<std::string, std::uint64_t> constants_;
  std::map<std::string, Value> values_;
};

Program::Program(const Kernel& kernel, const Plan& plan) { Compiler(*this, kernel, plan); }

void Program::check(const Instruction& instruction, const Call& call, const std::uint64_t* codes) const {
  const Operation& op = *instruction.operation;
  const Outside outside = op.outside[width_index(instruction.width)];
  if (outside == nullptr) return;
  const std::size_t at = outside(call);
  if (at == kBlock) return;
  std::string text = std::string(op.name) + " of ";
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    text += (i == 0 ? "" : ", ") + hex(call.in[i][at], instruction.width);
  }
  throw Error(instruction.line, text + " is outside of its domain (" + std::string(op.domain) + "), from source code " +
                                    hex(codes[at], unit_of(src_bits_)));
}

bool Program::run(std::span<const std::uint64_t> codes, std::span<std::uint64_t> results, const World& world) const {
  std::vector<std::uint64_t> memory(registers_ * kBlock);
  const auto block = [&memory](std::size_t r) { return memory.data() + r * kBlock; };
  for (const Fixed& f : fixed_) std::fill_n(block(f.register_), kBlock, f.value);
  bool nan = false;
  for (std::size_t from = 0; from < codes.size(); from += kBlock) {
    const std::size_t count = std::min(kBlock, codes.size() - from);
    std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(from), count, block(0));
    std::fill_n(block(0) + count, kBlock - count, codes[from]);
    for (const Instruction& instruction : instructions_) {
      Call call;
      for (std::size_t i = 0; i < instruction.operands.size(); ++i) call.in[i] = block(instruction.operands[i]);
      call.out = block(instruction.result);
      call.number = instruction.number;
      if (instruction.table != nullptr) call.table = instruction.table->entries;
      call.world = &world;
      check(instruction, call, block(0));
      instruction.operation->run[width_index(instruction.width)](call);
      if (instruction.operation->name.ends_with("multiply_add")) {
        nan = nan || std::any_of(call.out, call.out + kBlock, [](std::uint64_t v) { return kSingle.is_nan(v); });
      }
    }
    std::copy_n(block(result_), count, results.begin() + static_cast<std::ptrdiff_t>(from));
  }
  return nan;
}

bool Program::flushes() const {
  return std::any_of(instructions_.begin(), instructions_.end(),
                     [](const Instruction& i) { return i.operation->flushes; });
}

bool Program::rounds() const {
  return std::any_of(instructions_.begin(), instructions_.end(),
                     [](const Instruction& i) { return i.operation->rounds; });
}

bool Program::has_long_table() const {
  return std::any_of(instructions_.begin(), instructions_.end(), [&](const Instruction& i) {
    return i.operation->name == "table" && (i.table->bits != 8 || i.table->entries.size() > 16);
  });
}

}  // namespace castforge::evaluator

#include "amalgam/print_words.hpp"

#include "amalgam/print_vectors.hpp"
#include "ir/analysis.hpp"
#include "spec/hex.hpp"

namespace castforge::amalgam {
namespace {

using namespace ir;

std::string type_of(const Node& node) { return is_mask(node) ? "int" : "uint" + std::to_string(node.bits) + "_t"; }

class Printer {
 public:
  Printer(const Program& program, std::string kernel, Target& target)
      : program_(program), kernel_(std::move(kernel)), target_(target) {}

  PrintedWords print() {
    const Node& result = program_.result();
    for (const Node& node : program_.nodes) {
      if (node.op == Op::constant) {
        if (!node.name.empty())
          add("const " + type_of(node) + " " + node.name + " = " + number(node.imm, node.bits) + ";", node.note);
      } else if (node.op != Op::input && !node.name.empty() && &node != &result) {
        add("const " + type_of(node) + " " + node.name + " = " + definition(node, false) + ";", node.note);
      }
    }
    if (result.op == Op::constant) {
      add("(void)bits;");
      add("return " + (result.name.empty() ? number(result.imm, result.bits) : result.name) + ";");
    } else {
      add("return " + definition(result, false) + ";", result.op == Op::input ? "" : result.note);
    }
    printed_.problem = target_.take_missing();
    return printed_;
  }

 private:
  void add(const std::string& code, const std::string& note = "") { add_line(printed_.lines, code, note); }

  static std::string number(std::uint64_t value, int bits) {
    if (value < 10) return std::to_string(value);
    return spec::hex(value, value < 256 ? 8 : bits) + (bits == 64 ? "u" : "");
  }

  std::string use(int id, bool beside_operator) {
    const Node& node = program_.nodes[static_cast<std::size_t>(id)];
    if (node.op == Op::constant && node.name.empty()) return number(node.imm, node.bits);
    if (!node.name.empty()) return node.name;
    return definition(node, beside_operator);
  }

  std::string definition(const Node& node, bool beside_operator) {
    const Operation& row = operation(node.op);
    const auto arg_bits = [&](std::size_t k) { return program_.nodes[static_cast<std::size_t>(node.args[k])].bits; };
    if (is_infix(node.op)) {
      const bool shifts = row.signature.argument == Argument::number;
      const std::string text = use(node.args[0], true) + " " + row.spelling + " " +
                               (shifts ? std::to_string(node.imm) : use(node.args[1], true));
      // What may leave the lane: C computes with int at least.
      const bool leaves = node.op == Op::add || node.op == Op::sub || node.op == Op::shl_imm;
      if (leaves && node.bits < 32) return "(" + type_of(node) + ")(" + text + ")";
      return beside_operator ? "(" + text + ")" : text;
    }
    switch (node.op) {
      case Op::input: return "bits";
      case Op::equal:
      case Op::greater:
      case Op::greater_unsigned: {
        const char* const sign = node.op == Op::equal ? " == " : " > ";
        const int bits = arg_bits(0);
        const bool has_signs = node.op == Op::greater &&
                               !(fits(program_, node.args[0], bits - 1) && fits(program_, node.args[1], bits - 1));
        const std::string cast = has_signs ? "(int" + std::to_string(bits) + "_t)" : "";
        return "(" + cast + use(node.args[0], true) + sign + cast + use(node.args[1], true) + ")";
      }
      case Op::mask_and: return "(" + use(node.args[0], true) + " & " + use(node.args[1], true) + ")";
      case Op::select: {
        const std::string text =
            use(node.args[0], true) + " ? " + use(node.args[1], true) + " : " + use(node.args[2], true);
        return "(" + text + ")";
      }
      case Op::widen:
      case Op::truncate:
      case Op::narrow: return "(" + type_of(node) + ")" + use(node.args[0], true);
      case Op::table: {
        const Table& table = program_.tables[static_cast<std::size_t>(node.table)];
        printed_.tables.push_back(table_name(kernel_, program_, table));
        return printed_.tables.back() + "[" + use(node.args[0], false) + "]";
      }
      default: break;
    }
    std::string name = row.name, list;
    if (row.signature.argument == Argument::table) {
      const Table& table = program_.tables[static_cast<std::size_t>(node.table)];
      printed_.tables.push_back(table_name(kernel_, program_, table));
      list = printed_.tables.back();
    }
    for (const int arg : node.args) list += (list.empty() ? "" : ", ") + use(arg, false);
    if (row.signature.argument == Argument::number) list += ", " + std::to_string(node.imm);
    if (row.signature.shape == Shape::resize || row.signature.shape == Shape::join)
      name += std::to_string(arg_bits(0)) + "_" + std::to_string(node.bits);
    else name += std::to_string(arg_bits(0));
    return target_.use(name) + "(" + list + ")";
  }

  const Program& program_;
  std::string kernel_;
  Target& target_;
  PrintedWords printed_;
};

}  // namespace

PrintedWords print_words(const ir::Program& program, const std::string& kernel, Target& target) {
  const std::set<std::string> used = target.used();
  PrintedWords printed = Printer(program, kernel, target).print();
  if (!printed.problem.empty()) target.forget_since(used);
  return printed;
}

}  // namespace castforge::amalgam

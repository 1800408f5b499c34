#include "emit/print_cpp.hpp"

#include <cstdio>
#include <stdexcept>

namespace castforge::emit {
namespace {

using plan::Node;
using plan::Op;

class Printer {
 public:
  explicit Printer(const plan::LanePlan& plan) : plan_(plan) {}

  std::string operand(int id) { return expression(id, true); }

  /// The text of a value where it is used: its name, or its expression.
  std::string expression(int id, bool nested) {
    const Node& node = plan_.nodes[static_cast<std::size_t>(id)];
    if (node.op == Op::constant) return "W(" + (node.name.empty() ? std::to_string(node.imm) : node.name) + ")";
    if (!node.name.empty()) return node.name;
    return definition(node, nested);
  }

  std::string definition(const Node& node, bool nested) {
    const auto infix = [&](const char* symbol) {
      const std::string text = operand(node.a) + " " + symbol + " " + operand(node.b);
      return nested ? "(" + text + ")" : text;
    };
    const auto shift = [&](const char* symbol) {
      const std::string text = operand(node.a) + " " + symbol + " " + std::to_string(node.imm);
      return nested ? "(" + text + ")" : text;
    };
    const auto call = [&](const std::string& name) {
      std::string text = "lane::" + name + "(" + expression(node.a, false);
      if (node.b >= 0) text += ", " + expression(node.b, false);
      if (node.c >= 0) text += ", " + expression(node.c, false);
      return text + ")";
    };
    switch (node.op) {
      case Op::input: return "bits";
      case Op::constant: break;
      case Op::bit_and: return infix("&");
      case Op::bit_or: return infix("|");
      case Op::bit_xor: return infix("^");
      case Op::add: return infix("+");
      case Op::sub: return infix("-");
      case Op::shl_imm: return shift("<<");
      case Op::shr_imm: return shift(">>");
      case Op::sar_imm: return call("sar<" + std::to_string(node.imm) + ">");
      case Op::shl: return call("shl");
      case Op::shr: return call("shr");
      case Op::min: return call("min");
      case Op::max: return call("max");
      case Op::min_signed: return call("min_signed");
      case Op::max_signed: return call("max_signed");
      case Op::equal: return call("eq");
      case Op::greater: return call("gt");
      case Op::mask_and: return call("mask_and");
      case Op::mask_or: return call("mask_or");
      case Op::select: return call("select");
      case Op::float_of_uint: return call(plan_.lane_bits == 32 ? "float32_of" : "float64_of");
      case Op::merge: return call("merge");
      case Op::float_of_int: return call("float32_of");
      case Op::nan_becomes: return call("nan_becomes");
      case Op::min_or_second: return call("min_nan2_32");
      case Op::binade: return call("binade32");
      case Op::int_of_float_toward_zero: return call(plan_.lane_bits == 32 ? "int32_of_float32_rtz" : "int64_of_float64_rtz");
      case Op::int_of_float_nearest: return call(plan_.lane_bits == 32 ? "int32_of_float32_rne" : "int64_of_float64_rne");
      case Op::int_of_float_away: return call("int32_of_float32_rna");
      case Op::int_of_float_floor: return call("int32_of_float32_rtn");
      case Op::int_of_float_ceil: return call("int32_of_float32_rtp");
      case Op::int_of_float_odd: return call("int32_of_float32_rto");
      case Op::wrap_int_of_float_toward_zero: return call(plan_.lane_bits == 32 ? "int32_of_float32_wrap_rtz" : "int32_of_float64_wrap_rtz");
      case Op::wrap_int_of_float_nearest: return call(plan_.lane_bits == 32 ? "int32_of_float32_wrap_rne" : "int32_of_float64_wrap_rne");
      case Op::cut_to_int: return call(plan_.lane_bits == 32 ? "cut_float32_to_int32" : "cut_float64_to_int32");
      case Op::cut_to_long: return call("cut_float64_to_int64");
      case Op::cut_double_to_float: return call("float32_of_float64_toward_zero");
      case Op::multiply_add: return call("multiply_add32");
      case Op::half_to_float: return call("float32_of_float16");
      case Op::float_to_half: return call("float16_of_float32");
      case Op::double_to_float: return call("float32_of_float64");
      case Op::nearest_float_of_int: return call(plan_.lane_bits == 32 ? "float32_of_int32_rne" : "float64_of_int64_rne");
      case Op::nearest_float_of_uint: return call(plan_.lane_bits == 32 ? "float32_of_uint32_rne" : "float64_of_uint64_rne");
      case Op::nearest_single_of_int: return call("float32_of_int64_rne");
      case Op::nearest_single_of_uint: return call("float32_of_uint64_rne");
    }
    throw std::logic_error("an operation without a spelling");
  }

 private:
  const plan::LanePlan& plan_;
};

std::string constant_value(const Node& node, int lane_bits) {
  const bool decimal = node.name.rfind("kExp", 0) == 0 || node.name.rfind("kShift", 0) == 0;
  if (decimal && node.imm < 100000) return std::to_string(node.imm);
  return hex(node.imm, node.imm < 256 ? 8 : lane_bits);
}

}  // namespace

std::string hex(std::uint64_t value, int bits) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%0*llX", bits / 4, static_cast<unsigned long long>(value));
  return text;
}

PrintedPlan print_cpp(const plan::LanePlan& plan) {
  PrintedPlan printed;
  Printer printer(plan);
  const int last = static_cast<int>(plan.nodes.size()) - 1;
  printed.uses_input = plan.nodes.front().op == Op::input || last > 0;
  for (int id = 0; id <= last; ++id) {
    const Node& node = plan.nodes[static_cast<std::size_t>(id)];
    if (node.op == Op::constant && !node.name.empty()) {
      printed.constants.push_back({node.name, constant_value(node, plan.lane_bits), node.note});
    } else if (node.op != Op::constant && node.op != Op::input && !node.name.empty() && id != last) {
      const char* type = plan::is_mask(node.op) ? "const auto " : "const W ";
      printed.statements.push_back({type + node.name + " = " + printer.definition(node, false) + ";", node.note});
    }
  }
  const Node& result = plan.nodes[static_cast<std::size_t>(last)];
  if (result.op == Op::constant) {
    printed.result = printer.expression(last, false);
  } else {
    printed.result = printer.definition(result, false);
    printed.result_note = result.note;
  }
  return printed;
}

}  // namespace castforge::emit

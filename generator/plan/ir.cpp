#include "plan/ir.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace castforge::plan {
namespace {

std::uint64_t low_bits(int count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }

/// Leaves the last operation out if it is this one; its operand becomes the result.
bool drop_last(LanePlan& plan, Op op) {
  if (plan.nodes.back().op != op || static_cast<std::size_t>(plan.nodes.back().a) + 2 != plan.nodes.size()) return false;
  plan.nodes.pop_back();
  return true;
}

/// The load that does the operation, if one does.
Load load_of(Op op, int lane_bits) {
  switch (op) {
    case Op::half_to_float: return Load::float16;
    case Op::cut_to_int: return lane_bits == 64 ? Load::float64_cut : Load::float32_cut;
    case Op::double_to_float: return Load::float64;
    case Op::cut_double_to_float: return Load::float64_toward_zero;
    case Op::nearest_single_of_int: return Load::int64;
    case Op::nearest_single_of_uint: return Load::uint64;
    default: return Load::plain;
  }
}

Value binary(Op op, Value a, Value b) { return a.builder->node(op, a, b); }

}  // namespace

bool is_mask(Op op) {
  return op == Op::equal || op == Op::greater || op == Op::mask_and || op == Op::mask_or;
}

int operand_count(Op op) {
  switch (op) {
    case Op::input:
    case Op::constant: return 0;
    case Op::shl_imm:
    case Op::shr_imm:
    case Op::sar_imm:
    case Op::float_of_uint:
    case Op::float_of_int:
    case Op::int_of_float_toward_zero:
    case Op::int_of_float_nearest:
    case Op::int_of_float_away:
    case Op::int_of_float_floor:
    case Op::int_of_float_ceil:
    case Op::int_of_float_odd:
    case Op::half_to_float:
    case Op::float_to_half:
    case Op::double_to_float:
    case Op::nearest_float_of_int:
    case Op::nearest_float_of_uint:
    case Op::nearest_single_of_int:
    case Op::nearest_single_of_uint:
    case Op::wrap_int_of_float_toward_zero:
    case Op::wrap_int_of_float_nearest:
    case Op::cut_to_int:
    case Op::cut_to_long:
    case Op::cut_double_to_float: return 1;
    case Op::select:
    case Op::merge:
    case Op::multiply_add: return 3;
    default: return 2;
  }
}

bool LanePlan::uses_float_environment() const {
  if (load != Load::plain || store == Store::float16 || store == Store::float64 || store == Store::float32_cut) return true;
  if (prepare && prepare->uses_float_environment()) return true;
  for (const Node& node : nodes) {
    switch (node.op) {
      case Op::double_to_float:
      case Op::nearest_float_of_int:
      case Op::nearest_float_of_uint:
      case Op::nearest_single_of_int:
      case Op::nearest_single_of_uint:
      case Op::wrap_int_of_float_toward_zero:
      case Op::wrap_int_of_float_nearest:
      case Op::cut_to_int:
      case Op::cut_to_long:
      case Op::cut_double_to_float:
      case Op::multiply_add:
      case Op::binade:
      case Op::min_or_second:
      case Op::int_of_float_nearest:
      case Op::int_of_float_away:
      case Op::int_of_float_floor:
      case Op::int_of_float_ceil:
      case Op::int_of_float_odd: return true;
      // The same bits in any environment, but they raise flags and may trap.
      case Op::int_of_float_toward_zero:
      case Op::half_to_float:
      case Op::float_to_half: return true;
      default: break;
    }
  }
  return false;
}

int first_lane_bits(const LanePlan& plan) {
  if (plan.prepare) return plan.prepare->lane_bits;
  switch (plan.load) {
    case Load::plain:
    case Load::float32_cut: return plan.lane_bits;
    case Load::float16: return 16;
    case Load::float64:
    case Load::float64_cut:
    case Load::float64_toward_zero:
    case Load::int64:
    case Load::uint64: return 64;
  }
  return plan.lane_bits;
}

int last_lane_bits(const LanePlan& plan) {
  switch (plan.store) {
    case Store::plain:
    case Store::upper_half:
    case Store::upper_nearest: return plan.lane_bits;
    case Store::float16: return 16;
    case Store::float64:
    case Store::int64:
    case Store::float32_cut:
    case Store::float64_of_int: return 64;
  }
  return plan.lane_bits;
}

Value Value::named(const std::string& name, const std::string& note) const {
  Node& node = builder->plan_.nodes[static_cast<std::size_t>(id)];
  if (node.op == Op::constant) return *this;  // constants carry their own names
  if (!node.name.empty()) return *this;       // the first name is the telling one
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(builder->plan_.nodes.begin(), builder->plan_.nodes.end(), [&](const Node& other) { return other.name == candidate; });
  };
  std::string free = name;
  for (int number = 2; taken(free); ++number) free = name + std::to_string(number);
  node.name = free;
  node.note = note;
  return *this;
}

Builder::Builder(std::string id, std::string source, int lane_bits) {
  plan_.id = std::move(id);
  plan_.source = std::move(source);
  plan_.lane_bits = lane_bits;
}

Value Builder::input() {
  for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
    if (plan_.nodes[i].op == Op::input) return {this, static_cast<int>(i)};
  }
  Node node;
  node.op = Op::input;
  node.name = "bits";
  plan_.nodes.push_back(node);
  return {this, static_cast<int>(plan_.nodes.size()) - 1};
}

Value Builder::literal(std::uint64_t value) { return constant("", value, ""); }

Value Builder::constant(const std::string& name, std::uint64_t value, const std::string& formula) {
  value &= low_bits(plan_.lane_bits);
  for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
    const Node& node = plan_.nodes[i];
    if (node.op != Op::constant || node.name != name) continue;
    if (node.imm == value) return {this, static_cast<int>(i)};
    if (!name.empty()) throw std::logic_error("plan " + plan_.id + ": two values for " + name);
  }
  Node node;
  node.imm = value;
  node.name = name;
  node.note = formula;
  plan_.nodes.push_back(node);
  return {this, static_cast<int>(plan_.nodes.size()) - 1};
}

bool Builder::is_constant(Value value, std::uint64_t number) const {
  const Node& node = at(value);
  return node.op == Op::constant && node.imm == number;
}

Value Builder::node(Op op, Value a, Value b, Value c, std::uint64_t imm) {
  // The same operation on the same operands is the same value.
  for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
    const Node& known = plan_.nodes[i];
    if (known.op == op && known.a == a.id && known.b == b.id && known.c == c.id && known.imm == imm) return {this, static_cast<int>(i)};
  }
  Node node;
  node.op = op;
  node.a = a.id;
  node.b = b.id;
  node.c = c.id;
  node.imm = imm;
  plan_.nodes.push_back(node);
  return {this, static_cast<int>(plan_.nodes.size()) - 1};
}

LanePlan Builder::finish(Value result) {
  std::vector<bool> used(plan_.nodes.size(), false);
  used[static_cast<std::size_t>(result.id)] = true;
  for (int i = result.id; i >= 0; --i) {
    if (!used[static_cast<std::size_t>(i)]) continue;
    const Node& node = plan_.nodes[static_cast<std::size_t>(i)];
    for (int operand : {node.a, node.b, node.c}) {
      if (operand >= 0) used[static_cast<std::size_t>(operand)] = true;
    }
  }
  std::vector<int> renumbered(plan_.nodes.size(), -1);
  LanePlan out = plan_;
  out.nodes.clear();
  for (int i = 0; i <= result.id; ++i) {
    if (!used[static_cast<std::size_t>(i)]) continue;
    Node node = plan_.nodes[static_cast<std::size_t>(i)];
    for (int* operand : {&node.a, &node.b, &node.c}) {
      if (*operand >= 0) *operand = renumbered[static_cast<std::size_t>(*operand)];
    }
    renumbered[static_cast<std::size_t>(i)] = static_cast<int>(out.nodes.size());
    out.nodes.push_back(node);
  }
  return out;
}

Value operator&(Value a, Value b) {
  const std::uint64_t all = low_bits(a.builder->lane_bits());
  if (a.builder->is_constant(b, all)) return a;
  return binary(Op::bit_and, a, b);
}
Value operator|(Value a, Value b) {
  if (a.builder->is_constant(b, 0)) return a;
  if (a.builder->is_constant(a, 0)) return b;
  return binary(Op::bit_or, a, b);
}
Value operator^(Value a, Value b) { return binary(Op::bit_xor, a, b); }
Value operator+(Value a, Value b) {
  if (a.builder->is_constant(b, 0)) return a;
  if (a.builder->is_constant(a, 0)) return b;
  return binary(Op::add, a, b);
}
Value operator-(Value a, Value b) {
  if (a.builder->is_constant(b, 0)) return a;
  return binary(Op::sub, a, b);
}
Value operator<<(Value a, int count) {
  return count == 0 ? a : a.builder->node(Op::shl_imm, a, {}, {}, static_cast<std::uint64_t>(count));
}
Value operator>>(Value a, int count) {
  return count == 0 ? a : a.builder->node(Op::shr_imm, a, {}, {}, static_cast<std::uint64_t>(count));
}
Value sar(Value a, int count) {
  return count == 0 ? a : a.builder->node(Op::sar_imm, a, {}, {}, static_cast<std::uint64_t>(count));
}
Value shl(Value a, Value count) { return binary(Op::shl, a, count); }
Value shr(Value a, Value count) { return binary(Op::shr, a, count); }
Value min(Value a, Value b) { return binary(Op::min, a, b); }
Value max(Value a, Value b) { return binary(Op::max, a, b); }
Value min_signed(Value a, Value b) { return binary(Op::min_signed, a, b); }
Value max_signed(Value a, Value b) { return binary(Op::max_signed, a, b); }
Value equal(Value a, Value b) { return binary(Op::equal, a, b); }
Value greater(Value a, Value b) { return binary(Op::greater, a, b); }
Value mask_and(Value a, Value b) { return binary(Op::mask_and, a, b); }
Value mask_or(Value a, Value b) { return binary(Op::mask_or, a, b); }
Value select(Value mask, Value yes, Value no) { return mask.builder->node(Op::select, mask, yes, no); }
Value float_of_uint(Value a) { return a.builder->node(Op::float_of_uint, a); }
Value merge(Value mask, Value ones, Value zeros) { return mask.builder->node(Op::merge, mask, ones, zeros); }
Value float_of_int(Value a) { return a.builder->node(Op::float_of_int, a); }
Value nan_becomes(Value a, Value nan) { return binary(Op::nan_becomes, a, nan); }
Value min_or_second(Value a, Value b) { return binary(Op::min_or_second, a, b); }
Value binade(Value number, Value least) { return binary(Op::binade, number, least); }
Value int_of_float(Value a, std::uint16_t carry) {
  constexpr std::pair<std::uint16_t, Op> operations[] = {
      {kTowardZeroTable, Op::int_of_float_toward_zero}, {kNearestEvenTable, Op::int_of_float_nearest},
      {kNearestAwayTable, Op::int_of_float_away},       {kFloorTable, Op::int_of_float_floor},
      {kCeilTable, Op::int_of_float_ceil},              {kOddTable, Op::int_of_float_odd},
  };
  for (const auto& [table, operation] : operations) {
    if (table == carry) return a.builder->node(operation, a);
  }
  return {};
}
Value half_to_float(Value a) { return a.builder->node(Op::half_to_float, a); }
Value float_to_half(Value a) { return a.builder->node(Op::float_to_half, a); }
Value double_to_float(Value a) { return a.builder->node(Op::double_to_float, a); }
Value cut_double_to_float(Value a) { return a.builder->node(Op::cut_double_to_float, a); }
Value cut_to_int(Value a) { return a.builder->node(Op::cut_to_int, a); }
Value cut_to_long(Value a) { return a.builder->node(Op::cut_to_long, a); }
Value nearest_float(Value integer, bool is_signed) {
  return integer.builder->node(is_signed ? Op::nearest_float_of_int : Op::nearest_float_of_uint, integer);
}
Value nearest_single(Value integer, bool is_signed) {
  return integer.builder->node(is_signed ? Op::nearest_single_of_int : Op::nearest_single_of_uint, integer);
}
Value wrap_int_of_float(Value a, bool nearest) { return a.builder->node(nearest ? Op::wrap_int_of_float_nearest : Op::wrap_int_of_float_toward_zero, a); }
Value multiply_add(Value a, Value b, Value c) { return a.builder->node(Op::multiply_add, a, b, c); }

void leave_in_upper_half(LanePlan& plan) {
  const bool moves_down = plan.nodes.back().op == Op::shr_imm && plan.nodes.back().imm == 16;
  if (plan.lane_bits == 32 && plan.store == Store::plain && moves_down && drop_last(plan, Op::shr_imm)) plan.store = Store::upper_half;
}

void fuse_conversions(LanePlan& plan) {
  if (plan.lane_bits != 32) return;
  if (plan.store == Store::plain && drop_last(plan, Op::float_to_half)) plan.store = Store::float16;
  if (plan.prepare && plan.load == Load::plain) {
    LanePlan first = *plan.prepare;
    plan.load = load_of(first.nodes.back().op, first.lane_bits);
    if (plan.load != Load::plain) {
      if (!drop_last(first, first.nodes.back().op)) throw std::logic_error("plan " + plan.id + ": the last operation of prepare() has a strange operand");
      plan.prepare = first.nodes.back().op == Op::input ? nullptr : std::make_shared<const LanePlan>(std::move(first));
    }
  }
  if (plan.prepare || plan.load != Load::plain) return;
  const auto input = std::find_if(plan.nodes.begin(), plan.nodes.end(), [](const Node& node) { return node.op == Op::input; });
  const int at = static_cast<int>(input - plan.nodes.begin());
  const auto uses_input = [at](const Node& node) { return node.a == at || node.b == at || node.c == at; };
  const auto conversion = std::find_if(plan.nodes.begin(), plan.nodes.end(), uses_input);
  if (conversion == plan.nodes.end() || std::count_if(plan.nodes.begin(), plan.nodes.end(), uses_input) != 1) return;
  if (conversion->op == Op::half_to_float || conversion->op == Op::cut_to_int) plan.load = load_of(conversion->op, plan.lane_bits);
  else if (conversion->op == Op::shl_imm && plan.sign_bit != 0) plan.load_shift = static_cast<int>(conversion->imm);
  else return;
  *conversion = *input;
  plan.nodes.erase(input);
  for (Node& node : plan.nodes) {
    for (int* operand : {&node.a, &node.b, &node.c}) {
      if (*operand > at) --*operand;
    }
  }
}

}  // namespace castforge::plan

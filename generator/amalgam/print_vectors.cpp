#include "amalgam/print_vectors.hpp"

#include <algorithm>

#include "amalgam/vector_printer.hpp"
#include "emit/comment.hpp"

namespace castforge::amalgam {
namespace vectors {

using namespace ir;

VectorPrinter::VectorPrinter(const Program& program, std::string kernel, Packing from, Packing to, Target& target)
    : program_(program), kernel_(std::move(kernel)), from_(from), to_(to), target_(target) {
  bytes_ = target.number("bytes", 0);
  const int from_bytes = storage_unit(program.src_bits) / 8, to_bytes = storage_unit(program.dst_bits) / 8;
  lanes_ = bytes_ / std::min(from_bytes, to_bytes) * (from_bytes == to_bytes ? 2 : 1);
  if (program.is_copy()) lanes_ *= 2;
  interleave_ = target.number("order interleave", 1);
  source_order_ = from_bytes == 1 && !places_bytes_of(8 * to_bytes) ? order_for(to_bytes) : 1;
  const auto narrow = [](int bits) { return bits == 2 || bits == 4; };
  planes_ =
      narrow(program.src_bits) && narrow(program.dst_bits) && from == Packing::low_first && to == Packing::low_first;
  if (planes_) lanes_ = 8 / std::min(program.src_bits, program.dst_bits) * bytes_;
  uses_.resize(program.nodes.size());
  for (const Node& node : program.nodes) {
    for (const int arg : node.args) ++uses_[static_cast<std::size_t>(arg)];
  }
}

PrintedBlock VectorPrinter::print() {
  PrintedBlock block;
  block.lanes = lanes_;
  try {
    if (!has_vector_loop(program_.src_bits) || !has_vector_loop(program_.dst_bits))
      throw NotPossible{"elements of " + std::to_string(program_.src_bits) + " and " +
                        std::to_string(program_.dst_bits) + " bits have no vectors"};
    for (std::size_t id = 0; id < program_.nodes.size(); ++id) values_.push_back(value_of(static_cast<int>(id)));
    if (values_.back().kind == Value::Kind::constant) line("(void)in;");
    store(values_.back());
  } catch (const NotPossible& no) {
    block.problem = no.why;
  }
  const std::string missing = target_.take_missing();
  if (block.problem.empty()) block.problem = missing;
  block.lines = constants_;
  block.lines.insert(block.lines.end(), lines_.begin(), lines_.end());
  block.tables.assign(tables_.begin(), tables_.end());
  return block;
}

Value VectorPrinter::shape_of(const std::vector<int>& args) {
  Value all;
  bool any = false;
  for (const int arg : args) {
    const Value& value = values_[static_cast<std::size_t>(arg)];
    if (value.kind == Value::Kind::constant) continue;
    const bool is_mask = value.kind == Value::Kind::mask;
    if (!any || (is_mask && all.kind != Value::Kind::mask)) {
      all.kind = value.kind;
      all.order = value.order;
    } else if (value.order != all.order && all.kind != Value::Kind::mask) {
      all.order = 1;
    }
    any = true;
  }
  return all;
}

Value VectorPrinter::value_of(int id) {
  const Node& node = program_.nodes[static_cast<std::size_t>(id)];
  const Operation& row = operation(node.op);
  switch (node.op) {
    case Op::input: return input(node);
    case Op::constant:
      return {.bits = node.bits,
              .text = constant_used_as_lanes(id) ? constant(node.imm, node.bits, node.name, node.note) : ""};
    case Op::widen:
    case Op::widen_signed: return widened(node, id);
    case Op::truncate:
    case Op::narrow:
    case Op::byte:
    case Op::sign8:
    case Op::fold: return packed(node, id);
    case Op::join: return joined(node, id);
    case Op::lookup16_wide:
    case Op::lookup8_wide:
    case Op::lookup16_upper: return wide_lookup(node, id);
    default: break;
  }
  if (row.signature.shape == Shape::convert) return converted(node, id);
  return per_part(node, id);
}

bool VectorPrinter::constant_used_as_lanes(int id) const {
  if (static_cast<std::size_t>(id) + 1 == program_.nodes.size()) return true;
  for (const Node& node : program_.nodes) {
    if (node.op != Op::join && std::find(node.args.begin(), node.args.end(), id) != node.args.end()) return true;
  }
  return false;
}

Value VectorPrinter::per_part(const Node& node, int id) {
  const Operation& row = operation(node.op);
  const bool chooses = row.signature.shape == Shape::choose;
  const int bits = program_.nodes[static_cast<std::size_t>(node.args[chooses ? 1 : 0])].bits;
  Value value{.kind = is_mask(node) ? Value::Kind::mask : Value::Kind::lanes,
              .bits = node.bits,
              .order = shape_of(node.args).order};
  std::string list;
  if (row.signature.argument == Argument::table) list = table_operand(node);
  for (const int arg : node.args) list += (list.empty() ? "" : ", ") + operand(arg, value.order);
  if (row.signature.argument == Argument::number) list += ", " + std::to_string(node.imm);
  // (Vectors have short tables alone.)
  const std::string name = node.op == Op::table ? operation(Op::lookup16).name : row.name;
  value.text = lane_helper(name, bits) + "(" + list + ")";
  const std::string type = target_.word(is_mask(node) ? "M" + std::to_string(bits) : "V");
  return named(node, id, value, type, vectors(node.bits), feeds_width_change(id));
}

std::string VectorPrinter::table_operand(const Node& node) {
  const Table& table = program_.tables[static_cast<std::size_t>(node.table)];
  const std::string name = table_name(kernel_, program_, table);
  tables_.insert(name);
  if (node.op != Op::lookup16 && node.op != Op::lookup16_or_zero && node.op != Op::table) return name;
  if (constant_names_.insert(table.name).second)
    add_line(constants_, "const " + target_.word("V") + " " + table.name + " = " + use("table16") + "(" + name + ");",
             table.note);
  return table.name;
}

Value VectorPrinter::wide_lookup(const Node& node, int id) {
  const std::string table = table_operand(node);
  Value& source = values_[static_cast<std::size_t>(node.args[0])];
  const int to = node.bits;
  Value index{.kind = Value::Kind::lanes, .bits = to};
  const bool shares = source.kind == Value::Kind::source && program_.src_bits < 8 && 8 % program_.src_bits == 0;
  if (shares) {
    const std::string bits = std::to_string(program_.src_bits) + (from_ == Packing::high_first ? "_high" : "");
    index.text = use("spread" + bits + "_" + std::to_string(to)) + "(in + " +
                 std::to_string(bytes_ * 8 / to * program_.src_bits / 8) + " * #)";
  } else if (source.kind == Value::Kind::source && is_natural_width(program_.src_bits)) {
    index.text = use("load_widened8_" + std::to_string(to)) + "(in + " + std::to_string(bytes_ * 8 / to) + " * #)";
  } else {
    index = widened_lanes(lanes(node.args[0]), to);
  }
  if (node.op == Op::lookup16_upper) index.text = use("shl_imm64") + "(" + index.text + ", 32)";
  Value value = index;
  value.text = use(operation(node.op).name + std::to_string(to)) + "(" + table + ", " + index.text + ")";
  return named(node, id, value, target_.word("V"), vectors(to), true);
}

}  // namespace vectors

std::string table_name(const std::string& kernel, const ir::Program& program, const ir::Table& table) {
  return kernel + "_" + program.variant() + "_" + table.name;
}

void add_line(std::vector<std::string>& lines, const std::string& code, const std::string& note) {
  const bool beside = code.size() + note.size() + 6 <= emit::kColumns;
  if (!note.empty() && !beside) lines.push_back("  // " + note);
  lines.push_back("  " + code + (!note.empty() && beside ? "  // " + note : ""));
}

PrintedBlock print_vectors(const ir::Program& program, const std::string& kernel, Packing from, Packing to,
                           Target& target) {
  const std::set<std::string> used = target.used();
  PrintedBlock block = vectors::VectorPrinter(program, kernel, from, to, target).print();
  if (!block.problem.empty()) target.forget_since(used);
  return block;
}

}  // namespace castforge::amalgam

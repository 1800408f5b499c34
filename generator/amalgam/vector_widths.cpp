// Lanes that become wider or narrower: several vectors become one, or one becomes several.
#include <algorithm>

#include "amalgam/vector_printer.hpp"
#include "spec/hex.hpp"

namespace castforge::amalgam::vectors {

using namespace ir;

Value VectorPrinter::packed_by(const Node& node, int id, int from, int to, const std::string& call,
                               const std::string& first) {
  const int times = from / to;
  const int pack_order = times == 1 ? 1 : target_.number("order " + std::to_string(from) + "_" + std::to_string(to), 1);
  Value operand = lanes(node.args[0]);
  if (values_[static_cast<std::size_t>(node.args[0])].kind == Value::Kind::constant)
    throw NotPossible{"a constant is packed"};
  if (pack_order == 1 && operand.order != 1) {
    operand.text = define(target_.word("V"), "", vectors(from), lanes_in(operand, 1));
    operand.order = 1;
  }
  std::string list = first;
  for (int k = 0; k < times; ++k) list += (list.empty() ? "" : ", ") + at(operand.text, part(times, k));
  Value value{.kind = Value::Kind::lanes,
              .bits = to,
              .order = pack_order * operand.order,
              .text = use(call) + "(" + list + ")"};
  return named(node, id, value, target_.word("V"), vectors(to), feeds_width_change(id));
}

Value VectorPrinter::packed(const Node& node, int id) {
  const int from = program_.nodes[static_cast<std::size_t>(node.args[0])].bits, to = node.bits;
  const std::string widths = std::to_string(from) + "_" + std::to_string(to);
  switch (node.op) {
    case Op::byte:
      return packed_by(node, id, from, to, "byte" + std::to_string(node.imm) + "_" + std::to_string(from), "");
    case Op::sign8: return packed_by(node, id, from, to, "sign8_" + std::to_string(from), std::to_string(node.imm));
    case Op::fold: return packed_by(node, id, from, to, "fold", std::to_string(node.imm));
    default: return packed_by(node, id, from, to, std::string(operation(node.op).name) + widths, "");
  }
}

std::string VectorPrinter::halves(int id) {
  Value& value = values_[static_cast<std::size_t>(id)];
  if (value.kind == Value::Kind::source && is_natural_width(program_.src_bits))
    return use("load_half") + "(in + " + std::to_string(bytes_ / 2) + " * #)";
  if (value.kind == Value::Kind::halves) return value.text;
  Value all = lanes(id);
  const std::string text =
      all.order == 1 ? all.text : define(target_.word("V"), "", vectors(all.bits), lanes_in(all, 1));
  const std::string name = "t" + std::to_string(temporaries_++);
  const int count = vectors(all.bits);
  line(target_.word("H") + " " + name + "[" + std::to_string(2 * count) + "]; CASTFORGE_EACH_" + std::to_string(count) +
       "(" + name + "[2 * i] = " + use("low_half") + "(" + at(text, "i") + "); " + name +
       "[2 * i + 1] = " + use("high_half_of") + "(" + at(text, "i") + ");)");
  return name + "[#]";
}

Value VectorPrinter::converted(const Node& node, int id) {
  const Operation& row = operation(node.op);
  const int from = program_.nodes[static_cast<std::size_t>(node.args[0])].bits;
  if (from < node.bits) {
    const std::string half = halves(node.args[0]);
    Value value{.kind = Value::Kind::lanes, .bits = node.bits, .text = use(row.name) + "(" + half + ")"};
    return named(node, id, value, target_.word("V"), vectors(node.bits), true);
  }
  const std::string to_half = std::string(row.name) + "_half";
  if (!target_.has(to_half)) return packed_by(node, id, from, node.bits, row.name, "");
  const Value operand = lanes(node.args[0]);
  const std::string text = use(to_half) + "(" + lanes_in(operand, 1) + ")";
  return {.kind = Value::Kind::halves,
          .bits = node.bits,
          .text = define(target_.word("H"), local(node.name), vectors(from), text, node.note)};
}

Value VectorPrinter::widened(const Node& node, int id) {
  Value& source = values_[static_cast<std::size_t>(node.args[0])];
  const int from = source.bits, to = node.bits;
  const std::string widths = std::to_string(from) + "_" + std::to_string(to);
  const bool is_signed = node.op == Op::widen_signed;
  if (source.kind == Value::Kind::source && is_natural_width(program_.src_bits)) {
    Value value{.kind = Value::Kind::lanes,
                .bits = to,
                .text = use(std::string(is_signed ? "load_signed" : "load_widened") + widths) + "(in + " +
                        std::to_string(bytes_ * from / to) + " * #)"};
    return named(node, id, value, target_.word("V"), vectors(to), true);
  }
  Value all = lanes(node.args[0]);
  if (!is_signed) {
    all = widened_lanes(all, to);
    return named(node, id, all, target_.word("V"), vectors(to), !node.name.empty());
  }
  const std::uint64_t top = std::uint64_t{1} << (from - 1);
  all.text =
      define(target_.word("V"), "", vectors(from), use("bit_xor") + "(" + all.text + ", " + constant(top, from) + ")");
  all = widened_lanes(all, to);
  all.text = use("sub" + std::to_string(to)) + "(" + all.text + ", " + constant(top, to) + ")";
  return named(node, id, all, target_.word("V"), vectors(to), true);
}

Value VectorPrinter::widened_lanes(Value value, int to) {
  if (value.bits == 8 && places_bytes_of(to)) return placed(value, 0, value, 0, to);
  while (value.bits < to) {
    const int needed = order_for(to / value.bits);
    if (value.order < needed) {
      value.text = define(target_.word("V"), "", vectors(value.bits), lanes_in(value, needed));
      value.order = needed;
    }
    value = interleaved(value, zeros(value));
  }
  return value;
}

Value VectorPrinter::zeros(const Value& like) {
  Value value = like;
  value.kind = Value::Kind::constant;
  value.text = use("zero") + "()";
  return value;
}

Value VectorPrinter::interleaved(Value low, Value high) {
  if (low.order < interleave_) {
    low.text = lanes_in(low, interleave_);
    if (high.kind != Value::Kind::constant) high.text = lanes_in(high, interleave_);
    low.order = interleave_;
  }
  low = in_a_name(low), high = in_a_name(high);
  const std::string bits = std::to_string(low.bits);
  const int count = vectors(low.bits);
  const std::string name = "t" + std::to_string(temporaries_++);
  const auto call = [&](const char* which) {
    return use(which + bits) + "(" + at(low.text, "i") + ", " + at(high.text, "i") + ")";
  };
  line(target_.word("V") + " " + name + "[" + std::to_string(2 * count) + "]; CASTFORGE_EACH_" + std::to_string(count) +
       "(" + name + "[2 * i] = " + call("interleave_low") + "; " + name + "[2 * i + 1] = " + call("interleave_high") +
       ";)");
  return {.kind = Value::Kind::lanes,
          .bits = 2 * low.bits,
          .order = std::max(1, low.order / interleave_),
          .text = name + "[#]"};
}

Value VectorPrinter::placed(Value a, int first, Value b, int second, int to) {
  a.text = lanes_in(a, 1), b.text = lanes_in(b, 1);
  a.order = b.order = 1;
  a = in_a_name(a), b = in_a_name(b);
  const int times = to / 8, count = vectors(8);
  const std::string name = "t" + std::to_string(temporaries_++);
  std::string code = target_.word("V") + " " + name + "[" + std::to_string(times * count) + "];";
  line(code);
  for (int k = 0; k < times; ++k) {
    std::string index;
    for (int byte = 0; byte < bytes_; ++byte) {
      const int place = (byte + k * bytes_) / times + (byte % times == first ? 0 : bytes_);
      index += (byte == 0 ? "" : ", ") + std::to_string(place);
    }
    const std::string where = "place" + std::to_string(times) + "_" + std::to_string(k) + "_" + std::to_string(first);
    if (constant_names_.insert(where).second) {
      constants_.push_back("  static const uint8_t " + where + "[" + std::to_string(bytes_) +
                           "] CASTFORGE_ALIGNED = {");
      while (!index.empty()) {
        std::size_t end = index.size() <= 108 ? index.size() : index.rfind(", ", 108) + 1;
        constants_.push_back("      " + index.substr(0, end));
        index = end >= index.size() ? "" : index.substr(end + 1);
      }
      constants_.back() += "};";
    }
    std::uint64_t used = 0;
    for (int byte = 0; byte < bytes_; ++byte) {
      if (byte % times == first || byte % times == second) used |= std::uint64_t{1} << byte;
    }
    line("CASTFORGE_EACH_" + std::to_string(count) + "(" + name + "[" + part(times, k) + "] = " + use("place_bytes") +
         "(" + spec::hex(used, 64) + "u, " + where + ", " + at(a.text, "i") + ", " + at(b.text, "i") + ");)");
  }
  return {.kind = Value::Kind::lanes, .bits = to, .text = name + "[#]"};
}

Value VectorPrinter::joined(const Node& node, int id) {
  std::vector<int> planes;
  for (std::size_t k = 0; k < node.args.size(); ++k) {
    if (program_.nodes[static_cast<std::size_t>(node.args[k])].op != Op::constant)
      planes.push_back(static_cast<int>(k));
  }
  const auto plane = [&](int k) { return lanes(node.args[static_cast<std::size_t>(k)]); };
  Value value;
  if (places_bytes_of(node.bits) && planes.size() <= 2) {
    value = placed(plane(planes.front()), planes.front(), plane(planes.back()), planes.back(), node.bits);
  } else {
    const int order = order_for(node.bits / 8);
    std::vector<Value> parts;
    for (const int argument : node.args) {
      const Node& arg = program_.nodes[static_cast<std::size_t>(argument)];
      if (arg.op == Op::constant) {
        if (arg.imm != 0) throw NotPossible{"a constant byte is joined"};
        parts.push_back({.bits = 8, .order = order, .text = use("zero") + "()"});
        continue;
      }
      Value byte = lanes(argument);
      byte.text = lanes_in(byte, order);
      byte.order = order;
      parts.push_back(in_a_name(byte));
    }
    while (parts.size() > 1) {
      std::vector<Value> wider;
      for (std::size_t k = 0; k < parts.size(); k += 2) {
        if (parts[k].kind == Value::Kind::constant && parts[k + 1].kind == Value::Kind::constant) {
          Value zero = parts[k];
          zero.bits *= 2;
          zero.order = std::max(1, zero.order / interleave_);
          wider.push_back(zero);
        } else {
          wider.push_back(interleaved(parts[k], parts[k + 1]));
        }
      }
      parts.swap(wider);
    }
    value = parts.front();
  }
  return named(node, id, value, target_.word("V"), vectors(node.bits), !node.name.empty());
}

}  // namespace castforge::amalgam::vectors

// Values as texts: names, constants, orders of lanes, operands.
#include <algorithm>
#include <cctype>

#include "amalgam/vector_printer.hpp"
#include "spec/hex.hpp"

namespace castforge::amalgam::vectors {

using namespace ir;

std::string at(const std::string& text, const std::string& index) {
  std::string all = text;
  replace_all(all, "#", index);
  return all;
}

std::string part(int of, int index) {
  if (of == 1) return "i";
  return std::to_string(of) + " * i" + (index == 0 ? "" : " + " + std::to_string(index));
}

std::string local(const std::string& name) {
  static const std::set<std::string> kTaken = {"in",   "out",    "i",      "auto",     "float", "double", "int",
                                               "char", "signed", "inline", "restrict", "long",  "short",  "register"};
  return kTaken.contains(name) ? name + "_" : name;
}

std::string VectorPrinter::lane_helper(const std::string& name, int bits) {
  if (!target_.has(name + std::to_string(bits)) && target_.has(name)) return use(name);
  return use(name + std::to_string(bits));
}

std::string VectorPrinter::define(const std::string& type, std::string name, int count, const std::string& text,
                                  const std::string& note) {
  if (name.empty()) name = "t" + std::to_string(temporaries_++);
  line(type + " " + name + "[" + std::to_string(count) + "]; CASTFORGE_EACH_" + std::to_string(count) + "(" + name +
           "[i] = " + at(text, "i") + ";)",
       note);
  return name + "[#]";
}

void VectorPrinter::each(int count, const std::string& statement) {
  line("CASTFORGE_EACH_" + std::to_string(count) + "(" + statement + ";)");
}

std::string VectorPrinter::constant(std::uint64_t number, int bits, std::string name, const std::string& note) {
  if (name.empty()) name = "k" + spec::hex(number, number < 256 ? 8 : bits).substr(2) + "_" + std::to_string(bits);
  if (constant_names_.insert(name).second) {
    std::string value = number < 10 ? std::to_string(number) : spec::hex(number, bits);
    if (bits == 64) value += "u";
    add_line(constants_,
             "const " + target_.word("V") + " " + name + " = " + use("all" + std::to_string(bits)) + "(" + value + ");",
             note);
  }
  return name;
}

std::string VectorPrinter::reordered(const std::string& text, int from, int to) {
  std::string all = text;
  if (from == to) return all;
  if (from != 1) all = use("natural" + std::to_string(from)) + "(" + all + ")";
  if (to != 1) all = use("ordered" + std::to_string(to)) + "(" + all + ")";
  return all;
}

Value VectorPrinter::lanes(int id) {
  Value& value = values_[static_cast<std::size_t>(id)];
  if (value.kind == Value::Kind::source) return loaded_source(value);
  if (value.kind == Value::Kind::halves) {
    const std::string name = value.text.substr(0, value.text.find('['));
    const std::string text = use("both") + "(" + name + "[2 * #], " + name + "[2 * # + 1])";
    value.kind = Value::Kind::lanes;
    value.text = define(target_.word("V"), "", vectors(value.bits), text);
    return value;
  }
  if (value.kind == Value::Kind::constant) {
    Value all = value;
    all.kind = Value::Kind::lanes;
    return all;
  }
  return value;
}

std::string VectorPrinter::operand(int id, int order) {
  const Value value = lanes(id);
  if (value.kind == Value::Kind::mask) {
    if (value.order != order) throw NotPossible{"a mask in another order than what it selects"};
    return value.text;
  }
  const bool is_constant = values_[static_cast<std::size_t>(id)].kind == Value::Kind::constant;
  return is_constant ? value.text : lanes_in(value, order);
}

Value VectorPrinter::named(const Node& node, int id, Value value, const std::string& type, int count, bool must) {
  const bool once = uses_[static_cast<std::size_t>(id)] <= 1;
  if (node.name.empty() && once && !must) return value;
  value.text = define(type, local(node.name), count, value.text, node.note);
  return value;
}

bool VectorPrinter::feeds_width_change(int id) const {
  const auto is_wide_lookup = [](const Node& node) {
    return operation(node.op).signature.shape == Shape::lookup && node.op != Op::table && node.bits > 8;
  };
  if (static_cast<std::size_t>(id) + 1 == program_.nodes.size()) return true;
  for (const Node& node : program_.nodes) {
    if (std::find(node.args.begin(), node.args.end(), id) == node.args.end()) continue;
    const Shape shape = operation(node.op).signature.shape;
    if (shape == Shape::resize || shape == Shape::convert || shape == Shape::join || node.op == Op::byte ||
        node.op == Op::sign8 || node.op == Op::fold || is_wide_lookup(node))
      return true;
  }
  return false;
}

bool VectorPrinter::is_name(const std::string& text) {
  return text.size() > 3 && text.ends_with("[#]") && std::all_of(text.begin(), text.end() - 3, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
         });
}

Value VectorPrinter::in_a_name(Value value) {
  if (value.kind == Value::Kind::lanes && !is_name(value.text) && value.text.find('#') != std::string::npos)
    value.text = define(target_.word("V"), "", vectors(value.bits), value.text);
  return value;
}

}  // namespace castforge::amalgam::vectors

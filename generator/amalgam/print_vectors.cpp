#include "amalgam/print_vectors.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "emit/comment.hpp"
#include "emit/print_cpp.hpp"

namespace castforge::amalgam {
namespace {

using namespace ir;

/// What a node is in C. The text of lanes, masks and halves has '#' where the number of the vector stands.
struct Value {
  enum class Kind { constant, source, lanes, mask, halves };
  Kind kind = Kind::constant;
  int bits = 0;
  int order = 1;  // of lanes and masks: see runtime/simd/batch.hpp
  std::string text;
};

std::string at(const std::string& text, const std::string& index) {
  std::string all = text;
  for (std::size_t place = 0; (place = all.find('#', place)) != std::string::npos; place += index.size())
    all.replace(place, 1, index);
  return all;
}

std::string part(int of, int index) {
  if (of == 1) return "i";
  return std::to_string(of) + " * i" + (index == 0 ? "" : " + " + std::to_string(index));
}

/// "castforge" keeps `in`, `out` and `i` for itself; C a few more words than the names of programs avoid.
std::string local(const std::string& name) {
  static const std::set<std::string> kTaken = {"in",   "out",    "i",      "auto",     "float", "double", "int",
                                               "char", "signed", "inline", "restrict", "long",  "short",  "register"};
  return kTaken.contains(name) ? name + "_" : name;
}

struct NotPossible {
  std::string why;
};

class Printer {
 public:
  Printer(const Program& program, std::string kernel, Packing from, Packing to, Target& target)
      : program_(program), kernel_(std::move(kernel)), from_(from), to_(to), target_(target) {
    bytes_ = target.number("bytes", 0);
    const int from_unit = storage_unit(program.src_bits) / 8, to_unit = storage_unit(program.dst_bits) / 8;
    lanes_ = bytes_ / std::min(from_unit, to_unit) * (from_unit == to_unit ? 2 : 1);
    if (program.is_copy()) lanes_ *= 2;
    interleave_ = target.number("order interleave", 1);
    source_order_ = from_unit == 1 ? order_for(to_unit) : 1;
    const auto narrow = [](int bits) { return bits == 2 || bits == 4; };
    planes_ =
        narrow(program.src_bits) && narrow(program.dst_bits) && from == Packing::low_first && to == Packing::low_first;
    if (planes_) lanes_ = 8 / std::min(program.src_bits, program.dst_bits) * bytes_;
    uses_.resize(program.nodes.size());
    for (const Node& node : program.nodes) {
      for (const int arg : node.args) ++uses_[static_cast<std::size_t>(arg)];
    }
  }

  PrintedBlock print() {
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
    const std::set<std::string> missing = target_.take_missing();
    if (block.problem.empty() && !missing.empty()) {
      for (const std::string& name : missing) block.problem += (block.problem.empty() ? "no " : ", ") + name;
    }
    block.lines = constants_;
    block.lines.insert(block.lines.end(), lines_.begin(), lines_.end());
    block.tables.assign(tables_.begin(), tables_.end());
    return block;
  }

 private:
  int order_for(int times) const { return interleave_ == 1 ? 1 : times; }
  int vectors(int bits) const { return lanes_ * bits / 8 / bytes_; }

  std::string use(const std::string& helper) { return target_.use(helper); }
  /// The helper of an operation on lanes of `bits`: by width where there is such a one.
  std::string lane_helper(const std::string& name, int bits) {
    if (!target_.has(name + std::to_string(bits)) && target_.has(name)) return use(name);
    return use(name + std::to_string(bits));
  }

  void line(const std::string& code, const std::string& note = "") { add(lines_, code, note); }
  static void add(std::vector<std::string>& lines, const std::string& code, const std::string& note) {
    if (note.empty()) return lines.push_back("  " + code);
    if (code.size() + note.size() + 6 <= emit::kColumns) return lines.push_back("  " + code + "  // " + note);
    lines.push_back("  // " + note);
    lines.push_back("  " + code);
  }

  /// `count` values of `type`, the one numbered i being `text`; the result is "name[#]".
  std::string define(const std::string& type, std::string name, int count, const std::string& text,
                     const std::string& note = "") {
    if (name.empty()) name = "t" + std::to_string(temporaries_++);
    line(type + " " + name + "[" + std::to_string(count) + "]; CASTFORGE_EACH_" + std::to_string(count) + "(" + name +
             "[i] = " + at(text, "i") + ";)",
         note);
    return name + "[#]";
  }
  void each(int count, const std::string& statement) {
    line("CASTFORGE_EACH_" + std::to_string(count) + "(" + statement + ";)");
  }

  /// All lanes equal to a number; defined once, before everything else.
  std::string constant(std::uint64_t number, int bits, std::string name = "", const std::string& note = "") {
    if (name.empty()) name = "k" + emit::hex(number, number < 256 ? 8 : bits).substr(2) + "_" + std::to_string(bits);
    if (constant_names_.insert(name).second) {
      std::string value = number < 10 ? std::to_string(number) : emit::hex(number, bits);
      if (bits == 64) value += "u";
      add(constants_,
          "const " + target_.word("V") + " " + name + " = " + use("all" + std::to_string(bits)) + "(" + value + ");",
          note);
    }
    return name;
  }

  Value& loaded_source(Value& source) {
    if (source.kind != Value::Kind::source) return source;
    const int unit = source.bits, bits = program_.src_bits;
    const std::string type = target_.word("V");
    std::string text;
    if (is_natural_width(bits)) {
      text = use("load") + "(in + " + std::to_string(bytes_) + " * #)";
    } else {
      const std::string packing = from_ == Packing::high_first ? "_high" : "";
      text = use("unpack" + std::to_string(bits) + packing) + "(in + " + std::to_string(bytes_ * bits / unit) + " * #)";
    }
    source.kind = Value::Kind::lanes;
    source.text = define(type, local("bits"), vectors(unit), reordered(text, 1, source.order));
    return source;
  }

  std::string reordered(const std::string& text, int from, int to) {
    std::string all = text;
    if (from == to) return all;
    if (from != 1) all = use("natural" + std::to_string(from)) + "(" + all + ")";
    if (to != 1) all = use("ordered" + std::to_string(to)) + "(" + all + ")";
    return all;
  }

  /// As lanes, in whatever order they are.
  Value lanes(int id) {
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
  std::string lanes_in(const Value& value, int order) { return reordered(value.text, value.order, order); }

  Value shape_of(const std::vector<int>& args) {
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

  std::string operand(int id, int order) {
    const Value value = lanes(id);
    if (value.kind == Value::Kind::mask) {
      if (value.order != order) throw NotPossible{"a mask in another order than what it selects"};
      return value.text;
    }
    const bool is_constant = values_[static_cast<std::size_t>(id)].kind == Value::Kind::constant;
    return is_constant ? value.text : lanes_in(value, order);
  }

  /// A value that is used often, or by a width change, has a name.
  Value named(const Node& node, int id, Value value, const std::string& type, int count, bool must) {
    const bool once = uses_[static_cast<std::size_t>(id)] <= 1;
    if (node.name.empty() && once && !must) return value;
    value.text = define(type, local(node.name), count, value.text, node.note);
    return value;
  }
  /// Does something take several vectors of the value at a time?
  bool feeds_width_change(int id) const {
    if (static_cast<std::size_t>(id) + 1 == program_.nodes.size()) return true;
    for (const Node& node : program_.nodes) {
      if (std::find(node.args.begin(), node.args.end(), id) == node.args.end()) continue;
      const Shape shape = operation(node.op).signature.shape;
      if (shape == Shape::resize || shape == Shape::convert || shape == Shape::join || node.op == Op::byte ||
          node.op == Op::sign8 || node.op == Op::fold || node.op == Op::lookup16_wide)
        return true;
    }
    return false;
  }

  Value value_of(int id) {
    const Node& node = program_.nodes[static_cast<std::size_t>(id)];
    const Operation& row = operation(node.op);
    Value value;
    value.bits = node.bits;
    switch (node.op) {
      case Op::input: return input(node);
      case Op::constant:
        value.text = constant_used_as_lanes(id) ? constant(node.imm, node.bits, node.name, node.note) : "";
        return value;
      case Op::widen:
      case Op::widen_signed: return widened(node, id);
      case Op::truncate:
      case Op::narrow:
      case Op::byte:
      case Op::sign8:
      case Op::fold: return packed(node, id);
      case Op::join: return joined(node, id);
      case Op::lookup16_wide: return wide_lookup(node, id);
      default: break;
    }
    if (row.signature.shape == Shape::convert) return converted(node, id);
    return per_part(node, id);
  }

  /// Joins take the number 0 as no plane at all.
  bool constant_used_as_lanes(int id) const {
    if (static_cast<std::size_t>(id) + 1 == program_.nodes.size()) return true;
    for (const Node& node : program_.nodes) {
      if (node.op != Op::join && std::find(node.args.begin(), node.args.end(), id) != node.args.end()) return true;
    }
    return false;
  }

  Value input(const Node& node) {
    Value value;
    value.bits = node.bits;
    value.order = source_order_;
    value.kind = Value::Kind::source;
    if (!planes_) return value;
    const int count = vectors(8);
    const std::string name = local("bits");
    line(target_.word("V") + " " + name + "[" + std::to_string(count) + "]; " +
         use("load_planes" + std::to_string(program_.src_bits) + "_" + std::to_string(program_.dst_bits)) + "(in, " +
         name + ");");
    value.kind = Value::Kind::lanes;
    value.order = 1;
    value.text = name + "[#]";
    return value;
  }

  Value per_part(const Node& node, int id) {
    const Operation& row = operation(node.op);
    const bool chooses = row.signature.shape == Shape::choose;
    const int bits = program_.nodes[static_cast<std::size_t>(node.args[chooses ? 1 : 0])].bits;
    Value value;
    value.bits = node.bits;
    value.kind = is_mask(node) ? Value::Kind::mask : Value::Kind::lanes;
    value.order = shape_of(node.args).order;
    std::string list;
    if (row.signature.argument == Argument::table) list = table_operand(node);
    for (const int arg : node.args) list += (list.empty() ? "" : ", ") + operand(arg, value.order);
    if (row.signature.argument == Argument::number) list += ", " + std::to_string(node.imm);
    std::string name = row.name;
    value.text = lane_helper(name, bits) + "(" + list + ")";
    const std::string type = target_.word(is_mask(node) ? "M" + std::to_string(bits) : "V");
    return named(node, id, value, type, vectors(node.bits), feeds_width_change(id));
  }

  std::string table_operand(const Node& node) {
    const Table& table = program_.tables[static_cast<std::size_t>(node.table)];
    const std::string name = table_name(kernel_, program_, table);
    tables_.insert(name);
    if (node.op != Op::lookup16 && node.op != Op::lookup16_or_zero) return name;
    if (constant_names_.insert(table.name).second)
      add(constants_, "const " + target_.word("V") + " " + table.name + " = " + use("table16") + "(" + name + ");",
          table.note);
    return table.name;
  }

  /// Several vectors become one.
  Value packed_by(const Node& node, int id, int from, int to, const std::string& call, const std::string& first) {
    const int times = from / to;
    const int pack_order =
        times == 1 ? 1 : target_.number("order " + std::to_string(from) + "_" + std::to_string(to), 1);
    Value operand = lanes(node.args[0]);
    if (values_[static_cast<std::size_t>(node.args[0])].kind == Value::Kind::constant)
      throw NotPossible{"a constant is packed"};
    if (pack_order == 1 && operand.order != 1) {
      operand.text = define(target_.word("V"), "", vectors(from), lanes_in(operand, 1));
      operand.order = 1;
    }
    std::string list = first;
    for (int k = 0; k < times; ++k) list += (list.empty() ? "" : ", ") + at(operand.text, part(times, k));
    Value value;
    value.kind = Value::Kind::lanes;
    value.bits = to;
    value.order = pack_order * operand.order;
    value.text = use(call) + "(" + list + ")";
    return named(node, id, value, target_.word("V"), vectors(to), feeds_width_change(id));
  }

  Value packed(const Node& node, int id) {
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

  /// The halves of vectors, in natural order; "#" is the number of the half.
  std::string halves(int id) {
    Value& value = values_[static_cast<std::size_t>(id)];
    if (value.kind == Value::Kind::source && is_natural_width(program_.src_bits))
      return use("load_half") + "(in + " + std::to_string(bytes_ / 2) + " * #)";
    if (value.kind == Value::Kind::halves) return value.text;
    Value all = lanes(id);
    const std::string text =
        all.order == 1 ? all.text : define(target_.word("V"), "", vectors(all.bits), lanes_in(all, 1));
    const std::string name = "t" + std::to_string(temporaries_++);
    const int count = vectors(all.bits);
    line(target_.word("H") + " " + name + "[" + std::to_string(2 * count) + "]; CASTFORGE_EACH_" +
         std::to_string(count) + "(" + name + "[2 * i] = " + use("low_half") + "(" + at(text, "i") + "); " + name +
         "[2 * i + 1] = " + use("high_half_of") + "(" + at(text, "i") + ");)");
    return name + "[#]";
  }

  Value converted(const Node& node, int id) {
    const Operation& row = operation(node.op);
    const int from = program_.nodes[static_cast<std::size_t>(node.args[0])].bits;
    Value value;
    value.bits = node.bits;
    if (from < node.bits) {
      const std::string half = halves(node.args[0]);
      value.kind = Value::Kind::lanes;
      value.text = use(row.name) + "(" + half + ")";
      return named(node, id, value, target_.word("V"), vectors(node.bits), true);
    }
    const std::string to_half = std::string(row.name) + "_half";
    if (!target_.has(to_half)) return packed_by(node, id, from, node.bits, row.name, "");
    const Value operand = lanes(node.args[0]);
    value.kind = Value::Kind::halves;
    value.text = define(target_.word("H"), local(node.name), vectors(from),
                        use(to_half) + "(" + lanes_in(operand, 1) + ")", node.note);
    return value;
  }

  Value widened(const Node& node, int id) {
    Value& source = values_[static_cast<std::size_t>(node.args[0])];
    const int from = source.bits, to = node.bits;
    const std::string widths = std::to_string(from) + "_" + std::to_string(to);
    const bool is_signed = node.op == Op::widen_signed;
    Value value;
    value.kind = Value::Kind::lanes;
    value.bits = to;
    if (source.kind == Value::Kind::source && is_natural_width(program_.src_bits)) {
      value.text = use(std::string(is_signed ? "load_signed" : "load_widened") + widths) + "(in + " +
                   std::to_string(bytes_ * from / to) + " * #)";
      return named(node, id, value, target_.word("V"), vectors(to), true);
    }
    Value all = lanes(node.args[0]);
    if (!is_signed) {
      all = widened_lanes(all, to, "");
      return named(node, id, all, target_.word("V"), vectors(to), !node.name.empty());
    }
    const std::uint64_t top = std::uint64_t{1} << (from - 1);
    all.text = define(target_.word("V"), "", vectors(from),
                      use("bit_xor") + "(" + all.text + ", " + constant(top, from) + ")");
    all = widened_lanes(all, to, "");
    all.text = use("sub" + std::to_string(to)) + "(" + all.text + ", " + constant(top, to) + ")";
    return named(node, id, all, target_.word("V"), vectors(to), true);
  }

  /// Zeros above.
  Value widened_lanes(Value value, int to, const std::string& /*name*/) {
    if (value.bits == 8 && target_.has("place_bytes")) return placed(value, 0, value, 0, to);
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
  Value zeros(const Value& like) {
    Value value = like;
    value.kind = Value::Kind::constant;
    value.text = use("zero") + "()";
    return value;
  }

  static bool is_name(const std::string& text) {
    return text.size() > 3 && text.ends_with("[#]") && std::all_of(text.begin(), text.end() - 3, [](char c) {
             return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
           });
  }
  Value in_a_name(Value value) {
    if (value.kind == Value::Kind::lanes && !is_name(value.text) && value.text.find('#') != std::string::npos)
      value.text = define(target_.word("V"), "", vectors(value.bits), value.text);
    return value;
  }

  /// Lanes of twice the width from their halves.
  Value interleaved(Value low, Value high) {
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
    line(target_.word("V") + " " + name + "[" + std::to_string(2 * count) + "]; CASTFORGE_EACH_" +
         std::to_string(count) + "(" + name + "[2 * i] = " + call("interleave_low") + "; " + name +
         "[2 * i + 1] = " + call("interleave_high") + ";)");
    Value value;
    value.kind = Value::Kind::lanes;
    value.bits = 2 * low.bits;
    value.order = std::max(1, low.order / interleave_);
    value.text = name + "[#]";
    return value;
  }

  /// Bytes put into lanes of `to` bits, those of a at byte `first` and those of b at byte `second`.
  Value placed(Value a, int first, Value b, int second, int to) {
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
           "(" + emit::hex(used, 64) + "u, " + where + ", " + at(a.text, "i") + ", " + at(b.text, "i") + ");)");
    }
    Value value;
    value.kind = Value::Kind::lanes;
    value.bits = to;
    value.text = name + "[#]";
    return value;
  }

  Value joined(const Node& node, int id) {
    std::vector<int> planes;
    for (std::size_t k = 0; k < node.args.size(); ++k) {
      if (program_.nodes[static_cast<std::size_t>(node.args[k])].op != Op::constant)
        planes.push_back(static_cast<int>(k));
    }
    const auto plane = [&](int k) { return lanes(node.args[static_cast<std::size_t>(k)]); };
    Value value;
    if (target_.has("place_bytes") && planes.size() <= 2) {
      value = placed(plane(planes.front()), planes.front(), plane(planes.back()), planes.back(), node.bits);
    } else {
      const int order = order_for(node.bits / 8);
      std::vector<Value> parts;
      for (std::size_t k = 0; k < node.args.size(); ++k) {
        const Node& arg = program_.nodes[static_cast<std::size_t>(node.args[k])];
        Value byte;
        if (arg.op == Op::constant) {
          if (arg.imm != 0) throw NotPossible{"a constant byte is joined"};
          byte.bits = 8;
          byte.order = order;
          byte.text = use("zero") + "()";
        } else {
          byte = lanes(node.args[k]);
          byte.text = lanes_in(byte, order);
          byte.order = order;
          byte = in_a_name(byte);
        }
        parts.push_back(byte);
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

  Value wide_lookup(const Node& node, int id) {
    const std::string table = table_operand(node);
    Value& source = values_[static_cast<std::size_t>(node.args[0])];
    const int to = node.bits;
    Value index;
    index.kind = Value::Kind::lanes;
    index.bits = to;
    const bool shares = source.kind == Value::Kind::source && program_.src_bits < 8 && 8 % program_.src_bits == 0;
    if (shares) {
      const std::string bits = std::to_string(program_.src_bits) + (from_ == Packing::high_first ? "_high" : "");
      index.text = use("spread" + bits + "_" + std::to_string(to)) + "(in + " +
                   std::to_string(bytes_ * 8 / to * program_.src_bits / 8) + " * #)";
    } else if (source.kind == Value::Kind::source && is_natural_width(program_.src_bits)) {
      index.text = use("load_widened8_" + std::to_string(to)) + "(in + " + std::to_string(bytes_ * 8 / to) + " * #)";
    } else {
      index = widened_lanes(lanes(node.args[0]), to, "");
    }
    Value value = index;
    value.text = use("lookup16_wide" + std::to_string(to)) + "(" + table + ", " + index.text + ")";
    return named(node, id, value, target_.word("V"), vectors(to), true);
  }

  void store(const Value& result) {
    const int bits = program_.dst_bits, unit = storage_unit(bits);
    Value value = result;
    if (value.kind == Value::Kind::source) value = loaded_source(values_.back());
    if (planes_) {
      if (value.kind == Value::Kind::constant) {
        value.text = define(target_.word("V"), "", vectors(8), value.text);
      }
      const std::string name = value.text.substr(0, value.text.find('['));
      line(use("store_planes" + std::to_string(program_.src_bits) + "_" + std::to_string(bits)) + "(out, " + name +
           ");");
      return;
    }
    if (value.kind == Value::Kind::halves) {
      if (bits == unit) {
        each(2 * vectors(unit),
             use("store_half") + "(out + " + std::to_string(bytes_ / 2) + " * i, " + at(value.text, "i") + ")");
        return;
      }
      value = lanes(static_cast<int>(program_.nodes.size()) - 1);
    }
    const int count = vectors(unit);
    if (bits == unit) {
      each(count, use("store") + "(out + " + std::to_string(bytes_) + " * i, " + at(lanes_in(value, 1), "i") + ")");
      return;
    }
    const bool high = to_ == Packing::high_first;
    if (bits == 4 && !high) return store_nibbles(value);
    const std::string natural =
        value.order == 1 ? value.text : define(target_.word("V"), "", count, lanes_in(value, 1));
    if (bits == 2 && !high) return store_quarters(natural, count);
    each(count, use("pack" + std::to_string(bits) + (high ? "_high" : "")) + "(out + " +
                    std::to_string(bytes_ * bits / unit) + " * i, " + at(natural, "i") + ")");
  }

  // Neighbours stay neighbours in the orders of two and of four vectors.
  void store_nibbles(Value value) {
    if (value.order > 4) {
      value.text = define(target_.word("V"), "", vectors(8), lanes_in(value, 1));
      value.order = 1;
    }
    const int pack_order = target_.number("order 16_8", 1);
    const std::string pairs = define(target_.word("V"), "", vectors(8), use("nibble_pairs") + "(" + value.text + ")");
    const int order = pack_order * value.order;
    if (vectors(8) == 1) {
      const std::string narrow = use("narrow16_8") + "(" + at(pairs, "0") + ", " + at(pairs, "0") + ")";
      // The vector twice: packed with itself it is in the order of one pack.
      line(use("store_half") + "(out, " + use("low_half") + "(" + reordered(narrow, order, 1) + "));");
      return;
    }
    each(vectors(8) / 2,
         use("store") + "(out + " + std::to_string(bytes_) + " * i, " +
             reordered(use("narrow16_8") + "(" + at(pairs, "2 * i") + ", " + at(pairs, "2 * i + 1") + ")", order, 1) +
             ")");
  }
  void store_quarters(const std::string& natural, int count) {
    const std::string fours = define(target_.word("V"), "", count, use("crumbs_of_four") + "(" + natural + ")");
    std::string list;
    for (int k = 0; k < 4; ++k) list += (k == 0 ? "" : ", ") + at(fours, std::to_string(k % count));
    const std::string all = reordered(use("narrow32_8") + "(" + list + ")", target_.number("order 32_8", 1), 1);
    line(use(count == 1 ? "store_quarter" : "store_first_half") + "(out, " + all + ");");
  }

  const Program& program_;
  std::string kernel_;
  Packing from_, to_;
  Target& target_;
  int bytes_ = 0, lanes_ = 0, interleave_ = 1, source_order_ = 1;
  bool planes_ = false;
  std::vector<int> uses_;
  std::vector<Value> values_;
  std::vector<std::string> constants_, lines_;
  std::set<std::string> constant_names_, tables_;
  int temporaries_ = 0;
};

}  // namespace

std::string table_name(const std::string& kernel, const ir::Program& program, const ir::Table& table) {
  return kernel + "_" + program.variant() + "_" + table.name;
}

PrintedBlock print_vectors(const ir::Program& program, const std::string& kernel, Packing from, Packing to,
                           Target& target) {
  const std::set<std::string> used = target.used();
  PrintedBlock block = Printer(program, kernel, from, to, target).print();
  if (!block.problem.empty()) target.forget_since(used);
  return block;
}

}  // namespace castforge::amalgam

// From memory to vectors and back: elements of whole words, and those that share bytes.
#include "amalgam/vector_printer.hpp"

namespace castforge::amalgam::vectors {

using namespace ir;

Value& VectorPrinter::loaded_source(Value& source) {
  if (source.kind != Value::Kind::source) return source;
  const int word = source.bits, bits = program_.src_bits;
  const std::string type = target_.word("V");
  std::string text;
  if (is_natural_width(bits)) {
    text = use("load") + "(in + " + std::to_string(bytes_) + " * #)";
  } else {
    const std::string packing = from_ == Packing::high_first ? "_high" : "";
    text = use("unpack" + std::to_string(bits) + packing) + "(in + " + std::to_string(bytes_ * bits / word) + " * #)";
  }
  source.kind = Value::Kind::lanes;
  source.text = define(type, local("bits"), vectors(word), reordered(text, 1, source.order));
  return source;
}

Value VectorPrinter::input(const Node& node) {
  if (!planes_) return {.kind = Value::Kind::source, .bits = node.bits, .order = source_order_};
  const int count = vectors(8);
  const std::string name = local("bits");
  line(target_.word("V") + " " + name + "[" + std::to_string(count) + "]; " +
       use("load_planes" + std::to_string(program_.src_bits) + "_" + std::to_string(program_.dst_bits)) + "(in, " +
       name + ");");
  return {.kind = Value::Kind::lanes, .bits = node.bits, .text = name + "[#]"};
}

void VectorPrinter::store(const Value& result) {
  const int bits = program_.dst_bits, word = storage_unit(bits);
  Value value = result;
  if (value.kind == Value::Kind::source) value = loaded_source(values_.back());
  if (planes_) {
    if (value.kind == Value::Kind::constant) {
      value.text = define(target_.word("V"), "", vectors(8), value.text);
    }
    const std::string name = value.text.substr(0, value.text.find('['));
    line(use("store_planes" + std::to_string(program_.src_bits) + "_" + std::to_string(bits)) + "(out, " + name + ");");
    return;
  }
  if (value.kind == Value::Kind::halves) {
    if (bits == word) {
      each(2 * vectors(word),
           use("store_half") + "(out + " + std::to_string(bytes_ / 2) + " * i, " + at(value.text, "i") + ")");
      return;
    }
    value = lanes(static_cast<int>(program_.nodes.size()) - 1);
  }
  const int count = vectors(word);
  if (bits == word) {
    each(count, use("store") + "(out + " + std::to_string(bytes_) + " * i, " + at(lanes_in(value, 1), "i") + ")");
    return;
  }
  const bool high = to_ == Packing::high_first;
  if (bits == 4 && !high) return store_nibbles(value);
  const std::string natural = value.order == 1 ? value.text : define(target_.word("V"), "", count, lanes_in(value, 1));
  if (bits == 2 && !high) return store_quarters(natural, count);
  each(count, use("pack" + std::to_string(bits) + (high ? "_high" : "")) + "(out + " +
                  std::to_string(bytes_ * bits / word) + " * i, " + at(natural, "i") + ")");
}

void VectorPrinter::store_nibbles(Value value) {
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

void VectorPrinter::store_quarters(const std::string& natural, int count) {
  const std::string fours = define(target_.word("V"), "", count, use("crumbs_of_four") + "(" + natural + ")");
  std::string list;
  for (int k = 0; k < 4; ++k) list += (k == 0 ? "" : ", ") + at(fours, std::to_string(k % count));
  const std::string all = reordered(use("narrow32_8") + "(" + list + ")", target_.number("order 32_8", 1), 1);
  line(use(count == 1 ? "store_quarter" : "store_first_half") + "(out, " + all + ");");
}

}  // namespace castforge::amalgam::vectors

#include "lower/lower_saturated.hpp"

#include <string>
#include <vector>

#include "lower/lower_table.hpp"
#include "semantics/convert.hpp"

namespace castforge::lower {
namespace {

using ir::Value;
using spec::Type;

constexpr int kBitsOfNibble = 4;  // an index of a table of 16, which fewer bits would not make any smaller

/// An integer of `bits` bits and the source's sign.
Type narrowed(const Type& src, int bits) {
  Type type = src;
  type.value_bits = type.storage_bits = bits;
  return type;
}

/// Has everything beyond `bits` bits the result of the end it lies behind? What lies between two integers that have one
/// result has it, too, as results keep the order of the numbers.
bool ends_within(const spec::Meaning& meaning, int bits) {
  const Type& src = *meaning.src;
  if (!semantics::keeps_order(meaning, false) || (src.is_signed && !semantics::keeps_order(meaning, true)))
    return false;
  const int sign = src.is_signed ? 1 : 0;
  const auto result = [&](std::uint64_t code) {
    return semantics::convert_storage(meaning, code & low_bits(src.value_bits));
  };
  const std::uint64_t most = low_bits(bits - sign), last = low_bits(src.value_bits - sign);
  const auto agree = [&](std::uint64_t end, std::uint64_t beyond, std::uint64_t furthest) {
    return result(end) == result(beyond) && result(end) == result(furthest);
  };
  return agree(most, most + 1, last) && (!src.is_signed || agree(~most, ~(most + 1), ~last));
}

/// The source between the ends of `bits` bits, as such a code.
Value saturated(ir::Builder& b, bool is_signed, int bits) {
  constexpr const char* kAbove = " - 1: all above has its result";
  Value value = b.element();
  if (is_signed) {
    value = ir::min_signed(value, b.constant("kMost", low_bits(bits - 1), ir::power_formula(bits - 1) + kAbove));
    value = ir::max_signed(value, b.constant("kLeast", ~low_bits(bits - 1),
                                             "-" + ir::power_formula(bits - 1) + ": all below has its result"));
  } else {
    value = ir::min(value, b.constant("kMost", low_bits(bits), ir::power_formula(bits) + kAbove));
  }
  if (value.bits() > 8) value = ir::truncate(value, 8);
  b.work_in(8);
  if (is_signed && bits < 8)
    value = value & b.constant("kCode", low_bits(bits), ir::power_formula(bits) + " - 1: the bits of the code");
  return value.named("code", "the number as an integer of " + std::to_string(bits) + " bits");
}

/// The nodes of `looked_up` with `code` for its element.
Value with_code(ir::Builder& b, const ir::Program& looked_up, Value code) {
  b.program().tables = looked_up.tables;
  std::vector<Value> values;
  for (const ir::Node& node : looked_up.nodes) {
    if (node.op == ir::Op::input) {
      values.push_back(code);
      continue;
    }
    if (node.op == ir::Op::constant) {
      values.push_back(node.name.empty() ? b.literal(node.imm, node.bits)
                                         : b.constant(node.name, node.imm, node.note, node.bits));
      continue;
    }
    std::vector<Value> operands;
    for (const int operand : node.args) operands.push_back(values[static_cast<std::size_t>(operand)]);
    const Value value = b.node(node.op, operands, node.imm, node.bits, node.table);
    values.push_back(node.name.empty() ? value : value.named(node.name, node.note));
  }
  return values.back();
}

/// How few bits, at most `most`, hold all results that differ; nothing where these are not enough.
std::optional<int> bits_that_differ(const spec::Meaning& meaning, int most) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  if (src.kind != spec::Kind::integer || src.value_bits != storage_unit(src.storage_bits)) return {};
  if (dst.kind != spec::Kind::floating || dst.storage_bits > 8 || meaning.saturate_first) return {};
  for (int bits = kBitsOfNibble; bits <= most && bits < src.value_bits; ++bits) {
    if (ends_within(meaning, bits)) return bits;
  }
  return {};
}

/// The source saturated to so many bits, then what `look_up` makes of an integer of these.
template <class LookUp>
std::optional<ir::Program> saturated_lookup(const spec::Meaning& meaning, std::optional<int> bits, LookUp look_up) {
  if (!bits) return {};
  const Type& src = *meaning.src;
  const Type narrow_src = narrowed(src, *bits);
  spec::Meaning narrow = meaning;
  narrow.src = &narrow_src;
  const std::optional<ir::Program> looked_up = look_up(narrow);
  if (!looked_up) return {};
  ir::Builder b(src.storage_bits, meaning.dst->storage_bits, src.storage_bits);
  b.needs(looked_up->needs);
  return b.finish(with_code(b, *looked_up, saturated(b, src.is_signed, *bits)));
}

}  // namespace

std::optional<ir::Program> lower_saturated(const spec::Meaning& meaning) {
  return saturated_lookup(meaning, bits_that_differ(meaning, kBitsOfNibble),
                          [](const spec::Meaning& narrow) { return lower_table(narrow); });
}

std::optional<ir::Program> lower_saturated_in_long_table(const spec::Meaning& meaning) {
  return saturated_lookup(meaning, bits_that_differ(meaning, 8), lower_long_table);
}

std::optional<ir::Program> lower_saturated_to(const spec::Meaning& meaning, int most, TableClass table_class) {
  return saturated_lookup(meaning, bits_that_differ(meaning, most),
                          [=](const spec::Meaning& narrow) { return std::optional(lower_table(narrow, table_class)); });
}

}  // namespace castforge::lower

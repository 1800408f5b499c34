#include "emit/operation_files.hpp"

#include <utility>

#include "emit/kernel_file.hpp"
#include "emit/print_cpp.hpp"
#include "ir/operations.hpp"
#include "plan/instruction_sets.hpp"

namespace castforge::emit {
namespace {

using namespace ir;

std::string escaped(const std::string& text) {  // a bar would end a cell
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string code(const std::string& text) { return "`" + escaped(text) + "`"; }

std::string list(unsigned widths) {
  std::string text;
  for (const unsigned width : {8u, 16u, 32u, 64u}) {
    if ((widths & width) != 0) text += (text.empty() ? "" : " ") + std::to_string(width);
  }
  return text;
}

/// Lanes of the operands, and of the result where they are others.
std::string widths(const Signature& signature) {
  const std::string from = list(signature.widths);
  switch (signature.shape) {
    case Shape::compare: return from + ", to a mask";
    case Shape::logic: return "masks of " + from;
    case Shape::choose: return "mask and values of " + from;
    case Shape::convert: return from + " to " + std::to_string(signature.to);
    case Shape::resize: return from + " to U";
    case Shape::join: return "bytes to U";
    case Shape::lookup: return from + " to " + (signature.to == 0 ? "entries" : std::to_string(signature.to));
    default: return from;
  }
}

const char* environment(Environment needed) {
  switch (needed) {
    case Environment::none: return "";
    case Environment::rounding: return "rounding, exceptions";
    case Environment::subnormals: return "rounding, exceptions, flushing";
  }
  return "";
}

/// The needs that an instruction set meets: "`vector`, `bytes16`".
std::string needs_met(const plan::InstructionSet& set) {
  std::string text;
  for (const auto& [bit, word] : all_needs()) {
    if ((set.offers & bit) != 0) text += (text.empty() ? "" : ", ") + code(std::string(word));
  }
  return text.empty() ? "nothing" : text;
}

/// The macro of runtime/simd/lanes.hpp that applies it to all vectors; "" where lanes.hpp says by itself how.
std::string lanes_macro(const Operation& row) {
  const Signature& signature = row.signature;
  const std::string name = row.spelling, number = signature.argument == Argument::number ? "_N" : "";
  switch (signature.shape) {
    case Shape::same:
    case Shape::compare:
    case Shape::logic:
      return "CASTFORGE_PER_PART" + (number.empty() ? "_" + std::to_string(signature.arity) : number) + "(" + name +
             ")";
    case Shape::convert:
      if (static_cast<unsigned>(signature.to) > signature.widths) return "CASTFORGE_PER_HALF(" + name + ")";
      return "CASTFORGE_PACKED" + number + "(" + name + ", u" + std::to_string(signature.to) + ")";
    default: return "";
  }
}

}  // namespace

std::string lane_operations(const Templates& templates) {
  Fields fields;
  for (const auto& [need, word] : all_needs()) {
    Fields group = need == kNeedsVector ? Fields{} : field("condition", upper_case(word));
    for (std::size_t i = 0; i < operations().size(); ++i) {
      const Operation& row = operation(static_cast<Op>(i));
      const std::string line = is_infix(static_cast<Op>(i)) ? "" : lanes_macro(row);
      if (row.needs == need && !line.empty()) group.lists["lines"].push_back(field("line", line));
    }
    if (!group.lists.empty()) fields.lists["groups"].push_back(std::move(group));
  }
  for (const plan::InstructionSet& set : plan::instruction_sets()) {
    if (set.offers == kNeedsNothing) continue;  // no vectors
    fields.lists["sets"].push_back(
        {{{"set", upper_case(set.name)}, {"offers", needs_word(set.offers, "Needs::")}}, {}});
  }
  return templates.render("operations.hpp", fields);
}

std::string operations_page(const Templates& templates) {
  Fields fields;
  for (std::size_t i = 0; i < operations().size(); ++i) {
    const auto op = static_cast<Op>(i);
    const Operation& row = operation(op);
    const std::string name = row.name;
    fields.lists["operations"].push_back({{{"name", name},
                                           {"spelling", code(spelling(op))},
                                           {"widths", widths(row.signature)},
                                           {"domain", escaped(domain_words(row))},
                                           {"environment", environment(row.environment)},
                                           {"doc", escaped(row.doc)}},
                                          {}});
  }
  for (const plan::InstructionSet& set : plan::instruction_sets())
    fields.lists["sets"].push_back({{{"set", code(set.name)}, {"needs", needs_met(set)}}, {}});
  return templates.render("operations.md", fields);
}

}  // namespace castforge::emit

// Conversions by what their systems call them.
#include <array>
#include <castforge/kernel.hpp>
#include <castforge/notation.hpp>

#include "src/opset_tables.hpp"
#include "src/registry.hpp"
#include "src/status_parts.hpp"

namespace castforge {
namespace {

struct Named {
  Status status;  // of the types
  Type src{}, dst{};
  std::array<Attribute, kMostAttributes> attributes;
  std::size_t attribute_count = 0;

  bool set(std::string_view field, std::string_view word) noexcept {
    if (field == "src" || field == "dst") {
      Type& type = field == "src" ? src : dst;
      if (const Status found = find_type(word, type); !found && status) status = found;
      return true;
    }
    if (attribute_count == attributes.size()) return false;
    attributes[attribute_count++] = {field, AttributeValue::from_text(word)};
    return true;
  }
};

}  // namespace

Kernel find_kernel_by_notation(std::string_view text, std::string_view isa) noexcept {
  OpSet opset;
  return find_kernel_by_notation(text, opset, isa);
}

Kernel find_kernel_by_notation(std::string_view text, OpSet& found_in, std::string_view isa) noexcept {
  if (text.empty()) return Kernel(simple_status(StatusCode::unknown_opset, Role::none, 0, kNoNotation));
  Kernel found(given_status(StatusCode::unknown_opset, text));
  for (const tables::OpSet* opset : registry().opsets) {  // versions ascend: the newest one that knows it
    if (opset->notation == nullptr || opset->operation != kCast) continue;
    Named named;
    const auto set = [&](std::string_view field, std::string_view word) { return named.set(field, word); };
    if (!notation::match(opset->notation, text, set)) continue;
    if (!named.status) {
      if (!found) found = Kernel(named.status);
      continue;
    }
    Attributes attributes;
    attributes.others = std::span(named.attributes).first(named.attribute_count);
    const Kernel kernel = find_kernel(OpSet(opset), named.src, named.dst, attributes, isa);
    if (kernel || !found) found = kernel;
    if (kernel) found_in = OpSet(opset);
  }
  return found;
}

}  // namespace castforge

// What users type: names of types, op-sets, instruction sets, attributes; conversions as their systems write them.
#include <castforge/castforge.hpp>

#include "fuzz/target.hpp"

namespace castforge::fuzz {
namespace {

/// Messages end up on terminals: printable, whole, and what a short buffer gets is their beginning.
void check_message(const Status& status) {
  const std::string message = status.message();
  require((message == "ok") == status.ok(), "an error without a message, or a message without an error");
  char cut[8] = "";
  require(status.write_message(cut, sizeof cut) == message.size(), "a message of two lengths");
  require(message.substr(0, sizeof cut - 1) == cut, "a message cut to something else");
}

}  // namespace

void names(Input input) {
  const std::string_view all = text_of(input);
  check_message(find_kernel_by_notation(all).status());
  // First line: a name; second: another.
  const std::size_t end = std::min(all.find('\n'), all.size());
  const std::string_view first = all.substr(0, end), second = end < all.size() ? all.substr(end + 1) : "";
  Type type{};
  const Status found = find_type(first, type);
  check_message(found);
  require(found.ok() == find_type(first).has_value(), "a type that is found and is not");
  if (found) require(find_type(name(type)) == type, "a type that is not found by its name");
  find_type_in(first, second);
  element_bits(first, second);
  OpSet opset;
  const Status opset_found = find_opset(first, opset);
  check_message(opset_found);
  require(opset_found.ok() == find_opset(first).has_value(), "an op-set that is found and is not");
  for (const std::string_view word : {first, second}) {
    check_message(isa_status(word));
    const AttributeValue value = AttributeValue::from_text(word);
    const Attribute attribute{first, value};
    for (const Attributes& attributes :
         {Attributes{.saturate = value}, Attributes{.round_mode = value}, Attributes{.others = {&attribute, 1}}}) {
      for (const std::string_view system : {std::string_view(), first, std::string_view("p3109@4.0")})
        check_message(find_kernel(system, Type::float32, Type::float8e8m0, attributes, second).status());
    }
  }
  default_opset(first);
  if (found || opset_found) accepted();
}

}  // namespace castforge::fuzz

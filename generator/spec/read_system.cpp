// System specs: what the names of a system look like, and elements of its files that no type describes.
#include <optional>
#include <string>

#include "spec/names.hpp"
#include "spec/read.hpp"

namespace castforge::spec {
namespace {

/// "parts" of "names".
void read_parts(const Node& parts, System& system, const ObjectReader& in, Diagnostics& diagnostics) {
  if (parts.kind != Node::Kind::array || parts.items.empty()) {
    in.error(parts.where, "\"parts\" must be an array of characters and ranges (got " + parts.describe() + ")");
    return;
  }
  for (const Node& item : parts.items) {
    if (item.kind == Node::Kind::string) {
      if (in.is_printable(item.where, item.text)) system.parts.push_back({.characters = item.text});
      continue;
    }
    if (item.kind != Node::Kind::object) {
      in.error(item.where,
               "a part must be characters or a range such as {\"from\": 0, \"to\": 255} (got " + item.describe() + ")");
      continue;
    }
    const ObjectReader range(item, " in a range", diagnostics);
    range.reject_unknown_keys({"from", "to"});
    const Node* from = range.required("from");
    const Node* to = range.required("to");
    if (from == nullptr || to == nullptr) continue;
    if (!from->is_integer_in(0, INT64_MAX) || !to->is_integer_in(0, INT64_MAX) || from->magnitude > to->magnitude) {
      in.error(item.where, "a range must be from a whole number to one that is not smaller (got " + from->describe() +
                               " and " + to->describe() + ")");
      continue;
    }
    system.parts.push_back({.characters = {}, .from = from->integer(), .to = to->integer()});
  }
  for (std::size_t i = 1; i < system.parts.size(); ++i) {
    const std::string& next = system.parts[i].characters;
    const bool begins_with_digit = next.empty() || next.find_first_of("0123456789") != std::string::npos;
    if (system.parts[i - 1].characters.empty() && begins_with_digit)
      in.error(parts.where, "behind a range must come characters without digits, as it takes all digits that follow");
  }
}

void read_names(const Node& names, System& system, Diagnostics& diagnostics) {
  const ObjectReader reader(names, " in \"names\"", diagnostics);
  reader.reject_unknown_keys({"parts", "expected"});
  if (const Node* parts = reader.required("parts")) read_parts(*parts, system, reader, diagnostics);
  const Node* expected = reader.required("expected");
  if (expected == nullptr) return;
  if (expected->kind == Node::Kind::string && !expected->text.empty()) system.expected = reader.prose("expected");
  else reader.error(expected->where, "\"expected\" must be a text (got " + expected->describe() + ")");
}

void read_elements(const Node& elements, System& system, const ObjectReader& in) {
  for (const Node::Member& element : elements.members) {
    in.is_printable(element.key_where, element.key);
    if (element.value.is_integer_in(1, 1024))
      system.other_elements[element.key] = static_cast<int>(element.value.integer());
    else in.error(element.value.where, "the bits of an element must be 1..1024 (got " + element.value.describe() + ")");
  }
}

}  // namespace

std::optional<System> read_system(const Node& root, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.size();
  const ObjectReader in(root, " for a system", diagnostics);
  in.reject_unknown_keys({"system", "names", "shared_prefixes", "other_elements", "doc", "cites"});
  System system;
  system.where = root.where;
  if (const Node* name = in.required("system")) {
    if (name->kind == Node::Kind::string && is_plain_name(name->text)) system.name = name->text;
    else in.error(name->where, "\"system\" must match [a-z][a-z0-9_]* (got " + name->describe() + ")");
  }
  in.prose("doc");
  in.texts("cites");
  if (const Node* names = in.shaped("names", Node::Kind::object, "an object")) read_names(*names, system, diagnostics);
  if (const Node* prefixes = in.optional("shared_prefixes")) {
    system.shared_prefixes = in.texts("shared_prefixes");
    for (const std::string& prefix : system.shared_prefixes) in.is_printable(prefixes->where, prefix);
  }
  const Node* elements = in.shaped("other_elements", Node::Kind::object, "an object of name: bits");
  if (elements != nullptr) read_elements(*elements, system, in);
  return diagnostics.size() == errors_before ? std::optional(system) : std::nullopt;
}

}  // namespace castforge::spec

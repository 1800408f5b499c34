// Op-set specs as written: everything that can be said about one file without knowing the others.
#include "spec/attributes.hpp"
#include "spec/names.hpp"
#include "spec/nearest.hpp"
#include "spec/options.hpp"
#include "spec/read.hpp"

namespace castforge::spec {
namespace {

/// "23" for 23 and for "23"; empty and reported when it is no version.
std::string read_version(const ObjectReader& in, const Node& node, std::string_view key) {
  const bool is_integer = node.kind == Node::Kind::integer && !node.negative;
  const std::string text = is_integer ? std::to_string(node.magnitude) : node.text;
  const bool is_whole = is_whole_number(text);
  const auto wrong = [&](const std::string& expected) {
    in.error(node.where, "\"" + std::string(key) + "\" must be " + expected + " (got " + node.describe() + ")");
    return std::string();
  };
  if (!is_whole && (node.kind != Node::Kind::string || !is_version(text)))
    return wrong("a number or a string like \"8.5.0\"");
  if (!is_whole) return in.is_short(node, key) ? text : "";
  // An op-set is found by its version as it is written, and tables have the number.
  if (!is_whole_version(text)) return wrong("a version without leading zeros");
  return is_number_in(text, 0, INT64_MAX) ? text : wrong("at most 2^63 - 1");
}

void read_extends(const ObjectReader& in, OpSetFile& file) {
  file.extends = in.optional("extends");
  if (file.extends == nullptr) return;
  const Node& node = *file.extends;
  const std::size_t at = node.kind == Node::Kind::string ? node.text.find('@') : std::string::npos;
  if (at != std::string::npos) {
    file.parent_family = node.text.substr(0, at);
    file.parent_version = node.text.substr(at + 1);
    if (is_opset_name(file.parent_family) && is_version(file.parent_version)) {
      if (!is_whole_number(file.parent_version) || is_whole_version(file.parent_version)) return;
      in.error(node.where, "\"extends\" must be a version without leading zeros (got " + node.describe() + ")");
      return;
    }
    in.error(node.where, "\"extends\" must be a version or NAME@VERSION (got " + node.describe() + ")");
    return;
  }
  file.parent_family = file.family;
  file.parent_version = read_version(in, node, "extends");
}

void read_attributes(const ObjectReader& in, OpSetFile& file, Diagnostics& diagnostics) {
  const Node* attributes = in.shaped("attributes", Node::Kind::object, "an object");
  if (attributes == nullptr) return;
  for (const Node::Member& member : attributes->members) {
    if (auto attribute = read_attribute(member, diagnostics)) file.attributes.push_back(std::move(*attribute));
  }
}

void read_options(const ObjectReader& in, OpSetFile& file) {
  const Node* options = in.shaped("options", Node::Kind::object, "an object");
  if (options == nullptr) return;
  for (const Node::Member& option : options->members) {
    const Option* known = find_option(option.key);
    if (known == nullptr) {
      in.error(option.key_where, "unknown option \"" + option.key + "\"" +
                                     did_you_mean(option.key, option_names(), "specs/FIELDS.md lists the options"));
      continue;
    }
    const std::string value = option_value(*known, option.value);
    if (!value.empty()) file.options[option.key] = {value, option.key_where};
    else
      in.error(option.value.where, "option \"" + option.key + "\" must be " + expected_value(*known) + " (got " +
                                       option.value.describe() + ")");
  }
}

/// How the version stands among those of its system.
void read_standing(const ObjectReader& in, OpSetFile& file) {
  file.valid_through_node = in.optional("valid_through");
  if (const Node* node = file.valid_through_node) {
    if (node->is_integer_in(0, INT64_MAX)) file.valid_through = std::to_string(node->integer());
    else in.error(node->where, "\"valid_through\" must be a whole number (got " + node->describe() + ")");
  }
  file.cast_like_node = in.optional("cast_like_of");
  if (const Node* node = file.cast_like_node) {
    if (node->kind == Node::Kind::string && is_opset_name(node->text)) file.cast_like_of = node->text;
    else in.error(node->where, "\"cast_like_of\" must be the name of a family (got " + node->describe() + ")");
  }
  file.as_default = in.optional("default");
  if (const Node* node = file.as_default; node != nullptr && node->kind != Node::Kind::boolean &&
                                          !(node->kind == Node::Kind::string && node->text == "fallback")) {
    in.error(node->where, "\"default\" must be true, false or \"fallback\" (got " + node->describe() + ")");
  }
}

void read_types(const ObjectReader& in, OpSetFile& file, Diagnostics& diagnostics) {
  const Node* types = in.shaped("types", Node::Kind::object, "an object with \"add\" and \"remove\"");
  if (types == nullptr) return;
  const ObjectReader lists(*types, " in \"types\"", diagnostics);
  lists.reject_unknown_keys({"add", "remove"});
  file.types_add = lists.optional("add");
  if (const Node* add = file.types_add; add != nullptr && add->kind == Node::Kind::object) {
    const ObjectReader open(*add, " in \"add\"", diagnostics);
    open.reject_unknown_keys({"named_in"});
    if (const Node* system = open.required("named_in")) {
      if (system->kind == Node::Kind::string && is_plain_name(system->text)) file.named_in = system;
      else in.error(system->where, "\"named_in\" must be a system of aliases (got " + system->describe() + ")");
    }
    file.types_add = nullptr;
  }
  file.types_remove = lists.shaped("remove", Node::Kind::array, "an array of type names");
  const bool all =
      file.types_add != nullptr && file.types_add->kind == Node::Kind::string && file.types_add->text == "all";
  if (file.types_add != nullptr && !all && file.types_add->kind != Node::Kind::array) {
    in.error(file.types_add->where,
             "\"add\" must be an array of type names, \"all\" or {\"named_in\": a system of aliases} (got " +
                 file.types_add->describe() + ")");
    file.types_add = nullptr;
  }
}

/// false, or {"without": [types], "attributes": {name: [values]}}; what the words mean is known once it is linked.
void read_compiled(const ObjectReader& in, OpSetFile& file, Diagnostics& diagnostics) {
  const Node* node = in.optional("compiled");
  if (node == nullptr || (node->kind == Node::Kind::boolean && node->boolean)) return;
  file.compiled = node;
  if (node->kind == Node::Kind::boolean) return;
  const std::string_view shape = "false or an object with \"without\" and \"attributes\"";
  if (in.shaped("compiled", Node::Kind::object, shape) == nullptr) return;
  const ObjectReader parts(*node, " in \"compiled\"", diagnostics);
  parts.reject_unknown_keys({"without", "attributes"});
  parts.shaped("without", Node::Kind::array, "an array of type names");
  parts.shaped("attributes", Node::Kind::object, "an object of attribute: [values]");
}

}  // namespace

std::unique_ptr<OpSetFile> read_opset(const Node& root, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.size();
  const ObjectReader in(root, " for an op-set", diagnostics);
  in.reject_unknown_keys({"opset", "version", "extends", "operation", "doc", "cites", "types", "pairs", "attributes",
                          "rules", "options", "valid_through", "cast_like_of", "default", "notation", "compiled"});
  auto file = std::make_unique<OpSetFile>();
  file->where = root.where;
  if (const Node* name = in.required("opset")) {
    if (name->kind != Node::Kind::string || !is_opset_name(name->text))
      in.error(name->where, "\"opset\" must match [a-z][a-z0-9-]* (got " + name->describe() + ")");
    else if (in.is_short(*name, "opset")) file->family = name->text;
  }
  if (const Node* version = in.required("version")) file->version = read_version(in, *version, "version");
  read_extends(in, *file);
  file->operation = in.word(in.optional("operation"), "operation", {"cast", "bitcast", "range"}).value_or("");
  file->doc = in.prose("doc");
  file->cites = in.texts("cites");
  read_types(in, *file, diagnostics);
  file->pairs = in.optional("pairs");
  const bool all = file->pairs != nullptr && file->pairs->kind == Node::Kind::string && file->pairs->text == "all";
  if (!all) file->pairs = in.shaped("pairs", Node::Kind::object, "\"all\" or an object of source: [destinations]");
  file->rules = in.shaped("rules", Node::Kind::array, "an array of rules");
  read_attributes(in, *file, diagnostics);
  read_options(in, *file);
  read_standing(in, *file);
  const Node* notation = in.shaped("notation", Node::Kind::string, "a text with {src}, {dst} and {attribute}");
  if (notation != nullptr && in.is_plain_text(notation->where, notation->text)) file->notation = notation->text;
  read_compiled(in, *file, diagnostics);
  if (file->extends == nullptr) {
    for (const std::string_view key : {"operation", "types", "pairs", "rules"}) {
      if (in.optional(key) == nullptr) {
        in.error(root.where, "missing key \"" + std::string(key) + "\" for an op-set without \"extends\"");
      }
    }
  }
  return diagnostics.size() == errors_before ? std::move(file) : nullptr;
}

}  // namespace castforge::spec

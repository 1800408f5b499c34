// Op-set specs as written: everything that can be said about one file without knowing the others.
#include "spec/attributes.hpp"
#include "spec/names.hpp"
#include "spec/read.hpp"

namespace castforge::spec {
namespace {

/// "23" for 23 and for "23"; empty and reported when it is no version.
std::string read_version(const ObjectReader& in, const Node& node, std::string_view key) {
  if (node.is_integer_in(0, INT64_MAX)) return std::to_string(node.integer());
  if (node.kind == Node::Kind::string && is_version(node.text)) return node.text;
  in.error(node.where, "\"" + std::string(key) + "\" must be a number or a string like \"8.5.0\" (got " +
                           node.describe() + ")");
  return {};
}

void read_extends(const ObjectReader& in, OpSetFile& file) {
  file.extends = in.optional("extends");
  if (file.extends == nullptr) return;
  const Node& node = *file.extends;
  const std::size_t at = node.kind == Node::Kind::string ? node.text.find('@') : std::string::npos;
  if (at != std::string::npos) {
    file.parent_family = node.text.substr(0, at);
    file.parent_version = node.text.substr(at + 1);
    if (is_opset_name(file.parent_family) && is_version(file.parent_version)) return;
    in.error(node.where, "\"extends\" must be a version or NAME@VERSION (got " + node.describe() + ")");
    return;
  }
  file.parent_family = file.family;
  file.parent_version = read_version(in, node, "extends");
}

void read_attributes(const ObjectReader& in, OpSetFile& file, Diagnostics& diagnostics) {
  const Node* attributes = in.optional("attributes");
  if (attributes == nullptr) return;
  if (attributes->kind != Node::Kind::object) {
    in.error(attributes->where, "\"attributes\" must be an object (got " + attributes->describe() + ")");
    return;
  }
  for (const Node::Member& member : attributes->members) {
    if (auto attribute = read_attribute(member, diagnostics)) file.attributes.push_back(std::move(*attribute));
  }
}

void read_options(const ObjectReader& in, OpSetFile& file) {
  const Node* options = in.optional("options");
  if (options == nullptr) return;
  if (options->kind != Node::Kind::object) {
    in.error(options->where, "\"options\" must be an object (got " + options->describe() + ")");
    return;
  }
  for (const Node::Member& option : options->members) {
    const Node& value = option.value;
    if (!is_plain_name(option.key)) {
      in.error(option.key_where, "an option must match [a-z][a-z0-9_]* (got \"" + option.key + "\")");
    } else if (value.kind == Node::Kind::string) {
      file.options[option.key] = value.text;
    } else if (value.kind == Node::Kind::boolean || value.kind == Node::Kind::integer) {
      file.options[option.key] = value.describe();
    } else {
      in.error(value.where, "option \"" + option.key + "\" must be a string, an integer, true or false (got " +
                                value.describe() + ")");
    }
  }
}

/// Remembers the member when it has the shape asked for.
const Node* shaped(const ObjectReader& in, std::string_view key, Node::Kind kind, std::string_view shape) {
  const Node* node = in.optional(key);
  if (node == nullptr || node->kind == kind) return node;
  in.error(node->where,
           "\"" + std::string(key) + "\" must be " + std::string(shape) + " (got " + node->describe() + ")");
  return nullptr;
}

void read_types(const ObjectReader& in, OpSetFile& file, Diagnostics& diagnostics) {
  const Node* types = shaped(in, "types", Node::Kind::object, "an object with \"add\" and \"remove\"");
  if (types == nullptr) return;
  const ObjectReader lists(*types, " in \"types\"", diagnostics);
  lists.reject_unknown_keys({"add", "remove"});
  file.types_add = lists.optional("add");
  file.types_remove = shaped(lists, "remove", Node::Kind::array, "an array of type names");
  const bool all =
      file.types_add != nullptr && file.types_add->kind == Node::Kind::string && file.types_add->text == "all";
  if (file.types_add != nullptr && !all && file.types_add->kind != Node::Kind::array) {
    in.error(file.types_add->where,
             "\"add\" must be an array of type names or \"all\" (got " + file.types_add->describe() + ")");
    file.types_add = nullptr;
  }
}

}  // namespace

std::unique_ptr<OpSetFile> read_opset(const Node& root, Diagnostics& diagnostics) {
  if (root.kind != Node::Kind::object) {
    diagnostics.error(root.where, "expected an object, found " + root.describe());
    return nullptr;
  }
  const std::size_t errors_before = diagnostics.size();
  const ObjectReader in(root, " for an op-set", diagnostics);
  in.reject_unknown_keys({"opset", "version", "extends", "operation", "doc", "cites", "types", "pairs", "attributes",
                          "rules", "options"});
  auto file = std::make_unique<OpSetFile>();
  file->where = root.where;
  if (const Node* name = in.required("opset")) {
    if (name->kind == Node::Kind::string && is_opset_name(name->text)) file->family = name->text;
    else in.error(name->where, "\"opset\" must match [a-z][a-z0-9-]* (got " + name->describe() + ")");
  }
  if (const Node* version = in.required("version")) file->version = read_version(in, *version, "version");
  read_extends(in, *file);
  file->operation = in.word(in.optional("operation"), "operation", {"cast", "range"}).value_or("");
  file->doc = in.text("doc");
  file->cites = in.texts("cites");
  read_types(in, *file, diagnostics);
  file->pairs = in.optional("pairs");
  const bool all = file->pairs != nullptr && file->pairs->kind == Node::Kind::string && file->pairs->text == "all";
  if (file->pairs != nullptr && !all && file->pairs->kind != Node::Kind::object) {
    in.error(file->pairs->where, "\"pairs\" must be \"all\" or an object of source: [destinations] (got " +
                                     file->pairs->describe() + ")");
    file->pairs = nullptr;
  }
  file->rules = shaped(in, "rules", Node::Kind::array, "an array of rules");
  read_attributes(in, *file, diagnostics);
  read_options(in, *file);
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

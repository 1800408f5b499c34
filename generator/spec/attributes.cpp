#include "spec/attributes.hpp"

#include <algorithm>
#include <limits>

#include "spec/names.hpp"
#include "spec/read.hpp"
#include "spec/words.hpp"

namespace castforge::spec {
namespace {

constexpr std::size_t kMostWords = 255;  // tables count them in a byte

bool read_values(const Node& values, const ObjectReader& in, Attribute& attribute) {
  const auto wrong = [&](const Node& node, const std::string& what) {
    in.error(node.where, what + " (got " + node.describe() + ")");
    return false;
  };
  if (const std::size_t count = values.items.size() + values.members.size(); count > kMostWords) {
    in.error(values.where,
             "expected at most " + std::to_string(kMostWords) + " values, found " + std::to_string(count));
    return false;
  }
  if (attribute.kind == Attribute::Kind::enumeration) {
    if (values.kind != Node::Kind::object || values.members.empty()) {
      return wrong(values, "\"values\" of an enumeration must be an object of word: number");
    }
    for (const Node::Member& member : values.members) {
      if (!member.value.is_integer_in(INT64_MIN, INT64_MAX)) {
        return wrong(member.value, "the number of \"" + member.key + "\" must be an integer");
      }
      for (const std::int64_t number : attribute.numbers) {
        if (number == member.value.integer()) {
          return wrong(member.value, "the number of \"" + member.key + "\" is that of another value");
        }
      }
      if (!in.is_printable(member.key_where, member.key)) return false;
      attribute.values.emplace_back(member.key);
      attribute.numbers.push_back(member.value.integer());
    }
    // Callers say either: a word that is written as a number has to mean it.
    for (const Node::Member& member : values.members) {
      for (std::size_t i = 0; i < attribute.numbers.size(); ++i) {
        if (std::to_string(attribute.numbers[i]) != member.key || attribute.values[i] == AttributeValue(member.key))
          continue;
        in.error(member.key_where, "the word \"" + member.key + "\" is the number of another value");
        return false;
      }
    }
    return true;
  }
  const bool words = attribute.kind == Attribute::Kind::string;
  const std::string shape = words ? "strings" : "integers";
  if (values.kind != Node::Kind::array || values.items.empty()) {
    return wrong(values, "\"values\" must be an array of " + shape);
  }
  for (const Node& item : values.items) {
    if (index_of_value(attribute, item) >= 0) return wrong(item, "a value is listed twice");
    if (words && item.kind == Node::Kind::string && !in.is_printable(item.where, item.text)) return false;
    if (words && item.kind == Node::Kind::string) attribute.values.emplace_back(item.text);
    else if (!words && item.is_integer_in(INT64_MIN, INT64_MAX)) attribute.values.emplace_back(item.integer());
    else return wrong(item, "\"values\" must hold " + shape);
  }
  return true;
}

}  // namespace

std::optional<Attribute> read_attribute(const Node::Member& member, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.size();
  if (!is_plain_name(member.key)) {
    diagnostics.error(member.key_where, "an attribute must match [a-z][a-z0-9_]* (got \"" + member.key + "\")");
    return std::nullopt;
  }
  if (member.key == "src" || member.key == "dst") {
    diagnostics.error(member.key_where, "expected another name than \"" + member.key +
                                            "\", which is a type of the conversion in \"notation\"");
    return std::nullopt;
  }
  if (member.value.kind != Node::Kind::object) {
    diagnostics.error(member.value.where,
                      "attribute \"" + member.key + "\" must be an object (got " + member.value.describe() + ")");
    return std::nullopt;
  }
  const ObjectReader in(member.value, " for attribute \"" + member.key + "\"", diagnostics);
  in.reject_unknown_keys({"type", "values", "default", "checked_where_used", "doc"});
  Attribute attribute;
  attribute.name = member.key;
  attribute.where = member.key_where;
  attribute.doc = in.prose("doc");
  const auto kind = in.word(in.required("type"), "type", attribute_kind_words());
  if (!kind) return std::nullopt;
  attribute.kind = attribute_kind_of(*kind);
  if (in.optional("checked_where_used") != nullptr) {
    attribute.checked_where_used = in.boolean("checked_where_used").value_or(false);
  }
  if (attribute.kind == Attribute::Kind::flag) {
    attribute.values = {std::int64_t{0}, std::int64_t{1}};
    if (const Node* values = in.optional("values")) {
      in.error(values->where, "a flag has the values 0 and 1; leave \"values\" out");
    }
  } else {
    const Node* values = in.required("values");
    if (values == nullptr || !read_values(*values, in, attribute)) return std::nullopt;
  }
  if (const Node* preset = in.required("default")) {
    const int index = index_of_value(attribute, *preset);
    if (index >= 0) {
      attribute.default_index = static_cast<std::size_t>(index);
    } else {
      in.error(preset->where, "\"default\": " + preset->describe() + " is not among the values of attribute \"" +
                                  attribute.name + "\": " + list_values(attribute));
    }
  }
  if (diagnostics.size() != errors_before) return std::nullopt;
  return attribute;
}

int index_of_value(const Attribute& attribute, const Node& node) {
  for (std::size_t i = 0; i < attribute.values.size(); ++i) {
    const AttributeValue& value = attribute.values[i];
    const std::int64_t* number = std::get_if<std::int64_t>(&value);
    if (attribute.kind == Attribute::Kind::enumeration) number = &attribute.numbers[i];
    const bool same_number = number != nullptr && node.is_integer_in(*number, *number);
    const std::string* word = std::get_if<std::string>(&value);
    const bool same_word = word != nullptr && node.kind == Node::Kind::string && node.text == *word;
    if (same_number || same_word) return static_cast<int>(i);
  }
  return -1;
}

std::string list_values(const Attribute& attribute) {
  std::string list;
  for (const AttributeValue& value : attribute.values) list += (list.empty() ? "" : ", ") + print(value);
  return list;
}

std::string print(const AttributeValue& value) {
  if (const std::string* word = std::get_if<std::string>(&value)) return *word;
  return std::to_string(std::get<std::int64_t>(value));
}

std::size_t combination_count(const OpSet& opset) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  std::size_t count = 1;
  for (const Attribute& attribute : opset.attributes) {
    const std::size_t values = attribute.values.size();
    count = values != 0 && count > kMost / values ? kMost : count * values;
  }
  return count;
}

std::vector<std::size_t> combination(const OpSet& opset, std::size_t number) {
  std::vector<std::size_t> indices(opset.attributes.size());
  for (std::size_t i = indices.size(); i-- > 0;) {
    indices[i] = number % opset.attributes[i].values.size();
    number /= opset.attributes[i].values.size();
  }
  return indices;
}

std::size_t combination_number(const OpSet& opset, const std::vector<std::size_t>& indices) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) number = number * opset.attributes[i].values.size() + indices[i];
  return number;
}

bool same_attributes(const OpSet& a, const OpSet& b) { return is_wider(a, b) && is_wider(b, a); }

bool is_wider(const OpSet& narrow, const OpSet& wide) {
  if (narrow.attributes.size() != wide.attributes.size()) return false;
  for (std::size_t i = 0; i < narrow.attributes.size(); ++i) {
    const Attribute &few = narrow.attributes[i], &many = wide.attributes[i];
    if (few.name != many.name || few.kind != many.kind) return false;
    if (few.values[few.default_index] != many.values[many.default_index]) return false;
    for (std::size_t k = 0; k < few.values.size(); ++k) {
      const auto same = std::find(many.values.begin(), many.values.end(), few.values[k]);
      if (same == many.values.end()) return false;
      const auto place = static_cast<std::size_t>(same - many.values.begin());
      if (few.kind == Attribute::Kind::enumeration && few.numbers[k] != many.numbers[place]) return false;
    }
  }
  return true;
}

std::size_t same_combination(const OpSet& narrow, const OpSet& wide, std::size_t number) {
  std::vector<std::size_t> values = combination(narrow, number);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& among = wide.attributes[i].values;
    const auto found = std::find(among.begin(), among.end(), narrow.attributes[i].values[values[i]]);
    values[i] = static_cast<std::size_t>(found - among.begin());
  }
  return combination_number(wide, values);
}

std::string print_combination(const OpSet& opset, std::size_t number) {
  std::string text = "{";
  const std::vector<std::size_t> indices = combination(opset, number);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    text += (i == 0 ? "" : ", ") + opset.attributes[i].name + ": " + print(opset.attributes[i].values[indices[i]]);
  }
  return text + "}";
}

}  // namespace castforge::spec

#include "cli/convert/plan.hpp"

#include "cli/convert/hash.hpp"
#include "cli/formats/json_cursor.hpp"
#include "cli/formats/tensor.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/input_file.hpp"

#include <algorithm>
#include <functional>

namespace castforge::cli {
namespace {

constexpr std::size_t kLongestPlan = 1 << 20;

/// A member of a rule that is no word of the plan itself: an attribute of the op-set.
struct GivenAttribute {
  std::size_t at;
  std::string name, value;
};

struct RuleText {
  std::size_t at = 0, from_at = 0, to_at = 0;
  bool has_tensors = false, has_keep = false, has_to = false;
  std::vector<GivenAttribute> attributes;
};

class Parser {
 public:
  Parser(Plan& plan, const std::string& file) : plan_(plan), json_(plan.text, file, JsonPlaces::lines) {}

  void run() {
    PlanRule fallback;
    RuleText fallback_text;
    std::vector<RuleText> texts;
    std::size_t opset_at = 0;
    members("a plan, which is an object", {"opset", "default"}, [&](const std::string& key, std::size_t at) {
      if (key == "opset") {
        opset_at = json_.at();
        plan_.opset = decoded_string(json_.string("the name of an op-set, a string"));
      } else if (key == "default") {
        rule(fallback, fallback_text, false);
      } else if (key == "rules") {
        json_.list("an array of rules", [&] { rule(plan_.rules.emplace_back(), texts.emplace_back(), true); });
      } else if (key == "config") {
        config();
      } else if (key == "doc" || key == "$schema") {
        json_.string("a string");
      } else {
        json_.fail(at, text("expected opset, default, rules, config, doc or $schema, found ", in_quotes(key),
                            did_you_mean(key, {"opset", "default", "rules", "config", "doc", "$schema"})));
      }
    });
    json_.end();
    plan_.rules.push_back(std::move(fallback));
    texts.push_back(std::move(fallback_text));
    check_opset(opset_at);
    for (std::size_t i = 0; i < texts.size(); ++i) finish(plan_.rules[i], texts[i]);
  }

 private:
  /// The members of an object, each once, and these at least.
  void members(std::string_view expected, const std::vector<std::string>& required,
               const std::function<void(const std::string&, std::size_t)>& member) {
    std::vector<std::string> seen;
    json_.members(expected, "the name of a member", [&](std::size_t at, std::string_view name) {
      std::string key = decoded_string(name);
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
        json_.fail(at, text("expected each member once, found ", in_quotes(key), " again"));
      }
      member(key, at);
      seen.push_back(std::move(key));
    });
    for (const std::string& name : required) {
      if (std::find(seen.begin(), seen.end(), name) == seen.end()) {
        json_.fail(json_.passed() - 1, text("expected the member ", in_quotes(name), ", found the end of the object"));
      }
    }
  }

  void rule(PlanRule& rule, RuleText& given, bool has_tensors) {
    given.at = json_.at();
    given.has_tensors = has_tensors;
    rule.where = json_.place(given.at);
    const std::vector<std::string> required =
        has_tensors ? std::vector<std::string>{"tensors"} : std::vector<std::string>{};
    members("a rule, which is an object", required, [&](const std::string& key, std::size_t at) {
      if (has_tensors && key == "tensors") {
        json_.list("an array of patterns", [&] { patterns(rule); });
        if (rule.tensors.empty()) json_.fail(at, "expected at least one pattern, found none");
      } else if (has_tensors && key == "optional") {
        rule.optional = json_.boolean("true or false");
      } else if (has_tensors && key == "from") {
        given.from_at = json_.at();
        rule.from = type();
      } else if (key == "to") {
        given.has_to = true;
        given.to_at = json_.at();
        rule.to = type();
      } else if (key == "keep") {
        given.has_keep = true;
        const std::size_t value_at = json_.at();
        if (!json_.boolean("true")) json_.fail(value_at, "expected true, found false; a rule without keep has to");
      } else if (key == "doc") {
        json_.string("a string");
      } else {
        given.attributes.push_back({at, key, attribute_value()});
      }
    });
    if (given.has_to && given.has_keep) json_.fail(given.at, "expected to or keep, found both");
  }

  void patterns(PlanRule& rule) {
    const std::size_t at = json_.at();
    std::string pattern = decoded_string(json_.string("a pattern of names, a string"));
    if (pattern.empty()) json_.fail(at, "expected a pattern of names, found an empty one");
    rule.tensors.push_back(std::move(pattern));
  }

  Type type() {
    const std::size_t at = json_.at();
    Type type{};
    const Status status = find_type(decoded_string(json_.string("the name of a type, a string")), type);
    if (!status) json_.fail(at, status.message());
    return type;
  }

  /// As the command line has it: a word, or a number.
  std::string attribute_value() {
    const std::size_t at = json_.at();
    const std::string_view found = json_.value();
    if (found.front() == '"') return decoded_string(found);
    if (found == "true") return "1";
    if (found == "false") return "0";
    if (found.find_first_not_of("-0123456789") != found.npos) {
      json_.fail(at, text("expected a word, a whole number, true or false, found ", in_quotes(found)));
    }
    return std::string(found);
  }

  void config() {
    const std::size_t at = json_.at();
    plan_.config = json_.value();
    if (plan_.config.front() != '{') json_.fail(at, "expected an object of members for config.json");
  }

  void check_opset(std::size_t at) {
    OpSet opset;
    if (const Status status = find_opset(plan_.opset, opset); !status) json_.fail(at, status.message());
    if (opset.operation() != "cast") {
      json_.fail(
          at, text("expected an op-set of casts, found ", in_quotes(plan_.opset), ", which is of ", opset.operation()));
    }
  }

  /// What can be said of a rule before any tensor is seen: that its attributes exist and have these values, for some
  /// type that the op-set can cast to the wanted one.
  void finish(PlanRule& rule, const RuleText& given) {
    rule.kernels.opset = plan_.opset;
    if (!given.has_to && !given.has_keep) {
      check_words(given);
      json_.fail(given.at, "expected to or keep, found neither");
    }
    if (!rule.to) {
      if (!given.attributes.empty()) {
        json_.fail(given.attributes.front().at,
                   text("expected keep alone, found ", in_quotes(given.attributes.front().name), " beside it"));
      }
      return;
    }
    if (rule.from && is_string(*rule.from)) fail_string(given.from_at, *rule.from);
    if (is_string(*rule.to)) fail_string(given.to_at, *rule.to);
    const OpSet opset = *find_opset(plan_.opset);
    std::optional<Type> source = rule.from;
    for (std::size_t i = 0; i < opset.type_count() && !source; ++i) {
      if (!is_string(opset.type(i)) && opset.admits(opset.type(i), *rule.to)) source = opset.type(i);
    }
    const Status possible =
        source ? find_kernel(opset, *source, *rule.to).status() : find_kernel(opset, *rule.to, *rule.to).status();
    if (!possible || !source) json_.fail(given.to_at, possible.message());
    for (const GivenAttribute& attribute : given.attributes) {
      const Attribute one[] = {{attribute.name, AttributeValue::from_text(attribute.value)}};
      Attributes attributes;
      attributes.others = one;
      const Status status = find_kernel(opset, *source, *rule.to, attributes).status();
      if (!status) json_.fail(attribute.at, status.message());
      rule.kernels.attributes.push_back(attribute.name + '=' + attribute.value);
    }
  }

  /// That members of a rule are words of the plan or attributes of its op-set.
  void check_words(const RuleText& given) const {
    const OpSet opset = *find_opset(plan_.opset);
    std::vector<std::string> known = given.has_tensors
                                         ? std::vector<std::string>{"tensors", "optional", "from", "to", "keep", "doc"}
                                         : std::vector<std::string>{"to", "keep", "doc"};
    const std::size_t words = known.size();
    for (std::size_t i = 0; i < opset.attribute_count(); ++i) known.emplace_back(opset.attribute(i).name);
    for (const GivenAttribute& one : given.attributes) {
      if (std::find(known.begin(), known.end(), one.name) != known.end()) continue;
      std::string list;
      for (std::size_t i = 0; i < words; ++i) list += (i == 0 ? "" : ", ") + known[i];
      json_.fail(one.at, text("expected ", list, " or an attribute of ", plan_.opset, ", found ", in_quotes(one.name),
                              did_you_mean(one.name, known)));
    }
  }

  [[noreturn]] void fail_string(std::size_t at, Type type) const {
    json_.fail(at, text("expected a type of numbers, found ", in_quotes(name(type)), ": texts are not converted"));
  }

  Plan& plan_;
  JsonCursor json_;
};

}  // namespace

std::string Plan::word_for(std::size_t rule) const {
  return rule == default_rule() ? "default" : "rule " + std::to_string(rule + 1);
}

std::string Plan::name_of(std::size_t rule) const {
  return (rule == default_rule() ? "the " : "") + word_for(rule) + " (" + rules[rule].where + ")";
}

Plan parse_plan(std::string contents, const std::string& file) {
  Plan plan;
  plan.text = std::move(contents);
  plan.hash = hash_of(plan.text);
  try {
    Parser(plan, file).run();
  } catch (const Failure& failure) {
    throw usage_error(failure.what());  // a plan is part of the command, not of the data
  }
  return plan;
}

Plan read_plan(const std::string& path) {
  InputFile file(path);
  return parse_plan(file.read_all("a plan", kLongestPlan, ExitCode::usage), file.name());
}

}  // namespace castforge::cli

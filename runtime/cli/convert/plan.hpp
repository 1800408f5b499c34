// The plan of a conversion: which tensors become what. JSON, written by people; its schema is plans/plan.schema.json.
#pragma once

#include "cli/selection/kernel_options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

struct PlanRule {
  std::string where;                 // "plan.json:7:5", for messages
  std::vector<std::string> tensors;  // patterns of names; of the default none, which means all
  bool optional = false;             // patterns may match nothing
  std::optional<Type> from;          // only tensors of this type
  std::optional<Type> to;            // nothing: kept as they are
  KernelOptions kernels;             // op-set and attributes
};

struct Plan {
  std::string opset;
  std::vector<PlanRule> rules;  // the first one that matches counts; the last one is the default, which always does
  std::string config;           // members that config.json gets, a JSON object; empty where there are none
  std::string text, hash;       // as it stands, and the hash of that

  std::size_t default_rule() const { return rules.size() - 1; }
  /// "rule 2", "default": what tables and reports call it.
  std::string word_for(std::size_t rule) const;
  /// "rule 2 (plan.json:7:5)", "the default (plan.json:3:14)"
  std::string name_of(std::size_t rule) const;
};

/// Reads a plan; `file` is what complaints call it. Everything that does not need a checkpoint is checked: members,
/// types, the op-set, its attributes and their values. Throws a usage Failure that names line and column.
Plan parse_plan(std::string contents, const std::string& file);

/// The same from a file. Throws an input/output Failure too.
Plan read_plan(const std::string& path);

}  // namespace castforge::cli

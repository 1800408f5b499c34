#include "cli/convert/tensor_rules.hpp"

#include "cli/convert/globs.hpp"
#include "cli/io/failure.hpp"

#include <algorithm>

namespace castforge::cli {

TensorRules::Choice TensorRules::choose(const std::string& file, const ShardTensor& tensor) {
  const std::optional<Type> type = tensor.type;
  const auto takes = [&](const PlanRule& rule) {
    if (rule.from && rule.from != type) return false;
    return rule.tensors.empty() ||
           std::any_of(rule.tensors.begin(), rule.tensors.end(),
                       [&](const std::string& pattern) { return matches(pattern, tensor.name); });
  };
  const auto found = std::find_if(plan_.rules.begin(), plan_.rules.end(), takes);  // the default takes every one
  const auto index = static_cast<std::size_t>(found - plan_.rules.begin());
  Choice choice{static_cast<std::uint16_t>(index), kKept};
  if (!found->to) return choice;
  const bool is_default = index == plan_.default_rule();
  if (is_default && (!type || type_info(*type).kind != TypeKind::floating)) return choice;
  const auto complain = [&](std::string_view message) {
    return usage_error(text(file, ": tensor ", in_quotes(tensor.name), ": ", plan_.name_of(index), ": ", message));
  };
  if (!type) throw complain(text("cannot cast ", tensor.dtype));
  try {
    choice.cast = cast_by(index, *type);
  } catch (const Failure& failure) {
    throw complain(failure.what());
  }
  if (choice.cast == kKept) return choice;
  const Status status = found->kernels.limits(*type, *found->to, tensor.shape.size(), tensor.count);
  if (!status) throw complain(status.message());
  return choice;
}

std::uint16_t TensorRules::cast_by(std::size_t index, Type type) {
  const auto known = casts_.find({index, type});
  if (known != casts_.end()) return known->second;
  const PlanRule& rule = plan_.rules[index];
  std::uint16_t cast = kKept;
  if (type != *rule.to || find_opset(plan_.opset)->admits(type, type)) {
    cast = static_cast<std::uint16_t>(kernels_.size());
    kernels_.push_back(rule.kernels.find(type, *rule.to));
    rule_of_.push_back(index);
  }
  casts_[{index, type}] = cast;
  return cast;
}

const Kernel& TensorRules::on_another_isa(const Kernel* kernel) {
  const auto known = other_kernels_.find(kernel);
  if (known != other_kernels_.end()) return known->second;
  const auto at = std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& one) { return &one == kernel; });
  KernelOptions options = plan_.rules[rule_of_[static_cast<std::size_t>(at - kernels_.begin())]].kernels;
  options.isa = another_isa();
  return other_kernels_.emplace(kernel, options.find(kernel->src(), kernel->dst())).first->second;
}

std::string_view another_isa() {
  for (std::size_t i = isa_count(); i-- > 0;) {
    const IsaInfo one = isa(i);
    if (one.usable && one.name != active_isa()) return one.name;
  }
  throw usage_error(
      text("--verify computes again with another instruction set; this machine has ", active_isa(), " only"));
}

PatternUse::PatternUse(const Plan& plan) : plan_(plan) {
  for (const PlanRule& rule : plan.rules) matched_.emplace_back(rule.tensors.size());
}

void PatternUse::see(const std::string& tensor) {
  for (std::size_t rule = 0; rule < matched_.size(); ++rule) {
    for (std::size_t i = 0; i < matched_[rule].size(); ++i) {
      if (!matched_[rule][i]) matched_[rule][i] = matches(plan_.rules[rule].tensors[i], tensor);
    }
  }
}

void PatternUse::check(const std::string& source, const std::string& unread) const {
  for (std::size_t rule = 0; rule < matched_.size(); ++rule) {
    for (std::size_t i = 0; i < matched_[rule].size(); ++i) {
      if (matched_[rule][i] || plan_.rules[rule].optional) continue;
      throw usage_error(text(plan_.rules[rule].where, ": the pattern ", in_quotes(plan_.rules[rule].tensors[i]),
                             " matches no tensor of ", printable(source), unread.empty() ? "" : " that can be read",
                             R"(; "optional": true in the rule allows that)", unread.empty() ? "" : "; ", unread));
    }
  }
}

}  // namespace castforge::cli

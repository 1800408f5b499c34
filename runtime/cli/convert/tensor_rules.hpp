// Which rule of a plan takes which tensor, and the kernels that do it.
#pragma once

#include "cli/convert/plan.hpp"
#include "cli/convert/shard_contents.hpp"

#include <castforge/castforge.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace castforge::cli {

class TensorRules {
 public:
  /// What becomes of a tensor; kKept, or a number for kernel().
  struct Choice {
    std::uint16_t rule = 0, cast = kKept;
  };
  static constexpr std::uint16_t kKept = 0xFFFF;

  /// `plan` must live as long as this.
  explicit TensorRules(const Plan& plan) : plan_(plan) {}

  /// The first rule that matches. The default keeps what is no floating number; a tensor that is of the wanted type
  /// already stays where the op-set has no cast for that. Throws a usage Failure that names tensor and rule where the
  /// rule cannot be followed.
  Choice choose(const std::string& file, const ShardTensor& tensor);

  const Plan& plan() const { return plan_; }
  const Kernel* kernel(Choice choice) const { return choice.cast == kKept ? nullptr : &kernels_[choice.cast]; }

  /// The kernel for the same cast on another instruction set, the most capable one of this machine that is not in use.
  /// A usage Failure where there is none.
  const Kernel& on_another_isa(const Kernel* kernel);

 private:
  std::uint16_t cast_by(std::size_t index, Type type);

  const Plan& plan_;
  std::map<std::pair<std::size_t, Type>, std::uint16_t> casts_;
  std::deque<Kernel> kernels_;
  std::vector<std::size_t> rule_of_;  // of each kernel
  std::map<const Kernel*, Kernel> other_kernels_;
};

/// Which patterns of a plan have matched some name.
class PatternUse {
 public:
  explicit PatternUse(const Plan& plan);
  void see(const std::string& tensor);
  /// A usage Failure that names the first pattern that has matched nothing, of rules that are not optional. `unread`:
  /// what is wrong with a shard whose names were not seen, empty where all were. The message has it too: the tensors
  /// may be in that shard.
  void check(const std::string& source, const std::string& unread) const;

 private:
  const Plan& plan_;
  std::vector<std::vector<bool>> matched_;
};

/// The instruction set that on_another_isa() uses. A usage Failure where this machine has only one.
std::string_view another_isa();

}  // namespace castforge::cli

// The unit of work: one shard, from one file to one file.
#pragma once

#include "cli/convert/checkpoint.hpp"
#include "cli/convert/shard_state.hpp"
#include "cli/convert/tensor_rules.hpp"
#include "cli/io/progress.hpp"

#include <functional>
#include <optional>
#include <string>

namespace castforge::cli {

struct ShardJob {
  const Checkpoint& checkpoint;
  const Shard& shard;  // one of its; what its index says of it has to be so
  std::string target;  // folder of the result
  std::string plan_hash;
  unsigned threads = 1;
  bool verify = false, statistics = false;
};

/// A tensor of a shard, and what the plan makes of it.
struct TensorChoice {
  std::string name, dtype, shape;
  std::uint64_t bytes_before = 0, bytes_after = 0;
  std::string dtype_after;  // the same where it is kept
  std::size_t rule = 0;
  const Kernel* kernel = nullptr;
};

/// Calls `use` for each tensor of a shard. Throws a Failure where the file is damaged, is not what the index says, or
/// the plan cannot be followed; nothing is written.
void for_each_tensor(const Shard& shard, const CheckpointIndex* index, TensorRules& rules,
                     const std::function<void(const TensorChoice&)>& use);

/// The state of the job where its result is there already; nothing where it is not. With job.verify, what is there is
/// checked as a new result is.
std::optional<ShardState> state_if_done(const ShardJob& job, const ShardOrigin& origin, TensorRules& rules,
                                        Progress& progress);

/// Does the job: the result appears whole under its name, then its state. Throws a Failure; then there is no state, and
/// no new result.
ShardState convert_shard(const ShardJob& job, const ShardOrigin& origin, TensorRules& rules, Progress& progress);

}  // namespace castforge::cli

#include "cli/convert/convert.hpp"

#include "cli/convert/checkpoint.hpp"
#include "cli/convert/hash.hpp"
#include "cli/convert/shard.hpp"
#include "cli/convert/shard_contents.hpp"
#include "cli/convert/target_checks.hpp"
#include "cli/io/folder_lock.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

namespace castforge::cli {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Every pattern of the plan must match some tensor, of this part or of another, that can be read: one that might match
/// in a damaged shard is more likely misspelt, which would be said after hours of work. Shards are complained of later;
/// where none can be read, nothing is known of patterns.
void check_patterns(const Checkpoint& checkpoint, const Plan& plan, const std::string& source) {
  PatternUse use(plan);
  if (const CheckpointIndex* index = checkpoint.index()) {
    for (std::size_t i = 0; i < index->size(); ++i) use.see(index->name(i));
    return use.check(source, "");
  }
  std::string unread;
  bool any_read = false;
  for (const Shard& shard : checkpoint.shards()) {
    try {
      const std::unique_ptr<ShardContents> contents = open_shard(shard, nullptr);
      for (std::size_t i = 0; i < contents->size(); ++i) use.see(contents->name(i));
      any_read = true;
    } catch (const Failure& failure) {
      if (unread.empty()) unread = failure.what();
    }
  }
  if (any_read || unread.empty()) use.check(source, unread);
}

void check_config(const Checkpoint& checkpoint, const Plan& plan, const std::string& source) {
  if (plan.config.empty()) return;
  const auto& companions = checkpoint.companions();
  const auto config =
      std::find_if(companions.begin(), companions.end(), [](const Companion& one) { return one.name == kConfig; });
  if (config == companions.end())
    throw usage_error(text(printable(source), ": the plan sets members of config.json, which is not there"));
  changed_config(config->path, plan);  // which throws where it is no object
}

/// The source, and what of it the options are about, checked against the plan.
struct Work {
  explicit Work(const ConvertOptions& options)
      : checkpoint(options.source),
        rules(*options.plan),
        chosen(shards_of_part(checkpoint.shards(), options.part, options.parts)) {
    check_patterns(checkpoint, *options.plan, options.source);
    check_config(checkpoint, *options.plan, options.source);
  }

  Checkpoint checkpoint;
  TensorRules rules;
  std::vector<std::size_t> chosen;
};

/// What the plan cannot do is said before anything is written; damaged shards are for later.
void check_rules(Work& work) {
  for (const std::size_t i : work.chosen) {
    try {
      for_each_tensor(work.checkpoint.shards()[i], work.checkpoint.index(), work.rules, [](const TensorChoice&) {});
    } catch (const Failure& failure) {
      if (failure.code() == ExitCode::usage) throw;
    }
  }
}

/// The folder of the result and what lies in it before any shard does. Unless something is kept there, it is gone
/// again, as far as it was made here.
class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  void make(const ConvertOptions& options, const Checkpoint& checkpoint) {
    std::error_code error;
    if (fs::equivalent(options.source, options.target, error)) {
      throw usage_error(text(printable(options.target), ": expected another folder than the source"));
    }
    const fs::path state = resolved(state_folder(options.target));
    for (fs::path folder = state; !fs::exists(folder, error) && folder.has_relative_path();
         folder = folder.parent_path()) {
      made_.push_back(folder);
    }
    // Parts share the folder, and no shard; a whole conversion begins where another one has ended.
    lock_.emplace(state.string(), options.parts > 1 ? FolderLock::Kind::shared : FolderLock::Kind::exclusive,
                  options.target);
    check_target(checkpoint, options.target);
    kept_ = options.parts > 1;  // others may be at work there
    plan_file_ = plan_path(options.target);
    keep_plan(*options.plan);
  }

  ~Target() {
    std::error_code error;
    if (kept_) return;
    if (made_plan_) fs::remove(plan_file_, error);  // whether or not it came to be
    for (const fs::path& folder : made_) {
      if (!fs::remove(folder, error)) return;  // something is in it
    }
  }

  void keep() { kept_ = true; }

 private:
  /// For --finish, which asks for no plan. Parts that write it at the same time write the same.
  void keep_plan(const Plan& plan) {
    std::error_code none;
    made_plan_ = !fs::exists(plan_file_, none);
    if (!made_plan_ && hash_of_file(plan_file_) == plan.hash) return;
    write_file(plan_file_, plan.text);
  }

  std::optional<FolderLock> lock_;
  std::string plan_file_;
  std::vector<fs::path> made_;  // the innermost first
  bool made_plan_ = false, kept_ = false;
};

template <class Function>
void attempt(ShardResult& result, const Function& function) {
  try {
    function();
  } catch (const Failure& failure) {
    result.outcome = ShardOutcome::failed;
    result.code = failure.code();
    result.message = failure.what();
  }
}

}  // namespace

ExitCode ConvertResult::code() const {
  const auto failed = std::find_if(shards.begin(), shards.end(),
                                   [](const ShardResult& shard) { return shard.outcome == ShardOutcome::failed; });
  return failed == shards.end() ? ExitCode::ok : failed->code;
}

ConvertResult convert_checkpoint(const ConvertOptions& options) {
  const auto start = Clock::now();
  if (options.verify) another_isa();  // complains before hours of work
  Work work(options);
  check_rules(work);
  Target target;
  target.make(options, work.checkpoint);

  ConvertResult result;
  std::uint64_t total = 0;
  for (const std::size_t i : work.chosen) total += work.checkpoint.shards()[i].bytes;
  Progress progress(options.verify ? 2 * total : total);
  for (const std::size_t i : work.chosen) {
    const Shard& shard = work.checkpoint.shards()[i];
    const ShardJob job{work.checkpoint, shard,          options.target,    options.plan->hash,
                       options.threads, options.verify, options.statistics};
    const auto shard_start = Clock::now();
    ShardResult one{shard.name, {}, {}, {}, 0, shard.bytes, 0};
    attempt(one, [&] {
      const ShardOrigin origin = origin_of(shard, options.plan->hash);
      std::optional<ShardState> state;
      if (options.resume) state = state_if_done(job, origin, work.rules, progress);
      one.outcome = state ? ShardOutcome::skipped : ShardOutcome::converted;
      if (state) progress.skip(shard.bytes);
      else state = convert_shard(job, origin, work.rules, progress);
      for (const WrittenFile& file : state->files) one.bytes_written += file.bytes;
      target.keep();
    });
    one.seconds = seconds_since(shard_start);
    result.shards.push_back(std::move(one));
  }
  if (options.parts == 1 && result.code() == ExitCode::ok) {
    try {
      finish_checkpoint(options.source, options.target, false);
    } catch (const Failure& failure) {
      result.seconds = seconds_since(start);
      throw UnfinishedFailure(failure, std::move(result));
    }
    result.finished = true;
  }
  result.seconds = seconds_since(start);
  return result;
}

namespace {

struct SizeTotal {
  std::uint64_t tensors = 0, before = 0, after = 0;

  void add(const SizeTotal& other) {
    tensors += other.tensors;
    before += other.before;
    after += other.after;
  }
  nlohmann::ordered_json json() const {
    return {{"tensors", tensors}, {"bytes_before", before}, {"bytes_after", after}};
  }
  void print(const std::string& what) const {
    std::printf("%s: %s, %s -> %s\n", what.c_str(), counted(tensors, "tensor").c_str(), size_text(before).c_str(),
                size_text(after).c_str());
  }
};

void print_choice(const TensorChoice& tensor, const std::string& rule) {
  const std::string becomes = tensor.kernel ? text(tensor.dtype, " -> ", tensor.dtype_after) : tensor.dtype + " kept";
  std::printf("  %-8s %-20s %12llu -> %12llu  %s %s\n", rule.c_str(), becomes.c_str(),
              static_cast<unsigned long long>(tensor.bytes_before), static_cast<unsigned long long>(tensor.bytes_after),
              printable(tensor.name).c_str(), tensor.shape.c_str());
}

nlohmann::ordered_json choice_json(const TensorChoice& tensor, const std::string& rule) {
  return {{"name", tensor.name},
          {"rule", rule},
          {"dtype", tensor.dtype},
          {"dtype_after", tensor.dtype_after},
          {"shape", parse_json(tensor.shape)},
          {"bytes_before", tensor.bytes_before},
          {"bytes_after", tensor.bytes_after}};
}

}  // namespace

void print_dry_run(const ConvertOptions& options, bool json) {
  Work work(options);
  std::vector<SizeTotal> totals(options.plan->rules.size());
  nlohmann::ordered_json shards = nlohmann::ordered_json::array();
  for (const std::size_t i : work.chosen) {
    const Shard& shard = work.checkpoint.shards()[i];
    if (!json) std::printf("%s\n", printable(shard.name).c_str());
    nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
    for_each_tensor(shard, work.checkpoint.index(), work.rules, [&](const TensorChoice& tensor) {
      totals[tensor.rule].add({1, tensor.bytes_before, tensor.bytes_after});
      const std::string by = options.plan->word_for(tensor.rule);
      if (json) tensors.push_back(choice_json(tensor, by));
      else print_choice(tensor, by);
    });
    if (json) shards.push_back({{"shard", shard.name}, {"tensors", tensors}});
  }
  SizeTotal all;
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (std::size_t rule = 0; rule < totals.size(); ++rule) {
    all.add(totals[rule]);
    if (json) rules.push_back({{"rule", options.plan->name_of(rule)}, {"total", totals[rule].json()}});
    else totals[rule].print(options.plan->name_of(rule));
  }
  if (!json) return all.print("all");
  const nlohmann::ordered_json out = {{"shards", shards}, {"rules", rules}, {"all", all.json()}};
  std::printf("%s\n", json_text(out, 2).c_str());
}

}  // namespace castforge::cli

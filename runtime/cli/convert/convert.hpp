// The conversion of a checkpoint: what `castforge convert` does, for programs that call it.
#pragma once

#include "cli/convert/plan.hpp"
#include "cli/io/failure.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace castforge::cli {

/// How many files a message names.
inline constexpr std::size_t kMostNamed = 10;

struct ConvertOptions {
  std::string source;  // as for Checkpoint
  std::string target;  // a folder; made where there is none
  const Plan* plan = nullptr;
  std::size_t part = 0, parts = 1;  // of the shards: 0 to parts - 1
  unsigned threads = 1;
  bool resume = true;       // skip shards that are done
  bool verify = false;      // read back and compute again on another instruction set
  bool statistics = false;  // per tensor, for the report
};

enum class ShardOutcome { converted, skipped, failed };
/// "converted", "skipped" or "failed", as reports and the Python package say.
std::string_view word(ShardOutcome outcome);

struct ShardResult {
  std::string name;
  ShardOutcome outcome = ShardOutcome::failed;
  ExitCode code = ExitCode::ok;  // where it failed
  std::string message;           // where it failed: names the file and what is wrong
  double seconds = 0;
  std::uint64_t bytes_read = 0, bytes_written = 0;  // bytes of the source, bytes of the result
};

struct ConvertResult {
  std::vector<ShardResult> shards;  // of the part
  bool finished = false;            // what goes with the shards, and the manifest, are written too
  double seconds = 0;

  /// ok, or what the first shard that failed asks for.
  ExitCode code() const;
};

/// All shards are there, but what goes with them could not be written.
class UnfinishedFailure : public Failure {
 public:
  UnfinishedFailure(const Failure& why, ConvertResult result) : Failure(why), result_(std::move(result)) {}
  const ConvertResult& result() const { return result_; }

 private:
  ConvertResult result_;
};

/// Converts a part of a checkpoint, and finishes it where that part is all. A shard that cannot be converted is a
/// result that failed; the others are converted all the same. Throws a Failure where nothing can be done at all: the
/// plan does not fit, the source or the target is no such thing; an UnfinishedFailure where finishing failed.
ConvertResult convert_checkpoint(const ConvertOptions& options);

/// Where all parts are converted: checks that every shard is there, made from this source by one plan and one library;
/// writes the index from what was written, copies the other files, changes config.json as the plan says, and writes the
/// manifest. With `verify` the hashes of the shards are compared with what was written. Throws a bad_data Failure that
/// names the shards that are missing.
void finish_checkpoint(const std::string& source, const std::string& target, bool verify);

/// The text of a config.json with the members that the plan sets or removes. Throws a Failure where it is no object.
std::string changed_config(const std::string& path, const Plan& plan);

/// The report on a conversion: JSON, to a file, or to standard output "-". Tensors come from the states in `target`.
void write_report(const std::string& path, const std::string& target, const Plan& plan, const ConvertResult& result);

/// Prints to standard output which rule takes which tensor of the part, and sizes before and after. Writes no file.
void print_dry_run(const ConvertOptions& options, bool json);

}  // namespace castforge::cli

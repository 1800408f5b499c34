// What is known of a shard that was converted: a file in the folder .castforge of the result, written when the shard is
// in its place. By it the next run skips the shard, and --finish knows what was written.
#pragma once

#include "cli/convert/checkpoint.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace castforge::cli {

/// What the result depends on.
struct ShardOrigin {
  std::uint64_t bytes = 0;    // of the source
  std::int64_t modified = 0;  // the latest of its files, nanoseconds since 1970
  std::string sample;         // hash of the first and last 64 KiB of each, their sizes and times
  std::string plan, library;  // hashes: of the plan's text, and of what all kernels mean
  friend bool operator==(const ShardOrigin&, const ShardOrigin&) = default;
};

struct WrittenFile {
  std::string name;  // below the folder of the result
  std::uint64_t bytes = 0;
  std::string hash;
};

struct ShardState {
  ShardOrigin origin;
  std::vector<WrittenFile> files;  // the result
  std::string tensors;             // statistics, a JSON array; empty where none were asked for
};

/// The file with the hashes of all files of a result that is whole.
inline constexpr const char* kManifest = "castforge.manifest.json";

/// Where the state of a conversion to `target` is.
std::string state_folder(const std::string& target);
std::string state_path(const std::string& target, const std::string& shard);
/// The plan that the shards there were converted by.
std::string plan_path(const std::string& target);

/// Names of the files that conversions have written to `target`, as far as manifest and states tell; they may be gone.
std::set<std::string> names_written(const std::string& target);

ShardOrigin origin_of(const Shard& shard, const std::string& plan_hash);

/// Nothing where there is no such file, or it is not whole.
std::optional<ShardState> read_state(const std::string& path);
void write_state(const std::string& path, const ShardState& state);

/// Has nobody written to that file of the result since the state at `state_path` was written?
bool is_untouched(const std::string& path, const WrittenFile& file, const std::string& state_path);

}  // namespace castforge::cli

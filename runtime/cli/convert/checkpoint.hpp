// A checkpoint as it lies on disk: its shards, its index, the files beside them.
#pragma once

#include "cli/convert/index.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace castforge::cli {

struct SourceFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  // nanoseconds since 1970
  friend bool operator==(const SourceFile&, const SourceFile&) = default;
};

/// A regular file as it is now. Throws a Failure where there is none.
SourceFile described(const std::string& path);

/// The absolute path without links and `..`, of what need not be there yet. Throws a Failure.
std::filesystem::path resolved(const std::string& path);

/// A file of weights, which is converted as a whole.
struct Shard {
  std::string name;  // below the folder of the result
  std::string path;
  std::uint64_t bytes = 0;        // of all its files
  std::vector<SourceFile> files;  // itself first; then the external data of an .onnx model
};

bool is_safetensors(std::string_view name);
bool is_onnx_model(std::string_view name);

/// Does it say in which file each tensor is? model.safetensors.index.json, or that of a variant,
/// model.safetensors.index.fp16.json.
bool is_checkpoint_index(const std::string& name);

/// The files that may be made of a shard.
std::vector<std::string> names_of_result(const std::string& shard);

/// The companion that a plan may change.
inline constexpr const char* kConfig = "config.json";

/// A file that is copied: config.json, a tokenizer, a licence.
struct Companion {
  std::string name, path;
};

class Checkpoint {
 public:
  /// `source` is a folder with .safetensors files, with or without an index; one .safetensors file; one .onnx model; or
  /// a list, a .txt file with the path of one such file per line, taken from the list's own folder. Throws a Failure
  /// where it is none of these, or a shard that is named is missing.
  explicit Checkpoint(const std::string& source);

  /// Whether the shards are all that the folder has, not files that somebody chose.
  bool is_folder() const { return is_folder_; }

  /// Sorted by name; no two have the same.
  const std::vector<Shard>& shards() const { return shards_; }
  const std::vector<Companion>& companions() const { return companions_; }

  /// A usage Failure where a path, which is to be written, is that of a file of the source: by a link, or as it stands.
  void check_is_not_read(const std::string& path) const;

  /// The index; none where the source has none. Its files() are the shards.
  const CheckpointIndex* index() const { return index_.get(); }
  const std::string& index_name() const { return index_name_; }

  /// Names of the files that a conversion may write, but for those that castforge adds of its own.
  std::set<std::string> result_names() const;

 private:
  void add_companion(const std::string& name, const std::string& path);
  void open_folder(const std::string& folder);
  void open_list(const std::string& list);
  void add_shard(std::string name, std::string path);
  void note_files();

  std::vector<Shard> shards_;
  std::vector<Companion> companions_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> files_;  // of all: device and number
  std::unique_ptr<CheckpointIndex> index_;
  std::string index_name_;
  bool is_folder_ = false;
};

/// The shards of part `index` of `count`, 0 to count - 1: their positions, rising. Parts are about equally large, and
/// the same on every machine that sees the same files.
std::vector<std::size_t> shards_of_part(const std::vector<Shard>& shards, std::size_t index, std::size_t count);

}  // namespace castforge::cli

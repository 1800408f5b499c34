// The index of a sharded checkpoint: *.safetensors.index.json, which says in which file each tensor is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace castforge::cli {

/// An index as it stands in a file, held as its text and a few bytes per tensor.
class CheckpointIndex {
 public:
  /// Reads and checks an index: every tensor once, every file by its mere name. Throws a bad_data Failure that names
  /// the byte.
  explicit CheckpointIndex(const std::string& path);

  /// The files, sorted.
  const std::vector<std::string>& files() const { return files_; }

  std::size_t size() const { return tensors_.size(); }
  std::string name(std::size_t tensor) const;
  /// The position of its file in files().
  std::size_t file(std::size_t tensor) const { return tensors_[tensor].file; }
  /// How many tensors are said to be in a file, by its position in files().
  std::size_t tensors_in(std::size_t file) const { return tensors_in_[file]; }
  /// The file of a tensor, its name as a JSON string; files().size() where the index lacks it.
  std::size_t file_of(std::string_view name_token) const;

  const std::string& path() const { return path_; }

  /// The metadata as they stand, a JSON object; empty where there are none.
  std::string_view metadata() const { return std::string_view(text_).substr(metadata_at_, metadata_size_); }
  /// How many members it has beside weight_map and metadata, and each as it stands: name, colon, value.
  std::size_t other_members() const { return others_.size(); }
  std::string_view other_member(std::size_t i) const {
    return std::string_view(text_).substr(others_[i].first, others_[i].second);
  }

 private:
  struct Tensor {
    std::uint32_t name_at, file;
  };
  std::string_view from(std::uint32_t at) const { return std::string_view(text_).substr(at); }

  std::string path_, text_;
  std::vector<Tensor> tensors_;  // sorted by name
  std::vector<std::string> files_;
  std::vector<std::size_t> tensors_in_;
  std::size_t metadata_at_ = 0, metadata_size_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> others_;  // where they are, and how long
};

}  // namespace castforge::cli

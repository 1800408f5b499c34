// A safetensors file in which some tensors are cast and the rest stays.
#pragma once

#include "cli/convert/shard_contents.hpp"
#include "cli/formats/safetensors_header.hpp"

#include <optional>
#include <vector>

namespace castforge::cli {

/// Reads the header of a shard and compares it with the index, if there is one. Throws a bad_data Failure.
SafetensorsHeader checked_header(InputFile& file, const std::string& shard, const CheckpointIndex* index);

/// The new file; its pieces are the tensors' data.
class SafetensorsRewrite : public ResultFile {
 public:
  /// Lays the new file out: the tensors with the widest elements first, so that each is aligned to its element size,
  /// and otherwise in the order of the input. `file` and `header` must live as long as this.
  SafetensorsRewrite(const InputFile& file, const SafetensorsHeader& header, ShardContents::KernelOf kernel_of);

  std::size_t size() const override { return order_.size(); }
  Piece piece(std::size_t index) const override;
  void write_head(OutputFile& out) const override;
  std::uint64_t begin_of_pieces(InputFile& written) const override { return SafetensorsHeader(written).data_offset(); }
  std::string name(std::size_t piece) const override;
  std::size_t tensor(std::size_t piece) const override { return order_[piece]; }

 private:
  SafetensorsEntry entry_of(std::size_t piece, std::uint64_t begin) const;

  const InputFile& file_;
  const SafetensorsHeader& header_;
  ShardContents::KernelOf kernel_of_;
  std::vector<std::uint32_t> order_;
};

class SafetensorsContents : public ShardContents {
 public:
  SafetensorsContents(const Shard& shard, const CheckpointIndex* index)
      : file_(shard.path), header_(checked_header(file_, shard.name, index)) {}

  std::size_t size() const override { return header_.size(); }
  std::string name(std::size_t tensor) const override { return header_.name(tensor); }
  ShardTensor tensor(std::size_t index) const override;
  void lay_out(KernelOf kernel_of) override;
  std::string dtype_of(Type type) const override;
  std::vector<const ResultFile*> results() const override { return {&*rewrite_}; }
  InputFile& input() override { return file_; }

 private:
  InputFile file_;
  SafetensorsHeader header_;
  std::optional<SafetensorsRewrite> rewrite_;
};

}  // namespace castforge::cli

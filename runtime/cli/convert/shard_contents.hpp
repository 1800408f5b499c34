// A shard that is open, whatever its format: its tensors, and the files that are made of it.
#pragma once

#include "cli/convert/checkpoint.hpp"
#include "cli/convert/pieces.hpp"
#include "cli/formats/tensor.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace castforge::cli {

struct ShardTensor {
  std::string name;
  std::string dtype;         // the format's word for its type
  std::optional<Type> type;  // nothing where the library lacks it
  Shape shape;
  std::uint64_t count = 0, bytes = 0;
};

/// A file that is made of a shard. Its pieces are of ShardContents::input().
class ResultFile : public Pieces {
 public:
  /// What its name has after the shard's name.
  virtual std::string ending() const { return {}; }
  /// Writes what comes before the pieces. Throws a Failure where the format cannot hold a result.
  virtual void write_head(OutputFile&) const {}
  /// Where the pieces begin in such a file.
  virtual std::uint64_t begin_of_pieces(InputFile&) const { return 0; }
  /// What a piece is, for messages: 'tensor "w"'.
  virtual std::string name(std::size_t piece) const = 0;
  /// The tensor of a piece that has a kernel.
  virtual std::size_t tensor(std::size_t piece) const = 0;
};

class ShardContents {
 public:
  virtual ~ShardContents() = default;
  virtual std::size_t size() const = 0;
  virtual std::string name(std::size_t tensor) const = 0;
  virtual ShardTensor tensor(std::size_t index) const = 0;

  /// Whether a tensor that has the wanted type already is cast all the same, as the op-set may change values then.
  virtual bool casts_to_same_type() const { return true; }
  /// The kernel by which a tensor is cast; none where it is kept.
  using KernelOf = std::function<const Kernel*(std::size_t)>;
  /// Lays the result out. Throws a usage Failure where the format, or this file, cannot have such tensors.
  virtual void lay_out(KernelOf kernel_of) = 0;

  // After that:

  /// The format's word for the type that a tensor gets.
  virtual std::string dtype_of(Type type) const = 0;
  /// In the order in which they are to get their names.
  virtual std::vector<const ResultFile*> results() const = 0;
  /// All bytes that pieces refer to.
  virtual InputFile& input() = 0;
};

/// Opens a shard and compares it with the index, if there is one. Throws a Failure.
std::unique_ptr<ShardContents> open_shard(const Shard& shard, const CheckpointIndex* index);

}  // namespace castforge::cli

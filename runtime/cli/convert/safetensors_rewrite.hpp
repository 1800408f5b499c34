// A safetensors file in which some tensors are cast and the rest stays.
#pragma once

#include "cli/convert/pieces.hpp"
#include "cli/formats/safetensors_header.hpp"

#include <functional>
#include <vector>

namespace castforge::cli {

/// The pieces are the tensors' data.
class SafetensorsRewrite : public Pieces {
 public:
  /// The kernel by which a tensor, by its position in the header, is cast; none where it is kept.
  using KernelOf = std::function<const Kernel*(std::size_t)>;

  /// Lays the new file out: the tensors with the widest elements first, so that each is aligned to its element size,
  /// and otherwise in the order of the input. `file` and `header` must live as long as this.
  SafetensorsRewrite(const InputFile& file, const SafetensorsHeader& header, KernelOf kernel_of);

  std::size_t size() const override { return order_.size(); }
  Piece piece(std::size_t index) const override;

  /// Which tensor a piece is: its position in the header.
  std::size_t tensor(std::size_t piece) const { return order_[piece]; }

  /// Writes what comes before the data. Throws a Failure where the format cannot hold a result.
  void write_header(OutputFile& out) const;

 private:
  SafetensorsEntry entry_of(std::size_t piece, std::uint64_t begin) const;

  const InputFile& file_;
  const SafetensorsHeader& header_;
  KernelOf kernel_of_;
  std::vector<std::uint32_t> order_;
};

}  // namespace castforge::cli

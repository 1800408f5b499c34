// Elements that a file has in Fortran order, in C order.
#pragma once

#include "cli/formats/tensor.hpp"
#include "cli/io/input_file.hpp"

#include <vector>

namespace castforge::cli {

/// The items of an array of that shape, the last index fastest, where `file` has them from `begin` on with the first
/// index fastest. Read from front to back it takes about `budget` bytes of memory, whatever the array's size; each part
/// of the result that fits into them takes one pass over the places where the file has it.
class COrder : public Bytes {
 public:
  static constexpr std::size_t kBudget = std::size_t{1} << 26;

  COrder(InputFile& file, std::uint64_t begin, const Shape& shape, std::size_t item_bytes,
         std::size_t budget = kBudget);

  std::uint64_t size() const override { return count_ * item_bytes_; }
  std::size_t read_at(std::uint64_t offset, void* dst, std::size_t length) override;

 private:
  /// Items [first, end) of axis `axis`, at fixed places of the axes before it, and all of those after it: consecutive
  /// in C order.
  struct Slab {
    std::uint64_t begin = 0, size = 0;  // items, in C order
    std::uint64_t first = 0, end = 0;   // of the axis
    std::uint64_t at = 0;               // in the file: of the fixed places
  };

  Slab slab_at(std::uint64_t item) const;
  void load(const Slab& slab);
  void put(std::uint64_t file_item, std::uint64_t run, std::uint64_t place, std::uint64_t step);
  const char* window(std::uint64_t offset, std::size_t length);

  InputFile& file_;
  std::uint64_t begin_;
  Shape shape_;
  std::size_t item_bytes_;
  std::uint64_t count_ = 1;
  std::size_t axis_ = 0;          // along which the array is divided
  std::uint64_t inner_ = 1;       // items behind one place of that axis
  std::uint64_t stride_ = 1;      // of that axis, in items of the file
  std::uint64_t axis_items_ = 1;  // places of the axis in a slab

  Slab slab_;
  std::vector<char> items_;   // of the slab, in C order
  std::vector<char> buffer_;  // what was read last
  std::uint64_t buffer_at_ = 0;
  std::size_t buffered_ = 0;
};

}  // namespace castforge::cli

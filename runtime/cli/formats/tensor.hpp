// What the file formats have in common: a tensor's description and its elements as a stream of codes.
#pragma once

#include "cli/formats/text_stream.hpp"

#include <castforge/interface.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace castforge::cli {

using Shape = std::vector<std::uint64_t>;

struct TensorInfo {
  std::string name;  // empty where the format has none
  Type type{};
  Shape shape;
  bool fortran_order = false;          // elements are stored with the first index fastest
  std::optional<std::uint64_t> count;  // product of the shape; nothing for a stream of unknown length
};

bool is_string(Type type);

/// The type of strings; nothing where the library was built without.
std::optional<Type> string_type();

/// Product of the extents (1 for rank 0, 0 as soon as one extent is 0); nothing where it exceeds 2^63 - 1.
std::optional<std::uint64_t> element_count(const Shape& shape);

/// Bytes of `count` packed elements of `bits` bits (0 for strings), rounded up; nothing where that exceeds
/// 2^63 - 1.
std::optional<std::uint64_t> packed_bytes(std::uint64_t count, int bits);

/// How many elements of `bits` bits `bytes` bytes hold.
std::uint64_t elements_filling(std::uint64_t bytes, int bits);

/// "expected an element of 4 bytes, found 3 before the file ends"; `rest` bytes of it, too few for another one.
std::string part_of_an_element(int bits, std::uint64_t rest);

/// "[3, 5]"
std::string shape_text(const Shape& shape);

/// Whether elements in Fortran order stand in C order as well: at most one extent differs from 1, or no
/// elements.
bool same_in_both_orders(const Shape& shape);

/// Elements in storage order, in the packed little-endian layout that kernels read.
class ElementReader {
 public:
  virtual ~ElementReader() = default;

  /// Delivers the next `count` elements, fewer only at the end; the number delivered. `count` must be a
  /// multiple of 8. Throws a Failure where the file holds other than what it announced.
  virtual std::size_t read(void* codes, std::size_t count) = 0;
};

/// How many elements of a tensor are worked on at a time, and by how many threads.
struct Chunks {
  std::size_t elements;
  unsigned threads;
};

/// About a megabyte of elements of `bits` bits at a time. A small tensor, if its `count` is known, gets small buffers
/// and no threads that have nothing to do.
Chunks chunks_of(std::optional<std::uint64_t> count, int bits, unsigned threads);

/// Takes elements in the layout that kernels write.
class ElementWriter {
 public:
  virtual ~ElementWriter() = default;

  /// Takes the next `count` elements: a multiple of 8, except for the last call.
  virtual void write(const void* codes, std::size_t count) = 0;

  /// Writes what comes after the elements.
  virtual void finish() {}
};

/// An opened input tensor.
class TensorSource {
 public:
  virtual ~TensorSource() = default;
  const TensorInfo& info() const { return info_; }

  // One of these, by the type: its elements from the first on. Can be asked for again unless the input is a
  // stream.
  virtual std::unique_ptr<ElementReader> elements() = 0;
  virtual std::unique_ptr<TextReader> texts() = 0;

  /// From now on elements come with the last index fastest, whatever the order in the file.
  virtual void put_in_c_order() {}

 protected:
  TensorInfo info_;
};

}  // namespace castforge::cli

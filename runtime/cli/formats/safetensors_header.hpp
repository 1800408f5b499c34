// The header of a .safetensors file: names, element types, shapes and byte ranges, as JSON.
#pragma once

#include "cli/formats/json_cursor.hpp"
#include "cli/formats/tensor.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

/// Of one shape; more than any array library has.
inline constexpr std::size_t kMostSafetensorsExtents = 64;

/// The name, as JSON, under which a header keeps texts about the file; no tensor can have it.
inline constexpr std::string_view kMetadataToken = "\"__metadata__\"";

struct SafetensorsEntry {
  std::string_view name_token;  // a JSON string of a header that is alive; see name()
  std::string dtype;
  Shape shape;
  std::uint64_t begin = 0, end = 0;  // within the data section
  std::uint64_t count = 0;           // product of the shape

  std::string name() const { return decoded_string(name_token); }
};

/// A header as it stands in a file, and where in it the tensors are: however many there are, they take less memory than
/// the text.
class SafetensorsHeader {
 public:
  /// Reads and checks a header: every tensor's size agrees with its range, and the ranges cover the data section
  /// without overlaps or gaps. Throws a bad_data Failure that names the tensor or byte.
  explicit SafetensorsHeader(InputFile& file);

  /// Where the data section begins in the file.
  std::uint64_t data_offset() const { return 8 + text_.size(); }

  /// The tensors, in the order of their data.
  std::size_t size() const { return tensors_.size(); }
  SafetensorsEntry tensor(std::size_t index) const;
  std::string name(std::size_t index) const { return decoded_string(name_token(index)); }
  /// The position of a tensor's dtype in dtypes().
  std::size_t dtype(std::size_t index) const { return tensors_[index].dtype; }
  const std::vector<std::string>& dtypes() const { return dtypes_; }

  /// The metadata as they stand, a JSON object; empty where the file has not even an empty one.
  std::string_view metadata() const { return std::string_view(text_).substr(metadata_at_, metadata_size_); }

 private:
  struct Tensor {
    std::uint64_t begin, end;
    std::uint32_t name_at, shape_at;  // in the text
    std::uint16_t dtype;
    std::uint8_t rank;
  };

  class Parser;
  JsonCursor cursor(std::uint32_t at) const;
  std::string_view name_token(std::size_t index) const;
  void read_shape(const Tensor& tensor, Shape& shape) const;
  void check_names(const std::string& file) const;
  void check_sizes(const std::string& file) const;
  void check_coverage(const std::string& file, std::uint64_t data_size);

  std::string text_;
  std::deque<Tensor> tensors_;  // grows without copies of what it holds
  std::vector<std::string> dtypes_;
  std::size_t metadata_at_ = 0, metadata_size_ = 0;
};

/// What is said of a shape of more than kMostSafetensorsExtents.
std::string too_many_extents();

/// Bits of one element of a dtype; 0 where the format has no such dtype.
int safetensors_bits(std::string_view dtype);

/// Writes the bytes before the data of a file with metadata (a JSON object, or nothing) and `size` tensors, which
/// `tensor` gives one by one: names, dtypes, shapes and ranges count. The data starts at a multiple of 8.
void write_safetensors_header(OutputFile& out, std::string_view metadata, std::size_t size,
                              const std::function<SafetensorsEntry(std::size_t)>& tensor);

}  // namespace castforge::cli

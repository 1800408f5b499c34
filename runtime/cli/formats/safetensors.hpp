// Safetensors files: many named tensors. Sub-byte floating types are packed, the first element in the low
// bits.
#pragma once

#include "cli/formats/element_io.hpp"
#include "cli/formats/safetensors_header.hpp"

namespace castforge::cli {

/// The library's type for a dtype; nothing where it has none.
std::optional<Type> type_of_dtype(std::string_view dtype);

/// The dtype for a type; a usage Failure about `file` where the format has none.
std::string dtype_of_type(const std::string& file, Type type);

/// One tensor of a file as a source.
class SafetensorsSource : public TensorSource {
 public:
  /// `type` is the library's type for the entry's dtype.
  SafetensorsSource(InputFile& file, const SafetensorsHeader& header, const SafetensorsEntry& entry, Type type);
  std::unique_ptr<ElementReader> elements() override;
  std::unique_ptr<TextReader> texts() override;

 private:
  InputFile& file_;
  std::uint64_t offset_;
};

/// Gives a tensor of `bits` bits each its range in a new file, from `begin` on. Throws a bad_data Failure
/// where elements of less than a byte do not fill whole bytes, and for a shape that SafetensorsHeader would refuse.
void lay_out(const std::string& file, SafetensorsEntry& tensor, int bits, std::uint64_t begin);

/// Writes the header of a file with this tensor only; elements follow through the writer returned.
std::unique_ptr<ElementWriter> start_safetensors(OutputFile& file, const TensorInfo& tensor);

}  // namespace castforge::cli

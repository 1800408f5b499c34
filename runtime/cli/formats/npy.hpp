// NumPy arrays, .npy.
//
// Types that NumPy lacks have no name of their own in the file: their descriptor only gives the size
// ("<V1", "<V2"), and one has to say which type is meant. Types that are no
// words in memory are stored one element per word, in its low bits: below 8 bits per byte, as ml_dtypes does. Strings
// are "U" or "S" arrays (npy_text.hpp).
#pragma once

#include "cli/formats/element_io.hpp"
#include "cli/formats/npy_header.hpp"

namespace castforge::cli {

class NpySource : public TensorSource {
 public:
  /// `from` says which type the elements have where the descriptor does not, or only gives an unsigned
  /// integer or opaque type of the right size; it must agree with the descriptor otherwise.
  NpySource(InputFile& file, std::optional<Type> from);
  std::unique_ptr<ElementReader> elements() override;
  std::unique_ptr<TextReader> texts() override;
  void put_in_c_order() override;

 private:
  InputFile& file() { return in_c_order_ ? *in_c_order_ : file_; }

  InputFile& file_;
  std::unique_ptr<InputFile> in_c_order_;  // the elements alone
  NpyDescr descr_;
  std::uint64_t data_offset_;
  CodeLayout layout_;
};

/// Whether a descriptor alone says which type the elements have.
bool npy_tells_type(std::string_view descr);

/// Writes the header; elements follow through the writer returned. Throws a usage Failure for types that
/// the format cannot hold.
std::unique_ptr<ElementWriter> start_npy(OutputFile& file, const TensorInfo& tensor);

}  // namespace castforge::cli

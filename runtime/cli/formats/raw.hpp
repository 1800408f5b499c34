// Codes and nothing else: .raw. Little-endian; widths other than 8, 16, 32 and 64 bits without gaps,
// the first element in the low bits, uint1 from the high bit on. Strings are lines (text_lines.hpp).
#pragma once

#include "cli/formats/element_io.hpp"

namespace castforge::cli {

class RawSource : public TensorSource {
 public:
  /// Without a count the elements are what fills the file. With one, the file must hold exactly that many:
  /// other sizes are bad data.
  RawSource(InputFile& file, Type type, std::optional<std::uint64_t> count);
  std::unique_ptr<ElementReader> elements() override;
  std::unique_ptr<TextReader> texts() override;

 private:
  void check_size(std::uint64_t size);

  InputFile& file_;
};

}  // namespace castforge::cli

// Strings in NumPy arrays: elements of one fixed length, filled up with zeros. "<U5" is UTF-32, "|S5"
// bytes.
#pragma once

#include "cli/formats/npy_header.hpp"
#include "cli/formats/text_stream.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"

namespace castforge::cli {

/// Bytes of an element of that kind, U or S; 0 where an element would be longer than the program reads.
std::size_t npy_text_bytes(const NpyDescr& descr);

class NpyTextReader : public TextReader {
 public:
  NpyTextReader(InputFile& file, std::uint64_t offset, std::uint64_t count, const NpyDescr& descr);

 protected:
  bool next(TextBlock& block) override;

 private:
  void add_code_points(TextBlock& block, const char* item);

  InputFile& file_;
  std::uint64_t offset_, count_, done_ = 0;
  NpyDescr descr_;
  std::size_t item_bytes_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
};

/// Writes the header of an array of `length` code points per element; texts follow through the writer,
/// which wants well-formed UTF-8 without zeros at the end.
std::unique_ptr<TextWriter> start_npy_text(OutputFile& file, const TensorInfo& tensor, std::size_t length);

}  // namespace castforge::cli

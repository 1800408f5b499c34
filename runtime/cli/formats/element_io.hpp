// Elements that lie one after the other in a file.
#pragma once

#include "cli/formats/code_layout.hpp"
#include "cli/formats/tensor.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"

namespace castforge::cli {

/// Reads `count` elements of `type` from byte `offset` on; without a count, all up to the end of the
/// stream.
class FileElementReader : public ElementReader {
 public:
  FileElementReader(InputFile& file, std::uint64_t offset, Type type, std::optional<std::uint64_t> count,
                    CodeLayout layout = {});
  std::size_t read(void* codes, std::size_t count) override;

 private:
  std::size_t elements_in(std::size_t bytes) const;

  InputFile& file_;
  std::uint64_t offset_;
  int bits_;
  Packing packing_;
  CodeLayout layout_;
  std::optional<std::uint64_t> left_;
  std::vector<char> words_;  // one element each, before packing
};

class FileElementWriter : public ElementWriter {
 public:
  /// `words`: as in CodeLayout.
  FileElementWriter(OutputFile& file, Type type, bool words = false);
  void write(const void* codes, std::size_t count) override;

 private:
  OutputFile& file_;
  int bits_;
  int width_;  // bits of an element in the file
  Packing packing_;
  std::vector<char> words_;
};

/// Copies bytes `begin` to `end` of a file as they are.
void copy_bytes(InputFile& from, std::uint64_t begin, std::uint64_t end, OutputFile& to);

}  // namespace castforge::cli

// Strings in raw files: one per line, ended by a line feed.
#pragma once

#include "cli/formats/text_stream.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"

#include <optional>
#include <vector>

namespace castforge::cli {

class LineReader : public TextReader {
 public:
  /// With a count, the input must have exactly that many lines. The last line need not be ended.
  LineReader(InputFile& file, std::optional<std::uint64_t> count) : file_(file), count_(count) {}

 protected:
  bool next(TextBlock& block) override;

 private:
  bool fill();

  InputFile& file_;
  std::optional<std::uint64_t> count_;
  std::uint64_t lines_ = 0, offset_ = 0;  // offset_: of what follows the buffer
  std::vector<char> buffer_;
  std::size_t at_ = 0;
};

/// Number of lines of a regular file.
std::uint64_t count_lines(InputFile& file);

/// A text with a line feed is bad data: it would be read back as two.
class LineWriter : public TextWriter {
 public:
  explicit LineWriter(OutputFile& file) : file_(file) {}
  void write(const TextBlock& block) override;

 private:
  OutputFile& file_;
  std::uint64_t written_ = 0;
  std::string lines_;
};

}  // namespace castforge::cli

// String tensors as streams: what tensor.hpp has for numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

/// Texts one after the other; offsets() has one entry more than there are texts.
class TextBlock {
 public:
  std::size_t size() const { return offsets_.size() - 1; }
  std::size_t bytes() const { return chars_.size(); }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(chars_).substr(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  const char* chars() const { return chars_.data(); }
  const std::size_t* offsets() const { return offsets_.data(); }

  void clear() {
    chars_.clear();
    offsets_.assign(1, 0);
  }
  void add(std::string_view text) {
    chars_ += text;
    offsets_.push_back(chars_.size());
  }
  /// For a text that comes in pieces: appends without ending it.
  void add_piece(std::string_view piece) { chars_ += piece; }
  std::size_t open_bytes() const { return chars_.size() - offsets_.back(); }

 private:
  std::string chars_;
  std::vector<std::size_t> offsets_ = {0};
};

// A block ends with either, so that memory stays bounded. The number of texts is a multiple of 8.
inline constexpr std::size_t kBlockTexts = 1 << 15, kBlockBytes = 1 << 20;

/// A longer element is bad data.
inline constexpr std::size_t kLongestText = 1 << 24;

class TextReader {
 public:
  virtual ~TextReader() = default;

  /// Replaces the block by the next texts; false where there are none. Their number is a multiple of 8
  /// except at the end.
  bool read(TextBlock& block) {
    block.clear();
    while (block.size() < kBlockTexts && (block.bytes() < kBlockBytes || block.size() % 8 != 0) && next(block)) {
    }
    return block.size() != 0;
  }

 protected:
  /// Adds the next text to the block; false at the end. Throws a Failure where the file is not what it
  /// announced.
  virtual bool next(TextBlock& block) = 0;
};

class TextWriter {
 public:
  virtual ~TextWriter() = default;
  /// Takes the next texts. Throws a Failure for one that the format cannot hold.
  virtual void write(const TextBlock& block) = 0;
  /// Writes what comes after the texts.
  virtual void finish() {}
};

}  // namespace castforge::cli

// Bytes that are parts of files, files read in larger steps, or several files one after the other.
#pragma once

#include "cli/io/input_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace castforge::cli {

/// `size` bytes of a file, from byte `begin` on. The file must outlive it.
class FilePart : public Bytes {
 public:
  FilePart(InputFile& file, std::uint64_t begin, std::uint64_t size) : file_(file), begin_(begin), size_(size) {}
  std::uint64_t size() const override { return size_; }
  std::size_t read_at(std::uint64_t offset, void* dst, std::size_t length) override;

 private:
  InputFile& file_;
  std::uint64_t begin_, size_;
};

/// A file of which more is read than was asked for: many small reads that follow each other cost few large ones. The
/// file must have a size and outlive it. Not thread-safe.
class ReadAhead : public Bytes {
 public:
  explicit ReadAhead(InputFile& file) : file_(file) {}
  std::uint64_t size() const override { return *file_.size(); }
  std::size_t read_at(std::uint64_t offset, void* dst, std::size_t length) override;

 private:
  InputFile& file_;
  std::vector<char> block_;
  std::uint64_t begin_ = 0;  // of the block
  std::size_t filled_ = 0;   // bytes that it has
};

/// Files one after the other. However many paths are added, only one of them is open at a time. Not thread-safe.
class JoinedFiles : public Bytes {
 public:
  /// Adds a file that has a size and outlives this; returns where its bytes begin.
  std::uint64_t add(InputFile& file);
  /// Adds a file that is opened when it is read, and is taken to have so many bytes then.
  std::uint64_t add(std::string path, std::uint64_t bytes);

  std::uint64_t size() const override { return end_; }
  std::size_t read_at(std::uint64_t offset, void* dst, std::size_t length) override;

 private:
  struct Member {
    std::uint64_t begin, end;
    InputFile* file;  // none where there is a path
    std::string path;
  };
  std::uint64_t add(Member member, std::uint64_t bytes);
  InputFile& file_of(std::size_t member);

  std::vector<Member> members_;
  std::uint64_t end_ = 0;
  std::size_t opened_ = 0;  // whose path is open
  std::unique_ptr<InputFile> open_;
};

}  // namespace castforge::cli

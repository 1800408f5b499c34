// Records of verification: which program was compared at every source code, or proved, by what. A text file with one
// line per record, which castforge and castforge-gen write and castforge-gen reads.
#pragma once

#include "cli/io/words.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace castforge::records {

/// How a program was verified for every source code.
enum class How {
  exhaustive,  // the compiled kernel, at each of them
  smt,         // the program, by proof
};

struct Record {
  std::string kernel;    // its name, for readers
  std::string meaning;   // hash of its rule: "sha256:7c1e4b90a2f5"
  std::string programs;  // exhaustive: hashes of all plans of the kernel, with commas; smt: of the plan proved
  How how = How::exhaustive;
  std::vector<std::string> isas;  // exhaustive: the instruction sets that ran; smt: none, the proof holds on all
  int code_bits = 0;              // all 2^code_bits codes of the source
  std::string tool;               // program and version: "z3 4.8.12"

  friend bool operator==(const Record&, const Record&) = default;
};

using cli::split;

/// The records of a file in its order. Throws a bad_data cli::Failure, with file and line, where it is no file of
/// records.
std::vector<Record> read_records(const std::filesystem::path& path);

/// A file that grows by a line whenever something has been verified, so that work that was interrupted can go on.
/// Several programs may have one open at a time.
class RecordFile {
 public:
  /// Reads the file if there is one, and writes it again without the records that `holds` refuses, those of programs
  /// that are no more, where there are any. Throws a cli::Failure.
  RecordFile(std::filesystem::path path, const std::function<bool(const Record&)>& holds);

  const std::vector<Record>& records() const { return records_; }
  /// How many `holds` refused.
  std::size_t dropped() const { return dropped_; }

  /// Appends a record, at once. Throws cli::Failure where it cannot be written.
  void add(Record record);

  /// Puts the records, those included that others have added meanwhile, in the order of their kernels, so that the file
  /// does not depend on the order of the work.
  void sort();

 private:
  class Locked;
  void take_those_of_others(const Locked& file);
  void write_all() const;

  std::filesystem::path path_;
  std::vector<Record> records_;
  std::size_t dropped_ = 0;
};

}  // namespace castforge::records

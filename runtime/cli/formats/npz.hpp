// Several NumPy arrays in one file, .npz: a zip archive of .npy files.
#pragma once

#include "cli/formats/npy.hpp"
#include "cli/formats/zip.hpp"

#include <string>
#include <vector>

namespace castforge::cli {

/// The arrays of an archive, by the names that NumPy gives them: the members' without ".npy". Members of other names
/// are left out, though NumPy tells arrays among them by their contents.
class Npz {
 public:
  explicit Npz(InputFile& file);

  std::size_t size() const { return members_.size(); }
  std::string name(std::size_t index) const;
  const ZipMember& member(std::size_t index) const { return members_[index]; }
  /// How many members are left out.
  std::size_t left_out() const { return left_out_; }
  InputFile& file() const { return file_; }

 private:
  InputFile& file_;
  std::vector<ZipMember> members_;
  std::size_t left_out_ = 0;
};

/// One array as a source; `from` as for NpySource.
class NpzSource : public TensorSource {
 public:
  NpzSource(const Npz& archive, std::size_t index, std::optional<Type> from);
  std::unique_ptr<ElementReader> elements() override { return array_.elements(); }
  std::unique_ptr<TextReader> texts() override { return array_.texts(); }
  void put_in_c_order() override;

 private:
  std::unique_ptr<InputFile> contents_;
  NpySource array_;
};

}  // namespace castforge::cli

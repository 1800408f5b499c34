// An ONNX model in which some initializers are cast and the rest stays.
//
// A cast initializer gets a new name, and a node `Cast` back to its old type makes a value of the old name: whatever
// refers to that, operators, graphs in nodes, annotations and results, finds a value of the type that it had. The
// weights are stored in the new type and computed with in the old one, and a model that was valid stays so. An
// initializer that is also an input of the graph, as all are before version 4 of the format, is renamed and typed there
// too.
#pragma once

#include "cli/convert/shard_contents.hpp"
#include "cli/formats/onnx_model.hpp"
#include "cli/io/file_parts.hpp"
#include "cli/io/spool.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace castforge::cli {

class OnnxContents : public ShardContents {
 public:
  explicit OnnxContents(const Shard& shard);

  std::size_t size() const override { return model_.initializers().size(); }
  std::string name(std::size_t tensor) const override { return model_.initializers()[tensor].name; }
  ShardTensor tensor(std::size_t index) const override;
  /// Elements that were in other files are in one beside the model, NAME.onnx.data; all others stay in the model.
  void lay_out(KernelOf kernel_of) override;
  std::string dtype_of(Type type) const override;
  std::vector<const ResultFile*> results() const override;
  InputFile& input() override;

 private:
  static constexpr std::size_t kNoTensor = static_cast<std::size_t>(-1);

  /// Bytes of input(), or elements of a tensor there.
  struct Part {
    std::uint64_t offset = 0, count = 0;
    std::size_t tensor = kNoTensor;
  };

  /// A file of the result, in parts.
  class Parts : public ResultFile {
   public:
    Parts(OnnxContents& contents, std::string ending) : contents_(contents), ending_(std::move(ending)) {}

    std::size_t size() const override { return parts_.size(); }
    Piece piece(std::size_t index) const override;
    std::string ending() const override { return ending_; }
    std::string name(std::size_t piece) const override;
    std::size_t tensor(std::size_t piece) const override { return parts_[piece].tensor; }

    std::uint64_t bytes() const { return bytes_; }
    void add(const Part& part);
    /// Bytes of the model as they are.
    void keep(FileRange range);
    /// New bytes.
    void put(std::string_view bytes);
    void append(const Parts& others);

   private:
    OnnxContents& contents_;
    std::string ending_;
    std::vector<Part> parts_;
    std::uint64_t bytes_ = 0;
  };

  const Kernel* kernel(std::size_t tensor) const { return kernel_of_(tensor); }
  std::uint64_t bytes_after(std::size_t tensor) const;
  std::string stored_name(std::size_t tensor) const;
  void check_cast_back(std::size_t tensor) const;
  std::string cast_node(std::size_t tensor) const;
  std::string retyped_input(const OnnxInput& input, std::size_t tensor);
  std::uint64_t offset_of(std::size_t tensor) const;
  Parts rewritten(std::size_t tensor);
  std::uint64_t literal(std::string_view bytes);
  void place_sources();
  void decode_typed_fields();

  const Shard& shard_;
  InputFile file_;
  OnnxModel model_;
  KernelOf kernel_of_;
  std::optional<Parts> changed_model_, changed_data_;

  // What input() has, one after the other: the model, elements that stood in typed fields, external files, new bytes.
  std::map<std::size_t, std::uint64_t> typed_;  // by tensor, where in the second of these
  std::uint64_t typed_bytes_ = 0;
  std::vector<std::uint64_t> external_begin_;  // by external file
  std::uint64_t literals_begin_ = 0;
  std::string literals_;
  std::unique_ptr<InputFile> typed_file_, literals_file_, input_;
};

}  // namespace castforge::cli

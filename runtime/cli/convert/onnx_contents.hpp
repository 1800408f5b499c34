// An ONNX model in which some initializers are cast and the rest stays.
//
// A cast initializer gets a new name, and a node `Cast` back to its old type makes a value of the old name: whatever
// refers to that, operators, graphs in nodes, annotations and results, finds a value of the type that it had. The
// weights are stored in the new type and computed with in the old one, and a model that was valid stays so. An
// initializer that is also an input of the graph, as all are before version 4 of the format, is renamed and typed there
// too. The version of the format is raised to what the new types take.
#pragma once

#include "cli/convert/shard_contents.hpp"
#include "cli/formats/onnx_model.hpp"
#include "cli/io/file_parts.hpp"
#include "cli/io/kept_text.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace castforge::cli {

class OnnxContents : public ShardContents {
 public:
  explicit OnnxContents(const Shard& shard);

  std::size_t size() const override { return model_.initializers().size(); }
  std::string name(std::size_t tensor) const override { return std::string(model_.initializers()[tensor].name); }
  ShardTensor tensor(std::size_t index) const override;
  /// Its node Cast would cast a type to itself.
  bool casts_to_same_type() const override { return false; }
  /// Elements that were in other files are in one beside the model, NAME.onnx.data; all others stay in the model.
  void lay_out(KernelOf kernel_of) override;
  std::string dtype_of(Type type) const override;
  std::vector<const ResultFile*> results() const override;
  InputFile& input() override;

 private:
  static constexpr std::uint64_t kTensor = static_cast<std::uint64_t>(-1);

  /// Bytes of input(), or elements of a tensor there. Small, as models may have many.
  struct Part {
    std::uint64_t place = 0;  // offset of the bytes, or number of the tensor
    std::uint64_t count = 0;  // of the bytes, or kTensor
  };

  /// A file of the result, in parts.
  class Parts : public ResultFile {
   public:
    Parts(OnnxContents& contents, std::string ending) : contents_(contents), ending_(std::move(ending)) {}

    std::size_t size() const override { return parts_.size(); }
    Piece piece(std::size_t index) const override;
    std::string ending() const override { return ending_; }
    std::string name(std::size_t piece) const override;
    std::size_t tensor(std::size_t piece) const override { return static_cast<std::size_t>(parts_[piece].place); }

    std::uint64_t bytes() const { return bytes_; }
    /// The elements of a tensor.
    void add(std::size_t tensor);
    /// Bytes of the model as they are.
    void keep(FileRange range);
    /// New bytes.
    void put(std::string_view bytes);
    /// Puts bytes of the model, and new ones after them, before all that there is.
    void begin_with(FileRange range, std::string_view bytes);

   private:
    void add(FileRange range);
    bool ends_at(std::uint64_t offset) const;

    OnnxContents& contents_;
    std::string ending_;
    std::deque<Part> parts_;
    std::uint64_t bytes_ = 0;
  };

  const Kernel* kernel(std::size_t tensor) const { return kernel_of_(tensor); }
  std::uint64_t bytes_after(std::size_t tensor) const;
  std::string stored_name(std::size_t tensor) const;
  void check_cast_back(std::size_t tensor);
  std::string cast_node(std::size_t tensor) const;
  std::string retyped_input(const WireField& input, std::size_t tensor);
  std::uint64_t offset_of(std::size_t tensor) const;
  void rewrite(std::size_t tensor);
  void put_around_graph(const std::string& graph_tag, std::uint64_t ir_version);
  std::uint64_t literal(std::string_view bytes);
  void place_sources();
  void decode_typed_fields();

  const Shard& shard_;
  InputFile source_;
  InputFile file_;  // the same, in larger steps
  OnnxModel model_;
  KernelOf kernel_of_;
  std::set<const Kernel*> checked_;  // whether the way back is admitted
  std::optional<Parts> changed_model_, changed_data_;

  // What input() has, one after the other: the model, elements that stood in typed fields, external files, new bytes.
  std::vector<std::uint64_t> typed_;  // by tensor, where in the second of these; empty where none does
  std::uint64_t typed_bytes_ = 0;
  std::vector<std::uint64_t> external_begin_;  // by external file
  std::uint64_t literals_begin_ = 0;
  KeptText literals_;
  std::unique_ptr<InputFile> typed_file_, literals_file_, all_literals_, input_;
};

}  // namespace castforge::cli

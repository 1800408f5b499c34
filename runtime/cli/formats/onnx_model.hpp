// ONNX models, .onnx (onnx.proto, message ModelProto): the initializers of the graph, and what of the rest has to be
// known before they are changed. Nothing is held but their descriptions, about 64 bytes and the name of each.
// Elements: onnx_source.hpp.
#pragma once

#include "cli/formats/tensor_proto.hpp"
#include "cli/io/failure.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace castforge::cli {

namespace field {
// ModelProto, GraphProto, NodeProto, AttributeProto, ValueInfoProto, TypeProto, TypeProto.Tensor.
inline constexpr std::uint32_t kModelIrVersion = 1, kModelGraph = 7, kModelOpsetImport = 8, kModelTrainingInfo = 20,
                               kModelFunctions = 25;
inline constexpr std::uint32_t kGraphNode = 1, kGraphInitializer = 5, kGraphInput = 11, kGraphSparseInitializer = 15;
inline constexpr std::uint32_t kNodeInput = 1, kNodeOutput = 2, kNodeName = 3, kNodeOpType = 4, kNodeAttribute = 5;
inline constexpr std::uint32_t kAttributeName = 1, kAttributeInt = 3, kAttributeTensor = 5, kAttributeGraph = 6,
                               kAttributeTensors = 10, kAttributeGraphs = 11, kAttributeType = 20,
                               kAttributeSparseTensor = 22, kAttributeSparseTensors = 23;
inline constexpr std::uint32_t kValueName = 1, kValueType = 2, kTypeTensor = 1, kTensorElementType = 1;
}  // namespace field

/// Bytes of the file.
struct FileRange {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
};

struct OnnxInitializer {
  enum class Place : std::uint8_t { raw, typed, external };

  std::string_view name;        // as long as the model lives
  FileRange whole;              // with its tag
  std::uint64_t count = 0;      // elements
  std::uint64_t offset = 0;     // of the elements in the model or in the external file
  std::uint32_t data_type = 0;  // ONNX's number
  std::uint32_t file = 0;       // external: which of external_files()
  std::optional<Type> type;     // nothing where the library has none
  std::uint8_t tag_bytes = 0;
  Place place = Place::typed;

  FileRange message() const { return {whole.begin + tag_bytes, whole.end}; }
  /// Of packed elements; of strings, and of a type without a Type, those of the message.
  std::uint64_t bytes() const;
  /// The library's name of the type, or what ONNX calls it where the library has none: "COMPLEX64", "ONNX type 99".
  std::string type_name() const;
};

/// An input of the graph that has the name of an initializer.
struct OnnxInput {
  std::uint64_t begin = 0;  // with its tag
  std::uint32_t size = 0;
  std::uint32_t initializer = 0;

  FileRange whole() const { return {begin, begin + size}; }
};

/// What a model is read for: to look at its initializers, or to rewrite some of them.
enum class OnnxUse : std::uint8_t { look, rewrite };

class OnnxModel {
 public:
  /// Reads a model. Throws a bad_data Failure for what is none and, unless it is for a look, for what cannot be kept
  /// when initializers are rewritten: external data in other places, training information. Nor may there be more
  /// initializers, or more files with their elements, than any real model has: what is held of them stays below 64 MiB.
  explicit OnnxModel(InputFile& original, OnnxUse use = OnnxUse::rewrite);

  /// The version of the format; 0 where the model lacks it.
  std::uint64_t ir_version() const { return ir_version_; }
  FileRange ir_version_field() const { return ir_version_field_; }  // empty, at the beginning, where there is none
  FileRange graph() const { return graph_; }                        // the field
  FileRange graph_message() const { return graph_message_; }
  /// The initializers of the graph itself, not of graphs in its nodes: in their order; no two have the same name.
  const std::deque<OnnxInitializer>& initializers() const { return initializers_; }
  /// Read from the file again.
  Shape shape(const OnnxInitializer& one) const;
  /// What messages call an initializer: FILE: initializer "NAME".
  std::string label(const OnnxInitializer& one) const;
  /// Its message, a TensorProto; the model must outlive it.
  std::unique_ptr<Bytes> message(const OnnxInitializer& one) const;
  /// In their order; no two have the same name. None for a look.
  const std::vector<OnnxInput>& inputs() const { return inputs_; }
  /// Paths as initializers have them, relative to the model's folder and staying in it, each once.
  const std::vector<std::string>& external_files() const { return external_files_; }
  /// Where the one is that has the elements of an external initializer.
  std::string external_path(const OnnxInitializer& one) const;
  /// A bad_data Failure unless a file of so many bytes has those elements.
  void check_external(const OnnxInitializer& one, std::uint64_t bytes) const;
  /// What is wrong with that file, told of the initializer.
  Failure of_external(const OnnxInitializer& one, const Failure& failure) const;
  /// The version of the operators of ONNX that it imports.
  std::optional<std::uint64_t> opset_version() const { return opset_version_; }

  /// A new name for an initializer that is cast to a type.
  std::string new_name(std::size_t initializer, Type type) const;
  /// Whether some value has that name already; not for a look.
  bool has_new_name(std::size_t initializer, Type type) const;

 private:
  void read_initializers();
  void read_values();
  void read_rest_of_graph();
  void read_input(const WireField& field);
  void read_initializer(const WireField& field);
  std::string_view kept_name(std::string_view name);
  std::optional<std::uint32_t> find(std::string_view name) const;
  void read_opset(const WireField& field);
  void look_into_graph(const WireField& field, int depth);
  void look_into_node(const WireField& field, int depth);
  void look_into_attribute(const WireField& field, int depth);
  void refuse_external(const WireField& tensor);
  void refuse_external_parts(const WireField& sparse_tensor);
  void read_sparse_initializer(const WireField& sparse_tensor);
  void note_value(std::string_view name);
  void note_value(const WireField& field);
  std::uint32_t external_file(const std::string& where, const std::string& location);

  OnnxUse use_;
  std::unique_ptr<InputFile> file_;
  std::string path_;
  std::uint64_t ir_version_ = 0;
  FileRange ir_version_field_, graph_, graph_message_;
  std::deque<OnnxInitializer> initializers_;
  std::deque<std::string> names_;       // of initializers, many in each
  std::vector<std::uint32_t> by_name_;  // initializers, while values are read
  std::vector<OnnxInput> inputs_;
  std::vector<bool> is_input_;  // by initializer, likewise
  std::vector<std::string> external_files_;
  std::map<std::string, std::uint32_t> external_numbers_;
  std::optional<std::uint64_t> opset_version_;
  std::vector<std::pair<std::uint32_t, Type>> new_names_;  // that values have; sorted
};

}  // namespace castforge::cli

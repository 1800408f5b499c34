// ONNX models, .onnx (onnx.proto, message ModelProto): the initializers of the graph, and what of the rest has to be
// known before they are changed. Nothing is held but their descriptions.
#pragma once

#include "cli/formats/tensor_proto.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

namespace field {
// ModelProto, GraphProto, NodeProto, AttributeProto, ValueInfoProto, TypeProto, TypeProto.Tensor.
inline constexpr std::uint32_t kModelGraph = 7, kModelOpsetImport = 8, kModelTrainingInfo = 20, kModelFunctions = 25;
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

  std::string name;
  std::uint64_t data_type = 0;  // ONNX's number
  std::optional<Type> type;     // nothing where the library has none
  Shape shape;
  std::uint64_t count = 0, bytes = 0;  // elements, packed; of a type without a Type the bytes of the message
  FileRange whole, message;            // with its tag, and without
  Place place = Place::typed;
  std::uint64_t offset = 0;  // of the elements in the model or in the external file
  std::size_t file = 0;      // external: which of external_files()
};

struct OnnxInput {
  std::string name;
  FileRange whole, message;
};

class OnnxModel {
 public:
  /// Reads a model. Throws a bad_data Failure for what is none, and for what cannot be kept when initializers are
  /// rewritten: external data in other places, training information.
  explicit OnnxModel(InputFile& file);

  FileRange graph() const { return graph_; }  // the field
  FileRange graph_message() const { return graph_message_; }
  /// The initializers of the graph itself, not of graphs in its nodes: in their order; no two have the same name.
  const std::vector<OnnxInitializer>& initializers() const { return initializers_; }
  const std::vector<OnnxInput>& inputs() const { return inputs_; }
  /// Paths as initializers have them, relative to the model's folder and staying in it, each once.
  const std::vector<std::string>& external_files() const { return external_files_; }
  /// The version of the operators of ONNX that it imports.
  std::optional<std::uint64_t> opset_version() const { return opset_version_; }

  /// A new name for an initializer that is cast. All have a part in common, so that few names have to be remembered.
  static std::string new_name(std::string_view name, std::string_view type);
  /// Whether some value has a name that new_name() made.
  bool has_value(const std::string& name) const { return made_names_.contains(name); }

 private:
  void read_graph();
  void read_initializer(const WireField& field);
  void read_opset(const WireField& field);
  void look_into_graph(const WireField& field, int depth);
  void look_into_node(const WireField& field, int depth);
  void look_into_attribute(const WireField& field, int depth);
  void refuse_external(const WireField& tensor);
  void refuse_external_parts(const WireField& sparse_tensor);
  void note_value(const WireField& field);
  std::size_t external_file(const std::string& where, const std::string& location);

  InputFile& file_;
  FileRange graph_, graph_message_;
  std::vector<OnnxInitializer> initializers_;
  std::vector<OnnxInput> inputs_;
  std::vector<std::string> external_files_;
  std::map<std::string, std::size_t> external_numbers_;
  std::optional<std::uint64_t> opset_version_;
  std::set<std::string> made_names_;
};

}  // namespace castforge::cli

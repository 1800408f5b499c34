#include "cli/formats/onnx_model.hpp"

#include "cli/formats/tensor_proto_fields.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/file_parts.hpp"

#include <algorithm>
#include <filesystem>

namespace castforge::cli {
namespace {

constexpr int kDeepest = 100;  // graphs in graphs; Protocol Buffers' own limit
constexpr std::string_view kMade = ".as_";

template <class Use>
void for_each_field(InputFile& file, FileRange message, const Use& use) {
  WireFields fields(file, message.begin, message.end);
  for (WireField field; fields.next(field);) use(field);
}

FileRange contents(InputFile& file, const WireField& field, std::string_view what) {
  if (field.type != WireType::bytes) {
    throw bad_byte(file.name(), field.offset,
                   text(what, ": expected wire type 2, found ", static_cast<int>(field.type)));
  }
  return {field.payload_offset, field.payload_offset + field.payload_size};
}

FileRange whole(const WireField& field) { return {field.offset, field.payload_offset + field.payload_size}; }

}  // namespace

std::string OnnxModel::new_name(std::string_view name, std::string_view type) { return text(name, kMade, type); }

OnnxModel::OnnxModel(InputFile& file) : file_(file) {
  bool has_graph = false;
  for_each_field(file, {0, file.size_for("onnx")}, [&](const WireField& field) {
    switch (field.number) {
      case field::kModelGraph:
        if (has_graph) throw bad_byte(file.name(), field.offset, "expected one graph, found another");
        has_graph = true;
        graph_ = whole(field);
        graph_message_ = contents(file, field, "graph");
        break;
      case field::kModelOpsetImport: read_opset(field); break;
      case field::kModelTrainingInfo:
        throw bad_byte(file.name(), field.offset,
                       "expected a model for inference, found training_info, which refers to initializers");
      case field::kModelFunctions:
        for_each_field(file, contents(file, field, "functions"), [&](const WireField& part) {
          constexpr std::uint32_t kNode = 7, kAttributeDefault = 11;  // of FunctionProto
          if (part.number == kNode) look_into_node(part, 0);
          if (part.number == kAttributeDefault) look_into_attribute(part, 0);
        });
        break;
      default: break;
    }
  });
  if (!has_graph) throw bad_file(file.name(), "expected an ONNX model, found no graph in it");
  read_graph();
}

void OnnxModel::read_opset(const WireField& field) {
  constexpr std::uint32_t kDomain = 1, kVersion = 2;
  std::string domain;
  std::uint64_t version = 0;
  for_each_field(file_, contents(file_, field, "opset_import"), [&](const WireField& part) {
    if (part.number == kDomain) domain = read_wire_text(file_, part, "domain");
    if (part.number == kVersion) version = part.value;
  });
  if (domain.empty() || domain == "ai.onnx") opset_version_ = version;
}

void OnnxModel::read_graph() {
  for_each_field(file_, graph_message_, [&](const WireField& field) {
    switch (field.number) {
      case field::kGraphNode: look_into_node(field, 0); break;
      case field::kGraphInitializer: read_initializer(field); break;
      case field::kGraphSparseInitializer: refuse_external_parts(field); break;
      case field::kGraphInput: {
        const FileRange message = contents(file_, field, "input");
        for_each_field(file_, message, [&](const WireField& part) {
          if (part.number != field::kValueName) return;
          note_value(part);
          inputs_.push_back({read_wire_text(file_, part, "name"), whole(field), message});
        });
        break;
      }
      default: break;
    }
  });
  std::vector<std::string_view> names;
  for (const OnnxInitializer& one : initializers_) names.push_back(one.name);
  std::sort(names.begin(), names.end());
  const auto again = std::adjacent_find(names.begin(), names.end());
  if (again != names.end()) {
    throw bad_file(file_.name(), text("expected initializers of different names, found ", in_quotes(*again), " twice"));
  }
}

void OnnxModel::read_initializer(const WireField& field) {
  OnnxInitializer one;
  one.whole = whole(field);
  one.message = contents(file_, field, "initializer");
  bool is_external = false;
  for_each_field(file_, one.message, [&](const WireField& part) {
    if (part.number == field::kName) {
      one.name = read_wire_text(file_, part, "name");
      note_value(part);
    }
    if (part.number == field::kDataType) one.data_type = part.value;
    if (part.number == field::kDims) read_dims(file_, part, one.shape);
    is_external |= part.number == field::kDataLocation && part.value == kExternalLocation;
  });
  const std::string where = text(file_.name(), ": initializer ", in_quotes(one.name));
  one.type = find_type_in("onnx_enum", std::to_string(one.data_type));
  if (!one.type) {
    if (is_external) {
      throw bad_file(where, text("expected a type that castforge knows, found number ", one.data_type,
                                 " of ONNX, with its elements in another file"));
    }
    one.bytes = one.message.size();
    initializers_.push_back(std::move(one));
    return;
  }
  InputFile part(where, std::make_unique<FilePart>(file_, one.message.begin, one.message.size()));
  const TensorProtoSource tensor(part, std::nullopt, IfExternal::allow);
  one.count = *tensor.info().count;
  one.bytes = is_string(*one.type) ? one.message.size() : *packed_bytes(one.count, type_info(*one.type).storage_bits);
  if (const auto& raw = tensor.raw_data()) {
    one.place = OnnxInitializer::Place::raw;
    one.offset = one.message.begin + raw->payload_offset;
  } else if (const auto& external = tensor.external()) {
    one.place = OnnxInitializer::Place::external;
    one.offset = external->offset;
    one.file = external_file(where, external->location);
  }
  initializers_.push_back(std::move(one));
}

std::size_t OnnxModel::external_file(const std::string& where, const std::string& location) {
  const std::filesystem::path path = location;
  if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end()) {
    throw bad_file(where, text("external_data: expected a file below the model's folder, found ", in_quotes(location)));
  }
  const auto [number, is_new] = external_numbers_.try_emplace(location, external_files_.size());
  if (is_new) external_files_.push_back(location);
  return number->second;
}

void OnnxModel::note_value(const WireField& field) {
  const std::string name = read_wire_text(file_, field, "name");
  if (name.find(kMade) != name.npos) made_names_.insert(name);
}

void OnnxModel::look_into_graph(const WireField& field, int depth) {
  if (depth > kDeepest) throw bad_byte(file_.name(), field.offset, text("graphs lie ", depth, " deep in each other"));
  for_each_field(file_, contents(file_, field, "graph"), [&](const WireField& part) {
    if (part.number == field::kGraphNode) look_into_node(part, depth);
    if (part.number == field::kGraphInitializer) refuse_external(part);
    if (part.number == field::kGraphSparseInitializer) refuse_external_parts(part);
    if (part.number != field::kGraphInitializer && part.number != field::kGraphInput) return;
    const std::uint32_t name_number = part.number == field::kGraphInput ? field::kValueName : field::kName;
    for_each_field(file_, contents(file_, part, "value"), [&](const WireField& name) {
      if (name.number == name_number) note_value(name);
    });
  });
}

void OnnxModel::look_into_node(const WireField& field, int depth) {
  for_each_field(file_, contents(file_, field, "node"), [&](const WireField& part) {
    if (part.number == field::kNodeOutput) note_value(part);
    if (part.number == field::kNodeAttribute) look_into_attribute(part, depth);
  });
}

void OnnxModel::look_into_attribute(const WireField& field, int depth) {
  for_each_field(file_, contents(file_, field, "attribute"), [&](const WireField& part) {
    switch (part.number) {
      case field::kAttributeTensor:
      case field::kAttributeTensors: refuse_external(part); break;
      case field::kAttributeSparseTensor:
      case field::kAttributeSparseTensors: refuse_external_parts(part); break;
      case field::kAttributeGraph:
      case field::kAttributeGraphs: look_into_graph(part, depth + 1); break;
      default: break;
    }
  });
}

void OnnxModel::refuse_external(const WireField& tensor) {
  for_each_field(file_, contents(file_, tensor, "tensor"), [&](const WireField& part) {
    if (part.number == field::kDataLocation && part.type == WireType::varint && part.value == kExternalLocation) {
      throw bad_byte(file_.name(), tensor.offset,
                     "expected external data of initializers of the graph only, found some of another tensor");
    }
  });
}

void OnnxModel::refuse_external_parts(const WireField& sparse_tensor) {
  constexpr std::uint32_t kValues = 1, kIndices = 2;  // of SparseTensorProto
  for_each_field(file_, contents(file_, sparse_tensor, "sparse tensor"), [&](const WireField& part) {
    if (part.number == kValues || part.number == kIndices) refuse_external(part);
  });
}

}  // namespace castforge::cli

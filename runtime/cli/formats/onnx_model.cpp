#include "cli/formats/onnx_model.hpp"

#include "cli/formats/tensor_proto_fields.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/file_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace castforge::cli {
namespace {

constexpr std::uint32_t kValues = 1, kIndices = 2;  // of SparseTensorProto
constexpr int kDeepest = 100;                       // graphs in graphs; Protocol Buffers' own limit
constexpr std::string_view kMade = ".as_";
// Bounds on memory; models have a few thousand.
constexpr std::size_t kMostInitializers = 1 << 19, kMostFiles = 1 << 16;
constexpr std::uint64_t kLongestInput = 1 << 20;  // bytes
constexpr std::size_t kNamesTogether = 1 << 16;   // the same

template <class Use>
void for_each_field(InputFile& file, FileRange message, const Use& use) {
  WireFields fields(file, message.begin, message.end);
  for (WireField field; fields.next(field);) use(field);
}

FileRange contents(InputFile& file, const WireField& field, std::string_view what) {
  expect_bytes(file.name(), field, what);
  return {field.payload_offset, field.payload_offset + field.payload_size};
}

FileRange whole(const WireField& field) { return {field.offset, field.payload_offset + field.payload_size}; }

}  // namespace

std::uint64_t OnnxInitializer::bytes() const {
  return !type || is_string(*type) ? message().size() : *packed_bytes(count, type_info(*type).storage_bits);
}

std::string OnnxInitializer::type_name() const {
  if (type) return std::string(castforge::name(*type));
  const std::string_view known = uncastable_type(data_type);
  return known.empty() ? text("ONNX type ", data_type) : std::string(known);
}

std::string OnnxModel::new_name(std::size_t initializer, Type type) const {
  return text(initializers_[initializer].name, kMade, castforge::name(type));
}

bool OnnxModel::has_new_name(std::size_t initializer, Type type) const {
  return std::binary_search(new_names_.begin(), new_names_.end(),
                            std::pair(static_cast<std::uint32_t>(initializer), type));
}

OnnxModel::OnnxModel(InputFile& original, OnnxUse use) : use_(use), path_(original.path()) {
  original.size_for("onnx");
  file_ = std::make_unique<InputFile>(original.name(), std::make_unique<ReadAhead>(original));
  InputFile& file = *file_;
  bool has_graph = false;
  for_each_field(file, {0, *file.size()}, [&](const WireField& field) {
    switch (field.number) {
      case field::kModelIrVersion:
        if (field.type != WireType::varint) break;
        ir_version_ = field.value;
        ir_version_field_ = whole(field);
        break;
      case field::kModelGraph:
        if (has_graph) throw bad_byte(file.name(), field.offset, "expected one graph, found another");
        has_graph = true;
        graph_ = whole(field);
        graph_message_ = contents(file, field, "graph");
        break;
      case field::kModelOpsetImport: read_opset(field); break;
      case field::kModelTrainingInfo:
        if (use_ == OnnxUse::look) break;
        throw bad_byte(file.name(), field.offset,
                       "expected a model for inference, found training_info, which refers to initializers");
      default: break;
    }
  });
  if (!has_graph) throw bad_file(file.name(), "expected an ONNX model, found no graph in it");
  // First, as of the names of all other values only those count that have to do with them.
  read_initializers();
  if (use_ == OnnxUse::rewrite) read_values();
  by_name_ = std::vector<std::uint32_t>();  // which gives its memory back, as {} would not
  is_input_ = std::vector<bool>();
}

void OnnxModel::read_values() {
  read_rest_of_graph();
  for_each_field(*file_, {0, *file_->size()}, [&](const WireField& field) {
    if (field.number != field::kModelFunctions) return;
    for_each_field(*file_, contents(*file_, field, "functions"), [&](const WireField& part) {
      constexpr std::uint32_t kNode = 7, kAttributeDefault = 11;  // of FunctionProto
      if (part.number == kNode) look_into_node(part, 0);
      if (part.number == kAttributeDefault) look_into_attribute(part, 0);
    });
  });
  std::sort(new_names_.begin(), new_names_.end());
}

void OnnxModel::read_opset(const WireField& field) {
  constexpr std::uint32_t kDomain = 1, kVersion = 2;
  std::string domain;
  std::uint64_t version = 0;
  for_each_field(*file_, contents(*file_, field, "opset_import"), [&](const WireField& part) {
    if (part.number == kDomain) domain = read_wire_text(*file_, part, "domain");
    if (part.number == kVersion) version = part.value;
  });
  if (domain.empty() || domain == "ai.onnx") opset_version_ = version;
}

void OnnxModel::read_initializers() {
  for_each_field(*file_, graph_message_, [&](const WireField& field) {
    if (field.number == field::kGraphInitializer) read_initializer(field);
  });
  by_name_.resize(initializers_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::uint32_t{0});
  const auto name_of = [&](std::uint32_t initializer) { return initializers_[initializer].name; };
  std::sort(by_name_.begin(), by_name_.end(), [&](auto a, auto b) { return name_of(a) < name_of(b); });
  const auto again =
      std::adjacent_find(by_name_.begin(), by_name_.end(), [&](auto a, auto b) { return name_of(a) == name_of(b); });
  if (again != by_name_.end()) {
    throw bad_file(file_->name(),
                   text("expected initializers of different names, found ", in_quotes(name_of(*again)), " twice"));
  }
}

void OnnxModel::read_rest_of_graph() {
  is_input_.resize(initializers_.size());
  for (const OnnxInitializer& one : initializers_) note_value(one.name);
  for_each_field(*file_, graph_message_, [&](const WireField& field) {
    switch (field.number) {
      case field::kGraphNode: look_into_node(field, 0); break;
      case field::kGraphSparseInitializer: read_sparse_initializer(field); break;
      case field::kGraphInput: read_input(field); break;
      default: break;
    }
  });
}

void OnnxModel::read_input(const WireField& field) {
  std::string name;
  for_each_field(*file_, contents(*file_, field, "input"), [&](const WireField& part) {
    if (part.number == field::kValueName) name = read_wire_text(*file_, part, "name");
  });
  note_value(name);
  const std::optional<std::uint32_t> initializer = find(name);
  if (!initializer) return;
  if (is_input_[*initializer]) {
    throw bad_byte(file_->name(), field.offset,
                   text("expected inputs of different names, found ", in_quotes(name), " again"));
  }
  is_input_[*initializer] = true;
  const FileRange range = whole(field);
  if (range.size() > kLongestInput) {
    throw bad_byte(file_->name(), field.offset, text("input: expected at most ", kLongestInput, " bytes, found more"));
  }
  inputs_.push_back({range.begin, static_cast<std::uint32_t>(range.size()), *initializer});
}

std::optional<std::uint32_t> OnnxModel::find(std::string_view name) const {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [&](std::uint32_t a, std::string_view b) { return initializers_[a].name < b; });
  if (found == by_name_.end() || initializers_[*found].name != name) return std::nullopt;
  return *found;
}

std::string_view OnnxModel::kept_name(std::string_view name) {
  if (names_.empty() || names_.back().capacity() - names_.back().size() < name.size()) {
    names_.emplace_back().reserve(std::max(name.size(), kNamesTogether));  // and never more, so that it stays in place
  }
  std::string& names = names_.back();
  names += name;
  return std::string_view(names).substr(names.size() - name.size());
}

Shape OnnxModel::shape(const OnnxInitializer& one) const {
  Shape shape;
  for_each_field(*file_, one.message(), [&](const WireField& part) {
    if (part.number == field::kDims) read_dims(*file_, part, shape);
  });
  return shape;
}

std::string OnnxModel::label(const OnnxInitializer& one) const {
  return file_->name() + ": initializer " + in_quotes(one.name);
}

std::unique_ptr<Bytes> OnnxModel::message(const OnnxInitializer& one) const {
  return std::make_unique<FilePart>(*file_, one.message().begin, one.message().size());
}

std::string OnnxModel::external_path(const OnnxInitializer& one) const {
  return (std::filesystem::path(path_).parent_path() / external_files_[one.file]).string();
}

void OnnxModel::check_external(const OnnxInitializer& one, std::uint64_t bytes) const {
  if (one.offset <= bytes && one.bytes() <= bytes - one.offset) return;
  throw bad_file(label(one), text("expected ", one.bytes(), " bytes from byte ", one.offset, " of ",
                                  printable(external_path(one)), " on, which has ", bytes));
}

Failure OnnxModel::of_external(const OnnxInitializer& one, const Failure& failure) const {
  return {failure.code(), text(label(one), ": external_data: ", failure.what()), failure.error_number()};
}

void OnnxModel::read_initializer(const WireField& field) {
  if (initializers_.size() == kMostInitializers) {
    throw bad_byte(file_->name(), field.offset,
                   text("expected at most ", kMostInitializers, " initializers, found more"));
  }
  OnnxInitializer one;
  one.whole = whole(field);
  const FileRange message = contents(*file_, field, "initializer");
  one.tag_bytes = static_cast<std::uint8_t>(message.begin - one.whole.begin);
  std::string name;
  std::uint64_t data_type = 0;
  bool is_external = false;
  for_each_field(*file_, message, [&](const WireField& part) {
    if (part.number == field::kName) name = read_wire_text(*file_, part, "name");
    if (part.number == field::kDataType || part.number == field::kDataLocation)
      expect_type(*file_, part, {WireType::varint});
    if (part.number == field::kDataType) data_type = part.value;
    is_external |= part.number == field::kDataLocation && part.value == kExternalLocation;
  });
  one.name = kept_name(name);
  one.data_type = static_cast<std::uint32_t>(data_type);  // which is all that the field has, by its definition
  one.type = find_type_in("onnx_enum", std::to_string(data_type));
  const std::string where = label(one);
  if (!one.type) {
    if (is_external && use_ == OnnxUse::rewrite) {
      throw bad_file(where, text("expected a type that castforge knows, found number ", data_type,
                                 " of ONNX, with its elements in another file"));
    }
    shape(one);  // which has to be one
    initializers_.push_back(one);
    return;
  }
  InputFile part(where, this->message(one));
  const TensorProtoSource tensor(part, std::nullopt, IfExternal::allow);
  one.count = *tensor.info().count;
  if (const auto& raw = tensor.raw_data()) {
    one.place = OnnxInitializer::Place::raw;
    one.offset = message.begin + raw->payload_offset;
  } else if (const auto& external = tensor.external()) {
    one.place = OnnxInitializer::Place::external;
    one.offset = external->offset;
    one.file = external_file(where, external->location);
  }
  initializers_.push_back(one);
}

std::uint32_t OnnxModel::external_file(const std::string& where, const std::string& location) {
  namespace fs = std::filesystem;
  const auto refuse = [&](std::string_view expected) {
    return bad_file(where, text("external_data: expected ", expected, ", found ", in_quotes(location)));
  };
  const fs::path path = location;
  if (location.find('\0') != location.npos) throw refuse("a path without a zero byte");  // where open() has its end
  if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end()) {
    throw refuse("a file below the model's folder");
  }
  const auto [number, is_new] =
      external_numbers_.try_emplace(location, static_cast<std::uint32_t>(external_files_.size()));
  if (!is_new) return number->second;
  if (external_files_.size() == kMostFiles) {
    throw bad_file(where, text("external_data: expected at most ", kMostFiles, " files, found more"));
  }
  external_files_.push_back(location);
  std::error_code error;
  const fs::file_status status = fs::status(fs::path(path_).parent_path() / path, error);
  if (!path_.empty() && fs::exists(status) && !fs::is_regular_file(status)) throw refuse("a regular file");
  return number->second;
}

/// Is it a name that new_name() gives?
void OnnxModel::note_value(std::string_view name) {
  const std::size_t made = name.rfind(kMade);
  if (made == name.npos) return;
  const std::string_view type_name = name.substr(made + kMade.size());
  const std::optional<Type> type = find_type(type_name);
  const std::optional<std::uint32_t> initializer = find(name.substr(0, made));
  if (type && castforge::name(*type) == type_name && initializer) new_names_.emplace_back(*initializer, *type);
}

void OnnxModel::note_value(const WireField& field) { note_value(read_wire_text(*file_, field, "name")); }

void OnnxModel::look_into_graph(const WireField& field, int depth) {
  if (depth > kDeepest) throw bad_byte(file_->name(), field.offset, text("graphs lie ", depth, " deep in each other"));
  for_each_field(*file_, contents(*file_, field, "graph"), [&](const WireField& part) {
    if (part.number == field::kGraphNode) look_into_node(part, depth);
    if (part.number == field::kGraphInitializer) refuse_external(part);
    if (part.number == field::kGraphSparseInitializer) read_sparse_initializer(part);
    if (part.number != field::kGraphInitializer && part.number != field::kGraphInput) return;
    const std::uint32_t name_number = part.number == field::kGraphInput ? field::kValueName : field::kName;
    for_each_field(*file_, contents(*file_, part, "value"), [&](const WireField& name) {
      if (name.number == name_number) note_value(name);
    });
  });
}

void OnnxModel::look_into_node(const WireField& field, int depth) {
  for_each_field(*file_, contents(*file_, field, "node"), [&](const WireField& part) {
    if (part.number == field::kNodeOutput) note_value(part);
    if (part.number == field::kNodeAttribute) look_into_attribute(part, depth);
  });
}

void OnnxModel::look_into_attribute(const WireField& field, int depth) {
  for_each_field(*file_, contents(*file_, field, "attribute"), [&](const WireField& part) {
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
  for_each_field(*file_, contents(*file_, tensor, "tensor"), [&](const WireField& part) {
    if (part.number == field::kDataLocation && part.type == WireType::varint && part.value == kExternalLocation) {
      throw bad_byte(file_->name(), tensor.offset,
                     "expected external data of initializers of the graph only, found some of another tensor");
    }
  });
}

/// Its values have the name of the whole.
void OnnxModel::read_sparse_initializer(const WireField& sparse_tensor) {
  refuse_external_parts(sparse_tensor);
  for_each_field(*file_, contents(*file_, sparse_tensor, "sparse tensor"), [&](const WireField& part) {
    if (part.number != kValues) return;
    for_each_field(*file_, contents(*file_, part, "values"), [&](const WireField& name) {
      if (name.number == field::kName) note_value(name);
    });
  });
}

void OnnxModel::refuse_external_parts(const WireField& sparse_tensor) {
  for_each_field(*file_, contents(*file_, sparse_tensor, "sparse tensor"), [&](const WireField& part) {
    if (part.number == kValues || part.number == kIndices) refuse_external(part);
  });
}

}  // namespace castforge::cli

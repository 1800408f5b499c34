#include "cli/convert/onnx_contents.hpp"

#include "cli/formats/tensor_proto_fields.hpp"
#include "cli/io/failure.hpp"

#include <castforge/castforge.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace castforge::cli {
namespace {

/// Readers map external files into memory; pages begin at multiples of this.
constexpr std::uint64_t kPage = 4096;
/// Where small tensors begin in them.
constexpr std::uint64_t kSmallAlignment = 64;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t step = bytes < kPage ? kSmallAlignment : kPage;
  return (offset + step - 1) / step * step;
}

std::uint64_t number_of(const std::string& file, Type type) {
  const std::string_view number = alias(type, "onnx_enum");
  if (number.empty()) throw usage_error(text(file, ": ONNX models cannot hold ", name(type)));
  return std::stoull(std::string(number));
}

/// A field whose message is `contents`.
std::string field_of(std::uint32_t number, const std::string& contents) {
  std::string out;
  append_bytes(out, number, contents);
  return out;
}

}  // namespace

OnnxContents::OnnxContents(const Shard& shard) : shard_(shard), file_(shard.path), model_(file_) {
  if (model_.external_files().size() + 1 != shard.files.size()) {
    throw bad_file(file_.name(), "expected it to stay as it was, found it changed meanwhile");
  }
}

ShardTensor OnnxContents::tensor(std::size_t index) const {
  const OnnxInitializer& one = model_.initializers()[index];
  return {one.name,  one.type ? std::string(castforge::name(*one.type)) : text("ONNX type ", one.data_type),
          one.type,  one.shape,
          one.count, one.bytes};
}

std::string OnnxContents::dtype_of(Type type) const { return std::string(castforge::name(type)); }

std::vector<const ResultFile*> OnnxContents::results() const {
  std::vector<const ResultFile*> files;
  if (changed_data_) files.push_back(&*changed_data_);
  files.push_back(&*changed_model_);
  return files;
}

std::uint64_t OnnxContents::bytes_after(std::size_t tensor) const {
  const OnnxInitializer& one = model_.initializers()[tensor];
  const Kernel* kernel = this->kernel(tensor);
  return kernel ? *packed_bytes(one.count, type_info(kernel->dst()).storage_bits) : one.bytes;
}

std::string OnnxContents::stored_name(std::size_t tensor) const {
  const std::string name = OnnxModel::new_name(this->name(tensor), castforge::name(kernel(tensor)->dst()));
  if (!model_.has_value(name)) return name;
  throw usage_error(text(file_.name(), ": tensor ", in_quotes(this->name(tensor)),
                         ": its new name would be that of another value, ", in_quotes(name)));
}

/// The node that gives the old type back has to be one that the model's version of the operators admits.
void OnnxContents::check_cast_back(std::size_t tensor) const {
  const Type before = kernel(tensor)->src(), after = kernel(tensor)->dst();
  const std::string where = text(file_.name(), ": tensor ", in_quotes(name(tensor)));
  number_of(where, after);
  if (!model_.opset_version()) throw usage_error(where + ": the model imports no version of ONNX's operators");
  const auto admits = [&](std::uint64_t version) {
    const std::optional<OpSet> opset = find_opset(text("onnx@", version));
    return opset && opset->admits(after, before);
  };
  const std::uint64_t version = *model_.opset_version();
  if (admits(version)) return;
  OpSet newest = *find_opset("onnx");
  const std::uint64_t last = newest.valid_through().value_or(version);
  std::uint64_t first = version;
  while (first < last && !admits(first)) ++first;
  throw usage_error(text(where, ": the model imports version ", version, " of ONNX's operators, whose Cast does not ",
                         "admit ", castforge::name(after), " to ", castforge::name(before),
                         first < last || admits(first) ? text("; version ", first, " does") : std::string(),
                         ". Convert the model to another version, keep the tensor, or choose another type"));
}

std::string OnnxContents::cast_node(std::size_t tensor) const {
  constexpr std::uint64_t kIntAttribute = 2;  // AttributeProto.INT
  std::string attribute, node;
  append_bytes(attribute, field::kAttributeName, "to");
  append_number(attribute, field::kAttributeInt, model_.initializers()[tensor].data_type);
  append_number(attribute, field::kAttributeType, kIntAttribute);
  const std::string stored = stored_name(tensor);
  append_bytes(node, field::kNodeInput, stored);
  append_bytes(node, field::kNodeOutput, name(tensor));
  append_bytes(node, field::kNodeName, stored + "/Cast");
  append_bytes(node, field::kNodeOpType, "Cast");
  append_bytes(node, field::kNodeAttribute, attribute);
  return field_of(field::kGraphNode, node);
}

/// An input of the graph with another name and element type, and all else as it is.
std::string OnnxContents::retyped_input(const OnnxInput& input, std::size_t tensor) {
  constexpr std::uint64_t kLongest = 1 << 20;
  if (input.message.size() > kLongest) {
    throw bad_byte(file_.name(), input.whole.begin, text("input: expected at most ", kLongest, " bytes, found more"));
  }
  const std::uint64_t type = number_of(file_.name(), kernel(tensor)->dst());
  // Along these fields, one in the other, lies the element type.
  static constexpr std::array<std::uint32_t, 3> kWay = {field::kValueType, field::kTypeTensor,
                                                        field::kTensorElementType};
  const auto changed = [&](const auto& self, FileRange message, std::size_t depth) -> std::string {
    std::string out;
    WireFields fields(file_, message.begin, message.end);
    for (WireField part; fields.next(part);) {
      const FileRange inner{part.payload_offset, part.payload_offset + part.payload_size};
      if (depth == 0 && part.number == field::kValueName) {
        append_bytes(out, field::kValueName, stored_name(tensor));
      } else if (part.number == kWay[depth] && depth + 1 < kWay.size() && part.type == WireType::bytes) {
        append_bytes(out, part.number, self(self, inner, depth + 1));
      } else if (part.number == kWay[depth] && part.type == WireType::varint) {
        append_number(out, part.number, type);
      } else {
        std::string same(static_cast<std::size_t>(inner.end - part.offset), '\0');
        file_.read_exactly(part.offset, same.data(), same.size(), "the message");
        out += same;
      }
    }
    return out;
  };
  return field_of(field::kGraphInput, changed(changed, input.message, 0));
}

std::uint64_t OnnxContents::offset_of(std::size_t tensor) const {
  const OnnxInitializer& one = model_.initializers()[tensor];
  switch (one.place) {
    case OnnxInitializer::Place::raw: return one.offset;
    case OnnxInitializer::Place::external: return external_begin_[one.file] + one.offset;
    case OnnxInitializer::Place::typed: break;
  }
  return *file_.size() + typed_.at(tensor);
}

std::uint64_t OnnxContents::literal(std::string_view bytes) {
  literals_ += bytes;
  return literals_begin_ + literals_.size() - bytes.size();
}

/// The field of an initializer: name and type where it is cast, and where its elements are.
OnnxContents::Parts OnnxContents::rewritten(std::size_t tensor) {
  const OnnxInitializer& one = model_.initializers()[tensor];
  const Kernel* kernel = this->kernel(tensor);
  const std::uint64_t bytes = bytes_after(tensor);
  const Part elements{offset_of(tensor), kernel ? one.count : bytes, tensor};

  Parts message(*this, "");
  WireFields fields(file_, one.message.begin, one.message.end);
  for (WireField part; fields.next(part);) {
    switch (part.number) {
      case field::kName:
      case field::kDataType:
      case field::kRawData:
      case field::kFloatData:
      case field::kInt32Data:
      case field::kInt64Data:
      case field::kDoubleData:
      case field::kUint64Data:
      case field::kExternalData:
      case field::kDataLocation: break;
      default: message.keep({part.offset, part.payload_offset + part.payload_size});
    }
  }
  std::string rest;
  append_number(rest, field::kDataType, kernel ? number_of(file_.name(), kernel->dst()) : one.data_type);
  append_bytes(rest, field::kName, kernel ? stored_name(tensor) : one.name);
  if (one.place == OnnxInitializer::Place::external) {
    const std::uint64_t begin = aligned(changed_data_->bytes(), bytes);
    changed_data_->put(std::string(static_cast<std::size_t>(begin - changed_data_->bytes()), '\0'));
    const auto entry = [&](std::string_view key, const std::string& value) {
      constexpr std::uint32_t kKey = 1, kValue = 2;  // of StringStringEntryProto
      std::string pair;
      append_bytes(pair, kKey, key);
      append_bytes(pair, kValue, value);
      append_bytes(rest, field::kExternalData, pair);
    };
    entry("location", shard_.name + changed_data_->ending());
    entry("offset", std::to_string(begin));
    entry("length", std::to_string(bytes));
    append_number(rest, field::kDataLocation, kExternalLocation);
    message.put(rest);
    changed_data_->add(elements);
  } else {
    append_tag(rest, field::kRawData, WireType::bytes);
    append_varint(rest, bytes);
    message.put(rest);
    message.add(elements);
  }
  std::string tag;
  append_tag(tag, field::kGraphInitializer, WireType::bytes);
  append_varint(tag, message.bytes());
  Parts whole(*this, "");
  whole.put(tag);
  whole.append(message);
  return whole;
}

/// Where everything is in input().
void OnnxContents::place_sources() {
  typed_bytes_ = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const OnnxInitializer& one = model_.initializers()[i];
    if (!kernel(i) || one.place != OnnxInitializer::Place::typed) continue;
    typed_[i] = typed_bytes_;
    typed_bytes_ += one.bytes;
  }
  std::uint64_t end = *file_.size() + typed_bytes_;
  for (std::size_t i = 1; i < shard_.files.size(); ++i) {
    external_begin_.push_back(end);
    end += shard_.files[i].bytes;
  }
  literals_begin_ = end;
  for (const OnnxInitializer& one : model_.initializers()) {
    if (one.place != OnnxInitializer::Place::external) continue;
    const SourceFile& file = shard_.files[one.file + 1];
    if (one.offset > file.bytes || one.bytes > file.bytes - one.offset) {
      throw bad_file(file_.name(), text("tensor ", in_quotes(one.name), ": expected ", one.bytes, " bytes from byte ",
                                        one.offset, " of ", printable(file.path), " on, which has ", file.bytes));
    }
  }
}

void OnnxContents::lay_out(KernelOf kernel_of) {
  kernel_of_ = std::move(kernel_of);
  place_sources();
  if (!model_.external_files().empty()) changed_data_.emplace(*this, ".data");

  Parts graph(*this, "");
  std::map<std::string, std::size_t, std::less<>> cast;  // by name
  std::string nodes;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!kernel(i)) continue;
    check_cast_back(i);
    nodes += cast_node(i);
    cast.emplace(name(i), i);
  }
  graph.put(nodes);  // before all others, which may refer to what they make

  // What is changed, in its order; all between stays.
  struct Change {
    FileRange whole;
    std::size_t tensor;
    const OnnxInput* input;
  };
  std::vector<Change> changes;
  for (std::size_t i = 0; i < size(); ++i) {
    const OnnxInitializer& one = model_.initializers()[i];
    if (kernel(i) || one.place == OnnxInitializer::Place::external) changes.push_back({one.whole, i, nullptr});
  }
  for (const OnnxInput& input : model_.inputs()) {
    const auto found = cast.find(input.name);
    if (found != cast.end()) changes.push_back({input.whole, found->second, &input});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.whole.begin < b.whole.begin; });
  std::uint64_t at = model_.graph_message().begin;
  for (const Change& change : changes) {
    graph.keep({at, change.whole.begin});
    if (change.input) graph.put(retyped_input(*change.input, change.tensor));
    else graph.append(rewritten(change.tensor));
    at = change.whole.end;
  }
  graph.keep({at, model_.graph_message().end});

  std::string tag;
  append_tag(tag, field::kModelGraph, WireType::bytes);
  append_varint(tag, graph.bytes());
  changed_model_.emplace(*this, "");
  changed_model_->keep({0, model_.graph().begin});
  changed_model_->put(tag);
  changed_model_->append(graph);
  changed_model_->keep({model_.graph().end, *file_.size()});
  if (changed_model_->bytes() > kLargestTensorProto) {
    throw usage_error(text(file_.name(), ": expected a result below 2 GiB, which is all that a model can have, found ",
                           changed_model_->bytes(), " bytes; save the model with external data first"));
  }
}

void OnnxContents::decode_typed_fields() {
  if (typed_bytes_ == 0) return;
  Spool spool(file_.name());
  std::vector<char> block(1 << 16);
  for (const auto& [tensor, offset] : typed_) {
    const OnnxInitializer& one = model_.initializers()[tensor];
    InputFile part(text(file_.name(), ": initializer ", in_quotes(one.name)),
                   std::make_unique<FilePart>(file_, one.message.begin, one.message.size()));
    TensorProtoSource source(part, std::nullopt);
    const std::unique_ptr<ElementReader> elements = source.elements();
    const int bits = type_info(*one.type).storage_bits;
    const std::size_t most = block.size() / static_cast<std::size_t>(bits) * 8;
    while (const std::size_t got = elements->read(block.data(), most)) {
      spool.write(block.data(), static_cast<std::size_t>(*packed_bytes(got, bits)));
    }
  }
  typed_file_ = std::make_unique<InputFile>(file_.name(), spool);
}

InputFile& OnnxContents::input() {
  if (input_) return *input_;
  decode_typed_fields();
  auto all = std::make_unique<JoinedFiles>();
  all->add(file_);
  if (typed_file_) all->add(*typed_file_);
  for (std::size_t i = 1; i < shard_.files.size(); ++i) all->add(shard_.files[i].path, shard_.files[i].bytes);
  literals_file_ = std::make_unique<InputFile>(file_.name(), std::as_bytes(std::span(literals_)));
  all->add(*literals_file_);
  input_ = std::make_unique<InputFile>(file_.name(), std::move(all));
  return *input_;
}

Piece OnnxContents::Parts::piece(std::size_t index) const {
  const Part& part = parts_[index];
  return {part.offset, part.count, part.tensor == kNoTensor ? nullptr : contents_.kernel(part.tensor)};
}

std::string OnnxContents::Parts::name(std::size_t piece) const {
  const std::size_t tensor = parts_[piece].tensor;
  return tensor == kNoTensor ? "the model" : text("tensor ", in_quotes(contents_.name(tensor)));
}

void OnnxContents::Parts::add(const Part& part) {
  if (part.count == 0) return;
  bytes_ += part.tensor == kNoTensor ? part.count : contents_.bytes_after(part.tensor);
  if (!parts_.empty() && part.tensor == kNoTensor && parts_.back().tensor == kNoTensor &&
      parts_.back().offset + parts_.back().count == part.offset) {
    parts_.back().count += part.count;
  } else {
    parts_.push_back(part);
  }
}

void OnnxContents::Parts::keep(FileRange range) { add({range.begin, range.size()}); }

void OnnxContents::Parts::put(std::string_view bytes) {
  if (!bytes.empty()) add({contents_.literal(bytes), bytes.size()});
}

void OnnxContents::Parts::append(const Parts& others) {
  for (const Part& part : others.parts_) add(part);
}

}  // namespace castforge::cli

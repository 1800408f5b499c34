#include "cli/convert/onnx_contents.hpp"

#include "cli/formats/onnx_source.hpp"
#include "cli/formats/tensor_proto_fields.hpp"
#include "cli/io/failure.hpp"

#include <castforge/castforge.hpp>

#include <algorithm>
#include <array>

namespace castforge::cli {
namespace {

/// Readers map external files into memory; pages begin at multiples of this.
constexpr std::uint64_t kPage = 4096;
/// Where small tensors begin in them.
constexpr std::uint64_t kSmallAlignment = 64;
/// Bytes of the model that are copied to new ones before them, as one piece costs less than two.
constexpr std::uint64_t kCopied = 256;

/// From this version of the operators on Cast takes the type by its number, not by its name.
constexpr std::uint64_t kCastByNumber = 6;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t step = bytes < kPage ? kSmallAlignment : kPage;
  return (offset + step - 1) / step * step;
}

std::uint64_t number_of(const std::string& file, Type type) {
  const auto number = onnx_number(type);
  if (!number) throw usage_error(text(file, ": ONNX models cannot hold ", name(type)));
  return *number;
}

/// A field whose message is `contents`.
std::string field_of(std::uint32_t number, const std::string& contents) {
  std::string out;
  append_bytes(out, number, contents);
  return out;
}

bool is_rewritten(std::uint32_t number) {
  return holds_elements(number) || number == field::kName || number == field::kDataType ||
         number == field::kExternalData || number == field::kDataLocation;
}

}  // namespace

OnnxContents::OnnxContents(const Shard& shard)
    : shard_(shard),
      source_(shard.path),
      file_(source_.name(), std::make_unique<ReadAhead>(source_)),
      model_(source_),
      literals_(source_.name()) {
  if (model_.external_files().size() + 1 != shard.files.size()) {
    throw bad_file(file_.name(), "expected it to stay as it was, found it changed meanwhile");
  }
}

ShardTensor OnnxContents::tensor(std::size_t index) const {
  const OnnxInitializer& one = model_.initializers()[index];
  return {name(index), one.type_name(), one.type, model_.shape(one), one.count, one.bytes()};
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
  return kernel ? *packed_bytes(one.count, type_info(kernel->dst()).storage_bits) : one.bytes();
}

std::string OnnxContents::stored_name(std::size_t tensor) const {
  const Type type = kernel(tensor)->dst();
  std::string name = model_.new_name(tensor, type);
  if (!model_.has_new_name(tensor, type)) return name;
  throw usage_error(text(file_.name(), ": tensor ", in_quotes(this->name(tensor)),
                         ": its new name would be that of another value, ", in_quotes(name)));
}

/// The node that gives the old type back has to be one that the model's version of the operators admits.
void OnnxContents::check_cast_back(std::size_t tensor) {
  if (name(tensor).empty()) {
    throw bad_file(file_.name(),
                   text("initializer ", tensor, " of the graph: expected a name, as the node Cast has to ",
                        "make a value of it, found an empty one; keep the initializer or name it"));
  }
  if (!checked_.insert(kernel(tensor)).second) return;
  const Type before = kernel(tensor)->src(), after = kernel(tensor)->dst();
  const std::string where = text(file_.name(), ": tensor ", in_quotes(name(tensor)));
  number_of(where, after);
  if (!model_.opset_version()) throw usage_error(where + ": the model imports no version of ONNX's operators");
  const auto admits = [&](std::uint64_t version) {
    if (version < kCastByNumber) return false;
    const std::optional<OpSet> opset = find_opset(text("onnx@", version));
    return opset && opset->admits(after, before);
  };
  const std::uint64_t version = *model_.opset_version();
  if (admits(version)) return;
  OpSet newest = *find_opset("onnx");
  const std::uint64_t last = newest.valid_through().value_or(version);
  if (version > last) {
    throw usage_error(text(where, ": the model imports version ", version, " of ONNX's operators, of which castforge ",
                           "knows those up to ", last));
  }
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
std::string OnnxContents::retyped_input(const WireField& input, std::size_t tensor) {
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
      } else if (part.number == kWay[depth] && depth + 1 == kWay.size() && part.type == WireType::varint) {
        append_number(out, part.number, type);
      } else {
        std::string same(static_cast<std::size_t>(inner.end - part.offset), '\0');
        file_.read_exactly(part.offset, same.data(), same.size(), "the message");
        out += same;
      }
    }
    return out;
  };
  return field_of(field::kGraphInput,
                  changed(changed, {input.payload_offset, input.payload_offset + input.payload_size}, 0));
}

std::uint64_t OnnxContents::offset_of(std::size_t tensor) const {
  const OnnxInitializer& one = model_.initializers()[tensor];
  switch (one.place) {
    case OnnxInitializer::Place::raw: return one.offset;
    case OnnxInitializer::Place::external: return external_begin_[one.file] + one.offset;
    case OnnxInitializer::Place::typed: break;
  }
  return *file_.size() + typed_[tensor];
}

std::uint64_t OnnxContents::literal(std::string_view bytes) {
  const std::uint64_t begin = literals_begin_ + literals_.size();
  literals_.write(bytes);
  return begin;
}

/// Adds the field of an initializer: name and type where it is cast, and where its elements are.
void OnnxContents::rewrite(std::size_t tensor) {
  const OnnxInitializer& one = model_.initializers()[tensor];
  const Kernel* kernel = this->kernel(tensor);
  const std::uint64_t bytes = bytes_after(tensor);
  const bool is_external = one.place == OnnxInitializer::Place::external;
  const auto for_each_kept = [&](const auto& use) {
    WireFields fields(file_, one.message().begin, one.message().end);
    for (WireField part; fields.next(part);) {
      if (!is_rewritten(part.number)) use(FileRange{part.offset, part.payload_offset + part.payload_size});
    }
  };
  std::string rest;
  append_number(rest, field::kDataType, kernel ? number_of(file_.name(), kernel->dst()) : one.data_type);
  append_bytes(rest, field::kName, kernel ? stored_name(tensor) : name(tensor));
  if (is_external) {
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
    changed_data_->add(tensor);
  } else {
    append_tag(rest, field::kRawData, WireType::bytes);
    append_varint(rest, bytes);
  }
  std::uint64_t message = rest.size() + (is_external ? 0 : bytes);
  for_each_kept([&](FileRange range) { message += range.size(); });
  std::string tag;
  append_tag(tag, field::kGraphInitializer, WireType::bytes);
  append_varint(tag, message);
  changed_model_->put(tag);
  for_each_kept([&](FileRange range) { changed_model_->keep(range); });
  changed_model_->put(rest);
  if (!is_external) changed_model_->add(tensor);
}

/// Where everything is in input().
void OnnxContents::place_sources() {
  typed_bytes_ = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const OnnxInitializer& one = model_.initializers()[i];
    if (!kernel(i) || one.place != OnnxInitializer::Place::typed) continue;
    typed_.resize(size());
    typed_[i] = typed_bytes_;
    typed_bytes_ += one.bytes();
  }
  std::uint64_t end = *file_.size() + typed_bytes_;
  for (std::size_t i = 1; i < shard_.files.size(); ++i) {
    external_begin_.push_back(end);
    end += shard_.files[i].bytes;
  }
  literals_begin_ = end;
  for (const OnnxInitializer& one : model_.initializers()) {
    if (one.place == OnnxInitializer::Place::external) model_.check_external(one, shard_.files[one.file + 1].bytes);
  }
}

void OnnxContents::lay_out(KernelOf kernel_of) {
  kernel_of_ = std::move(kernel_of);
  place_sources();
  if (!model_.external_files().empty()) changed_data_.emplace(*this, ".data");

  Parts& graph = changed_model_.emplace(*this, "");
  std::uint64_t ir_version = model_.ir_version();
  for (std::size_t i = 0; i < size(); ++i) {
    if (!kernel(i)) continue;
    check_cast_back(i);
    ir_version = std::max(ir_version, onnx_ir_version(kernel(i)->dst()));
    graph.put(cast_node(i));  // before all others, which may refer to what they make
  }

  // What is changed, in its order; all between stays.
  std::uint64_t at = model_.graph_message().begin;
  const auto change = [&](FileRange whole) {
    graph.keep({at, whole.begin});
    at = whole.end;
  };
  auto input = model_.inputs().begin();
  const auto change_inputs_before = [&](std::uint64_t end) {
    for (; input != model_.inputs().end() && input->begin < end; ++input) {
      if (!kernel(input->initializer)) continue;
      WireField field;
      WireFields(file_, input->whole().begin, input->whole().end).next(field);
      change(input->whole());
      graph.put(retyped_input(field, input->initializer));
    }
  };
  for (std::size_t i = 0; i < size(); ++i) {
    const OnnxInitializer& one = model_.initializers()[i];
    if (!kernel(i) && one.place != OnnxInitializer::Place::external) continue;
    change_inputs_before(one.whole.begin);
    change(one.whole);
    rewrite(i);
  }
  change_inputs_before(model_.graph_message().end);
  graph.keep({at, model_.graph_message().end});

  std::string tag;
  append_tag(tag, field::kModelGraph, WireType::bytes);
  append_varint(tag, graph.bytes());
  put_around_graph(tag, ir_version);
  if (changed_model_->bytes() > kLargestTensorProto) {
    throw usage_error(text(file_.name(), ": expected a result below 2 GiB, which is all that a model can have, found ",
                           changed_model_->bytes(), " bytes; save the model with external data first"));
  }
}

/// The rest of the model, before and after the graph, with the version of the format that its element types take.
void OnnxContents::put_around_graph(const std::string& graph_tag, std::uint64_t ir_version) {
  Parts& model = *changed_model_;
  const FileRange before{0, model_.graph().begin}, after{model_.graph().end, *file_.size()};
  if (ir_version == model_.ir_version()) {
    model.begin_with(before, graph_tag);
    return model.keep(after);
  }
  std::string version;
  append_number(version, field::kModelIrVersion, ir_version);
  const FileRange old = model_.ir_version_field();
  if (old.begin <= before.end) {
    model.begin_with({old.end, before.end}, graph_tag);
    model.begin_with({before.begin, old.begin}, version);
    return model.keep(after);
  }
  model.begin_with(before, graph_tag);
  model.keep({after.begin, old.begin});
  model.put(version);
  model.keep({old.end, after.end});
}

void OnnxContents::decode_typed_fields() {
  std::optional<Spool> spool;  // where there are bytes; the loop sees that empty initializers have none
  if (typed_bytes_ != 0) spool.emplace(file_.name());
  std::vector<char> block(1 << 16);
  for (std::size_t i = 0; i < size(); ++i) {
    const OnnxInitializer& one = model_.initializers()[i];
    if (!kernel(i) || one.place != OnnxInitializer::Place::typed) continue;
    OnnxSource source(model_, one);
    const std::unique_ptr<ElementReader> elements = source.elements();
    const int bits = type_info(*one.type).storage_bits;
    const std::size_t most = block.size() / static_cast<std::size_t>(bits) * 8;
    while (const std::size_t got = elements->read(block.data(), most)) {
      if (spool) spool->write(block.data(), bytes_of_elements(got, bits));
    }
  }
  if (spool) typed_file_ = std::make_unique<InputFile>(file_.name(), *spool);
}

InputFile& OnnxContents::input() {
  if (input_) return *input_;
  decode_typed_fields();
  auto all = std::make_unique<JoinedFiles>();
  all->add(file_);
  if (typed_file_) all->add(*typed_file_);
  for (std::size_t i = 1; i < shard_.files.size(); ++i) all->add(shard_.files[i].path, shard_.files[i].bytes);
  all_literals_ = literals_.file();
  literals_file_ = std::make_unique<InputFile>(file_.name(), std::make_unique<ReadAhead>(*all_literals_));
  all->add(*literals_file_);
  input_ = std::make_unique<InputFile>(file_.name(), std::move(all));
  return *input_;
}

Piece OnnxContents::Parts::piece(std::size_t index) const {
  const Part& part = parts_[index];
  if (part.count != kTensor) return {part.place, part.count, nullptr};
  const std::size_t tensor = this->tensor(index);
  const Kernel* kernel = contents_.kernel(tensor);
  return {contents_.offset_of(tensor),
          kernel ? contents_.model_.initializers()[tensor].count : contents_.bytes_after(tensor), kernel};
}

std::string OnnxContents::Parts::name(std::size_t piece) const {
  return parts_[piece].count == kTensor ? text("tensor ", in_quotes(contents_.name(tensor(piece)))) : "the model";
}

void OnnxContents::Parts::add(std::size_t tensor) {
  const std::uint64_t bytes = contents_.bytes_after(tensor);
  if (bytes == 0) return;
  parts_.push_back({tensor, kTensor});
  bytes_ += bytes;
}

void OnnxContents::Parts::add(FileRange range) {
  if (range.size() == 0) return;
  if (ends_at(range.begin)) parts_.back().count += range.size();
  else parts_.push_back({range.begin, range.size()});
  bytes_ += range.size();
}

/// Does the last part consist of bytes, up to this one?
bool OnnxContents::Parts::ends_at(std::uint64_t offset) const {
  if (parts_.empty() || parts_.back().count == kTensor) return false;
  return parts_.back().place + parts_.back().count == offset;
}

void OnnxContents::Parts::keep(FileRange range) {
  if (range.size() > kCopied || !ends_at(contents_.literals_begin_ + contents_.literals_.size())) return add(range);
  std::array<char, kCopied> bytes;
  contents_.file_.read_exactly(range.begin, bytes.data(), static_cast<std::size_t>(range.size()), "the message");
  put({bytes.data(), static_cast<std::size_t>(range.size())});
}

void OnnxContents::Parts::put(std::string_view bytes) {
  const std::uint64_t begin = contents_.literal(bytes);
  add({begin, begin + bytes.size()});
}

void OnnxContents::Parts::begin_with(FileRange range, std::string_view bytes) {
  parts_.push_front({contents_.literal(bytes), bytes.size()});
  if (range.size() != 0) parts_.push_front({range.begin, range.size()});
  bytes_ += range.size() + bytes.size();
}

}  // namespace castforge::cli

// The C interface with whatever arguments its contract allows: wrong numbers, null pointers, lying sizes, extents that
// overflow. Buffers have exactly the bytes that the call is told.
#include <castforge/castforge.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/target.hpp"

namespace castforge::fuzz {
namespace {

constexpr const char* kOpSets[] = {
    "onnx",         "onnx@1",          "onnx@19",          "onnx@25",           "castforge@1",
    "pypto",        "p3109@4.0",       "openvino-convert", "onnx-range",        "openvino-range@4",
    "onnx-bitcast", "onnx-bitcast@26", "onnx-castlike",    "onnx-reference@25", "onnx@999"};
constexpr const char* kAttributes[] = {"saturate", "round_mode", "mode",      "satmode",
                                       "rounding", "saturation", "stash_type"};
constexpr const char* kWords[] = {"up",        "down", "nearest", "CAST_RINT", "NearestTiesToEven",
                                  "SatFinite", "ON",   "",        "nan"};
constexpr std::int64_t kExtents[] = {
    0, 1, 2, 3, 7, 8, 9, 63, 64, 65, -1, INT64_MIN, INT64_MAX, INT64_C(1) << 32, INT64_C(1) << 61, INT64_C(1) << 62};
constexpr std::size_t kMostBytes = 4096;

/// Memory of exactly so many bytes, or a null pointer.
struct Buffer {
  std::unique_ptr<unsigned char[]> memory;
  std::size_t bytes = 0;
  unsigned char* data() const { return memory.get(); }
};

class Call {
 public:
  explicit Call(Input input) : choices_(input) {}

  void run() {
    switch (choices_.below(10)) {
      case 0: return names();
      case 1: return kernel();
      case 2: return tensors();
      case 3: return format();
      case 4: return parse();
      case 5: return range_parts();
      case 6: return range_tensors();
      case 7: return load();
      case 8: return tensors();
      default: return kernel();
    }
  }

 private:
  castforge_type type() {
    if (choices_.one_in(16)) return static_cast<castforge_type>(choices_.word(2));
    return castforge_type_at(choices_.below(castforge_type_count() + 1));
  }

  /// A text that lives as long as the call, or null.
  const char* text(const char* const* words, std::size_t count) {
    const std::size_t which = choices_.below(count + 3);
    if (which < count) return words[which];
    if (which == count) return nullptr;
    return texts_.emplace_back(std::make_unique<std::string>(choices_.text(40)))->c_str();
  }
  const char* opset() { return text(kOpSets, std::size(kOpSets)); }

  Buffer buffer(std::size_t bytes) {
    Buffer made;
    if (choices_.one_in(32)) return made;
    made.bytes = std::min(bytes, kMostBytes);
    made.memory = std::make_unique<unsigned char[]>(made.bytes);
    for (std::size_t i = 0; i < made.bytes; ++i) made.data()[i] = static_cast<unsigned char>(choices_.byte() + i * 73);
    return made;
  }

  const castforge_options* options() {
    if (choices_.one_in(4)) return nullptr;
    options_ = CASTFORGE_OPTIONS_INIT;
    if (choices_.one_in(16)) options_.size = choices_.below(2 * sizeof options_);
    attributes_.resize(choices_.below(4));
    for (castforge_attribute& attribute : attributes_) {
      attribute.name = text(kAttributes, std::size(kAttributes));
      attribute.word = choices_.flag() ? text(kWords, std::size(kWords)) : nullptr;
      attribute.number =
          choices_.flag() ? static_cast<std::int64_t>(choices_.below(4)) : static_cast<std::int64_t>(choices_.word(8));
    }
    options_.attributes = attributes_.empty() ? nullptr : attributes_.data();
    options_.attribute_count = attributes_.size();
    if (choices_.one_in(16)) options_.isa = text(kWords, std::size(kWords));
    if (choices_.flag()) {
      message_ = buffer(choices_.below(80));
      options_.message = reinterpret_cast<char*>(message_.data());
      options_.message_size = message_.bytes;
    }
    if (choices_.flag()) options_.bad_element = &bad_element_;
    if (choices_.flag()) {
      options_.parallel_for = [](void*, std::size_t tasks, castforge_task task, void* task_data) {
        for (std::size_t i = tasks; i-- > 0;) task(task_data, i);
      };
    }
    options_.elements_per_task = choices_.flag() ? choices_.below(600) : 0;
    return &options_;
  }

  /// Extents; those of the tensor before, every other time.
  const std::vector<std::int64_t>& shape() {
    if (!choices_.flag()) {
      auto made = std::make_unique<std::vector<std::int64_t>>(choices_.below(5));
      for (std::int64_t& extent : *made) extent = choices_.one_of(kExtents);
      shapes_.push_back(std::move(made));
    }
    static const std::vector<std::int64_t> kScalar;
    return shapes_.empty() ? kScalar : *shapes_.back();
  }

  /// As many bytes as the shape needs, where that is not much; sometimes one less, sometimes many more.
  Buffer tensor_buffer(castforge_type type, const std::vector<std::int64_t>& shape) {
    std::uint64_t bits = castforge_storage_bits(type);
    for (const std::int64_t extent : shape) {
      if (extent < 0 || bits > 8 * kMostBytes) return buffer(choices_.below(64));
      bits *= static_cast<std::uint64_t>(std::min<std::int64_t>(extent, 1 << 20));
    }
    std::size_t bytes = static_cast<std::size_t>((bits + 7) / 8);
    if (choices_.one_in(16)) bytes += choices_.below(64);
    if (choices_.one_in(16) && bytes > 0) --bytes;
    return buffer(bytes);
  }

  castforge_tensor source(Buffer& memory) {
    castforge_tensor tensor{};
    tensor.type = type();
    const auto& extents = shape();
    memory = tensor_buffer(tensor.type, extents);
    tensor.rank = extents.size();
    tensor.shape = extents.empty() || choices_.one_in(32) ? nullptr : extents.data();
    tensor.data = memory.data();
    tensor.bytes = memory.bytes;
    return tensor;
  }
  castforge_mutable_tensor destination(Buffer& memory) {
    const castforge_tensor like = source(memory);
    return {like.type, like.rank, like.shape, memory.data(), like.bytes};
  }

  void names() {
    castforge_type found = 0;
    const char* name = opset();
    castforge_find_type(name, &found);
    castforge_find_type(name, nullptr);
    const castforge_type one = type(), other = type();
    castforge_type_name(one);
    castforge_kind_of_type(one);
    castforge_storage_bits(one);
    castforge_high_first(one);
    castforge_admits(name, one, other);
    castforge_default_opset(name);
    castforge_type_at(choices_.word(8));
    castforge_opset_name(choices_.below(200));
    castforge_isa_name(choices_.below(9));
    castforge_isa_usable(choices_.below(9));
    const auto status = static_cast<castforge_status>(choices_.below(64));  // more is no castforge_status in C++
    require(castforge_status_string(status) != nullptr, "no status' name");
  }

  void kernel() {
    castforge_kernel kernel{};
    const castforge_type from = type(), to = type();
    const char* name = opset();
    const castforge_options* how = options();
    const castforge_status status = castforge_find_kernel(name, from, to, how, &kernel);
    require((status == CASTFORGE_OK) == (kernel.name != nullptr), "a kernel that is found and is not");
    const std::size_t count = choices_.below(300);
    const Buffer src = buffer((count * castforge_storage_bits(from) + 7) / 8);
    const Buffer dst = buffer((count * castforge_storage_bits(to) + 7) / 8);
    if (castforge_run(&kernel, src.data(), dst.data(), std::min(count, kMostBytes / 8)) == CASTFORGE_OK) accepted();
    castforge_run(nullptr, src.data(), dst.data(), 0);
  }

  void tensors() {
    Buffer from, to;
    const castforge_tensor src = source(from);
    const castforge_mutable_tensor dst = destination(to);
    const char* name = opset();
    const std::size_t which = choices_.below(4);
    const castforge_tensor* input = choices_.one_in(32) ? nullptr : &src;
    const castforge_mutable_tensor* output = choices_.one_in(32) ? nullptr : &dst;
    const std::vector<unsigned char> before(to.data(), to.data() + to.bytes);
    castforge_status status = CASTFORGE_OK;
    const castforge_type like = which == 1 ? type() : castforge_type{};
    const castforge_options* how = options();
    if (which == 0) status = castforge_bitcast(name, input, output, how);
    if (which == 1) status = castforge_cast_like(name, input, like, output, how);
    if (which >= 2) status = castforge_cast(name, input, output, how);
    require(status == CASTFORGE_OK || before.empty() || std::memcmp(before.data(), to.data(), to.bytes) == 0,
            "something was written on error");
    if (status == CASTFORGE_OK) accepted();
    // In place.
    const castforge_mutable_tensor same = {dst.type, src.rank, src.shape, from.data(), from.bytes};
    castforge_cast(name, input, &same, options());
  }

  void format() {
    const castforge_type from = type();
    const std::size_t count = choices_.below(40);
    const Buffer src = buffer((count * castforge_storage_bits(from) + 7) / 8);
    const auto sink = [](void* sum, std::size_t, const char* text, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) *static_cast<std::size_t*>(sum) += static_cast<unsigned char>(text[i]);
    };
    std::size_t sum = 0;
    const char* name = opset();
    const castforge_text_sink to = choices_.one_in(32) ? nullptr : +sink;
    castforge_format_text(name, from, src.data(), count, to, &sum, options());
  }

  void parse() {
    const castforge_type to = type();
    std::vector<std::size_t> offsets = {0};
    const std::size_t count = choices_.below(20);
    for (std::size_t i = 0; i < count; ++i) offsets.push_back(offsets.back() + choices_.below(12));
    const Buffer chars = buffer(offsets.back());
    const Buffer dst = buffer((count * castforge_storage_bits(to) + 7) / 8);
    for (std::size_t i = 0; i < chars.bytes; ++i) chars.data()[i] = "0123456789.e-+INFnan "[chars.data()[i] % 21];
    const char* name = opset();
    const std::size_t* ends = choices_.one_in(32) ? nullptr : offsets.data();
    castforge_parse_text(name, to, reinterpret_cast<const char*>(chars.data()), ends, count, dst.data(), options());
  }

  castforge_scalar scalar() {
    const castforge_type of = type();
    return {of, choices_.flag() ? choices_.below(100) : choices_.word(8)};
  }

  void range_parts() {
    const castforge_scalar start = scalar(), stop = scalar(), step = scalar();
    const castforge_type to = type();
    const char* name = opset();
    std::uint64_t count = 0;
    const castforge_options* how = options();
    const castforge_status status = castforge_range_count(name, start, stop, step, to, how, &count);
    castforge_range_count(name, start, stop, step, to, how, nullptr);
    const std::size_t wanted = choices_.below(100);
    const std::uint64_t first = choices_.flag() ? choices_.below(100) : choices_.word(8);
    const Buffer dst = buffer((wanted * castforge_storage_bits(to) + 7) / 8);
    const castforge_status filled = castforge_range_fill(name, start, stop, step, to, first, wanted, dst.data(), how);
    const bool inside = first <= count && wanted <= count - first;
    require(filled != CASTFORGE_OK || (status == CASTFORGE_OK && inside), "elements beyond the end of a sequence");
  }

  void range_tensors() {
    Buffer a, b, c, d;
    const castforge_tensor start = source(a), stop = source(b), step = source(c);
    const castforge_mutable_tensor dst = destination(d);
    const char* name = opset();
    const castforge_tensor* by = choices_.one_in(32) ? nullptr : &step;
    castforge_range(name, &start, &stop, by, &dst, options());
  }

  void load() {
    const Buffer bytes = buffer(choices_.below(200));
    const Buffer message = buffer(choices_.below(80));
    require(castforge_load_bytes(bytes.data(), bytes.bytes) != CASTFORGE_OK, "noise was loaded");
    castforge_load_message(reinterpret_cast<char*>(message.data()), message.bytes);
    castforge_load(nullptr);
    castforge_load_message(reinterpret_cast<char*>(message.data()), message.bytes);
  }

  Choices choices_;
  castforge_options options_{};
  std::vector<castforge_attribute> attributes_;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::unique_ptr<std::vector<std::int64_t>>> shapes_;
  Buffer message_;
  std::uint64_t bad_element_ = 0;
};

}  // namespace

void c_interface(Input input) { Call(input).run(); }

}  // namespace castforge::fuzz

// The C interface, put over the C++ one.
#include <castforge/castforge.h>

#include <algorithm>
#include <castforge/interface.hpp>
#include <castforge/range.hpp>
#include <cstring>
#include <utility>

#include "src/isa_table.hpp"
#include "src/opset_tables.hpp"
#include "src/status_parts.hpp"
#include "src/streaming.hpp"
#include "src/type_rows.hpp"

namespace castforge {
namespace {

static_assert(static_cast<int>(StatusCode::bad_options) == CASTFORGE_BAD_OPTIONS, "both lists hold the same codes");
static_assert(static_cast<int>(StatusCode::unsupported_option) == CASTFORGE_UNSUPPORTED_OPTION);
static_assert(static_cast<int>(StatusCode::kernels_refused) == CASTFORGE_KERNELS_REFUSED);
static_assert(static_cast<int>(StatusCode::file_refused) == CASTFORGE_FILE_REFUSED);
static_assert(static_cast<int>(StatusCode::null_pointer) == CASTFORGE_NULL_POINTER);
static_assert(static_cast<int>(StatusCode::buffers_overlap) == CASTFORGE_BUFFERS_OVERLAP);

const tables::TypeRow* find_row(castforge_type type) noexcept { return find_type_row(static_cast<Type>(type)); }
bool is_type(castforge_type type) noexcept { return find_row(type) != nullptr; }

/// castforge_options as its first version had it, up to elements_per_task; a caller's structure may be longer.
constexpr std::size_t kFirstOptionsSize =
    offsetof(castforge_options, elements_per_task) + sizeof(castforge_options::elements_per_task);

/// A call's settings in the terms of the C++ interface, with what it needs to report back. Not copied:
/// `attributes` points into it.
class Call {
 public:
  explicit Call(const castforge_options* options) noexcept {
    if (options == nullptr) return;
    if (options->size < kFirstOptionsSize) {
      status_ = simple_status(StatusCode::bad_options, Role::none, options->size, kFirstOptionsSize);
      return;
    }
    std::memcpy(&options_, options, std::min(options->size, sizeof options_));  // later fields are unknown here
    if (options_.attribute_count > 0 && options_.attributes == nullptr) {
      status_ = simple_status(StatusCode::null_pointer, Role::attributes, options_.attribute_count);
    }
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const Status& status() const noexcept { return status_; }

  /// Collects the attributes; what exceeds the room is necessarily unknown to the op-set or a repetition.
  Attributes attributes() noexcept {
    std::size_t count = 0;
    for (; count < options_.attribute_count && count < kMostAttributes + 1; ++count) {
      const castforge_attribute& a = options_.attributes[count];
      room_[count].name = a.name == nullptr ? std::string_view() : a.name;
      room_[count].value = a.word == nullptr ? AttributeValue(a.number) : AttributeValue(a.word);
    }
    Attributes result;
    result.others = std::span<const Attribute>(room_, count);
    return result;
  }

  std::string_view isa() const noexcept { return options_.isa == nullptr ? std::string_view() : options_.isa; }

  /// Whether an instruction set that was named can be used, for what runs alike on all of them.
  Status isa_status() const noexcept { return isa().empty() ? Status() : castforge::isa_status(isa()); }

  CastOptions cast_options() const noexcept {
    return {.isa = isa(),
            .parallel = {.run = options_.parallel_for, .context = options_.parallel_context},
            .elements_per_task = options_.elements_per_task};
  }

  castforge_status report(const Status& status) const noexcept {
    if (!status) {
      status.write_message(options_.message, options_.message_size);
      if (status.is_element_error() && options_.bad_element != nullptr) *options_.bad_element = status.index();
    }
    return static_cast<castforge_status>(status.code());
  }

 private:
  castforge_options options_ = CASTFORGE_OPTIONS_INIT;
  Attribute room_[kMostAttributes + 1] = {};
  Status status_;
};

/// Type numbers come from outside: refuses those that are no types.
template <class... Types>
Status check_types(Types... types) noexcept {
  return check_known(static_cast<Type>(types)...);
}

Status null_argument(Role role) noexcept { return simple_status(StatusCode::null_pointer, role); }

Status check_tensors(const castforge_tensor* src, const castforge_mutable_tensor* dst,
                     Role role = Role::source) noexcept {
  if (src == nullptr || (src->shape == nullptr && src->rank > 0)) return null_argument(role);
  if (dst == nullptr || (dst->shape == nullptr && dst->rank > 0)) return null_argument(Role::destination);
  return check_types(src->type, dst->type);
}

TensorView view(const castforge_tensor& t) noexcept {
  return {static_cast<Type>(t.type), {t.shape, t.rank}, t.data, t.bytes};
}

MutableTensorView view(const castforge_mutable_tensor& t) noexcept {
  return {static_cast<Type>(t.type), {t.shape, t.rank}, t.data, t.bytes};
}

std::string_view text_of(const char* name) noexcept { return name == nullptr ? std::string_view() : name; }

castforge_kernel c_kernel(const Kernel& found) noexcept {
  const void* const data = found.function() == nullptr ? found.table() : nullptr;
  return {found.function(),
          found.name().data(),
          found.isa().data(),
          static_cast<castforge_type>(found.src()),
          static_cast<castforge_type>(found.dst()),
          data};
}

struct CSink {
  castforge_text_sink write;
  void* context;
};

/// How the calling thread's last castforge_load or castforge_load_bytes went, for castforge_load_message.
thread_local constinit Status load_status;

castforge_status keep_load_status(const Status& status) noexcept {
  load_status = status;
  return static_cast<castforge_status>(status.code());
}

}  // namespace
}  // namespace castforge

using namespace castforge;

const char* castforge_status_string(castforge_status status) {
  unsigned number = 0;  // callers in C may pass any, which C++ must not even read as an enumerator
  static_assert(sizeof number == sizeof status);
  std::memcpy(&number, &status, sizeof number);
  return number <= CASTFORGE_FILE_REFUSED ? name(static_cast<StatusCode>(number)) : "unknown status";
}

const char* castforge_version(void) { return version(); }
const char* castforge_manifest_hash(void) { return manifest_hash(); }

size_t castforge_type_count(void) { return type_count(); }

castforge_type castforge_type_at(size_t index) {
  return index < type_count() ? static_cast<castforge_type>(type_at(index)) : CASTFORGE_NO_TYPE;
}

castforge_status castforge_find_type(const char* name_or_alias, castforge_type* type) {
  if (type == nullptr) return CASTFORGE_NULL_POINTER;
  const auto found = find_type(text_of(name_or_alias));
  if (!found) return CASTFORGE_UNKNOWN_TYPE;
  *type = static_cast<castforge_type>(*found);
  return CASTFORGE_OK;
}

const char* castforge_type_name(castforge_type type) {
  const tables::TypeRow* row = find_row(type);
  return row != nullptr ? row->name : nullptr;
}

castforge_type_kind castforge_kind_of_type(castforge_type type) {
  const tables::TypeRow* row = find_row(type);
  switch (row != nullptr ? row->kind : TypeKind::floating) {
    case TypeKind::integer: return CASTFORGE_INTEGER;
    case TypeKind::boolean: return CASTFORGE_BOOLEAN;
    case TypeKind::string: return CASTFORGE_STRING;
    case TypeKind::floating: break;
  }
  return CASTFORGE_FLOATING;
}

unsigned castforge_storage_bits(castforge_type type) {
  const tables::TypeRow* row = find_row(type);
  return row != nullptr ? static_cast<unsigned>(row->storage_bits) : 0;
}

int castforge_high_first(castforge_type type) {
  const tables::TypeRow* row = find_row(type);
  return row != nullptr && row->packing == Packing::high_first;
}

size_t castforge_opset_count(void) { return registry().opsets.size(); }

const char* castforge_opset_name(size_t index) {
  const auto opsets = registry().opsets;
  return index < opsets.size() ? opsets[index]->name : nullptr;
}

const char* castforge_default_opset(const char* operation) {
  const auto found = default_opset(text_of(operation));
  return found ? found->table()->name : nullptr;
}

castforge_status castforge_load(const char* path) {
  return keep_load_status(path == nullptr ? null_argument(Role::source) : load(path));
}

castforge_status castforge_load_bytes(const void* data, size_t size) {
  if (data == nullptr && size != 0) return keep_load_status(null_argument(Role::source));
  return keep_load_status(load(std::span(static_cast<const std::byte*>(data), size)));
}

size_t castforge_load_message(char* message, size_t message_size) {
  if (load_status) {
    if (message_size != 0) message[0] = '\0';
    return 0;
  }
  return load_status.write_message(message, message_size);
}

int castforge_admits(const char* opset, castforge_type src, castforge_type dst) {
  if (!is_type(src) || !is_type(dst)) return 0;
  // As castforge_find_kernel looks it up.
  OpSet found;
  if (!find_opset(text_of(opset), static_cast<Type>(src), static_cast<Type>(dst), found)) return 0;
  if (!check_conversion(*found.table())) return 0;
  return found.admits(static_cast<Type>(src), static_cast<Type>(dst)) ? 1 : 0;
}

size_t castforge_isa_count(void) { return isa_count(); }

// Names of instruction sets are literals, hence terminated.
const char* castforge_isa_name(size_t index) { return index < isa_count() ? isa(index).name.data() : nullptr; }
int castforge_isa_usable(size_t index) { return index < isa_count() && isa(index).usable ? 1 : 0; }
const char* castforge_active_isa(void) { return active_isa().data(); }

castforge_status castforge_find_kernel(const char* opset, castforge_type src, castforge_type dst,
                                       const castforge_options* options, castforge_kernel* kernel) {
  Call call(options);
  if (kernel == nullptr) return call.report(null_argument(Role::destination));
  *kernel = castforge_kernel{};
  if (!call.status()) return call.report(call.status());
  if (const Status status = check_types(src, dst); !status) return call.report(status);
  const Kernel found =
      find_kernel(text_of(opset), static_cast<Type>(src), static_cast<Type>(dst), call.attributes(), call.isa());
  if (found) *kernel = c_kernel(found);
  return call.report(found.status());
}

castforge_status castforge_find_kernel_by_notation(const char* text, const char* isa, castforge_kernel* kernel,
                                                   char* message, size_t message_size) {
  Status status = null_argument(Role::destination);
  if (kernel != nullptr) {
    const Kernel found = find_kernel_by_notation(text_of(text), text_of(isa));
    *kernel = found ? c_kernel(found) : castforge_kernel{};
    status = found.status();
  }
  if (message != nullptr && !status) status.write_message(message, message_size);
  return static_cast<castforge_status>(status.code());
}

castforge_status castforge_run(const castforge_kernel* kernel, const void* src, void* dst, size_t count) {
  if (kernel == nullptr || (kernel->function == nullptr && kernel->data == nullptr)) return CASTFORGE_NO_KERNEL;
  if (count > 0 && (src == nullptr || dst == nullptr)) return CASTFORGE_NULL_POINTER;
  const std::size_t src_bits = static_cast<std::size_t>(type_info(static_cast<Type>(kernel->src)).storage_bits);
  const std::size_t dst_bits = static_cast<std::size_t>(type_info(static_cast<Type>(kernel->dst)).storage_bits);
  // The function came from find_kernel, whose functions do not throw; C has no way to say so.
  const auto function = reinterpret_cast<Kernel::Function>(kernel->function);
  const auto* const row = static_cast<const tables::Kernel*>(kernel->data);
  run_for_size({function, kernel->isa, src_bits, dst_bits, row}, src, dst, count, count / 8 * (src_bits + dst_bits));
  return CASTFORGE_OK;
}

castforge_status castforge_cast(const char* opset, const castforge_tensor* src, const castforge_mutable_tensor* dst,
                                const castforge_options* options) {
  Call call(options);
  if (!call.status()) return call.report(call.status());
  if (const Status status = check_tensors(src, dst); !status) return call.report(status);
  return call.report(cast(text_of(opset), view(*src), view(*dst), call.attributes(), call.cast_options()));
}

castforge_status castforge_bitcast(const char* opset, const castforge_tensor* src, const castforge_mutable_tensor* dst,
                                   const castforge_options* options) {
  Call call(options);
  if (!call.status()) return call.report(call.status());
  if (const Status status = check_tensors(src, dst); !status) return call.report(status);
  return call.report(bitcast(text_of(opset), view(*src), view(*dst), call.attributes(), call.cast_options()));
}

castforge_status castforge_cast_like(const char* opset, const castforge_tensor* src, castforge_type like,
                                     const castforge_mutable_tensor* dst, const castforge_options* options) {
  Call call(options);
  if (!call.status()) return call.report(call.status());
  if (const Status status = check_tensors(src, dst); !status) return call.report(status);
  if (const Status status = check_types(like); !status) return call.report(status);
  return call.report(cast_like(text_of(opset), view(*src), static_cast<Type>(like), view(*dst), call.attributes(),
                               call.cast_options()));
}

castforge_status castforge_format_text(const char* opset, castforge_type src_type, const void* src, size_t count,
                                       castforge_text_sink write, void* context, const castforge_options* options) {
  Call call(options);
  if (!call.status()) return call.report(call.status());
  if (const Status status = check_types(src_type); !status) return call.report(status);
  if (const Status status = call.isa_status(); !status) return call.report(status);
  if (write == nullptr && count > 0)
    return call.report(simple_status(StatusCode::null_pointer, Role::destination, count));
  CSink sink{write, context};
  const auto pass_on = [](void* data, std::size_t index, std::string_view text) {
    const CSink& to = *static_cast<const CSink*>(data);
    to.write(to.context, index, text.data(), text.size());
  };
  return call.report(format_text(text_of(opset), static_cast<Type>(src_type), src, count, call.attributes(),
                                 TextSink(pass_on, &sink)));
}

castforge_status castforge_parse_text(const char* opset, castforge_type dst_type, const char* chars,
                                      const size_t* offsets, size_t count, void* dst,
                                      const castforge_options* options) {
  Call call(options);
  if (!call.status()) return call.report(call.status());
  if (const Status status = check_types(dst_type); !status) return call.report(status);
  if (const Status status = call.isa_status(); !status) return call.report(status);
  return call.report(
      parse_text(text_of(opset), static_cast<Type>(dst_type), chars, offsets, count, dst, call.attributes()));
}

// Sequences.

namespace {

Scalar scalar(const castforge_scalar& s) noexcept { return {static_cast<Type>(s.type), s.code}; }

/// Finds the sequence with the settings of a call, `types` checked.
Range find_range(const char* opset, const castforge_scalar& start, const castforge_scalar& stop,
                 const castforge_scalar& step, castforge_type type, Call& call) noexcept {
  if (!call.status()) return Range(call.status());
  if (const Status status = check_types(start.type, stop.type, step.type, type); !status) return Range(status);
  return find_range(text_of(opset), scalar(start), scalar(stop), scalar(step), static_cast<Type>(type),
                    call.attributes(), call.isa());
}

}  // namespace

castforge_status castforge_range_count(const char* opset, castforge_scalar start, castforge_scalar stop,
                                       castforge_scalar step, castforge_type type, const castforge_options* options,
                                       uint64_t* count) {
  Call call(options);
  if (count == nullptr) return call.report(null_argument(Role::destination));
  const Range range = find_range(opset, start, stop, step, type, call);
  *count = range.count();
  return call.report(range.status());
}

castforge_status castforge_range_fill(const char* opset, castforge_scalar start, castforge_scalar stop,
                                      castforge_scalar step, castforge_type type, uint64_t first, size_t count,
                                      void* dst, const castforge_options* options) {
  Call call(options);
  return call.report(find_range(opset, start, stop, step, type, call).fill(first, dst, count));
}

castforge_status castforge_range(const char* opset, const castforge_tensor* start, const castforge_tensor* stop,
                                 const castforge_tensor* step, const castforge_mutable_tensor* dst,
                                 const castforge_options* options) {
  Call call(options);
  if (!call.status()) return call.report(call.status());
  const std::pair<const castforge_tensor*, Role> inputs[] = {
      {start, Role::start}, {stop, Role::stop}, {step, Role::step}};
  for (const auto& [input, role] : inputs) {
    if (const Status status = check_tensors(input, dst, role); !status) return call.report(status);
  }
  return call.report(range(text_of(opset), view(*start), view(*stop), view(*step), view(*dst), call.attributes(),
                           call.cast_options()));
}

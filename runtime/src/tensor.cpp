#include <algorithm>
#include <castforge/kernel.hpp>
#include <castforge/tensor.hpp>
#include <charconv>
#include <optional>

#include "src/opset_tables.hpp"
#include "src/status_parts.hpp"
#include "src/streaming.hpp"
#include "src/task_size.hpp"

namespace castforge {
namespace {

struct Count {
  Status status;
  std::size_t elements = 0;
};

Status bad_extent(Role role, std::size_t index, std::int64_t extent) noexcept {
  return simple_status(StatusCode::bad_shape, role, index, static_cast<std::uint64_t>(extent));
}

/// Product of the extents; rank 0 is one element. A negative extent and a product beyond std::size_t are
/// errors.
Count count_elements(std::span<const std::int64_t> shape, Role role) noexcept {
  if (shape.data() == nullptr && !shape.empty()) return {simple_status(StatusCode::null_pointer, role)};
  bool empty = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) return {bad_extent(role, i, shape[i])};
    empty = empty || shape[i] == 0;
  }
  if (empty) return {};
  std::size_t elements = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto extent = static_cast<std::uint64_t>(shape[i]);
    if (extent > SIZE_MAX / elements) return {bad_extent(role, i, shape[i])};
    elements *= static_cast<std::size_t>(extent);
  }
  return {Status(), elements};
}

Status check_same_shape(std::span<const std::int64_t> src, std::span<const std::int64_t> dst) noexcept {
  if (src.size() != dst.size()) return simple_status(StatusCode::shape_mismatch, Role::none, src.size(), dst.size());
  for (std::size_t i = 0; i < src.size(); ++i) {
    if (src[i] == dst[i]) continue;
    StatusParts parts = status_parts(StatusCode::shape_mismatch);
    parts.role = static_cast<std::uint8_t>(Role::destination);
    parts.attribute = static_cast<std::uint16_t>(i);
    parts.first = static_cast<std::uint64_t>(src[i]);
    parts.second = static_cast<std::uint64_t>(dst[i]);
    return Status(parts);
  }
  return Status();
}

/// A limit among the op-set's options.
std::optional<std::uint64_t> limit(OpSet opset, std::string_view name) noexcept {
  const std::string_view text = opset.option(name);
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || result.ec != std::errc()) return std::nullopt;
  return value;
}

/// Checks a buffer for `elements` elements and says how many of its bytes they fill.
Status check_buffer(Type type, std::size_t elements, const void* data, std::size_t bytes, Role role,
                    std::size_t& needed) noexcept {
  const auto size = storage_bytes(type, elements);
  if (!size) return simple_status(StatusCode::bad_shape, role, elements, kBytesBeyond);
  needed = *size;
  if (data == nullptr && elements > 0) return simple_status(StatusCode::null_pointer, role, elements);
  if (bytes < needed) return simple_status(StatusCode::buffer_too_small, role, bytes, needed);
  return Status();
}

bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
  return a_bytes > 0 && b_bytes > 0 && (first < second ? second - first < a_bytes : first - second < b_bytes);
}

struct Job {
  Conversion conversion;
  const std::byte* src;
  std::byte* dst;
  std::size_t elements, per_task;

  static void run_task(void* data, std::size_t index) {
    const Job& job = *static_cast<const Job*>(data);
    const std::size_t begin = index * job.per_task;
    const std::size_t count = std::min(job.per_task, job.elements - begin);
    const std::size_t src_bits = job.conversion.src_bits, dst_bits = job.conversion.dst_bits;
    run_for_size(job.conversion, job.src + begin / 8 * src_bits, job.dst + begin / 8 * dst_bits, count,
                 job.elements / 8 * (src_bits + dst_bits));
  }
};

Status run(const Kernel& kernel, const void* src, void* dst, std::size_t elements, const CastOptions& options) {
  const int src_bits = type_info(kernel.src()).storage_bits, dst_bits = type_info(kernel.dst()).storage_bits;
  const std::size_t per_task = task_elements(options, std::max(src_bits, dst_bits));
  if (options.parallel.run == nullptr || elements <= per_task) return kernel.run(src, dst, elements);
  Job job{{kernel.function(), kernel.isa(), static_cast<std::size_t>(src_bits), static_cast<std::size_t>(dst_bits),
           kernel.table()},
          static_cast<const std::byte*>(src),
          static_cast<std::byte*>(dst),
          elements,
          per_task};
  const std::size_t tasks = (elements - 1) / per_task + 1;
  options.parallel.run(options.parallel.context, tasks, &Job::run_task, &job);
  return Status();
}

Status cast_with(OpSet opset, const TensorView& src, const MutableTensorView& dst, const Attributes& attributes,
                 const CastOptions& options) {
  const Kernel kernel = find_kernel(opset, src.type, dst.type, attributes, options.isa);
  if (!kernel) return kernel.status();
  const Count count = count_elements(src.shape, Role::source);
  if (!count.status) return count.status;
  if (const Count other = count_elements(dst.shape, Role::destination); !other.status) return other.status;
  if (const Status status = check_same_shape(src.shape, dst.shape); !status) return status;
  if (const Status status = check_limits(opset, src.shape.size(), count.elements); !status) return status;

  std::size_t src_bytes = 0, dst_bytes = 0;
  if (const Status status = check_buffer(src.type, count.elements, src.data, src.bytes, Role::source, src_bytes);
      !status) {
    return status;
  }
  if (const Status status = check_buffer(dst.type, count.elements, dst.data, dst.bytes, Role::destination, dst_bytes);
      !status) {
    return status;
  }
  const bool in_place = src.data == dst.data && src_bytes == dst_bytes &&
                        type_info(src.type).storage_bits == type_info(dst.type).storage_bits;
  if (!in_place && overlap(src.data, src_bytes, dst.data, dst_bytes)) return simple_status(StatusCode::buffers_overlap);
  return run(kernel, src.data, dst.data, count.elements, options);
}

}  // namespace

/// Options min_rank, max_rank, max_elements (numbers) and reject_empty (true).
Status check_limits(OpSet opset, std::size_t rank, std::size_t elements) noexcept {
  StatusParts parts = status_parts(StatusCode::rank_not_admitted);
  parts.opset = opset.table();
  parts.first = rank;
  if (const auto least = limit(opset, kLeastRank); least && rank < *least) {
    parts.role = static_cast<std::uint8_t>(Role::lower_limit);
    parts.second = *least;
    return Status(parts);
  }
  if (const auto most = limit(opset, kMostRank); most && rank > *most) {
    parts.role = static_cast<std::uint8_t>(Role::upper_limit);
    parts.second = *most;
    return Status(parts);
  }
  if (const auto most = limit(opset, kMostElements); most && elements > *most) {
    return opset_status(StatusCode::too_many_elements, opset.table(), elements, *most);
  }
  if (elements == 0 && opset.option("reject_empty") == "true") {
    return opset_status(StatusCode::empty_tensor, opset.table());
  }
  return Status();
}

Status cast(std::string_view opset, const TensorView& src, const MutableTensorView& dst, const Attributes& attributes,
            const CastOptions& options) {
  OpSet found;
  if (const Status status = find_opset(opset, src.type, dst.type, found); !status) return status;
  return cast_with(found, src, dst, attributes, options);
}

Status bitcast(std::string_view opset, const TensorView& src, const MutableTensorView& dst,
               const Attributes& attributes, const CastOptions& options) {
  OpSet found;
  if (const Status status = find_bitcast_opset(opset, found); !status) return status;
  if (const Status status = check_operation(*found.table(), kBitcast); !status) return status;
  return cast_with(found, src, dst, attributes, options);
}

Status cast_like(std::string_view opset, const TensorView& src, Type like, const MutableTensorView& dst,
                 const Attributes& attributes, const CastOptions& options) {
  if (const Status status = check_known(like, dst.type); !status) return status;
  OpSet found;
  if (const Status status = find_cast_like(opset, found); !status) return status;
  if (dst.type != like) return pair_status(StatusCode::type_mismatch, nullptr, like, dst.type);
  return cast_with(found, src, dst, attributes, options);
}

}  // namespace castforge

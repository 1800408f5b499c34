// The checked entry of sequences: tensors in, a tensor out.
#include <castforge/elements.hpp>
#include <castforge/range.hpp>

#include "src/opset_tables.hpp"
#include "src/status_parts.hpp"
#include "src/tables.hpp"
#include "src/task_size.hpp"

namespace castforge {
namespace {

/// A rank-0 tensor's element.
Status read_scalar(OpSet opset, const TensorView& tensor, Role role, Scalar& scalar) noexcept {
  const TypeInfo type = type_info(tensor.type);
  StatusParts parts = status_parts(StatusCode::not_scalar);
  parts.opset = opset.table();
  parts.role = static_cast<std::uint8_t>(role);
  parts.first = tensor.shape.size();
  if (!tensor.shape.empty()) return Status(parts);
  const std::size_t needed = bytes_of_elements(1, type.storage_bits);
  scalar = Scalar(tensor.type, 0);
  if (needed == 0) return Status();  // strings: the type is refused later, by name
  if (tensor.data == nullptr) return simple_status(StatusCode::null_pointer, role, 1);
  if (tensor.bytes < needed) return simple_status(StatusCode::buffer_too_small, role, tensor.bytes, needed);
  scalar.code = load_element(tensor.data, 0, type.storage_bits, type.packing);
  return Status();
}

Status check_destination(const Range& range, const MutableTensorView& dst) noexcept {
  if (dst.shape.size() != 1 || dst.shape[0] < 0 || static_cast<std::uint64_t>(dst.shape[0]) != range.count()) {
    return simple_status(StatusCode::shape_mismatch, Role::result, range.count());
  }
  const auto needed = storage_bytes(range.type(), static_cast<std::size_t>(range.count()));
  if (!needed) return simple_status(StatusCode::bad_shape, Role::destination, range.count(), kBytesBeyond);
  if (dst.data == nullptr && range.count() > 0) {
    return simple_status(StatusCode::null_pointer, Role::destination, range.count());
  }
  if (dst.bytes < *needed) {
    return simple_status(StatusCode::buffer_too_small, Role::destination, dst.bytes, *needed);
  }
  return Status();
}

/// One of the parts that the caller's threads fill.
struct Part {
  const Range& range;
  std::byte* dst;
  std::size_t bits, total, per_task;

  static void run(void* data, std::size_t index) {
    const Part& part = *static_cast<const Part*>(data);
    const std::size_t first = index * part.per_task;
    const std::size_t left = part.total - first;
    static_cast<void>(
        part.range.fill(first, part.dst + first / 8 * part.bits, left < part.per_task ? left : part.per_task));
  }
};

Status fill(const Range& range, const MutableTensorView& dst, const CastOptions& options) {
  if (!range) return range.status();
  if (const Status status = check_destination(range, dst); !status) return status;
  const int bits = type_info(range.type()).storage_bits;
  const auto total = static_cast<std::size_t>(range.count()), per_task = task_elements(options, bits);
  if (options.parallel.run == nullptr || per_task >= total) return range.fill(0, dst.data, total);
  Part part{range, static_cast<std::byte*>(dst.data), static_cast<std::size_t>(bits), total, per_task};
  options.parallel.run(options.parallel.context, (total - 1) / per_task + 1, &Part::run, &part);
  return Status();
}

}  // namespace

Status range(std::string_view opset, Scalar start, Scalar stop, Scalar step, const MutableTensorView& dst,
             const Attributes& attributes, const CastOptions& options) {
  return fill(find_range(opset, start, stop, step, dst.type, attributes, options.isa), dst, options);
}

Status range(std::string_view opset, const TensorView& start, const TensorView& stop, const TensorView& step,
             const MutableTensorView& dst, const Attributes& attributes, const CastOptions& options) {
  OpSet found;
  if (const Status status = find_range_opset(opset, found); !status) return status;
  Scalar scalars[] = {{dst.type, 0}, {dst.type, 0}, {dst.type, 0}};
  const TensorView* tensors[] = {&start, &stop, &step};
  const Role roles[] = {Role::start, Role::stop, Role::step};
  for (int i = 0; i < 3; ++i) {
    if (const Status status = read_scalar(found, *tensors[i], roles[i], scalars[i]); !status) return status;
  }
  return fill(find_range(found, scalars[0], scalars[1], scalars[2], dst.type, attributes, options.isa), dst, options);
}

}  // namespace castforge

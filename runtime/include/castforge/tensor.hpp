// The checked entry: whole tensors, with shapes, sizes, overlap and the op-set's limits looked at first.
#pragma once

#include <castforge/export.h>

#include <castforge/attributes.hpp>
#include <castforge/opset.hpp>
#include <castforge/status.hpp>
#include <castforge/type_info.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace castforge {

/// A dense tensor. `bytes` is the size of the buffer, which may be larger than needed; rank 0 is one element.
struct TensorView {
  Type type;
  std::span<const std::int64_t> shape;
  const void* data;
  std::size_t bytes;
};

struct MutableTensorView {
  Type type;
  std::span<const std::int64_t> shape;
  void* data;
  std::size_t bytes;
};

/// The caller's threads. `run` must call task(task_data, i) once for every i below `tasks`, in any order and
/// on any threads, and return when all are done. An exception that it throws reaches the caller of cast or range,
/// and no task may run or begin any more by then; what the destination holds is unspecified.
struct ParallelFor {
  using Task = void (*)(void* task_data, std::size_t index);
  void (*run)(void* context, std::size_t tasks, Task task, void* task_data) = nullptr;
  void* context = nullptr;
};

struct CastOptions {
  std::string_view isa = {};          // empty: active_isa()
  ParallelFor parallel = {};          // empty: the calling thread does all
  std::size_t elements_per_task = 0;  // 0: about a quarter megabyte each. Rounded up to a multiple of 512
};

/// Converts a tensor. Beside the errors of find_kernel: null_pointer, bad_shape, shape_mismatch,
/// rank_not_admitted, too_many_elements, empty_tensor, buffer_too_small, buffers_overlap. In place is allowed
/// where both types have the same storage width and both buffers start at the same address. Nothing is
/// written on error.
CASTFORGE_API Status cast(std::string_view opset, const TensorView& src, const MutableTensorView& dst,
                          const Attributes& attributes = {}, const CastOptions& options = {});

/// Does an op-set of casts take a tensor of this rank and so many elements? rank_not_admitted, too_many_elements or
/// empty_tensor where not. The op-set is one that was found. cast() asks; whoever runs a Kernel over a tensor's parts
/// asks once, for the whole.
CASTFORGE_API Status check_limits(OpSet opset, std::size_t rank, std::size_t elements) noexcept;

/// The bits of every element as they are, in another type of the same width, by the rules of a bit cast op-set
/// ("onnx-bitcast@26"; empty for the default): NaN payloads, the sign of zero and any byte of a bool are kept, unused
/// bits of the last byte become zero. Errors: those of cast; wrong_operation where the op-set converts by value.
CASTFORGE_API Status bitcast(std::string_view opset, const TensorView& src, const MutableTensorView& dst,
                             const Attributes& attributes = {}, const CastOptions& options = {});

/// Cast to the element type of another tensor: `like` is that type and must be dst's (else type_mismatch).
/// The rules are those of the family whose specs say `cast_like_of` of the family named: "onnx-castlike@21" for
/// "onnx@22". That family may be named itself.
CASTFORGE_API Status cast_like(std::string_view opset, const TensorView& src, Type like, const MutableTensorView& dst,
                               const Attributes& attributes = {}, const CastOptions& options = {});

}  // namespace castforge

// Sequences start, start + step, ... before stop, by the rules of a range op-set ("openvino-range@4").
//
//   castforge::Range r = castforge::find_range("openvino-range@4", 0, 10, 0.25, castforge::Type::float16);
//   if (!r) std::puts(r.status().message().c_str());
//   castforge::Status s = r.fill(0, dst, r.count());
#pragma once

#include <castforge/export.h>

#include <bit>
#include <castforge/attributes.hpp>
#include <castforge/kernel.hpp>
#include <castforge/opset.hpp>
#include <castforge/status.hpp>
#include <castforge/tensor.hpp>
#include <castforge/type_info.hpp>
#include <castforge/types.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace castforge {

namespace tables {
struct Ramp;
}

/// A typed number: the code of one element of that type in the low bits.
struct Scalar {
  Type type;
  std::uint64_t code;

  constexpr Scalar(Type of, std::uint64_t bits) noexcept : type(of), code(bits) {}
  constexpr Scalar(float value) noexcept : Scalar(Type::float32, std::bit_cast<std::uint32_t>(value)) {}
  constexpr Scalar(double value) noexcept : Scalar(Type::float64, std::bit_cast<std::uint64_t>(value)) {}
  template <std::integral I>
  requires(!std::same_as<I, bool> && sizeof(I) <= 8) constexpr Scalar(I value) noexcept
      : Scalar(type_of<I>(), static_cast<std::uint64_t>(value)) {}

 private:
  template <class I>
  static constexpr Type type_of() noexcept {
    switch (sizeof(I)) {
      case 1: return std::signed_integral<I> ? Type::int8 : Type::uint8;
      case 2: return std::signed_integral<I> ? Type::int16 : Type::uint16;
      case 4: return std::signed_integral<I> ? Type::int32 : Type::uint32;
      default: return std::signed_integral<I> ? Type::int64 : Type::uint64;
    }
  }
};

/// How a sequence is computed. Filled by find_range; nothing in here is part of the interface.
struct RangePlan {
  void (*ramp)(const tables::Ramp& ramp, void* dst, std::size_t count) noexcept = nullptr;
  Kernel::Function convert = nullptr;    // of the ramp's elements to the result's; null where those are the same,
  const tables::Kernel* data = nullptr;  // or where this kernel converts, which is data
  std::uint64_t start = 0, step = 0;     // codes of the ramp's elements
  std::uint64_t count = 0;
  std::uint8_t ramp_bits = 0, result_bits = 0;
};

/// A resolved sequence, or the reason why there is none. A value; copies are independent; fill() is
/// thread-safe.
class Range {
 public:
  Range() noexcept : Range(Status(StatusParts{.code = StatusCode::no_kernel})) {}
  explicit Range(const Status& status) noexcept : status_(status) {}
  Range(const RangePlan& plan, Type type, std::string_view isa) noexcept : plan_(plan), type_(type), isa_(isa) {}

  bool ok() const noexcept { return status_.ok(); }
  explicit operator bool() const noexcept { return ok(); }

  /// Why there is no sequence; ok where there is one.
  const Status& status() const noexcept { return status_; }

  /// Number of elements; 0 where there is no sequence.
  std::uint64_t count() const noexcept { return plan_.count; }

  Type type() const noexcept { return type_; }
  std::string_view isa() const noexcept { return isa_; }

  /// Writes elements first .. first + count - 1 to dst: ceil(count * storage_bits / 8) bytes, no alignment
  /// needed, unused bits of the last byte zero. The same bits however a sequence is divided into parts. No
  /// allocation, no lock. Errors: status(), beyond_end, null_pointer; nothing is written then.
  CASTFORGE_API Status fill(std::uint64_t first, void* dst, std::size_t count) const noexcept;

 private:
  RangePlan plan_;
  Type type_{};
  std::string_view isa_;
  Status status_;
};

/// Resolves the sequence whose elements are of type `result`; `attributes` are the op-set's, `stash_type` of
/// "onnx-range@27" for example. `isa` names an instruction set; empty means active_isa(). Errors: unknown_opset,
/// wrong_operation, unsupported_option, bad_type, unknown_attribute, bad_attribute, repeated_attribute, non_finite,
/// input_range, step_zero, count_limit, isa_unavailable; they name the op-set, the input and what is
/// admitted. A step that leads away from stop gives an empty sequence, which is no error.
CASTFORGE_API Range find_range(std::string_view opset, Scalar start, Scalar stop, Scalar step, Type result,
                               const Attributes& attributes = {}, std::string_view isa = {}) noexcept;
CASTFORGE_API Range find_range(OpSet opset, Scalar start, Scalar stop, Scalar step, Type result,
                               const Attributes& attributes = {}, std::string_view isa = {}) noexcept;

struct RangeCount {
  Status status;
  std::uint64_t count = 0;
};

/// Number of elements. Errors: those of find_range.
CASTFORGE_API RangeCount range_count(std::string_view opset, Scalar start, Scalar stop, Scalar step, Type result,
                                     const Attributes& attributes = {}) noexcept;

/// The whole sequence to a tensor of rank 1 with as many elements. Errors: those of find_range, bad_shape,
/// shape_mismatch, buffer_too_small, null_pointer. Nothing is written on error.
CASTFORGE_API Status range(std::string_view opset, Scalar start, Scalar stop, Scalar step, const MutableTensorView& dst,
                           const Attributes& attributes = {}, const CastOptions& options = {});

/// The same with inputs from tensors, which must have rank 0. Errors: also not_scalar.
CASTFORGE_API Status range(std::string_view opset, const TensorView& start, const TensorView& stop,
                           const TensorView& step, const MutableTensorView& dst, const Attributes& attributes = {},
                           const CastOptions& options = {});

}  // namespace castforge

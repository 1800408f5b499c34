// Arrays of any family, seen as contiguous elements of a castforge type; and new arrays of the same family.
#pragma once

#include "types.hpp"

#include <castforge/castforge.hpp>

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace pycastforge {

/// Which package an array comes from, and so a result.
enum class Family : std::uint8_t { numpy, torch, other };

inline constexpr int kMostDimensions = 64;  // numpy's own limit

/// Elements in memory, and what keeps that memory. No copy of an array is made unless somebody asks for one.
struct Array {
  Type type{};
  Family family = Family::numpy;
  bool is_packed = false;  // came as pycastforge.Packed
  bool in_words = false;   // elements that are no words lie in one each, as in arrays of ml_dtypes
  bool writable = false;
  void* data = nullptr;
  std::size_t count = 0;
  std::size_t bytes = 0;  // what the elements fill
  int rank = 0;
  std::array<std::int64_t, kMostDimensions> extents;  // the first `rank` of them
  nb::object owner;                                   // the array
  nb::object kept;                                    // whatever else must live as long

  Array() noexcept {}  // NOLINT(modernize-use-equals-default): `extents` is left alone

  std::span<const std::int64_t> shape() const { return {extents.data(), static_cast<std::size_t>(rank)}; }
};

/// What a caller wants of an array that is not contiguous.
enum class IfStrided : std::uint8_t { refuse, copy };

/// The elements of an array; `what` it is ("x", "out") begins a complaint. Raises NotAnArray, UnknownType, BadArray.
Array array_of(nb::handle object, const char* what, IfStrided if_strided = IfStrided::refuse);

/// How a result whose type is no word is to lie in memory.
enum class Layout : std::uint8_t { natural, packed, bytes };

/// From None, "packed" or "bytes"; raises ValueError.
Layout layout_of(nb::handle layout);

/// A new array like `like`: of its family, with its shape. `result` is what the caller gets in the end.
struct NewArray {
  Array array;
  nb::object result;
  nb::object finish;  // a function from `result` to what the caller gets; invalid where that is `result` itself
};
NewArray new_array(const Array& like, std::span<const std::int64_t> shape, Type type, Layout layout);

/// The elements in the dense form that kernels read: those of `array` itself, or packed into `buffer`.
const void* dense_elements(const Array& array, std::unique_ptr<unsigned char[]>& buffer);

/// The inverse: one element per word from dense ones.
void spread_elements(const void* dense, const Array& array);

/// "(2, 3)"
std::string shape_text(std::span<const std::int64_t> shape);
nb::tuple shape_tuple(std::span<const std::int64_t> shape);

/// Elements of a shape; raises BadArray for negative extents, or more elements than memory has.
std::size_t element_count(std::span<const std::int64_t> shape);

/// Bytes of dense elements; raises BadArray where that is more than an address can count.
std::size_t dense_bytes(Type type, std::size_t count);

/// `pycastforge.Packed`: elements of a type, packed as kernels read them, in an array of bytes.
struct Packed {
  nb::object data;
  nb::tuple shape;
  Type type;
};

/// Checks the parts; raises NotAnArray, BadArray.
Packed make_packed(nb::object data, nb::handle shape, Type type);

void bind_packed(nb::module_& module);

}  // namespace pycastforge

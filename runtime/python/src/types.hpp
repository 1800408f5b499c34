// Types as Python code names them: castforge's names and aliases, dtypes of numpy, ml_dtypes, torch and jax, ONNX
// enumerators.
#pragma once

#include <castforge/type_info.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <vector>

namespace pycastforge {

namespace nb = nanobind;
using castforge::Type;
using castforge::TypeInfo;

/// All that a library has, `count()` of `at(i)`, while other threads may load. Types and op-sets are only ever added:
/// where there are as many afterwards as before, none has moved meanwhile.
template <class Count, class At>
auto all_of(const Count& count, const At& at) {
  std::vector<decltype(at(0))> all;
  do {
    all.clear();
    for (std::size_t i = 0, end = count(); i < end; ++i) all.push_back(at(i));
  } while (all.size() != count());
  return all;
}
/// By rising id.
inline std::vector<Type> all_types() { return all_of(castforge::type_count, castforge::type_at); }

/// What calls ask of a type all the time.
struct StorageFacts {
  bool known = false;
  int bits = 0;  // of one element; 0 for strings
  castforge::Packing packing = castforge::Packing::low_first;
  /// Whether the width is none of 8, 16, 32, 64: numpy arrays hold each element in the low bits of a word, as
  /// ml_dtypes.
  bool in_words = false;
  int word_bytes = 0;  // of the smallest word that holds an element
};
/// Of a type that the library has.
const StorageFacts& storage_of(Type type);

/// The type that an object names; raises UnknownType.
Type type_of(nb::handle object);

/// Whether numpy, alone or with ml_dtypes, has elements of the type.
bool has_numpy_dtype(Type type);

/// The numpy dtype of a type; raises UnknownType where there is none, or where it takes the package ml_dtypes and that
/// is not installed.
nb::object numpy_dtype(Type type);

/// The object `pycastforge.Type` of a type; there is one of each.
nb::object type_object(Type type);

void bind_types(nb::module_& module);

}  // namespace pycastforge

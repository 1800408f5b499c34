// Types as Python code names them: castforge's names and aliases, dtypes of numpy, ml_dtypes, torch and jax, ONNX
// enumerators.
#pragma once

#include <castforge/type_info.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace pycastforge {

namespace nb = nanobind;
using castforge::Type;
using castforge::TypeInfo;

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

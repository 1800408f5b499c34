#include "arrays.hpp"
#include "errors.hpp"

#include <castforge/castforge.hpp>

#include <cstring>
#include <vector>

namespace pycastforge {
namespace {

nb::object unpack(const Packed& packed) {
  const nb::object dtype = numpy_dtype(packed.type);
  const nb::object object = nb::cast(packed);
  const Array source = array_of(object, "self");
  const nb::object result = nb::module_::import_("numpy").attr("empty")(packed.shape, dtype);
  const Array to = array_of(result, "the result");
  if (to.in_words) {
    spread_elements(source.data, to);
  } else if (to.bytes != 0) {
    std::memcpy(to.data, source.data, to.bytes);
  }
  return result;
}

nb::object from_unpacked(nb::handle x, nb::handle dtype, bool copy) {
  const Array source = array_of(x, "x", copy ? IfStrided::copy : IfStrided::refuse);
  const Type type = dtype.is_none() ? source.type : type_of(dtype);
  const StorageFacts& storage = storage_of(type);
  // Codes, one per word: of the type itself, or bytes that somebody calls codes of that type.
  const bool are_codes = source.in_words ? source.type == type
                                         : storage_of(source.type).bits == 8 * storage.word_bytes && !source.is_packed;
  if (!are_codes) {
    raise("UnknownType", "from_unpacked takes elements of " + std::string(castforge::name(type)) +
                             ", or its codes in the low bits of words of " + std::to_string(8 * storage.word_bytes) +
                             " bits; found " + std::string(castforge::name(source.type)) + ". cast() converts numbers");
  }
  const std::size_t bytes = dense_bytes(type, source.count);
  const nb::object data = nb::module_::import_("numpy").attr("empty")(bytes, "uint8");
  const Array to = array_of(data, "the result");
  Array codes = source;
  codes.type = type;
  codes.in_words = storage.in_words;
  std::unique_ptr<unsigned char[]> buffer;
  const void* const dense = dense_elements(codes, buffer);
  if (bytes != 0) std::memcpy(to.data, dense, bytes);
  return nb::cast(make_packed(data, shape_tuple(source.shape()), type));
}

std::int64_t extent_of(nb::handle given) {
  std::int64_t extent = 0;
  const auto whole = nb::steal(PyNumber_Index(given.ptr()));  // numpy's integers too, and no fractions or texts
  if (!whole.is_valid()) PyErr_Clear();
  if (!whole.is_valid() || !nb::try_cast(whole, extent))
    raise("BadArray", "shape: " + quoted(given) + " is no number of elements");
  return extent;
}

}  // namespace

Packed make_packed(nb::object data, nb::handle shape, Type type) {
  std::vector<std::int64_t> extents;
  if (PyIndex_Check(shape.ptr()) && !nb::hasattr(shape, "__iter__")) {
    extents.push_back(extent_of(shape));
  } else {
    for (const nb::handle extent : shape) extents.push_back(extent_of(extent));
  }
  if (extents.size() > kMostDimensions) {
    raise("BadArray", "expected at most " + std::to_string(kMostDimensions) + " dimensions, found " +
                          std::to_string(extents.size()));
  }
  if (storage_of(type).bits == 0) raise("UnknownType", "strings have no codes to pack");
  const Array bytes = array_of(data, "data");
  if (storage_of(bytes.type).bits != 8 || bytes.is_packed) {
    raise("BadArray",
          "data: expected an array of bytes (uint8), found elements of " + std::string(castforge::name(bytes.type)));
  }
  const std::size_t needed = dense_bytes(type, element_count(extents));
  if (bytes.count != needed) {
    raise("BadArray", "data: " + shape_text(extents) + " elements of " + std::string(castforge::name(type)) + " fill " +
                          std::to_string(needed) + " bytes, found " + std::to_string(bytes.count));
  }
  return {std::move(data), shape_tuple(extents), type};
}

void bind_packed(nb::module_& module) {
  nb::class_<Packed>(
      module, "Packed",
      R"(Elements of any type as kernels read them: those that are no words lie side by side, the first in the low bits.

`data` is an array of bytes (numpy, torch, jax), kept and not copied; `shape` counts elements; `dtype` is whatever
dtype() takes. Raises BadArray where the bytes are not as many as the elements need.

>>> import numpy as np, pycastforge as cf
>>> p = cf.Packed(np.array([0x21, 0x03], np.uint8), (3,), "int4")
>>> cf.cast(p, "float32")
array([1., 2., 3.], dtype=float32)
>>> p.unpack().astype(int)
array([1, 2, 3]))")
      .def(
          "__init__",
          [](Packed* self, nb::object data, nb::handle shape, nb::handle dtype) {
            new (self) Packed(make_packed(std::move(data), shape, type_of(dtype)));
          },
          nb::arg("data"), nb::arg("shape"), nb::arg("dtype"),
          nb::sig("def __init__(self, data: typing.Any, shape: int | collections.abc.Sequence[int], dtype: typing.Any) "
                  "-> None"))
      .def_prop_ro(
          "data", [](const Packed& p) { return p.data; }, nb::sig("def data(self) -> typing.Any"),
          "The bytes, in one dimension or as they were given.")
      .def_prop_ro(
          "shape", [](const Packed& p) { return p.shape; }, nb::sig("def shape(self) -> tuple[int, ...]"),
          "Extents in elements.")
      .def_prop_ro(
          "dtype", [](const Packed& p) { return type_object(p.type); }, nb::sig("def dtype(self) -> Type"),
          "The type of the elements.")
      .def_prop_ro(
          "size",
          [](const Packed& p) {
            std::int64_t size = 1;
            for (const nb::handle extent : p.shape) size *= nb::cast<std::int64_t>(extent);
            return size;
          },
          "Number of elements.")
      .def_prop_ro(
          "nbytes", [](const Packed& p) { return array_of(p.data, "data").bytes; }, "Bytes of the elements.")
      .def("unpack", unpack, nb::sig("def unpack(self) -> numpy.ndarray"),
           "A numpy array of the same shape, one element per word (types of ml_dtypes where numpy has none).")
      .def_static(
          "from_unpacked", from_unpacked, nb::arg("x"), nb::arg("dtype") = nb::none(), nb::kw_only(),
          nb::arg("copy") = false,
          nb::sig("def from_unpacked(x: typing.Any, dtype: typing.Any = None, *, copy: bool = False) -> Packed"),
          R"(Packs an array of ml_dtypes elements (int4, float4_e2m1fn, ...), or codes in the low bits of bytes
together with their type. Numbers are not converted: cast() does that.

>>> import numpy as np, pycastforge as cf
>>> cf.Packed.from_unpacked(np.array([1, 2, 3], np.uint8), "uint4").data
array([33,  3], dtype=uint8))")
      .def("__repr__",
           [](const Packed& p) {
             return "Packed(" + std::string(castforge::name(p.type)) + ", shape=" + nb::repr(p.shape).c_str() + ")";
           })
      .def("__reduce__", [](nb::handle self) {
        if (!nb::isinstance<Packed>(self)) raise_builtin(PyExc_TypeError, "expected a Packed, found " + quoted(self));
        const auto& p = *made_instance<Packed>(self);
        return nb::make_tuple(self.type(), nb::make_tuple(p.data, p.shape, type_object(p.type)));
      });
}

}  // namespace pycastforge

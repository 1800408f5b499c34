#include "arrays.hpp"

#include "errors.hpp"
#include "options.hpp"

#include "cli/formats/code_layout.hpp"

#include <nanobind/ndarray.h>
// Only what reads the fields of an array, which is the same for every numpy since 1.7.
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/ndarraytypes.h>

#include <limits>

namespace pycastforge {
namespace {

/// Objects that every call needs, made once.
struct Names {
  nb::object array = nb::module_::import_("numpy").attr("ndarray");
  nb::object generic = nb::module_::import_("numpy").attr("generic");
  nb::object as_array = nb::module_::import_("numpy").attr("asarray");
  nb::object empty = nb::module_::import_("numpy").attr("empty");
  nb::object byte = nb::module_::import_("numpy").attr("dtype")("uint8");
  Type byte_type = type_of(byte);
};
const Names& names() {
  static const Names* const all = new Names;
  return *all;
}

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

std::string strides_text(std::span<const std::int64_t> strides, std::size_t item) {
  std::string text = "(";
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(strides[i] * static_cast<std::int64_t>(item));
  }
  return text + (strides.size() == 1 ? ",)" : ")");
}

bool is_contiguous(const Array& array, const std::int64_t* strides, std::int64_t item) {
  if (array.count == 0) return true;
  std::int64_t expected = item;
  for (int i = array.rank; i-- > 0;) {
    const auto at = static_cast<std::size_t>(i);
    if (array.extents[at] != 1 && strides[i] != expected) return false;
    expected *= array.extents[at];
  }
  return true;
}

[[noreturn]] void refuse_strides(const Array& array, const std::int64_t* strides, std::int64_t item, const char* what) {
  std::array<std::int64_t, kMostDimensions> wanted;
  std::int64_t next = item;
  for (int i = array.rank; i-- > 0;) {
    wanted[static_cast<std::size_t>(i)] = next;
    next *= array.extents[static_cast<std::size_t>(i)];
  }
  const auto rank = static_cast<std::size_t>(array.rank);
  raise("BadArray", std::string(what) + " of shape " + shape_text(array.shape()) + " has strides " +
                        strides_text({strides, rank}, 1) + ", expected " + strides_text({wanted.data(), rank}, 1) +
                        " (contiguous, in C order)" +
                        (what == std::string_view("x") ? "; copy=True makes a copy" : ""));
}

/// The rest of what follows from type and shape.
void complete(Array& array) {
  array.count = element_count(array.shape());
  array.bytes = array.in_words ? array.count * static_cast<std::size_t>(storage_of(array.type).word_bytes)
                               : dense_bytes(array.type, array.count);
}

Array array_of_numpy(nb::handle object, const char* what, IfStrided if_strided) {
  auto* const numpy_array = reinterpret_cast<PyArrayObject*>(object.ptr());
  const nb::handle dtype(reinterpret_cast<PyObject*>(PyArray_DESCR(numpy_array)));
  Array array;
  array.type = type_of(dtype);
  const StorageFacts& storage = storage_of(array.type);
  array.in_words = storage.in_words;
  array.rank = PyArray_NDIM(numpy_array);
  for (int i = 0; i < array.rank; ++i) array.extents[static_cast<std::size_t>(i)] = PyArray_DIM(numpy_array, i);
  array.owner = nb::borrow(object);
  array.data = PyArray_DATA(numpy_array);
  array.writable = (PyArray_FLAGS(numpy_array) & NPY_ARRAY_WRITEABLE) != 0;
  complete(array);
  if ((PyArray_FLAGS(numpy_array) & NPY_ARRAY_C_CONTIGUOUS) == 0) {
    std::array<std::int64_t, kMostDimensions> strides;
    for (int i = 0; i < array.rank; ++i) strides[static_cast<std::size_t>(i)] = PyArray_STRIDE(numpy_array, i);
    const int item_bytes = storage.word_bytes;
    if (!is_contiguous(array, strides.data(), item_bytes)) {
      if (if_strided == IfStrided::refuse) refuse_strides(array, strides.data(), item_bytes, what);
      const nb::object copy = object.attr("copy")("C");
      return array_of_numpy(copy, what, IfStrided::refuse);
    }
  }
  return array;
}

Array array_of_packed(nb::handle object, const char* what) {
  const auto& packed = *made_instance<Packed>(object);
  Array array = array_of(packed.data, what);
  const std::size_t bytes = array.count;
  array.is_packed = true;
  array.type = packed.type;
  array.rank = static_cast<int>(packed.shape.size());
  for (int i = 0; i < array.rank; ++i) {
    array.extents[static_cast<std::size_t>(i)] = nb::cast<std::int64_t>(packed.shape[static_cast<std::size_t>(i)]);
  }
  if (!array.kept.is_valid()) array.kept = std::move(array.owner);  // what holds the memory: an export of the data
  array.owner = nb::borrow(object);
  complete(array);
  // Whoever has the bytes may have taken some away since.
  if (bytes != array.bytes) {
    raise("BadArray", std::string(what) + ": a Packed whose data had " + std::to_string(array.bytes) +
                          " bytes when it was made, and have " + std::to_string(bytes) + " now");
  }
  return array;
}

bool is_text(nb::handle object, const char* text) {
  return PyUnicode_Check(object.ptr()) && PyUnicode_CompareWithASCIIString(object.ptr(), text) == 0;
}

/// Whether an object's class, or one that it derives from, is of a package.
bool is_of(nb::handle object, std::string_view package) {
  for (const nb::handle base : nb::borrow<nb::tuple>(object.type().attr("__mro__"))) {
    const nb::object name = base.attr("__module__");
    const char* const text = PyUnicode_Check(name.ptr()) ? PyUnicode_AsUTF8(name.ptr()) : nullptr;
    if (text == nullptr) PyErr_Clear();  // no name of a package
    const std::string_view module = text == nullptr ? std::string_view() : text;
    if (module.starts_with(package) && (module.size() == package.size() || module[package.size()] == '.')) return true;
  }
  return false;
}

/// Whether an object's class is torch.Tensor or derives from it.
bool is_torch_tensor(nb::handle object) {
  for (const nb::handle base : nb::borrow<nb::tuple>(object.type().attr("__mro__"))) {
    if (is_text(base.attr("__module__"), "torch") && is_text(base.attr("__name__"), "Tensor")) return true;
  }
  return false;
}

/// From torch, jax and whoever else speaks DLPack.
Array array_of_dlpack(nb::handle object, const char* what, IfStrided if_strided) {
  nb::ndarray<nb::ro> view;
  bool writable = true;
  nb::ndarray<> writable_view;
  if (nb::try_cast(object, writable_view)) {
    view = nb::ndarray<nb::ro>(writable_view);
  } else {
    writable = false;
    if (!nb::try_cast(object, view)) {
      const nb::object families = nb::module_::import_("pycastforge._families");
      const nb::object other = families.attr("without_dlpack")(object, what);  // raises where there is nothing
      Array array = array_of(other, what, if_strided);
      array.family = Family::other;
      array.owner = nb::borrow(object);
      array.kept = other;
      array.writable = false;
      return array;
    }
  }
  if (view.device_type() != nb::device::cpu::value) {
    raise("BadArray", std::string(what) + " is not in the memory of the processor (DLPack device type " +
                          std::to_string(view.device_type()) + "); copy it there first");
  }
  const nb::dlpack::dtype dtype = view.dtype();
  const std::string dlpack_name = std::to_string(dtype.code) + "," + std::to_string(dtype.bits);
  const auto type = castforge::find_type_in("dlpack", dlpack_name);
  // Several lanes are elements that share a byte; vectors of whole words are no tensors of numbers.
  if (!type || (dtype.lanes != 1 && dtype.lanes * dtype.bits != 8)) {
    raise("UnknownType", std::string(what) + ": no type has the DLPack code " + std::to_string(dtype.code) + " with " +
                             std::to_string(dtype.bits) + " bits and " + std::to_string(dtype.lanes) + " lane" +
                             plural(dtype.lanes));
  }
  Array array;
  array.type = *type;
  array.rank = static_cast<int>(view.ndim());
  if (array.rank > kMostDimensions) {
    raise("BadArray", std::string(what) + " has " + std::to_string(array.rank) + " dimensions, expected at most " +
                          std::to_string(kMostDimensions));
  }
  std::array<std::int64_t, kMostDimensions> strides;
  for (int i = 0; i < array.rank; ++i) {
    const auto at = static_cast<std::size_t>(i);
    array.extents[at] = static_cast<std::int64_t>(view.shape(at));
    strides[at] = view.stride(at);
  }
  array.count = element_count(array.shape());
  array.family = is_torch_tensor(object) ? Family::torch : Family::other;
  const bool negated = array.family == Family::torch && nb::cast<bool>(object.attr("is_neg")());
  if (negated && if_strided == IfStrided::refuse) {
    const bool is_result = std::string_view(what) == "out";  // of which a copy would be written in vain
    raise("BadArray", std::string(what) + " has torch's negative bit set: its memory has the numbers with the other " +
                          "sign" + (is_result ? "" : "; pass x.resolve_neg()"));
  }
  if (negated || !is_contiguous(array, strides.data(), 1)) {
    if (if_strided == IfStrided::refuse) refuse_strides(array, strides.data(), 1, what);
    const nb::object copy = nb::module_::import_("pycastforge._families").attr("contiguous")(object, what);
    return array_of_dlpack(copy, what, IfStrided::refuse);
  }
  if (dtype.lanes > 1) {
    if (array.rank == 0) raise("BadArray", std::string(what) + ": elements that share a byte need a dimension");
    array.extents[static_cast<std::size_t>(array.rank - 1)] *= dtype.lanes;
  }
  if (array.family == Family::torch && nb::cast<bool>(object.attr("requires_grad"))) {
    raise("BadArray", std::string(what) + " requires grad, which casts do not have; pass x.detach()");
  }
  if (is_of(object, "jax") || is_of(object, "jaxlib")) writable = false;  // jax takes for granted that nobody does
  array.owner = nb::borrow(object);
  array.data = const_cast<void*>(view.data());
  array.writable = writable;
  array.kept = nb::cast(view, nb::rv_policy::reference);
  complete(array);
  return array;
}

NewArray new_numpy_array(std::span<const std::int64_t> shape, Type type, nb::handle dtype) {
  NewArray made;
  made.result = names().empty(shape_tuple(shape), dtype);
  // What it is like is known: numpy need not be asked.
  Array& array = made.array;
  array.type = type;
  array.in_words = storage_of(type).in_words;
  array.writable = true;
  array.data = PyArray_DATA(reinterpret_cast<PyArrayObject*>(made.result.ptr()));
  array.rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), array.extents.begin());
  complete(array);
  return made;
}

}  // namespace

std::string shape_text(std::span<const std::int64_t> shape) { return strides_text(shape, 1); }

nb::tuple shape_tuple(std::span<const std::int64_t> shape) {
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(shape[i]));
  }
  return nb::borrow<nb::tuple>(tuple);
}

std::size_t element_count(std::span<const std::int64_t> shape) {
  std::size_t count = 1;
  bool too_many = false, empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) raise("BadArray", "shape " + shape_text(shape) + " has a negative extent");
    empty |= extent == 0;
    too_many |= __builtin_mul_overflow(count, static_cast<std::size_t>(extent), &count);
  }
  if (empty) return 0;
  if (too_many || count > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max())) {
    raise("BadArray", "shape " + shape_text(shape) + " has more elements than an address can count");
  }
  return count;
}

std::size_t dense_bytes(Type type, std::size_t count) {
  const int bits = storage_of(type).bits;
  if (count > std::numeric_limits<std::size_t>::max() / 64) {
    const auto bytes = castforge::storage_bytes(type, count);
    if (!bytes) raise("BadArray", std::to_string(count) + " elements take more bytes than an address can count");
  }
  return castforge::bytes_of_elements(count, bits);
}

Array array_of(nb::handle object, const char* what, IfStrided if_strided) {
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()));
  if (type == names().array.ptr()) return array_of_numpy(object, what, if_strided);
  if (nb::isinstance<Packed>(object)) return array_of_packed(object, what);
  if (nb::isinstance(object, names().array)) {
    if (nb::hasattr(object, "mask"))
      raise("BadArray", std::string(what) + ": a masked array, whose mask would be lost; fill or compress it first");
    return array_of_numpy(object, what, if_strided);
  }
  if (nb::isinstance(object, names().generic)) {
    Array scalar = array_of_numpy(names().as_array(object), what, if_strided);
    scalar.writable = false;
    return scalar;
  }
  if (nb::hasattr(object, "__dlpack__")) return array_of_dlpack(object, what, if_strided);
  if (PyObject_CheckBuffer(object.ptr())) {
    const nb::object view = nb::steal(PyMemoryView_FromObject(object.ptr()));
    if (!view.is_valid()) throw nb::python_error();
    return array_of_numpy(names().as_array(view), what, if_strided);
  }
  raise("NotAnArray", std::string(what) +
                          ": expected an array of numpy, torch or jax, anything with DLPack, or a "
                          "pycastforge.Packed; found " +
                          class_of(object) +
                          (PySequence_Check(object.ptr()) || PyNumber_Check(object.ptr())
                               ? ". numpy.asarray(x, dtype) makes an array of numbers"
                               : ""));
}

Layout layout_of(nb::handle layout) {
  if (layout.is_none()) return Layout::natural;
  const std::string_view word = text_or_none(layout, "layout");
  if (word == "packed") return Layout::packed;
  if (word == "bytes") return Layout::bytes;
  raise_builtin(PyExc_ValueError, "layout: expected \"packed\", \"bytes\" or None, found " + quoted(layout));
}

NewArray new_array(const Array& like, std::span<const std::int64_t> shape, Type type, Layout layout) {
  if (layout == Layout::natural && like.family == Family::numpy &&
      (storage_of(type).in_words || !has_numpy_dtype(type))) {
    layout = Layout::packed;
  }
  if (like.family == Family::numpy && layout != Layout::packed) return new_numpy_array(shape, type, numpy_dtype(type));

  NewArray made;
  if (layout == Layout::packed) {
    const auto bytes = static_cast<std::int64_t>(dense_bytes(type, element_count(shape)));
    if (like.family == Family::numpy) {
      made = new_numpy_array({&bytes, 1}, names().byte_type, names().byte);
    } else {
      made.result = nb::module_::import_("pycastforge._families").attr("empty_bytes")(like.owner, bytes);
      made.array = array_of(made.result, "the result");
    }
    made.result = nb::cast(make_packed(made.result, shape_tuple(shape), type));
    made.array.is_packed = true;
    made.array.type = type;
    made.array.rank = static_cast<int>(shape.size());
    std::copy(shape.begin(), shape.end(), made.array.extents.begin());
    complete(made.array);
    return made;
  }
  const nb::object parts =
      nb::module_::import_("pycastforge._families").attr("empty")(like.owner, shape_tuple(shape), type_object(type));
  if (parts.is_none() && layout == Layout::natural) return new_array(like, shape, type, Layout::packed);
  if (parts.is_none()) {
    raise("UnknownType", "the array's family has no elements of " + std::string(castforge::name(type)) +
                             "; layout=\"packed\" gives a Packed");
  }
  made.result = parts[0];
  made.finish = parts[1];
  if (made.finish.is_none()) made.finish.reset();
  made.array = array_of(made.result, "the result");
  return made;
}

const void* dense_elements(const Array& array, std::unique_ptr<unsigned char[]>& buffer) {
  if (!array.in_words) return array.data;
  const StorageFacts& storage = storage_of(array.type);
  buffer = std::make_unique_for_overwrite<unsigned char[]>(dense_bytes(array.type, array.count));
  castforge::cli::pack_codes(array.data, buffer.get(), array.count, storage.bits, storage.packing);
  return buffer.get();
}

void spread_elements(const void* dense, const Array& array) {
  const StorageFacts& storage = storage_of(array.type);
  castforge::cli::unpack_codes(dense, array.data, array.count, storage.bits, storage.packing);
}

}  // namespace pycastforge

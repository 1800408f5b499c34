#include "sequences.hpp"

#include "arrays.hpp"
#include "errors.hpp"
#include "options.hpp"

#include "cli/commands/literal.hpp"

#include <castforge/castforge.hpp>

#include <cstring>
#include <optional>
#include <vector>

namespace pycastforge {
namespace {

/// A number of Python as an element of a type that it must have, rounded once.
castforge::Scalar number_of(nb::handle number, const char* what, Type type) {
  // Every digit: a float64 has up to 767. What an integer type refuses is shown as it was given.
  const bool rounds =
      PyFloat_CheckExact(number.ptr()) && castforge::type_info(type).kind == castforge::TypeKind::floating;
  try {
    const nb::object text = rounds ? nb::str("{:.766e}").attr("format")(number) : nb::object(nb::repr(number));
    return castforge::cli::literal(nb::cast<std::string>(text), type, what);
  } catch (const nb::python_error&) {  // Python writes no integers of many digits
    raise("BadRange", std::string(what) + ": expected a number of " + std::string(castforge::name(type)) + ", found " +
                          quoted(number));
  } catch (const castforge::cli::Failure& failure) {
    raise("BadRange", failure.what());
  }
}

/// A number of Python: `demanded`, without it int64 (uint64 where it must be) or float64; else an array without
/// dimensions, of its own type.
castforge::Scalar scalar_of(nb::handle object, const char* what, std::optional<Type> demanded,
                            std::optional<Array>& like) {
  if (PyBool_Check(object.ptr())) raise("BadRange", std::string(what) + ": expected a number, found " + quoted(object));
  if (demanded && (PyFloat_CheckExact(object.ptr()) || PyLong_CheckExact(object.ptr()))) {
    return number_of(object, what, *demanded);
  }
  if (PyFloat_CheckExact(object.ptr())) return PyFloat_AsDouble(object.ptr());
  if (PyLong_CheckExact(object.ptr())) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow == 0) return static_cast<std::int64_t>(number);
    const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object.ptr()) : 0;
    if (overflow < 0 || PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      raise("BadRange", std::string(what) + ": expected a number from -2^63 to 2^64 - 1, found " + quoted(object));
    }
    return static_cast<std::uint64_t>(large);
  }
  const Array array = array_of(object, what);
  if (array.rank != 0) {
    raise("BadRange",
          std::string(what) + ": expected one number, found an array of shape " + shape_text(array.shape()));
  }
  if (!like) like = array;
  const StorageFacts& storage = storage_of(array.type);
  const int bits = array.in_words ? 8 * storage.word_bytes : storage.bits;
  return {array.type,
          castforge::load_element(array.data, 0, bits, storage.packing) & castforge::low_bits(storage.bits)};
}

nb::object arange(nb::handle start, nb::handle stop, nb::handle step, nb::handle to, nb::handle opset,
                  nb::handle layout, const nb::kwargs& keywords) {
  const KeywordAttributes attributes(keywords);
  castforge::OpSet found;
  const std::string_view name = opset_name(opset);
  if (name.empty()) {
    found = castforge::default_opset("range").value_or(found);
  } else {
    check(castforge::find_opset(name, found));
  }
  const Type type = type_of(to);
  std::optional<Type> demanded;
  if (found.option("operand_types") == "same" && found.admits(type, type)) demanded = type;
  std::optional<Array> like;
  const castforge::Scalar first = scalar_of(start, "start", demanded, like);
  const castforge::Scalar end = scalar_of(stop, "stop", demanded, like);
  const castforge::Scalar by = scalar_of(step, "step", demanded, like);
  const castforge::Range range = castforge::find_range(found, first, end, by, type, attributes);
  check(range.status());
  if (!like) like.emplace();
  const auto count = static_cast<std::int64_t>(range.count());
  const NewArray made = new_array(*like, {&count, 1}, range.type(), layout_of(layout));
  const Array& array = made.array;
  castforge::Status status;
  if (array.in_words) {
    const auto dense = std::make_unique_for_overwrite<unsigned char[]>(dense_bytes(range.type(), array.count));
    status = range.fill(0, dense.get(), array.count);
    if (status.ok()) spread_elements(dense.get(), array);
  } else {
    const GilRelease release(array.count);
    status = range.fill(0, array.data, array.count);
  }
  check(status);
  return made.finish.is_valid() ? made.finish(made.result) : made.result;
}

nb::object format_text(nb::handle x, nb::handle opset, nb::handle copy, const nb::kwargs& keywords) {
  const KeywordAttributes attributes(keywords);
  const Array array = array_of(x, "x", bool_of(copy, "copy") ? IfStrided::copy : IfStrided::refuse);
  nb::list texts;
  std::unique_ptr<unsigned char[]> buffer;
  const void* const dense = dense_elements(array, buffer);
  const auto take = [&texts](std::size_t, std::string_view one) { texts.append(text(one)); };
  check(castforge::format_text(opset_name(opset), array.type, dense, array.count, attributes, take));
  return nb::module_::import_("numpy").attr("array")(texts, "str").attr("reshape")(shape_tuple(array.shape()));
}

nb::object parse_text(nb::handle strings, nb::handle to, nb::handle opset, nb::handle layout,
                      const nb::kwargs& keywords) {
  const KeywordAttributes attributes(keywords);
  const nb::module_ numpy = nb::module_::import_("numpy");
  // As objects, but for what is an array: arrays of texts end each at its last character that is not zero.
  const bool is_array = nb::isinstance(strings, numpy.attr("ndarray"));
  nb::object given = is_array ? nb::borrow(strings) : numpy.attr("asarray")(strings, nb::arg("dtype") = "O");
  const auto kind = nb::cast<std::string>(given.attr("dtype").attr("kind"));
  const bool is_empty = nb::cast<std::size_t>(given.attr("size")) == 0;
  if (!is_empty && kind != "U" && kind != "S" && kind != "T" && kind != "O") {
    raise("NotAnArray", "strings: expected texts, found " + quoted(nb::object(given.attr("dtype"))));
  }
  const nb::object list = given.attr("ravel")().attr("tolist")();
  std::vector<std::string_view> texts;
  texts.reserve(nb::len(list));
  for (const nb::handle item : list) {
    if (PyBytes_Check(item.ptr())) {
      const auto bytes = nb::borrow<nb::bytes>(item);
      texts.emplace_back(bytes.c_str(), bytes.size());
      continue;
    }
    if (!PyUnicode_Check(item.ptr())) raise("NotAnArray", "strings: expected a str, found " + quoted(item));
    texts.push_back(text_or_none(item, "strings"));  // lives as long as the list
  }
  std::vector<std::int64_t> shape;
  for (const nb::handle extent : given.attr("shape")) shape.push_back(nb::cast<std::int64_t>(extent));
  const Type type = type_of(to);
  const std::string_view rules = opset_name(opset);
  if (storage_of(type).bits == 0) raise("UnknownType", "to: expected a type of numbers, found strings");
  const NewArray made = new_array(Array(), shape, type, layout_of(layout));
  const auto dense = std::make_unique_for_overwrite<unsigned char[]>(dense_bytes(type, texts.size()));
  check(castforge::parse_text(rules, type, texts, dense.get(), attributes));
  if (made.array.in_words) {
    spread_elements(dense.get(), made.array);
  } else if (made.array.bytes != 0) {
    std::memcpy(made.array.data, dense.get(), made.array.bytes);
  }
  return made.result;
}

}  // namespace

void bind_sequences(nb::module_& module) {
  module.def(
      "arange", arange, nb::arg("start").none(), nb::arg("stop").none(), nb::arg("step").none(), nb::kw_only(),
      nb::arg("to").none(), nb::arg("opset") = nb::none(), nb::arg("layout") = nb::none(), nb::arg("attributes"),
      nb::sig("def arange(start: typing.Any, stop: typing.Any, step: typing.Any, *, to: typing.Any, "
              "opset: str | OpSet | None = None, layout: typing.Literal['packed', 'bytes'] | None = None, "
              "**attributes: str | int) -> typing.Any"),
      R"(The sequence start, start + step, ... before stop, in one dimension, by the rules of a range op-set (without
one, OpenVINO Range-4). Scalars and arrays without dimensions are of their own type. Numbers of Python have none: they
are of type `to` where the op-set wants all to be of one type, as ONNX does; else int64 or float64. Raises BadRange, and
what cast() raises.

>>> import pycastforge as cf
>>> cf.arange(0, 1, 0.25, to="float16")
array([0.  , 0.25, 0.5 , 0.75], dtype=float16)
>>> cf.arange(0, 10, 3, to="int32", opset="onnx-range")
array([0, 3, 6, 9], dtype=int32)
>>> cf.arange(0, 1, 0, to="float16")
Traceback (most recent call last):
...
pycastforge.BadRange: openvino-range@4: the step is 0; it must be positive or negative)");

  module.def("format_text", format_text, nb::arg("x").none(), nb::kw_only(), nb::arg("opset") = nb::none(),
             nb::arg("copy").none() = false, nb::arg("attributes"),
             nb::sig("def format_text(x: typing.Any, *, opset: str | OpSet | None = None, copy: bool = False, "
                     "**attributes: str | int) -> numpy.ndarray"),
             R"(Numbers as texts, by the rules of an op-set: an array of numpy strings of x's shape.

>>> import numpy as np, pycastforge as cf
>>> cf.format_text(np.array([1.0, np.inf, 0.1], np.float32))
array(['1', 'INF', '0.1'], dtype='<U3'))");

  module.def("parse_text", parse_text, nb::arg("strings").none(), nb::arg("to").none(), nb::kw_only(),
             nb::arg("opset") = nb::none(), nb::arg("layout") = nb::none(), nb::arg("attributes"),
             nb::sig("def parse_text(strings: typing.Any, to: typing.Any, *, opset: str | OpSet | None = None, "
                     "layout: typing.Literal['packed', 'bytes'] | None = None, **attributes: str | int) -> typing.Any"),
             R"(Texts as numbers, by the rules of an op-set: an array of their shape. Texts are a str or
bytes, a list of them, or an array. Raises BadNumber, whose `index` says which one.

>>> import pycastforge as cf
>>> cf.parse_text(["1e-3", "-INF"], "float16")
array([0.001,  -inf], dtype=float16)
>>> cf.parse_text(["1", "one"], "int32")
Traceback (most recent call last):
...
pycastforge.BadNumber: element 1 is not a number: "one")");
}

}  // namespace pycastforge

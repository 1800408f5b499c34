#include "errors.hpp"

#include <array>
#include <utility>

namespace pycastforge {
namespace {

[[noreturn]] void raise_object(nb::handle error) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

/// A message of the program or the library, with this package's words for what the program lists and is told.
std::string in_python(std::string message) {
  using Words = std::pair<std::string_view, std::string_view>;
  constexpr std::array kWords = {Words("`castforge list types`", "pycastforge.dtypes()"),
                                 Words("`castforge-gen list types`", "pycastforge.dtypes()"),
                                 Words("`castforge list opsets`", "pycastforge.opsets()"),
                                 Words("`castforge-gen list opsets`", "pycastforge.opsets()")};
  for (const auto& [there, here] : kWords) {
    if (const auto at = message.rfind(there); at != std::string::npos) message.replace(at, there.size(), here);
  }
  if (message.starts_with("--")) message.erase(0, 2);  // an option is an argument
  return message;
}

}  // namespace

nb::str text_with_paths(std::string_view text) {
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

void raise(const char* error, const std::string& message) {
  raise_object(nb::module_::import_("pycastforge._errors").attr(error)(text_with_paths(message)));
}

void raise(const castforge::Status& status, std::string_view where) {
  std::string message(where);
  if (!message.empty()) message += ": ";
  message += in_python(status.message());
  const nb::object index = status.is_element_error() ? nb::object(nb::int_(status.index())) : nb::none();
  raise_object(nb::module_::import_("pycastforge._errors")
                   .attr("of_status")(name(status.code()), text_with_paths(message), index));
}

void raise_builtin(PyObject* error, const std::string& message) {
  PyErr_SetObject(error, text_with_paths(message).ptr());
  throw nb::python_error();
}

void raise(const castforge::cli::Failure& failure) {
  const std::string message = in_python(failure.what());
  if (failure.code() != castforge::cli::ExitCode::input_output) raise("BadFile", message);
  if (failure.error_number() == 0) raise_builtin(PyExc_OSError, message);
  raise_object(nb::handle(PyExc_OSError)(failure.error_number(), text_with_paths(message)));
}

void check_file_name(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) raise_builtin(PyExc_ValueError, "a zero byte in a file name");
}

std::string quoted(nb::handle object) {
  std::string text;
  try {
    const nb::str repr = nb::repr(object);
    Py_ssize_t size = 0;
    if (const char* const utf8 = PyUnicode_AsUTF8AndSize(repr.ptr(), &size)) text.assign(utf8, size);
    else throw nb::python_error();
  } catch (const nb::python_error& error) {  // Python writes no integers of many digits, and a class may say anything
    if (!error.matches(PyExc_Exception)) throw;
    return nb::isinstance<nb::int_>(object) ? "an int of many digits" : "an object of " + class_of(object);
  }
  constexpr std::size_t kLongest = 80;
  if (text.size() > kLongest) {
    std::size_t end = kLongest - 3;
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // within a character
    text = text.substr(0, end) + "...";
  }
  return text;
}

std::string class_of(nb::handle object) {
  const nb::handle type = object.type();
  const std::string module = nb::cast<std::string>(type.attr("__module__"));
  const std::string name = nb::cast<std::string>(type.attr("__qualname__"));
  return module == "builtins" ? name : module + "." + name;
}

}  // namespace pycastforge

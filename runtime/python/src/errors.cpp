#include "errors.hpp"

namespace pycastforge {
namespace {

[[noreturn]] void raise_object(nb::handle error) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

}  // namespace

void raise(const char* error, const std::string& message) {
  raise_object(nb::module_::import_("pycastforge._errors").attr(error)(message));
}

void raise(const castforge::Status& status, std::string_view where) {
  std::string message(where);
  if (!message.empty()) message += ": ";
  message += status.message();
  const nb::object index = status.is_element_error() ? nb::object(nb::int_(status.index())) : nb::none();
  raise_object(nb::module_::import_("pycastforge._errors").attr("of_status")(name(status.code()), message, index));
}

void raise_builtin(PyObject* error, const std::string& message) {
  PyErr_SetString(error, message.c_str());
  throw nb::python_error();
}

void raise(const castforge::cli::Failure& failure) {
  if (failure.code() != castforge::cli::ExitCode::input_output) raise("BadFile", failure.what());
  if (failure.error_number() == 0) raise_builtin(PyExc_OSError, failure.what());
  raise_object(nb::handle(PyExc_OSError)(failure.error_number(), failure.what()));
}

void check_file_name(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) raise_builtin(PyExc_ValueError, "a zero byte in a file name");
}

std::string quoted(nb::handle object) {
  std::string text = nb::repr(object).c_str();
  constexpr std::size_t kLongest = 80;
  if (text.size() > kLongest) text = text.substr(0, kLongest - 3) + "...";
  return text;
}

std::string class_of(nb::handle object) {
  const nb::handle type = object.type();
  const std::string module = nb::cast<std::string>(type.attr("__module__"));
  const std::string name = nb::cast<std::string>(type.attr("__qualname__"));
  return module == "builtins" ? name : module + "." + name;
}

}  // namespace pycastforge

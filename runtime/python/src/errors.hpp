// Exceptions of the package: subclasses of TypeError and ValueError, which pycastforge/_errors.py lists.
#pragma once

#include "cli/io/failure.hpp"

#include <castforge/status.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <string_view>

namespace pycastforge {

namespace nb = nanobind;

/// Raises the class of that name ("BadArray").
[[noreturn]] void raise(const char* error, const std::string& message);

/// Raises what the status says, as the class for its code; `where` begins the message where it is not empty.
[[noreturn]] void raise(const castforge::Status& status, std::string_view where = {});

/// Raises an exception of Python's own: PyExc_ValueError, ...
[[noreturn]] void raise_builtin(PyObject* error, const std::string& message);

/// Raises what reading or writing a file failed with: OSError, with errno where the system gave one, so that it is
/// FileNotFoundError and so on as it is in Python; BadFile for what the file says.
[[noreturn]] void raise(const castforge::cli::Failure& failure);

/// Raises ValueError, as Python's open() does, for what no file can be called.
void check_file_name(std::string_view name);

inline void check(const castforge::Status& status) {
  if (!status.ok()) raise(status);
}

/// "'float8'": what a caller gave, as Python writes it, shortened where it is long.
std::string quoted(nb::handle object);

/// A text in which paths may stand; what is no UTF-8 in these becomes what os.fsdecode() makes of it.
nb::str text_with_paths(std::string_view text);

inline nb::str text(std::string_view text) { return nb::str(text.data(), text.size()); }

/// "list", "numpy.ndarray": where the class of an object comes from, and its name.
std::string class_of(nb::handle object);

/// The C++ object of an instance of its class. Raises TypeError where a subclass has not called super().__init__().
template <class T>
T* made_instance(nb::handle object) {
  if (!nb::inst_ready(object)) raise_builtin(PyExc_TypeError, class_of(object) + ": super().__init__() was not called");
  return nb::inst_ptr<T>(object);
}

}  // namespace pycastforge

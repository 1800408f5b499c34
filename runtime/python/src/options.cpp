#include "options.hpp"

#include "errors.hpp"

#include "cli/io/more_threads.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace pycastforge {
namespace {

void run_tasks(void* context, std::size_t tasks, castforge::ParallelFor::Task task, void* data) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks; i = next++) task(data, i);
  };
  const std::size_t threads = std::min<std::size_t>(*static_cast<const unsigned*>(context), tasks);
  std::vector<std::jthread> others;
  castforge::cli::start_more(others, threads, work);
  work();
}

}  // namespace

std::string_view text_of(nb::handle object, const char* what) {
  if (!PyUnicode_Check(object.ptr()))
    raise_builtin(PyExc_TypeError, std::string(what) + ": expected a str, found " + quoted(object));
  return text_or_none(object, what);
}

std::string_view text_or_none(nb::handle object, const char* what) {
  if (object.is_none()) return {};
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_Check(object.ptr()) ? PyUnicode_AsUTF8AndSize(object.ptr(), &size) : nullptr;
  if (text == nullptr) {
    PyErr_Clear();
    if (PyUnicode_Check(object.ptr()))  // half of a surrogate pair
      raise_builtin(PyExc_ValueError, std::string(what) + ": " + quoted(object) + " cannot be written as UTF-8");
    raise_builtin(PyExc_TypeError, std::string(what) + ": expected a str or None, found " + quoted(object));
  }
  return {text, static_cast<std::size_t>(size)};
}

std::string_view opset_name(nb::handle object) {
  if (object.is_none() || PyUnicode_Check(object.ptr())) return text_or_none(object, "opset");
  if (nb::isinstance<castforge::OpSet>(object)) return made_instance<castforge::OpSet>(object)->name();
  raise_builtin(PyExc_TypeError, "opset: expected a str, a pycastforge.OpSet or None, found " + quoted(object));
}

bool bool_of(nb::handle object, const char* what) {
  if (!PyBool_Check(object.ptr())) {
    raise_builtin(PyExc_TypeError, std::string(what) + ": expected True or False, found " + quoted(object));
  }
  return object.ptr() == Py_True;
}

KeywordAttributes::KeywordAttributes(const nb::kwargs& keywords) {
  for (const auto& [name, value] : keywords) add(name, value);
}

void KeywordAttributes::add(nb::handle key, nb::handle value) {
  const std::string_view name = text_or_none(key, "attribute");
  if (PyUnicode_Check(value.ptr())) {
    list_.push_back({name, text_or_none(value, "attribute")});
    return;
  }
  // NumPy's bool is no index, by whichever of its names.
  const std::string_view type = Py_TYPE(value.ptr())->tp_name;
  const bool is_numpy_bool = type == "numpy.bool" || type == "numpy.bool_";
  const nb::object number = nb::steal(is_numpy_bool ? PyBool_FromLong(PyObject_IsTrue(value.ptr()) == 1 ? 1 : 0)
                                                    : PyNumber_Index(value.ptr()));
  int overflow = 0;
  const long long whole = number.is_valid() ? PyLong_AsLongLongAndOverflow(number.ptr(), &overflow) : -1;
  if (!number.is_valid() || overflow != 0) {
    PyErr_Clear();
    raise("BadAttribute", std::string(name) + ": expected a str, a bool or an int of 64 bits, found " + quoted(value));
  }
  list_.push_back({name, static_cast<std::int64_t>(whole)});
}

Threads::Threads(int threads) : threads_(static_cast<unsigned>(threads)) {
  constexpr int kMost = 1024;
  if (threads < 1 || threads > kMost) {
    raise_builtin(PyExc_ValueError, "threads: expected a number from 1 to " + std::to_string(kMost) + ", found " +
                                        std::to_string(threads));
  }
}

castforge::ParallelFor Threads::hook() const {
  if (threads_ == 1) return {};
  return {run_tasks, const_cast<unsigned*>(&threads_)};
}

}  // namespace pycastforge

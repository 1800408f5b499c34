// What calls have in common beside arrays: op-set, attributes, threads.
#pragma once

#include <castforge/castforge.hpp>

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pycastforge {

namespace nb = nanobind;

/// The text of a Python string or, for None, none. The view lives as long as the object.
std::string_view text_or_none(nb::handle object, const char* what);

/// The same for an op-set, which may also be an OpSet.
std::string_view opset_name(nb::handle object);

/// The same for what has to be a str.
std::string_view text_of(nb::handle object, const char* what);

/// What has to be True or False.
bool bool_of(nb::handle object, const char* what);

/// Keyword arguments as attributes of an op-set. Keys and values must outlive it. Raises BadAttribute for values that
/// are neither numbers nor words.
class KeywordAttributes {
 public:
  KeywordAttributes() = default;
  explicit KeywordAttributes(const nb::kwargs& keywords);
  void add(nb::handle key, nb::handle value);
  bool empty() const { return list_.empty(); }
  operator castforge::Attributes() const { return {.others = list_}; }

 private:
  std::vector<castforge::Attribute> list_;
};

/// Threads for one call: started for it, and gone when it returns.
class Threads {
 public:
  /// Raises ValueError below 1 and above 1024.
  explicit Threads(int threads);
  /// What the library calls; empty for one thread.
  castforge::ParallelFor hook() const;

 private:
  unsigned threads_;
};

/// Lets other Python threads run while there is much to do.
class GilRelease {
 public:
  static constexpr std::size_t kWorthIt = 16384;  // some microseconds of work
  explicit GilRelease(std::size_t elements) {
    if (elements >= kWorthIt) state_ = PyEval_SaveThread();
  }
  ~GilRelease() {
    if (state_ != nullptr) PyEval_RestoreThread(state_);
  }
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* state_ = nullptr;
};

}  // namespace pycastforge

#include <castforge/hdf5_module.h>

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "library.hpp"

namespace castforge {
namespace {

std::mutex attach_mutex;
Hdf5Library library;  // written once, before `attached` says so
std::atomic<const Hdf5Library*> attached = nullptr;

struct CloseObject {
  void operator()(void* object) const { dlclose(object); }
};
using Object = std::unique_ptr<void, CloseObject>;

/// An object that the process has loaded; null where it has not. A null path is the program.
Object loaded_object(const char* path) { return Object(dlopen(path, RTLD_LAZY | RTLD_NOLOAD)); }

/// Where an object's H5Tregister, or that of a library it needs, was loaded from; empty where it has none.
std::string file_of_hdf5(void* object) {
  void* const function = dlsym(object, "H5Tregister");
  Dl_info info;
  return function != nullptr && dladdr(function, &info) != 0 ? info.dli_fname : "";
}

/// One path of an object for each HDF5 library in the process.
std::vector<std::string> loaded_libraries() {
  // Objects are opened afterwards: the list is locked while it is walked.
  std::vector<std::string> objects;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        static_cast<std::vector<std::string>*>(data)->emplace_back(info->dlpi_name);
        return 0;
      },
      &objects);
  std::vector<std::string> found;
  for (const std::string& path : objects) {
    const Object object = loaded_object(path.empty() ? nullptr : path.c_str());
    const std::string file = object ? file_of_hdf5(object.get()) : "";
    if (!file.empty() && std::find(found.begin(), found.end(), file) == found.end()) found.push_back(file);
  }
  return found;
}

/// An empty message: done.
std::string attach(const char* path) {
  std::string name = path == nullptr ? "" : path;
  if (path == nullptr) {
    const std::vector<std::string> found = loaded_libraries();
    if (found.empty()) return "no HDF5 library is loaded in this process: load it first (Python: import h5py)";
    if (found.size() > 1) {
      std::string message = "several HDF5 libraries are loaded in this process, give the path of one:";
      for (const std::string& file : found) message += ' ' + file;
      return message;
    }
    name = found.front();
  }
  if (name.empty()) return "expected the path of a loaded HDF5 library, found \"\"";
  Object object = loaded_object(name.c_str());
  // A program that holds HDF5 itself is known by its path, but not to dlopen.
  if (!object && path == nullptr) object = loaded_object(nullptr);
  if (!object) return name + ": not loaded in this process: load it first (Python: import h5py)";

  Hdf5Library next;
#define CASTFORGE_HDF5_FIND(symbol)                                                    \
  next.symbol = reinterpret_cast<decltype(next.symbol)>(dlsym(object.get(), #symbol)); \
  if (next.symbol == nullptr) return name + ": has no " #symbol ", so it is no HDF5 library";
  CASTFORGE_HDF5_SYMBOLS(CASTFORGE_HDF5_FIND)
#undef CASTFORGE_HDF5_FIND
  if (attached.load() != nullptr) {
    if (next.H5Tregister == library.H5Tregister) return "";
    return name + ": this module is attached to another HDF5 library; load a copy of the module for each";
  }
  unsigned major, minor, release;
  if (next.H5open() < 0 || next.H5get_libversion(&major, &minor, &release) < 0) return name + ": HDF5 does not start";
  // hid_t had 32 bits before.
  if (major < 1 || (major == 1 && minor < 10))
    return name + ": HDF5 " + std::to_string(major) + '.' + std::to_string(minor) + ", 1.10 or later is needed";
  library = next;
  attached = &library;
  static_cast<void>(object.release());  // HDF5 stays as long as it may be called
  return "";
}

}  // namespace

const Hdf5Library* hdf5_library() { return attached; }

}  // namespace castforge

extern "C" herr_t castforge_hdf5_attach(const char* path, char* message, size_t message_size) {
  const std::lock_guard lock(castforge::attach_mutex);
  const std::string error = castforge::attach(path);
  if (message != nullptr && message_size != 0) message[error.copy(message, message_size - 1)] = '\0';
  return error.empty() ? 0 : -1;
}

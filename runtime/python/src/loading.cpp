#include "loading.hpp"

#include "errors.hpp"
#include "types.hpp"

#include "cli/io/failure.hpp"
#include "cli/selection/load_formats.hpp"

#include <castforge/castforge.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace pycastforge {
namespace {

/// Does the work and gives the types that came with it: callers see to it that nobody loads at the same time. Making
/// tables takes a while, in which other threads may run.
template <class Work>
nb::list types_added_by(const Work& work) {
  std::vector<Type> added;
  std::optional<castforge::cli::Failure> complaint;
  {
    const nb::gil_scoped_release release;
    const std::vector<Type> before = all_types();
    try {
      work();
    } catch (const castforge::cli::Failure& failure) {
      complaint = failure;
    }
    for (const Type type : all_types()) {
      if (!std::binary_search(before.begin(), before.end(), type)) added.push_back(type);
    }
  }
  if (complaint) raise(*complaint);
  nb::list objects;
  for (const Type type : added) objects.append(type_object(type));
  return objects;
}

nb::list load(const nb::bytes& name, const std::string& specs) {
  const std::string path(name.c_str(), name.size());
  check_file_name(path);
  return types_added_by([&] { castforge::cli::load_formats(path, specs); });
}

nb::list load_text(const std::string& called, const std::string& text, const std::string& specs) {
  return types_added_by([&] { castforge::cli::load_spec_text(called, text, specs); });
}

/// The largest number that no type has: files are given theirs from the low end.
int free_id() {
  constexpr int kLargest = 32767;  // specs/FIELDS.md
  const std::vector<Type> all = all_types();
  int id = kLargest;
  while (std::binary_search(all.begin(), all.end(), static_cast<Type>(id))) --id;
  return id;
}

}  // namespace

void bind_loading(nb::module_& module) {
  module.def("_load", load, nb::arg("path"), nb::arg("specs"));
  module.def("_load_text", load_text, nb::arg("called"), nb::arg("text"), nb::arg("specs"));
  module.def("_free_id", free_id);
}

}  // namespace pycastforge

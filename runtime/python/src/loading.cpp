#include "loading.hpp"

#include "errors.hpp"
#include "types.hpp"

#include "cli/io/failure.hpp"
#include "cli/selection/load_formats.hpp"

#include <castforge/castforge.hpp>

#include <cstring>
#include <optional>
#include <set>

namespace pycastforge {
namespace {

/// Loads a file and gives the types that came with it. Making tables takes a while, in which other threads may run.
nb::list load(const nb::bytes& name, const std::string& specs) {
  const std::string path(name.c_str(), name.size());
  check_file_name(path);
  std::set<Type> before;
  for (std::size_t i = 0; i < castforge::type_count(); ++i) before.insert(castforge::type_at(i));
  std::optional<castforge::cli::Failure> complaint;
  {
    const nb::gil_scoped_release release;
    try {
      castforge::cli::load_formats(path, specs);
    } catch (const castforge::cli::Failure& failure) {
      complaint = failure;
    }
  }
  if (complaint) raise(*complaint);
  nb::list added;
  for (std::size_t i = 0; i < castforge::type_count(); ++i) {
    if (!before.contains(castforge::type_at(i))) added.append(type_object(castforge::type_at(i)));
  }
  return added;
}

}  // namespace

void bind_loading(nb::module_& module) { module.def("_load", load, nb::arg("path"), nb::arg("specs")); }

}  // namespace pycastforge

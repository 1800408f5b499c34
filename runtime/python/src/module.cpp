// The extension module; pycastforge/__init__.py says what of it is public.
#include "arrays.hpp"
#include "casting.hpp"
#include "files.hpp"
#include "library.hpp"
#include "loading.hpp"
#include "sequences.hpp"
#include "statistics.hpp"
#include "types.hpp"

NB_MODULE(_core, module) {
  // What is made once for the whole process is still there when it ends.
  nanobind::set_leak_warnings(false);
  pycastforge::bind_types(module);
  pycastforge::bind_packed(module);
  pycastforge::bind_casting(module);
  pycastforge::bind_library(module);
  pycastforge::bind_loading(module);
  pycastforge::bind_sequences(module);
  pycastforge::bind_statistics(module);
  pycastforge::bind_files(module);
}

// Part of every program that castforge_add_kernels gives kernels to: adds them before the program's own code runs. A
// program that cannot have its kernels ends here, as one does whose shared library is missing.
#include <castforge/added_kernels.hpp>
#include <cstdio>
#include <cstdlib>

namespace castforge::tables::CASTFORGE_MODULE {
extern const Module kModule;
}

namespace {

[[gnu::constructor(1000)]] void add() {
  using namespace castforge;
  const Status status = add_kernels(&tables::CASTFORGE_MODULE::kModule);
  if (status) return;
  char message[512];
  status.write_message(message, sizeof message);
  std::fprintf(stderr, "castforge: %s\n", message);
  std::abort();
}

}  // namespace

#include "cli/io/interrupt.hpp"

#include <csignal>
#include <cstring>
#include <initializer_list>

#include <unistd.h>

namespace castforge::cli {
namespace {

// A signal handler may touch nothing that allocates or locks.
char path_to_remove[4096];
volatile std::sig_atomic_t armed = 0;

extern "C" void remove_and_die(int signal_number) {
  if (armed != 0) ::unlink(path_to_remove);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void install_handlers() {
  static bool installed = false;
  if (installed) return;
  installed = true;
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    // A signal that the parent told us to ignore (nohup) stays ignored.
    if (std::signal(signal_number, remove_and_die) == SIG_IGN) std::signal(signal_number, SIG_IGN);
  }
}

}  // namespace

void remove_when_interrupted(const std::string& path) {
  armed = 0;
  if (path.size() >= sizeof path_to_remove) return;
  std::memcpy(path_to_remove, path.c_str(), path.size() + 1);
  armed = 1;
  install_handlers();
}

void nothing_to_remove() { armed = 0; }

}  // namespace castforge::cli

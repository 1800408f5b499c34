#include "cli/io/interrupt.hpp"

#include <cstring>

#include <pthread.h>
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
  for (const int signal_number : kEndingSignals) {
    // A signal that the parent told us to ignore (nohup) stays ignored, and one that the program around us handles
    // itself (Python and SIGINT) is left to it.
    struct sigaction current {};
    if (::sigaction(signal_number, nullptr, &current) == 0 && current.sa_handler != SIG_DFL) continue;
    std::signal(signal_number, remove_and_die);
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

SignalsHeld::SignalsHeld() {
  sigset_t ending;
  ::sigemptyset(&ending);
  for (const int signal_number : kEndingSignals) ::sigaddset(&ending, signal_number);
  ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

SignalsHeld::~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace castforge::cli

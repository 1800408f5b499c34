#include "cli/io/interrupt.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <mutex>

#include <pthread.h>
#include <unistd.h>

namespace castforge::cli {
namespace {

// A signal handler may touch nothing that allocates or locks. It may run in another thread than the one that fills a
// slot.
struct Slot {
  std::atomic<bool> armed;
  static_assert(std::atomic<bool>::is_always_lock_free);
  pid_t maker;  // the file is no business of a process that was forked since
  char path[4096];
};
Slot slots[16];
std::mutex slots_mutex;  // of those who fill and empty them

extern "C" void remove_and_die(int signal_number) {
  const pid_t self = ::getpid();
  for (const Slot& slot : slots) {
    if (slot.armed && slot.maker == self) ::unlink(slot.path);
  }
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

template <class Action>
void for_each_ending_signal(const Action& action) {
  for (const int signal_number : kEndingSignals) action(signal_number);
#ifdef SIGRTMIN
  for (int signal_number = SIGRTMIN; signal_number <= SIGRTMAX; ++signal_number) action(signal_number);
#endif
}

void install_handlers() {
  static bool installed = false;
  if (installed) return;
  installed = true;
  for_each_ending_signal([](int signal_number) {
    // A signal that the parent told us to ignore (nohup) stays ignored, and one that the program around us handles
    // itself (Python and SIGINT) is left to it.
    struct sigaction current {};
    if (::sigaction(signal_number, nullptr, &current) == 0 && current.sa_handler != SIG_DFL) return;
    std::signal(signal_number, remove_and_die);
  });
}

}  // namespace

void remove_when_interrupted(const std::string& path) {
  const std::lock_guard guard(slots_mutex);
  Slot* const free = std::find_if(std::begin(slots), std::end(slots),
                                  [](const Slot& slot) { return !slot.armed || slot.maker != ::getpid(); });
  if (free == std::end(slots) || path.size() >= sizeof free->path) return;
  free->armed = false;
  free->maker = ::getpid();
  std::memcpy(free->path, path.c_str(), path.size() + 1);
  free->armed = true;
  install_handlers();
}

void nothing_to_remove(const std::string& path) {
  const std::lock_guard guard(slots_mutex);
  for (Slot& slot : slots) {
    if (slot.armed && path == slot.path) slot.armed = false;
  }
}

SignalsHeld::SignalsHeld() {
  sigset_t ending;
  ::sigemptyset(&ending);
  for_each_ending_signal([&](int signal_number) { ::sigaddset(&ending, signal_number); });
  ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

SignalsHeld::~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace castforge::cli

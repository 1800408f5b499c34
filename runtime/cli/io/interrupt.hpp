// Removes the unfinished output when a signal ends the program.
#pragma once

#include <csignal>
#include <string>

namespace castforge::cli {

/// Every signal whose default action ends a program and that is not the mark of a defect in its own code. Those for
/// real-time applications (SIGRTMIN to SIGRTMAX) belong to them too.
inline constexpr int kEndingSignals[] = {
    SIGINT,    SIGTERM, SIGHUP,    SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1,
    SIGUSR2,   SIGXCPU, SIGVTALRM, SIGPROF, SIGTRAP, SIGSYS,
#ifdef SIGIO
    SIGIO,
#endif
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};

/// Has a signal remove that file until nothing_to_remove(path); of more than sixteen at once, only sixteen. Installs
/// the signal handlers at the first call.
void remove_when_interrupted(const std::string& path);
void nothing_to_remove(const std::string& path);

/// Keeps those signals waiting for as long as it lives: between the creation of a file and the call above.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

}  // namespace castforge::cli

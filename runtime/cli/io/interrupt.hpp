// Removes the unfinished output when a signal ends the program.
#pragma once

#include <csignal>
#include <string>

namespace castforge::cli {

/// Every signal whose default action ends a program and that is not the mark of a defect in it.
inline constexpr int kEndingSignals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,   SIGPIPE, SIGALRM,
                                         SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF};

/// One path at a time: a later call replaces it. Installs the signal handlers at the first call.
void remove_when_interrupted(const std::string& path);
void nothing_to_remove();

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

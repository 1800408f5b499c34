#include "child.hpp"

#include <catch2/catch_test_macros.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace cli_test {

Child::Child(const Folder& folder, std::vector<std::string> arguments, const std::function<void()>& before) {
  int input[2];
  REQUIRE(::pipe(input) == 0);
  arguments.insert(arguments.begin(), program_path());
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  // No signal reaches the new process while it still has the handlers of this one.
  sigset_t all, before_fork;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before_fork);
  process_ = ::fork();
  if (process_ == 0) {
    for (int number = 1; number < NSIG; ++number) {
      struct sigaction action {};
      if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) std::signal(number, SIG_DFL);
    }
    ::pthread_sigmask(SIG_SETMASK, &before_fork, nullptr);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::dup2(input[0], STDIN_FILENO);
    ::close(input[0]);
    ::close(input[1]);
    if (::chdir(folder.path("").c_str()) != 0) ::_exit(126);
    before();
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  ::pthread_sigmask(SIG_SETMASK, &before_fork, nullptr);
  REQUIRE(process_ >= 0);
  ::close(input[0]);
  input_ = input[1];
}

Child::~Child() {
  close_input();
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void Child::send(int signal_number) const { REQUIRE(::kill(process_, signal_number) == 0); }

void Child::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

End Child::wait() {
  int status = 0;
  rusage used{};
  REQUIRE(::wait4(process_, &status, 0, &used) == process_);
  process_ = -1;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  End end;
  end.peak_kilobytes = used.ru_maxrss;
  end.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  else end.code = WEXITSTATUS(status);
  return end;
}

}  // namespace cli_test

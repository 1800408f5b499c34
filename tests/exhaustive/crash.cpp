#include "crash.hpp"

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "checks.hpp"

namespace castforge::exhaustive {

namespace {

char g_subject[200] = "";
char g_detail[100] = "";

void say(const char* text) {
  if (write(2, text, std::strlen(text)) < 0) _exit(3);
}

void on_signal(int number) {
  say(number == SIGFPE ? "\nfloating-point trap in " : "\nbad memory access in ");
  say(g_subject);
  say(g_detail);
  say("\n");
  _exit(3);
}

}  // namespace

void running(const std::string& what) {
  std::snprintf(g_subject, sizeof g_subject, "%s", what.c_str());
  g_detail[0] = '\0';
}

void running(std::size_t count, const char* how) {
  std::snprintf(g_detail, sizeof g_detail, ", %zu elements, %s", count, how);
}

void name_subject_on_crash() {
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(number, on_signal);
}

}  // namespace castforge::exhaustive

// Compiled for the baseline: decides, before any other initialiser of the program, whether this machine can run it.
#include <unistd.h>
#include <cstdio>
#include <cstring>

extern "C" const char castforge_test_isa[];  // name of the instruction set the tests were compiled for

extern "C" bool castforge_machine_has(const char* isa);  // for programs that hold several

bool castforge_machine_has(const char* isa) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool sse4_2 = __builtin_cpu_supports("sse4.2");
  const bool avx2 =
      sse4_2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  const bool vbmi = avx512 && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
  if (std::strcmp(isa, "sse4_2") == 0) return sse4_2;
  if (std::strcmp(isa, "avx2") == 0) return avx2;
  if (std::strcmp(isa, "avx512") == 0) return avx512;
  if (std::strcmp(isa, "avx512vbmi") == 0) return vbmi;
#endif
  return std::strcmp(isa, "portable") == 0 || std::strcmp(isa, "neon64") == 0;
}

namespace {

__attribute__((constructor(101))) void leave_unless_usable() {
  if (castforge_machine_has(castforge_test_isa)) return;
  std::printf("skipped: this machine does not run %s\n", castforge_test_isa);
  std::fflush(stdout);
  _exit(77);
}

}  // namespace

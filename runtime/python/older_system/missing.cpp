// What newer headers of the C library ask for and GLIBC 2.28 does not have, for modules that are linked with the
// libraries of libraries.py. Hidden in the module.
#include <features.h>
#include <sys/stat.h>

namespace {

// _STAT_VER of bits/stat.h: which `struct stat` the functions below fill in.
#if defined(__x86_64__)
constexpr int kVersionOfStat = 1;
#elif defined(__aarch64__)
constexpr int kVersionOfStat = 0;
#else
#error "expected x86-64 or AArch64: add _STAT_VER of this architecture, as bits/stat.h of GLIBC 2.28 has it"
#endif

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): names of GLIBC
int __xstat(int version, const char* path, struct stat* result) noexcept;
int __lxstat(int version, const char* path, struct stat* result) noexcept;
int __fxstat(int version, int file, struct stat* result) noexcept;
int __fxstatat(int version, int folder, const char* path, struct stat* result, int flags) noexcept;

// Before GLIBC 2.33 these were inline.
int stat(const char* file, struct stat* buf) noexcept { return __xstat(kVersionOfStat, file, buf); }
int lstat(const char* file, struct stat* buf) noexcept { return __lxstat(kVersionOfStat, file, buf); }
int fstat(int fd, struct stat* buf) noexcept { return __fxstat(kVersionOfStat, fd, buf); }
int fstatat(int fd, const char* file, struct stat* buf, int flag) noexcept {
  return __fxstatat(kVersionOfStat, fd, file, buf, flag);
}

#if __GLIBC_PREREQ(2, 38)
// Since then the headers give these functions new names, under which they also take "0b1" in base 0 and 2: nobody here
// writes numbers so.
#define CASTFORGE_BY_ITS_OLD_NAME(type, name)                                      \
  type old_##name(const char* text, char** end, int base) noexcept __asm__(#name); \
  type __isoc23_##name(const char* text, char** end, int base) noexcept { return old_##name(text, end, base); }
CASTFORGE_BY_ITS_OLD_NAME(long, strtol)
CASTFORGE_BY_ITS_OLD_NAME(long long, strtoll)
CASTFORGE_BY_ITS_OLD_NAME(unsigned long, strtoul)
CASTFORGE_BY_ITS_OLD_NAME(unsigned long long, strtoull)
#undef CASTFORGE_BY_ITS_OLD_NAME
#endif

// Of GLIBC 2.32: whether std::shared_ptr may count without atomic operations. Here it may not.
extern char __libc_single_threaded;
char __libc_single_threaded = 0;
// NOLINTEND(bugprone-reserved-identifier)
}

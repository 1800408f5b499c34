// The checks, tried on kernels with faults: a check that lets one of these pass is worth nothing.
#include <cstdio>
#include <cstring>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "checks.hpp"
#include "elements.hpp"
#include "inputs.hpp"

using namespace castforge::exhaustive;
namespace oracle = castforge::oracle;

namespace {

int g_wrong = 0;

void expect(bool found, bool should, const char* what) {
  if (found == should) return;
  ++g_wrong;
  std::printf("FAIL %s: %s\n", what, should ? "the fault was not noticed" : "a correct kernel was refused");
}

/// float32 to bfloat16 by the oracle itself, one element at a time.
const oracle::Converter& narrow() {
  static const oracle::Converter c(oracle::codec("float32"), oracle::codec("bfloat16"), oracle::Rule{});
  return c;
}
const oracle::Converter& packed() {
  static const oracle::Converter c = [] {
    oracle::Rule rule;
    rule.overflow = oracle::Overflow::wrap;
    return oracle::Converter(oracle::codec("uint8"), oracle::codec("uint4"), rule);
  }();
  return c;
}

void convert(const oracle::Converter& c, const void* src, void* dst, std::size_t count) noexcept {
  const Layout from = c.src().format(), to = c.dst().format();
  std::vector<std::uint64_t> codes;
  for (std::size_t i = 0; i < count; ++i) codes.push_back(c(element(static_cast<const std::uint8_t*>(src), from, i)));
  const std::vector<std::uint8_t> bytes = pack(codes, to);
  if (!bytes.empty()) std::memcpy(dst, bytes.data(), bytes.size());
}

std::uint16_t* words(void* p) { return static_cast<std::uint16_t*>(p); }
std::uint8_t* bytes(void* p) { return static_cast<std::uint8_t*>(p); }

void good(const void* src, void* dst, std::size_t n, std::size_t) noexcept { convert(narrow(), src, dst, n); }
void good_packed(const void* src, void* dst, std::size_t n, std::size_t) noexcept { convert(packed(), src, dst, n); }
void tie_away(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good(src, dst, n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (element(static_cast<const std::uint8_t*>(src), 32, i) == 0x40008000)
      bytes(dst)[2 * i] = 1;  // one tie, rounded up
  }
}
void writes_beyond(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good(src, dst, n, 0);
  if (n % 8 == 3) bytes(dst)[2 * n] = 0;
}
void writes_before(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good(src, dst, n, 0);
  if (n == 100) bytes(dst)[-1] = 0;
}
void forgets_last(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good(src, dst, n > 64 && n % 32 == 17 ? n - 1 : n, 0);
}
void dirty_padding(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good_packed(src, dst, n, 0);
  if (n % 2 == 1 && n > 40) bytes(dst)[n / 2] |= 0x40;
}
void needs_alignment(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good(src, dst, n, 0);
  if (n > 60 && reinterpret_cast<std::uintptr_t>(dst) % 64 == 9) bytes(dst)[0] ^= 1;
}
void fails_when_large(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good(src, dst, n, 0);
  if (n > 1000000) bytes(dst)[2 * n - 1] ^= 1;
}

#if defined(__aarch64__)
void reset_control() { asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{0})); }
bool flushes_to_zero() {
  std::uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return (control >> 24 & 1) != 0;
}
#else
void reset_control() { _mm_setcsr(0x1F80); }
bool flushes_to_zero() { return (_mm_getcsr() & 0x8000) != 0; }
#endif
void leaves_control(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good(src, dst, n, 0);
  reset_control();
}
void depends_on_control(const void* src, void* dst, std::size_t n, std::size_t) noexcept {
  good(src, dst, n, 0);
  if (n != 0 && flushes_to_zero()) words(dst)[0] ^= 1;
}

Subject subject(castforge::Kernel::Function run, const oracle::Converter& c, const char* name) {
  return {name, "none", run, {}, &c.src(), &c.dst()};
}

bool values_fail(castforge::Kernel::Function run, const char* name) {
  Report report(true);
  const std::vector<std::uint64_t> codes = inputs_for(narrow().src(), narrow().dst());
  std::vector<std::uint64_t> expected;
  for (std::uint64_t code : codes) expected.push_back(narrow()(code));
  check_values(subject(run, narrow(), name), codes, expected, report);
  return report.failures() != 0;
}

bool buffers_fail(castforge::Kernel::Function run, const oracle::Converter& c, const char* name) {
  Report report(true);
  check_buffers(subject(run, c, name), c, report);
  return report.failures() != 0;
}

bool large_fails(castforge::Kernel::Function run, const char* name) {
  Report report(true);
  check_large(subject(run, narrow(), name), narrow(), report);
  return report.failures() != 0;
}

/// As buffers_fail, in a process of its own: the fault may end it.
bool buffers_fail_or_crash(castforge::Kernel::Function run, const char* name) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(9);
    _exit(buffers_fail(run, narrow(), name) ? 1 : 0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         (WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 3);
}

bool environment_fails(castforge::Kernel::Function run, const char* name) {
  Report report(true);
  const std::vector<std::uint64_t> codes = random_codes(narrow().src(), 1000, 1);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t code : codes) expected.push_back(narrow()(code));
  check_environment(subject(run, narrow(), name), codes, expected, report);
  return report.failures() != 0;
}

}  // namespace

int main() {
  name_subject_on_crash();
  expect(values_fail(good, "good"), false, "values");
  expect(values_fail(tie_away, "one tie away"), true, "values: one tie rounded the wrong way");
  expect(buffers_fail(good, narrow(), "good"), false, "buffers");
  expect(buffers_fail(good_packed, packed(), "good, packed"), false, "buffers, packed");
  expect(buffers_fail_or_crash(good, "good"), false, "buffers, in a process of its own");
  expect(buffers_fail_or_crash(writes_beyond, "writes beyond"), true, "buffers: written beyond the end");
  expect(buffers_fail_or_crash(writes_before, "writes before"), true, "buffers: written before the beginning");
  expect(buffers_fail(forgets_last, narrow(), "forgets last"), true, "buffers: last element not written");
  expect(buffers_fail(dirty_padding, packed(), "dirty padding"), true, "buffers: unused bits not zero");
  expect(buffers_fail(needs_alignment, narrow(), "needs alignment"), true, "buffers: wrong where misaligned");
  expect(large_fails(good, "good"), false, "large buffers");
  expect(large_fails(fails_when_large, "fails when large"), true, "large buffers: last element wrong");
  expect(environment_fails(leaves_control, "leaves control"), true, "environment: control state not restored");
  expect(environment_fails(depends_on_control, "depends on control"), true, "environment: depends on control state");
  std::printf("%d checks are wrong\n", g_wrong);
  return g_wrong == 0 ? 0 : 1;
}

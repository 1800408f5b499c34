#include "checks.hpp"
#include "crash.hpp"
#include "elements.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace castforge::exhaustive {

namespace {

#if defined(__x86_64__) || defined(__i386__)

using Control = unsigned;
Control read_control() { return _mm_getcsr(); }
void write_control(Control c) { _mm_setcsr(c); }

constexpr Control kMasks = 0x1F80, kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
constexpr Control kDown = 0x2000, kUp = 0x4000, kTowardZero = 0x6000;

struct State {
  Control control;
  const char* what;
};

// Each rounding mode with exceptions masked and unmasked, each way to flush, alone and together.
constexpr State kStates[] = {
    {kMasks | kFlushToZero | kDenormalsAreZero, "flush to zero, denormals are zero"},
    {kMasks | kDenormalsAreZero, "denormals are zero"},
    {kMasks | kUp | kFlushToZero, "rounding up, flush to zero"},
    {kMasks | kDown | kDenormalsAreZero, "rounding down, denormals are zero"},
    {kMasks | kTowardZero | kFlushToZero, "rounding toward zero, flush to zero"},
    {0, "exceptions unmasked"},
    {kUp, "rounding up, exceptions unmasked"},
    {kDown, "rounding down, exceptions unmasked"},
    {kTowardZero | kFlushToZero | kDenormalsAreZero, "rounding toward zero, flushing, exceptions unmasked"},
    {kMasks | 0x3F, "all sticky flags set"},
};

#elif defined(__aarch64__)

// The control register in the low half, the sticky exception flags in the high one.
using Control = std::uint64_t;
constexpr Control kSticky = Control{0x9F} << 32;
Control read_control() {
  std::uint64_t control, flags;
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(flags) : : "memory");
  return control | (flags << 32 & kSticky);
}
void write_control(Control c) {
  asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(c & 0xFFFFFFFF), "r"((c & kSticky) >> 32) : "memory");
}

struct State {
  Control control;
  const char* what;
};

constexpr State kStates[] = {
    {Control{1} << 24, "flush to zero"},
    {Control{1} << 22, "rounding up"},
    {Control{2} << 22, "rounding down"},
    {(Control{3} << 22) | (Control{1} << 24), "rounding toward zero, flush to zero"},
    {Control{1} << 25, "default NaN"},
    {kSticky, "all sticky flags set"},
};

#else
#error "say here how the floating-point control register is read and written"
#endif

constexpr int kControlBits = 8 * sizeof(Control);

}  // namespace

void check_environment(const Subject& subject, std::span<const std::uint64_t> codes,
                       std::span<const std::uint64_t> expected, Report& report) {
  running(subject.name + " on " + subject.isa);
  const std::vector<std::uint8_t> src = elements_of(*subject.src, codes);
  std::vector<std::uint8_t> dst(bytes_for(codes.size(), subject.dst_bits()));
  const Control before = read_control();
  for (const State& state : kStates) {
    // A long call and a short one: the body and the tail of a kernel are different code.
    for (std::size_t count : {codes.size(), std::min<std::size_t>(codes.size(), 5)}) {
      std::fill(dst.begin(), dst.end(), std::uint8_t{0xA5});
      running(count, state.what);
      write_control(state.control);
      subject.run(src.data(), dst.data(), count, 0);
      const Control after = read_control();
      write_control(before);
      if (after != state.control) {
        report.fail(std::string(state.what) + ": control state " + hex(state.control, kControlBits) + " became " +
                    hex(after, kControlBits));
      }
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t got = element(dst.data(), subject.dst->format(), i);
        const std::uint64_t want = subject.dst->stored(expected[i]);
        if (got != want) {
          report.fail(std::string(state.what) + ": " + hex(codes[i], subject.src->format().bits) + " gives " +
                      hex(got, subject.dst_bits()) + ", expected " + hex(want, subject.dst_bits()));
          break;
        }
      }
    }
  }
}

}  // namespace castforge::exhaustive

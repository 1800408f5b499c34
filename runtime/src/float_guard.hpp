// The floating-point environment of a kernel call, and of what the library itself computes in floating point. The same
// whatever instruction set a unit is compiled for.
#pragma once

#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace castforge {

// Inlined wherever they are used, so that units compiled for different instruction sets never share a copy.
#define CASTFORGE_ALWAYS_INLINE [[gnu::always_inline]] inline

/// For its lifetime: rounding to nearest with ties to even, subnormals neither flushed nor read as zero, NaN payloads
/// kept, exceptions masked. The state of the thread, sticky flags included, is restored exactly.
class FloatGuard {
 public:
  CASTFORGE_ALWAYS_INLINE FloatGuard() noexcept : saved_(read()) { set_default(saved_); }
  CASTFORGE_ALWAYS_INLINE ~FloatGuard() { restore(saved_); }
  FloatGuard(const FloatGuard&) = delete;
  FloatGuard& operator=(const FloatGuard&) = delete;

 private:
#if defined(__x86_64__)
  using State = unsigned;
  // MXCSR: bits 0 to 5 the sticky flags, which act on nothing; bits 7 to 12 the masks of all exceptions.
  static constexpr State kDefault = 0x3F << 7, kFlags = 0x3F;
  // Writing takes 30 ns on some processors. Most threads have the default, and many the flags that a kernel would set.
  CASTFORGE_ALWAYS_INLINE static void set_default(State saved) noexcept {
    if ((saved & ~kFlags) != kDefault) write(kDefault);
  }
  CASTFORGE_ALWAYS_INLINE static void restore(State saved) noexcept {
    if (read() != saved) write(saved);
  }
  CASTFORGE_ALWAYS_INLINE static State read() noexcept {
    asm volatile("" ::: "memory");
    return _mm_getcsr();
  }
  CASTFORGE_ALWAYS_INLINE static void write(State s) noexcept {
    asm volatile("" ::: "memory");
    _mm_setcsr(s);
    asm volatile("" ::: "memory");
  }
#elif defined(__aarch64__)
  struct State {
    std::uint64_t control, flags;  // one register each here
  };
  CASTFORGE_ALWAYS_INLINE static void set_default(const State&) noexcept { write({0, 0}); }
  CASTFORGE_ALWAYS_INLINE static void restore(const State& saved) noexcept { write(saved); }
  CASTFORGE_ALWAYS_INLINE static State read() noexcept {
    State s;
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(s.control), "=r"(s.flags));
    return s;
  }
  CASTFORGE_ALWAYS_INLINE static void write(State s) noexcept {
    asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(s.control), "r"(s.flags) : "memory");
  }
#else
  using State = std::fenv_t;
  CASTFORGE_ALWAYS_INLINE static void set_default(const State&) noexcept { std::fesetenv(FE_DFL_ENV); }
  CASTFORGE_ALWAYS_INLINE static void restore(const State& saved) noexcept { write(saved); }
  CASTFORGE_ALWAYS_INLINE static State read() noexcept {
    State s;
    std::fegetenv(&s);
    return s;
  }
  CASTFORGE_ALWAYS_INLINE static void write(const State& s) noexcept { std::fesetenv(&s); }
#endif

  State saved_;
};

#undef CASTFORGE_ALWAYS_INLINE

}  // namespace castforge

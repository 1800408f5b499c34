// The floating-point environment of a kernel call.
#pragma once

#include <cfenv>
#include <cstdint>

#include "simd/isa.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace castforge::inline CASTFORGE_ISA::simd {

/// For its lifetime: rounding to nearest with ties to even, subnormals neither flushed nor read as zero, NaN payloads
/// kept, exceptions masked. The state of the thread, sticky flags included, is restored exactly.
class FloatGuard {
 public:
  CASTFORGE_INLINE FloatGuard() noexcept : saved_(read()) { reset(); }
  CASTFORGE_INLINE ~FloatGuard() { write(saved_); }
  FloatGuard(const FloatGuard&) = delete;
  FloatGuard& operator=(const FloatGuard&) = delete;

 private:
#if defined(__SSE2__)
  using State = unsigned;
  static constexpr State kDefault = 0x1F80;
  static CASTFORGE_INLINE void reset() noexcept { write(kDefault); }
  static CASTFORGE_INLINE State read() noexcept { return _mm_getcsr(); }
  static CASTFORGE_INLINE void write(State s) noexcept {
    asm volatile("" ::: "memory");
    _mm_setcsr(s);
    asm volatile("" ::: "memory");
  }
#elif defined(__aarch64__)
  struct State {
    std::uint64_t control, flags;  // one register each here
  };
  static constexpr State kDefault = {0, 0};
  static CASTFORGE_INLINE void reset() noexcept { write(kDefault); }
  static CASTFORGE_INLINE State read() noexcept {
    State s;
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(s.control), "=r"(s.flags));
    return s;
  }
  static CASTFORGE_INLINE void write(State s) noexcept {
    asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(s.control), "r"(s.flags) : "memory");
  }
#else
  using State = std::fenv_t;
  static CASTFORGE_INLINE void reset() noexcept { std::fesetenv(FE_DFL_ENV); }
  static CASTFORGE_INLINE State read() noexcept {
    State s;
    std::fegetenv(&s);
    return s;
  }
  static CASTFORGE_INLINE void write(const State& s) noexcept { std::fesetenv(&s); }
#endif

  State saved_;
};

/// Stands in for FloatGuard where a plan uses no floating-point arithmetic.
struct NoGuard {
  CASTFORGE_INLINE NoGuard() noexcept {}
  CASTFORGE_INLINE ~NoGuard() {}
};

}  // namespace castforge::inline CASTFORGE_ISA::simd

// The floating-point environment of a kernel call.
#pragma once

#include <cfenv>
#include <cstdint>

#include "simd/isa.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace castforge::inline CASTFORGE_ISA::simd {

/// For its lifetime: rounding to nearest with ties to even, NaN payloads kept, exceptions masked. The state of the
/// thread, sticky flags included, is restored exactly. Subnormals are flushed or not as before where that cannot matter
/// (`rounding`); flushed, on x86, for the sake of processors that take long to multiply them (`flushed`); neither
/// flushed nor read as zero (`subnormals`).
template <lane::Environment kFor = lane::Environment::subnormals>
class FloatGuard {
 public:
  /// Without `needed` it does nothing.
  explicit CASTFORGE_INLINE FloatGuard(bool needed = true) noexcept : needed_(needed) {
    if (!needed_) return;
    saved_ = read();
    set(saved_);
  }
  CASTFORGE_INLINE ~FloatGuard() {
    if (needed_) restore(saved_);
  }
  FloatGuard(const FloatGuard&) = delete;
  FloatGuard& operator=(const FloatGuard&) = delete;

 private:
#if defined(__SSE2__)
  using State = unsigned;
  static constexpr State kFlags = 0x3F, kFlushing = 0x8040;  // the sticky flags, which act on nothing; both ways of it
  static constexpr State kDefault = 0x1F80 | (kFor == lane::Environment::flushed ? kFlushing : 0);
  static constexpr State kIgnored = kFlags | (kFor == lane::Environment::rounding ? kFlushing : 0);
  // Writing takes 30 ns on some processors. Most threads have the default, and many the flags that a kernel would set.
  static CASTFORGE_INLINE void set(State saved) noexcept {
    if ((saved & ~kIgnored) != kDefault) write(kDefault);
  }
  static CASTFORGE_INLINE void restore(State saved) noexcept {
    if (read() != saved) write(saved);
  }
  static CASTFORGE_INLINE State read() noexcept {
    asm volatile("" ::: "memory");
    return _mm_getcsr();
  }
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
  static CASTFORGE_INLINE void set(const State&) noexcept { write(kDefault); }
  static CASTFORGE_INLINE void restore(const State& saved) noexcept { write(saved); }
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
  static CASTFORGE_INLINE void set(const State&) noexcept { std::fesetenv(FE_DFL_ENV); }
  static CASTFORGE_INLINE void restore(const State& saved) noexcept { write(saved); }
  static CASTFORGE_INLINE State read() noexcept {
    State s;
    std::fegetenv(&s);
    return s;
  }
  static CASTFORGE_INLINE void write(const State& s) noexcept { std::fesetenv(&s); }
#endif

  State saved_{};
  bool needed_;
};

/// Stands in for FloatGuard where a plan uses no floating-point arithmetic.
struct NoGuard {
  explicit CASTFORGE_INLINE NoGuard(bool /*needed*/) noexcept {}
  CASTFORGE_INLINE ~NoGuard() {}
};

}  // namespace castforge::inline CASTFORGE_ISA::simd

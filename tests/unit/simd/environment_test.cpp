// A kernel that computes in floating point gives the same bits in any environment and leaves it as it was.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cfenv>

#include "run_check.hpp"

namespace {

using lane::Needs;

// float32 -> float32: a product and a sum, rounded, and the smaller of two subnormals; the bits tell rounding mode and
// flushing.
struct Scaled {
  static constexpr int kSrcBits = 32, kDstBits = 32;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr lane::Environment kEnvironment = lane::Environment::subnormals;
    static constexpr auto map(auto bits) noexcept {
      const auto near_one = (bits & 0x7FF000) | 0x3F800000;  // eleven fraction bits
      const auto rounded = lane::multiply_add(0x40000000, near_one, 0x3E99999A);
      return rounded ^ lane::min_nan2(bits & 0x3FF, 0x200);
    }
  };
  using plans = lane::Plans<plan>;
};

// float32 -> float32: sums with subnormals that are too small to matter.
struct Sums {
  static constexpr int kSrcBits = 32, kDstBits = 32;
  struct plan {
    static constexpr Needs kNeeds = Needs::nothing;
    static constexpr lane::Environment kEnvironment = lane::Environment::rounding;
    static constexpr auto map(auto bits) noexcept {
      return lane::multiply_add((bits & 0x03800000) + 0x3F800000, 0x3F8CC000, bits & 0x007FFFFF);
    }
  };
  using plans = lane::Plans<plan>;
};

std::vector<std::uint32_t> sources() {
  std::vector<std::uint32_t> in(1000);
  Random rng(5);
  for (auto& v : in) v = static_cast<std::uint32_t>(rng.next());
  return in;
}

template <class Kernel>
std::vector<std::uint32_t> results() {
  const std::vector<std::uint32_t> in = sources();
  std::vector<std::uint32_t> out(in.size());
  simd::run<Kernel>(in.data(), out.data(), in.size(), 0);
  return out;
}

/// By what the operations mean, evaluated by the compiler's arithmetic in the default environment.
template <class Kernel>
std::vector<std::uint32_t> meant() {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t code : sources())
    out.push_back(static_cast<std::uint32_t>(lane::at_plan<typename Kernel::plan, 32, 32>(code)));
  return out;
}

unsigned long long control() {
#if defined(__SSE2__)
  return _mm_getcsr();
#else
  unsigned long long state;
  asm volatile("mrs %0, fpcr" : "=r"(state));
  return state;
#endif
}

void set_control(unsigned long long state) {
#if defined(__SSE2__)
  _mm_setcsr(static_cast<unsigned>(state));
#else
  asm volatile("msr fpcr, %0" ::"r"(state) : "memory");
#endif
}

}  // namespace

TEMPLATE_TEST_CASE("results do not depend on the floating-point environment", "[simd][environment]", Scaled, Sums) {
  const auto expected = meant<TestType>();
  CHECK(results<TestType>() == expected);  // where the guard need not write anything
  const auto before = control();
#if defined(__SSE2__)
  // Down, up, to zero, FTZ, DAZ, both, all of these, flags set, all exceptions unmasked, all at once.
  const unsigned long long others[] = {0x3F80, 0x5F80, 0x7F80, 0x9F80, 0x1FC0, 0x9FC0, 0xFFC0, 0x1FBF, 0x0000, 0xE040};
#else
  const unsigned long long others[] = {1ull << 22, 2ull << 22, 3ull << 22, 1ull << 24, 7ull << 22};
#endif
  for (const auto other : others) {
    set_control(other);
    const auto got = results<TestType>();
    const auto after = control();
    set_control(before);
    CHECK(got == expected);
    CHECK(after == other);
  }
}

TEMPLATE_TEST_CASE("a guarded kernel leaves the sticky flags alone", "[simd][environment]", Scaled, Sums) {
  std::feclearexcept(FE_ALL_EXCEPT);
  results<TestType>();
  CHECK(std::fetestexcept(FE_INEXACT) == 0);
}

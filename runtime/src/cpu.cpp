#include "src/cpu.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace castforge::cpu {

bool can_run_portable() noexcept { return true; }

#if defined(__x86_64__) || defined(__i386__)

namespace {

struct Leaf {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// A CPUID leaf; all zero where the processor has no such leaf.
Leaf leaf(unsigned number, unsigned sub = 0) noexcept {
  Leaf l;
  if (__get_cpuid_count(number, sub, &l.eax, &l.ebx, &l.ecx, &l.edx) == 0) return Leaf();
  return l;
}

constexpr bool has(unsigned word, unsigned bits) noexcept { return (word & bits) == bits; }

/// Register sets that the operating system saves (XCR0); 0 where it does not say.
unsigned saved_registers() noexcept {
  constexpr unsigned kOsxsave = 1u << 27;
  if (!has(leaf(1).ecx, kOsxsave)) return 0;
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

constexpr unsigned kXmmYmm = 0x06;  // XCR0: SSE and AVX state
constexpr unsigned kZmm = 0xE0;     // XCR0: mask registers, upper halves of zmm0..15, zmm16..31

}  // namespace

std::array<char, 13> vendor() noexcept {
  const Leaf first = leaf(0);
  std::array<char, 13> name{};
  std::size_t at = 0;
  for (const unsigned word : {first.ebx, first.edx, first.ecx}) {
    for (int byte = 0; byte < 4; ++byte) name[at++] = static_cast<char>(word >> 8 * byte & 0xFF);
  }
  return name;
}

unsigned family() noexcept {
  const unsigned signature = leaf(1).eax, base = signature >> 8 & 0xF;
  return base == 0xF ? base + (signature >> 20 & 0xFF) : base;  // the rest is where the first four bits do not suffice
}

bool can_run_sse4_2() noexcept {
  constexpr unsigned kSse3 = 1u << 0, kSsse3 = 1u << 9, kSse41 = 1u << 19, kSse42 = 1u << 20, kPopcnt = 1u << 23;
  return has(leaf(1).ecx, kSse3 | kSsse3 | kSse41 | kSse42 | kPopcnt);  // -msse4.2 implies popcnt
}

bool can_run_avx2() noexcept {
  constexpr unsigned kFma = 1u << 12, kAvx = 1u << 28, kF16c = 1u << 29;
  constexpr unsigned kBmi = 1u << 3, kAvx2 = 1u << 5, kBmi2 = 1u << 8;
  constexpr unsigned kLzcnt = 1u << 5;
  return can_run_sse4_2() && has(saved_registers(), kXmmYmm) && has(leaf(1).ecx, kFma | kAvx | kF16c) &&
         has(leaf(7).ebx, kBmi | kAvx2 | kBmi2) && has(leaf(0x80000001u).ecx, kLzcnt);
}

bool can_run_avx512() noexcept {
  constexpr unsigned kF = 1u << 16, kDq = 1u << 17, kCd = 1u << 28, kBw = 1u << 30, kVl = 1u << 31;
  return can_run_avx2() && has(saved_registers(), kXmmYmm | kZmm) && has(leaf(7).ebx, kF | kDq | kCd | kBw | kVl);
}

bool can_run_avx512vbmi() noexcept {
  constexpr unsigned kIfma = 1u << 21;                   // ebx
  constexpr unsigned kVbmi = 1u << 1, kVbmi2 = 1u << 6;  // ecx
  return can_run_avx512() && has(leaf(7).ebx, kIfma) && has(leaf(7).ecx, kVbmi | kVbmi2);
}

bool can_run_neon64() noexcept { return false; }

#else

std::array<char, 13> vendor() noexcept { return {}; }
unsigned family() noexcept { return 0; }

bool can_run_sse4_2() noexcept { return false; }
bool can_run_avx2() noexcept { return false; }
bool can_run_avx512() noexcept { return false; }
bool can_run_avx512vbmi() noexcept { return false; }

#if defined(__aarch64__)
bool can_run_neon64() noexcept { return true; }  // part of the architecture
#else
bool can_run_neon64() noexcept { return false; }
#endif

#endif

}  // namespace castforge::cpu

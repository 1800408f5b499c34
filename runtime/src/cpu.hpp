// What the processor can do and the operating system lets it do.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace castforge::cpu {

/// Who made it, in the twelve characters of CPUID leaf 0 and a zero: "GenuineIntel". Empty where there is no CPUID.
std::array<char, 13> vendor() noexcept;
/// Which of the maker's, by CPUID leaf 1: 6 for Intel's since 1995, 19 hexadecimal for AMD's Zen 3 and 4. 0: no CPUID.
unsigned family() noexcept;

// One question per instruction set that the library knows, whether it was built or not. The answers name the
// same features as the compiler flags of the instruction set's objects.
bool can_run_portable() noexcept;
bool can_run_sse4_2() noexcept;
bool can_run_avx2() noexcept;        // with FMA, F16C, BMI, BMI2, LZCNT, POPCNT; the system saves ymm registers
bool can_run_avx512() noexcept;      // F, CD, BW, DQ, VL over avx2; the system saves zmm and mask registers
bool can_run_avx512vbmi() noexcept;  // IFMA, VBMI, VBMI2 over avx512
bool can_run_neon64() noexcept;

/// Those that libraries are made for, on this machine or another. Where several can run, the highest rank is used.
struct RankedIsa {
  std::string_view name;
  int rank;
};
inline constexpr RankedIsa kIsas[] = {{"portable", 0}, {"sse4_2", 10}, {"neon64", 10},
                                      {"avx2", 20},    {"avx512", 30}, {"avx512vbmi", 40}};

/// One of them; a name that is none does not compile.
consteval int rank_of(std::string_view name) { return std::ranges::find(kIsas, name, &RankedIsa::name)->rank; }

}  // namespace castforge::cpu

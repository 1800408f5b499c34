// What the processor can do and the operating system lets it do.
#pragma once

#include <array>

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

// Order of preference: where several can run, the highest is used.
inline constexpr int kRank_portable = 0;
inline constexpr int kRank_sse4_2 = 10;
inline constexpr int kRank_neon64 = 10;
inline constexpr int kRank_avx2 = 20;
inline constexpr int kRank_avx512 = 30;
inline constexpr int kRank_avx512vbmi = 40;

}  // namespace castforge::cpu

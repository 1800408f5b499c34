// The instruction set this translation unit is compiled for, and what it can do.
//
// The build compiles each unit once per instruction set with -DCASTFORGE_ISA=isa_<name> (an inline namespace, so that
// objects of different instruction sets never share a symbol) and -DCASTFORGE_ISA_<NAME>=1. Without both the unit is
// portable: no vector types, plain words.
#pragma once

#include <cstddef>
#include <cstdint>

#ifndef CASTFORGE_ISA
#define CASTFORGE_ISA isa_portable
#endif

// Levels of x86-64, each with those below: 1 SSE4.2, 2 AVX2 + FMA + F16C, 3 AVX-512 F CD BW DQ VL, 4 AVX-512 VBMI.
#if defined(CASTFORGE_ISA_AVX512VBMI)
#define CASTFORGE_X86 4
#elif defined(CASTFORGE_ISA_AVX512)
#define CASTFORGE_X86 3
#elif defined(CASTFORGE_ISA_AVX2)
#define CASTFORGE_X86 2
#elif defined(CASTFORGE_ISA_SSE4_2)
#define CASTFORGE_X86 1
#else
#define CASTFORGE_X86 0
#endif

#if defined(CASTFORGE_ISA_NEON64)
#define CASTFORGE_NEON 1
#else
#define CASTFORGE_NEON 0
#endif

#define CASTFORGE_VECTOR (CASTFORGE_X86 || CASTFORGE_NEON)

// lane::Needs, for operations of which a target has no form at all.
#define CASTFORGE_HAS_BYTES16 (CASTFORGE_X86 >= 1)
#define CASTFORGE_HAS_FLOAT16 (CASTFORGE_X86 >= 2 || CASTFORGE_NEON)
#define CASTFORGE_HAS_AVX512 (CASTFORGE_X86 >= 3)
#define CASTFORGE_HAS_VBMI (CASTFORGE_X86 >= 4)
#define CASTFORGE_HAS_NEON CASTFORGE_NEON
#define CASTFORGE_HAS_TABLES (CASTFORGE_X86 >= 4 || CASTFORGE_NEON)

#if CASTFORGE_X86
#include <immintrin.h>
#elif CASTFORGE_NEON
#include <arm_neon.h>
#endif

#if CASTFORGE_VECTOR
#include <xsimd/xsimd.hpp>
#endif

#define CASTFORGE_INLINE inline __attribute__((always_inline))

// For a lambda that is called in a loop, after its parameters and noexcept; Clang inlines without being told.
#if defined(__clang__)
#define CASTFORGE_LAMBDA_INLINE
#else
#define CASTFORGE_LAMBDA_INLINE __attribute__((always_inline))
#endif

// A loop that several kernels call: one copy per translation unit.
#if defined(__GNUC__) && !defined(__clang__)
#define CASTFORGE_SHARED __attribute__((noinline, noclone))
#else
#define CASTFORGE_SHARED __attribute__((noinline))
#endif

// Hides where a vector comes from. GCC would rather build a constant anew in every pass of a loop, from an immediate,
// than keep it in a register or on the stack. What it cannot see through it computes once, before the loop. (AVX2: 15 %
// of a kernel.)
#if CASTFORGE_X86 && !defined(__clang__)
#define CASTFORGE_OPAQUE(v) asm("" : "+v"(v))
#else
#define CASTFORGE_OPAQUE(v) static_cast<void>(v)
#endif

// Makes the value opaque: the compiler must have it in a vector register here.
#if CASTFORGE_X86
#define CASTFORGE_IN_VECTOR(v) asm("" : "+v"(v))
#else
#define CASTFORGE_IN_VECTOR(v) asm("" : "+w"(v))
#endif

namespace castforge::inline CASTFORGE_ISA::lane {

/// What a plan asks of the instruction set, as a set of bits.
enum class Needs : unsigned {
  nothing = 0,
  vector = 1,    ///< any vector unit at all
  bytes16 = 2,   ///< vectors of x86: shuffles within 16 bytes (an index from 128 on gives 0), conversions as there
  avx512 = 4,    ///< AVX-512 F CD BW DQ VL: lane masks, ternary logic, 64-bit lanes at full speed
  vbmi = 8,      ///< AVX-512 VBMI: bytes of a vector, or of two, in any order
  neon = 16,     ///< AArch64 vectors
  float16 = 32,  ///< conversions to float16, by F16C or as AArch64 has them
  tables = 64,   ///< tables of 64, 128 and 256 bytes in a few instructions: AVX-512 VBMI, AArch64
};

constexpr Needs operator|(Needs a, Needs b) noexcept {
  return static_cast<Needs>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr Needs operator&(Needs a, Needs b) noexcept {
  return static_cast<Needs>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}

/// What the instruction set of this translation unit offers, the bytes of one of its vectors (in the portable build, of
/// a word) and xsimd's name of it.
#if CASTFORGE_X86 >= 4
static constexpr Needs kIsaHas =
    Needs::vector | Needs::bytes16 | Needs::float16 | Needs::avx512 | Needs::vbmi | Needs::tables;
static constexpr std::size_t kVectorBytes = 64;
using Arch = xsimd::avx512vbmi;
#elif CASTFORGE_X86 == 3
static constexpr Needs kIsaHas = Needs::vector | Needs::bytes16 | Needs::float16 | Needs::avx512;
static constexpr std::size_t kVectorBytes = 64;
using Arch = xsimd::avx512bw;
#elif CASTFORGE_X86 == 2
static constexpr Needs kIsaHas = Needs::vector | Needs::bytes16 | Needs::float16;
static constexpr std::size_t kVectorBytes = 32;
using Arch = xsimd::fma3<xsimd::avx2>;
#elif CASTFORGE_X86
static constexpr Needs kIsaHas = Needs::vector | Needs::bytes16;
static constexpr std::size_t kVectorBytes = 16;
using Arch = xsimd::sse4_2;
#elif CASTFORGE_NEON
static constexpr Needs kIsaHas = Needs::vector | Needs::float16 | Needs::neon | Needs::tables;
static constexpr std::size_t kVectorBytes = 16;
using Arch = xsimd::neon64;
#else
static constexpr Needs kIsaHas = Needs::nothing;
static constexpr std::size_t kVectorBytes = 8;
#endif

/// True when every bit of `needs` is offered.
static constexpr bool isa_meets(Needs needs) noexcept { return (needs & kIsaHas) == needs; }

#if CASTFORGE_VECTOR
// The tag that all others derive from.
#if XSIMD_VERSION_MAJOR >= 14
using CommonArch = xsimd::common;
#else
using CommonArch = xsimd::generic;
#endif
#endif

}  // namespace castforge::inline CASTFORGE_ISA::lane

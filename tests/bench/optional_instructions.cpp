// What AVX512_BF16's conversion would gain, beside the library's kernel for the same conversion, and for how many of
// all 2^32 source codes it differs from that. .docs/performance.md, "Instructions left aside", has the results.
#include <benchmark/benchmark.h>
#include <immintrin.h>
#include <castforge/castforge.hpp>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Loop = void (*)(const void* src, void* dst, std::size_t count);  // count: a multiple of 32

#define WITH(sets) [[gnu::target(sets), gnu::noinline]]

/// vcvtne2ps2bf16 rounds to nearest, ties to even, and takes subnormal numbers as zero.
WITH("avx512f,avx512bw,avx512bf16")
void bfloat16_by_instruction(const void* src, void* dst, std::size_t count) {
  const auto* in = static_cast<const float*>(src);
  auto* out = static_cast<std::uint16_t*>(dst);
  for (std::size_t i = 0; i < count; i += 32) {
    const __m512bh both = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(in + i + 16), _mm512_loadu_ps(in + i));
    _mm512_storeu_si512(out + i, reinterpret_cast<__m512i>(both));
  }
}

/// x + 0x7fff + bit 16 of x: its upper half is x rounded, where x is finite.
WITH("avx512f,avx512bw") inline __m512i rounded_by_integers(const float* in) {
  const __m512i x = _mm512_loadu_si512(in);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(x, 16), _mm512_set1_epi32(1));
  return _mm512_add_epi32(_mm512_add_epi32(x, _mm512_set1_epi32(0x7fff)), odd);
}

/// The same with subnormal numbers put in, which have to be rounded by integers.
WITH("avx512f,avx512bw,avx512bf16")
void bfloat16_by_both(const void* src, void* dst, std::size_t count) {
  const auto* in = static_cast<const float*>(src);
  auto* out = static_cast<std::uint16_t*>(dst);
  std::uint16_t upper[32];
  for (int lane = 0; lane < 32; ++lane) upper[lane] = static_cast<std::uint16_t>(2 * lane + 1);
  const __m512i upper_halves = _mm512_loadu_si512(upper);
  const __m512i magnitude = _mm512_set1_epi16(0x7fff), smallest_normal = _mm512_set1_epi16(0x80);
  for (std::size_t i = 0; i < count; i += 32) {
    const __m512i both =
        reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(_mm512_loadu_ps(in + i + 16), _mm512_loadu_ps(in + i)));
    const __m512i small =
        _mm512_permutex2var_epi16(rounded_by_integers(in + i), upper_halves, rounded_by_integers(in + i + 16));
    // Where the instruction's result is below the smallest normal number, the sum has not wrapped.
    const __mmask32 tiny = _mm512_cmplt_epu16_mask(_mm512_and_si512(both, magnitude), smallest_normal);
    _mm512_storeu_si512(out + i, _mm512_mask_blend_epi16(tiny, both, small));
  }
}

void by_library(const void* src, void* dst, std::size_t count) {
  static const castforge::Kernel kernel =
      castforge::find_kernel("onnx@25", castforge::Type::float32, castforge::Type::bfloat16);
  if (!kernel.run(src, dst, count)) std::abort();
}

/// For how many of all float32 codes, but NaN, the loop differs from the library.
double wrong_codes(Loop loop) {
  constexpr std::size_t kCodes = 1 << 16;
  std::vector<std::uint32_t> codes(kCodes);
  std::vector<std::uint16_t> found(kCodes), expected(kCodes);
  std::uint64_t wrong = 0;
  for (std::uint64_t first = 0; first < std::uint64_t{1} << 32; first += kCodes) {
    for (std::size_t i = 0; i < kCodes; ++i) codes[i] = static_cast<std::uint32_t>(first + i);
    loop(codes.data(), found.data(), kCodes);
    by_library(codes.data(), expected.data(), kCodes);
    for (std::size_t i = 0; i < kCodes; ++i) {
      const bool nan = (codes[i] & 0x7fffffffU) > 0x7f800000U;
      wrong += !nan && found[i] != expected[i];
    }
  }
  return static_cast<double>(wrong);
}

void convert(benchmark::State& state, Loop loop) {
  const auto count = static_cast<std::size_t>(state.range(0));
  if (loop != by_library && (__builtin_cpu_supports("avx512bf16") == 0 || __builtin_cpu_supports("avx512bw") == 0)) {
    state.SkipWithError("needs a processor with AVX512_BF16");
    return;
  }
  std::vector<float> src(count);
  std::vector<std::uint16_t> dst(count);
  for (std::size_t i = 0; i < count; ++i) src[i] = 0.37F * static_cast<float>(i);
  for (auto _ : state) {
    loop(src.data(), dst.data(), count);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  static Loop counted = nullptr;
  static double wrong = 0;
  if (loop != counted) {
    counted = loop;
    wrong = wrong_codes(loop);
  }
  state.counters["wrong_codes"] = wrong;
}

}  // namespace

BENCHMARK_CAPTURE(convert, library, by_library)->Arg(16 << 10)->Arg(256 << 10);
BENCHMARK_CAPTURE(convert, instruction, bfloat16_by_instruction)->Arg(16 << 10)->Arg(256 << 10);
BENCHMARK_CAPTURE(convert, instruction_and_integers, bfloat16_by_both)->Arg(16 << 10)->Arg(256 << 10);
BENCHMARK_MAIN();

// What conversions of AVX512_BF16 and AVX512_FP16, which no class of instruction sets uses, would gain beside the
// library's kernels, and for how many source codes they differ from these. .docs/measured-choices.md, "Instructions
// left aside", has the results.
#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <castforge/castforge.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cli/bench/buffer.hpp"

namespace {

using castforge::Type;
using Loop = void (*)(const void* src, void* dst, std::size_t count);  // count: a multiple of 32

#define WITH(sets) [[gnu::target(sets)]]
#define FP16 WITH("avx512f,avx512bw,avx512dq,avx512vl,avx512fp16")

// Other compilers have AVX512_FP16's intrinsics only where everything is compiled for it, or not at all.
#if defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 12
#define KNOWS_FP16
#endif

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
WITH("avx512f,avx512bw,avx512bf16") inline __m512i rounded_by_integers(const float* in) {
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

#ifdef KNOWS_FP16
/// The magnitude of a float16, below 65536, truncated to an unsigned integer; the sign again; low bits of the result.
/// Infinities and NaN become zero.
FP16 inline __m512i truncated(const std::uint16_t* in) {
  const __m512i x = _mm512_loadu_si512(in);
  const __m512i magnitude = _mm512_and_si512(x, _mm512_set1_epi16(0x7fff));
  const __mmask32 finite = _mm512_cmplt_epu16_mask(magnitude, _mm512_set1_epi16(0x7c00));
  const __m512i whole = _mm512_maskz_cvttph_epu16(finite, _mm512_castsi512_ph(magnitude));
  return _mm512_mask_sub_epi16(whole, _mm512_movepi16_mask(x), _mm512_setzero_si512(), whole);
}

FP16 void float16_to_int16(const void* src, void* dst, std::size_t count) {
  const auto* in = static_cast<const std::uint16_t*>(src);
  auto* out = static_cast<std::uint16_t*>(dst);
  for (std::size_t i = 0; i < count; i += 32) _mm512_storeu_si512(out + i, truncated(in + i));
}

FP16 void float16_to_int8(const void* src, void* dst, std::size_t count) {
  const auto* in = static_cast<const std::uint16_t*>(src);
  auto* out = static_cast<std::uint8_t*>(dst);
  for (std::size_t i = 0; i < count; i += 32) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm512_cvtepi16_epi8(truncated(in + i)));
  }
}

FP16 void int16_to_float16(const void* src, void* dst, std::size_t count) {
  const auto* in = static_cast<const std::uint16_t*>(src);
  auto* out = static_cast<std::uint16_t*>(dst);
  for (std::size_t i = 0; i < count; i += 32) {
    constexpr int kNearestEven = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    const __m512i x = _mm512_loadu_si512(in + i);
    _mm512_storeu_si512(out + i, _mm512_castph_si512(_mm512_cvt_roundepi16_ph(x, kNearestEven)));
  }
}

FP16 void int8_to_float16(const void* src, void* dst, std::size_t count) {
  const auto* in = static_cast<const std::uint8_t*>(src);
  auto* out = static_cast<std::uint16_t*>(dst);
  for (std::size_t i = 0; i < count; i += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i));
    _mm512_storeu_si512(out + i, _mm512_castph_si512(_mm512_cvtepi16_ph(_mm512_cvtepi8_epi16(bytes))));
  }
}

#endif

constexpr std::size_t kSkew = 2048;  // source and result at other places of their pages

struct Trial {
  Type source, destination;
  Loop loop;  // null: the library's kernel
  bool (*runs_here)();
};

bool everywhere() { return true; }
bool has_bf16() { return __builtin_cpu_supports("avx512bf16") != 0 && __builtin_cpu_supports("avx512bw") != 0; }
[[maybe_unused]] bool
has_fp16() {  // CPUID leaf 7, EDX bit 23, that g++ 12 has no name for; with it come the sets of Sapphire Rapids
  unsigned a = 7, b = 0, c = 0, d = 0;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return (d >> 23 & 1) != 0 && __builtin_cpu_supports("avx512vl") != 0;
}

unsigned bytes(Type type) { return static_cast<unsigned>(castforge::type_info(type).storage_bits) / 8; }

/// Whether it is a NaN of float32, whose payload the instructions keep.
bool is_nan(Type type, std::uint64_t code) { return type == Type::float32 && (code & 0x7fffffffU) > 0x7f800000U; }

/// Of all source codes, NaN of float32 apart, for how many the loop's result differs from the library's.
double wrong_codes(const Trial& trial, const castforge::Kernel& kernel) {
  constexpr std::size_t kCodes = 1 << 16;
  const unsigned source_bytes = bytes(trial.source);
  const unsigned result_bytes = bytes(trial.destination);
  std::vector<char> codes(kCodes * source_bytes), found(kCodes * result_bytes), expected(kCodes * result_bytes);
  const std::uint64_t all = std::uint64_t{1} << 8 * source_bytes;
  std::uint64_t wrong = 0;
  for (std::uint64_t first = 0; first < all; first += kCodes) {
    for (std::size_t i = 0; i < kCodes; ++i) {
      const std::uint64_t code = first + i;
      std::memcpy(&codes[i * source_bytes], &code, source_bytes);
    }
    trial.loop(codes.data(), found.data(), kCodes);
    if (!kernel.run(codes.data(), expected.data(), kCodes)) std::abort();
    for (std::size_t i = 0; i < std::min<std::uint64_t>(kCodes, all); ++i) {
      if (is_nan(trial.source, first + i)) continue;
      wrong += std::memcmp(&found[i * result_bytes], &expected[i * result_bytes], result_bytes) != 0;
    }
  }
  return static_cast<double>(wrong);
}

void convert(benchmark::State& state, const Trial& trial) {
  if (!trial.runs_here()) {
    state.SkipWithError("this processor lacks the instruction");
    return;
  }
  const castforge::Kernel kernel = castforge::find_kernel("onnx@25", trial.source, trial.destination);
  const auto count = static_cast<std::size_t>(state.range(0));
  const unsigned source_bytes = bytes(trial.source);
  const castforge::cli::Buffer source(count * source_bytes, 0), result(count * bytes(trial.destination), kSkew);
  char* const src = static_cast<char*>(source.data());
  void* const dst = result.data();
  // Numbers of either sign around 1, whatever floating type they are read as; of integers, small ones.
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t code = trial.source == Type::float32 ? 0x3f000000U + i * 977U + (i % 2 << 31)
                                                             : 0x3800U + i * 7U % 0x800U + (i % 2 << 15);
    std::memcpy(&src[i * source_bytes], &code, source_bytes);
  }
  for (auto _ : state) {
    if (trial.loop != nullptr) {
      trial.loop(src, dst, count);
    } else if (!kernel.run(src, dst, count)) {
      std::abort();
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  static Loop counted = nullptr;
  static double wrong = 0;
  if (trial.loop == nullptr) return;
  if (trial.loop != counted) {
    counted = trial.loop;
    wrong = wrong_codes(trial, kernel);
  }
  state.counters["wrong_codes"] = wrong;
}

void add(const char* name, Trial trial) {
  benchmark::RegisterBenchmark(name, [trial](benchmark::State& state) { convert(state, trial); })
      ->Arg(16 << 10)
      ->Arg(256 << 10);
}

}  // namespace

int main(int argc, char** argv) {
  add("float32:bfloat16/library", {Type::float32, Type::bfloat16, nullptr, everywhere});
  add("float32:bfloat16/vcvtne2ps2bf16", {Type::float32, Type::bfloat16, bfloat16_by_instruction, has_bf16});
  add("float32:bfloat16/vcvtne2ps2bf16_and_integers", {Type::float32, Type::bfloat16, bfloat16_by_both, has_bf16});
#ifdef KNOWS_FP16
  add("float16:int16/library", {Type::float16, Type::int16, nullptr, everywhere});
  add("float16:int16/vcvttph2uw", {Type::float16, Type::int16, float16_to_int16, has_fp16});
  add("float16:int8/library", {Type::float16, Type::int8, nullptr, everywhere});
  add("float16:int8/vcvttph2uw", {Type::float16, Type::int8, float16_to_int8, has_fp16});
  add("int16:float16/library", {Type::int16, Type::float16, nullptr, everywhere});
  add("int16:float16/vcvtw2ph", {Type::int16, Type::float16, int16_to_float16, has_fp16});
  add("int8:float16/library", {Type::int8, Type::float16, nullptr, everywhere});
  add("int8:float16/vcvtw2ph", {Type::int8, Type::float16, int8_to_float16, has_fp16});
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

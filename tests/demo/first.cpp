// The first thing to see of castforge, before the whole library is built: three of its generated kernels on this
// machine, what they do to some numbers, whether all instruction sets agree, and how fast they are.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "first_kernels.hpp"
#include "src/cpu.hpp"

namespace castforge {
#define X(isa)                                 \
  inline namespace isa_##isa {                 \
    extern const first::Kernels kFirstKernels; \
  }
CASTFORGE_FIRST_ISAS
#undef X
}  // namespace castforge

namespace {

using castforge::first::Kernels;
using castforge::tables::KernelFn;

struct Isa {
  const char* name;
  const Kernels& kernels;
};

std::vector<Isa> usable() {
  std::vector<Isa> list;
#define X(isa) \
  if (castforge::cpu::can_run_##isa()) list.push_back({#isa, castforge::isa_##isa::kFirstKernels});
  CASTFORGE_FIRST_ISAS
#undef X
  return list;
}

constexpr std::size_t kElements = 1 << 18;

/// Numbers of any size, with special values among them.
std::vector<float> numbers() {
  std::vector<float> values(kElements);
  std::mt19937 random(1);
  for (float& value : values) {
    const std::uint32_t word = random();
    std::memcpy(&value, &word, sizeof value);
  }
  return values;
}

/// The best of several rounds.
template <class Work>
double seconds(const Work& work) {
  double best = 1;
  for (int round = 0; round < 200; ++round) {
    const auto started = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
  }
  return best;
}

/// Runs one kernel of every instruction set; false where their bytes differ.
bool compare(const char* what, KernelFn Kernels::*kernel, const void* source, std::size_t source_bytes,
             std::size_t result_bytes) {
  const std::vector<Isa> isas = usable();
  std::vector<std::uint8_t> expected(result_bytes), result(result_bytes), copy(source_bytes);
  (isas.front().kernels.*kernel)(source, expected.data(), kElements, 0);
  for (const Isa& isa : isas) {
    (isa.kernels.*kernel)(source, result.data(), kElements, 0);
    if (result != expected) {
      std::printf("%s: %s gives other bytes than %s\n", what, isa.name, isas.front().name);
      return false;
    }
  }
  const KernelFn best = isas.back().kernels.*kernel;
  const double cast = seconds([&] { best(source, result.data(), kElements, 0); });
  const double moved = seconds([&] { std::memcpy(copy.data(), source, source_bytes); });
  std::printf("  %-25s %6.1f G elements/s on %s, the same bytes on %zu instruction sets; memcpy of the source %.1f\n",
              what, kElements / cast / 1e9, isas.back().name, isas.size(), kElements / moved / 1e9);
  return true;
}

}  // namespace

int main() {
  const Kernels& kernels = usable().back().kernels;
  const float values[8] = {1.0F,  0.3F,  -448.0F,       480.0F,
                           1e-3F, -0.0F, std::nanf(""), std::numeric_limits<float>::infinity()};
  const std::uint8_t expected[8] = {0x38, 0x2A, 0xFE, 0x7E, 0x01, 0x80, 0x7F, 0x7E};
  std::uint8_t codes[8];
  float back[8];
  kernels.float32_to_float8e4m3fn(values, codes, 8, 0);
  kernels.float8e4m3fn_to_float32(codes, back, 8, 0);
  std::puts("  float32 to float8e4m3fn and back, saturating, as ONNX Cast says:");
  for (int i = 0; i < 8; ++i)
    std::printf("  %10g  ->  %02X  ->  %g\n", static_cast<double>(values[i]), codes[i], static_cast<double>(back[i]));
  if (std::memcmp(codes, expected, sizeof codes) != 0) {
    std::puts("castforge-first: these are other codes than they should be");
    return 1;
  }
  const std::vector<float> source = numbers();
  std::vector<std::uint8_t> narrow(kElements);
  kernels.float32_to_float8e4m3fn(source.data(), narrow.data(), kElements, 0);
  const bool same =
      compare("float32 to float8e4m3fn", &Kernels::float32_to_float8e4m3fn, source.data(), kElements * 4, kElements) &&
      compare("float32 to bfloat16", &Kernels::float32_to_bfloat16, source.data(), kElements * 4, kElements * 2) &&
      compare("float8e4m3fn to float32", &Kernels::float8e4m3fn_to_float32, narrow.data(), kElements, kElements * 4);
  return same ? 0 : 1;
}

// Casts 256 MiB of float32 to float8e4m3fn and tells how fast that is and what became of the elements.
#include <castforge/castforge.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr std::size_t kElements = 256 * 1024 * 1024 / sizeof(float);
constexpr std::size_t kBlock = 1 << 16;
constexpr int kRepetitions = 7;

// Like the weights and activations of a network: mostly small, a few outliers beyond the format, rare NaN.
std::vector<float> make_tensor() {
  std::vector<float> values(kElements);
  std::mt19937_64 random(20240607);
  std::normal_distribution<float> normal(0.0F, 1.0F);
  std::vector<float> block(kBlock);
  for (std::size_t i = 0; i < kBlock; ++i) {
    block[i] = normal(random);
    if (i % 64 == 0) block[i] *= 300.0F;
    if (i % 4096 == 0) block[i] = std::nanf("");
  }
  // The block over and over at other scales: drawing every element would take longer than all the rest.
  for (std::size_t start = 0; start < kElements; start += kBlock) {
    const float scale = 0.5F + static_cast<float>(start / kBlock % 101) / 100.0F;
    for (std::size_t i = 0; i < kBlock; ++i) values[start + i] = block[i] * scale;
  }
  return values;
}

template <class Work>
double best_seconds(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

int main() {
  const castforge::Kernel kernel =
      castforge::find_kernel("onnx@25", castforge::Type::float32, castforge::Type::float8e4m3fn, {});
  if (!kernel) {
    std::fprintf(stderr, "castforge-demo: %s\n", kernel.status().message().c_str());
    return 1;
  }

  const std::vector<float> source = make_tensor();
  std::vector<std::uint8_t> codes(kElements, 0);
  std::vector<float> copy(kElements, 0.0F);

  bool ran = true;
  const double cast_seconds =
      best_seconds([&] { ran = kernel.run(source.data(), codes.data(), kElements).ok() && ran; });
  const double copy_seconds = best_seconds([&] { std::memcpy(copy.data(), source.data(), kElements * sizeof(float)); });
  // As bits, some of which are a NaN's. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  if (!ran || std::memcmp(copy.data(), source.data(), kElements * sizeof(float)) != 0) {
    std::fprintf(stderr, "castforge-demo: the run failed\n");
    return 1;
  }

  // float8e4m3fn: 7E is 448, the largest value; 7F is NaN. An element is saturated if its magnitude exceeds 448.
  std::size_t saturated = 0, nans = 0, wrong = 0;
  for (std::size_t i = 0; i < kElements; ++i) {
    const unsigned magnitude = codes[i] & 0x7FU;
    const bool is_nan = std::isnan(source[i]);
    const bool is_saturated = std::fabs(source[i]) > 448.0F;
    nans += magnitude == 0x7F;
    saturated += magnitude == 0x7E && is_saturated;
    wrong += is_nan != (magnitude == 0x7F) || (is_saturated && magnitude != 0x7E);
  }

  const double elements = static_cast<double>(kElements);
  std::printf("kernel    %s on %s\n", std::string(kernel.name()).c_str(), std::string(kernel.isa()).c_str());
  std::printf("cast      %.2f G elements/s, %.1f GB/s read and written (best of %d, one thread)\n",
              elements / cast_seconds / 1e9, elements * 5.0 / cast_seconds / 1e9, kRepetitions);
  std::printf("memcpy    %.2f G elements/s, %.1f GB/s read and written, of the float32 tensor\n",
              elements / copy_seconds / 1e9, elements * 8.0 / copy_seconds / 1e9);
  std::printf("elements  %zu, of which saturated %zu, NaN %zu\n", kElements, saturated, nans);
  if (wrong != 0 || saturated == 0 || nans == 0) {
    std::fprintf(stderr, "castforge-demo: %zu elements are neither saturated nor NaN as they should be\n", wrong);
    return 1;
  }
  return 0;
}

// How fast amalgamated kernels are beside those of the library: elements per nanosecond, best of many runs in turn.
//
//   amalgam_speed [ELEMENTS...]        4096 and 262144 otherwise
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "entries.hpp"

namespace {

using namespace castforge::amalgam_tests;

double seconds_of(void (*run)(void*), void* data, std::size_t times) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < times; ++i) run(data);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(times);
}

struct Work {
  const castforge::Kernel* kernel;
  void (*function)(const void*, void*, std::size_t);
  const void* src;
  void* dst;
  std::size_t count;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {4096, 262144};
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  for (const char* isa : {"sse4_2", "avx2", "avx512", "avx512vbmi", "neon64"}) {
    if (casts_use_isa(isa) != 0) continue;
    for (const std::size_t count : sizes) {
      std::printf("%s, %zu elements\n", isa, count);
      double product = 1, least = std::numeric_limits<double>::max();
      int kernels = 0;
      for (const Entry& entry : kEntries) {
        const castforge::Kernel kernel = library_kernel(entry.kernel, isa);
        if (!kernel) return 1;
        std::vector<float> src(count * 2 + 16), dst(count * 2 + 16);
        for (float& x : src) x = normal(random);
        Work work = {&kernel, entry.run, src.data(), dst.data(), count};
        const auto library = [](void* data) {
          const Work& w = *static_cast<Work*>(data);
          static_cast<void>(w.kernel->run(w.src, w.dst, w.count));
        };
        const auto amalgam = [](void* data) {
          const Work& w = *static_cast<Work*>(data);
          w.function(w.src, w.dst, w.count);
        };
        const std::size_t times = std::max<std::size_t>(1, 200000 / count);
        const int rounds = count > (std::size_t{1} << 20) ? 40 : 400;
        double best_library = 1e9, best_amalgam = 1e9;
        for (int round = 0; round < rounds; ++round) {
          best_library = std::min(best_library, seconds_of(library, &work, times));
          best_amalgam = std::min(best_amalgam, seconds_of(amalgam, &work, times));
        }
        const double share = best_library / best_amalgam, all = static_cast<double>(count) * 1e-9;
        std::printf("  %-46s library %7.2f  amalgam %7.2f  share %.2f\n", entry.kernel, all / best_library,
                    all / best_amalgam, share);
        product *= share, ++kernels, least = std::min(least, share);
      }
      std::printf("  geometric mean %.3f, least %.2f\n", std::pow(product, 1.0 / kernels), least);
    }
  }
  return 0;
}

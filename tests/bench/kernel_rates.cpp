// How fast every kernel is on each instruction set of this machine, whatever op-set it belongs to. The generator reads
// such tables of families of processors on which the most capable set is not always the fastest
// (tests/evidence/README.md).
#include <castforge/castforge.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/bench/buffer.hpp"
#include "cli/bench/sample_data.hpp"
#include "cli/bench/stopwatch.hpp"

namespace {

using namespace castforge;

constexpr std::size_t kCount = 16 << 10;  // source and result lie in the first two caches

/// G elements/s on each set, all measured in turns.
std::vector<double> rates(std::size_t index, const std::vector<std::string>& isas, const cli::Buffer& src,
                          const cli::Buffer& dst, double seconds) {
  std::vector<Kernel> kernels;
  for (const std::string& isa : isas) kernels.push_back(kernel_at(index, isa));
  cli::fill_with_sample_data(kernels.front().src(), cli::SampleData::mixed, src.data(), kCount);
  std::vector<cli::Contestant> contestants;
  for (const Kernel& kernel : kernels) {
    contestants.push_back({.src = src.data(), .dst = dst.data(), .count = kCount, .kernel = &kernel});
  }
  std::vector<double> rates;
  for (const cli::Timing& timing : time_in_turns(contestants, {.seconds = seconds, .least_rounds = 5})) {
    rates.push_back(kCount / timing.seconds / 1e9);
  }
  return rates;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc < 3 ? 0 : std::strtod(argv[1], nullptr);
  if (!(seconds > 0)) {
    std::fprintf(stderr,
                 "usage: kernel_rates SECONDS ISA...\n"
                 "Prints for every kernel how many G elements/s it converts, %zu elements "
                 "at a time,\non each of the instruction sets, with SECONDS for each kernel.\n",
                 kCount);
    return 2;
  }
  const std::vector<std::string> isas(argv + 2, argv + argc);
  for (const std::string& isa : isas) {
    if (const Status status = isa_status(isa); !status) {
      std::fprintf(stderr, "kernel_rates: %s\n", std::string(status.message()).c_str());
      return 1;
    }
  }
  const cli::Buffer src(kCount * 8, 0), dst(kCount * 8, 2048);
  std::printf("kernel\tmeaning\tprograms");
  for (const std::string& isa : isas) std::printf("\t%s", isa.c_str());
  std::printf("\n");
  for (std::size_t i = 0; i < kernel_count(); ++i) {
    const Kernel kernel = kernel_at(i);
    const std::string name(kernel.name()), meaning(kernel.meaning()), programs(kernel.programs());
    std::printf("%s\t%s\t%s", name.c_str(), meaning.c_str(), programs.c_str());
    for (const double rate : rates(i, isas, src, dst, seconds)) std::printf("\t%.3g", rate);
    std::printf("\n");
  }
}

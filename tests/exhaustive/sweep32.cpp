// sweep32 [--src TYPE] [--dst TYPE] [--opset NAME] [--isa NAME]...
// All 2^32 codes of a 32-bit source through every kernel that matches, on every instruction set of this
// machine (or those named), against the oracle. Takes minutes for each kernel; not part of the default test
// run.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "checks.hpp"
#include "elements.hpp"

namespace castforge::exhaustive {

namespace {

constexpr std::uint64_t kAll = std::uint64_t{1} << 32;
constexpr std::uint64_t kChunk = std::uint64_t{1} << 18;

struct Filter {
  std::string src, dst, opset;
  std::vector<std::string> isas;
};

struct Sweep {
  const Duty& duty;
  std::vector<Subject> subjects;
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> failures{0};
  std::mutex printing;
};

void sweep_chunks(Sweep& sweep) {
  const oracle::Codec& src = oracle::codec(sweep.duty.request.src);
  const oracle::Codec& dst = oracle::codec(sweep.duty.request.dst);
  const oracle::Converter oracle(src, dst, sweep.duty.rule);
  const int bits = dst.format().storage;
  std::vector<std::uint64_t> codes(kChunk), expected(kChunk);
  std::vector<std::uint8_t> out(bytes_for(kChunk, bits));
  for (;;) {
    const std::uint64_t first = sweep.next.fetch_add(kChunk);
    if (first >= kAll) return;
    for (std::uint64_t i = 0; i < kChunk; ++i) {
      codes[i] = first + i;
      expected[i] = dst.stored(oracle(src.code_in(first + i)));
    }
    const std::vector<std::uint8_t> in = pack(codes, 32);
    const std::vector<std::uint8_t> want = pack(expected, dst.format());
    for (const Subject& subject : sweep.subjects) {
      subject.run(in.data(), out.data(), kChunk, 0);
      if (out == want) continue;
      for (std::uint64_t i = 0; i < kChunk; ++i) {
        const std::uint64_t got = element(out.data(), dst.format(), i);
        if (got == expected[i] || sweep.failures++ >= 10) continue;
        const std::lock_guard lock(sweep.printing);
        std::printf("FAIL %s on %s: %s gives %s, expected %s\n", subject.name.c_str(), subject.isa.c_str(),
                    hex(codes[i], 32).c_str(), hex(got, bits).c_str(), hex(expected[i], bits).c_str());
      }
    }
  }
}

std::uint64_t run(const Duty& duty, const std::vector<std::string>& isas) {
  Sweep sweep{duty, {}, {}, {}, {}};
  for (const std::string& isa : isas) sweep.subjects.push_back(subject_of(duty, isa));
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back([&sweep] { sweep_chunks(sweep); });
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  while (terminal && sweep.next < kAll) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::fprintf(stderr, "\r%s: %.1f %%", duty.kernel.c_str(),
                 100.0 * static_cast<double>(std::min<std::uint64_t>(sweep.next, kAll)) / kAll);
  }
  workers.clear();  // joins
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (terminal) std::fprintf(stderr, "\r");
  std::printf("%s (%s): 4294967296 codes on %zu instruction sets in %.0f s, %llu failures\n", duty.kernel.c_str(),
              label(duty).c_str(), sweep.subjects.size(), seconds, static_cast<unsigned long long>(sweep.failures));
  return sweep.failures;
}

int main_checked(int argc, char** argv) {
  Filter filter;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    const bool known = option == "--src" || option == "--dst" || option == "--opset" || option == "--isa";
    if (!known || i + 1 == argc) {
      std::fputs("usage: sweep32 [--src TYPE] [--dst TYPE] [--opset NAME] [--isa NAME]...\n", stderr);
      return 2;
    }
    if (option == "--src") filter.src = argv[i + 1];
    if (option == "--dst") filter.dst = argv[i + 1];
    if (option == "--opset") filter.opset = argv[i + 1];
    if (option == "--isa") filter.isas.push_back(argv[i + 1]);
  }
  if (filter.isas.empty()) filter.isas = usable_isas();
  std::uint64_t failures = 0, swept = 0;
  std::vector<std::string> problems;
  oracle::read_specs({std::string(CASTFORGE_SOURCE_DIR) + "/specs"});
  for (const std::string& type : tested_types()) {
    if (!filter.dst.empty() && type != filter.dst) continue;
    for (const Duty& duty : duties(type, problems, filter.opset)) {
      if (oracle::codec(duty.request.src).format().storage != 32) continue;
      if (!filter.src.empty() && duty.request.src != filter.src) continue;
      failures += run(duty, filter.isas);
      ++swept;
    }
  }
  if (swept == 0) std::fputs("sweep32: no kernel from a 32-bit type matches\n", stderr);
  return failures == 0 && swept > 0 ? 0 : 1;
}

}  // namespace

}  // namespace castforge::exhaustive

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    return castforge::exhaustive::main_checked(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "sweep32: %s\n", e.what());
    return 3;
  }
}

// unit_operations_sweep [--operation NAME]... [--isa NAME]... [--part K/N] [--record FILE]
// unit_operations_sweep --check FILE
// Operations with one operand at all 2^32 codes of a 32-bit lane that lie in their domain: scalar words and the vectors
// of every instruction set of this machine, or of those named, against the interpreter. A part is every Nth of the
// blocks of codes. All of it takes two thirds of an hour of one core; the default tests run a part. --record writes
// what is right at every code to a table (swept.tsv), --check says whether that has today's cases.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ir/operations.hpp"
#include "tested_isas.hpp"
#include "unit/operations/all_ways.hpp"
#include "unit/operations/cases.hpp"

extern "C" {
extern const char castforge_test_isa[];
const char castforge_test_isa[] = "portable";  // of this program; the others it asks for
bool castforge_machine_has(const char* isa);
}

namespace castforge::test {

#define CASTFORGE_DECLARE(isa)   \
  namespace isa_##isa {          \
    extern const WaysOfIsa ways; \
  }
CASTFORGE_TESTED_ISAS(CASTFORGE_DECLARE)

namespace {

constexpr std::uint64_t kAll = std::uint64_t{1} << 32;
constexpr std::size_t kBlock = std::size_t{1} << 12;
constexpr std::uint64_t kBlocks = kAll / kBlock;
constexpr std::uint64_t kShown = 10;  // wrong results of a case

struct Options {
  std::vector<std::string> operations, isas;
  std::uint64_t part = 0, parts = 1;
  std::string record, check;  // files
};

struct Tried {
  std::string name;  // instruction set and way
  const Way* way;
};

/// One operation, with the number in angle brackets that it has.
struct Sweep {
  const Case& one;
  std::vector<Tried> tried;
  std::uint64_t part, parts;
  std::atomic<std::uint64_t> next{0}, codes{0}, failures{0};
  std::mutex printing;

  std::uint64_t groups() const { return (kBlocks + parts - 1) / parts; }
};

class Worker {
 public:
  explicit Worker(Sweep& sweep)
      : sweep_(sweep),
        row_(ir::operation(sweep.one.op)),
        node_(sweep.one.program.result()),
        size_(static_cast<std::size_t>(node_.bits) / 8),
        codes_(kBlock),
        expected_(kBlock),
        operands_(kBlock),
        want_(kBlock * size_),
        got_(kBlock * size_) {}

  void run() {
    for (;;) {
      const std::uint64_t group = sweep_.next++;  // of blocks, one of which is in the part
      if (group >= sweep_.groups()) return;
      // Blocks that are a power of two apart would have the same leading fraction bits.
      const std::uint64_t block = group * sweep_.parts + (group + sweep_.part) % sweep_.parts;
      if (block < kBlocks) compare(block * kBlock);
    }
  }

 private:
  ir::Call call(const std::uint64_t* const& codes, std::size_t count) {
    ir::Call x;
    x.args = {&codes, 1};
    x.count = count;
    x.bits = sweep_.one.bits;
    x.to = node_.bits;
    x.imm = node_.imm;
    x.out = expected_.data();
    return x;
  }

  /// The codes of the block that are in the domain.
  std::size_t codes_from(std::uint64_t first) {
    for (std::size_t i = 0; i < kBlock; ++i) codes_[i] = first + i;
    const std::uint64_t* const all = codes_.data();
    if (row_.holds == nullptr || row_.holds(call(all, kBlock))) return kBlock;
    std::size_t count = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const std::uint64_t* const code = &all[i];
      if (row_.holds(call(code, 1))) codes_[count++] = all[i];
    }
    return count;
  }

  void compare(std::uint64_t first) {
    const std::size_t count = codes_from(first);
    if (count == 0) return;
    sweep_.codes += count;
    std::fill(codes_.begin() + static_cast<std::ptrdiff_t>(count), codes_.end(), codes_[0]);
    const std::uint64_t* const codes = codes_.data();
    row_.evaluate(call(codes, kBlock));
    for (std::size_t i = 0; i < kBlock; ++i) operands_[i] = static_cast<std::uint32_t>(codes_[i]);
    switch (size_) {
      case 1: want<std::uint8_t>(); break;
      case 2: want<std::uint16_t>(); break;
      case 4: want<std::uint32_t>(); break;
      default: want<std::uint64_t>(); break;
    }
    const auto* elements = reinterpret_cast<const std::byte*>(operands_.data());
    for (const Tried& tried : sweep_.tried) {
      std::memset(got_.data(), 0xA5, got_.size());  // what is not written shows
      tried.way->run(&elements, kBlock, got_.data());
      if (std::memcmp(got_.data(), want_.data(), got_.size()) != 0) show(tried);
    }
  }

  /// The expected results as a way writes them.
  template <class U>
  void want() {
    for (std::size_t i = 0; i < kBlock; ++i) {
      const auto result = static_cast<U>(expected_[i]);
      std::memcpy(&want_[i * sizeof result], &result, sizeof result);
    }
  }

  void show(const Tried& tried) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      if (std::memcmp(&got_[i * size_], &want_[i * size_], size_) == 0 || sweep_.failures++ >= kShown) continue;
      std::uint64_t got = 0;
      std::memcpy(&got, &got_[i * size_], size_);
      const std::lock_guard lock(sweep_.printing);
      std::printf("FAIL %s(%08llX) on %s: %llX, expected %llX\n", sweep_.one.name.c_str(),
                  static_cast<unsigned long long>(codes_[i]), tried.name.c_str(), static_cast<unsigned long long>(got),
                  static_cast<unsigned long long>(expected_[i]));
    }
  }

  Sweep& sweep_;
  const ir::Operation& row_;
  const ir::Node& node_;
  std::size_t size_;  // of a result
  std::vector<std::uint64_t> codes_, expected_;
  std::vector<std::uint32_t> operands_;
  std::vector<std::byte> want_, got_;
};

void run(Sweep& sweep) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back([&sweep] { Worker(sweep).run(); });
  while (::isatty(STDERR_FILENO) == 1 && sweep.next < sweep.groups()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::fprintf(stderr, "\r%s: %.1f %% ", sweep.one.name.c_str(),
                 100.0 * static_cast<double>(sweep.next) / static_cast<double>(sweep.groups()));
  }
  workers.clear();  // joins
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (::isatty(STDERR_FILENO) == 1) std::fprintf(stderr, "\r");
  std::printf("%s: %llu codes, %zu ways, %.1f s, %llu wrong results\n", sweep.one.name.c_str(),
              static_cast<unsigned long long>(sweep.codes.load()), sweep.tried.size(), seconds,
              static_cast<unsigned long long>(sweep.failures.load()));
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) return false;
    const char* const value = argv[i + 1];
    unsigned long long part = 0, parts = 0;
    if (option == "--operation") {
      options.operations.emplace_back(value);
    } else if (option == "--isa") {
      options.isas.emplace_back(value);
    } else if (option == "--record") {
      options.record = value;
    } else if (option == "--check") {
      options.check = value;
    } else if (option == "--part" && std::sscanf(value, "%llu/%llu", &part, &parts) == 2 && part < parts) {
      options.part = part;
      options.parts = parts;
    } else {
      return false;
    }
  }
  if (!options.check.empty() && argc != 3) return false;
  return options.record.empty() || (options.isas.empty() && options.parts == 1);
}

constexpr const char* kHeading = "operation\tcodes";

/// Names of operations and how many codes of each were compared, in the order of the table.
std::map<std::string, std::string> records_of(const std::string& path) {
  std::ifstream in(path);
  std::map<std::string, std::string> records;
  std::string line;
  if (std::getline(in, line) && line != kHeading)
    throw std::runtime_error(path + ":1: expected the heading of a table of swept operations, found " + line);
  while (std::getline(in, line)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) throw std::runtime_error(path + ": expected an operation and a number: " + line);
    records[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return records;
}

bool is_swept(const Case& one) { return one.bits == 32 && ir::operation(one.op).signature.arity == 1; }

/// Has the table the cases of today, and no other?
int compare_cases(const std::string& path) {
  std::map<std::string, std::string> records = records_of(path);
  int problems = 0;
  for (const Case& one : operation_cases()) {
    if (!is_swept(one)) continue;
    const auto record = records.find(one.name);
    if (record != records.end()) {
      const unsigned long long codes = std::strtoull(record->second.c_str(), nullptr, 10);
      if (ir::operation(one.op).holds == nullptr ? codes != kAll : codes == 0 || codes > kAll) {
        std::printf("%s: %s: expected as many codes as are in its domain, found %s\n", path.c_str(), one.name.c_str(),
                    record->second.c_str());
        ++problems;
      }
      records.erase(record);
      continue;
    }
    std::printf("%s: %s is missing: unit_operations_sweep --operation %s --record %s\n", path.c_str(), one.name.c_str(),
                ir::operation(one.op).name, path.c_str());
    ++problems;
  }
  for (const auto& [name, codes] : records) {
    std::printf("%s: %s is no case any more: remove its line\n", path.c_str(), name.c_str());
    ++problems;
  }
  return problems == 0 ? 0 : 1;
}

void write_records(const std::string& path, const std::map<std::string, std::string>& records) {
  std::ofstream out(path);
  out << kHeading << '\n';
  for (const auto& [name, codes] : records) out << name << '\t' << codes << '\n';
  if (!out.flush()) throw std::runtime_error(path + ": cannot be written");
}

bool named(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

int main_checked(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(
        "usage: unit_operations_sweep [--operation NAME]... [--isa NAME]... [--part K/N] [--record FILE]\n"
        "       unit_operations_sweep --check FILE\n"
        "--record is for all codes on all instruction sets: without --isa and --part\n",
        stderr);
    return 2;
  }
  if (!options.check.empty()) return compare_cases(options.check);
  std::map<std::string, std::string> records;
  if (!options.record.empty()) records = records_of(options.record);
  std::vector<const WaysOfIsa*> isas;
#define CASTFORGE_ADD(isa) isas.push_back(&isa_##isa::ways);
  CASTFORGE_TESTED_ISAS(CASTFORGE_ADD)
  const std::size_t all_isas = isas.size();
  std::erase_if(
      isas, [&](const WaysOfIsa* isa) { return !castforge_machine_has(isa->isa) || !named(options.isas, isa->isa); });

  if (!options.record.empty() && isas.size() != all_isas) {
    std::fputs("unit_operations_sweep: --record: this machine lacks an instruction set of this build\n", stderr);
    return 2;
  }
  for (const std::string& name : options.isas) {
    if (std::any_of(isas.begin(), isas.end(), [&](const WaysOfIsa* isa) { return isa->isa == name; })) continue;
    std::fprintf(stderr,
                 "unit_operations_sweep: --isa: %s is not among the instruction sets of this build and machine\n",
                 name.c_str());
    return 2;
  }

  const std::vector<Case> cases = operation_cases();
  std::map<std::string, std::uint64_t> swept;  // by instruction set: cases with a form there
  std::uint64_t count = 0, codes = 0, failures = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ir::Operation& row = ir::operation(cases[i].op);
    if (!is_swept(cases[i]) || !named(options.operations, row.name)) continue;
    Sweep sweep{cases[i], {}, options.part, options.parts, {}, {}, {}, {}};
    for (const WaysOfIsa* isa : isas) {
      const WaysOfCase& ways = *all_ways(*isa)[i];
      const std::size_t before = sweep.tried.size();
      for (std::size_t k = 0; k < ways.count; ++k) {
        // Words are the same in every object; those without vectors stand for them.
        if (ways.ways[k].on_words && isa->isa != std::string("portable")) continue;
        sweep.tried.push_back({isa->isa + std::string(", ") + ways.ways[k].name, &ways.ways[k]});
      }
      if (sweep.tried.size() > before) ++swept[isa->isa];
    }
    if (sweep.tried.empty()) continue;
    run(sweep);
    ++count;
    codes += sweep.codes;
    failures += sweep.failures;
    if (options.record.empty()) continue;
    records.erase(cases[i].name);
    if (sweep.failures == 0) records[cases[i].name] = std::to_string(sweep.codes);
    write_records(options.record, records);
  }
  std::printf("%llu operations, one with a number in angle brackets once for each; %llu codes; with forms",
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(codes));
  for (const WaysOfIsa* isa : isas) std::printf(" %s %llu", isa->isa, static_cast<unsigned long long>(swept[isa->isa]));
  std::printf("; %llu wrong results\n", static_cast<unsigned long long>(failures));
  if (count == 0) std::fputs("unit_operations_sweep: no operation with one 32-bit operand has that name\n", stderr);
  return failures == 0 && count > 0 ? 0 : 1;
}

}  // namespace
}  // namespace castforge::test

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    return castforge::test::main_checked(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "unit_operations_sweep: %s\n", e.what());
    return 3;
  }
}

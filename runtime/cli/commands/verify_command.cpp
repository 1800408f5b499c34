// castforge verify [--pair SRC:DST]... [--isa NAME,NAME] [--level quick|exhaustive] [--record FILE] [--shard I/N]
#include "cli/commands/commands.hpp"
#include "cli/commands/part.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/more_threads.hpp"
#include "cli/io/step_progress.hpp"
#include "cli/io/words.hpp"
#include "cli/records/record_file.hpp"
#include "cli/selection/pair_list.hpp"
#include "cli/terminal/usage.hpp"
#include "cli/verify/kernel_check.hpp"

#include <castforge/interface.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace castforge::cli {
namespace {

constexpr const char* kVerifyFooter =
    R"(What is compared: every compiled kernel of the pair, whatever the op-set, on each instruction set, with
conversions done one element at a time in whole numbers and rounded once. They know types and rule as data, from
the library's tables: rounding modes and formats of a user's own are compared like those shipped. That rules are
those of the op-sets is not checked here: `castforge-gen verify` and the test suite do that.

With which source codes: all of types of up to 16 bits. Of wider ones those that decide roundings: every exponent,
truncated at every place, with every kind of remainder; and random ones. --level exhaustive: all 2^32 of types of 32
bits too, seconds for each kernel and instruction set.

--record FILE: what was compared at all codes of types above 16 bits is added to FILE as soon as it is right, bound to
the kernel's rule and programs by their hashes, not to the compiler of this library; kernels that FILE has already are
left out at either level, so that the command goes on where it was stopped. Lines of kernels or programs that this
library does not have are dropped; proofs stay. Kernels of --load are not recorded. `castforge-gen generate` marks
kernels by such files.

Examples:
  castforge verify
  castforge verify --pair float32:float8e4m3fn --isa avx2,avx512
  castforge verify --pair float32:float16 --level exhaustive
  castforge verify --level exhaustive --threads 2 --record sweep.tsv
      Every kernel and every instruction set of this machine. --shard 0/4 to 3/4: on four machines, a FILE each.

Exit codes: 0 all right, 1 a file of --load is bad, or the FILE of --record holds something else, 2 wrong usage, 4
input/output error, 5 a kernel gives wrong results.)";

struct VerifyArguments {
  std::vector<std::string> pairs;
  std::string isa;
  std::string level = "quick", part, record;
  unsigned threads = 1;
  bool json = false;
};

/// A kernel that is asked only what no instruction set changes: name, types, rule, programs.
Kernel any_kernel(std::size_t index) {
  const Kernel kernel = kernel_at(index);
  if (!kernel) throw usage_error(kernel.status().message());
  return kernel;
}

/// A kernel and the instruction sets to run it on.
struct Task {
  std::size_t kernel;
  std::vector<std::string> isas;
};

#if defined(__clang__)
constexpr const char* kCompiler = "clang++ " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

/// What has been compared at every source code, on record; nothing where no file is named.
class Sweeps {
 public:
  explicit Sweeps(const std::string& path) {
    if (path.empty()) return;
    std::set<std::pair<std::string_view, std::string_view>> kernels;
    for (std::size_t i = 0; i < kernel_count(); ++i) {
      const Kernel kernel = any_kernel(i);
      kernels.emplace(kernel.meaning(), kernel.programs());
    }
    // Proofs stay: whether they still hold only castforge-gen can say.
    file_.emplace(path, [&](const records::Record& record) {
      return record.how == records::How::smt || kernels.contains({record.meaning, record.programs});
    });
  }

  /// Those of the instruction sets that are not on record.
  std::vector<std::string> open(const Kernel& kernel, const std::vector<std::string>& isas) const {
    if (!file_) return isas;
    std::set<std::string> done;
    for (const records::Record& record : file_->records()) {
      if (record.how == records::How::exhaustive && record.meaning == kernel.meaning() &&
          record.programs == kernel.programs())
        done.insert(record.isas.begin(), record.isas.end());
    }
    std::vector<std::string> left;
    std::copy_if(isas.begin(), isas.end(), std::back_inserter(left),
                 [&](const std::string& name) { return !done.contains(name); });
    return left;
  }

  void add(const Kernel& kernel, const std::vector<std::string>& isas) {
    // What is compared in full every time needs no record; kernels that are data have no programs.
    const int bits = type_info(kernel.src()).value_bits;
    if (!file_ || bits <= 16 || kernel.programs().empty()) return;
    file_->add({std::string(kernel.name()), std::string(kernel.meaning()), std::string(kernel.programs()),
                records::How::exhaustive, isas, bits, text("castforge ", version(), ", ", kCompiler)});
  }

  void finish() {
    if (file_) file_->sort();
  }

  std::size_t dropped() const { return file_ ? file_->dropped() : 0; }

 private:
  std::optional<records::RecordFile> file_;
};

std::vector<std::size_t> kernels_of(const std::vector<TypePair>& pairs) {
  std::vector<std::size_t> kernels;
  std::vector<TypePair> found;
  for (std::size_t i = 0; i < kernel_count(); ++i) {
    const Kernel kernel = any_kernel(i);
    const TypePair pair{kernel.src(), kernel.dst()};
    if (!pairs.empty() && std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) continue;
    kernels.push_back(i);
    found.push_back(pair);
  }
  for (const TypePair& pair : pairs) {
    if (std::find(found.begin(), found.end(), pair) != found.end()) continue;
    throw usage_error(text("--pair: there is no kernel for ", text_of(pair)));
  }
  return kernels;
}

void print_wrong(const KernelCheck& check) {
  if (!check.problem.empty()) std::cout << check.kernel << ": " << check.problem << '\n';
  if (check.wrong == 0) return;
  std::cout << check.kernel << ": " << std::dec << check.wrong << " wrong\n";
  for (const Disagreement& one : check.first) {
    std::cout << "  " << one.isa << std::hex << ": 0x" << one.source << " gives 0x" << one.found << ", expected 0x"
              << one.expected << std::dec << '\n';
  }
}

std::string hexadecimal(std::uint64_t code) { return text("0x", std::hex, code); }

nlohmann::ordered_json wrong_json(const KernelCheck& check) {
  nlohmann::ordered_json found = nlohmann::ordered_json::array();
  for (const Disagreement& one : check.first) {
    found.push_back({{"isa", one.isa},
                     {"source", hexadecimal(one.source)},
                     {"expected", hexadecimal(one.expected)},
                     {"found", hexadecimal(one.found)}});
  }
  return {{"kernel", check.kernel}, {"wrong", check.wrong}, {"problem", check.problem}, {"first", found}};
}

struct Totals {
  std::size_t kernels = 0, complete = 0, wrong = 0, recorded = 0;
  std::uint64_t codes = 0;
  std::map<std::string, double> seconds;  // by instruction set, of kernels whose 2^32 codes were tried
  double exact_seconds = 0;
  nlohmann::ordered_json failures = nlohmann::ordered_json::array();
};

/// The kernels of this part that are not on record.
std::vector<Task> tasks_of(const VerifyArguments& options, const std::vector<std::string>& isas, const Sweeps& sweeps,
                           Totals& totals) {
  const std::vector<std::size_t> kernels = kernels_of(pairs_from(options.pairs));
  const Part part = options.part.empty() ? Part() : part_from(options.part);
  std::vector<Task> tasks;
  for (std::size_t i = part.index; i < kernels.size(); i += part.count) {
    std::vector<std::string> open = sweeps.open(any_kernel(kernels[i]), isas);
    if (open.empty()) ++totals.recorded;
    else tasks.push_back({kernels[i], std::move(open)});
  }
  return tasks;
}

void count(const Task& task, const KernelCheck& check, const VerifyArguments& options, Totals& totals, Sweeps& sweeps) {
  if (!options.json) print_wrong(check);
  ++totals.kernels;
  totals.codes += check.codes * task.isas.size();
  totals.complete += check.complete;
  totals.exact_seconds += check.exact_seconds;
  for (std::size_t k = 0; k < check.seconds.size(); ++k) totals.seconds[task.isas[k]] += check.seconds[k];
  if (check.wrong > 0 || !check.problem.empty()) {
    ++totals.wrong;
    totals.failures.push_back(wrong_json(check));
  } else if (check.complete) {
    sweeps.add(any_kernel(task.kernel), task.isas);
  }
}

/// Returns whether all kernels are right.
bool run(const VerifyArguments& options) {
  // Without --isa all; those that CASTFORGE_FORCE_ISA leaves, as everywhere.
  const char* const forced = std::getenv("CASTFORGE_FORCE_ISA");
  const bool all = options.isa.empty() && (forced == nullptr || *forced == '\0');
  const std::vector<std::string> isas = isas_from(all ? "all" : options.isa);
  const Level level = options.level == "exhaustive" ? Level::exhaustive : Level::quick;
  Totals totals;
  Sweeps sweeps(options.record);
  const std::vector<Task> tasks = tasks_of(options, isas, sweeps, totals);
  {
    StepProgress progress;
    std::mutex turn;
    std::size_t next = 0;
    std::exception_ptr failure;
    const auto work = [&] {
      std::unique_lock lock(turn);
      while (next < tasks.size() && !failure) {
        const Task& task = tasks[next];
        progress.begin(next++, tasks.size(), std::string(any_kernel(task.kernel).name()));
        lock.unlock();
        std::optional<KernelCheck> check;
        std::exception_ptr failed;
        try {
          check = check_kernel(task.kernel, task.isas, level);
        } catch (...) {
          failed = std::current_exception();
        }
        lock.lock();
        try {
          if (failed) std::rethrow_exception(failed);
          count(task, *check, options, totals, sweeps);
        } catch (...) {
          failure = std::current_exception();
        }
      }
    };
    {
      std::vector<std::jthread> others;
      start_more(others, threads_or_all(options.threads), work);
      work();
    }
    if (failure) std::rethrow_exception(failure);
  }
  sweeps.finish();
  if (options.json) {
    nlohmann::ordered_json out = {{"kernels", totals.kernels},    {"isas", isas},
                                  {"results", totals.codes},      {"with_every_source_code", totals.complete},
                                  {"on_record", totals.recorded}, {"records_dropped", sweeps.dropped()},
                                  {"wrong", totals.wrong},        {"failures", totals.failures}};
    for (const auto& [isa, seconds] : totals.seconds) out["seconds"][isa] = seconds;
    std::cout << json_text(out, 2) << '\n';
    return totals.wrong == 0;
  }
  std::cout << counted(totals.kernels, "kernel") << " on " << joined(isas, ", ") << ": "
            << counted(totals.codes, "result") << " compared, " << counted(totals.wrong, "kernel") << " wrong\n"
            << "  " << totals.complete << " with every source code, " << totals.kernels - totals.complete
            << " with representative ones\n";
  if (totals.recorded > 0) std::cout << "  " << totals.recorded << " more on record\n";
  if (sweeps.dropped() > 0) {
    std::cout << "  " << counted(sweeps.dropped(), "record")
              << " dropped, of kernels or programs that this library does not have\n";
  }
  if (!totals.seconds.empty()) {
    std::cout << std::fixed << std::setprecision(1) << "  seconds at all 2^32 codes:";
    for (const auto& [isa, seconds] : totals.seconds) std::cout << ' ' << isa << ' ' << seconds << ',';
    std::cout << " exact results " << totals.exact_seconds << '\n';
  }
  return totals.wrong == 0;
}

}  // namespace

void add_verify_command(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<VerifyArguments>();
  CLI::App* command = program.add_subcommand("verify", "Compare the compiled kernels with exact results");
  command
      ->add_option("--pair", options->pairs,
                   "Conversions whose kernels to compare, as SRC:DST,SRC:DST; can be given several times. None: all")
      ->type_name("PAIRS")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--isa", options->isa,
          "Instruction sets, as NAME,NAME, or all: all that this machine can run. Without it all, or the one that "
          "CASTFORGE_FORCE_ISA names")
      ->type_name("ISA");
  command
      ->add_option(
          "--level", options->level,
          "quick: of types above 16 bits the codes that decide roundings; exhaustive: all 2^32 of 32-bit types")
      ->type_name("LEVEL")
      ->check(terminal::one_of({"quick", "exhaustive"}))
      ->capture_default_str();
  command->add_option("--record", options->record, "A file of what was compared at every code; see below")
      ->type_name("FILE")
      ->check(terminal::file_path());
  command->add_option("--shard", options->part, "Part I of N of the kernels only, counted from 0")
      ->type_name("I/N")
      ->check(terminal::not_empty("I/N"));
  terminal::add_threads(*command, options->threads, "Kernels that are compared at the same time", 256);
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(kVerifyFooter);
  command->callback([options, &exit_code] {
    if (!run(*options)) exit_code = static_cast<int>(ExitCode::verification_failed);
  });
}

}  // namespace castforge::cli

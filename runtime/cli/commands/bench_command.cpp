// castforge bench [--pair SRC:DST]... | [--all] ...
#include "cli/bench/bench_report.hpp"
#include "cli/bench/machine.hpp"
#include "cli/commands/commands.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/more_threads.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/step_progress.hpp"
#include "cli/io/words.hpp"
#include "cli/terminal/usage.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <set>
#include <system_error>

namespace castforge::cli {
namespace {

constexpr const char* kBenchFooter =
    R"(What is measured: one thread, buffers in memory, normally distributed numbers with some special ones
(integers: uniform), or the kinds of --data, each in the same buffers. Kernels and copies take turns; the median of the
thread's own time counts. "/memcpy" is the rate over that of std::memcpy of (read + written) / 2 bytes, which moves as
many bytes; "/loop" over that of a plain loop of vector loads and stores that does the same; "/moves" over that of a
loop that loads and stores as many vectors as the conversion and computes nothing. Below 1 it shows what the
conversion's own work costs.

With --threads N every pair gets a second line: castforge::cast with the work in N parts, one per thread, beside copies
split alike. By the wall clock, because threads wait for each other. "/1 thread" is the rate over that of the same call
by one thread, in the same run; "memcpy's" is how far memcpy rises. Small conversions gain nothing: waking the threads
takes longer than they save.

--data, of floating sources (integers are uniform, or zero):
  mixed      normal, and one in 64 a zero, infinity, NaN, the least or largest number, or any code (the default)
  normal     normally distributed around 0 with deviation 1
  subnormal  below the smallest normal number      zero       of both signs
  special    infinities and NaN                    huge       of the last binade
  all-codes  codes at random                       range      2^-155 to 2^-120, where float32 becomes subnormal
A type that has no such numbers is given normal ones. Where normal is one of several, "/normal" is the rate over that
with normal numbers.

Examples:
  castforge bench --pair float32:float8e4m3fn --pair float8e4m3fn:float32
  castforge bench --pair f32:f16 --isa avx2,avx512 --size 64Ki --size 64Mi
  castforge bench --pair float32:bfloat16 --size 64Mi --threads 2
      How much faster two threads are than one.
  castforge bench --pair float32:float8e4m3fn --data normal,subnormal,special
      Does the speed depend on the numbers? Where a plan multiplies, processors may take long over subnormal ones.
  castforge bench --all --isa all --json bench.json
      Every pair of the default op-set on every instruction set of this machine.

Exit codes: 0 done, 1 a file of --load is bad, 2 wrong usage, 4 input/output error.)";

struct BenchArguments {
  std::vector<std::string> pairs, sizes;
  std::string json, tsv, data = "mixed";
  bool all = false;
  std::string seconds = "780";
  std::string threads = "1";
  KernelOptions kernel;
};

/// "16384", "16Ki", "64Mi"
std::size_t size_from(const std::string& word) {
  std::size_t number = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
  int shift = -1;
  if (suffix.empty()) shift = 0;
  if (suffix == "Ki") shift = 10;
  if (suffix == "Mi") shift = 20;
  if (suffix == "Gi") shift = 30;
  const bool fits =
      error == std::errc() && shift >= 0 && number != 0 && number <= std::numeric_limits<std::size_t>::max() >> shift;
  if (!fits)
    throw usage_error(
        text("--size: expected a number of elements such as 16384, 16Ki or 64Mi, found ", in_quotes(word)));
  return number << shift;
}

std::vector<std::size_t> sizes_from(const std::vector<std::string>& lists) {
  if (lists.empty()) return {std::size_t{16} << 10, std::size_t{256} << 10, std::size_t{64} << 20};
  std::set<std::size_t> sizes;
  for (const std::string& list : lists) {
    for (const std::string& word : split(list, ',')) sizes.insert(size_from(word));
  }
  return {sizes.begin(), sizes.end()};
}

/// "normal,subnormal"
std::vector<SampleData> data_from(const std::string& words) {
  std::vector<SampleData> kinds;
  std::vector<std::string> all;
  for (const NamedData& one : sample_data_names()) all.emplace_back(one.name);
  for (const std::string& word : split(words, ',')) {
    const auto names = sample_data_names();
    const auto found = std::find_if(names.begin(), names.end(), [&](const NamedData& one) { return one.name == word; });
    if (found == names.end()) {
      throw usage_error(text("--data: expected one or several of ", joined(all, ", "), ", found ", in_quotes(word),
                             did_you_mean(word, all)));
    }
    if (std::find(kinds.begin(), kinds.end(), found->data) == kinds.end()) kinds.push_back(found->data);
  }
  return kinds;
}

unsigned threads_from(const std::string& word) {
  // Threads that take turns on a processor would be measured waiting for it.
  const unsigned most = threads_or_all(0);
  const auto threads = parse_number<unsigned>(word);
  if (!threads || *threads > most) {
    throw usage_error(text("--threads: expected a number from 0 to ", most,
                           ", which is how many processors there are, found ", in_quotes(word)));
  }
  return threads_or_all(*threads);
}

double seconds_from(const std::string& word) {
  const auto seconds = parse_number<double>(word);
  if (!seconds || !std::isfinite(*seconds) || *seconds <= 0) {
    throw usage_error(text("--seconds: expected a number above 0, found ", in_quotes(word)));
  }
  return *seconds;
}

/// Would the output that is written last take the place of the other one?
bool are_one_file(const std::string& json, const std::string& tsv) {
  namespace fs = std::filesystem;
  if (json.empty() || tsv.empty()) return false;
  const auto open = descriptor_of_output(json), other = descriptor_of_output(tsv);
  if (open || other) return open == other;
  std::error_code error;
  const auto whole = [&error](const std::string& name) {
    return fs::weakly_canonical(fs::absolute(name, error), error);
  };
  const fs::path path = whole(json);
  const bool is_replaced = !fs::exists(path, error) || fs::is_regular_file(path, error);
  return is_replaced && !path.empty() && path == whole(tsv);
}

BenchPlan plan_from(const BenchArguments& options) {
  if (options.json == "-" && options.tsv == "-")
    throw usage_error("standard output takes --json - or --tsv -, not both");
  if (are_one_file(options.json, options.tsv))
    throw usage_error(text("--tsv: expected another file than that of --json, found ", in_quotes(options.tsv)));
  if (options.all && !options.pairs.empty()) throw usage_error("--all: expected without --pair, found with it");
  BenchPlan plan;
  plan.pairs = options.pairs.empty() ? admitted_pairs(options.kernel.set()) : pairs_from(options.pairs);
  if (plan.pairs.empty()) throw usage_error(text(options.kernel.set().name(), " converts no numbers to others"));
  plan.isas = isas_from(options.kernel.isa);
  plan.sizes = sizes_from(options.sizes);
  plan.smaller_where_short = options.sizes.empty();
  plan.data = data_from(options.data);
  if (!options.tsv.empty() && std::find(plan.data.begin(), plan.data.end(), SampleData::mixed) == plan.data.end())
    throw usage_error(text("--tsv: a table has the rates with mixed data alone; expected mixed among --data, found ",
                           in_quotes(options.data)));
  plan.kernel = options.kernel;
  plan.kernel.opset = options.kernel.set(plan.pairs.front().src, plan.pairs.front().dst).name();
  plan.seconds = seconds_from(options.seconds);
  plan.threads = threads_from(options.threads);
  return plan;
}

void run(const BenchArguments& options) {
  const BenchPlan plan = plan_from(options);
  // Opened first: a file that cannot be written is no news for the end of a quarter of an hour.
  std::unique_ptr<OutputFile> json, tsv;
  if (!options.json.empty()) json = std::make_unique<OutputFile>(options.json);
  if (!options.tsv.empty()) tsv = std::make_unique<OutputFile>(options.tsv);
  std::vector<BenchResult> results;
  {
    StepProgress progress;
    const std::size_t steps = steps_of(plan);
    results = run_bench(plan, [&](std::size_t index, const std::string& what) { progress.begin(index, steps, what); });
  }
  if (json) {
    json->write(benchmark_json(results, plan.kernel));
    json->commit();
  }
  if (tsv) {
    tsv->write(speed_table(results));
    tsv->commit();
  }
  if (options.json == "-" || options.tsv == "-") return;
  if (results.size() <= 60) {
    print_table(std::cout, results);
  } else {
    print_summary(std::cout, results);
  }
}

}  // namespace

void add_bench_command(CLI::App& program, int&) {
  auto options = std::make_shared<BenchArguments>();
  CLI::App* command = program.add_subcommand("bench", "Measure the speed of conversions beside plain copies");
  command
      ->add_option("--pair", options->pairs, "Conversions to measure, as SRC:DST,SRC:DST; can be given several times")
      ->type_name("PAIRS")
      ->allow_extra_args(false);
  command->add_flag("--all", options->all, "Measure every numeric pair of the op-set; so it does without --pair, too");
  command
      ->add_option("--size", options->sizes,
                   "Numbers of elements, as in 16384 or 4Ki,64Mi; can be given several times "
                   "(16Ki, 256Ki and 64Mi where none is given; less where memory is short)")
      ->type_name("COUNTS")
      ->allow_extra_args(false);
  command->add_option("--data", options->data, "What the source elements are: NAME,NAME; see below")
      ->type_name("NAMES")
      ->capture_default_str();
  command
      ->add_option("--json", options->json,
                   "Write the results to a file, in Google Benchmark's format; `-` is standard output")
      ->type_name("FILE")
      ->check(terminal::file_path());
  command
      ->add_option("--tsv", options->tsv,
                   "Write the rates of one thread with mixed data to a file, as a table for `castforge-gen audit "
                   "--speeds`; `-` is standard output")
      ->type_name("FILE")
      ->check(terminal::file_path());
  command
      ->add_option("--seconds", options->seconds,
                   "What the whole may take, roughly: with less time there are fewer repetitions")
      ->type_name("SECONDS")
      ->capture_default_str();
  command
      ->add_option("--threads", options->threads,
                   "Measure also with the work split among so many threads, at most one per processor; 0 is one per "
                   "processor")
      ->type_name("N")
      ->capture_default_str();
  options->kernel.add_to(*command);
  command->get_option("--isa")->description(
      "Instruction sets, as NAME,NAME or `all`; `castforge info` shows those of this machine");
  command->footer(kBenchFooter);
  command->callback([options] { run(*options); });
}

}  // namespace castforge::cli

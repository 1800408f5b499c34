#include "cli/bench/bench_report.hpp"

#include "cli/bench/machine.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>

namespace castforge::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Results of one size, instruction set, kind of data and number of threads, in the order of the results.
struct Group {
  std::size_t size;
  std::string isa;
  SampleData data;
  unsigned threads;
  std::vector<const BenchResult*> results;
};

std::vector<Group> groups_of(const std::vector<BenchResult>& results) {
  std::vector<Group> groups;
  for (const BenchResult& result : results) {
    const auto same = [&](const Group& group) {
      return group.size == result.size && group.isa == result.isa && group.data == result.data &&
             group.threads == result.threads;
    };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end())
      group = groups.insert(groups.end(), {result.size, result.isa, result.data, result.threads, {}});
    group->results.push_back(&result);
  }
  return groups;
}

template <class Ratio>
double geometric_mean(const Group& group, const Ratio& ratio) {
  double sum = 0;
  for (const BenchResult* result : group.results) sum += std::log(ratio(*result));
  return std::exp(sum / static_cast<double>(group.results.size()));
}

template <class Ratio>
double least(const Group& group, const Ratio& ratio) {
  double least = HUGE_VAL;
  for (const BenchResult* result : group.results) least = std::min(least, ratio(*result));
  return least;
}

bool several_threads(const std::vector<BenchResult>& results) {
  return std::any_of(results.begin(), results.end(), [](const BenchResult& result) { return result.threads > 1; });
}

/// Is anything but the usual mixture among them? Then tables say which data.
bool names_data(const std::vector<BenchResult>& results) {
  return std::any_of(results.begin(), results.end(),
                     [](const BenchResult& result) { return result.data != SampleData::mixed; });
}

/// Were normal numbers measured, and others?
bool compares_with_normal(const std::vector<BenchResult>& results) {
  return std::any_of(results.begin(), results.end(), [](const BenchResult& result) {
    return result.normal_seconds > 0 && result.data != SampleData::normal;
  });
}

void print_rise(std::ostream& out, const std::vector<Group>& groups) {
  const auto ratio = [](const BenchResult& result) { return result.one_thread_ratio(); };
  const auto memcpy_ratio = [](const BenchResult& result) { return result.memcpy_one_thread_ratio(); };
  out << "\nRate over that of one thread:\n"
      << std::right << std::setw(9) << "elements"
      << "  " << std::left << std::setw(12) << "isa" << std::right << std::setw(8) << "threads" << std::setw(6)
      << "pairs" << std::setw(10) << "mean" << std::setw(9) << "least" << std::setw(15) << "memcpy's: mean" << '\n';
  for (const Group& group : groups) {
    if (group.threads == 1) continue;
    out << std::setw(9) << short_count(group.size) << "  " << std::left << std::setw(12) << group.isa << std::right
        << std::setw(8) << group.threads << std::setw(6) << group.results.size() << std::setw(10)
        << geometric_mean(group, ratio) << std::setw(9) << least(group, ratio) << std::setw(15)
        << geometric_mean(group, memcpy_ratio) << '\n';
  }
}

}  // namespace

std::string benchmark_name(const BenchResult& result, const KernelOptions& options) {
  std::string name = text("cast/", text_of(result.pair), '/', options.opset, '/', result.isa, '/', result.size);
  for (const auto& [attribute, value] : options.given_attributes()) name += '/' + attribute + ':' + value;
  if (result.data != SampleData::mixed) name += text("/data:", name_of(result.data));
  if (result.threads > 1) name += text("/threads:", result.threads);
  return name;
}

std::string benchmark_json(const std::vector<BenchResult>& results, const KernelOptions& options) {
  Json list = Json::array();
  for (const BenchResult& result : results) {
    const std::string name = benchmark_name(result, options);
    Json entry = {{"name", name},
                  {"family_index", list.size()},
                  {"per_family_instance_index", 0},
                  {"run_name", name},
                  {"run_type", "iteration"},
                  {"repetitions", 1},
                  {"repetition_index", 0},
                  {"threads", result.threads},
                  {"data", name_of(result.data)},
                  {"iterations", result.calls},
                  {"real_time", result.seconds * 1e9},
                  {"cpu_time", result.cpu_seconds * 1e9},
                  {"time_unit", "ns"},
                  {"items_per_second", result.items_per_second()},
                  {"bytes_per_second", result.bytes_per_second()},
                  {"memcpy_ratio", result.memcpy_ratio()},
                  {"copy_loop_ratio", result.loop_ratio()}};
    if (result.moves_seconds > 0) entry["moves_ratio"] = result.moves_ratio();
    if (result.normal_seconds > 0) entry["normal_ratio"] = result.normal_ratio();
    if (result.threads > 1) {
      entry["one_thread_ratio"] = result.one_thread_ratio();
      entry["memcpy_one_thread_ratio"] = result.memcpy_one_thread_ratio();
    }
    list.push_back(std::move(entry));
  }
  return json_text(Json{{"context", benchmark_context()}, {"benchmarks", list}}, 2) + "\n";
}

std::string speed_table(const std::vector<BenchResult>& results) {
  std::ostringstream out;
  const Json context = benchmark_context();
  out << "# " << context.at("date").get<std::string>().substr(0, 10) << ", " << cpu_name() << ", one thread, load "
      << json_text(context.at("load_avg")) << "\n"
      << "# castforge " << version() << ", manifest " << manifest_hash() << "\n"
      << "# castforge bench --tsv; of_memcpy: the rate over that of std::memcpy for as many bytes\n"
      << "kernel\tisa\telements\telements_per_second\tof_memcpy\n";
  for (const BenchResult& result : results) {
    if (result.threads != 1 || result.data != SampleData::mixed) continue;
    out << result.kernel << '\t' << result.isa << '\t' << result.size << '\t' << std::scientific << std::setprecision(3)
        << result.items_per_second() << '\t' << std::fixed << std::setprecision(3) << result.memcpy_ratio() << '\n';
  }
  return out.str();
}

void print_table(std::ostream& out, const std::vector<BenchResult>& results) {
  const bool several = several_threads(results), data = names_data(results);
  out << std::left << std::setw(34) << "pair" << std::setw(12) << "isa";
  if (data) out << std::setw(10) << "data";
  out << std::right << std::setw(9) << "elements";
  if (several) out << std::setw(9) << "threads";
  out << std::setw(10) << "Gel/s" << std::setw(9) << "GB/s" << std::setw(9) << "/memcpy" << std::setw(7) << "/loop"
      << std::setw(8) << "/moves";
  const bool compares = compares_with_normal(results);
  if (compares) out << std::setw(9) << "/normal";
  if (several) out << std::setw(11) << "/1 thread" << std::setw(10) << "memcpy's";
  out << '\n';
  for (const BenchResult& result : results) {
    out << std::left << std::setw(34) << text_of(result.pair) << std::setw(12) << result.isa;
    if (data) out << std::setw(10) << name_of(result.data);
    out << std::right << std::setw(9) << short_count(result.size);
    if (several) out << std::setw(9) << result.threads;
    out << std::fixed << std::setprecision(3) << std::setw(10) << result.items_per_second() / 1e9
        << std::setprecision(1) << std::setw(9) << result.bytes_per_second() / 1e9 << std::setprecision(2)
        << std::setw(9) << result.memcpy_ratio() << std::setw(7) << result.loop_ratio();
    if (result.moves_seconds > 0) out << std::setw(8) << result.moves_ratio();
    else out << std::setw(8) << "";
    if (compares) out << std::setw(9) << result.normal_ratio();
    if (result.threads > 1)
      out << std::setw(11) << result.one_thread_ratio() << std::setw(10) << result.memcpy_one_thread_ratio();
    out << '\n';
  }
}

void print_summary(std::ostream& out, const std::vector<BenchResult>& results) {
  const std::vector<Group> groups = groups_of(results);
  const bool several = several_threads(results), data = names_data(results), compares = compares_with_normal(results);
  out << "Rate over that of copying as many bytes" << (compares ? ", and over that with normal numbers" : "") << ":\n"
      << std::right << std::setw(9) << "elements"
      << "  " << std::left << std::setw(12) << "isa";
  if (data) out << std::setw(10) << "data";
  out << std::right;
  if (several) out << std::setw(8) << "threads";
  out << std::setw(6) << "pairs" << std::setw(16) << "/memcpy: mean" << std::setw(9) << "least" << std::setw(15)
      << "/loop: mean" << std::setw(9) << "least";
  if (compares) out << std::setw(16) << "/normal: mean" << std::setw(9) << "least";
  out << '\n' << std::fixed << std::setprecision(3);
  for (const Group& group : groups) {
    const auto memcpy_ratio = [](const BenchResult& result) { return result.memcpy_ratio(); };
    const auto loop_ratio = [](const BenchResult& result) { return result.loop_ratio(); };
    out << std::setw(9) << short_count(group.size) << "  " << std::left << std::setw(12) << group.isa;
    if (data) out << std::setw(10) << name_of(group.data);
    out << std::right;
    if (several) out << std::setw(8) << group.threads;
    out << std::setw(6) << group.results.size() << std::setw(16) << geometric_mean(group, memcpy_ratio) << std::setw(9)
        << least(group, memcpy_ratio) << std::setw(15) << geometric_mean(group, loop_ratio) << std::setw(9)
        << least(group, loop_ratio);
    const auto normal_ratio = [](const BenchResult& result) { return result.normal_ratio(); };
    if (compares)
      out << std::setw(16) << geometric_mean(group, normal_ratio) << std::setw(9) << least(group, normal_ratio);
    out << '\n';
  }
  if (several) print_rise(out, groups);
  out << "(mean: geometric)\n\nSlowest pairs, rate over memcpy:\n";
  for (const Group& group : groups) {
    std::vector<const BenchResult*> sorted = group.results;
    std::sort(sorted.begin(), sorted.end(),
              [](const BenchResult* a, const BenchResult* b) { return a->memcpy_ratio() < b->memcpy_ratio(); });
    if (sorted.size() > 10) sorted.resize(10);
    out << short_count(group.size) << " on " << group.isa;
    if (data) out << ", " << name_of(group.data);
    if (several) out << (group.threads == 1 ? ", 1 thread" : text(", ", group.threads, " threads"));
    out << ":\n";
    for (const BenchResult* result : sorted) {
      out << "  " << std::setprecision(3) << result->memcpy_ratio() << "  " << std::left << std::setw(34)
          << text_of(result->pair) << std::right << std::setprecision(3) << std::setw(9)
          << result->items_per_second() / 1e9 << " Gel/s\n";
    }
  }
}

}  // namespace castforge::cli

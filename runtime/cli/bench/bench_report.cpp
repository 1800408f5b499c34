#include "cli/bench/bench_report.hpp"

#include "cli/bench/machine.hpp"
#include "cli/failure.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>

namespace castforge::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::pair<std::string, std::string>> given_attributes(const KernelOptions& options) {
  std::vector<std::pair<std::string, std::string>> given;
  const auto add = [&](const char* name, const std::optional<std::string>& value) {
    if (value) given.emplace_back(name, *value);
  };
  add("saturate", options.saturate);
  add("round_mode", options.round_mode);
  add("mode", options.mode);
  add("satmode", options.satmode);
  for (const std::string& assignment : options.attributes) {
    const std::size_t equals = assignment.find('=');
    given.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  return given;
}

/// Results of one size and instruction set, in the order of the results.
struct Group {
  std::size_t size;
  std::string isa;
  std::vector<const BenchResult*> results;
};

std::vector<Group> groups_of(const std::vector<BenchResult>& results) {
  std::vector<Group> groups;
  for (const BenchResult& result : results) {
    const auto same = [&](const Group& group) {
      return group.size == result.size && group.isa == result.isa;
    };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), {result.size, result.isa, {}});
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

}  // namespace

std::string benchmark_name(const BenchResult& result, const KernelOptions& options) {
  std::string name =
      text("cast/", text_of(result.pair), '/', options.opset, '/', result.isa, '/', result.size);
  for (const auto& [attribute, value] : given_attributes(options)) name += '/' + attribute + ':' + value;
  return name;
}

std::string benchmark_json(const std::vector<BenchResult>& results, const KernelOptions& options) {
  Json list = Json::array();
  for (const BenchResult& result : results) {
    const std::string name = benchmark_name(result, options);
    const double nanoseconds = result.seconds * 1e9;
    list.push_back({{"name", name},
                    {"family_index", list.size()},
                    {"per_family_instance_index", 0},
                    {"run_name", name},
                    {"run_type", "iteration"},
                    {"repetitions", 1},
                    {"repetition_index", 0},
                    {"threads", 1},
                    {"iterations", result.calls},
                    {"real_time", nanoseconds},
                    {"cpu_time", nanoseconds},
                    {"time_unit", "ns"},
                    {"items_per_second", result.items_per_second()},
                    {"bytes_per_second", result.bytes_per_second()},
                    {"memcpy_ratio", result.memcpy_ratio()},
                    {"copy_loop_ratio", result.loop_ratio()}});
  }
  return Json{{"context", benchmark_context()}, {"benchmarks", list}}.dump(2) + "\n";
}

void print_table(std::ostream& out, const std::vector<BenchResult>& results) {
  out << std::left << std::setw(34) << "pair" << std::setw(12) << "isa" << std::right << std::setw(9)
      << "elements" << std::setw(10) << "Gel/s" << std::setw(9) << "GB/s" << std::setw(9) << "/memcpy"
      << std::setw(7) << "/loop" << '\n';
  for (const BenchResult& result : results) {
    out << std::left << std::setw(34) << text_of(result.pair) << std::setw(12) << result.isa << std::right
        << std::setw(9) << short_count(result.size) << std::fixed << std::setprecision(3) << std::setw(10)
        << result.items_per_second() / 1e9 << std::setprecision(1) << std::setw(9)
        << result.bytes_per_second() / 1e9 << std::setprecision(2) << std::setw(9) << result.memcpy_ratio()
        << std::setw(7) << result.loop_ratio() << '\n';
  }
}

void print_summary(std::ostream& out, const std::vector<BenchResult>& results) {
  const std::vector<Group> groups = groups_of(results);
  out << "Rate over that of copying as many bytes:\n"
      << std::right << std::setw(9) << "elements"
      << "  " << std::left << std::setw(12) << "isa" << std::right << std::setw(6) << "pairs" << std::setw(16)
      << "/memcpy: mean" << std::setw(9) << "least" << std::setw(15) << "/loop: mean" << std::setw(9)
      << "least" << '\n'
      << std::fixed << std::setprecision(3);
  for (const Group& group : groups) {
    const auto memcpy_ratio = [](const BenchResult& result) { return result.memcpy_ratio(); };
    const auto loop_ratio = [](const BenchResult& result) { return result.loop_ratio(); };
    double least_memcpy = HUGE_VAL, least_loop = HUGE_VAL;
    for (const BenchResult* result : group.results) {
      least_memcpy = std::min(least_memcpy, result->memcpy_ratio());
      least_loop = std::min(least_loop, result->loop_ratio());
    }
    out << std::setw(9) << short_count(group.size) << "  " << std::left << std::setw(12) << group.isa
        << std::right << std::setw(6) << group.results.size() << std::setw(16)
        << geometric_mean(group, memcpy_ratio) << std::setw(9) << least_memcpy << std::setw(15)
        << geometric_mean(group, loop_ratio) << std::setw(9) << least_loop << '\n';
  }
  out << "(mean: geometric)\n\nSlowest pairs, rate over memcpy:\n";
  for (const Group& group : groups) {
    std::vector<const BenchResult*> sorted = group.results;
    std::sort(sorted.begin(), sorted.end(), [](const BenchResult* a, const BenchResult* b) {
      return a->memcpy_ratio() < b->memcpy_ratio();
    });
    if (sorted.size() > 10) sorted.resize(10);
    out << short_count(group.size) << " on " << group.isa << ":\n";
    for (const BenchResult* result : sorted) {
      out << "  " << std::setprecision(3) << result->memcpy_ratio() << "  " << std::left << std::setw(34)
          << text_of(result->pair) << std::right << std::setprecision(3) << std::setw(9)
          << result->items_per_second() / 1e9 << " Gel/s\n";
    }
  }
}

}  // namespace castforge::cli

// Measurements as JSON, as a table and in short.
#pragma once

#include "cli/bench/bench_run.hpp"

#include <iosfwd>
#include <string>

namespace castforge::cli {

/// "cast/float32:float8e4m3fn/onnx@25/avx2/16384", followed by "/name:value" for each attribute that was
/// given, by "/data:zero" for any but the usual mixture and by "/threads:4" where so many shared the work.
std::string benchmark_name(const BenchResult& result, const KernelOptions& options);

/// Google Benchmark's JSON: context and one entry per result.
std::string benchmark_json(const std::vector<BenchResult>& results, const KernelOptions& options);

/// The rates of one thread as a table for `castforge-gen audit --speeds`: lines with "# " say how they were measured,
/// then one line per kernel, instruction set and size, the columns divided by tabs.
std::string speed_table(const std::vector<BenchResult>& results);

/// One line per result.
void print_table(std::ostream& out, const std::vector<BenchResult>& results);

/// Per size, instruction set, kind of data and number of threads: geometric mean and minimum of the ratios, and the ten
/// worst pairs.
void print_summary(std::ostream& out, const std::vector<BenchResult>& results);

}  // namespace castforge::cli

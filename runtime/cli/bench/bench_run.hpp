// Measures conversions beside copies of as many bytes.
#pragma once

#include "cli/bench/sample_data.hpp"
#include "cli/selection/kernel_options.hpp"
#include "cli/selection/pair_list.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace castforge::cli {

struct BenchPlan {
  std::vector<TypePair> pairs;
  std::vector<std::string> isas;
  std::vector<std::size_t> sizes;                      // in elements
  bool smaller_where_short = false;                    // of memory: sizes are halved until they fit; else an error
  std::vector<SampleData> data = {SampleData::mixed};  // each in the same buffers
  KernelOptions kernel;                                // op-set and attributes; its `isa` is not used
  double seconds = 0;                                  // how long the whole may take, roughly
  unsigned threads = 1;                                // more: every pair also with its work split among so many
};

/// One pair on one instruction set at one size, with one kind of data, by one number of threads. What one thread does
/// is timed by its own clock and is Kernel::run; what several do, by the wall clock, and is castforge::cast.
struct BenchResult {
  TypePair pair;
  std::string isa;
  std::size_t size = 0;       // elements
  std::size_t bytes = 0;      // read and written
  std::size_t calls = 0;      // that were timed
  double seconds = 0;         // one call: median
  double memcpy_seconds = 0;  // std::memcpy of bytes / 2, which reads and writes as many bytes
  double loop_seconds = 0;    // the same by a plain loop of vector loads and stores
  double cpu_seconds = 0;     // one call: of all threads
  unsigned threads = 1;       // that shared the work, of the copies too
  SampleData data = SampleData::mixed;
  std::string kernel = {};  // its name

  double normal_seconds = 0;  // one call on normal numbers, in the same run; 0: not measured

  double moves_seconds = 0;  // loads and stores of as many vectors as the conversion's, on one thread; 0: not measured

  // Where several threads did: what one of them takes for the same call, and for the whole std::memcpy.
  double one_thread_seconds = 0, memcpy_one_thread_seconds = 0;

  double memcpy_ratio() const { return memcpy_seconds / seconds; }
  double loop_ratio() const { return loop_seconds / seconds; }
  double normal_ratio() const { return normal_seconds / seconds; }
  double moves_ratio() const { return moves_seconds / seconds; }
  double one_thread_ratio() const { return one_thread_seconds / seconds; }
  double memcpy_one_thread_ratio() const { return memcpy_one_thread_seconds / memcpy_seconds; }
  double items_per_second() const { return static_cast<double>(size) / seconds; }
  double bytes_per_second() const { return static_cast<double>(bytes) / seconds; }
};

/// Runs the plan: for each pair and size the kernels of all instruction sets and the copies take turns. Sizes
/// that need more than half of the available memory are halved until they fit. `step(index, what)` is called
/// before each of `steps_of(plan)` steps. A usage Failure where a kernel does not exist; nothing is measured
/// then. With several threads one also where the op-set does not admit so many elements.
std::vector<BenchResult> run_bench(const BenchPlan& plan,
                                   const std::function<void(std::size_t, const std::string&)>& step);
std::size_t steps_of(const BenchPlan& plan);

/// Largest size not above `size` whose buffers fit, for the widest of the pairs.
std::size_t size_that_fits(const std::vector<TypePair>& pairs, std::size_t size, std::uint64_t memory);

}  // namespace castforge::cli

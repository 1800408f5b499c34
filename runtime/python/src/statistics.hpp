// pycastforge.Stats: what casts did to numbers.
#pragma once

#include "types.hpp"

#include "cli/convert/statistics.hpp"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace pycastforge {

/// Counts over all casts that it was given to, by any threads.
class Stats {
 public:
  /// Elements before and after a cast by `rule`, laid out as for kernels.
  void add(Type before_type, const void* before, Type after_type, const void* after, std::size_t count,
           const castforge::Rule& rule);
  struct Totals : castforge::cli::CastStatistics {
    std::uint64_t elements = 0;
  };
  /// All of one moment.
  Totals totals() const;

 private:
  mutable std::mutex mutex_;  // held for some additions, never while waiting for the interpreter's lock
  Totals totals_;
};

/// None gives null; raises TypeError for anything else that is no Stats.
Stats* stats_of(nb::handle object);

void bind_statistics(nb::module_& module);

}  // namespace pycastforge

// Streams elements through a kernel, in bounded memory.
#pragma once

#include "cli/formats/tensor.hpp"
#include "cli/io/progress.hpp"

namespace castforge::cli {

/// Reads, converts and writes all elements of `src`, in chunks of about a megabyte per thread. Elements
/// arrive in order whatever the number of threads: threads take turns at reading and at writing and convert
/// at the same time. Returns the number of elements. Throws the Failure of the first chunk that failed.
std::uint64_t convert(ElementReader& src, const Kernel& kernel, ElementWriter& dst, std::optional<std::uint64_t> count,
                      unsigned threads, Progress& progress);

}  // namespace castforge::cli

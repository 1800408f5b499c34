// The checks themselves. Each takes a subject, so that they can be tried on faulty kernels too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report.hpp"
#include "subject.hpp"

namespace castforge::exhaustive {

/// Codes in, destination elements out as they are stored, in one call. Bits around the codes are those of `noise`.
std::vector<std::uint64_t> run_codes(const Subject& subject, std::span<const std::uint64_t> codes,
                                     std::uint64_t noise = 0);

/// Every result is the element of the `expected` code, in the given order of the codes and in a scattered one, the
/// latter with bits around the codes that mean nothing.
void check_values(const Subject& subject, std::span<const std::uint64_t> codes, std::span<const std::uint64_t> expected,
                  Report& report);

/// Every length up to three blocks of the largest kind and some longer ones, source and destination at every offset
/// 0..63 within a cache line, hard against inaccessible pages before and after, the source read-only, bytes around the
/// destination watched, unused bits of the last source byte full of garbage and of the last destination byte zero, in
/// place where the widths are equal.
void check_buffers(const Subject& subject, const oracle::Converter& oracle, Report& report);

/// A buffer of tens of megabytes, where kernels may use other instructions to store: the expected results
/// of a short stretch over and over, the destination misaligned, nothing written outside; in place too
/// where the widths are equal.
void check_large(const Subject& subject, const oracle::Converter& oracle, Report& report);

/// The same bits whatever the floating-point control state (flush to zero, denormals are zero, directed
/// rounding, unmasked exceptions), and that state unchanged afterwards, sticky flags included.
void check_environment(const Subject& subject, std::span<const std::uint64_t> codes,
                       std::span<const std::uint64_t> expected, Report& report);

/// Says on standard error which subject was running when a signal (access violation, trap) ends the
/// program.
void name_subject_on_crash();

}  // namespace castforge::exhaustive

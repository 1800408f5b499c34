// A kernel's plans on source codes, against results that somebody else computed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "oracle/oracle.hpp"
#include "sets.hpp"
#include "syntax.hpp"

namespace castforge::evaluator {

/// Something wrong with a plan, or with its kernel.
struct Finding {
  std::filesystem::path file;
  int line = 0;
  std::string plan;
  std::string text;
};

/// What the plans of one kernel give for the same source codes.
class Results {
 public:
  /// Evaluates every plan in each world that its instruction sets allow: with the domains of all of them, with other
  /// arithmetic NaNs, and with another rounding mode and subnormal numbers flushed where the plan says that the
  /// environment does not matter.
  Results(const Kernel& kernel, std::span<const std::uint64_t> codes);

  /// Adds a finding for each plan whose results differ from `expected`, with one example.
  void compare(const oracle::Codec& src, const oracle::Codec& dst, std::span<const std::uint64_t> expected,
               const std::string& asked, std::vector<Finding>& findings) const;

  /// kOfNibble of plans between elements of 4, 2 and 1 bits, which vectors read in place of map(): the results of the
  /// elements in each four bits of memory. There may be none in copies: equal widths and packings, and map() returns
  /// its argument. The source codes are every code, in order.
  void check_nibbles(std::vector<Finding>& findings) const;

  /// What is wrong whatever the expected results are.
  const std::vector<Finding>& findings() const { return findings_; }
  /// Source codes evaluated, once for each plan and world.
  std::size_t evaluated() const { return evaluated_; }

 private:
  std::vector<std::uint64_t> evaluate(const Plan& plan, const std::vector<InstructionSet>& sets);

  const Kernel& kernel_;
  std::span<const std::uint64_t> codes_;
  std::vector<std::vector<std::uint64_t>> by_plan_;  // empty where a plan cannot be evaluated
  std::vector<Finding> findings_;
  std::size_t evaluated_ = 0;
};

/// Source codes to try: every one of elements of at most 16 bits in memory; of wider ones a selection around what
/// matters to the destination.
std::vector<std::uint64_t> codes_for(const Kernel& kernel, const oracle::Codec& src, const oracle::Codec& dst);

/// The comment before the kernel names every plan, in order, with the instruction sets that run it:
///   plan     <family>.<plan> (<source file>)[ in <file>], runs on <instruction set>...
void check_comment(const Kernel& kernel, std::vector<Finding>& findings);

/// The rows of the kernel's assertion, tried on the oracle and on every plan.
void check_rows(const Kernel& kernel, const oracle::Converter& oracle, std::vector<Finding>& findings);

}  // namespace castforge::evaluator

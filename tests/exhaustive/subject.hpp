// What is tested: one kernel of one instruction set, and what the oracle says it must compute.
#pragma once

#include <castforge/interface.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/oracle.hpp"

namespace castforge::exhaustive {

/// A kernel's function and the codecs of its types.
struct Subject {
  std::string name;  // of the kernel
  std::string isa;
  Kernel::Function run = nullptr;
  Kernel kernel;  // what `run` belongs to; empty where a test makes up its own function
  const oracle::Codec* src = nullptr;
  const oracle::Codec* dst = nullptr;

  int src_bits() const { return src->format().storage; }
  int dst_bits() const { return dst->format().storage; }
};

/// A distinct pair of kernel and rule, with one request (of possibly many) that leads to it.
struct Duty {
  oracle::Request request;
  std::string opset;  // the name asked with, e.g. "onnx@24"
  std::string kernel;
  oracle::Rule rule;
};

/// Attributes of a request; they refer to the request's strings.
Attributes attributes_of(const oracle::Request& request);

/// "onnx@24 saturate=0 round_mode=up"
std::string label(const Duty& duty);

/// The rule sets of the runtime that the oracle answers for: op-set name, and the oracle's family and
/// version.
struct RuleSet {
  std::string opset, family, version;
};
std::vector<RuleSet> rule_sets();

/// All duties with that destination, each pair of kernel and rule once. Requests that the runtime refuses
/// although the oracle admits them are added to `problems`.
/// With `opset`, of that op-set only.
std::vector<Duty> duties(const std::string& dst, std::vector<std::string>& problems, const std::string& opset = {});

/// Names of the instruction sets that this machine can run, the plainest first.
std::vector<std::string> usable_isas();

/// Names of all numeric types that the oracle knows: those of its table and the added ones.
std::vector<std::string> tested_types();

/// Numeric types of the library that the oracle does not know: their specs were not read.
std::vector<std::string> unknown_types();

/// Elements with those codes, as they lie in memory.
std::vector<std::uint8_t> elements_of(const oracle::Codec& codec, std::span<const std::uint64_t> codes);

/// The kernel of a duty on one instruction set.
Subject subject_of(const Duty& duty, const std::string& isa);

}  // namespace castforge::exhaustive

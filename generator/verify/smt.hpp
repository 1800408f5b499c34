// Proofs that a program equals the semantics for every source word, by the SMT solver z3.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::verify {

struct Solver {
  std::filesystem::path program;
  int timeout_s = 60;  // for one program: all its cases together
};

/// `wanted` if not empty, otherwise z3 on PATH or in the dependencies of the build that this program is part of.
/// Throws std::runtime_error, with what to do next, when there is none.
std::filesystem::path find_z3(const std::string& wanted);

/// "z3 4.8.12". Throws std::runtime_error.
std::string version_of(const Solver& solver);

struct Proof {
  enum class Result { proved, not_proved, not_attempted, counterexample };
  Result result = Result::not_attempted;
  std::string reason;     // not_proved, not_attempted
  std::size_t cases = 0;  // into which the source words were divided
  double seconds = 0;
  std::uint64_t source = 0;  // counterexample, checked with the interpreter: storage words
  std::uint64_t expected = 0, found = 0;
  std::string problem;  // counterexample: an operand leaves the domain of its operation
};

/// The claim: for every source word no operand leaves the domain of its operation, and the result is the storage word
/// that the rule asks for, zeros above it. The first query proves that the cases cover every source word. Throws
/// std::runtime_error when z3 fails, std::logic_error when a model of z3 does not differ under the interpreter (the
/// formulas would be wrong).
Proof prove(const spec::Meaning& meaning, const ir::Program& program, const Solver& solver);

/// The claim: for every source word no operand of `changed` leaves the domain of its operation, and its result is that
/// of `original`, of which the same must be known. What both have in common costs z3 nothing. In a counterexample
/// `expected` is the result of `original`.
Proof prove_same(const ir::Program& original, const ir::Program& changed, const Solver& solver);

}  // namespace castforge::verify

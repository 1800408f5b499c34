// Runs a program on numbers, exactly as the printed kernel will.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/program.hpp"

namespace castforge::ir {

/// Evaluates the program on every code in place: source codes become result codes. Returns an empty string, or what
/// went wrong when an operand left the domain of its operation.
std::string interpret(const Program& program, std::span<std::uint64_t> codes);

/// The value of every node of the program for one code. Throws std::logic_error where interpret() would complain.
std::vector<std::uint64_t> trace(const Program& program, std::uint64_t code);

/// Of sources about which interpret() complains, the index of the first.
std::size_t first_outside(const Program& program, std::span<const std::uint64_t> sources);

}  // namespace castforge::ir

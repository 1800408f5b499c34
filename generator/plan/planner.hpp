// Chooses the programs of a kernel.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "ir/program.hpp"
#include "plan/instruction_sets.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

/// A format with which no program computes; tables and the exact arithmetic of the runtime serve it.
struct NoLayout : std::runtime_error {
  enum class Because : std::uint8_t {
    small,    // it has numbers that are subnormal as float64, or too close to those
    precise,  // 64-bit integers would need more bits than float64 leaves for rounding
  };
  NoLayout(const spec::Type& type, Because because);
  spec::Type type;
  Because because;
};

/// Most fraction bits of a format that 64-bit integers reach by way of float64, rounded to odd. An integer just above
/// 2^53 has 54 bits, of which that clears 11; of the 43 left one is the leading bit, the last is sticky, and one more
/// lies below the destination's last: 40.
inline constexpr int kMostRounded = 64 - 11 - 11 - 2;

/// Programs for one resolved meaning in order of preference, each chosen by some instruction set; the last runs
/// everywhere. Throws NoLayout, or std::runtime_error when no lowering covers the meaning.
/// Where there is an instruction set `next_on`, the program that it would run is left out if it has another one.
std::vector<ir::Program> plan_kernel(const spec::Meaning& meaning, const InstructionSet* next_on = nullptr);

}  // namespace castforge::plan

// A plan's map(), checked for types and made into a list of operations on blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "operations.hpp"
#include "syntax.hpp"

namespace castforge::evaluator {

/// Bits of the storage unit of an element: 8, 16, 32 or 64.
constexpr int unit_of(int bits) { return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64; }

class Program {
 public:
  /// Throws Error where the statements do not fit together: unknown names and operations, mixed widths, constants that
  /// do not fit, a result that is not the storage unit of the destination. The plan must outlive the program.
  Program(const Kernel& kernel, const Plan& plan);

  /// The results of all codes. Throws Error, with the line of the operation, where its operands leave its domain.
  /// Returns whether an operation gave an arithmetic NaN, which is one of the world's choosing.
  bool run(std::span<const std::uint64_t> codes, std::span<std::uint64_t> results, const World& world) const;

  /// Is the table of some lane::table more than vectors look up, 16 bytes?
  bool has_long_table() const;
  /// Does an operation of it depend on World::flush, on World::truncate?
  bool flushes() const;
  bool rounds() const;

 private:
  struct Instruction {
    const Operation* operation = nullptr;
    int width = 0;                      // of its lane operands
    std::vector<std::size_t> operands;  // registers
    std::size_t result = 0;
    std::uint64_t number = 0;
    const Table* table = nullptr;
    int line = 0;
  };
  struct Fixed {
    std::size_t register_ = 0;
    std::uint64_t value = 0;
  };
  friend class Compiler;

  void check(const Instruction& instruction, const Call& call, const std::uint64_t* codes) const;

  std::vector<Instruction> instructions_;
  std::vector<Fixed> fixed_;   // registers that hold a constant
  std::size_t registers_ = 1;  // 0 is the source
  std::size_t result_ = 0;
  int src_bits_ = 0;
};

}  // namespace castforge::evaluator

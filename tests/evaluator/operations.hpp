// The operations of kernel files: for each its name, the lanes it takes and gives, its domain and its meaning, written
// out here once more, from their definitions, with integer arithmetic only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace castforge::evaluator {

/// Values are computed this many at a time. Each stands in 64 bits, those above its lane zero; a mask is 0 or 1.
inline constexpr std::size_t kBlock = 512;

/// What definitions leave open, or what differs between the machines that run a plan.
struct World {
  std::uint64_t nan = 0x7FC00000;  // float32, what an arithmetic NaN is; definitions promise "some quiet NaN"
  bool flush = false;              // operations read and make zeros in place of subnormal numbers
  bool truncate = false;           // operations that round to nearest, ties to even, round toward zero
  bool bytes16 = false;            // the domains of x86 byte operations hold
  bool neon = false;               // the domains of NEON hold
};

/// One operation on a block.
struct Call {
  const std::uint64_t* in[8] = {};
  std::uint64_t* out = nullptr;
  std::uint64_t number = 0;  // between < and >
  std::span<const std::uint64_t> table;
  const World* world = nullptr;
};

using Run = void (*)(const Call&);
/// Where the first operands outside of the domain are; kBlock: nowhere.
using Outside = std::size_t (*)(const Call&);

enum class Takes : std::uint8_t { nothing, number, type, table };
enum class Gives : std::uint8_t { same, mask, byte, half, word, double_word, type, entry };

struct Operation {
  std::string_view name;
  /// One letter for each operand: v a lane value, m a mask, k a constant, b a lane value or the constant 0; a '*' at
  /// the end repeats the last one for each byte of the type between < and >.
  std::string_view operands;
  int widths = 0;  // sum of the lane widths in bits that it takes: 8 + 16 + 32 + 64
  Gives gives = Gives::same;
  Takes takes = Takes::nothing;
  /// May `number` stand between < and >, for lanes of `bits`? Of a type its bits are asked for, of a table its entries.
  bool (*admits)(int number, int bits) = nullptr;
  Run run[4] = {};          // for lanes of 8, 16, 32, 64 bits
  Outside outside[4] = {};  // none: every operand is inside
  std::string_view domain;  // in words
  bool flushes = false;     // depends on World::flush
  bool rounds = false;      // depends on World::truncate
  int entry_bits = 0;       // Takes::table: sum of the widths that entries may have
};

constexpr int width_index(int bits) { return bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3; }

/// The operation lane::<name>, or of an infix operator; null: there is none.
const Operation* find_operation(std::string_view name);
std::span<const Operation> operations();

}  // namespace castforge::evaluator

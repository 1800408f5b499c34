// How the kernels of one line run, compiled once per instruction set (ways.cpp) and called from programs that are not.
// Nothing of the standard library is in the interface: its inline functions would be those of one instruction set.
#pragma once

#include <cstddef>

namespace castforge::test {

/// Every way takes a multiple of this many elements.
constexpr std::size_t kWayBlock = 128;

struct Way {
  const char* name;
  bool on_words;
  /// An array of elements per operand, of the case's widths.
  void (*run)(const std::byte* const* operands, std::size_t count, std::byte* results);
};

struct WaysOfCase {
  const char* name;
  int bits, to, arity;  // of operands, of the result
  std::size_t count;
  Way ways[4];
};

/// Some cases: all of them at once are too much for one compiler process.
struct SomeWays {
  std::size_t count;
  const WaysOfCase* cases;
};

struct WaysOfIsa {
  const char* isa;
  const SomeWays* parts[3];  // one after the other in the order of operation_cases()
};

}  // namespace castforge::test

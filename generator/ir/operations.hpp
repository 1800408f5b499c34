// The vocabulary of kernels: what each operation is called, which widths it takes, what it asks of its operands, what
// it means.
//
// operations.def holds one row per operation. The enum, the interpreter, the printers of C++ and SMT-LIB, the reference
// page and the cases of the tests that compare the definitions follow from the rows. What does not is listed in
// .github/CONTRIBUTING.md: the forms for words and vectors and the page in runtime/simd, the definition by another hand
// in tests/evaluator, what the analyses may know besides.
#pragma once

#include <castforge/elements.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::ir {

enum class Op : std::uint8_t {
#define OPERATION(name, ...) name,
#include "ir/operations.def"
#undef OPERATION
};

/// Widths of lanes, as bits of a set: 8, 16, 32, 64.
enum Widths : unsigned { k8 = 8, k16 = 16, k32 = 32, k64 = 64, kAnyWidth = 8 | 16 | 32 | 64 };

/// How the result's width follows from the operands'.
enum class Shape : std::uint8_t {
  source,    // the element, in its storage unit
  constant,  // a number in lanes of the node's width
  same,      // lanes of one width to lanes of that width
  compare,   // two values of one width to a mask of that width
  logic,     // masks of one width to such a mask
  choose,    // a mask and two values of its width to such a value
  convert,   // one fixed width to another: from, to
  resize,    // to the width that the node states
  join,      // bytes to the width that the node states, one operand per byte
  lookup,    // bytes to the elements of a table
};

/// The template argument of the printed operation.
enum class Argument : std::uint8_t { none, number, type, table };

/// What of the thread's floating-point environment an operation reads, where the instruction does not say it itself.
enum class Environment : std::uint8_t {
  none,
  rounding,    // rounding mode and exceptions
  subnormals,  // these, and what becomes of subnormal operands and results
};

/// What an instruction set must offer, as a set of bits; printed as the enumerators of lane::Needs.
enum Needs : unsigned {
  kNeedsNothing = 0,
  kNeedsVector = 1,
  kNeedsBytes16 = 2,
  kNeedsAvx512 = 4,
  kNeedsVbmi = 8,
  kNeedsNeon = 16,
  kNeedsFloat16 = 32,
  kNeedsTables = 64
};
/// Every bit, with its enumerator.
struct Need {
  Needs bit;
  std::string_view word;
};
std::span<const Need> all_needs();

struct Signature {
  Shape shape = Shape::same;
  int arity = 0;
  unsigned widths = kAnyWidth;  // of operands
  int to = 0;                   // convert: width of the result
  Argument argument = Argument::none;
  int entries = 0;          // lookup: of the table, where it has a fixed number
  int entry_bits = 0;       // lookup: of the table, where entries are narrower than the result, whose top they are
  int least = 0, most = 0;  // of the number in angle brackets, where not every bit of a lane will do; most 0: any
};

/// A block of values for one evaluation: operands and result hold one lane per entry, zero above the lane's width;
/// masks are 0 or 1.
struct Call {
  std::span<const std::uint64_t* const> args;
  std::size_t count = 0;  // lanes
  int bits = 0;           // width of the operands
  int to = 0;             // width of the result
  std::uint64_t imm = 0;
  const std::vector<std::uint64_t>* table = nullptr;
  std::uint64_t* out = nullptr;
};

/// One operation as an SMT-LIB term. Operands are names; `bindings` and `domain` are appended to.
struct TermCall {
  std::vector<std::string> args;
  std::string name;  // of the result, free for names derived from it
  int bits = 0, to = 0;
  std::uint64_t imm = 0;
  const std::vector<std::uint64_t>* table = nullptr;
  std::string* bindings = nullptr;
  std::vector<std::string>* domain = nullptr;

  const std::string& a() const { return args[0]; }
  const std::string& b() const { return args[1]; }
  const std::string& c() const { return args[2]; }
};

struct Operation {
  const char* name;      // enumerator
  const char* spelling;  // "min", or an infix operator
  Signature signature;
  Environment environment;
  const char* doc;             // one line: what the result is
  const char* domain;          // what operands must satisfy, in words; "" where anything goes
  bool (*holds)(const Call&);  // do all lanes? nullptr: no domain
  void (*evaluate)(const Call&);
  std::string (*term)(const TermCall&);
  Needs needs = kNeedsVector;  // what an x86 instruction set must offer for its vector form; says nothing of NEON
};

const Operation& operation(Op op);
std::span<const Operation> operations();
/// What operands and the number in angle brackets must satisfy, in words; "" where anything goes.
std::string domain_words(const Operation& row);
bool is_infix(Op op);

using castforge::low_bits;

}  // namespace castforge::ir

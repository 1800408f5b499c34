// The lane plan: a straight line of branchless operations on one lane, in single-assignment form.
//
// A lane is an unsigned word of 8, 16, 32 or 64 bits; a mask is a truth value per lane. One plan is printed as C++
// (once, for scalar words and vectors alike), interpreted, and turned into an SMT formula; its meaning is fixed here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace castforge::plan {

/// Carry tables of the rounding modes that instructions have (spec::Rounding::carry).
inline constexpr std::uint16_t kNearestEvenTable = 0xC8C8, kNearestAwayTable = 0xCCCC, kTowardZeroTable = 0x0000;
inline constexpr std::uint16_t kFloorTable = 0xEE00, kCeilTable = 0x00EE, kOddTable = 0x0E0E;

enum class Op {
  input,         // the source element, zero- or sign-extended to the lane
  constant,      // imm
  bit_and, bit_or, bit_xor,
  add, sub,      // modulo 2^lane
  shl_imm, shr_imm, sar_imm,  // by imm, 0 <= imm < lane
  shl, shr,      // by the second operand; 0 when it is >= lane
  min, max,      // unsigned
  min_signed, max_signed,
  equal,         // mask
  greater,       // mask; both operands have the top bit clear
  mask_and, mask_or,
  select,        // mask ? second : third
  merge,         // bits of the second where the first has ones, of the third elsewhere
  float_of_uint, // float32 (32-bit lane) or float64 (64-bit lane) bits of an unsigned integer; exact: below 2^24, 2^53
  nan_becomes,   // float32 or float64 bits; a NaN becomes the second operand, a positive NaN, with the sign it had
  // Floating point on float32 bit patterns in 32-bit lanes. Rounding is to nearest even; NaN never reaches them.
  float_of_int,  // bits of a two's complement integer; exact: |v| <= 2^24
  min_or_second, // a < b ? a : b as numbers; b when either is a NaN
  // Two's complement; 2^31 for NaN and for |v| >= 2^31. Of float64 in 64-bit lanes too, with 2^63.
  int_of_float_toward_zero, int_of_float_nearest,
  // The same for |v| < 2^31 and v = -2^31, of float32. `away`: nearest, ties away from zero; `odd`: the odd neighbour where inexact.
  int_of_float_away, int_of_float_floor, int_of_float_ceil, int_of_float_odd,
  // Low 32 bits of a finite float32, or float64 in 64-bit lanes, rounded to an integer; not for tiny numbers but 0.
  wrap_int_of_float_toward_zero, wrap_int_of_float_nearest,
  // Low 32 bits of any float32, or float64 in 64-bit lanes, cut to an integer; all 64 bits of any float64; NaN and infinities: 0.
  cut_to_int, cut_to_long,
  multiply_add,  // a * b + c, |a| a power of two, a * b a normal number and thus exact: rounded once, fused or not; no NaN
  binade,        // the power of two of a's exponent, but not below b, a power of two, with the sign of a; a is no NaN
  half_to_float, // float16 bits (low half) to float32 bits, exact; quiets NaN and keeps its payload
  float_to_half, // float32 bits to float16 bits, nearest even; quiets NaN and keeps its payload's top bits
  double_to_float, // float64 bits (64-bit lane) to float32 bits in the low half; nearest even; quiets NaN and keeps its payload's top bits
  cut_double_to_float, // the same toward zero, so no number becomes infinity; NaN as there
  // Integers of the whole lane, rounded once to nearest even.
  nearest_float_of_int, nearest_float_of_uint,    // to float32 (32-bit lanes) or float64 (64-bit lanes)
  nearest_single_of_int, nearest_single_of_uint,  // 64-bit lanes: to float32 in the low half
};

/// How elements become lanes where that is more than extension: an operation done as they are loaded, after `prepare`. The
/// lanes then have 32 bits; the comment names the operation.
enum class Load {
  plain,
  float16,         // half_to_float
  float32_cut,     // cut_to_int
  float64,         // double_to_float
  float64_cut,     // cut_to_int
  float64_toward_zero,  // cut_double_to_float
  int64, uint64,   // nearest_single_of_int, nearest_single_of_uint
};

/// How 32-bit lanes become elements where that is more than truncation.
enum class Store {
  plain,
  upper_half,  // the upper 16 bits of the lane
  upper_nearest,  // the same rounded by the lower ones: nearest, ties to even; modulo 2^16
  float16,     // float_to_half
  float64,     // of a float32: exact; NaN as in half_to_float
  int64,       // of a two's complement integer: sign-extended
  float32_cut, // of a float32: cut_to_long
  float64_of_int,  // of a two's complement integer: exact
};

bool is_mask(Op op);
int operand_count(Op op);

struct Node {
  Op op = Op::constant;
  int a = -1, b = -1, c = -1;  // operand node indices
  std::uint64_t imm = 0;       // constants and immediate shifts
  std::string name;            // variables: "mag"; constants: "kMagnitude"; empty: printed inside its user
  std::string note;            // variables: what this line does; constants: the formula
};

/// What an instruction set must offer, as a set of bits; printed as the enumerators of lane::Needs.
enum Needs : unsigned { kNeedsNothing = 0, kNeedsVector = 1, kNeedsAvx512 = 2, kNeedsVbmi = 4 };

struct LanePlan {
  std::string id;      // "narrow_float.integer"; also names the nested struct ("integer") of the kernel
  std::string source;  // generator file that builds it
  int lane_bits = 32;
  bool sign_extend = false;  // how elements narrower than the lane are loaded
  unsigned needs = kNeedsNothing;
  std::vector<Node> nodes;   // operands come before their users; the last node is the result
  // 64-bit sources in 32-bit lanes: what is done to the source element in 64-bit lanes first; the low half is this plan's
  // input. Empty: the element is the input.
  std::shared_ptr<const LanePlan> prepare;
  Load load = Load::plain;
  Store store = Store::plain;
  int load_shift = 0;   // the element is loaded this many bits up in the lane
  // Not 0: the result is a magnitude; the top bit of what the plan proper is given, a 32-bit lane, goes there. One-byte
  // destinations: the loop does it for many elements at once.
  std::uint64_t sign_bit = 0;
  bool sign_unless_zero = false;  // a zero stays without a sign
  bool sign_in_result = false;    // the sign is the top bit of the lane that the last node gives
  int fold = 0;  // not 0: the result is v + (v >> fold), of what the last node gives: exponent over fraction; 16 to 23, one-byte destinations
  // Found by comparison with the semantics:
  bool code_fits = false;   // no result sets a bit above the destination
  bool flush_safe = false;  // subnormals that its floating-point operations read or give may count as zeros

  /// Which lowering it is, as a C++ name: "integer" runs everywhere, others need something of the instruction set.
  std::string variant() const { return id.substr(id.find('.') + 1); }
  bool uses_float_environment() const;
};

/// Width in bits of what a plan is given (one extended source element) and of what it returns, conversions included.
int first_lane_bits(const LanePlan& plan);
int last_lane_bits(const LanePlan& plan);

/// A node of a plan under construction, with the operators plans are written in.
class Builder;
struct Value {
  Builder* builder = nullptr;
  int id = -1;
  /// Gives the value a line of its own in the printed kernel.
  Value named(const std::string& name, const std::string& note = "") const;
};

class Builder {
 public:
  Builder(std::string id, std::string source, int lane_bits);

  LanePlan& plan() { return plan_; }
  int lane_bits() const { return plan_.lane_bits; }

  Value input();
  Value literal(std::uint64_t value);  // printed as a number: 0, 1 and the like
  /// A named constant with its formula; asking again for the same name and value gives the same node.
  Value constant(const std::string& name, std::uint64_t value, const std::string& formula);
  Value node(Op op, Value a, Value b = {}, Value c = {}, std::uint64_t imm = 0);
  const Node& at(Value value) const { return plan_.nodes[static_cast<std::size_t>(value.id)]; }
  bool is_constant(Value value, std::uint64_t number) const;

  /// Completes the plan: `result` becomes the last node, unused nodes are dropped.
  LanePlan finish(Value result);

 private:
  friend struct Value;
  LanePlan plan_;
};

Value operator&(Value a, Value b);
Value operator|(Value a, Value b);
Value operator^(Value a, Value b);
Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator<<(Value a, int count);
Value operator>>(Value a, int count);
Value sar(Value a, int count);
Value shl(Value a, Value count);
Value shr(Value a, Value count);
Value min(Value a, Value b);
Value max(Value a, Value b);
Value min_signed(Value a, Value b);
Value max_signed(Value a, Value b);
Value equal(Value a, Value b);
Value greater(Value a, Value b);
Value mask_and(Value a, Value b);
Value mask_or(Value a, Value b);
Value select(Value mask, Value yes, Value no);
Value float_of_uint(Value a);
Value merge(Value mask, Value ones, Value zeros);
Value float_of_int(Value a);
Value nan_becomes(Value a, Value nan);
Value min_or_second(Value a, Value b);
/// By the mode of a carry table (spec::Rounding::carry); id < 0 where no operation rounds so.
Value int_of_float(Value a, std::uint16_t carry);
Value wrap_int_of_float(Value a, bool nearest);
Value multiply_add(Value a, Value b, Value c);
Value binade(Value number, Value least);
Value half_to_float(Value a);
Value float_to_half(Value a);
Value double_to_float(Value a);
Value cut_double_to_float(Value a);
Value cut_to_int(Value a);
Value cut_to_long(Value a);
Value nearest_float(Value integer, bool is_signed);
Value nearest_single(Value integer, bool is_signed);

/// Moves conversions at the very start or end of a plan into `load` and `store`, where memory is read and written in the
/// width of the conversion; and a shift at the start of one that gives magnitudes into load_shift, so that the sign of the
/// element is on top of the lane.
void fuse_conversions(LanePlan& plan);

/// Makes a shift at the very end that leaves the upper half of the lane, a 16-bit element, part of the store.
void leave_in_upper_half(LanePlan& plan);

}  // namespace castforge::plan

// Programs as a thread runs them that flushes subnormal numbers: every operand and every result that is a float32 or
// float64 below the normal numbers becomes a zero of its sign; a result too if it was below them before it was rounded.
// float16 is read and made as it is.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ir/program.hpp"

namespace castforge::test {

/// What an operation with a floating-point environment does with floats of 32 and 64 bits.
inline bool reads_floats(ir::Op op) {
  using ir::Op;
  static const std::set<Op> integers = {Op::float32_of_float16, Op::float32_of_int32,  Op::float32_of_uint32,
                                        Op::float32_of_int64,   Op::float32_of_uint64, Op::float64_of_int64,
                                        Op::float64_of_uint64};
  return ir::operation(op).environment != ir::Environment::none && !integers.contains(op);
}
inline bool makes_floats(ir::Op op) {
  using ir::Op;
  static const std::set<Op> floats = {Op::min_nan2,           Op::limit_magnitude,        Op::binade,
                                      Op::multiply_add,       Op::fused_multiply_add,     Op::float64_of_float32,
                                      Op::float32_of_float64, Op::float32_of_float64_rtz, Op::float32_of_float16,
                                      Op::float32_of_int32,   Op::float32_of_uint32,      Op::float32_of_int64,
                                      Op::float32_of_uint64,  Op::float64_of_int64,       Op::float64_of_uint64};
  return floats.contains(op);
}

inline std::uint64_t flushed(std::uint64_t number, int bits) {
  const std::uint64_t exponent = bits == 64 ? 0x7FF0000000000000 : 0x7F800000;
  return (number & exponent) == 0 ? number & 1ull << (bits - 1) : number;
}

/// Is a float64 below the normal numbers of float32?
inline bool is_below_float32(std::uint64_t number) { return (number & ~(1ull << 63)) < 0x3810000000000000; }

/// ir::interpret() under flushing.
inline std::string interpret_flushed(const ir::Program& program, std::span<std::uint64_t> codes) {
  const std::size_t count = codes.size();
  std::vector<std::vector<std::uint64_t>> values(program.nodes.size());
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const ir::Node& node = program.nodes[id];
    if (node.op == ir::Op::input) {
      values[id].assign(codes.begin(), codes.end());
      continue;
    }
    const ir::Operation& row = ir::operation(node.op);
    const std::size_t first_lane = row.signature.shape == ir::Shape::choose ? 1 : 0;
    ir::Call call;
    call.bits = node.args.empty() ? node.bits : program.nodes[static_cast<std::size_t>(node.args[first_lane])].bits;
    std::vector<std::vector<std::uint64_t>> read;
    std::vector<const std::uint64_t*> args;
    read.reserve(node.args.size());
    for (const int arg : node.args) {
      const std::vector<std::uint64_t>& value = values[static_cast<std::size_t>(arg)];
      args.push_back(value.data());
      if (!reads_floats(node.op)) continue;
      read.push_back(value);
      for (std::uint64_t& number : read.back()) number = flushed(number, call.bits);
      args.back() = read.back().data();
    }
    values[id].resize(count);
    call.args = args;
    call.count = count;
    call.to = node.bits;
    call.imm = node.imm;
    if (node.table >= 0) call.table = &program.tables[static_cast<std::size_t>(node.table)].entries;
    call.out = values[id].data();
    if (row.holds != nullptr && !row.holds(call))
      return program.id + ": flushed, " + row.spelling + " leaves its domain: " + row.domain;
    row.evaluate(call);
    if (!makes_floats(node.op)) continue;
    for (std::uint64_t& number : values[id]) number = flushed(number, node.bits);
    if (node.op != ir::Op::float32_of_float64 && node.op != ir::Op::float32_of_float64_rtz) continue;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_below_float32(args[0][i])) values[id][i] &= 0x80000000;
    }
  }
  std::copy(values.back().begin(), values.back().end(), codes.begin());
  return "";
}

}  // namespace castforge::test

#include "ir/interpret.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace castforge::ir {

namespace {

constexpr std::size_t kBlock = 512;
using Block = std::array<std::uint64_t, kBlock>;

/// Every node for at most kBlock codes. Empty, or what went wrong.
std::string evaluate(const Program& program, std::span<const std::uint64_t> codes, std::vector<Block>& values) {
  std::vector<const std::uint64_t*> args;
  for (std::size_t id = 0; id < program.nodes.size(); ++id) {
    const Node& node = program.nodes[id];
    if (node.op == Op::input) {
      std::ranges::copy(codes, values[id].begin());
      continue;
    }
    const Operation& row = operation(node.op);
    args.clear();
    for (const int arg : node.args) args.push_back(values[static_cast<std::size_t>(arg)].data());
    Call call;
    call.args = args;
    call.count = codes.size();
    call.bits = operand_bits(program, node);
    call.to = node.bits;
    call.imm = node.imm;
    if (node.table >= 0) call.table = &program.tables[static_cast<std::size_t>(node.table)].entries;
    call.out = values[id].data();
    if (row.holds != nullptr && !row.holds(call)) {
      return program.id + ": " + (node.name.empty() ? "a value" : node.name) + ": " + row.spelling + " asks that " +
             row.domain;
    }
    row.evaluate(call);
  }
  return "";
}

}  // namespace

std::string interpret(const Program& program, std::span<std::uint64_t> codes) {
  std::vector<Block> values(program.nodes.size());
  for (; !codes.empty(); codes = codes.subspan(std::min(kBlock, codes.size()))) {
    const std::span<std::uint64_t> block = codes.first(std::min(kBlock, codes.size()));
    if (std::string problem = evaluate(program, block, values); !problem.empty()) return problem;
    std::copy_n(values.back().begin(), block.size(), block.begin());
  }
  return "";
}

std::vector<std::uint64_t> trace(const Program& program, std::uint64_t code) {
  std::vector<Block> values(program.nodes.size());
  const std::string problem = evaluate(program, {&code, 1}, values);
  if (!problem.empty()) throw std::logic_error(problem);
  std::vector<std::uint64_t> first;
  for (const Block& block : values) first.push_back(block.front());
  return first;
}

std::size_t first_outside(const Program& program, std::span<const std::uint64_t> sources) {
  std::size_t first = 0;
  for (std::size_t count = sources.size(); count > 1;) {
    const std::span<const std::uint64_t> half = sources.subspan(first, count / 2);
    std::vector<std::uint64_t> codes(half.begin(), half.end());
    const bool is_there = !interpret(program, codes).empty();
    if (!is_there) first += half.size();
    count = is_there ? half.size() : count - half.size();
  }
  return first;
}

}  // namespace castforge::ir

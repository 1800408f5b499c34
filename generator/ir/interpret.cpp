#include "ir/interpret.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace castforge::ir {

std::string interpret(const Program& program, std::span<std::uint64_t> codes) {
  constexpr std::size_t kBlock = 512;
  using Block = std::array<std::uint64_t, kBlock>;
  std::vector<Block> values(program.nodes.size());
  std::vector<const std::uint64_t*> args;
  for (std::size_t start = 0; start < codes.size(); start += kBlock) {
    const std::size_t count = std::min(kBlock, codes.size() - start);
    for (std::size_t id = 0; id < program.nodes.size(); ++id) {
      const Node& node = program.nodes[id];
      if (node.op == Op::input) {
        std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(start), count, values[id].begin());
        continue;
      }
      const Operation& row = operation(node.op);
      args.clear();
      for (const int arg : node.args) args.push_back(values[static_cast<std::size_t>(arg)].data());
      Call call;
      call.args = args;
      call.count = count;
      const std::size_t first_lane = row.signature.shape == Shape::choose ? 1 : 0;
      call.bits = node.args.empty() ? node.bits : program.nodes[static_cast<std::size_t>(node.args[first_lane])].bits;
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
    std::copy_n(values.back().begin(), count, codes.begin() + static_cast<std::ptrdiff_t>(start));
  }
  return "";
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

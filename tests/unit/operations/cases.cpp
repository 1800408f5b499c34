#include "unit/operations/cases.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <random>

#include "unit/near_floats.hpp"

namespace castforge::test {
namespace {

using namespace ir;

/// A float32 or float64 power of two, of narrower widths some number without the top bit: inside most domains.
std::uint64_t usual_constant(int bits) {
  switch (bits) {
    case 8: return 0x35;
    case 16: return 0x3C01;
    case 32: return 0x3F800000;
    default: return 0x3FF0000000000000;
  }
}

Table counted(int entries, int bits) {
  Table table;
  table.name = "kTable";
  table.bits = bits;
  std::mt19937_64 random(static_cast<unsigned>(entries * 64 + bits));
  for (int i = 0; i < entries; ++i) table.entries.push_back(random() & low_bits(bits));
  return table;
}

class List {
 public:
  std::vector<Case> run() {
    for (std::size_t i = 0; i < operations().size(); ++i) {
      const auto op = static_cast<Op>(i);
      if (op == Op::input) continue;
      for (const int bits : {8, 16, 32, 64}) {
        if ((static_cast<unsigned>(bits) & operation(op).signature.widths) != 0) add_width(op, bits);
      }
    }
    return std::move(cases_);
  }

 private:
  using Build = std::function<Value(Builder&, const std::vector<Value>&)>;

  Case& add(Op op, int bits, int arity, const std::string& suffix, const Build& build) {
    Case one;
    one.op = op;
    one.bits = bits;
    one.needs = operation(op).needs;
    one.name = std::string(operation(op).name) + "_" + std::to_string(bits) + suffix;
    Builder b(one.name, "here", bits, bits, bits);
    std::vector<Value> operands;
    for (int i = 0; i < arity; ++i) {
      one.operands.push_back(std::string(1, static_cast<char>('a' + i)));
      operands.push_back(b.constant(one.operands.back(), 0, ""));
    }
    build(b, operands);
    one.program = b.program();
    cases_.push_back(std::move(one));
    return cases_.back();
  }

  void add_width(Op op, int bits) {
    const Signature& signature = operation(op).signature;
    const auto plain = [op](Builder& b, const std::vector<Value>& x) { return b.node(op, x); };
    switch (signature.shape) {
      case Shape::source: break;
      case Shape::constant:
        for (const int to : {8, 16, 32, 64}) {
          Case& one = add(op, bits, 0, "_in_" + std::to_string(to),
                          [to](Builder& b, const auto&) { return b.literal(0x35, to); });
          one.operands = {"bits"};
        }
        break;
      case Shape::same:
        if (signature.argument == Argument::number) {
          for (const int count : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 15, 16, 17, 20, 23, 29, 31, 32, 33, 42, 52, 63}) {
            if (count < bits) add_number(op, bits, count);
          }
          break;
        }
        add(op, bits, signature.arity, "", plain);
        if (signature.arity >= 2) with_constants(op, bits, signature.arity);
        break;
      case Shape::compare: {
        const auto chosen = [op](Builder& b, const std::vector<Value>& x) {
          return select(b.node(op, x), b.literal(1), b.literal(0));
        };
        add(op, bits, 2, "", chosen);
        add(op, bits, 1, "_second_constant", [&](Builder& b, const std::vector<Value>& x) {
          return chosen(b, {x[0], number(b, bits)});
        });
        add(op, bits, 1, "_first_constant", [&](Builder& b, const std::vector<Value>& x) {
          return chosen(b, {number(b, bits), x[0]});
        });
        break;
      }
      case Shape::logic:
        add(op, bits, 3, "", [op](Builder& b, const std::vector<Value>& x) {
          const Value first = binary(Op::greater_unsigned, x[0], x[1]),
                      second = binary(Op::greater_unsigned, x[1], x[2]);
          return select(b.node(op, {first, second}), b.literal(1), b.literal(0));
        });
        break;
      case Shape::choose: {
        const auto mask = [bits](Builder& b, Value x) { return binary(Op::greater_unsigned, x, number(b, bits)); };
        add(op, bits, 3, "",
            [&](Builder& b, const std::vector<Value>& x) { return select(mask(b, x[0]), x[1], x[2]); });
        add(op, bits, 2, "_second_constant",
            [&](Builder& b, const std::vector<Value>& x) { return select(mask(b, x[0]), x[1], number(b, bits)); });
        add(op, bits, 2, "_first_constant",
            [&](Builder& b, const std::vector<Value>& x) { return select(mask(b, x[0]), number(b, bits), x[1]); });
        break;
      }
      case Shape::convert:
        if (signature.argument == Argument::number) {
          const int last = signature.most != 0 ? signature.most : op == Op::byte ? bits / 8 - 1 : 7;
          for (int count = signature.least; count <= last; ++count) add_number(op, bits, count);
        } else {
          add(op, bits, 1, "", plain);
        }
        break;
      case Shape::resize:
        for (const int to : {8, 16, 32, 64}) {
          const bool grows = op == Op::widen || op == Op::widen_signed;
          if (grows ? to <= bits : to >= bits) continue;
          add(op, bits, 1, "_to_" + std::to_string(to),
              [op, to](Builder& b, const std::vector<Value>& x) { return b.node(op, x, 0, to); });
        }
        break;
      case Shape::join:
        for (const int to : {16, 32, 64}) {
          add(op, bits, to / 8, "_to_" + std::to_string(to),
              [to](Builder&, const std::vector<Value>& x) { return join(x, to); });
          // Zeros below, above and between.
          add(op, bits, 1, "_to_" + std::to_string(to) + "_top", [to](Builder& b, const std::vector<Value>& x) {
            std::vector<Value> bytes(static_cast<std::size_t>(to) / 8, b.literal(0));
            bytes.back() = x[0];
            return join(bytes, to);
          });
          add(op, bits, 1, "_to_" + std::to_string(to) + "_bottom", [to](Builder& b, const std::vector<Value>& x) {
            std::vector<Value> bytes(static_cast<std::size_t>(to) / 8, b.literal(0));
            bytes.front() = x[0];
            return join(bytes, to);
          });
        }
        add(op, bits, 2, "_to_64_upper", [](Builder& b, const std::vector<Value>& x) {
          std::vector<Value> bytes(8, b.literal(0));
          bytes[6] = x[0];
          bytes[7] = x[1];
          return join(bytes, 64);
        });
        break;
      case Shape::lookup: add_lookups(op, bits); break;
    }
  }

  void add_number(Op op, int bits, int count) {
    add(op, bits, 1, "_by_" + std::to_string(count),
        [=](Builder& b, const std::vector<Value>& x) { return b.node(op, x, static_cast<std::uint64_t>(count)); });
  }

  /// A constant for each operand, if the others are lanes.
  void with_constants(Op op, int bits, int arity) {
    for (int place = 0; place < arity; ++place) {
      add(op, bits, arity - 1, "_constant_" + std::to_string(place + 1), [=](Builder& b, std::vector<Value> x) {
        const bool is_grid = op == Op::half_ulps_rto && place == 1;
        x.insert(x.begin() + place, is_grid ? b.constant("kNumber", 0x4A400000, "1.5 * 2^21") : number(b, bits));
        return b.node(op, x);
      });
    }
  }

  void add_lookups(Op op, int bits) {
    const int fixed = operation(op).signature.entries, entries = fixed != 0 ? fixed : 256;
    for (const int to : {8, 16, 32, 64}) {
      const Signature& signature = operation(op).signature;
      if ((signature.to != 0 && signature.to != to) || (op == Op::lookup16_wide && to == 8)) continue;
      const int entry_bits = signature.entry_bits != 0 ? signature.entry_bits : to;
      Case& one = add(op, bits, 1, "_to_" + std::to_string(to), [=](Builder& b, const std::vector<Value>& x) {
        return lookup(op, x[0], b.table(counted(entries, entry_bits)));
      });
      one.has_vector_form = op != Op::table;
    }
    if (op != Op::table) return;
    for (const int count : {4, 16}) {
      add(op, bits, 1, "_of_" + std::to_string(count), [=](Builder& b, const std::vector<Value>& x) {
        return lookup(op, x[0] & b.literal(static_cast<std::uint64_t>(count) - 1), b.table(counted(count, 8)));
      });
    }
  }

  static Value number(Builder& b, int bits) { return b.constant("kNumber", usual_constant(bits), "", bits); }

  std::vector<Case> cases_;
};

/// Values where operations change what they do, and some others.
const std::vector<std::uint64_t>& boundaries(int bits) {
  static std::vector<std::uint64_t> lists[65];
  std::vector<std::uint64_t>& list = lists[bits];
  if (!list.empty()) return list;
  const std::uint64_t top = 1ull << (bits - 1);
  std::vector<std::uint64_t> all = {
      0, 1, 2, 3, 7, 15, 16, 17, top, top - 1, top + 1, ~0ull, ~1ull, 0x55555555'55555555, 0xAAAAAAAA'AAAAAAAA};
  for (int place = 2; place < bits; place += bits / 8)
    all.insert(all.end(), {1ull << place, (1ull << place) - 1, ~0ull << place});
  const auto f32 = [&](float x) { all.push_back(std::bit_cast<std::uint32_t>(x)); };
  const auto f64 = [&](double x) { all.push_back(std::bit_cast<std::uint64_t>(x)); };
  if (bits == 32) {
    for (const float x : {1.0f,      2.0f,       1.5f,     0.5f,     0.25f,    2.5f,       3.5f,           0x1p-126f,
                          0x1p-127f, 0x1p-149f,  0x1p24f,  0x1p31f,  0x1p32f,  0x1p63f,    0x1p64f,        65504.0f,
                          65520.0f,  65519.996f, 0x1p-14f, 0x1p-24f, 0x1p-25f, 0x1.8p-25f, 0x1.fffffep127f}) {
      f32(x), f32(-x);
    }
    for (const std::uint64_t x :
         {0x7F800000u, 0xFF800000u, 0x7F800001u, 0x7FC00000u, 0xFFC00001u, 0x7FFFFFFFu, 0x4EFFFFFFu})
      all.push_back(x);
  }
  if (bits == 64) {
    for (const double x : {1.0,
                           2.0,
                           1.5,
                           0.5,
                           0.25,
                           2.5,
                           3.5,
                           0x1p-1022,
                           0x1p-1074,
                           0x1p-126,
                           0x1p-127,
                           0x1p-149,
                           0x1p-150,
                           0x1.8p-150,
                           0x1p24,
                           0x1p31,
                           0x1p32,
                           0x1p53,
                           0x1p63,
                           0x1p64,
                           0x1.fffffefffffffp127,
                           0x1.ffffffp127,
                           0x1.fffffep127,
                           0x1p128,
                           1 + 0x1p-24,
                           1 + 0x3p-24,
                           0x1.fffffffffffffp1023}) {
      f64(x), f64(-x);
    }
    for (const std::uint64_t x :
         {0x7FF0000000000000u, 0xFFF0000000000000u, 0x7FF0000000000001u, 0x7FF8000000000000u, 0xFFF8000020000000u}) {
      all.push_back(x);
    }
  }
  for (std::uint64_t& value : all) value &= low_bits(bits);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  list = all;
  return list;
}

/// Any bits, small numbers, numbers of few bits, floats of any exponent, powers of two and halfway between.
std::uint64_t random_value(std::mt19937_64& random, int bits) {
  const std::uint64_t any = random();
  const int fraction = bits == 32 ? 23 : bits == 64 ? 52 : bits == 16 ? 10 : 3;
  const std::uint64_t bias = bits == 32 ? 127 : bits == 64 ? 1023 : bits == 16 ? 15 : 7;
  const std::uint64_t near_one = bias - 40 % (bias + 1) + any % 100;  // biased exponent
  switch (random() % 7) {
    case 0: return any & low_bits(bits);
    case 1: return any % 300 & low_bits(bits);
    case 2: return any >> (random() % static_cast<std::uint64_t>(bits)) & low_bits(bits);
    case 3: return (any & (low_bits(fraction) | 1ull << (bits - 1))) | (near_one << fraction & low_bits(bits - 1));
    case 4: return near_one << fraction & low_bits(bits - 1);
    case 5: return (near_one << fraction | 1ull << (fraction - 1)) & low_bits(bits - 1);
    default: return (any % 16 << (fraction - 3) | near_one << fraction) & low_bits(bits);
  }
}

/// The result, or nothing where an operand is outside a domain.
std::optional<std::uint64_t> result_of(const Case& one, const std::vector<std::uint64_t>& operands) {
  std::vector<std::uint64_t> values(one.program.nodes.size());
  std::vector<const std::uint64_t*> args;
  std::size_t operand = 0;
  for (std::size_t id = 0; id < values.size(); ++id) {
    const Node& node = one.program.nodes[id];
    if (node.op == Op::constant) {
      const bool is_operand = operand < one.operands.size() && node.name == one.operands[operand];
      values[id] = is_operand ? operands[operand++] : node.imm;
      continue;
    }
    const Operation& row = operation(node.op);
    args.clear();
    for (const int arg : node.args) args.push_back(&values[static_cast<std::size_t>(arg)]);
    Call call;
    call.args = args;
    call.count = 1;
    call.bits =
        one.program.nodes[static_cast<std::size_t>(node.args[row.signature.shape == Shape::choose ? 1 : 0])].bits;
    call.to = node.bits;
    call.imm = node.imm;
    if (node.table >= 0) call.table = &one.program.tables[static_cast<std::size_t>(node.table)].entries;
    call.out = &values[id];
    if (row.holds != nullptr && !row.holds(call)) return {};
    row.evaluate(call);
  }
  return values.back();
}

}  // namespace

std::vector<Case> operation_cases() { return List().run(); }

ir::Program at(const Case& one, const std::vector<std::uint64_t>& operands) {
  ir::Program program = one.program;
  std::size_t operand = 0;
  for (Node& node : program.nodes) {
    if (node.op == Op::constant && operand < one.operands.size() && node.name == one.operands[operand])
      node.imm = operands[operand++];
  }
  return program;
}

Tuples tuples_of(const Case& one) {
  constexpr std::size_t kRandom = 6000, kOutside = 40;
  Tuples tuples;
  const std::size_t arity = one.operands.size();
  tuples.columns.resize(arity);
  const auto add = [&](const std::vector<std::uint64_t>& operands) {
    const auto result = result_of(one, operands);
    if (!result) {
      if (tuples.outside.size() < kOutside) tuples.outside.push_back(operands);
      return;
    }
    for (std::size_t i = 0; i < arity; ++i) tuples.columns[i].push_back(operands[i]);
    tuples.results.push_back(*result);
  };
  if (arity * static_cast<std::size_t>(one.bits) <= 16) {
    const std::uint64_t codes = 1ull << (arity * static_cast<std::size_t>(one.bits));
    for (std::uint64_t code = 0; code < codes; ++code) {
      std::vector<std::uint64_t> operands;
      for (std::size_t i = 0; i < arity; ++i)
        operands.push_back(code >> (i * static_cast<std::size_t>(one.bits)) & low_bits(one.bits));
      add(operands);
    }
    return tuples;
  }
  std::mt19937_64 random(static_cast<unsigned>(one.bits) * 8 + static_cast<unsigned>(arity));
  const std::vector<std::uint64_t>& edges = boundaries(one.bits);
  if (arity <= 2) {
    std::vector<std::uint64_t> operands(arity);
    for (const std::uint64_t a : edges) {
      operands[0] = a;
      if (arity == 1) add(operands);
      for (std::size_t i = 0; arity == 2 && i < edges.size(); ++i) {
        operands[1] = edges[i];
        add(operands);
      }
    }
  }
  if (arity == 1 && one.bits == 64) {
    for (const std::uint64_t number : near_floats()) add({number});
  }
  const std::size_t wanted = tuples.results.size() + kRandom;
  for (std::size_t tries = 0; tuples.results.size() < wanted && tries < 40 * kRandom; ++tries) {
    std::vector<std::uint64_t> operands;
    for (std::size_t i = 0; i < arity; ++i) {
      operands.push_back(random() % 3 == 0 ? edges[random() % edges.size()] : random_value(random, one.bits));
    }
    add(operands);
  }
  return tuples;
}

}  // namespace castforge::test

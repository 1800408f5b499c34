// Lookup programs as operations: run on every source code, held against the exact semantics.
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <numeric>
#include <set>

#include "ir/interpret.hpp"
#include "lower/lower_table.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;
using ir::Op;
using lower::TableClass;

namespace {

/// "" or what is wrong.
std::string difference(const ir::Program& program, const std::vector<std::uint64_t>& results) {
  std::vector<std::uint64_t> codes(results.size());
  std::iota(codes.begin(), codes.end(), 0);
  if (const std::string failure = ir::interpret(program, codes); !failure.empty()) return failure;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    if (codes[c] != results[c]) {
      return "code " + std::to_string(c) + " gives " + std::to_string(codes[c]) + ", not " + std::to_string(results[c]);
    }
  }
  return "";
}

/// Lookups that a class has.
std::set<Op> lookups_of(TableClass table_class) {
  switch (table_class) {
    case TableClass::bytes16: return {Op::lookup16};
    case TableClass::neon: return {Op::lookup16, Op::lookup16_or_zero, Op::lookup64, Op::lookup128, Op::lookup256};
    case TableClass::vbmi:
      return {Op::lookup16, Op::lookup16_wide, Op::lookup8_wide, Op::lookup16_upper,
              Op::lookup64, Op::lookup128,     Op::lookup256};
  }
  return {};
}

bool looks_up_by(const ir::Program& program, const std::set<Op>& lookups) {
  return std::ranges::all_of(program.nodes,
                             [&](const ir::Node& node) { return node.table < 0 || lookups.contains(node.op); });
}

}  // namespace

TEST_CASE("operations give the exact results of all narrow sources") {
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    if (kernel.meaning.src->storage_bits > 8) continue;
    const std::vector<std::uint64_t> results = test::results_of(kernel.meaning);
    for (const auto& [table_class, name] : test::kTableClasses) {
      INFO(kernel.name << " for " << name);
      const ir::Program program = lower::lower_table(kernel.meaning, table_class);
      CHECK(difference(program, results) == "");
      CHECK(looks_up_by(program, lookups_of(table_class)));
    }
  }
}

TEST_CASE("operations give the results of tables of every make") {
  for (const int dst_bits : {1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 32, 47, 64}) {
    for (const test::Shape& shape : test::kShapes) {
      for (const int src_bits : {1, 2, 3, 4, 5, 6, 7, 8}) {
        const std::vector<std::uint64_t> results = test::results_of(shape, src_bits, dst_bits);
        for (const auto& [table_class, name] : test::kTableClasses) {
          INFO(shape.name << ": " << src_bits << " to " << dst_bits << " bits for " << name);
          CHECK(difference(lower::lower_table(lower::program_of_table(results, dst_bits, table_class)), results) == "");
        }
      }
    }
  }
}

TEST_CASE("every table says which codes it serves, and no name stands twice") {
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    if (kernel.meaning.src->storage_bits > 8) continue;
    for (const auto& [table_class, name] : test::kTableClasses) {
      const ir::Program program = lower::lower_table(kernel.meaning, table_class);
      INFO(kernel.name << " " << name);
      std::multiset<std::string> names;
      for (const ir::Table& table : program.tables) {
        CHECK(!table.note.empty());
        names.insert(table.name);
      }
      for (const ir::Node& node : program.nodes) {
        if (!node.name.empty()) names.insert(node.name);
      }
      CHECK(std::ranges::none_of(names, [&](const std::string& name) { return names.count(name) > 1; }));
    }
  }
}

TEST_CASE("one program serves all sets with vectors where bytes16 and neon agree") {
  const auto program = [](const char* src, const char* dst) {
    return lower::lower_table(test::conversion(test::type(src), test::type(dst)));
  };
  REQUIRE(program("float4e2m1", "float32"));
  CHECK(program("float4e2m1", "float32")->needs == ir::kNeedsVector);
  CHECK_FALSE(program("float8e5m2", "float32"));
}

TEST_CASE("one program serves the sets that have tables of 256 bytes where vbmi and neon agree") {
  const auto program = [](const char* src, const char* dst) {
    return lower::lower_long_table(test::conversion(test::type(src), test::type(dst)));
  };
  REQUIRE(program("float6e2m3", "float16"));
  CHECK(program("float6e2m3", "float16")->needs == ir::kNeedsTables);
  CHECK_FALSE(program("float8e5m2", "float32"));
}

TEST_CASE("results of less than a byte are masked only where something lies above them") {
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    if (kernel.meaning.src->storage_bits != 8 || kernel.meaning.dst->storage_bits >= 8) continue;
    const std::vector<std::uint64_t> results = test::results_of(kernel.meaning);
    const auto table = lower::program_of_table(results, kernel.meaning.dst->storage_bits, TableClass::bytes16);
    const ir::Program program = lower::lower_table(table);
    INFO(kernel.name);
    const auto is_mask = [](const ir::Node& node) { return node.name == "kResultBits"; };
    CHECK((table.masked || !std::ranges::any_of(program.nodes, is_mask)));
  }
}

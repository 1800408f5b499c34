// Programs of lines, rows and windows: run on every source code, held against the exact semantics and against tables
// that such programs made.
#include <catch2/catch_all.hpp>

#include <numeric>
#include <set>

#include "ir/interpret.hpp"
#include "lower/lower_table.hpp"
#include "lower/lower_windows.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;
using lower::ByteRow;
using lower::Seen;
using lower::TableClass;
using lower::WindowProgram;

namespace {

constexpr TableClass kClasses[] = {TableClass::bytes16, TableClass::neon};

std::vector<std::uint64_t> every_code() {
  std::vector<std::uint64_t> codes(256);
  std::iota(codes.begin(), codes.end(), 0);
  return codes;
}

std::vector<std::uint64_t> by_operations(const ir::Program& program) {
  std::vector<std::uint64_t> codes = every_code();
  CHECK(ir::interpret(program, codes).empty());
  return codes;
}

/// What the program gives for one code. It reads the base as the search does.
std::uint8_t evaluate(const WindowProgram& program, int code) {
  const lower::SignOfCode& sign = program.sign;
  if (sign.patch && code == 0x80) return *sign.patch;
  const bool negative = program.seen != Seen::code && code >= 0x80;
  const int magnitude = program.seen == Seen::absolute ? 256 - code : code - 0x80;
  const int number = negative ? magnitude : code;
  int sum = base_at(program, number);
  for (const lower::Window& window : program.windows) {
    if (number >= window.start && number < window.start + 16) sum += window.added[number - window.start];
  }
  if (!negative) return static_cast<std::uint8_t>(sum);
  if (sign.negates) return static_cast<std::uint8_t>(-sum);
  return static_cast<std::uint8_t>(number >= sign.without ? sum ^ sign.flips : sum);
}

std::vector<std::uint64_t> by_evaluation(const WindowProgram& program) {
  std::vector<std::uint64_t> results = every_code();
  for (std::uint64_t& code : results) code = evaluate(program, static_cast<int>(code));
  return results;
}

bool is_of_bytes(const spec::Meaning& meaning) {
  return meaning.src->storage_bits == 8 && meaning.dst->storage_bits <= 8;
}

lower::Line line_of(const WindowProgram& program) { return std::get<lower::Line>(program.base); }

/// A program made of numbers that look random, with everything that programs may have.
WindowProgram made(std::uint64_t seed, TableClass table_class) {
  const auto pick = [&seed](int below) {
    seed = test::mix(seed);
    return static_cast<int>(seed % static_cast<std::uint64_t>(below));
  };
  const auto row = [&] { return ByteRow::each([&](int) { return pick(256); }); };
  WindowProgram program;
  program.table_class = table_class;
  program.seen = std::array{Seen::code, Seen::below_sign, Seen::absolute}[static_cast<std::size_t>(pick(3))];
  const int last = lower::last_seen(program.seen);
  const std::array ends{0, 0xFF, 64 + pick(128), 64 + pick(128)};  // of zeros, without an end, and others
  if (pick(2) == 0) {
    program.base = lower::Line{.least = pick(last),
                               .twice = pick(2) == 0,
                               .offset = static_cast<std::uint8_t>(pick(2) * pick(64)),
                               .most = static_cast<std::uint8_t>(ends[static_cast<std::size_t>(pick(4))])};
  } else {
    lower::Rows rows;
    rows.first = row();
    rows.down = pick(2) == 0;
    for (int step = pick(4); step > 0; --step) {
      rows.steps.push_back(ByteRow::each([&](int r) { return 16 * r + pick(16); }));
    }
    // The absolute value 128 is alone in its row, in front of every step.
    if (program.seen == Seen::absolute) {
      for (ByteRow& step : rows.steps) step[8] = 0x7F;
    }
    if (pick(2) == 0) {
      rows.columns = row();
      rows.columns_from = program.seen == Seen::code ? 0 : pick(8);
    }
    program.base = rows;
  }
  for (int start = pick(80); start <= last; start += 16 + pick(80)) {
    if (pick(4) == 0 && last - start > 15) continue;
    lower::Window window{start, row()};
    for (int i = last - start + 1; i < 16; ++i) window.added[i] = 0;
    program.windows.push_back(window);
  }
  if (program.seen != Seen::code) {
    program.sign.negates = evaluate(program, 0) == 0;
    if (!program.sign.negates) program.sign.flips = std::array<std::uint8_t, 4>{0, 0x80, 0xFF, 0x28}[pick(4)];
    if (program.seen == Seen::below_sign) {
      if (program.sign.flips != 0) program.sign.without = pick(2) * pick(20);
      if (pick(3) == 0) program.sign.patch = static_cast<std::uint8_t>(pick(256));
    }
  }
  return program;
}

}  // namespace

TEST_CASE("window programs of shipped kernels are exact, and cheaper than lookups alone") {
  int found = 0, of_lines = 0;
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    if (!is_of_bytes(kernel.meaning)) continue;
    const std::vector<std::uint64_t> results = test::results_of(kernel.meaning);
    const int dst_bits = kernel.meaning.dst->storage_bits;
    for (const TableClass table_class : kClasses) {
      INFO(kernel.name);
      const int by_lookups =
          price(lower::program_of_table(results, dst_bits, table_class), lower::lookup_costs(table_class));
      const auto program = lower::program_of_windows(results, table_class, by_lookups);
      const auto operations = lower::lower_windows(kernel.meaning, table_class);
      REQUIRE(program.has_value() == operations.has_value());
      if (!program) continue;
      ++found;
      of_lines += std::holds_alternative<lower::Line>(program->base) ? 1 : 0;
      CHECK(program->price < by_lookups);
      CHECK(by_evaluation(*program) == results);
      CHECK(by_operations(*operations) == results);
      CHECK_FALSE(lower::program_of_windows(results, table_class, program->price));
    }
  }
  CHECK(found > 120);
  CHECK(of_lines > 50);
  CHECK(found - of_lines > 20);
}

TEST_CASE("operations do what their program says, whatever it has") {
  int negated = 0;
  for (const TableClass table_class : kClasses) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      const WindowProgram program = made(seed, table_class);
      negated += program.sign.negates ? 1 : 0;
      INFO("seed " << seed);
      CHECK(by_operations(lower::operations_of(program, 8)) == by_evaluation(program));
    }
  }
  CHECK(negated > 100);
}

TEST_CASE("the search gives every table its own results") {
  for (const TableClass table_class : kClasses) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      INFO("seed " << seed);
      const std::vector<std::uint64_t> results = by_evaluation(made(seed, table_class));
      const auto program = lower::program_of_windows(results, table_class, lower::kNever);
      REQUIRE(program.has_value());
      CHECK(by_evaluation(*program) == results);
      CHECK(by_operations(lower::operations_of(*program, 8)) == results);
    }
  }
}

TEST_CASE("a line of zeros takes no operation") {
  std::vector<std::uint64_t> results(256);
  for (std::size_t i = 0; i < 16; ++i) results[0x7F + i] = i * i + 1;
  const auto program = lower::program_of_windows(results, TableClass::bytes16, lower::kNever);
  REQUIRE(program.has_value());
  CHECK(line_of(*program).most == 0);
  const ir::Program operations = lower::operations_of(*program, 8);
  CHECK(operations.result().op == ir::Op::lookup16);
  CHECK(operations.tables.size() == 1);
  CHECK(by_operations(operations) == results);
}

TEST_CASE("float8e5m2 to float8e4m3fn is a line of twice the codes, and two windows") {
  const std::vector<std::uint64_t> results =
      test::results_of(test::conversion(test::type("float8e5m2"), test::type("float8e4m3fn")));
  const auto program = lower::program_of_windows(results, TableClass::bytes16, lower::kNever);
  REQUIRE(program.has_value());
  CHECK(program->seen == Seen::below_sign);
  // One bit of the significand more; the biases, 15 and 7, are 8 apart, which are 8 * 4 codes of the source.
  CHECK(line_of(*program).twice);
  CHECK(line_of(*program).least == (15 - 7) * 4);
  CHECK(program->windows.size() <= 2);
  CHECK(program->windows.front().start < (15 - 7) * 4);  // subnormal results
  CHECK(program->sign.flips == 0x80);
  CHECK(program->sign.without == 0);
}

TEST_CASE("tables of a window program are named once, and say what they hold") {
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    if (!is_of_bytes(kernel.meaning)) continue;
    for (const TableClass table_class : kClasses) {
      const auto program = lower::lower_windows(kernel.meaning, table_class);
      if (!program) continue;
      std::set<std::string> names;
      for (const ir::Table& table : program->tables) {
        CHECK(!table.note.empty());
        CHECK(names.insert(table.name).second);
      }
    }
  }
}

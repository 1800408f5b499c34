// Lookup programs of every table of at most 256 results, held against the exact semantics, and what they cost.
#include <catch2/catch_all.hpp>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "lower/table_program.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;
using lower::TableClass;

namespace {

/// Where a term is read for a code: the entry of its table, or none where it adds nothing.
std::optional<int> entry_of(lower::TermIndex index, int code, const lower::Codes& codes) {
  const int unclamped = !codes.absolute ? code & (codes.half() - 1) : code < 128 ? code : 256 - code;
  const int magnitude = codes.clamps() ? std::min(unclamped, codes.last()) : unclamped;
  const int column = code & 15, magnitude_column = magnitude & 15;
  const auto where = [](bool there, int entry) { return there ? std::optional<int>(entry) : std::nullopt; };
  switch (index.kind) {
    case lower::Index::magnitude_high: return magnitude >> 4;
    case lower::Index::magnitude_from: return where(magnitude < 128 && magnitude >> 4 >= index.row, magnitude_column);
    case lower::Index::magnitude_only: return where(magnitude >> 4 == index.row, magnitude_column);
    case lower::Index::magnitude_ends: return where(((magnitude + 8) & 0x7F) < 16, (magnitude + 8) & 0x7F);
    case lower::Index::unclamped_from: return where(unclamped < 128 && unclamped >> 4 >= index.row, unclamped & 15);
    case lower::Index::unclamped_only: return where(unclamped >> 4 == index.row, unclamped & 15);
    case lower::Index::column: return column;
    case lower::Index::high: return code >> 4;
    case lower::Index::ends: return where(((code + 8) & 0xFF) < 16, (code + 8) & 0xFF);
    case lower::Index::lower_from: return where(code < 128 && code >> 4 >= index.row, column);
    case lower::Index::upper_from: return where(code >> 4 >= index.row, column);
    case lower::Index::only: return where(code >> 4 == index.row, column);
    case lower::Index::upper_odd: return where(code >= 128 && (code >> 4 & 1) != 0, column);
  }
  return std::nullopt;
}

/// What the program gives for one code.
std::uint64_t result_of(const lower::TableProgram& program, int code) {
  const auto position = static_cast<std::size_t>(code);
  if (program.identity) return static_cast<std::uint64_t>(code);
  if (!program.wide.empty()) return program.wide[position];
  const lower::Codes& codes = program.codes;
  const bool negative = code >= codes.half();
  const int magnitude = !codes.absolute ? code & 0x7F : std::min(code, 256 - code) & 0x7F;
  std::vector<std::uint8_t> bytes;
  bool all_zero = true;
  for (const lower::PlaneProgram& plane : program.planes) {
    int sum = 0;
    if (plane.whole != 0) sum = plane.entries.at(plane.whole == 128 ? magnitude : code);
    const auto add = [&](bool before_sign) {
      for (const lower::Term& term : plane.terms) {
        if (lower::of_magnitude(term.index.kind) != before_sign) continue;
        if (const auto entry = entry_of(term.index, code, codes)) sum += term.table[*entry];
      }
    };
    add(true);
    const bool zero_before_sign = (sum & 0xFF) == 0;
    if (negative) {
      if (plane.sign == lower::SignEffect::flips) sum ^= plane.flips;
      if (plane.sign == lower::SignEffect::negates) sum = -sum;
      if (plane.sign == lower::SignEffect::replaces) sum = plane.other;
      if (plane.sign == lower::SignEffect::negates_with_carry) sum = (sum ^ 0xFF) + (all_zero ? 1 : 0);
    }
    if (plane.tells_zero) all_zero = all_zero && zero_before_sign;
    add(false);
    if (plane.patch && code == 128) sum = *plane.patch;
    bytes.push_back(static_cast<std::uint8_t>(sum));
  }
  std::uint64_t result = 0;
  for (std::size_t j = 0; j < program.from.size(); ++j) {
    if (program.from[j] >= 0) result |= std::uint64_t{bytes[static_cast<std::size_t>(program.from[j])]} << (8 * j);
  }
  return program.masked ? result & low_bits(program.dst_bits) : result;
}

bool gives(const lower::TableProgram& program, const std::vector<std::uint64_t>& results) {
  for (std::size_t c = 0; c < results.size(); ++c) {
    if (result_of(program, static_cast<int>(c)) != results[c]) return false;
  }
  return true;
}

/// kernel -> the most its programs may cost, in the order of test::kTableClasses.
std::map<std::string, std::array<int, 3>> recorded_prices() {
  std::ifstream file(std::string(CASTFORGE_SOURCE_DIR) + "/tests/unit/lower/prices.tsv");
  std::map<std::string, std::array<int, 3>> prices;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string kernel;
    std::array<int, 3> most{};
    words >> kernel >> most[0] >> most[1] >> most[2];
    prices[kernel] = most;
  }
  return prices;
}

}  // namespace

TEST_CASE("programs of all narrow sources give the exact results") {
  int programs = 0;
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    if (kernel.meaning.src->storage_bits > 8) continue;
    const std::vector<std::uint64_t> results = test::results_of(kernel.meaning);
    for (const auto& [table_class, name] : test::kTableClasses) {
      INFO(kernel.name << " for " << name);
      CHECK(gives(lower::program_of_table(results, kernel.meaning.dst->storage_bits, table_class), results));
      ++programs;
    }
  }
  CHECK(programs >= 3 * 306);
}

TEST_CASE("no program costs more than it did") {
  const auto prices = recorded_prices();
  std::size_t known = 0;
  for (const driver::Kernel& kernel : test::shipped_kernels().kernels) {
    const auto most = prices.find(kernel.name);
    if (most == prices.end()) continue;
    ++known;
    const std::vector<std::uint64_t> results = test::results_of(kernel.meaning);
    for (std::size_t i = 0; i < std::size(test::kTableClasses); ++i) {
      const auto& [table_class, name] = test::kTableClasses[i];
      INFO(kernel.name << " for " << name);
      CHECK(lower::price(lower::program_of_table(results, kernel.meaning.dst->storage_bits, table_class),
                         lower::lookup_costs(table_class)) <= most->second[i]);
    }
  }
  CHECK(known == prices.size());
}

TEST_CASE("programs of tables of every make give the results of the table") {
  for (const int dst_bits : {1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 32, 47, 64}) {
    for (const test::Shape& shape : test::kShapes) {
      for (const int src_bits : {1, 2, 3, 4, 5, 6, 7, 8}) {
        const std::vector<std::uint64_t> results = test::results_of(shape, src_bits, dst_bits);
        for (const auto& [table_class, name] : test::kTableClasses) {
          INFO(shape.name << ": " << src_bits << " to " << dst_bits << " bits for " << name);
          CHECK(gives(lower::program_of_table(results, dst_bits, table_class), results));
        }
      }
    }
  }
}

TEST_CASE("a number format is a few terms") {
  const spec::Meaning widened = test::conversion(test::type("float8e5m2"), test::type("float16"));
  const lower::TableProgram program = lower::program_of_table(test::results_of(widened), 16, TableClass::bytes16);
  REQUIRE(program.planes.size() == 1);  // the low byte of all results is zero
  CHECK(program.from == std::vector<int>{-1, 0});
  CHECK(program.planes[0].sign == lower::SignEffect::none);

  const spec::Meaning copied = test::conversion(test::type("float8e5m2"), test::type("float8e5m2"));
  CHECK(lower::program_of_table(test::results_of(copied), 8, TableClass::neon).identity);
}

TEST_CASE("magnitudes beyond the range are clamped, and NaN is told apart") {
  const spec::Meaning saturated = test::conversion(test::type("float8e4m3fn"), test::type("float4e2m1"));
  std::vector<std::uint64_t> results = test::results_of(saturated);
  const lower::TableProgram program = lower::program_of_table(results, 4, TableClass::bytes16);
  CHECK(program.codes.last() == 0x4F);  // 7.5; from 5 on the result is 6
  // With a result of its own for each code of the last row the clamped magnitudes miss no more than that.
  for (std::size_t c = 0x70; c < 0x80; ++c) {
    results[c] = c & 7;
    results[c + 0x80] = results[c] | 8;
  }
  const lower::TableProgram last_apart = lower::program_of_table(results, 4, TableClass::bytes16);
  CHECK(last_apart.codes.last() == 0x4F);
  CHECK(gives(last_apart, results));
  // Where nothing saturates nothing is clamped.
  for (std::size_t c = 0; c < results.size(); ++c) results[c] = c * 7 & 0xF;
  CHECK(!lower::program_of_table(results, 4, TableClass::bytes16).codes.clamps());
}

TEST_CASE("a table has a result for every code") {
  const std::vector<std::uint64_t> three(3);
  CHECK_THROWS_AS(lower::program_of_table(three, 8, TableClass::vbmi), std::invalid_argument);
}

// Lookup programs of every table of at most 256 results, held against the exact semantics, and what they cost.
#include <catch2/catch_all.hpp>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "lower/table_program.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;
using lower::TableClass;

namespace {

bool gives(const lower::TableProgram& program, const std::vector<std::uint64_t>& results) {
  for (std::size_t c = 0; c < results.size(); ++c) {
    if (lower::evaluate(program, static_cast<int>(c)) != results[c]) return false;
  }
  return true;
}

/// kernel -> the most its programs may cost, in the order of lower::all_lookup_costs().
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
    for (const lower::LookupCosts& costs : lower::all_lookup_costs()) {
      INFO(kernel.name << " for " << costs.name);
      CHECK(gives(lower::program_of_table(results, kernel.meaning.dst->storage_bits, costs.table_class), results));
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
    for (std::size_t i = 0; i < lower::all_lookup_costs().size(); ++i) {
      const lower::LookupCosts& costs = lower::all_lookup_costs()[i];
      INFO(kernel.name << " for " << costs.name);
      CHECK(lower::price(lower::program_of_table(results, kernel.meaning.dst->storage_bits, costs.table_class),
                         costs) <= most->second[i]);
    }
  }
  CHECK(known == prices.size());
}

TEST_CASE("programs of tables of every make give the results of the table") {
  for (const int dst_bits : {1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 32, 47, 64}) {
    for (const test::Shape& shape : test::kShapes) {
      for (const int src_bits : {1, 2, 3, 4, 5, 6, 7, 8}) {
        const std::vector<std::uint64_t> results = test::results_of(shape, src_bits, dst_bits);
        for (const lower::LookupCosts& costs : lower::all_lookup_costs()) {
          INFO(shape.name << ": " << src_bits << " to " << dst_bits << " bits for " << costs.name);
          CHECK(gives(lower::program_of_table(results, dst_bits, costs.table_class), results));
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

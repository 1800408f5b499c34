// On this instruction set every operation gives what the table of operations says, in every way it is run.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "unit/operations/all_ways.hpp"
#include "unit/operations/cases.hpp"

using namespace castforge;

namespace castforge::test::CASTFORGE_ISA {
extern const WaysOfIsa ways;
}

extern "C" {
extern const char castforge_test_isa[];
const char castforge_test_isa[] = CASTFORGE_TESTED_ISA;
}

namespace {

using Numbers = std::vector<std::uint64_t>;

/// Puts tuples in another order: neighbours in a block differ, so that an element in a wrong place shows.
void scatter(test::Tuples& tuples) {
  std::vector<std::size_t> places(tuples.results.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::shuffle(places.begin(), places.end(), std::mt19937_64(1));
  const auto scattered = [&](const Numbers& column) {
    Numbers other;
    for (const std::size_t place : places) other.push_back(column[place]);
    return other;
  };
  for (Numbers& column : tuples.columns) column = scattered(column);
  tuples.results = scattered(tuples.results);
}

/// As elements of so many bits, filled up from the front to whole blocks.
std::vector<std::byte> elements(const Numbers& column, int bits) {
  const std::size_t size = static_cast<std::size_t>(bits) / 8,
                    count = (column.size() + test::kWayBlock - 1) / test::kWayBlock * test::kWayBlock;
  std::vector<std::byte> bytes(count * size);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(&bytes[i * size], &column[i % column.size()], size);
  return bytes;
}

}  // namespace

TEST_CASE("operations give on words and vectors what their table says", "[operations]") {
  const std::vector<test::Case> cases = test::operation_cases();
  const std::vector<const test::WaysOfCase*> all = test::all_ways(test::CASTFORGE_ISA::ways);
  REQUIRE(cases.size() == all.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const test::WaysOfCase& one = *all[i];
    REQUIRE(cases[i].name == one.name);
    test::Tuples tuples = test::tuples_of(cases[i]);
    scatter(tuples);
    std::vector<std::vector<std::byte>> columns;
    std::vector<const std::byte*> operands;
    for (const Numbers& column : tuples.columns) columns.push_back(elements(column, one.bits));
    for (const std::vector<std::byte>& column : columns) operands.push_back(column.data());
    const std::vector<std::byte> expected = elements(tuples.results, one.to);
    const std::size_t size = static_cast<std::size_t>(one.to) / 8;
    std::vector<std::byte> results(expected.size());
    for (std::size_t k = 0; k < one.count; ++k) {
      std::fill(results.begin(), results.end(), std::byte{0xA5});  // what is not written shows
      one.ways[k].run(operands.data(), results.size() / size, results.data());
      for (std::size_t at = 0; at < tuples.results.size(); ++at) {
        std::uint64_t result = 0;
        std::memcpy(&result, &results[at * size], size);
        if (result == tuples.results[at]) continue;
        std::string text;
        for (const Numbers& column : tuples.columns) text += (text.empty() ? "" : ", ") + std::to_string(column[at]);
        FAIL_CHECK(one.name << "(" << text << ") on " << one.ways[k].name << ": " << result << ", expected "
                            << tuples.results[at]);
        break;
      }
    }
  }
}

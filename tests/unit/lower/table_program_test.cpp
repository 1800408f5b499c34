// Lookup programs of every table of at most 256 results, held against the exact semantics, and what they cost.
#include <catch2/catch_all.hpp>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "emit/catalogue.hpp"
#include "lower/table_program.hpp"
#include "semantics/convert.hpp"
#include "unit/semantics/meanings.hpp"

using namespace castforge;
using lower::Index;
using lower::TableClass;

namespace {

const emit::Catalogue& shipped_kernels() {
  static const emit::Catalogue catalogue = emit::build_catalogue(test::shipped().model());
  return catalogue;
}

std::vector<std::uint64_t> results_of(const spec::Meaning& meaning) {
  std::vector<std::uint64_t> results;
  for (std::uint64_t c = 0; c < 1ull << meaning.src->storage_bits; ++c) results.push_back(semantics::convert_storage(meaning, c));
  return results;
}

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

std::uint64_t mix(std::uint64_t v) {
  v = (v + 1) * 0x9E3779B97F4A7C15;
  v = (v ^ (v >> 29)) * 0xBF58476D1CE4E5B9;
  return v ^ (v >> 32);
}

/// A magnitude without a sign: equal steps, subnormal numbers below 8, NaN at the top.
std::uint64_t steps(std::uint64_t c, std::uint64_t top) {
  return c < 8 ? mix(c) : c == top ? 0x7F3F5F6F777B7D7E : (c / 2 + 8) * 0x0101010101010101 + c % 2 * 0x4000000040002010;
}

struct Shape {
  const char* name;
  std::uint64_t (*result)(std::uint64_t code, std::uint64_t all, std::uint64_t sign);
};

constexpr std::uint64_t low(std::uint64_t c) { return c & 127; }
constexpr std::uint64_t absolute(std::uint64_t c) { return c < 128 ? c : 256 - c; }

const Shape kShapes[] = {
    {"every plane different", [](auto c, auto, auto) { return mix(c); }},
    {"all results zero", [](auto, auto, auto) { return std::uint64_t{0}; }},
    {"all results equal", [](auto, auto, auto) { return std::uint64_t{0x0123456789ABCDEF}; }},
    {"low half of the result zero", [](auto c, auto all, auto) { return mix(c) & (all ^ (all >> 16)); }},
    {"sign alone", [](auto c, auto, auto sign) { return (mix(low(c)) & (sign - 1)) | (c < 128 ? 0 : sign); }},
    {"sign alone, and a NaN without magnitude",
     [](auto c, auto, auto sign) { return c == 128 ? 0x7FC07FC07FC07FC0 : (mix(low(c)) & (sign - 1)) | (c < 128 ? 0 : sign); }},
    {"sign flips bits everywhere", [](auto c, auto, auto) { return mix(low(c)) ^ (c < 128 ? 0 : 0xC30F6600FF81A55A); }},
    {"sign flips everything", [](auto c, auto, auto) { return (low(c) * 3) ^ (c < 128 ? 0 : ~std::uint64_t{0}); }},
    {"like a float", [](auto c, auto, auto sign) { return (steps(low(c), 127) & (sign - 1)) | (c < 128 ? 0 : sign); }},
    {"like a float without a sign", [](auto c, auto, auto) { return steps(c, 255); }},
    {"negated", [](auto c, auto, auto) { return c < 128 ? c * c * 3 : 0 - low(c) * low(c) * 3; }},
    {"negated but for the largest",
     [](auto c, auto, auto sign) {
       const std::uint64_t square = low(c) * low(c);
       return c < 128 ? std::min(square, sign - 1) : square < sign ? 0 - square : sign;
     }},
    {"negated, low byte zero",
     [](auto c, auto, auto) {
       const std::uint64_t value = (low(c) % 3 == 0 ? low(c) * low(c) : low(c) % 3 == 1 ? low(c) * 256 : 0) << 8;
       return c < 128 ? value : 0 - value;
     }},
    {"absolute values", [](auto c, auto, auto sign) { return (mix(absolute(c)) & (sign - 1)) | (c < 128 ? 0 : sign); }},
    {"absolute values in steps",
     [](auto c, auto, auto sign) { return ((absolute(c) * 0x0411 + 0x33) & (sign - 1)) | (c < 128 ? 0 : sign); }},
    {"absolute values negated", [](auto c, auto, auto) { return c < 128 ? (c == 0 ? 0 : mix(c) * 2) : 0 - mix(256 - c) * 2; }},
    {"few rows", [](auto c, auto, auto) { return c / 16 == 3 || c / 16 == 6 || c / 16 == 9 || c / 16 == 14 ? mix(c) : 0; }},
    {"most rows equal", [](auto c, auto, auto) { return mix(c / 16 % 5 == 2 ? c : c % 16); }},
    {"ties to even",
     [](auto c, auto, auto) { return c < 128 ? mix(c / 64 * 16 + c % 16) : (c + 7 + c / 16 % 2) / 16 * 0x0101010101010101; }},
};

}  // namespace

TEST_CASE("programs of all narrow sources give the exact results") {
  int programs = 0;
  for (const emit::Kernel& kernel : shipped_kernels().kernels) {
    if (kernel.meaning.src->storage_bits > 8) continue;
    const std::vector<std::uint64_t> results = results_of(kernel.meaning);
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
  for (const emit::Kernel& kernel : shipped_kernels().kernels) {
    const auto most = prices.find(kernel.name);
    if (most == prices.end()) continue;
    ++known;
    const std::vector<std::uint64_t> results = results_of(kernel.meaning);
    for (std::size_t i = 0; i < lower::all_lookup_costs().size(); ++i) {
      const lower::LookupCosts& costs = lower::all_lookup_costs()[i];
      INFO(kernel.name << " for " << costs.name);
      CHECK(lower::price(lower::program_of_table(results, kernel.meaning.dst->storage_bits, costs.table_class), costs) <= most->second[i]);
    }
  }
  CHECK(known == prices.size());
}

TEST_CASE("programs of tables of every make give the results of the table") {
  for (const int dst_bits : {1, 2, 4, 8, 16, 32, 64}) {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - dst_bits);
    for (const Shape& shape : kShapes) {
      std::vector<std::uint64_t> results;
      for (std::uint64_t c = 0; c < 256; ++c) results.push_back(shape.result(c, all, all ^ (all >> 1)) & all);
      for (const int src_bits : {1, 2, 4, 8}) {
        const std::vector<std::uint64_t> part(results.begin(), results.begin() + (1 << src_bits));
        for (const lower::LookupCosts& costs : lower::all_lookup_costs()) {
          INFO(shape.name << ": " << src_bits << " to " << dst_bits << " bits for " << costs.name);
          CHECK(gives(lower::program_of_table(part, dst_bits, costs.table_class), part));
        }
      }
    }
  }
}

TEST_CASE("a number format is a few terms") {
  const spec::Meaning widened = test::conversion(test::type("float8e5m2"), test::type("float16"));
  const lower::TableProgram program = lower::program_of_table(results_of(widened), 16, TableClass::bytes16);
  REQUIRE(program.planes.size() == 1);  // the low byte of all results is zero
  CHECK(program.from == std::vector<int>{-1, 0});
  CHECK(program.planes[0].sign == lower::SignEffect::none);

  const spec::Meaning copied = test::conversion(test::type("float8e5m2"), test::type("float8e5m2"));
  CHECK(lower::program_of_table(results_of(copied), 8, TableClass::neon).identity);
}

TEST_CASE("a table has a result for every code") {
  const std::vector<std::uint64_t> three(3);
  CHECK_THROWS_AS(lower::program_of_table(three, 8, TableClass::vbmi), std::invalid_argument);
}

// Kernels of narrow sources, and tables of every make.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "driver/catalogue.hpp"
#include "ir/interpret.hpp"
#include "lower/table_class.hpp"
#include "semantics/convert.hpp"
#include "unit/planned.hpp"
#include "unit/semantics/meanings.hpp"

namespace castforge::test {

inline constexpr std::pair<lower::TableClass, const char*> kTableClasses[] = {
    {lower::TableClass::bytes16, "bytes16"}, {lower::TableClass::neon, "neon"}, {lower::TableClass::vbmi, "vbmi"}};

inline const driver::Catalogue& shipped_kernels() {
  static const driver::Catalogue catalogue = test::planned(test::shipped().model());
  return catalogue;
}

inline std::vector<std::uint64_t> results_of(const spec::Meaning& meaning) {
  std::vector<std::uint64_t> results;
  for (std::uint64_t c = 0; c < 1ull << meaning.src->storage_bits; ++c) {
    results.push_back(semantics::convert_storage(meaning, c));
  }
  return results;
}

/// Of a source of 16 bits: does the program give what the semantics say, for every code?
inline bool is_exact(const ir::Program& program, const spec::Meaning& meaning) {
  std::vector<std::uint64_t> codes(1 << 16);
  std::iota(codes.begin(), codes.end(), 0);
  return ir::interpret(program, codes).empty() && codes == results_of(meaning);
}

/// Has some value or table of the program that name?
inline bool has_name(const ir::Program& program, const std::string& name) {
  const auto is = [&](const auto& one) { return one.name == name; };
  return std::ranges::any_of(program.nodes, is) || std::ranges::any_of(program.tables, is);
}

inline std::uint64_t mix(std::uint64_t v) {
  v = (v + 1) * 0x9E3779B97F4A7C15;
  v = (v ^ (v >> 29)) * 0xBF58476D1CE4E5B9;
  return v ^ (v >> 32);
}

/// A magnitude without a sign: equal steps, subnormal numbers below 8, NaN at the top.
inline std::uint64_t steps(std::uint64_t c, std::uint64_t top) {
  return c < 8 ? mix(c) : c == top ? 0x7F3F5F6F777B7D7E : (c / 2 + 8) * 0x0101010101010101 + c % 2 * 0x4000000040002010;
}

struct Shape {
  const char* name;
  std::uint64_t (*result)(std::uint64_t code, std::uint64_t all, std::uint64_t sign);
};

constexpr std::uint64_t low(std::uint64_t c) { return c & 127; }
constexpr std::uint64_t absolute(std::uint64_t c) { return c < 128 ? c : 256 - c; }

inline const Shape kShapes[] = {
    {"every plane different", [](auto c, auto, auto) { return mix(c); }},
    {"all results zero", [](auto, auto, auto) { return std::uint64_t{0}; }},
    {"all results equal", [](auto, auto, auto) { return std::uint64_t{0x0123456789ABCDEF}; }},
    {"low half of the result zero", [](auto c, auto all, auto) { return mix(c) & (all ^ (all >> 16)); }},
    {"sign alone", [](auto c, auto, auto sign) { return (mix(low(c)) & (sign - 1)) | (c < 128 ? 0 : sign); }},
    {"sign alone, and a NaN without magnitude",
     [](auto c, auto, auto sign) {
       return c == 128 ? 0x7FC07FC07FC07FC0 : (mix(low(c)) & (sign - 1)) | (c < 128 ? 0 : sign);
     }},
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
    {"absolute values negated",
     [](auto c, auto, auto) { return c < 128 ? (c == 0 ? 0 : mix(c) * 2) : 0 - mix(256 - c) * 2; }},
    {"few rows",
     [](auto c, auto, auto) { return c / 16 == 3 || c / 16 == 6 || c / 16 == 9 || c / 16 == 14 ? mix(c) : 0; }},
    {"most rows equal", [](auto c, auto, auto) { return mix(c / 16 % 5 == 2 ? c : c % 16); }},
    {"ties to even",
     [](auto c, auto, auto) {
       return c < 128 ? mix(c / 64 * 16 + c % 16) : (c + 7 + c / 16 % 2) / 16 * 0x0101010101010101;
     }},
};

/// The results of a shape for codes of src_bits bits, the highest of which is what bit 7 is elsewhere.
inline std::vector<std::uint64_t> results_of(const Shape& shape, int src_bits, int dst_bits) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - dst_bits);
  std::vector<std::uint64_t> results;
  const std::uint64_t sign = 1ull << (src_bits - 1);
  for (std::uint64_t c = 0; c < 2 * sign; ++c) {
    results.push_back(shape.result((c & (sign - 1)) | (c < sign ? 0 : 128), all, all ^ (all >> 1)) & all);
  }
  return results;
}

}  // namespace castforge::test

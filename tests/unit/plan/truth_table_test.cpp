// What the truth tables of kernel files say of negative numbers, held against the exact semantics; their lines.
#include <catch2/catch_all.hpp>

#include <cmath>
#include <map>
#include <optional>

#include "emit/truth_table.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"
#include "spec/hex.hpp"
#include "unit/plan/subjects.hpp"

using namespace castforge;
using namespace castforge::test;
using emit::TruthRow;
using semantics::convert_code;
using semantics::decode;
using Class = semantics::Value::Class;

namespace {

constexpr const char* kSigned = "as |x|, with the sign";
constexpr const char* kUnlessZero = "as |x|, with the sign unless the result is zero";

std::optional<TruthRow> row_of(const Meaning& meaning, const std::string& source) {
  for (const TruthRow& row : emit::truth_table(meaning)) {
    if (row.source == source) return row;
  }
  return {};
}

/// The code of -x, for the code of a positive number.
std::uint64_t negated(const Type& type, std::uint64_t code) {
  return type.kind == Kind::integer ? (0 - code) & low_bits(type.value_bits) : code | type.sign_mask();
}

double double_of(const Type& type, std::uint64_t code) {
  const semantics::Value value = decode(type, code);
  return std::ldexp(static_cast<double>(value.significand), value.exponent);
}

/// The first number for which the row `x < 0` says something else than the semantics; "" where it is right.
std::string wrong(const Meaning& meaning, const std::string& because) {
  const Type &src = *meaning.src, &dst = *meaning.dst;
  const std::uint64_t step = src.value_bits > 10 ? 37 : 1;
  const std::uint64_t last = src.kind == Kind::floating ? src.max_finite_code() : src.largest_code();
  bool vanishes = false;
  for (std::uint64_t code = 1; code <= last; code += code < 512 ? 1 : step) {
    const std::uint64_t magnitude = convert_code(meaning, code), result = convert_code(meaning, negated(src, code));
    if (decode(dst, magnitude).cls == Class::nan && decode(dst, result).cls == Class::nan) continue;
    vanishes = vanishes || (magnitude == 0 && result == 0);
    const bool plain = magnitude == 0 && because == kUnlessZero;
    if (result != (plain ? 0 : magnitude | dst.sign_mask())) return emit::value_text(src, negated(src, code));
  }
  if (because == kUnlessZero && !vanishes) return "none becomes zero";
  return "";
}

}  // namespace

TEST_CASE("a truth table says when negative numbers have the sign") {
  int kept = 0, lost = 0;
  for (const Type* src : all_types()) {
    if (!src->is_signed || src->value_bits > 16) continue;
    for (const Type* dst : all_types()) {
      if (dst->kind != Kind::floating || !dst->is_signed || src == dst) continue;
      for (const spec::Rounding* mode : modes()) {
        for (const Policy& policy : policies(*dst)) {
          const Meaning meaning = meaning_of(*src, *dst, mode, policy);
          const std::optional<TruthRow> row = row_of(meaning, "x < 0");
          if (!row || (row->because != kSigned && row->because != kUnlessZero)) continue;
          ++(row->because == kSigned ? kept : lost);
          const std::string found = wrong(meaning, row->because);
          if (found.empty()) continue;
          CAPTURE(src->name, dst->name, mode->name, found, row->because);
          CHECK(found.empty());
        }
      }
    }
  }
  CHECK(kept > 1000);
  CHECK(lost > 100);
}

TEST_CASE("a truth table has the least integer, whose magnitude no positive one has") {
  for (const char* const name : {"int2", "int8", "int32", "int64"}) {
    for (const char* const to : {"bfloat16", "float8e4m3fn", "float64"}) {
      const Type &src = any_type(name), &dst = any_type(to);
      const Meaning meaning = spec::canonical(conversion(src, dst));
      const std::uint64_t least = 1ull << (src.value_bits - 1), result = convert_code(meaning, least);
      const std::optional<TruthRow> row = row_of(meaning, emit::value_text(src, least));
      REQUIRE(row);
      CHECK(row->code == spec::hex(result, dst.value_bits).substr(2));
    }
  }
}

TEST_CASE("the lines of a truth table fit, and each cell stands in its column") {
  for (const Type* src : all_types()) {
    for (const Type* dst : all_types()) {
      if (dst->kind != Kind::floating) continue;
      const auto lines = emit::format_truth_table(spec::canonical(conversion(*src, *dst)));
      if (lines.empty()) continue;
      std::vector<std::size_t> gaps;  // where a column ends
      for (std::size_t at = lines[1].find("- "); at != std::string::npos; at = lines[1].find("- ", at + 1))
        gaps.push_back(at + 1);
      REQUIRE(gaps.size() == 3);
      for (const std::string& line : lines) {
        INFO(src->name + " to " + dst->name + ": " + line);
        CHECK(line.size() <= 115);
        for (const std::size_t gap : gaps) CHECK((line.size() <= gap || line.substr(gap, 3) == "   "));
      }
    }
  }
}

TEST_CASE("the ranges of a truth table follow one another, and say what becomes of both ends") {
  int subnormal = 0, above = 0;
  for (const Type* src : all_types()) {
    if (src->value_bits > 16 || src->kind == Kind::boolean || !src->has_zero()) continue;
    for (const Type* dst : all_types()) {
      if (dst->kind != Kind::floating || src == dst) continue;
      for (const Policy& policy : policies(*dst)) {
        const Meaning meaning = meaning_of(*src, *dst, modes()[0], policy);
        std::map<std::string, std::uint64_t> codes;  // of numbers that are not negative, by their text
        const std::uint64_t last = src->kind == Kind::floating ? src->max_finite_code() : src->largest_code();
        for (std::uint64_t code = 0; code <= last; ++code) codes.emplace(emit::value_text(*src, code), code);
        std::uint64_t next = 0;
        for (const TruthRow& row : emit::truth_table(meaning)) {
          if (next > last) break;
          CAPTURE(src->name, dst->name, row.source, row.code, row.because);
          const std::size_t to = row.source.find(" .. "), and_to = row.code.find("..");
          const auto first = codes.find(row.source.substr(0, to));
          const auto end = to == std::string::npos ? first : codes.find(row.source.substr(to + 4));
          REQUIRE(first != codes.end());
          REQUIRE(end != codes.end());
          CHECK(first->second == next);
          next = end->second + 1;
          const auto printed = [&](std::uint64_t code) {
            return spec::hex(convert_code(meaning, code), (dst->value_bits + 3) / 4 * 4).substr(2);
          };
          CHECK(row.code.substr(0, and_to) == printed(first->second));
          CHECK((and_to == std::string::npos ? row.code : row.code.substr(and_to + 2)) == printed(end->second));
          if (row.because.starts_with("subnormal")) {
            CHECK(convert_code(meaning, end->second) < std::uint64_t{1} << dst->mantissa_bits);
            ++subnormal;
          } else if (row.because == "above the largest number") {
            CHECK(convert_code(meaning, first->second) == dst->max_finite_code());
            CHECK(double_of(*src, first->second) > double_of(*dst, dst->max_finite_code()));
            ++above;
          }
        }
        CHECK(next == last + 1);
      }
    }
  }
  CHECK(subnormal > 100);
  CHECK(above > 10);
}

TEST_CASE("a truth table knows the border of a range among integers that float64 does not hold") {
  const Type dst = floating("float8e5m2big", true, 5, 2, -32, true, false, spec::NanCodes::none, 8);
  const Meaning meaning = spec::canonical(conversion(any_type("uint64"), dst));
  const std::optional<TruthRow> row = row_of(meaning, "16140901064495857665 .. 18446744073709551615");  // 7 * 2^61 + 1
  REQUIRE(row);
  CHECK(row->because == "above the largest number");
}

// The library's reference (exact_cast) against the generator's semantics: formats and rules as data on both sides,
// every policy, shipped carry tables and others; and the rule rows of the generated tables against the specs.
#include <castforge/castforge.hpp>
#include <catch2/catch_all.hpp>

#include <algorithm>
#include <memory>
#include <random>

#include "meanings.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"
#include "spec/canonical.hpp"
#include "spec/words.hpp"
#include "src/exact/cast.hpp"
#include "verify/points.hpp"

using namespace castforge;
using castforge::test::conversion;
using castforge::test::floating;
using castforge::test::integer;
using castforge::test::rounding;
using castforge::test::shipped;
using castforge::test::type;

namespace {

/// The generated enumerator of a word. Their order is that of spec::enumerations(), which they are written from.
template <class Enum>
Enum enumerator(std::string_view enumeration, std::string_view word) {
  for (const spec::Enumeration& one : spec::enumerations()) {
    if (one.name != enumeration) continue;
    const auto found = std::find(one.enumerators.begin(), one.enumerators.end(), word);
    if (found != one.enumerators.end()) return static_cast<Enum>(found - one.enumerators.begin());
  }
  throw std::runtime_error("no enumerator " + std::string(enumeration) + "::" + std::string(word));
}

Rule rule_of(const spec::Meaning& meaning) {
  Rule rule;
  if (meaning.round != nullptr) rule.carry = meaning.round->carry;
  rule.overflow = enumerator<Overflow>("Overflow", spec::word_of(meaning.overflow));
  if (const auto& first = meaning.saturate_first) {
    rule.saturate_first = {.bits = static_cast<std::uint8_t>(first->bits), .is_signed = first->is_signed};
  }
  rule.inf = enumerator<InfResult>("InfResult", spec::word_of(meaning.inf, spec::Kind::floating));
  rule.nan = enumerator<NanResult>("NanResult", spec::word_of(meaning.nan));
  rule.negative = enumerator<NegativeResult>("NegativeResult", spec::word_of(meaning.negative));
  rule.negative_test = enumerator<NegativeTest>("NegativeTest", spec::word_of(meaning.negative_test));
  rule.negative_inf = enumerator<NegativeInf>("NegativeInf", spec::word_of(meaning.negative_inf));
  rule.zero_sign = enumerator<ZeroSign>("ZeroSign", spec::word_of(meaning.zero_sign));
  rule.bits = enumerator<Bits>("Bits", spec::word_of(meaning.bits));
  rule.zero = enumerator<BelowRange>("BelowRange", spec::word_of(meaning.zero));
  rule.underflow = enumerator<BelowRange>("BelowRange", spec::word_of(meaning.underflow));
  rule.same_type = enumerator<SameType>("SameType", spec::word_of(meaning.same_type));
  return rule;
}

Format format_of(const spec::Type& type) {
  Format format;
  format.id = static_cast<Type>(type.id);
  format.kind = enumerator<TypeKind>("TypeKind", spec::enumerator_of(type.kind));
  format.nan = enumerator<NanCodes>("NanCodes", spec::word_of(type.nan));
  format.storage_bits = type.storage_bits;
  format.value_bits = type.value_bits;
  format.exponent_bits = type.exponent_bits;
  format.mantissa_bits = type.mantissa_bits;
  format.exponent_bias = type.exponent_bias;
  format.is_signed = type.is_signed;
  format.subnormals = type.subnormals;
  format.infinity = type.infinity;
  format.storage_high = type.storage_high;
  format.storage_sign_fill = type.storage_sign_fill;
  if (type.kind != spec::Kind::floating) return format;
  format.canonical_nan = type.has_nan() ? type.canonical_nan(false) : 0;
  format.max_finite = type.max_finite_code();
  format.infinity_code = type.infinity ? type.infinity_code() : 0;
  return format;
}

/// The shipped numeric types and others that no table has: coarse, unsigned, with two NaN conventions, far from one,
/// without subnormals, and integers of odd widths.
std::vector<spec::Type> all_types() {
  using N = spec::NanCodes;
  std::vector<spec::Type> types;
  for (const auto& type : shipped().model().types) {
    if (type->kind != spec::Kind::string) types.push_back(*type);
  }
  const std::size_t known = types.size();
  types.push_back(floating("float8e3m4", true, 3, 4, 3, true, true, N::ieee, 8));
  types.push_back(floating("binary8p3", true, 5, 2, 16, true, true, N::negative_zero, 8));
  types.push_back(floating("float6e3m2", true, 3, 2, 3, true, false, N::none, 8));
  types.push_back(floating("ufloat8e5m3", false, 5, 3, 15, true, true, N::top, 8));
  types.push_back(floating("float4e3m0", true, 3, 0, 3, true, false, N::none, 4));
  types.push_back(floating("tiny", true, 4, 3, 60, true, false, N::top, 8));
  types.push_back(floating("huge", true, 4, 3, -60, true, true, N::ieee, 8));
  types.push_back(floating("u8e8", false, 8, 0, 128, false, true, N::top, 8));
  types.push_back(floating("float8e4m3n", true, 4, 3, 7, false, true, N::ieee, 8));
  types.push_back(floating("ufloat8e5m3n", false, 5, 3, 15, false, false, N::top, 8));
  types.push_back(integer("int6", true, 6, 8));
  types.push_back(integer("uint12", false, 12, 16));
  for (std::size_t i = known; i < types.size(); ++i) types[i].id = 1000 + static_cast<int>(i);
  return types;
}

template <class Enum>
Enum any(std::mt19937& noise, int count) {
  return static_cast<Enum>(noise() % static_cast<unsigned>(count));
}

/// A rule that states a result for every value of the pair, and any mode: a shipped one or a table of its own.
spec::Meaning any_meaning(const spec::Type& src, const spec::Type& dst, spec::Rounding& mode, std::mt19937& noise) {
  spec::Meaning meaning;
  meaning.src = &src;
  meaning.dst = &dst;
  const auto& modes = shipped().model().roundings;
  mode = *modes[noise() % modes.size()];
  if (noise() % 2 == 0) mode.carry = static_cast<std::uint16_t>(noise() & 0xEEEE);  // exact values stay
  meaning.round = &mode;
  if (dst.kind == spec::Kind::integer) {
    meaning.overflow =
        std::array{spec::Overflow::wrap, spec::Overflow::saturate, spec::Overflow::indefinite}[noise() % 3];
    if (meaning.overflow != spec::Overflow::indefinite && noise() % 2 == 0) {
      const bool is_signed = noise() % 2 == 0;
      meaning.saturate_first = spec::IntegerRange{is_signed, static_cast<int>(1 + (is_signed ? 1 : 0) + noise() % 62)};
    }
    meaning.inf = std::array{spec::InfResult::zero, spec::InfResult::max, spec::InfResult::as_overflow}[noise() % 3];
    meaning.nan = std::array{spec::NanResult::zero, spec::NanResult::max, spec::NanResult::max_signed,
                             spec::NanResult::min}[noise() % 4];
    return meaning;
  }
  meaning.overflow = any<spec::Overflow>(noise, 4);  // infinity, max, nan, ieee
  meaning.inf = any<spec::InfResult>(noise, 5);
  meaning.nan = any<spec::NanResult>(noise, 6);
  meaning.negative = any<spec::NegativeResult>(noise, 3);
  meaning.negative_test = any<spec::NegativeTest>(noise, 2);
  meaning.negative_inf = any<spec::NegativeInf>(noise, 2);
  meaning.zero_sign = any<spec::ZeroSign>(noise, 2);
  meaning.zero = any<spec::BelowRange>(noise, 2);
  meaning.underflow = any<spec::BelowRange>(noise, 2);
  if (&src == &dst) meaning.same_type = any<spec::SameType>(noise, 3);
  return meaning;
}

/// Some of a source's representative codes; all of up to 8 bits.
std::vector<std::uint64_t> codes(const spec::Type& src, const spec::Type& dst, std::size_t most) {
  spec::Meaning meaning = conversion(src, dst);
  std::vector<std::uint64_t> points = verify::source_points(meaning);
  for (std::uint64_t& point : points) point = semantics::code_of_storage(src, point);
  if (src.value_bits <= 8) return points;
  std::mt19937 noise(7);
  std::shuffle(points.begin(), points.end(), noise);
  if (points.size() > most) points.resize(most);
  return points;
}

}  // namespace

TEST_CASE("enumerators have the words of specs, in one order") {
  std::size_t seen = 0;
  const auto same = [&]<class Enum>(std::string_view enumeration, Enum) {
    for (const spec::Enumeration& one : spec::enumerations()) {
      if (one.name != enumeration) continue;
      ++seen;
      const auto& words = one.words.empty() ? one.enumerators : one.words;
      REQUIRE(words.size() == kWords<Enum>.size());
      for (std::size_t i = 0; i < words.size(); ++i) CHECK(word_of(static_cast<Enum>(i)) == words[i]);
    }
  };
  same("TypeKind", TypeKind{});
  same("NanCodes", NanCodes{});
  same("Overflow", Overflow{});
  same("InfResult", InfResult{});
  same("NanResult", NanResult{});
  same("NegativeResult", NegativeResult{});
  same("NegativeTest", NegativeTest{});
  same("NegativeInf", NegativeInf{});
  same("ZeroSign", ZeroSign{});
  same("BelowRange", BelowRange{});
  same("SameType", SameType{});
  same("Bits", Bits{});
  same("Grammar", Grammar{});
  same("Notation", Notation{});
  CHECK(seen == spec::enumerations().size());
  CHECK(word_of(TypeKind::floating) == "float");
  CHECK(word_of(Overflow::saturate) == spec::word_of(spec::Overflow::saturate));
  CHECK(word_of(NanResult::zero_opposite) == spec::word_of(spec::NanResult::zero_opposite));
}

TEST_CASE("formats of the type table are those of the specs") {
  for (const auto& one : shipped().model().types) {
    INFO(one->name);
    const auto found = find_type(one->name);
    REQUIRE(found);
    CHECK(static_cast<int>(*found) == one->id);
    const Format table = type_info(*found), own = format_of(*one);
    CHECK(table.id == own.id);
    CHECK(table.kind == own.kind);
    if (one->kind == spec::Kind::floating) CHECK(table.nan == own.nan);
    CHECK(table.storage_bits == own.storage_bits);
    CHECK(table.value_bits == own.value_bits);
    CHECK(table.exponent_bits == own.exponent_bits);
    CHECK(table.mantissa_bits == own.mantissa_bits);
    CHECK(table.exponent_bias == own.exponent_bias);
    CHECK(table.is_signed == own.is_signed);
    CHECK(table.subnormals == own.subnormals);
    CHECK(table.infinity == own.infinity);
    CHECK(table.storage_high == own.storage_high);
    CHECK(table.storage_sign_fill == own.storage_sign_fill);
    if (one->kind != spec::Kind::floating) continue;
    CHECK(table.canonical_nan == own.canonical_nan);
    CHECK(table.max_finite == own.max_finite);
    CHECK(table.infinity_code == own.infinity_code);
  }
}

TEST_CASE("every kernel's row has the rule that the specs resolve to") {
  std::size_t rows = 0;
  for (const auto& opset : shipped().model().opsets) {
    if (opset->operation == "range") continue;
    for (const spec::Cell& cell : shipped().cells(opset->name())) {
      if (cell.src->kind == spec::Kind::string || cell.dst->kind == spec::Kind::string) continue;
      for (std::size_t i = 0; i < cell.variants.size(); ++i) {
        std::vector<Attribute> given;
        std::size_t rest = i;
        for (std::size_t k = opset->attributes.size(); k-- > 0;) {
          const spec::Attribute& attribute = opset->attributes[k];
          const spec::AttributeValue& value = attribute.values[rest % attribute.values.size()];
          rest /= attribute.values.size();
          if (const auto* number = std::get_if<std::int64_t>(&value)) given.push_back({attribute.name, *number});
          else given.push_back({attribute.name, std::string_view(std::get<std::string>(value))});
        }
        const Kernel kernel = find_kernel(opset->name(), *find_type(cell.src->name), *find_type(cell.dst->name),
                                          {.others = given}, "portable");
        INFO(opset->name() << " " << cell.src->name << " -> " << cell.dst->name << " " << i << ": "
                           << kernel.status().message());
        REQUIRE(kernel.ok());
        INFO(kernel.name());
        CHECK(kernel.rule() == rule_of(spec::canonical(cell.variants[i])));
        ++rows;
      }
    }
  }
  CHECK(rows > 10000);
}

TEST_CASE("the reference and the semantics agree on every pair, for any carry table and any policy") {
  const std::vector<spec::Type> types = all_types();
  std::mt19937 noise(2024);
  std::size_t compared = 0;
  for (const spec::Type& src : types) {
    for (const spec::Type& dst : types) {
      const std::vector<std::uint64_t> points = codes(src, dst, 400);
      const Format from = format_of(src), to = format_of(dst);
      for (int i = 0; i < 12; ++i) {
        spec::Rounding mode;
        const spec::Meaning meaning = any_meaning(src, dst, mode, noise);
        const Rule rule = rule_of(meaning);
        for (const std::uint64_t code : points) {
          const std::uint64_t expected = semantics::convert_code(meaning, code);
          const auto found = exact_cast(from, to, rule, code);
          ++compared;
          if (found == expected) continue;
          FAIL_CHECK(src.name << " -> " << dst.name << " carry " << rule.carry << " overflow "
                              << spec::word_of(meaning.overflow) << ": " << code << " gives " << found.value_or(~0ull)
                              << ", expected " << expected);
          break;
        }
      }
    }
  }
  CHECK(compared > 1000000);
}

TEST_CASE("a number rounds beyond a range just where the policy of overflow decides") {
  const std::vector<spec::Type> types = all_types();
  std::mt19937 noise(7);
  std::size_t beyond = 0, within = 0;
  for (const spec::Type& dst : types) {
    if (dst.kind == spec::Kind::boolean) continue;
    for (const char* name : {"float64", "float16", "int64", "uint8"}) {
      const spec::Type& src = type(name);
      const Format from = format_of(src), to = format_of(dst);
      spec::Rounding mode;
      Rule rule = rule_of(any_meaning(src, dst, mode, noise));
      rule.saturate_first = {};
      // A policy that the destination's kind does not have: a result that depends on it is none.
      rule.overflow = dst.kind == spec::Kind::integer ? Overflow::max : Overflow::saturate;
      for (const std::uint64_t code : codes(src, dst, 2000)) {
        const exact::Value value = exact::decode(from, code);
        if (value.cls != exact::Value::Class::finite || (value.negative && !dst.is_signed)) continue;
        const bool decides = !exact::encode(to, rule, value).has_value();
        INFO(name << " -> " << dst.name << " carry " << rule.carry << ": " << code);
        REQUIRE(exact::rounds_beyond(to, rule, value) == decides);
        ++(decides ? beyond : within);
      }
    }
  }
  CHECK(beyond > 1000);
  CHECK(within > 1000);
  // Negative numbers are beyond a format without sign, unless they are rounded to its zero.
  const Rule to_nearest{.carry = carry::nearest_even}, unstated;
  const Format uint8 = type_info(Type::uint8), scale = type_info(Type::float8e8m0);
  const auto minus = [](double magnitude) {
    return exact::decode(type_info(Type::float64), std::bit_cast<std::uint64_t>(-magnitude));
  };
  // Without a mode the value itself counts.
  for (const double inside : {-254.5, -255.0}) CHECK_FALSE(exact::rounds_beyond(uint8, unstated, minus(inside)));
  for (const double beyond_end : {-255.25, -256.5, 0.25})
    CHECK(exact::rounds_beyond(uint8, unstated, minus(beyond_end)));
  CHECK_FALSE(exact::rounds_beyond(uint8, to_nearest, minus(0.5)));
  CHECK(exact::rounds_beyond(uint8, to_nearest, minus(0.51)));
  CHECK(exact::rounds_beyond(scale, to_nearest, minus(0x1p-200)));
  CHECK_FALSE(exact::rounds_beyond(scale, to_nearest, minus(0.0)));
}

TEST_CASE("rounding to odd stays at the largest number under overflow `ieee`, also where its code is even") {
  for (const char* name : {"float8e4m3fn", "float16", "float8e5m2", "bfloat16"}) {
    const spec::Type &src = type("float64"), &dst = type(name);
    spec::Meaning meaning = conversion(src, dst);
    meaning.round = &rounding("odd");
    meaning.overflow = spec::Overflow::ieee;
    const std::uint64_t beyond = 0x7FE0000000000000;  // 2^1023
    INFO(name);
    CHECK(semantics::convert_code(meaning, beyond) == dst.max_finite_code());
    CHECK(exact_cast(format_of(src), format_of(dst), rule_of(meaning), beyond) == dst.max_finite_code());
  }
}

TEST_CASE("a rule that states no result gives none") {
  const Format f32 = type_info(Type::float32), f16 = type_info(Type::float16), i8 = type_info(Type::int8);
  CHECK(exact_cast(f32, f16, {}, 0x3F800000) == 0x3C00);
  CHECK_FALSE(exact_cast(f32, f16, {}, 0x3F800001).has_value());                            // needs a mode
  CHECK_FALSE(exact_cast(f32, i8, {.carry = carry::toward_zero}, 0x7FC00000).has_value());  // an integer has no NaN
  CHECK_FALSE(exact_cast(f32, i8, {.carry = carry::toward_zero}, 0x43960000).has_value());  // 300, overflow: infinity
  CHECK(exact_cast(f32, i8, {.carry = carry::toward_zero}, 0x42F60000) == 123);
  CHECK_FALSE(exact_cast(f32, type_info(Type::string), {}, 0).has_value());
}

// Which entry of an op-set's variants a set of attribute values selects, on a small op-set made by hand.
#include <castforge/types.hpp>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <vector>

#include "src/opset_tables.hpp"

using castforge::Attribute;
using castforge::StatusCode;
using castforge::Type;
namespace tables = castforge::tables;

namespace {

const Type kTypes[] = {Type::float32, Type::uint8, Type::int8};

const tables::AttributeValue kPlaces[] = {{nullptr, 10}, {nullptr, 20}, {nullptr, 30}};
const tables::AttributeValue kFlag[] = {{nullptr, 0}, {nullptr, 1}};
const tables::AttributeValue kWords[] = {{"a", 5}, {"b", 6}};
const tables::Attribute kAttributes[] = {
    {"place", nullptr, kPlaces, 3, 1, tables::AttributeKind::integer, false},
    {"strict", nullptr, kFlag, 2, 0, tables::AttributeKind::flag, false},
    {"word", nullptr, kWords, 2, 1, tables::AttributeKind::enumeration, true},
};
/// Kernels are told apart by their numbers, as no function is called.
constexpr tables::Entry kernel(int number) { return static_cast<tables::KernelId>(number); }
constexpr tables::Variant to_int8(int number) { return {Type::float32, Type::int8, 0b111, kernel(number)}; }

// float32 -> float32 does not depend on any attribute, float32 -> int8 on all, float32 -> uint8 on the last; int8 goes
// nowhere.
const tables::Variant kVariants[] = {{Type::float32, Type::float32, 0, kernel(200)},
                                     to_int8(100),
                                     to_int8(101),
                                     to_int8(102),
                                     to_int8(103),
                                     to_int8(104),
                                     to_int8(105),
                                     to_int8(106),
                                     to_int8(107),
                                     to_int8(108),
                                     to_int8(109),
                                     to_int8(110),
                                     to_int8(111),
                                     {Type::float32, Type::uint8, 0b100, kernel(300)},
                                     {Type::float32, Type::uint8, 0b100, static_cast<tables::TextRuleId>(301)}};
const tables::OpSet kOpSet = {"small@1",
                              "small",
                              "1",
                              "cast",
                              nullptr,
                              kTypes,
                              kAttributes,
                              kVariants,
                              nullptr,
                              std::size(kTypes),
                              std::size(kAttributes),
                              std::size(kVariants),
                              0,
                              0,
                              nullptr,
                              castforge::tables::Default::no,
                              nullptr};

int entry(const std::vector<Attribute>& given, Type src = Type::float32, Type dst = Type::int8) {
  const castforge::Selection selection = castforge::select(kOpSet, src, dst, {.others = given});
  return selection.status ? selection.variant->entry.index() : -1;
}

StatusCode code(const std::vector<Attribute>& given, Type src = Type::float32, Type dst = Type::int8) {
  return castforge::select(kOpSet, src, dst, {.others = given}).status.code();
}

}  // namespace

TEST_CASE("defaults hold for what is not given") { CHECK(entry({}) == 105); }

TEST_CASE("the last attribute varies fastest") {
  int expected = 100;
  for (const int place : {10, 20, 30}) {
    for (const int strict : {0, 1}) {
      for (const char* word : {"a", "b"}) {
        CHECK(entry({{"place", place}, {"strict", strict}, {"word", word}}) == expected);
        CHECK(entry({{"word", word}, {"place", place}, {"strict", strict}}) == expected);
        ++expected;
      }
    }
  }
}

TEST_CASE("enumerations take the word or its number, flags any number") {
  CHECK(entry({{"word", 5}}) == entry({{"word", "a"}}));
  CHECK(entry({{"strict", -9}}) == entry({{"strict", true}}));
}

TEST_CASE("values outside the set") {
  CHECK(code({{"place", 15}}) == StatusCode::bad_attribute);
  CHECK(code({{"place", "10"}}) == StatusCode::bad_attribute);
  CHECK(code({{"strict", "1"}}) == StatusCode::bad_attribute);
  CHECK(code({{"word", "c"}}) == StatusCode::bad_attribute);
  CHECK(code({{"word", 7}}) == StatusCode::bad_attribute);
  CHECK(code({{"", 7}}) == StatusCode::unknown_attribute);
  CHECK(code({{"word", 5}, {"word", 5}}) == StatusCode::repeated_attribute);
}

TEST_CASE("an attribute checked where it is used is not checked elsewhere, another one always is") {
  CHECK(entry({{"word", "c"}}, Type::float32, Type::float32) == 200);
  CHECK(code({{"place", 15}}, Type::float32, Type::float32) == StatusCode::bad_attribute);
}

TEST_CASE("only attributes that act on the pair count") {
  for (const int place : {10, 20, 30}) {
    CHECK(entry({{"place", place}, {"word", "a"}}, Type::float32, Type::uint8) == 300);
    CHECK(entry({{"place", place}, {"word", "b"}}, Type::float32, Type::uint8) == 301);
  }
  CHECK(castforge::select(kOpSet, Type::float32, Type::uint8, {}).variant->entry.is_text());
  CHECK_FALSE(castforge::select(kOpSet, Type::float32, Type::int8, {}).variant->entry.is_text());
}

TEST_CASE("pairs that are not admitted") {
  CHECK(code({}, Type::int8, Type::float32) == StatusCode::pair_not_admitted);
  CHECK(code({}, Type::int8, Type::int8) == StatusCode::pair_not_admitted);
  CHECK(code({}, Type::int8, Type::int16) == StatusCode::type_not_admitted);
}

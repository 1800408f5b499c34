// Which entry of an op-set's variants a set of attribute values selects, on a small op-set made by hand.
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "src/opset_tables.hpp"

using castforge::Attribute;
using castforge::Attributes;
using castforge::StatusCode;
using castforge::Type;
namespace tables = castforge::tables;

namespace {

const std::uint16_t kTypes[] = {static_cast<std::uint16_t>(Type::float32),
                                static_cast<std::uint16_t>(Type::int8)};

const tables::AttributeValue kPlaces[] = {{nullptr, 10}, {nullptr, 20}, {nullptr, 30}};
const tables::AttributeValue kFlag[] = {{nullptr, 0}, {nullptr, 1}};
const tables::AttributeValue kWords[] = {{"a", 5}, {"b", 6}};
const tables::Attribute kAttributes[] = {
    {"place", nullptr, kPlaces, 3, 1, tables::AttributeKind::integer, false},
    {"strict", nullptr, kFlag, 2, 0, tables::AttributeKind::flag, false},
    {"word", nullptr, kWords, 2, 1, tables::AttributeKind::enumeration, true},
};
// float32 -> float32 is the second row of entries, float32 -> int8 the first; int8 goes nowhere.
const tables::Cell kCells[] = {{12, 0}, {0, 0b111}, {tables::kNotAdmitted, 0}, {tables::kNotAdmitted, 0}};
const std::uint16_t kVariants[] = {
    100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, tables::kNotAdmitted,
    200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200};
const tables::OpSet kOpSet = {"small@1", "small",   "1",     "cast", nullptr, kTypes, kAttributes,
                              kCells,    kVariants, nullptr, 2,      3,       12,     0};

int entry(const std::vector<Attribute>& given, Type src = Type::float32, Type dst = Type::int8) {
  const castforge::Selection selection = castforge::select(kOpSet, src, dst, {.others = given});
  return selection.status ? selection.entry : -1;
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
        if (expected == 111) continue;
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

TEST_CASE("pairs and combinations that are not admitted") {
  CHECK(code({}, Type::int8, Type::float32) == StatusCode::pair_not_admitted);
  CHECK(code({}, Type::int8, Type::int8) == StatusCode::pair_not_admitted);
  CHECK(code({}, Type::int8, Type::int16) == StatusCode::type_not_admitted);
  CHECK(code({{"place", 30}, {"strict", 1}, {"word", "b"}}) == StatusCode::pair_not_admitted);
}

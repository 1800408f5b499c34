// The results of all elements in four bits of memory, against tables worked out by hand.
#include <catch2/catch_all.hpp>

#include "lower/nibbles.hpp"
#include "unit/lower/shapes.hpp"

using namespace castforge;

namespace {

std::optional<ir::Table> nibbles(const char* src, const char* dst) {
  return lower::nibble_table(test::conversion(test::type(src), test::type(dst)));
}

}  // namespace

TEST_CASE("a table of nibbles has the results of all elements as they lie in memory") {
  const std::optional<ir::Table> of_pairs = nibbles("int2", "int4");  // -2 and -1 are 2 and 3, or 14 and 15
  REQUIRE(of_pairs);
  CHECK(of_pairs->name == "kOfNibble");
  CHECK(of_pairs->bits == 8);
  CHECK(of_pairs->entries == std::vector<std::uint64_t>{0x00, 0x01, 0x0E, 0x0F, 0x10, 0x11, 0x1E, 0x1F, 0xE0, 0xE1,
                                                        0xEE, 0xEF, 0xF0, 0xF1, 0xFE, 0xFF});
  const std::optional<ir::Table> narrowed = nibbles("uint2", "uint1");  // bits from the high end on
  REQUIRE(narrowed);
  CHECK(narrowed->bits == 8);
  REQUIRE(narrowed->entries.size() == 16);
  CHECK(narrowed->entries[0b0001] == 0b10);
  CHECK(narrowed->entries[0b0100] == 0b01);
  const std::optional<ir::Table> single = nibbles("int4", "int2");  // the low two bits
  REQUIRE(single);
  CHECK(single->bits == 8);
  CHECK(single->entries == std::vector<std::uint64_t>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
}

TEST_CASE("elements of one bit lie from the high end on, their results of four bits from the low one") {
  const std::optional<ir::Table> table = nibbles("uint1", "uint4");
  REQUIRE(table);
  CHECK(table->bits == 16);
  REQUIRE(table->entries.size() == 16);
  CHECK(table->entries[0b1000] == 0x0001);  // the first element
  CHECK(table->entries[0b0001] == 0x1000);  // the last
  CHECK(table->entries[0b1011] == 0x1101);
}

TEST_CASE("there is no table of nibbles where elements do not fill them") {
  CHECK_FALSE(nibbles("int4", "uint8"));
  CHECK_FALSE(nibbles("uint8", "int4"));
  CHECK_FALSE(nibbles("float6e2m3", "int4"));
}

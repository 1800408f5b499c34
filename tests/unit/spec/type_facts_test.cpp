// Derived facts of every format of the published tables, shipped or not, against numbers written down here.
#include <catch2/catch_all.hpp>

#include <cmath>

#include "scratch.hpp"
#include "semantics/value.hpp"

using castforge::spec::NanCodes;
using castforge::spec::Type;
using castforge::test::Scratch;

namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};

struct Facts {
  const char* name;
  bool is_signed;
  int exponent_bits, mantissa_bits, bias;
  bool subnormals, infinity;
  const char* nan;
  int storage_bits;
  double max_finite;
  std::uint64_t max_code;
  double min_normal;
  std::uint64_t min_normal_code;
  double min_positive;
  std::uint64_t negative_zero;  // kNone: the type has none
  std::uint64_t infinity_code;
  std::uint64_t canonical_nan;
  std::uint64_t finite, infinite, nans;  // distinct finite values (+0 and -0 one), codes of infinity, codes of NaN
};

double p(int exponent) { return std::ldexp(1.0, exponent); }

// clang-format off
const std::vector<Facts> kFacts = {
  {"float64", true, 11, 52, 1023, true, true, "ieee", 64, 0x1.fffffffffffffp+1023, 0x7FEFFFFFFFFFFFFF, p(-1022),
   0x0010000000000000, p(-1074),
   0x8000000000000000, 0x7FF0000000000000, 0x7FF8000000000000, kNone - (1ull << 53), 2, (1ull << 53) - 2},
  {"float32", true, 8, 23, 127, true, true, "ieee", 32, 0x1.fffffep+127, 0x7F7FFFFF, p(-126), 0x00800000, p(-149),
   0x80000000, 0x7F800000, 0x7FC00000, 4278190079, 2, 16777214},
  {"tf32", true, 8, 10, 127, true, true, "ieee", 32, 0x1.ffcp+127, 0x7F7FE000 >> 13, p(-126), 0x00800000 >> 13, p(-136),
   0x80000000 >> 13, 0x7F800000 >> 13, 0x7FC00000 >> 13, 522239, 2, 2046},
  {"bfloat16", true, 8, 7, 127, true, true, "ieee", 16, 0x1.fep+127, 0x7F7F, p(-126), 0x0080, p(-133), 0x8000, 0x7F80,
   0x7FC0, 65279, 2, 254},
  {"float16", true, 5, 10, 15, true, true, "ieee", 16, 65504, 0x7BFF, p(-14), 0x0400, p(-24), 0x8000, 0x7C00, 0x7E00,
   63487, 2, 2046},
  {"float8e4m3fn", true, 4, 3, 7, true, false, "top", 8, 448, 0x7E, p(-6), 0x08, p(-9), 0x80, kNone, 0x7F, 253, 0, 2},
  {"float8e4m3fnuz", true, 4, 3, 8, true, false, "negative_zero", 8, 240, 0x7F, p(-7), 0x08, p(-10), kNone, kNone,
   0x80, 255, 0, 1},
  {"float8e5m2", true, 5, 2, 15, true, true, "ieee", 8, 57344, 0x7B, p(-14), 0x04, p(-16), 0x80, 0x7C, 0x7E, 247, 2, 6},
  {"float8e5m2fnuz", true, 5, 2, 16, true, false, "negative_zero", 8, 57344, 0x7F, p(-15), 0x04, p(-17), kNone, kNone,
   0x80, 255, 0, 1},
  {"float8e8m0", false, 8, 0, 127, false, false, "top", 8, p(127), 0xFE, p(-127), 0x00, p(-127), kNone, kNone, 0xFF,
   255, 0, 1},
  {"float8e4m3", true, 4, 3, 7, true, true, "ieee", 8, 240, 0x77, p(-6), 0x08, p(-9), 0x80, 0x78, 0x7C, 239, 2, 14},
  {"float8e3m4", true, 3, 4, 3, true, true, "ieee", 8, 15.5, 0x6F, p(-2), 0x10, p(-6), 0x80, 0x70, 0x78, 223, 2, 30},
  {"float8e4m3b11fnuz", true, 4, 3, 11, true, false, "negative_zero", 8, 30, 0x7F, p(-10), 0x08, p(-13), kNone, kNone,
   0x80, 255, 0, 1},
  {"float6e2m3", true, 2, 3, 1, true, false, "none", 6, 7.5, 0x1F, 1, 0x08, p(-3), 0x20, kNone, kNone, 63, 0, 0},
  {"float6e3m2", true, 3, 2, 3, true, false, "none", 6, 28, 0x1F, p(-2), 0x04, p(-4), 0x20, kNone, kNone, 63, 0, 0},
  {"float4e2m1", true, 2, 1, 1, true, false, "none", 4, 6, 0x7, 1, 0x2, 0.5, 0x8, kNone, kNone, 15, 0, 0},
  {"binary8p1", true, 7, 0, 64, true, true, "negative_zero", 8, p(62), 0x7E, p(-63), 0x01, p(-63), kNone, 0x7F, 0x80,
   253, 2, 1},
  {"binary8p2", true, 6, 1, 32, true, true, "negative_zero", 8, p(31), 0x7E, p(-31), 0x02, p(-32), kNone, 0x7F, 0x80,
   253, 2, 1},
  {"binary8p3", true, 5, 2, 16, true, true, "negative_zero", 8, 49152, 0x7E, p(-15), 0x04, p(-17), kNone, 0x7F, 0x80,
   253, 2, 1},
  {"binary8p4", true, 4, 3, 8, true, true, "negative_zero", 8, 224, 0x7E, p(-7), 0x08, p(-10), kNone, 0x7F, 0x80, 253,
   2, 1},
  {"binary8p5", true, 3, 4, 4, true, true, "negative_zero", 8, 15, 0x7E, p(-3), 0x10, p(-7), kNone, 0x7F, 0x80, 253, 2,
   1},
  {"binary8p6", true, 2, 5, 2, true, true, "negative_zero", 8, 3.875, 0x7E, 0.5, 0x20, p(-6), kNone, 0x7F, 0x80, 253,
   2, 1},
  {"binary8p7", true, 1, 6, 1, true, true, "negative_zero", 8, 1.96875, 0x7E, 1, 0x40, p(-6), kNone, 0x7F, 0x80, 253,
   2, 1},
  {"binary8p1uf", false, 8, 0, 128, true, false, "top", 8, p(126), 0xFE, p(-127), 0x01, p(-127), kNone, kNone, 0xFF,
   255, 0, 1},
  {"binary8p1ue", false, 8, 0, 128, true, true, "top", 8, p(125), 0xFD, p(-127), 0x01, p(-127), kNone, 0xFE, 0xFF, 254,
   1, 1},
  {"float12e5m6", true, 5, 6, 15, true, true, "ieee", 16, 65024, 0x7BF, p(-14), 0x040, p(-20), 0x800, 0x7C0, 0x7E0,
   3967, 2, 126},
  {"float10e5m4", true, 5, 4, 15, true, true, "ieee", 16, 63488, 0x1EF, p(-14), 0x010, p(-18), 0x200, 0x1F0, 0x1F8,
   991, 2, 30},
  {"float8e6m1", true, 6, 1, 31, true, false, "top", 8, p(32), 0x7E, p(-30), 0x02, p(-31), 0x80, kNone, 0x7F, 253, 0,
   2},
  {"float8e2m5", true, 2, 5, 1, true, false, "top", 8, 7.75, 0x7E, 1, 0x20, p(-5), 0x80, kNone, 0x7F, 253, 0, 2},
  {"ufloat8e5m3", false, 5, 3, 15, true, true, "top", 8, 106496, 0xFD, p(-14), 0x08, p(-17), kNone, 0xFE, 0xFF, 254, 1,
   1},
  {"ue4m3", false, 4, 3, 7, true, false, "top", 8, 448, 0x7E, p(-6), 0x08, p(-9), kNone, kNone, 0x7F, 127, 0, 1},
  {"float8e4m3ns", true, 4, 3, 7, false, false, "top", 8, 448, 0x7E, 1.125 * p(-7), 0x01, 1.125 * p(-7), 0x80, kNone,
   0x7F, 253, 0, 2},
  {"bfloat16ns", true, 8, 7, 127, false, true, "ieee", 16, 0x1.fep+127, 0x7F7F, 0x1.02p-127, 0x0001, 0x1.02p-127,
   0x8000, 0x7F80, 0x7FC0, 65279, 2, 254},
  {"float4e3m0", true, 3, 0, 3, true, false, "none", 4, 16, 0x7, 0.25, 0x1, 0.25, 0x8, kNone, kNone, 15, 0, 0},
  {"float4e1m2", true, 1, 2, 1, true, false, "none", 4, 1.75, 0x7, 1, 0x4, 0.25, 0x8, kNone, kNone, 15, 0, 0},
  {"cfloat8e4m3b0", true, 4, 3, 0, true, false, "none", 8, std::ldexp(1.875, 15), 0x7F, 2, 0x08, 0.25, 0x80, kNone,
   kNone, 255, 0, 0},
  {"cfloat8e4m3b63", true, 4, 3, 63, true, false, "none", 8, std::ldexp(1.875, -48), 0x7F, p(-62), 0x08, p(-65), 0x80,
   kNone, kNone, 255, 0, 0},
  {"uhp16", false, 6, 10, 31, true, false, "none", 16, 8585740288, 0xFFFF, p(-30), 0x0400, p(-40), kNone, kNone, kNone,
   65536, 0, 0},
};
// clang-format on

std::string spec_of(const Facts& facts) {
  const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
  std::string text =
      "{\"name\":\"" + std::string(facts.name) + "\",\"id\":" + std::to_string(1000 + (&facts - kFacts.data())) +
      ",\"kind\":\"float\",\"signed\":" + flag(facts.is_signed) +
      ",\"exponent_bits\":" + std::to_string(facts.exponent_bits) +
      ",\"mantissa_bits\":" + std::to_string(facts.mantissa_bits) + ",\"exponent_bias\":" + std::to_string(facts.bias) +
      ",\"subnormals\":" + flag(facts.subnormals) + ",\"infinity\":" + flag(facts.infinity) + ",\"nan\":\"" +
      facts.nan + "\",\"storage_bits\":" + std::to_string(facts.storage_bits);
  if (std::string(facts.name) == "tf32") text += ",\"storage_align\":\"high\"";
  return text + "}";
}

void check(const Type& type, const Facts& facts) {
  CAPTURE(facts.name);
  CHECK(type.value_bits == (facts.is_signed ? 1 : 0) + facts.exponent_bits + facts.mantissa_bits);
  CHECK(type.max_finite_code() == facts.max_code);
  CHECK(type.max_finite() == facts.max_finite);
  CHECK(type.finite_value(facts.min_normal_code) == facts.min_normal);
  if (!type.has_gap()) CHECK(std::ldexp(1.0, type.min_exponent()) == facts.min_normal);
  CHECK(type.min_positive() == facts.min_positive);
  CHECK(type.has_zero() == (std::string(facts.name) != "float8e8m0"));
  CHECK(type.has_negative_zero() == (facts.negative_zero != kNone));
  if (facts.negative_zero != kNone) CHECK(type.sign_mask() == facts.negative_zero);
  CHECK(type.infinity == (facts.infinity_code != kNone));
  if (type.infinity) CHECK(type.infinity_code() == facts.infinity_code);
  CHECK(type.has_nan() == (facts.canonical_nan != kNone));
  if (!type.has_nan()) return;
  CHECK(type.canonical_nan(false) == facts.canonical_nan);
  const bool one_nan = type.nan == NanCodes::negative_zero;
  CHECK(type.canonical_nan(true) == (one_nan ? facts.canonical_nan : facts.canonical_nan | type.sign_mask()));
}

/// How many codes of each class there are: decoding all of them, or by arithmetic on the code ranges.
void check_counts(const Type& type, const Facts& facts) {
  CAPTURE(facts.name);
  using castforge::semantics::Value;
  if (type.value_bits <= 19) {
    std::uint64_t finite = 0, infinite = 0, nans = 0;
    for (std::uint64_t code = 0; code < 1ull << type.value_bits; ++code) {
      const Value value = castforge::semantics::decode(type, code);
      nans += value.cls == Value::Class::nan;
      infinite += value.cls == Value::Class::infinity;
      finite += value.cls == Value::Class::finite && !(value.is_zero() && value.negative);
      if (value.cls != Value::Class::finite) continue;
      const double exact = std::ldexp(static_cast<double>(value.significand), value.exponent);
      CHECK((exact == type.finite_value(code & type.magnitude_mask())));
    }
    CHECK(finite == facts.finite);
    CHECK(infinite == facts.infinite);
    CHECK(nans == facts.nans);
    return;
  }
  // Wide types have a sign and a zero: twice the magnitudes, less one zero.
  CHECK(2 * (type.max_finite_code() + 1) - 1 == facts.finite);
  CHECK(2 * (type.magnitude_mask() + 1 - type.first_nan_code()) == facts.nans);
}

}  // namespace

TEST_CASE("derived facts of every published format") {
  const Scratch scratch;
  for (const Facts& facts : kFacts) scratch.write("types/" + std::string(facts.name) + ".json", spec_of(facts));
  REQUIRE(scratch.errors() == "");
  const castforge::spec::SpecModel model = castforge::spec::load({scratch.root()});
  REQUIRE(model.types.size() == kFacts.size());
  for (const Facts& facts : kFacts) {
    const Type* type = model.find_type(facts.name);
    REQUIRE(type != nullptr);
    check(*type, facts);
    check_counts(*type, facts);
  }
}

TEST_CASE("the shipped float specs describe the published formats") {
  const castforge::spec::SpecModel model = castforge::spec::load({castforge::test::shipped_specs()});
  int found = 0;
  for (const Facts& facts : kFacts) {
    const Type* type = model.find_type(facts.name);
    if (type == nullptr) continue;
    ++found;
    check(*type, facts);
    check_counts(*type, facts);
    CHECK(type->storage_bits == facts.storage_bits);
    CHECK_FALSE(type->storage_high);
  }
  CHECK(found == 12);
}

TEST_CASE("storage of codes") {
  const Scratch scratch{
      {"tf32.json", spec_of(kFacts[2])},
      {"i6.json",
       R"({"name":"i6","id":1000,"kind":"integer","signed":true,"bits":6,"storage_bits":8,"storage_fill":"sign"})"},
      {"i5.json", R"({"name":"i5","id":1001,"kind":"integer","signed":true,"bits":5,"storage_bits":8})"}};
  const castforge::spec::SpecModel model = castforge::spec::load({scratch.root()});
  using castforge::semantics::code_of_storage;
  using castforge::semantics::storage_of_code;
  const Type& tf32 = *model.find_type("tf32");
  CHECK(storage_of_code(tf32, tf32.max_finite_code()) == 0x7F7FE000);
  CHECK(code_of_storage(tf32, 0x00002000) == 1);
  CHECK(storage_of_code(*model.find_type("i6"), 0x3F) == 0xFF);
  CHECK(storage_of_code(*model.find_type("i6"), 0x1F) == 0x1F);
  CHECK(storage_of_code(*model.find_type("i5"), 0x1F) == 0x1F);
  CHECK(code_of_storage(*model.find_type("i5"), 0xE1) == 0x01);
}

TEST_CASE("a stated canonical NaN") {
  const Scratch scratch{
      {"x.json",
       R"({"name":"x","id":1002,"kind":"float","signed":true,"exponent_bits":5,"mantissa_bits":2,"exponent_bias":15,
"subnormals":true,"infinity":true,"nan":"ieee","canonical_nan":"0x7F","storage_bits":8})"}};
  const castforge::spec::SpecModel model = castforge::spec::load({scratch.root()});
  CHECK(model.types[0]->canonical_nan(false) == 0x7F);
  CHECK(model.types[0]->canonical_nan(true) == 0xFF);
}

TEST_CASE("integers and bool") {
  const castforge::spec::SpecModel model = castforge::spec::load({castforge::test::shipped_specs()});
  for (const int bits : {2, 4, 8, 16, 32, 64}) {
    const Type& wide = *model.find_type("int" + std::to_string(bits));
    CHECK(wide.value_bits == bits);
    CHECK(wide.storage_bits == bits);
    CHECK(wide.sign_mask() == 1ull << (bits - 1));
    CHECK(wide.magnitude_mask() == (1ull << (bits - 1)) - 1);
    CHECK_FALSE(wide.has_nan());
    CHECK_FALSE(wide.has_negative_zero());
    const Type& whole = *model.find_type("uint" + std::to_string(bits));
    CHECK(whole.sign_mask() == 0);
    CHECK(whole.magnitude_mask() == (bits == 64 ? kNone : (1ull << bits) - 1));
  }
  CHECK(model.find_type("u1") == model.find_type("uint1"));
  CHECK(model.find_type("uint1")->storage_bits == 1);
  CHECK(model.find_type("uint1")->magnitude_mask() == 1);
  CHECK(model.find_type("bool")->storage_bits == 8);
  CHECK(model.find_type("string")->storage_bits == 0);
}

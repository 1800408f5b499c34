// Canonical forms of meanings: the same function as before, and nothing irrelevant left in them.
#include <catch2/catch_all.hpp>

#include "driver/catalogue.hpp"
#include "meanings.hpp"
#include "semantics/convert.hpp"
#include "semantics/value.hpp"

using castforge::semantics::convert_code;
using castforge::semantics::Value;
using castforge::spec::InfResult;
using castforge::spec::IntegerRange;
using castforge::spec::Kind;
using castforge::spec::Meaning;
using castforge::spec::NanResult;
using castforge::spec::NegativeInf;
using castforge::spec::NegativeResult;
using castforge::spec::Overflow;
using castforge::spec::Rounding;
using castforge::spec::SameType;
using castforge::spec::SpecModel;
using castforge::spec::Type;
using castforge::spec::ZeroSign;
using castforge::test::Meanings;
using castforge::test::Scratch;
using castforge::test::shipped;
using castforge::test::shipped_specs;

namespace {

bool is_narrow(const Type& type) { return type.kind != Kind::string && type.value_bits <= 8; }

/// All codes of types of at most 16 bits; for wider ones codes around every power of two, both signs, and specials.
std::vector<std::uint64_t> codes_of(const Type& type) {
  std::vector<std::uint64_t> codes;
  if (type.value_bits <= 16) {
    for (std::uint64_t code = 0; code < 1ull << type.value_bits; ++code) codes.push_back(code);
    return codes;
  }
  const std::uint64_t all = type.value_bits == 64 ? ~0ull : (1ull << type.value_bits) - 1;
  const auto add_around = [&](std::uint64_t code) {
    for (std::int64_t step = -2; step <= 2; ++step) {
      codes.push_back((code + static_cast<std::uint64_t>(step)) & all);
      codes.push_back((code + static_cast<std::uint64_t>(step)) & all & type.magnitude_mask());
      codes.push_back(((code + static_cast<std::uint64_t>(step)) & type.magnitude_mask()) | type.sign_mask());
    }
  };
  for (int bit = 0; bit < type.value_bits; ++bit) {
    add_around(1ull << bit);
    add_around(3ull << bit);
    add_around(~(1ull << bit));
    add_around(~0ull << bit);
  }
  if (type.kind == Kind::floating) {
    const std::uint64_t fields = 1ull << type.exponent_bits;
    for (std::uint64_t field = 0; field < fields; ++field) {
      for (int bit = type.mantissa_bits - 12; bit <= type.mantissa_bits; ++bit) {
        add_around(field << type.mantissa_bits | (bit >= 0 && bit < type.mantissa_bits ? 1ull << bit : 0));
        add_around(field << type.mantissa_bits |
                   (bit >= 0 && bit < type.mantissa_bits ? (~0ull << bit & ((1ull << type.mantissa_bits) - 1)) : 0));
      }
    }
  }
  return codes;
}

/// The shipped formats and ten others of every kind of encoding.
const SpecModel& all_formats() {
  static const Scratch scratch{
      {"a.json", R"({"name":"float8e3m4","id":1000,"kind":"float","signed":true,"exponent_bits":3,"mantissa_bits":4,)"
                 R"("exponent_bias":3,"subnormals":true,"infinity":true,"nan":"ieee","storage_bits":8})"},
      {"b.json", R"({"name":"binary8p3","id":1001,"kind":"float","signed":true,"exponent_bits":5,"mantissa_bits":2,)"
                 R"("exponent_bias":16,"subnormals":true,"infinity":true,"nan":"negative_zero","storage_bits":8})"},
      {"c.json", R"({"name":"mine6e3m2","id":1002,"kind":"float","signed":true,"exponent_bits":3,"mantissa_bits":2,)"
                 R"("exponent_bias":3,"subnormals":true,"infinity":false,"nan":"none","storage_bits":8})"},
      {"d.json", R"({"name":"ufloat8e5m3","id":1003,"kind":"float","signed":false,"exponent_bits":5,"mantissa_bits":3,)"
                 R"("exponent_bias":15,"subnormals":true,"infinity":true,"nan":"top","storage_bits":8})"},
      {"e.json", R"({"name":"float4e3m0","id":1004,"kind":"float","signed":true,"exponent_bits":3,"mantissa_bits":0,)"
                 R"("exponent_bias":3,"subnormals":true,"infinity":false,"nan":"none","storage_bits":4})"},
      {"f.json", R"({"name":"binary8p7","id":1005,"kind":"float","signed":true,"exponent_bits":1,"mantissa_bits":6,)"
                 R"("exponent_bias":1,"subnormals":true,"infinity":true,"nan":"negative_zero","storage_bits":8})"},
      {"g.json", R"({"name":"tiny","id":1006,"kind":"float","signed":true,"exponent_bits":4,"mantissa_bits":3,)"
                 R"("exponent_bias":60,"subnormals":true,"infinity":false,"nan":"top","storage_bits":8})"},
      {"h.json", R"({"name":"huge","id":1007,"kind":"float","signed":true,"exponent_bits":4,"mantissa_bits":3,)"
                 R"("exponent_bias":-60,"subnormals":true,"infinity":true,"nan":"ieee","storage_bits":8})"},
      {"j.json", R"({"name":"float8e4m3ns","id":1009,"kind":"float","signed":true,"exponent_bits":4,"mantissa_bits":3,)"
                 R"("exponent_bias":7,"subnormals":false,"infinity":false,"nan":"top","storage_bits":8})"},
      {"k.json", R"({"name":"ufloat8e4m4ns","id":1010,"kind":"float","signed":false,"exponent_bits":4,)"
                 R"("mantissa_bits":4,)"
                 R"("exponent_bias":7,"subnormals":false,"infinity":false,"nan":"top","storage_bits":8})"},
      {"i.json", R"({"name":"int6","id":1008,"kind":"integer","signed":true,"bits":6,"storage_bits":8})"}};
  static const SpecModel model = castforge::spec::load({shipped_specs(), scratch.root()});
  return model;
}

Meaning base(const Type& src, const Type& dst, const Rounding& round) {
  Meaning meaning;
  meaning.src = &src;
  meaning.dst = &dst;
  meaning.round = &round;
  if (dst.kind == Kind::integer) {
    meaning.overflow = Overflow::saturate;
    meaning.inf = InfResult::max;
    meaning.nan = NanResult::max;
  } else {
    meaning.overflow = Overflow::max;
    meaning.inf = InfResult::max;
    meaning.nan = dst.has_nan() ? NanResult::nan : NanResult::max;
  }
  return meaning;
}

}  // namespace

TEST_CASE("a canonical meaning is the same function") {
  for (const char* name : {"onnx@23", "onnx@25", "pypto@8.5.0", "pypto@2026-03", "openvino-convert@1"}) {
    for (const auto& cell : shipped().cells(name)) {
      if (cell.src->kind == Kind::string || cell.dst->kind == Kind::string) continue;
      std::vector<Meaning> done;
      for (const Meaning& meaning : cell.variants) {
        bool known = false;
        for (const Meaning& other : done) known = known || same_properties(other, meaning);
        if (known) continue;
        done.push_back(meaning);
        const Meaning plain = canonical(meaning);
        if (same_properties(meaning, plain)) continue;
        std::size_t different = 0;
        for (const std::uint64_t code : codes_of(*cell.src))
          different += convert_code(meaning, code) != convert_code(plain, code);
        CAPTURE(name, cell.src->name, cell.dst->name, Meanings::print(meaning));
        CHECK(different == 0);
        CHECK(same_properties(canonical(plain), plain));
      }
    }
  }
}

// Two functions are told apart by running them: rounding is irrelevant exactly when truncating and moving up agree.
TEST_CASE("what values can reach, against exhaustive runs over narrow sources") {
  const SpecModel& model = all_formats();
  Rounding truncation;
  truncation.name = "truncation";
  Rounding up;
  up.name = "up";
  up.carry = 0xEEEE;
  for (const auto& src : model.types) {
    if (src->kind == Kind::string || src->value_bits > 16) continue;
    for (const auto& dst : model.types) {
      if (dst == src || (dst->kind != Kind::floating && dst->kind != Kind::integer)) continue;
      if (src->value_bits == 16 && dst->value_bits > 16 && dst->kind == Kind::floating) continue;
      CAPTURE(src->name, dst->name);
      const bool floating = dst->kind == Kind::floating;
      bool inexact = false, beyond = false, beyond_by_rounding = false, below = false, negative = false;
      Meaning down = base(*src, *dst, truncation);
      Meaning away = base(*src, *dst, up);
      Meaning far = down;
      Meaning far_away = away;
      // A second overflow result; types with neither infinity nor NaN have only one.
      far.overflow = far_away.overflow = floating ? Overflow::infinity : Overflow::wrap;
      far.inf = far_away.inf = InfResult::max;
      for (const std::uint64_t code : codes_of(*src)) {
        const Value value = castforge::semantics::decode(*src, code);
        if (value.cls != Value::Class::finite || value.is_zero()) continue;
        if (value.negative && floating && !dst->is_signed) {
          negative = true;
          continue;
        }
        negative = negative || value.negative;
        if (floating && !dst->has_zero() && value.log2_floor() < dst->min_exponent()) {
          below = true;
          continue;
        }
        inexact = inexact || convert_code(down, code) != convert_code(away, code);
        beyond = beyond || convert_code(down, code) != convert_code(far, code);
        beyond_by_rounding = beyond_by_rounding || convert_code(away, code) != convert_code(far_away, code);
      }
      const auto reached = castforge::spec::reach(down);
      const auto reached_away = castforge::spec::reach(away);
      CHECK((!inexact || reached.inexact));  // never missed; beyond the range it may be seen where no run can see it
      if (!floating || dst->infinity || dst->has_nan()) {
        if (!beyond) CHECK(reached.inexact == inexact);
        CHECK(reached.overflow == beyond);
        CHECK(reached_away.overflow == beyond_by_rounding);
      }
      if (floating && !dst->is_signed && dst->has_zero()) {
        Meaning tested = down;
        tested.negative = castforge::spec::NegativeResult::nan;
        Meaning before = tested;
        before.negative_test = castforge::spec::NegativeTest::exact;
        bool vanishes = false;
        for (const std::uint64_t code : codes_of(*src))
          vanishes = vanishes || convert_code(tested, code) != convert_code(before, code);
        CHECK(castforge::spec::reach(tested).vanishing == vanishes);
        CHECK(same_properties(canonical(tested), canonical(before)) == !vanishes);
      }
      CHECK((reached.negative || !negative));
      CHECK(reached.underflow == below);
    }
  }
}

// Names, truth tables and `meaning` lines leave overflow out where it does not matter.
TEST_CASE("overflow is named where it shows in some result") {
  const castforge::driver::Catalogue catalogue = castforge::driver::resolve_catalogue(shipped().model());
  std::size_t compared = 0, named = 0;
  for (const castforge::driver::Kernel& kernel : catalogue.kernels) {
    const Type &src = *kernel.meaning.src, &dst = *kernel.meaning.dst;
    const bool to_float = dst.kind == Kind::floating && dst.has_nan();  // shipped ones without have no infinity either
    if (!(to_float || dst.kind == Kind::integer) || src.kind == Kind::boolean || src.value_bits > 16) continue;
    if (kernel.meaning.bits == castforge::spec::Bits::kept || kernel.meaning.saturate_first || &src == &dst) continue;
    Meaning one = kernel.meaning, other = kernel.meaning;
    one.overflow = to_float ? Overflow::max : Overflow::saturate;
    other.overflow = to_float ? Overflow::nan : Overflow::wrap;
    bool shows = false;
    for (const std::uint64_t code : codes_of(src)) {
      if (castforge::semantics::decode(src, code).cls != Value::Class::finite) continue;
      shows = shows || convert_code(one, code) != convert_code(other, code);
    }
    CAPTURE(kernel.name);
    CHECK(castforge::driver::overflow_matters(kernel.meaning) == shows);
    ++compared;
    named += shows;
  }
  CHECK(compared > 250);
  CHECK(named > 100);
  CHECK(named < compared);
}

TEST_CASE("what is left of a meaning") {
  const auto says = [](const std::string& opset, const std::string& src, const std::string& dst,
                       const std::map<std::string, std::string>& attributes = {}) {
    const Meaning meaning = canonical(shipped().meaning(opset, src, dst, attributes));
    return (meaning.round == nullptr ? "exact" : meaning.round->short_name) + " " +
           std::string(word_of(meaning.overflow)) + " " + std::string(word_of(meaning.inf, meaning.dst->kind)) + " " +
           std::string(word_of(meaning.nan));
  };
  // round overflow inf nan; "infinity infinity nan" (floats) and "wrap zero zero" (integers) are the defaults.
  CHECK(says("onnx@25", "float8e4m3fn", "float16") == "exact infinity infinity nan");
  CHECK(says("onnx@25", "float16", "bfloat16") == "rne infinity infinity nan");
  CHECK(says("onnx@25", "bfloat16", "float16") == "rne infinity infinity nan");
  CHECK(says("onnx@25", "int16", "float16") == "rne infinity infinity nan");
  CHECK(says("onnx@25", "int16", "bfloat16") == "rne infinity infinity nan");
  CHECK(says("onnx@25", "int16", "float32") == "exact infinity infinity nan");
  CHECK(says("onnx@25", "uint8", "float8e4m3fn") == "rne infinity infinity nan");
  CHECK(says("onnx@25", "uint8", "float8e4m3fnuz") == "rne max infinity nan");
  CHECK(says("onnx@25", "uint2", "float4e2m1") == "exact infinity infinity nan");
  CHECK(says("onnx@25", "int4", "float4e2m1") == "rne max infinity nan");
  CHECK(says("onnx@25", "float32", "float8e4m3fn", {{"saturate", "0"}}) == "rne nan nan nan");
  CHECK(says("onnx@25", "float32", "float8e5m2", {{"saturate", "0"}}) == "rne infinity infinity nan");
  CHECK(says("onnx@25", "float8e4m3fnuz", "float8e4m3fn") == "rne infinity infinity nan");
  CHECK(says("onnx@25", "float8e4m3fn", "float8e4m3fnuz") == "exact max infinity nan");
  CHECK(says("onnx@25", "float4e2m1", "float8e8m0") == "rtp infinity infinity nan");
  CHECK(says("onnx@25", "float16", "float8e8m0", {{"saturate", "0"}}) == "rtp infinity nan nan");
  CHECK(says("onnx@25", "int8", "int16") == "exact wrap zero zero");
  CHECK(says("onnx@25", "bool", "uint2") == "exact wrap zero zero");
  CHECK(says("onnx@23", "float4e2m1", "int4") == "rne wrap zero zero");  // -6..6 fits
  CHECK(says("onnx@23", "float4e2m1", "uint4") == "rne saturate zero zero");
  CHECK(says("onnx@25", "float8e8m0", "int32") == "rtz wrap zero zero");
  CHECK(says("pypto@8.5.0", "uint8", "float16") == "exact infinity infinity nan");
  CHECK(says("pypto@8.5.0", "float16", "int32") == "rtz wrap saturate zero");  // 65504 fits, infinity does not
  CHECK(says("pypto@8.5.0", "bfloat16", "int32") == "rtz saturate saturate zero");
  CHECK(says("pypto@8.5.0", "int32", "int64") == "exact wrap zero zero");
  CHECK(says("pypto@8.5.0", "int32", "float32") == "rne infinity infinity nan");
}

TEST_CASE("results that coincide have one spelling") {
  const SpecModel& model = all_formats();
  const auto make = [&](const char* src, const char* dst, Overflow overflow, InfResult inf,
                        const char* round = "nearest_even") {
    Meaning meaning = base(*model.find_type(src), *model.find_type(dst), *model.find_rounding(round));
    meaning.overflow = overflow;
    meaning.inf = inf;
    return canonical(meaning);
  };
  CHECK(make("float32", "float8e4m3fn", Overflow::infinity, InfResult::infinity).overflow == Overflow::nan);
  CHECK(make("float32", "mine6e3m2", Overflow::infinity, InfResult::infinity).overflow == Overflow::max);
  CHECK(make("float32", "mine6e3m2", Overflow::nan, InfResult::nan).inf == InfResult::max);
  CHECK(make("float32", "float16", Overflow::max, InfResult::as_overflow).inf == InfResult::max);
  CHECK(make("float32", "int8", Overflow::saturate, InfResult::as_overflow).inf == InfResult::max);
  CHECK(make("float32", "int8", Overflow::wrap, InfResult::as_overflow).inf == InfResult::zero);
  // ieee: the mode and the sign decide; modes that treat both signs alike settle it.
  CHECK(make("float32", "float16", Overflow::ieee, InfResult::infinity).overflow == Overflow::infinity);
  CHECK(make("float32", "float16", Overflow::ieee, InfResult::infinity, "nearest_away").overflow == Overflow::infinity);
  CHECK(make("float32", "float16", Overflow::ieee, InfResult::infinity, "toward_zero").overflow == Overflow::max);
  CHECK(make("float32", "float16", Overflow::ieee, InfResult::infinity, "odd").overflow == Overflow::max);
  CHECK(make("float32", "float16", Overflow::ieee, InfResult::infinity, "floor").overflow == Overflow::ieee);
  CHECK(make("uint32", "float16", Overflow::ieee, InfResult::infinity, "floor").overflow == Overflow::max);
  CHECK(make("float8e4m3fn", "float16", Overflow::ieee, InfResult::infinity, "floor").overflow == Overflow::infinity);
}

TEST_CASE("what is saturated first") {
  const SpecModel& model = all_formats();
  const auto make = [&](const char* src, const char* dst, Overflow overflow, IntegerRange first,
                        InfResult inf = InfResult::as_overflow) {
    Meaning meaning = base(*model.find_type(src), *model.find_type(dst), *model.find_rounding("nearest_even"));
    meaning.overflow = overflow;
    meaning.saturate_first = first;
    meaning.inf = inf;
    const Meaning plain = canonical(meaning);
    for (const std::uint64_t code : codes_of(*meaning.src)) {
      if (convert_code(meaning, code) == convert_code(plain, code)) continue;
      FAIL_CHECK(src << " -> " << dst << " differs at code " << code);
      break;
    }
    return plain;
  };
  const IntegerRange int32{true, 32};
  CHECK(make("float16", "int8", Overflow::wrap, int32).saturate_first == int32);
  CHECK(make("float16", "int8", Overflow::wrap, int32).overflow == Overflow::wrap);
  CHECK(make("float16", "int8", Overflow::wrap, int32).inf == InfResult::as_overflow);
  // No finite float16 leaves int32, but many leave int8.
  CHECK(!make("float16", "int8", Overflow::wrap, int32, InfResult::zero).saturate_first);
  CHECK(make("float16", "int8", Overflow::wrap, IntegerRange{false, 12}, InfResult::zero).saturate_first ==
        IntegerRange{false, 12});
  // The destination's own range is plain saturation, however it is said.
  CHECK(make("float16", "int8", Overflow::wrap, IntegerRange{true, 8}).overflow == Overflow::saturate);
  CHECK(!make("float16", "int8", Overflow::saturate, int32).saturate_first);
  CHECK(make("float16", "int8", Overflow::saturate, int32).inf == InfResult::max);
  // Two limits are one: what int8 and uint4 share is uint4, what int4 and uint8 share is uint3.
  CHECK(make("float16", "int8", Overflow::saturate, IntegerRange{false, 4}).saturate_first == IntegerRange{false, 4});
  CHECK(make("float16", "uint8", Overflow::saturate, IntegerRange{true, 4}).saturate_first == IntegerRange{false, 3});
  CHECK(make("float16", "uint8", Overflow::saturate, IntegerRange{true, 4}).overflow == Overflow::wrap);
  CHECK(make("int16", "int8", Overflow::wrap, int32).saturate_first == std::nullopt);
  CHECK(make("int16", "int32", Overflow::wrap, IntegerRange{true, 8}).saturate_first == IntegerRange{true, 8});
}

TEST_CASE("signs of zero, minus infinity, indefinite integers and types to themselves keep their function") {
  const SpecModel& model = all_formats();
  for (const auto& round : model.roundings) {
    for (const auto& src : model.types) {
      if (src->kind == Kind::string || src->value_bits > 16) continue;
      for (const auto& dst : model.types) {
        if (dst->kind == Kind::string || dst->kind == Kind::boolean || dst->value_bits > 16) continue;
        Meaning meaning = base(*src, *dst, *round);
        meaning.zero_sign = ZeroSign::positive;
        meaning.negative = NegativeResult::clamp;
        meaning.negative_inf = NegativeInf::nan;
        meaning.same_type = SameType::converted;
        if (dst->kind == Kind::integer) meaning.overflow = Overflow::indefinite;
        const Meaning plain = canonical(meaning);
        std::size_t different = 0;
        for (const std::uint64_t code : codes_of(*src))
          different += convert_code(meaning, code) != convert_code(plain, code);
        CAPTURE(src->name, dst->name, round->name);
        CHECK(different == 0);
      }
    }
  }
}

TEST_CASE("ieee overflow, integral and folded negative values keep their function") {
  const SpecModel& model = all_formats();
  for (const auto& round : model.roundings) {
    for (const auto& src : model.types) {
      if (src->kind == Kind::string || src->value_bits > 16) continue;
      for (const auto& dst : model.types) {
        if (dst->kind != Kind::floating || dst->value_bits > 32) continue;
        Meaning meaning = base(*src, *dst, *round);
        meaning.overflow = Overflow::ieee;
        meaning.inf = InfResult::as_overflow;
        meaning.negative = NegativeResult::abs;
        if (src == dst) meaning.same_type = SameType::integral;
        if (src == dst && !is_narrow(*src)) continue;
        const Meaning plain = canonical(meaning);
        std::size_t different = 0;
        for (const std::uint64_t code : codes_of(*src))
          different += convert_code(meaning, code) != convert_code(plain, code);
        CAPTURE(src->name, dst->name, round->name);
        CHECK(different == 0);
      }
    }
  }
}

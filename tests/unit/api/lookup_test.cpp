// Names of types and op-sets, and which kernel a lookup gives.
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>
#include <vector>

using castforge::Attribute;
using castforge::find_kernel;
using castforge::find_opset;
using castforge::find_type;
using castforge::find_type_in;
using castforge::Kernel;
using castforge::OpSet;
using castforge::Type;

namespace {

std::string opset_name(std::string_view name) {
  const auto opset = find_opset(name);
  return opset ? std::string(opset->name()) : "nothing";
}

}  // namespace

TEST_CASE("types are found by canonical name and alias in any letter case") {
  for (const char* text : {"float32", "FLOAT32", "Float", "f32", "F32", "DT_FP32"}) {
    INFO(text);
    CHECK(find_type(text) == Type::float32);
  }
  for (const char* text : {"float8e4m3fn", "FLOAT8E4M3FN", "float8_e4m3fn", "F8_E4M3"}) {
    INFO(text);
    CHECK(find_type(text) == Type::float8e4m3fn);
  }
  CHECK(find_type("bool") == Type::bool_);
  CHECK(find_type("__half") == Type::float16);
  CHECK(find_type("__nv_fp8_E4M3") == Type::float8e4m3fn);
  for (const char* text : {"", " float32", "float32 ", "float", "1", "<f4", "<V1", "floatx", "2,32"}) {
    INFO(text);
    if (std::strcmp(text, "float") != 0) CHECK_FALSE(find_type(text).has_value());
  }
}

TEST_CASE("every type's canonical name finds it") {
  CHECK(castforge::type_count() == castforge::kTypeCount);
  for (std::size_t i = 0; i < castforge::type_count(); ++i) {
    const Type type = castforge::type_at(i);
    INFO(castforge::name(type));
    CHECK(find_type(castforge::name(type)) == type);
    CHECK(castforge::type_info(type).name == castforge::name(type));
  }
}

TEST_CASE("names within one system") {
  CHECK(find_type_in("numpy", "<f4") == Type::float32);
  CHECK(find_type_in("safetensors", "F8_E4M3") == Type::float8e4m3fn);
  CHECK(find_type_in("onnx_enum", "1") == Type::float32);
  CHECK_FALSE(find_type_in("numpy", "<V1").has_value());  // several types share it
  CHECK_FALSE(find_type_in("numpy", "F32").has_value());
  CHECK(castforge::alias(Type::float32, "safetensors") == "F32");
  CHECK(castforge::alias(Type::float32, "no such system").empty());
  bool seen = false;
  for (std::size_t i = 0; i < castforge::alias_count(Type::float32); ++i) {
    const castforge::TypeAlias alias = castforge::alias(Type::float32, i);
    seen = seen || (alias.system == "onnx" && alias.name == "FLOAT");
  }
  CHECK(seen);
}

TEST_CASE("encoding parameters") {
  const castforge::TypeInfo f16 = castforge::type_info(Type::float16);
  CHECK(f16.kind == castforge::TypeKind::floating);
  CHECK(f16.nan == castforge::NanCodes::ieee);
  CHECK(f16.storage_bits == 16);
  CHECK(f16.exponent_bits == 5);
  CHECK(f16.mantissa_bits == 10);
  CHECK(f16.exponent_bias == 15);
  CHECK(f16.is_signed);
  CHECK(f16.infinity);
  CHECK(f16.canonical_nan == 0x7E00);
  CHECK(f16.max_finite == 0x7BFF);
  CHECK(f16.infinity_code == 0x7C00);
  CHECK(castforge::type_info(Type::int4).storage_bits == 4);
  CHECK(castforge::type_info(Type::int4).kind == castforge::TypeKind::integer);
  CHECK(castforge::type_info(Type::string).kind == castforge::TypeKind::string);
}

TEST_CASE("storage of packed types is whole bytes") {
  CHECK(castforge::storage_bytes(Type::float32, 3) == 12);
  CHECK(castforge::storage_bytes(Type::int4, 0) == 0);
  CHECK(castforge::storage_bytes(Type::int4, 1) == 1);
  CHECK(castforge::storage_bytes(Type::int4, 3) == 2);
  CHECK(castforge::storage_bytes(Type::uint2, 4) == 1);
  CHECK(castforge::storage_bytes(Type::uint2, 5) == 2);
  CHECK(castforge::storage_bytes(Type::uint1, 8) == 1);
  CHECK(castforge::storage_bytes(Type::uint1, 9) == 2);
  CHECK(castforge::storage_bytes(Type::int4, SIZE_MAX) == SIZE_MAX / 2 + 1);
  CHECK(castforge::storage_bytes(Type::int8, SIZE_MAX) == SIZE_MAX);
  CHECK_FALSE(castforge::storage_bytes(Type::int16, SIZE_MAX / 2 + 1).has_value());
  CHECK_FALSE(castforge::storage_bytes(Type::int64, SIZE_MAX).has_value());
}

TEST_CASE("an op-set between two versions is the lower one") {
  CHECK(opset_name("onnx@13") == "onnx@13");
  CHECK(opset_name("onnx@22") == "onnx@21");
  CHECK(opset_name("onnx@7") == "onnx@6");
  CHECK(opset_name("onnx@27") == "onnx@25");
  CHECK(opset_name("onnx-castlike@28") == "onnx-castlike@25");
  CHECK(opset_name("onnx-castlike@16") == "onnx-castlike@15");
  CHECK(opset_name("onnx-range@26") == "onnx-range@11");
  CHECK(opset_name("onnx-range@28") == "onnx-range@27");  // valid through 28
  for (const char* above :
       {"onnx@29", "onnx@99999999999999999999999999", "onnx-range@29", "openvino-range@9", "castforge@2"}) {
    INFO(above);
    CHECK(opset_name(above) == "nothing");
  }
  CHECK(find_opset("onnx@23")->valid_through() == 23);
  CHECK(find_opset("onnx-range@27")->valid_through() == 28);
  CHECK(find_opset("pypto@8.5.0")->valid_through() == std::nullopt);
  CHECK(opset_name("onnx@0") == "nothing");
  CHECK(opset_name("openvino-range@3") == "nothing");
}

TEST_CASE("versions that are no whole numbers are matched exactly") {
  CHECK(opset_name("pypto@8.5.0") == "pypto@8.5.0");
  CHECK(opset_name("pypto@2026-03") == "pypto@2026-03");
  for (const char* name : {"pypto@9", "pypto@8.5", "pypto@8.5.1", "onnx@13.0", "onnx@", "onnx@+13", "onnx@ 13",
                           "onnx@-1", "@13", "@", "onnx@13@", "ONNX@13", "onnx@025", "onnx@00", "onnx-castlike@025"}) {
    INFO(name);
    CHECK(opset_name(name) == "nothing");
  }
}

TEST_CASE("every listed op-set is found by its own name") {
  REQUIRE(castforge::opset_count() > 0);
  for (std::size_t i = 0; i < castforge::opset_count(); ++i) {
    const OpSet opset = castforge::opset(i);
    CHECK(find_opset(opset.name()) == opset);
    CHECK(std::string(opset.name()) == std::string(opset.family()) + "@" + std::string(opset.version()));
  }
}

TEST_CASE("types, pairs and attributes of an op-set") {
  const OpSet onnx = find_opset("onnx@24").value();
  CHECK(onnx.operation() == "cast");
  CHECK(onnx.type_count() == 22);
  CHECK(onnx.admits(Type::float8e8m0));
  CHECK_FALSE(onnx.admits(Type::int2));
  CHECK(onnx.admits(Type::float8e8m0, Type::string));
  REQUIRE(onnx.attribute_count() == 2);
  CHECK(onnx.attribute(0).name == "saturate");
  CHECK(onnx.attribute(0).kind == castforge::AttributeKind::flag);
  CHECK(onnx.attribute(1).name == "round_mode");
  CHECK(onnx.attribute(1).choice_count == 3);
  CHECK(onnx.choice(1, onnx.attribute(1).default_choice).word == "up");
  CHECK(onnx.acts(1, Type::float32, Type::float8e8m0));
  CHECK_FALSE(onnx.acts(1, Type::float32, Type::float16));

  const OpSet pypto = find_opset("pypto@8.5.0").value();
  CHECK(pypto.admits(Type::float32, Type::int64));
  CHECK_FALSE(pypto.admits(Type::int64, Type::int8));
  CHECK(pypto.option("max_rank") == "4");
  CHECK(pypto.option("no such option").empty());
  bool seen = false;
  for (std::size_t i = 0; i < pypto.option_count(); ++i) seen = seen || pypto.option(i).name == "max_rank";
  CHECK(seen);
}

TEST_CASE("pairs per version") {
  const struct {
    const char* name;
    std::size_t types, pairs;
  } expected[] = {{"onnx@1", 12, 144},  {"onnx@6", 12, 144},  {"onnx@9", 13, 169},   {"onnx@13", 14, 196},
                  {"onnx@19", 18, 324}, {"onnx@21", 20, 400}, {"onnx@23", 21, 441},  {"onnx@24", 22, 484},
                  {"onnx@25", 24, 576}, {"onnx@28", 26, 676}, {"pypto@8.5.0", 8, 30}};
  for (const auto& row : expected) {
    INFO(row.name);
    const OpSet opset = find_opset(row.name).value();
    CHECK(opset.type_count() == row.types);
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < opset.type_count(); ++i) {
      for (std::size_t j = 0; j < opset.type_count(); ++j) pairs += opset.admits(opset.type(i), opset.type(j));
    }
    CHECK(pairs == row.pairs);
  }
}

TEST_CASE("every admitted numeric pair has a kernel on every usable instruction set") {
  for (std::size_t o = 0; o < castforge::opset_count(); ++o) {
    const OpSet opset = castforge::opset(o);
    if (opset.operation() != "cast") continue;
    for (std::size_t i = 0; i < opset.type_count(); ++i) {
      for (std::size_t j = 0; j < opset.type_count(); ++j) {
        const Type src = opset.type(i), dst = opset.type(j);
        if (!opset.admits(src, dst)) continue;
        for (std::size_t k = 0; k < castforge::isa_count(); ++k) {
          const castforge::IsaInfo isa = castforge::isa(k);
          if (!isa.usable) continue;
          const Kernel kernel = find_kernel(opset, src, dst, {}, isa.name);
          if (src == Type::string || dst == Type::string) {
            if (kernel.status().code() != castforge::StatusCode::text_conversion) FAIL(opset.name());
            continue;
          }
          if (!kernel.ok() || kernel.src() != src || kernel.dst() != dst || kernel.isa() != isa.name) {
            FAIL(opset.name() << " " << castforge::name(src) << " " << castforge::name(dst) << " " << isa.name);
          }
        }
      }
    }
  }
}

TEST_CASE("a kernel tells what it is and converts") {
  const Kernel kernel = find_kernel("onnx@13", Type::uint8, Type::float32);
  REQUIRE(kernel);
  CHECK(kernel.src() == Type::uint8);
  CHECK(kernel.dst() == Type::float32);
  CHECK(kernel.name().starts_with("uint8_to_float32__"));
  CHECK_FALSE(kernel.meaning().empty());
  CHECK(kernel.isa() == castforge::active_isa());
  const unsigned char src[3] = {0, 7, 255};
  float dst[4] = {9, 9, 9, 9};
  CHECK(kernel.run(src, dst, 3).ok());
  CHECK(dst[0] == 0.0f);
  CHECK(dst[1] == 7.0f);
  CHECK(dst[2] == 255.0f);
  CHECK(dst[3] == 9.0f);
  CHECK(kernel.run(nullptr, nullptr, 0).ok());
}

TEST_CASE("attributes are numbers, words, truth values, by name or in a list") {
  const std::vector<Attribute> listed = {{"round_mode", "down"}, {"saturate", false}};
  const Kernel by_list = find_kernel("onnx@24", Type::float32, Type::float8e8m0, {.others = listed});
  const Kernel by_name = find_kernel("onnx@24", Type::float32, Type::float8e8m0, {.saturate = 0, .round_mode = "down"});
  REQUIRE(by_list);
  REQUIRE(by_name);
  CHECK(by_list.name() == by_name.name());
  CHECK(find_kernel("pypto@8.5.0", Type::float32, Type::float16, {.mode = "CAST_FLOOR"}).name() ==
        find_kernel("pypto@8.5.0", Type::float32, Type::float16, {.mode = 3}).name());
  // A flag is set by any number but 0.
  for (const int value : {1, 2, -7}) {
    CHECK(find_kernel("onnx@23", Type::float32, Type::float8e5m2, {.saturate = value}).name() ==
          find_kernel("onnx@23", Type::float32, Type::float8e5m2).name());
  }
  // round_mode is looked at only where it acts.
  CHECK(find_kernel("onnx@24", Type::float32, Type::float16, {.round_mode = "sideways"}).ok());
}

TEST_CASE("texts become numbers where they are whole decimal numbers") {
  using castforge::AttributeValue;
  CHECK(AttributeValue::from_text("12").number() == 12);
  CHECK(AttributeValue::from_text("-3").number() == -3);
  for (const char* word : {"", "-", "1x", "up", "+1", "1.0", "1234567890123456789012"}) {
    INFO(word);
    CHECK(AttributeValue::from_text(word).is_word());
    CHECK(AttributeValue::from_text(word).word() == word);
  }
}

TEST_CASE("unsigned numbers that an attribute cannot have are not taken for negative ones") {
  using castforge::AttributeValue;
  CHECK(AttributeValue(std::uint64_t{INT64_MAX}).number() == INT64_MAX);
  CHECK(AttributeValue(true).number() == 1);
  CHECK(AttributeValue(UINT64_MAX).is_word());
  const castforge::Status status =
      find_kernel("onnx@25", Type::float32, Type::float8e4m3fn, {.saturate = UINT64_MAX}).status();
  CHECK(status.code() == castforge::StatusCode::bad_attribute);
  CHECK(status.message().find("a number from 2^63 on") != std::string::npos);
}

TEST_CASE("all kernels can be listed") {
  REQUIRE(castforge::kernel_count() > 0);
  for (std::size_t i = 0; i < castforge::kernel_count(); ++i) {
    const Kernel kernel = castforge::kernel_at(i, "portable");
    if (!kernel || kernel.isa() != "portable" || kernel.name().empty()) FAIL(i);
  }
  CHECK(castforge::kernel_at(0, "mmx").status().code() == castforge::StatusCode::isa_unavailable);
}

TEST_CASE("version and manifest hash") {
  CHECK(std::string(castforge::version()).find('.') != std::string::npos);
  CHECK(std::strlen(castforge::manifest_hash()) > 0);
}

TEST_CASE("the default op-sets, and families without a version") {
  REQUIRE(castforge::default_opset().has_value());
  CHECK(castforge::default_opset()->name() == "onnx@28");
  CHECK(castforge::default_opset("range")->name() == "openvino-range@4");
  CHECK(castforge::default_opset("range")->is_default());
  CHECK_FALSE(find_opset("onnx@24")->is_default());
  CHECK_FALSE(castforge::default_opset("bake").has_value());
  CHECK(opset_name("") == "onnx@28");
  CHECK(opset_name("onnx") == "onnx@28");
  CHECK(opset_name("pypto") == "pypto@2026-03");
  CHECK(opset_name("onnx@") == "nothing");
  const Kernel by_default = find_kernel("", Type::float32, Type::float16),
               named = find_kernel("onnx@28", Type::float32, Type::float16);
  CHECK(by_default.function() == named.function());

  // A type that the default op-set lacks: the fallback has all of them.
  CHECK(find_opset("castforge@1")->is_fallback());
  CHECK_FALSE(find_opset("castforge@1")->is_default());
  CHECK_FALSE(find_opset("onnx@28")->is_fallback());
  CHECK_FALSE(find_opset("onnx@28")->admits(Type::uint1));
  CHECK(find_kernel("", Type::float32, Type::uint1).name() ==
        find_kernel("castforge@1", Type::float32, Type::uint1).name());
  castforge::OpSet serving;
  CHECK(castforge::find_opset("", Type::uint1, Type::int8, serving).ok());
  CHECK(serving.name() == "castforge@1");
  CHECK(castforge::find_opset("", Type::float16, Type::int8, serving).ok());
  CHECK(serving.name() == "onnx@28");
  CHECK(castforge::find_opset("onnx", Type::uint1, Type::int8, serving).ok());  // a name is a name
  CHECK(serving.name() == "onnx@28");
}

TEST_CASE("bits of elements in files, of types and of others") {
  using castforge::element_bits;
  CHECK(element_bits("safetensors", "F32") == 32);
  CHECK(element_bits("safetensors", "F4") == 4);
  CHECK(element_bits("safetensors", "BOOL") == 8);
  CHECK(element_bits("safetensors", "C64") == 64);  // no type here has it
  CHECK(element_bits("safetensors", "F6_E2M3") == 6);
  CHECK(element_bits("safetensors", "f32") == std::nullopt);
  CHECK(element_bits("numpy", "C64") == std::nullopt);
}

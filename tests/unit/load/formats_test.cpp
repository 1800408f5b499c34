// Loaded formats, in both directions and on every instruction set, against the second oracle.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <castforge/castforge.hpp>
#include <catch2/catch_all.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "oracle/oracle.hpp"
#include "support.hpp"

using namespace castforge;
using load_test::made;

namespace {

/// Of narrow sources all codes, those of a byte some times over: long calls go other ways than short ones. Of wide ones
/// every exponent or length with borders of fractions, and random ones.
std::vector<std::uint64_t> codes_of(const oracle::Format& format) {
  std::vector<std::uint64_t> codes;
  if (format.bits <= 16) {
    const std::uint64_t last = (std::uint64_t{1} << format.bits) - 1;
    for (std::uint64_t code = 0; code <= last || code < 1111; ++code) codes.push_back(code & last);
    return codes;
  }
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - format.bits);
  for (int bit = 0; bit < format.bits; ++bit) {
    for (int lower = 0; lower <= bit; ++lower) {
      const std::uint64_t value = (std::uint64_t{1} << bit) + (std::uint64_t{1} << lower);
      for (const std::uint64_t code : {value - 1, value, value + 1, ~value, ~value + 1, ~value + 2})
        codes.push_back(code & all);
    }
  }
  if (format.kind == oracle::Kind::floating) {
    const std::uint64_t fields = std::uint64_t{1} << format.exponent_bits;
    for (std::uint64_t field = 0; field < 2 * fields; ++field) {
      // Far from the narrow formats' range every fourth exponent will do.
      const std::uint64_t exponent = field % fields, bias = static_cast<std::uint64_t>(format.bias);
      const bool near = exponent + 64 > bias && exponent < bias + 64;
      if (!near && exponent % 4 != 0 && exponent + 2 < fields) continue;
      for (int bit = std::max(0, format.mantissa_bits - 10); bit <= format.mantissa_bits; ++bit) {
        const std::uint64_t cut = (std::uint64_t{1} << bit) - 1, start = field << format.mantissa_bits;
        for (const std::uint64_t rest : {std::uint64_t{0}, cut, ~cut & (all >> (format.exponent_bits + 1))}) {
          for (const std::uint64_t more : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
            codes.push_back((start + rest + more) & all);
        }
      }
    }
  }
  std::mt19937_64 random(20);
  for (int i = 0; i < 20000; ++i) codes.push_back(random() & all);
  return codes;
}

Attributes attributes_of(const oracle::Request& request) {
  Attributes attributes;
  if (request.saturate) attributes.saturate = AttributeValue(*request.saturate);
  if (request.round_mode) attributes.round_mode = AttributeValue(*request.round_mode);
  return attributes;
}

/// Every code of `all` in one call at an odd address, and in calls of other lengths; how many results differ.
std::size_t differences(const Kernel& kernel, const oracle::Converter& expected,
                        const std::vector<std::uint64_t>& all) {
  // Few codes again and again: long conversions go other ways.
  constexpr std::size_t kLong = 1500;
  std::vector<std::uint64_t> codes = all;
  for (std::size_t i = 0; codes.size() < kLong; ++i) codes.push_back(all[i]);
  const oracle::Format &from = expected.src().format(), &to = expected.dst().format();
  const Packing src_packing = from.high_first ? Packing::high_first : Packing::low_first;
  const Packing dst_packing = to.high_first ? Packing::high_first : Packing::low_first;
  std::vector<unsigned char> in(bytes_of_elements(codes.size(), from.storage) + 1);
  std::vector<unsigned char> out(bytes_of_elements(codes.size(), to.storage) + 2, 0xCC);
  for (std::size_t i = 0; i < codes.size(); ++i)
    store_element(in.data() + 1, i, expected.src().stored(codes[i]), from.storage, src_packing);
  std::size_t wrong = 0;
  REQUIRE(kernel.run(in.data() + 1, out.data() + 1, codes.size()).ok());
  wrong += out.back() != 0xCC;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::uint64_t found = load_element(out.data() + 1, i, to.storage, dst_packing);
    wrong += found != expected.dst().stored(expected(codes[i]));
  }
  for (std::size_t count = 0; count < 560; count += count == 40 ? 460 : 1) {
    std::vector<unsigned char> part(bytes_of_elements(count, to.storage) + 1, 0xCC);
    REQUIRE(kernel.run(in.data() + 1, part.data(), count).ok());
    wrong += part.back() != 0xCC;
    for (std::size_t i = 0; i < count; ++i)
      wrong += load_element(part.data(), i, to.storage, dst_packing) !=
               load_element(out.data() + 1, i, to.storage, dst_packing);
  }
  return wrong;
}

bool own(const std::string& type) { return static_cast<int>(*find_type(type)) >= 1000; }

void check_all(const std::string& type) {
  std::size_t kernels = 0;
  for (const auto& [src, dst] : oracle::pairs_of("castforge", "1")) {
    if (src != type && dst != type) continue;
    if (!find_type(src) || !find_type(dst)) continue;
    // Types of two files meet in neither.
    if (!find_opset("castforge@1")->admits(*find_type(src), *find_type(dst))) {
      CHECK((own(src) && own(dst)));
      continue;
    }
    for (const oracle::Request& request : oracle::requests("castforge", "1", src, dst)) {
      const oracle::Converter expected(request);
      const std::vector<std::uint64_t> codes = codes_of(expected.src().format());
      for (std::size_t i = 0; i < isa_count(); ++i) {
        if (!isa(i).usable) continue;
        const Kernel kernel =
            find_kernel("castforge@1", *find_type(src), *find_type(dst), attributes_of(request), isa(i).name);
        INFO(src << " to " << dst << " on " << isa(i).name << ": " << kernel.status().message());
        REQUIRE(kernel.ok());
        CHECK(differences(kernel, expected, codes) == 0);
        ++kernels;
      }
    }
  }
  CHECK(kernels > 50);
}

}  // namespace

// One case: what is loaded stays.
TEST_CASE("formats are loaded and give what the oracle gives") {
  oracle::read_specs({std::filesystem::path(CASTFORGE_SOURCE_DIR) / "tests/unit/load/specs"});
  const std::size_t shipped = type_count();
  const OpSet before = *find_opset("castforge@1");
  using Names = std::vector<std::string>;
  for (const Names& names : {Names{"ue5m3"}, Names{"float8e3m4"}, Names{"float6e4m1", "float12e5m6"}}) {
    Names specs;
    for (const std::string& name : names) {
      CHECK_FALSE(find_type(name));
      specs.push_back(name + ".json");
    }
    const tabulate::Made file = made(specs);
    INFO(names[0]);
    CHECK(file.types == names);
    CHECK(file.opsets == Names{"castforge@1"});
    if (names.size() == 1) CHECK(file.file.size() < 1'000'000);
    const Status status = load_test::load(file.file);
    INFO(status.message());
    REQUIRE(status.ok());
    const std::size_t kernels = kernel_count();
    CHECK(load_test::load(file.file).ok());  // twice: nothing changes
    CHECK(kernel_count() == kernels);
    for (const std::string& name : names) {
      REQUIRE(find_type(name));
      check_all(name);
    }
  }
  CHECK(find_opset("castforge@1")->admits(*find_type("float6e4m1"), *find_type("float12e5m6")));
  CHECK(type_count() == shipped + 4);
  CHECK_FALSE(before.admits(*find_type("ue5m3")));  // a handle of before

  const Type ue5m3 = *find_type("ue5m3"), e3m4 = *find_type("float8_e3m4");
  CHECK(name(e3m4) == "float8e3m4");
  const Kernel to = find_kernel("castforge@1", Type::float32, ue5m3);
  CHECK(to.form() == KernelForm::table);
  CHECK(to.function() == nullptr);
  CHECK(find_kernel("castforge@1", Type::float32, Type::float16).form() == KernelForm::code);

  // Text, tensors, many threads' worth of elements.
  const float values[3] = {1, 1000, 1e9F};
  unsigned char codes[3];
  const std::int64_t extent = 3;
  REQUIRE(
      cast("castforge@1", {Type::float32, {&extent, 1}, values, sizeof values}, {ue5m3, {&extent, 1}, codes, 3}).ok());
  std::vector<std::string> texts;
  REQUIRE(format_text("castforge@1", ue5m3, codes, 3, {}, [&](std::size_t, std::string_view text) {
            texts.emplace_back(text);
          }).ok());
  CHECK(texts == std::vector<std::string>{"1", "1024", "114688"});
  const std::vector<float> many(200'000, 2.5F);
  std::vector<unsigned char> expected(many.size()), found(many.size());
  REQUIRE(to.run(many.data(), expected.data(), 100).ok());
  std::fill(expected.begin(), expected.end(), expected[0]);
  REQUIRE(to.run(many.data(), found.data(), many.size()).ok());
  CHECK(found == expected);

  const auto check_pair = [](const std::string& own, const std::string& src, const std::string& dst, KernelForm form) {
    INFO(src << " to " << dst);
    REQUIRE(load_test::load(made({own + ".json"}, {src + ":" + dst, dst + ":" + src}).file).ok());
    for (const oracle::Request& request : oracle::requests("castforge", "1", src, dst)) {
      const oracle::Converter exact(request);
      const std::vector<std::uint64_t> codes = codes_of(exact.src().format());
      for (std::size_t i = 0; i < isa_count(); ++i) {
        if (!isa(i).usable) continue;
        INFO(isa(i).name);
        const Kernel kernel =
            find_kernel("castforge@1", *find_type(src), *find_type(dst), attributes_of(request), isa(i).name);
        CHECK(kernel.form() == form);
        CHECK(differences(kernel, exact, codes) == 0);
      }
    }
  };
  // From wide to wide: right, if slow.
  check_pair("float24e7m16", "float32", "float24e7m16", KernelForm::rule);
  // The first result but zero begins at 2^-128, within the first of the blocks that tables have.
  check_pair("ufloat9e8m1", "float32", "ufloat9e8m1", KernelForm::table);
  // Below the range and above it are NaN, and all of it lies among the source's subnormal numbers.
  check_pair("ufloat3e3m0", "float32", "ufloat3e3m0", KernelForm::rule);
  check_pair("ufloat3e3m0", "bfloat16", "ufloat3e3m0", KernelForm::table);
  // In too many rows of 16 codes results do not rise with the codes by one amount.
  check_pair("float8e1m6", "float8e1m6", "float32", KernelForm::table);
  // A byte has more bits than a code.
  for (const char* const dst : {"float32", "bfloat16", "float8e5m2"}) {
    check_pair("float7e4m2", "float7e4m2", dst, KernelForm::table);
    check_pair("float7e3m3h", "float7e3m3h", dst, KernelForm::table);
  }
}

TEST_CASE("rules of one's own for shipped types are loaded") {
  const tabulate::Made file = made({"ties_up.json", "upward.json"});
  CHECK(file.types.empty());
  const Status status = load_test::load(file.file);
  INFO(status.message());
  REQUIRE(status.ok());
  const auto opset = find_opset("upward@1");
  REQUIRE(opset);
  const auto code_of = [&](float value, const Attributes& attributes) {
    const Kernel kernel = find_kernel(*opset, Type::float32, Type::float8e4m3fn, attributes);
    REQUIRE(kernel.ok());
    unsigned char code = 0;
    REQUIRE(kernel.run(&value, &code, 1).ok());
    return int{code};
  };
  CHECK(code_of(17, {}) == 0x59);    // a tie between 16 and 18: up
  CHECK(code_of(-17, {}) == 0xD8);   // up is -16
  CHECK(code_of(1000, {}) == 0x7F);  // beyond the range: NaN, as there is no infinity
  const Attribute saturate[] = {{"limit", "saturate"}};
  Attributes attributes;
  attributes.others = saturate;
  CHECK(code_of(1000, attributes) == 0x7E);
  CHECK(find_kernel("upward", Type::float16, Type::int8).ok());
}

TEST_CASE("a mode whose results do not rise with the numbers is followed all the same") {
  const auto folder = std::filesystem::path(CASTFORGE_BINARY_DIR) / ("unit_load_modes." + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  // Away from zero below the middle of two numbers, else toward zero.
  std::ofstream(folder / "mode.json") << R"({"name": "below_middle", "short": "rbm", "doc": "This test's.",
    "carry": "0100 0100 0100 0100"})";
  std::ofstream(folder / "cast.json") << R"({"opset": "own-mode", "version": 1, "operation": "cast",
    "types": {"add": ["float32", "float16", "float8e4m3fn"]},
    "pairs": {"float32": ["float8e4m3fn"], "float16": ["float8e4m3fn"]}, "rules": [
      {"id": "all", "src": "any", "dst": "any", "basis": "this test",
       "set": {"round": "below_middle", "overflow": "max", "inf": "max", "nan": "nan"}}]})";
  const tabulate::Request request{.library = {load_test::shipped()},
                                  .own = {folder / "mode.json", folder / "cast.json"},
                                  .library_opsets = {},
                                  .opsets = {},
                                  .pairs = {},
                                  .verified = false};
  const std::string file = tabulate::make(request).file;
  std::filesystem::remove_all(folder);
  const Status status = load_test::load(file);
  INFO(status.message());
  REQUIRE(status.ok());
  CHECK(find_kernel("own-mode", Type::float16, Type::float8e4m3fn).form() == KernelForm::table);
  const Kernel kernel = find_kernel("own-mode", Type::float32, Type::float8e4m3fn);
  CHECK(kernel.form() == KernelForm::rule);
  const float values[] = {1.0F, 1.01F, 1.0625F, 1.1F, 1.125F};
  std::array<unsigned char, 5> codes{};
  REQUIRE(kernel.run(values, codes.data(), codes.size()).ok());
  CHECK(codes == std::array<unsigned char, 5>{0x38, 0x39, 0x38, 0x38, 0x39});
}

namespace {

/// An op-set of one pair, with attributes a0, a1, ... of four values, of which none acts; a0 may have more.
std::string with_attributes(const std::string& family, const std::string& options, const std::string& more = "") {
  std::string attributes;
  for (int i = 0; i < 4; ++i) {
    const std::string values = R"("w", "x", "y", "z")" + (i == 0 ? more : "");
    attributes += (i == 0 ? "" : ", ") + ("\"a" + std::to_string(i)) + R"(": {"type": "string", "values": [)" + values +
                  R"(], "default": "w"})";
  }
  return load_test::made_of_text(R"({"opset": ")" + family + R"(", "version": 1, "operation": "cast",
    "types": {"add": ["float32", "float16"]}, "pairs": {"float32": ["float16"]}, )" +
                                 options + R"(
    "attributes": {)" + attributes +
                                 R"(}, "rules": [{"id": "all", "src": "any", "dst": "any", "basis": "this test",
      "set": {"round": "nearest_even", "overflow": "infinity", "inf": "infinity", "nan": "nan"}}]})");
}

}  // namespace

TEST_CASE("values are added to an attribute of a loaded op-set") {
  REQUIRE(load_test::load(with_attributes("four-attributes", "")).ok());
  const Status status = load_test::load(with_attributes("four-attributes", "", R"(, "v")"));
  INFO(status.message());
  REQUIRE(status.ok());
  const Attribute v[] = {{"a0", "v"}};
  CHECK(find_kernel("four-attributes@1", Type::float32, Type::float16, {.others = v}).ok());
}

TEST_CASE("an op-set keeps its limits: a file with others is refused") {
  const std::string two = R"("options": {"max_rank": 2},)";
  REQUIRE(load_test::load(with_attributes("limited", two)).ok());
  for (const std::string& options : {std::string(R"("options": {"max_rank": 7},)"), std::string()}) {
    for (const std::string more : {"", R"(, "v")"}) {
      const Status status = load_test::load(with_attributes("limited", options, more));
      CHECK(status.code() == StatusCode::kernels_refused);
      CHECK_THAT(status.message(), Catch::Matchers::ContainsSubstring("limited@1 is known with other options"));
    }
  }
  CHECK(find_opset("limited@1")->option("max_rank") == "2");
  REQUIRE(load_test::load(with_attributes("limited", two, R"(, "v")")).ok());
  CHECK(find_opset("limited@1")->option("max_rank") == "2");
}

TEST_CASE("facts, text, bits, ranges and notation of a loaded type") {
  const auto folder = std::filesystem::path(CASTFORGE_BINARY_DIR) / ("unit_load_formats." + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  tabulate::Request request{
      .library = {load_test::shipped()}, .own = {}, .library_opsets = {}, .opsets = {}, .pairs = {}, .verified = false};
  const auto add = [&](const std::string& name, const std::string& spec) {
    request.own.push_back(folder / name);
    std::ofstream(request.own.back()) << spec;
  };
  add("type.json", R"({"name": "own8", "id": 3200, "kind": "float", "signed": true, "exponent_bits": 3,
    "mantissa_bits": 4, "exponent_bias": 3, "subnormals": true, "infinity": true, "nan": "top", "storage_bits": 8,
    "doc": "Own.", "aliases": {"safetensors": "F8_OWN", "numpy": "<V1"}})");
  add("bits.json", R"({"opset": "own-bitcast", "version": 1, "operation": "bitcast",
    "types": {"add": ["own8", "uint8"]}, "pairs": {"own8": ["uint8"], "uint8": ["own8"]},
    "rules": [{"id": "bits", "src": "any", "dst": "any", "set": {"bits": "kept"}, "basis": "this test"}]})");
  add("range.json", R"({"opset": "own-range", "version": 1, "extends": "onnx-range@27", "types": {"add": ["own8"]},
    "rules": []})");
  add("cast.json", R"({"opset": "own-cast", "version": 1, "operation": "cast", "notation": "Own<{src}, {dst}>",
    "types": {"add": ["float32", "own8"]}, "pairs": {"float32": ["own8"]}, "rules": [
      {"id": "all", "src": "any", "dst": "any", "basis": "this test",
       "set": {"round": "nearest_even", "overflow": "max", "inf": "max", "nan": "nan"}}]})");
  const std::string file = tabulate::make(request).file;
  std::filesystem::remove_all(folder);
  const Status status = load_test::load(file);
  INFO(status.message());
  REQUIRE(status.ok());

  const Type own = *find_type("own8");
  CHECK(find_type("f8_own") == own);
  CHECK(find_type_in("safetensors", "F8_OWN") == own);
  CHECK(alias(own, "safetensors") == "F8_OWN");
  CHECK(element_bits("safetensors", "F8_OWN") == 8);
  CHECK(type_info(own).exponent_bias == 3);
  CHECK(type_info(own).doc == "Own.");
  CHECK(storage_bytes(own, 7) == 7);

  const std::string_view texts[] = {"1.5", "-2", "nan"};
  const unsigned char codes[] = {0x38, 0xC0, 0x7F};
  std::array<unsigned char, 3> found{};
  REQUIRE(parse_text("castforge@1", own, texts, found.data()).ok());
  CHECK(std::equal(found.begin(), found.end(), codes));
  std::string printed;
  REQUIRE(format_text("castforge@1", own, codes, 3, {}, [&](std::size_t, std::string_view text) {
            printed += std::string(text) + " ";
          }).ok());
  CHECK(printed == "1.5 -2 NaN ");

  const std::int64_t three = 3;
  found = {};
  REQUIRE(bitcast("own-bitcast", {Type::uint8, {&three, 1}, codes, 3}, {own, {&three, 1}, found.data(), 3}).ok());
  CHECK(std::equal(found.begin(), found.end(), codes));

  const std::int64_t six = 6;
  std::array<unsigned char, 6> steps{};
  const auto number = [&](const unsigned char& code) { return TensorView{own, {}, &code, 1}; };
  const unsigned char zero = 0, end = 0x48, half = 0x20;  // 0, 3, 0.5
  const Status made = range("own-range", number(zero), number(end), number(half), {own, {&six, 1}, steps.data(), 6});
  INFO(made.message());
  REQUIRE(made.ok());
  CHECK(steps == std::array<unsigned char, 6>{0x00, 0x20, 0x30, 0x38, 0x40, 0x44});

  OpSet opset = *find_opset("onnx");
  const Kernel kernel = find_kernel_by_notation("Own<float32, own8>", opset);
  REQUIRE(kernel.ok());
  CHECK(opset.name() == "own-cast@1");
  const float value = 1e9F;
  REQUIRE(kernel.run(&value, found.data(), 1).ok());
  CHECK(found[0] == 0x7D);  // the largest finite number
}

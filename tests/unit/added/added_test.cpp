// Kernels beside the library's own: what is refused leaves no trace, what is added is seen everywhere.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <thread>

#include "modules.hpp"

using namespace added_test;

namespace {

/// The message with which a module is refused that differs from the right one by `change`.
std::string refusal(const std::function<void(Parts&)>& change) {
  Parts parts;
  change(parts);
  const Status status = add_kernels(parts.module());
  CHECK(status.code() == StatusCode::kernels_refused);
  CHECK_FALSE(find_type("toy"));
  CHECK_FALSE(find_opset("toys@1"));
  CHECK(added_kernels_count() == 0);
  return status.message();
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

// One case: what is added stays.
TEST_CASE("kernels are added beside the library's own") {
  const std::size_t types = type_count(), kernels = kernel_count(), opsets = opset_count();
  const OpSet before = *find_opset("castforge@1");

  SECTION("all or nothing, then everywhere") {
    CHECK(add_kernels(nullptr).code() == StatusCode::null_pointer);
    CHECK(contains(refusal([](Parts& p) { p.version_text = "9.9.9"; }), "built for castforge 9.9.9, this is "));
    CHECK(contains(refusal([](Parts& p) { p.beside = "sha256:feedfeedfeedfeed"; }),
                   "beside a library with manifest sha256:feedfeedfeedfeed, this one has sha256:"));
    CHECK(contains(refusal([](Parts& p) { p.isa_names.erase(p.isa_names.begin()); }),
                   "lack the instruction set portable"));
    CHECK(contains(refusal([](Parts& p) { p.type.name = "float32"; }), "type float32 with id 2000"));
    CHECK(contains(refusal([](Parts& p) { p.type.id = Type::float32; }), "float32 has this id"));
    CHECK(contains(refusal([](Parts& p) { p.aliases = {{"toys", "F32"}}; }), "name F32 already has another meaning"));
    CHECK(contains(refusal([](Parts& p) {
                     p.aliases = {{"onnx_enum", "17"}};
                   }),
                   "name 17 already has another meaning"));
    CHECK(contains(
        refusal([](Parts& p) { p.kernels[0].name = find_kernel("", Type::float32, Type::int8).name().data(); }),
        "is known with another meaning"));
    CHECK(contains(refusal([](Parts& p) { p.references[0].meaning = "sha256:0"; }),
                   "they need the kernel float32_to_float32"));
    CHECK(contains(refusal([](Parts& p) { p.variants[0].dst = Type::float16; }),
                   "castforge@1 already converts float32 -> float16 by another rule"));
    CHECK(contains(refusal([](Parts& p) { p.own = *find_opset("pypto")->table(), p.own.attribute_count = 0; }),
                   "is known with other attributes"));
    CHECK(contains(refusal([](Parts& p) {
                     p.module();
                     p.own.as_default = tables::Default::yes;
                   }),
                   "there would be two defaults"));
    CHECK(contains(refusal([](Parts& p) { p.kernels[1].name = p.kernels[0].name; }),
                   "a kernel named float32_to_toy__rne is known with another meaning"));
    CHECK(contains(refusal([](Parts& p) {
                     p.references[0] = {p.kernels[0].name, p.kernels[0].meaning};
                   }),
                   "they need the kernel float32_to_toy__rne"));
    Parts first;
    const tables::Alias toy_elsewhere = {"elsewhere", "Toy"};
    tables::TypeRow two[2] = {first.type, first.type};
    two[1].id = static_cast<Type>(2001);
    two[1].name = "other";
    two[1].aliases = &toy_elsewhere;
    two[1].alias_count = 1;
    tables::Module two_types = *first.module();
    two_types.types = two;
    two_types.type_count = 2;
    CHECK(contains(add_kernels(&two_types).message(), "name Toy already has another meaning"));
    std::vector<tables::TextRule> rules(0x8001);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      rules[i] = {Type::string, Type::float32, {}};
      rules[i].rule.carry = static_cast<std::uint16_t>(i);
    }
    tables::Module many_texts = *first.module();
    many_texts.text_rules = rules.data();
    many_texts.text_rule_count = static_cast<std::uint16_t>(rules.size());
    CHECK(contains(add_kernels(&many_texts).message(), "more than 32768 kernels, or rules of texts"));
    Parts other_shape;
    tables::Module shaped = *other_shape.module();
    ++shaped.layout;
    CHECK(contains(add_kernels(&shaped).message(), "headers of another castforge"));
    CHECK(type_count() == types);
    CHECK(kernel_count() == kernels);

    static Parts parts;
    REQUIRE(add_kernels(parts.module()).ok());
    REQUIRE(add_kernels(parts.module()).ok());  // twice: nothing changes
    CHECK(type_count() == types + 1);
    CHECK(kernel_count() == kernels + 2);
    CHECK(opset_count() == opsets + 1);
    CHECK(added_kernels_count() == 1);
    CHECK(find_kernel("castforge@1", Type::float32, kToy).programs() == "00000000000a");
    CHECK(find_kernel("castforge@1", kToy, Type::float32).programs() == "00000000000b,00000000000c");
    CHECK(added_kernels(0).kernel_count == 2);
    CHECK(kernel_at(kernels).name() == "float32_to_toy__rne");

    // Names: of the type, its alias, the nearest one.
    CHECK(find_type("TOY") == kToy);
    CHECK(find_type("toy8") == kToy);
    CHECK(find_type_in("toys", "TOY8") == kToy);
    CHECK(name(kToy) == "toy");
    CHECK(storage_bytes(kToy, 3) == 3);
    Type type{};
    CHECK(contains(find_type("tpy8", type).message(), "did you mean TOY8?"));

    // Cells: in the op-set that was there, and in the new one, which leads to the library's kernels too.
    const OpSet open = *find_opset("castforge@1"), own = *find_opset("toys@1");
    CHECK(open.admits(Type::float32, kToy));
    CHECK(open.admits(Type::float16, Type::float32));
    CHECK(open.type_count() == before.type_count() + 1);
    CHECK_FALSE(before.admits(kToy));  // a handle of before
    CHECK(find_kernel(before, Type::float32, Type::float16).ok());
    CHECK(find_opset("toys") == own);
    CHECK(find_kernel(own, Type::float32, Type::float32).name() ==
          find_kernel("castforge@1", Type::float32, Type::float32).name());
    CHECK(find_kernel(own, kToy, Type::float32).status().code() == StatusCode::pair_not_admitted);
    CHECK(find_kernel("onnx", Type::float32, kToy).status().code() == StatusCode::type_not_admitted);

    // Every instruction set, and every way to run.
    const float source[3] = {1, 2, 3};
    for (std::size_t i = 0; i < isa_count(); ++i) {
      if (!isa(i).usable) continue;
      const Kernel kernel = find_kernel("castforge@1", Type::float32, kToy, {}, isa(i).name);
      REQUIRE(kernel.ok());
      CHECK(kernel.isa() == isa(i).name);
      unsigned char codes[4] = {};
      CHECK(kernel.run(source, codes, 3).ok());
      CHECK(codes[2] == 0xA5);
      CHECK(codes[3] == 0);
    }
    const std::int64_t extent = 3;
    unsigned char codes[3] = {};
    CHECK(
        cast("castforge@1", {Type::float32, {&extent, 1}, source, sizeof source}, {kToy, {&extent, 1}, codes, 3}).ok());
    CHECK(codes[0] == 0xA5);

    // Another module with the same words adds nothing; one that contradicts is refused.
    static Parts again;
    CHECK(add_kernels(again.module()).ok());
    CHECK(kernel_count() == kernels + 2);
    CHECK(type_count() == types + 1);
    // A version that differs in zeros is another one, and hides none.
    static Parts with_zero;
    with_zero.module();
    with_zero.own.name = "toys@1.0";
    with_zero.own.version = "1.0";
    REQUIRE(add_kernels(with_zero.module()).ok());
    static Parts once_more;
    REQUIRE(add_kernels(once_more.module()).ok());
    CHECK(opset_count() == opsets + 2);
    CHECK(find_opset("toys") == *find_opset("toys@1.0"));
    Parts rival;
    rival.type.exponent_bias = 3;
    CHECK(contains(add_kernels(rival.module()).message(), "type toy with id 2000"));
    Parts other_kernel;
    other_kernel.kernels[0].meaning = "sha256:000000000003";
    CHECK(contains(add_kernels(other_kernel.module()).message(), "a kernel named float32_to_toy__rne"));
  }
}

TEST_CASE("lookups run while kernels are added") {
  static Parts parts;
  parts.type.name = "toy_of_threads";
  parts.type.id = static_cast<Type>(2001);
  parts.aliases = {{"toys", "TOY_T"}};
  parts.admitted = {static_cast<Type>(2001)};
  parts.kernels[0].name = "float32_to_toy_of_threads__rne";
  parts.kernels[1].name = "toy_of_threads_to_float32__exact";
  parts.variants[0].dst = parts.variants[1].src = static_cast<Type>(2001);
  parts.own_variants = {parts.variants[0]};
  parts.own_admitted = {Type::float32, static_cast<Type>(2001)};
  parts.own.name = "toys@2", parts.own.family = "toys", parts.own.version = "2", parts.own.operation = "cast";
  const tables::Module* module = parts.module();
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        if (!find_kernel("castforge@1", Type::float32, Type::float16).ok()) ++failures;
        if (i == 500 * t && !add_kernels(module).ok()) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(find_type("toy_of_threads") == static_cast<Type>(2001));
  CHECK(find_opset("toys@2").has_value());
}

TEST_CASE("an attribute gets more values beside many that act on nothing") {
  // Together they have 16^16 combinations.
  static std::vector<std::string> names;
  static std::vector<tables::AttributeValue> values;
  for (int i = 0; i < 17; ++i) names.push_back("a" + std::to_string(i));
  for (const std::string& name : names) values.push_back({name.c_str(), 0});
  static Parts fewer, more;
  static std::vector<tables::Attribute> attributes, wider;
  for (int i = 0; i < 16; ++i) {
    attributes.push_back(
        {names[static_cast<std::size_t>(i)].c_str(), "", values.data(), 16, 0, tables::AttributeKind::string, false});
  }
  wider = attributes;
  wider[0].value_count = 17;
  for (Parts* const parts : {&fewer, &more}) {
    tables::OpSet& own = parts->own;
    own.name = "toys@3", own.family = "toys", own.version = "3", own.operation = "cast";
    own.attributes = (parts == &more ? wider : attributes).data();
    own.attribute_count = 16;
  }
  const Status first = add_kernels(fewer.module()), second = add_kernels(more.module());
  INFO(first.message() << "; " << second.message());
  CHECK(first.ok());
  CHECK(second.ok());
  const Attribute last[] = {{"a0", "a16"}};
  CHECK(find_kernel("toys@3", Type::float32, kToy, {.others = last}).ok());
}

// Convert of IEEE P3109 by the names that the report gives its specializations: what is compiled, then all of it,
// loaded.
#include <castforge/castforge.hpp>
#include <catch2/catch_all.hpp>

#include "exhaustive/elements.hpp"
#include "oracle/oracle.hpp"
#include "support.hpp"

using namespace castforge;

namespace {

/// Cases of one specialization.
struct Group {
  std::string src, dst, rounding, saturation;
  std::vector<std::uint64_t> inputs, outputs;

  std::string name() const { return "Convert<" + src + ", " + dst + ", (" + rounding + ", " + saturation + ")>"; }
};

std::vector<Group> groups() {
  std::vector<Group> all;
  for (const auto& row : load_test::data_rows("p3109/convert.tsv")) {
    Group& group = all.emplace_back(Group{row[0], row[1], row[2], row[3], {}, {}});
    for (const std::string& one : load_test::words_of(row[4])) {
      const std::size_t colon = one.find(':');
      group.inputs.push_back(std::stoull(one.substr(0, colon), nullptr, 16));
      group.outputs.push_back(std::stoull(one.substr(colon + 1), nullptr, 16));
    }
  }
  REQUIRE(all.size() == 210);
  return all;
}

bool is_nan(Type type, std::uint64_t code) {
  const TypeInfo info = type_info(type);
  if (info.nan == NanCodes::negative_zero) return code == std::uint64_t{1} << (info.value_bits - 1);
  if (info.nan == NanCodes::top) return code == (std::uint64_t{1} << info.value_bits) - 1;
  const std::uint64_t magnitude = code & ((std::uint64_t{1} << (info.value_bits - 1)) - 1);
  return magnitude > info.infinity_code;
}

exhaustive::Layout layout(Type type) {
  oracle::Format format;
  format.bits = type_info(type).value_bits;
  format.storage = type_info(type).storage_bits;
  return format;
}

/// Runs a group on every instruction set; the number of cases.
std::size_t run(const Group& group) {
  std::size_t tested = 0;
  for (std::size_t i = 0; i < isa_count(); ++i) {
    if (!isa(i).usable) continue;
    const Kernel kernel = find_kernel_by_notation(group.name(), isa(i).name);
    INFO(group.name() << " on " << isa(i).name << ": " << kernel.status().message());
    REQUIRE(kernel.ok());
    const auto input = exhaustive::pack(group.inputs, layout(kernel.src()));
    std::vector<std::uint8_t> output(storage_bytes(kernel.dst(), group.inputs.size()).value());
    REQUIRE(kernel.run(input.data(), output.data(), group.inputs.size()).ok());
    for (std::size_t k = 0; k < group.inputs.size(); ++k) {
      const std::uint64_t got = exhaustive::element(output.data(), layout(kernel.dst()), k);
      const bool nan = is_nan(kernel.dst(), group.outputs[k]);  // any quiet one
      INFO(std::hex << group.inputs[k] << " gives " << got << ", expected " << group.outputs[k]);
      CHECK((nan ? is_nan(kernel.dst(), got) : got == group.outputs[k]));
    }
    tested = group.inputs.size();
  }
  return tested;
}

}  // namespace

TEST_CASE("what the report requires of an implementation is compiled") {
  std::size_t cases = 0, specializations = 0;
  for (const Group& group : groups()) {
    const bool required = group.rounding == "NearestTiesToEven" && group.src != "binary64" &&
                          group.src != "binary8p1uf" && group.dst != "binary8p1uf";
    if (!required) continue;
    REQUIRE(find_kernel_by_notation(group.name()).form() == KernelForm::code);
    cases += run(group);
    ++specializations;
  }
  CHECK(specializations == 40);
  CHECK(cases > 1000);
}

TEST_CASE("conversions are found by what the report calls them") {
  const Kernel kernel = find_kernel_by_notation("Convert< Binary8p3se,Binary8p4se , (NearestTiesToEven, SatFinite) >");
  REQUIRE(kernel.ok());
  CHECK(kernel.src() == Type::binary8p3se);
  CHECK(kernel.dst() == Type::binary8p4se);
  OpSet opset;
  CHECK(find_kernel_by_notation("Convert<Binary8p3se, Binary8p4se, (NearestTiesToEven, SatFinite)>", opset).ok());
  CHECK(opset.name() == "p3109@4.0");
  CHECK(find_kernel_by_notation("Convert<Binary8p3se>", opset).status().code() == StatusCode::unknown_opset);
  CHECK(opset.name() == "p3109@4.0");
  CHECK(find_opset("p3109")->notation() == "Convert<{src}, {dst}, ({rounding}, {saturation})>");
  CHECK(find_opset("onnx")->notation().empty());
  const auto refused = [](const char* text) { return find_kernel_by_notation(text).status(); };
  CHECK(refused("Convert<Binary8p3se, Binary8p4se, (Nearest, SatFinite)>").code() == StatusCode::bad_attribute);
  CHECK(refused("Convert<Binary8p3se, Binary8p4, (NearestTiesToEven, SatFinite)>").code() == StatusCode::unknown_type);
  CHECK(refused("Convert<Binary8p3se, int8, (NearestTiesToEven, SatNone)>").code() == StatusCode::type_not_admitted);
  for (const char* text : {"", "Convert", "Convert<Binary8p3se, Binary8p4se>", "Convert<, , (, )>",
                           "Convert<Binary8p3se, Binary8p4se, (NearestTiesToEven, SatFinite)>>",
                           "Add<Binary8p3se, Binary8p4se, (NearestTiesToEven, SatFinite)>"}) {
    INFO(text);
    CHECK(refused(text).code() == StatusCode::unknown_opset);
  }
}

TEST_CASE("all rounding modes and other formats, loaded") {
  const std::string toward_zero = "Convert<binary32, Binary8p3se, (TowardZero, SatNone)>";
  CHECK(find_kernel_by_notation(toward_zero).status().code() == StatusCode::bad_attribute);
  const Kernel before = find_kernel_by_notation("Convert<binary32, Binary8p3se, (NearestTiesToEven, SatNone)>");
  const Status status = load_test::load_named({"shelf/binary8p1uf", "p3109@4.0"});
  INFO(status.message());
  REQUIRE(status.ok());
  CHECK(find_kernel_by_notation(toward_zero).form() == KernelForm::table);
  // What was there is served by the same kernels.
  const Kernel after = find_kernel_by_notation("Convert<binary32, Binary8p3se, (NearestTiesToEven, SatNone)>");
  CHECK(after.table() == before.table());
  const OpSet opset = find_opset("p3109@4.0").value();
  CHECK(opset.type_count() == 8);
  CHECK(opset.choice(0, 0).word == "NearestTiesToEven");
  CHECK(opset.attribute(0).choice_count == 6);
  std::size_t cases = 0;
  for (const Group& group : groups()) cases += run(group);
  CHECK(cases == 16416);
}

// `castforge verify` on a kernel that is right on all instruction sets but one.
#include <catch2/catch_test_macros.hpp>

#include "cli/verify/kernel_check.hpp"
#include "modules.hpp"

using namespace added_test;

namespace {

void copy_bytes(const void* src, void* dst, std::size_t count, std::size_t) noexcept { std::memcpy(dst, src, count); }
void write_nothing(const void*, void*, std::size_t, std::size_t) noexcept {}

constexpr auto kTwin = static_cast<Type>(2002);

}  // namespace

TEST_CASE("a kernel that writes nothing is noticed after one that was right") {
  static Parts parts;
  parts.type.name = "twin";
  parts.type.id = kTwin;
  parts.aliases = {};
  parts.kernels[0] = {
      "float8e4m3fn_to_twin__bits", "sha256:000000000004", Type::float8e4m3fn, kTwin, static_cast<tables::UnitId>(0), 0,
      {.bits = Bits::kept}};
  parts.kernels[1].name = "twin_to_float32__exact";
  parts.kernels[1].src = kTwin;
  parts.admitted = {kTwin};
  parts.variants = {{Type::float8e4m3fn, kTwin, 0, static_cast<tables::KernelId>(0)},
                    {kTwin, Type::float32, 0, static_cast<tables::KernelId>(1)}};
  parts.own = *find_opset("castforge@1")->table();
  parts.own.name = "twins@1", parts.own.family = "twins", parts.own.version = "1";
  parts.own.as_default = tables::Default::no;
  parts.own_admitted = {kTwin};
  parts.own_variants = parts.variants;
  parts.to = {&copy_bytes};
  static const std::vector<tables::KernelFn> nothing = {&write_nothing};
  static const std::vector<const tables::KernelFn*> units = {nothing.data(), parts.from.data()};
  static tables::IsaKernels wrong{};
  wrong.units = units.data();
  const tables::Module* const module = parts.module();
  std::size_t last = isa_count() - 1;
  while (!isa(last).usable) --last;
  REQUIRE(last > 0);
  parts.isas[last].kernels = &wrong;
  REQUIRE(add_kernels(module).ok());

  std::vector<Kernel> kernels;
  for (const std::string& name : parts.isa_names) {
    const Kernel kernel = find_kernel("castforge@1", Type::float8e4m3fn, kTwin, {}, name);
    if (kernel.ok()) kernels.push_back(kernel);
  }
  REQUIRE(kernels.size() > 1);
  const cli::KernelCheck check = cli::check_kernel(kernels, kernels.front().rule(), cli::Level::quick);
  CHECK(check.wrong == check.codes);
  REQUIRE_FALSE(check.first.empty());
  CHECK(check.first.front().isa == parts.isa_names[last]);
}

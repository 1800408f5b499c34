// Processors on which a lesser instruction set's function is the faster one: who they are, and what runs there.
#include <castforge/castforge.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <vector>

#include "src/cpu.hpp"
#include "src/isa_table.hpp"
#include "src/registry.hpp"

using namespace castforge;

namespace {

std::vector<Isa> built() {
  std::size_t count = 0;
  const Isa* const first = isa_table(count);
  std::vector<Isa> isas(first, first + count);
  for (Isa& isa : isas) {
    isa.usable = true;
    isa.processors = 0;
  }
  return isas;
}

const Isa* named(const std::vector<Isa>& isas, std::string_view name) {
  for (const Isa& isa : isas) {
    if (isa.name == name) return &isa;
  }
  return nullptr;
}

constexpr const tables::Module& kLibrary = tables::library::kModule;
const std::span<const tables::ProcessorFamily> kFamilies = {kLibrary.processors, kLibrary.processor_count};

}  // namespace

TEST_CASE("a family's kernels run as on the lesser instruction set, all others do not") {
  REQUIRE_FALSE(kFamilies.empty());
  for (std::size_t family = 0; family < kFamilies.size(); ++family) {
    std::vector<Isa> isas = built();
    mark_for_processor(isas, kFamilies, kFamilies[family].vendor);
    const Isa* const set = named(isas, kFamilies[family].set);
    const Isa* const lesser = named(isas, kFamilies[family].lesser);
    if (set == nullptr || lesser == nullptr) continue;  // not built
    CHECK(set->processors == 1u << family);
    std::size_t marked = 0;
    for (std::size_t i = 0; i < kLibrary.kernel_count; ++i) {
      const bool falls_back = (kLibrary.kernels[i].processors & 1u << family) != 0;
      marked += falls_back ? 1 : 0;
      CHECK(registry().fastest_function(*set, i) == registry().kernel_function(falls_back ? *lesser : *set, i));
      CHECK(registry().fastest_function(*lesser, i) == registry().kernel_function(*lesser, i));
    }
    CHECK(lesser_kernel_count(*set) == marked);
    CHECK(lesser_kernel_count(*lesser) == 0);
    CHECK(marked > 0);
    CHECK(marked < kLibrary.kernel_count);
  }
}

TEST_CASE("no other processor's instruction sets are marked, nor where the lesser one is missing") {
  for (const tables::ProcessorFamily& family : kFamilies) {
    std::vector<Isa> isas = built();
    mark_for_processor(isas, kFamilies, "AnotherMaker");
    for (const Isa& isa : isas) CHECK(isa.processors == 0);
    for (Isa& isa : isas) isa.usable = isa.name != family.lesser;
    mark_for_processor(isas, kFamilies, family.vendor);
    for (const Isa& isa : isas) CHECK(isa.processors == 0);
  }
}

TEST_CASE("this processor has the marks of its maker, and find_kernel follows them") {
  std::vector<Isa> isas = built();
  std::size_t count = 0;
  const Isa* const actual = isa_table(count);
  for (std::size_t i = 0; i < count; ++i) isas[i].usable = actual[i].usable;
  mark_for_processor(isas, kFamilies, cpu::vendor().data());
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(isas[i].processors == actual[i].processors);
    const IsaInfo info = isa(i);
    CHECK(info.lesser_kernels == lesser_kernel_count(actual[i]));
    CHECK(info.lesser.empty() == (info.lesser_kernels == 0));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!actual[i].usable) continue;
    const Kernel kernel = find_kernel("onnx@28", Type::float32, Type::float8e4m3fn, {}, actual[i].name);
    REQUIRE(kernel);
    CHECK(kernel.isa() == actual[i].name);
    const auto index = static_cast<std::size_t>(kernel.table() - kLibrary.kernels);
    CHECK(kernel.function() == registry().fastest_function(actual[i], index));
    CHECK(kernel_at(index, actual[i].name).function() == registry().kernel_function(actual[i], index));
  }
#if defined(__x86_64__)
  CHECK(std::string_view(cpu::vendor().data()).size() == 12);
#endif
}

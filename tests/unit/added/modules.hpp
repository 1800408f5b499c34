// Small modules made by hand: one type "toy" of 8 bits, converted from and to float32 by functions that can be told
// apart.
#pragma once

#include <castforge/castforge.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "src/kernel_function.hpp"
#include "src/registry.hpp"
#include "src/tables.hpp"

namespace added_test {

using namespace castforge;

inline constexpr auto kToy = static_cast<Type>(2000);

/// Writes 0xA5 for every element.
inline void to_toy(const void*, void* dst, std::size_t count, std::size_t) noexcept { std::memset(dst, 0xA5, count); }
/// Writes 1.0f for every element.
inline void from_toy(const void*, void* dst, std::size_t count, std::size_t) noexcept {
  const float one = 1.0F;
  for (std::size_t i = 0; i < count; ++i) std::memcpy(static_cast<char*>(dst) + i * sizeof one, &one, sizeof one);
}

/// Everything that a module points to. Parts may be changed before module() is asked for.
struct Parts {
  std::vector<tables::Alias> aliases = {{"toys", "TOY8"}};
  tables::TypeRow type{};
  std::vector<tables::Kernel> kernels;
  std::vector<const char*> programs = {"00000000000a", "00000000000b,00000000000c"};
  std::vector<tables::KernelReference> references;
  std::vector<Type> admitted = {kToy};
  std::vector<tables::Variant> variants, own_variants;
  std::vector<Type> own_admitted = {Type::float32, kToy};
  tables::OpSet open{}, own{};
  std::vector<const tables::OpSet*> opsets;
  std::vector<tables::KernelFn> to = {&to_toy}, from = {&from_toy};
  std::vector<const tables::KernelFn*> units;
  tables::IsaKernels code{};
  std::vector<std::string> isa_names;
  std::vector<tables::ModuleIsa> isas;
  std::string beside = manifest_hash(), version_text = version();
  tables::Module module_data{};

  Parts() {
    static_cast<Format&>(type) = type_info(Type::float8e4m3fn);
    type.id = kToy;
    type.name = "toy";
    type.doc = nullptr;
    kernels = {
        {"float32_to_toy__rne", "sha256:000000000001", Type::float32, kToy, static_cast<tables::UnitId>(0), 0, {}},
        {"toy_to_float32__exact", "sha256:000000000002", kToy, Type::float32, static_cast<tables::UnitId>(1), 0, {}}};
    const Kernel known = find_kernel("castforge@1", Type::float32, Type::float32);
    references = {{known.name().data(), known.meaning().data()}};
    // castforge@1 has the attribute saturate, which acts on nothing here.
    variants = {{Type::float32, kToy, 0, static_cast<tables::KernelId>(0)},
                {kToy, Type::float32, 0, static_cast<tables::KernelId>(1)}};
    own_variants = {{Type::float32, Type::float32, 0, static_cast<tables::KernelId>(2)},
                    {Type::float32, kToy, 0, static_cast<tables::KernelId>(0)}};
    for (std::size_t i = 0; i < isa_count(); ++i) isa_names.emplace_back(isa(i).name);
  }

  const tables::Module* module() {
    type.aliases = aliases.data();
    type.alias_count = static_cast<std::uint16_t>(aliases.size());
    open = *find_opset("castforge@1")->table();
    open.types = admitted.data();
    open.type_count = static_cast<std::uint16_t>(admitted.size());
    open.variants = variants.data();
    open.variant_count = static_cast<std::uint32_t>(variants.size());
    if (own.name == nullptr) {
      own = {};
      own.name = "toys@1";
      own.family = "toys";
      own.version = "1";
      own.operation = "cast";
      own.valid_through = 1;
    }
    own.types = own_admitted.data();
    own.type_count = static_cast<std::uint16_t>(own_admitted.size());
    own.variants = own_variants.data();
    own.variant_count = static_cast<std::uint32_t>(own_variants.size());
    opsets = {&open, &own};
    units = {to.data(), from.data()};
    code.units = units.data();
    isas.clear();
    for (const std::string& name : isa_names) isas.push_back({name.c_str(), &code});
    module_data = {.layout = tables::kLayout,
                   .version = version_text.c_str(),
                   .manifest = "sha256:toys",
                   .beside = beside.c_str(),
                   .types = &type,
                   .kernels = kernels.data(),
                   .references = references.data(),
                   .text_rules = nullptr,
                   .opsets = opsets.data(),
                   .other_elements = nullptr,
                   .isas = isas.data(),
                   .processors = nullptr,
                   .programs = programs.data(),
                   .type_count = 1,
                   .kernel_count = static_cast<std::uint16_t>(kernels.size()),
                   .reference_count = static_cast<std::uint16_t>(references.size()),
                   .text_rule_count = 0,
                   .opset_count = static_cast<std::uint16_t>(opsets.size()),
                   .other_element_count = 0,
                   .isa_count = static_cast<std::uint16_t>(isas.size()),
                   .processor_count = 0};
    return &module_data;
  }
};

}  // namespace added_test

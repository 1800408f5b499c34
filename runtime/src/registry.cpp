#include "src/registry.hpp"

#include <algorithm>
#include <atomic>
#include <span>

#include "src/isa_table.hpp"
#include "src/registry_state.hpp"

namespace castforge {
namespace {

constexpr const tables::Module& kLibrary = tables::library::kModule;

constinit std::atomic<const Registry*> newest{nullptr};

/// Fixed for 128 op-sets: the count is not known before the library is linked, and nothing may be allocated here.
NameSlots library_names() noexcept {
  static std::uint16_t slots[256];
  name_index::fill(slots, {kLibrary.opsets, kLibrary.opset_count});
  return slots;
}

/// The library alone.
const Registry& library_registry() noexcept {
  static const Registry alone{.types = {kLibrary.types, kLibrary.type_count},
                              .opsets = {kLibrary.opsets, kLibrary.opset_count},
                              .opset_names = library_names(),
                              .text_rules = {kLibrary.text_rules, kLibrary.text_rule_count},
                              .other_elements = {kLibrary.other_elements, kLibrary.other_element_count},
                              .added_kernels = {},
                              .added_modules = {}};
  return alone;
}

}  // namespace

const tables::Kernel& Registry::kernel_row(std::size_t index) const noexcept {
  return index < kLibrary.kernel_count ? kLibrary.kernels[index] : *added_kernels[index - kLibrary.kernel_count].row;
}

tables::KernelFn Registry::fastest_function(const Isa& isa, std::size_t index) const noexcept {
  if (index < kLibrary.kernel_count && (kLibrary.kernels[index].processors & isa.processors) != 0)
    return function_in(kLibrary, isa.lesser_place, index);
  return kernel_function(isa, index);
}

tables::KernelFn Registry::kernel_function(const Isa& isa, std::size_t index) const noexcept {
  if (index < kLibrary.kernel_count) return function_in(kLibrary, isa.place, index);
  const tables::KernelFn* const functions = added_kernels[index - kLibrary.kernel_count].functions;
  return functions == nullptr ? nullptr : functions[isa.place];
}

const tables::KernelRamp* Registry::kernel_ramp(const Isa& isa, std::size_t index) const noexcept {
  const tables::IsaKernels& kernels = *kLibrary.isas[isa.place].kernels;
  const std::span ramps(kernels.ramps, kernels.ramp_count);
  const auto found = std::ranges::find(ramps, static_cast<tables::KernelId>(index), &tables::KernelRamp::kernel);
  return found == ramps.end() ? nullptr : &*found;
}

tables::KernelFn function_in(const tables::Module& module, std::size_t isa, std::size_t kernel) noexcept {
  const tables::Kernel& row = module.kernels[kernel];
  return module.isas[isa].kernels->units[static_cast<std::size_t>(row.unit)][row.place];
}

const Registry& registry() noexcept {
  const Registry* const known = newest.load(std::memory_order_acquire);
  return known != nullptr ? *known : library_registry();
}

void publish(const Registry* next) noexcept { newest.store(next, std::memory_order_release); }

}  // namespace castforge

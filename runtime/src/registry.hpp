// Everything that lookups see: the tables of the library, and those of kernels that were added to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/isa_table.hpp"
#include "src/kernel_function.hpp"
#include "src/name_index.hpp"
#include "src/tables.hpp"

namespace castforge {

/// At most so many kernels, and so many rules of texts, in a registry or a file: what a tables::Entry can tell apart.
inline constexpr std::size_t kMostEntries = 0x8000;

/// A kernel of another module than the library.
struct AddedKernel {
  const tables::Kernel* row;
  const tables::KernelFn* functions;  // by Isa::place; null: the row is a DataKernel (src/loaded/data_kernel.hpp)
};

/// Constant: an addition makes a new registry, and what an older one holds stays where it is. Numbers of kernels and
/// text rules in the entries of its op-sets are indices of kernel_row() and `text_rules`; they mean the same in newer
/// ones.
struct Registry {
  std::span<const tables::TypeRow> types;        // by rising id
  std::span<const tables::OpSet* const> opsets;  // families in name order, versions ascending
  NameSlots opset_names;
  std::span<const tables::TextRule> text_rules;
  std::span<const tables::OtherElement> other_elements;
  std::span<const AddedKernel> added_kernels;  // their indices follow those of the library's
  std::span<const tables::Module* const> added_modules;
  std::size_t loaded_types = 0, loaded_opsets = 0;  // of files: kMostLoadedTypes, kMostLoadedOpSets

  /// The op-set of exactly this name, or null.
  const tables::OpSet* opset_named(std::string_view name) const noexcept {
    return name_index::find(opset_names, opsets, name);
  }
  std::size_t kernel_count() const noexcept { return tables::library::kModule.kernel_count + added_kernels.size(); }
  const tables::Kernel& kernel_row(std::size_t index) const noexcept;
  /// What runs where an instruction set is asked for: the kernel's function of that set, or of a lesser one where that
  /// is faster on this processor. Null for a kernel that is data.
  tables::KernelFn fastest_function(const Isa& isa, std::size_t index) const noexcept;
  /// That of the set itself.
  tables::KernelFn kernel_function(const Isa& isa, std::size_t index) const noexcept;
  /// The set's ramp that converts by this kernel; null where there is none, as of added kernels.
  const tables::KernelRamp* kernel_ramp(const Isa& isa, std::size_t index) const noexcept;
};

/// The newest one. No lock.
const Registry& registry() noexcept;

}  // namespace castforge

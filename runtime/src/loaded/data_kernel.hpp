// A kernel that is no code: a lookup, or a rule to follow element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "src/isa_table.hpp"
#include "src/kernel_function.hpp"
#include "src/lookup_table.hpp"
#include "src/tables.hpp"

namespace castforge {

struct DataKernel : tables::Kernel {
  loadable::Form form = loadable::Form::rule;
  Format from, to;
  Rule exact_rule;                       // Form::rule: one that states a result wherever the format has a code for it
  tables::Lookup lookup{};               // the others
  std::unique_ptr<std::byte[]> entries;  // what lookup.entries points to
};

/// The word of an element, or of a dense stream's the smallest that holds it, from its code.
std::uint64_t storage_word(const Format& format, std::uint64_t code) noexcept;

/// Converts `count` elements, as a kernel's function does.
void run_data(const DataKernel& kernel, const Isa& isa, const void* src, void* dst, std::size_t count) noexcept;

/// A kernel's code, or, where it has none, its data.
void run_kernel(tables::KernelFn function, const tables::Kernel* row, const Isa& isa, const void* src, void* dst,
                std::size_t count, std::size_t ahead) noexcept;

}  // namespace castforge

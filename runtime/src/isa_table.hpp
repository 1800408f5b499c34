// The instruction sets that were built.
#pragma once

#include <castforge/status.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/lookup_table.hpp"
#include "src/ramp_table.hpp"
#include "src/stream_table.hpp"
#include "src/tables.hpp"

namespace castforge {

struct Isa {
  std::string_view name;
  const tables::IsaRamps* ramps;
  tables::StreamFn stream;
  const tables::IsaLookups* lookups;
  bool (*can_run)() noexcept;
  int rank;
  std::size_t place;  // in the list of the build, and so in the library's tables::Module::isas
  bool usable;        // can_run(), asked once
  // Of the library's families of processors, those that this one belongs to and that run some kernels as on a lesser
  // set; and the place of that.
  std::uint8_t processors = 0;
  std::size_t lesser_place = 0;
};

/// The built instruction sets in rising rank.
const Isa* isa_table(std::size_t& count) noexcept;

/// Marks the instruction sets that have a lesser one to fall back on, on processors of a vendor.
void mark_for_processor(std::span<Isa> isas, std::span<const tables::ProcessorFamily> families,
                        std::string_view vendor) noexcept;

/// How many of the library's kernels run as on the lesser set.
std::size_t lesser_kernel_count(const Isa& isa) noexcept;

/// The instruction set of that name (empty: the active one), or why it cannot be used.
struct IsaChoice {
  Status status;
  const Isa* isa = nullptr;
};
IsaChoice choose_isa(std::string_view name) noexcept;

/// The instruction set of a name that a lookup gave.
const Isa& isa_named(std::string_view name) noexcept;

}  // namespace castforge

// The instruction sets that were built.
#pragma once

#include <castforge/status.hpp>
#include <cstddef>
#include <string_view>

#include "src/ramp_table.hpp"
#include "src/stream_table.hpp"

namespace castforge {

struct Isa {
  std::string_view name;
  const tables::IsaRamps* ramps;
  tables::StreamFn stream;
  bool (*can_run)() noexcept;
  int rank;
  std::size_t place;  // in the list of the build, and so in the library's tables::Module::isas
  bool usable;        // can_run(), asked once
};

/// The built instruction sets in rising rank.
const Isa* isa_table(std::size_t& count) noexcept;

/// The instruction set of that name (empty: the active one), or why it cannot be used.
struct IsaChoice {
  Status status;
  const Isa* isa = nullptr;
};
IsaChoice choose_isa(std::string_view name) noexcept;

/// The instruction set of a name that a lookup gave.
const Isa& isa_named(std::string_view name) noexcept;

}  // namespace castforge

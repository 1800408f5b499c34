#include <algorithm>
#include <array>
#include <castforge/isa.hpp>
#include <cstdlib>
#include <span>

#include "castforge_isas.hpp"
#include "src/cpu.hpp"
#include "src/isa_table.hpp"
#include "src/status_parts.hpp"

namespace castforge {

#define CASTFORGE_DECLARE(isa)                   \
  namespace isa_##isa {                          \
    extern const tables::IsaRamps kIsaRamps;     \
    extern const tables::StreamFn kIsaStream;    \
    extern const tables::IsaLookups kIsaLookups; \
  }
CASTFORGE_FOR_EACH_ISA(CASTFORGE_DECLARE)
#undef CASTFORGE_DECLARE

namespace {

#define CASTFORGE_COUNT(isa) +1  // NOLINT(bugprone-macro-parentheses): one summand of many
constexpr std::size_t kCount = 0 CASTFORGE_FOR_EACH_ISA(CASTFORGE_COUNT);
#undef CASTFORGE_COUNT

using Table = std::array<Isa, kCount>;

constexpr const tables::Module& kLibrary = tables::library::kModule;

const Isa* find(std::span<const Isa> table, std::string_view name) noexcept {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Isa& isa) { return isa.name == name; });
  return found == table.end() ? nullptr : &*found;
}

const Table& table() noexcept {
  static const Table sorted = [] {
#define CASTFORGE_ENTRY(isa)   \
  Isa{#isa,                    \
      &isa_##isa::kIsaRamps,   \
      isa_##isa::kIsaStream,   \
      &isa_##isa::kIsaLookups, \
      &cpu::can_run_##isa,     \
      cpu::rank_of(#isa),      \
      0,                       \
      false},
    Table all = {CASTFORGE_FOR_EACH_ISA(CASTFORGE_ENTRY)};
#undef CASTFORGE_ENTRY
    for (std::size_t i = 0; i < all.size(); ++i) all[i].place = i;
    std::sort(all.begin(), all.end(), [](const Isa& a, const Isa& b) { return a.rank < b.rank; });
    for (Isa& isa : all) isa.usable = isa.can_run();
    mark_for_processor(all, {kLibrary.processors, kLibrary.processor_count}, cpu::vendor().data());
    return all;
  }();
  return sorted;
}

/// The instruction set of that name, if it is there and can run.
IsaChoice choose(std::string_view name, Role role) noexcept {
  const Isa* isa = find(table(), name);
  if (isa != nullptr && isa->usable) return {Status(), isa};
  return {given_status(StatusCode::isa_unavailable, name, role)};
}

/// What CASTFORGE_FORCE_ISA asks for, read at the first use; without it the best that can run.
const IsaChoice& active() noexcept {
  static const IsaChoice choice = []() -> IsaChoice {
    const char* forced = std::getenv("CASTFORGE_FORCE_ISA");
    if (forced != nullptr && *forced != '\0') return choose(forced, Role::forced);
    const Isa* best = nullptr;
    for (const Isa& isa : table()) {
      if (isa.usable) best = &isa;
    }
    if (best == nullptr) return {given_status(StatusCode::isa_unavailable, "any", Role::none)};
    return {Status(), best};
  }();
  return choice;
}

}  // namespace

void mark_for_processor(std::span<Isa> isas, std::span<const tables::ProcessorFamily> families,
                        std::string_view vendor) noexcept {
  for (std::size_t i = 0; i < families.size(); ++i) {
    const Isa* const lesser = find(isas, families[i].lesser);
    if (families[i].vendor != vendor || lesser == nullptr || !lesser->usable) continue;
    for (Isa& isa : isas) {
      if (isa.name != families[i].set) continue;
      isa.processors = static_cast<std::uint8_t>(isa.processors | 1u << i);
      isa.lesser_place = lesser->place;
    }
  }
}

std::size_t lesser_kernel_count(const Isa& isa) noexcept {
  const std::span<const tables::Kernel> kernels = {kLibrary.kernels, kLibrary.kernel_count};
  return static_cast<std::size_t>(std::ranges::count_if(
      kernels, [&isa](const tables::Kernel& kernel) { return (kernel.processors & isa.processors) != 0; }));
}

const Isa* isa_table(std::size_t& count) noexcept {
  count = kCount;
  return table().data();
}

IsaChoice choose_isa(std::string_view name) noexcept {
  const IsaChoice& fallback = active();
  if (name.empty() || !fallback.status) return fallback;
  return choose(name, Role::none);
}

const Isa& isa_named(std::string_view name) noexcept { return *find(table(), name); }

std::size_t isa_count() noexcept { return kCount; }

IsaInfo isa(std::size_t index) noexcept {
  const Isa& entry = table()[index];
  IsaInfo info = {.name = entry.name, .usable = entry.usable};
  if (entry.processors == 0) return info;
  for (const Isa& other : table()) {
    if (other.place == entry.lesser_place) info.lesser = other.name;
  }
  info.lesser_kernels = lesser_kernel_count(entry);
  return info;
}

std::string_view active_isa() noexcept {
  const IsaChoice& choice = active();
  return choice.isa == nullptr ? std::string_view() : choice.isa->name;
}

Status isa_status() noexcept { return active().status; }
Status isa_status(std::string_view name) noexcept { return choose_isa(name).status; }

}  // namespace castforge

// Which op-set has a name: slots by a hash of the name, one load and one comparison for most names. It may leave names
// out, which are found among the versions of their family.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "src/tables.hpp"

namespace castforge {

/// Slots for the op-sets of a registry: open addressing, each holds the index of an op-set plus one, or 0 for none.
using NameSlots = std::span<const std::uint16_t>;

namespace name_index {

/// As many slots as `names` names want, a power of two: at most half of them are taken.
constexpr std::size_t slot_count(std::size_t names) noexcept {
  std::size_t slots = 8;
  while (slots < 2 * names) slots *= 2;
  return slots;
}

/// Where to look first, of a power of two of slots: by the size and the last eight bytes, in which versions differ.
inline std::size_t first_slot(std::string_view name, std::size_t slots) noexcept {
  constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;  // 2^64 / ((1 + sqrt 5) / 2), odd: multiplicative hashing
  const std::size_t size = name.size();
  std::uint64_t last = 0;
  if (size >= 8) {
    std::memcpy(&last, name.data() + size - 8, 8);
  } else if (size >= 4) {  // no call for a length that is not a constant
    std::uint32_t first_four, last_four;
    std::memcpy(&first_four, name.data(), 4);
    std::memcpy(&last_four, name.data() + size - 4, 4);
    last = std::uint64_t{last_four} << 32 | first_four;
  } else {
    for (const char c : name) last = last << 8 | static_cast<unsigned char>(c);
  }
  // The highest bits of the product depend on all of `last`, whose highest bytes are the digits of a version.
  return static_cast<std::size_t>((last + size) * kGoldenRatio >> std::countl_zero(std::uint64_t{slots - 1}));
}

/// Fills empty slots, half of them at most. Of op-sets with one name the first is found.
inline void fill(std::span<std::uint16_t> slots, std::span<const tables::OpSet* const> opsets) noexcept {
  const std::size_t most = std::min<std::size_t>(slots.size() / 2, std::numeric_limits<std::uint16_t>::max());
  for (std::size_t i = 0; i < opsets.size() && i < most; ++i) {
    std::size_t at = first_slot(opsets[i]->name, slots.size());
    while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
    slots[at] = static_cast<std::uint16_t>(i + 1);
  }
}

/// The op-set of exactly this name, or null.
inline const tables::OpSet* find(NameSlots slots, std::span<const tables::OpSet* const> opsets,
                                 std::string_view name) noexcept {
  for (std::size_t at = first_slot(name, slots.size()); slots[at] != 0; at = (at + 1) & (slots.size() - 1)) {
    const tables::OpSet* const candidate = opsets[slots[at] - 1u];
    if (name == candidate->name) return candidate;
  }
  return nullptr;
}

}  // namespace name_index

}  // namespace castforge

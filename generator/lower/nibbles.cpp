#include "lower/nibbles.hpp"

#include <castforge/elements.hpp>
#include <cstdint>
#include <string>

#include "semantics/convert.hpp"

namespace castforge::lower {

std::optional<ir::Table> nibble_table(const spec::Meaning& meaning) {
  constexpr int kNibble = 4;
  const int from = meaning.src->storage_bits, to = meaning.dst->storage_bits;
  if (kNibble % from != 0 || kNibble % to != 0) return std::nullopt;
  const int elements = kNibble / from, result_bits = elements * to;
  ir::Table table;
  table.name = "kOfNibble";
  table.bits = storage_unit(result_bits);
  table.note = elements == 1 ? "for vectors: the result of the element in four bits of memory"
                             : "for vectors: the results of the " + std::to_string(elements) +
                                   " elements in four bits of memory, as they lie in memory";
  for (std::uint64_t nibble = 0; nibble < std::uint64_t{1} << kNibble; ++nibble) {
    std::uint64_t results = 0;
    for (int i = 0; i < elements; ++i) {
      const auto index = static_cast<std::size_t>(i);
      const std::uint64_t code = nibble >> bit_in_group(index, from, kNibble, meaning.src->packing) & low_bits(from);
      results |= semantics::convert_storage(meaning, code)
                 << bit_in_group(index, to, result_bits, meaning.dst->packing);
    }
    table.entries.push_back(results);
  }
  return table;
}

}  // namespace castforge::lower

// A conversion as data: in which form, and its numbers.
#pragma once

#include <castforge/loadable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/model.hpp"

namespace castforge::tabulate {

struct Table {
  loadable::Form form = loadable::Form::rule;
  /// Steps of sources of more than 16 bits: so many bits pick a block, in which the result changes once at most.
  int index_bits = 0;
  std::vector<std::uint64_t> positions;  // steps: where a result begins; rising, the first is 0
  std::vector<std::uint64_t> results;    // destination codes: of each source code, or from each position on
};

/// "steps of the result: 255, 4096 blocks", for readers; of a rule alone that it is slow.
std::string describe(const Table& table);

/// The order of a source's codes.
loadable::Positions positions_of(const spec::Type& src);

/// Of the forms in table.cpp's list, the first that fits the conversion; its numbers are those of the exact semantics.
/// Not for strings.
Table tabulate(const spec::Meaning& meaning);

/// What the table gives for a source code. Not for Form::rule.
std::uint64_t look_up(const spec::Meaning& meaning, const Table& table, std::uint64_t code);

/// Holds a table against the exact semantics: every code of sources up to 16 bits, both sides of every step of wider
/// ones and so many random codes. What differs, in words.
std::optional<std::string> find_difference(const spec::Meaning& meaning, const Table& table, std::size_t random_codes);

}  // namespace castforge::tabulate

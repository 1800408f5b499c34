// Where two meanings of the same pair differ: maximal ranges of source codes, counted exactly at every source width.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/model.hpp"

namespace castforge::command {

/// Source codes in value order: negative floats and integers first, NaN codes at the ends.
class ValueOrder {
 public:
  explicit ValueOrder(const spec::Type& type);
  std::uint64_t rank(std::uint64_t code) const;
  std::uint64_t code(std::uint64_t rank) const;

 private:
  std::uint64_t sign_;
  bool signed_float_, signed_integer_;
};

/// Consecutive codes in value order, by rank.
struct RankRange {
  std::uint64_t first, last;
  friend bool operator==(const RankRange&, const RankRange&) = default;
};

/// The ranges on which results differ. Where there are very many only those at both ends are listed.
struct Differences {
  std::uint64_t count = 0;
  std::vector<RankRange> first;  // in value order; all of them where first.size() == count
  std::vector<RankRange> last;   // in value order, empty where `first` has all
};

/// By every code: sources of at most 16 bits.
Differences differences_by_code(const spec::Meaning& a, const spec::Meaning& b);

/// By the structure of conversions. A magnitude falls into a cell of the destination's grid, where only "exact", "below
/// half", "half" and "above half" can have results of their own. From cell to cell whether results differ repeats with
/// the parity of the code (ties) and, for integers that wrap, with 2^width; but near the ends of the ranges, which are
/// looked at cell by cell. Of very many ranges about `listed_at_ends` are listed from each end of either sign.
Differences differences_by_structure(const spec::Meaning& a, const spec::Meaning& b, std::size_t listed_at_ends = 8);

}  // namespace castforge::command

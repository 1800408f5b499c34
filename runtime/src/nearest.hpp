// What somebody may have meant: the known name that is nearest to a misspelt one. No allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "src/user_facing.hpp"

namespace castforge {

/// Takes names one by one and keeps the one that the fewest slips turn into `given`: a letter too many, one missing, a
/// wrong one, two swapped. Letter case does not count.
class Nearest {
 public:
  explicit Nearest(std::string_view given) noexcept : given_(given) {}

  void consider(std::string_view name) noexcept {
    if (given_.empty() || given_.size() > kLongest || name.size() > kLongest) return;
    const auto [shorter, longer] = std::minmax({given_.size(), name.size()});
    const bool other = !begins(name, given_);
    // A name and an alias may be one word.
    const bool again = name.size() == whole_.size() && begins(name, whole_);
    if (!other && !again && given_.size() >= kBeginning && going_on_++ == 0) whole_ = name;
    const Slips least = {longer - shorter, other};  // there are at least as many
    if (too_many(least, longer)) return;            // spares the table for most names
    const Slips slips = {distance(name), least.second};
    if (too_many(slips, longer)) return;
    best_ = name;
    fewest_ = slips;
  }

  /// The one that starts with `given`, of three characters or more (the dashes of an option count), where only one
  /// does and none is a single slip away. Otherwise empty when more than a third of the letters of each name would
  /// have to change; of several the first that starts with `given`, or else the first.
  std::string_view name() const noexcept {
    const bool near = !best_.empty() && fewest_.first <= 1;
    return going_on_ == 1 && !near ? whole_ : best_;
  }

 private:
  static constexpr std::size_t kLongest = 64, kBeginning = 3;

  static bool begins(std::string_view name, std::string_view with) noexcept {
    return name.size() >= with.size() && std::equal(with.begin(), with.end(), name.begin(),
                                                    [](char a, char b) { return to_lower(a) == to_lower(b); });
  }

  using Slips = std::pair<std::size_t, bool>;  // how many, and whether the name starts otherwise

  bool too_many(const Slips& slips, std::size_t letters) const noexcept {
    return 3 * slips.first > letters || (!best_.empty() && slips >= fewest_);
  }

  /// Row by row of the table of distances between beginnings; the two rows before are needed for swapped neighbours.
  std::size_t distance(std::string_view name) const noexcept {
    std::uint8_t rows[3][kLongest + 1];
    std::uint8_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (std::size_t k = 0; k <= name.size(); ++k) last[k] = static_cast<std::uint8_t>(k);
    for (std::size_t i = 1; i <= given_.size(); ++i) {
      row[0] = static_cast<std::uint8_t>(i);
      const char a = to_lower(given_[i - 1]);
      for (std::size_t k = 1; k <= name.size(); ++k) {
        const char b = to_lower(name[k - 1]);
        int slips = std::min({last[k] + 1, row[k - 1] + 1, last[k - 1] + (a == b ? 0 : 1)});
        const bool swapped = i > 1 && k > 1 && a == to_lower(name[k - 2]) && to_lower(given_[i - 2]) == b;
        if (swapped) slips = std::min(slips, before[k - 2] + 1);
        row[k] = static_cast<std::uint8_t>(slips);
      }
      std::uint8_t* const oldest = before;
      before = last;
      last = row;
      row = oldest;
    }
    return last[name.size()];
  }

  std::string_view given_, best_, whole_;
  std::size_t going_on_ = 0;  // names that start with `given`
  Slips fewest_;
};

}  // namespace castforge

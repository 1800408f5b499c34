#include "spec/nearest.hpp"

#include <algorithm>
#include <utility>

#include "spec/names.hpp"

namespace castforge::spec {
namespace {

/// Number of slips between two texts; neighbours that change places are one.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k) last[k] = k;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, last[k - 1] + (a[i - 1] != b[k - 1] ? 1 : 0)});
      const bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (swapped) row[k] = std::min(row[k], before[k - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view given, const std::vector<std::string>& names) {
  const std::string wanted = lower_case(given);
  std::string best;
  std::pair<std::size_t, bool> fewest;
  for (const std::string& name : names) {
    const std::string known = lower_case(name);
    const std::pair slips(distance(wanted, known), !known.starts_with(wanted));
    if (3 * slips.first > std::max(wanted.size(), name.size()) || (!best.empty() && slips >= fewest)) continue;
    best = name;
    fewest = slips;
  }
  return best;
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names, std::string_view rest) {
  const std::string name = nearest(given, names);
  const std::string question = name.empty() ? "" : ": did you mean \"" + name + "\"?";
  if (rest.empty()) return question;
  return question + (name.empty() ? "; " : " ") + std::string(rest);
}

}  // namespace castforge::spec

// What somebody may have meant: the known name that is nearest to a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace castforge::spec {

/// The name that the fewest slips turn into `given`: a letter too many, one missing, a wrong one, two swapped. Letter
/// case does not count. Empty when more than a third of the letters would have to change; of several the first that
/// starts with `given`, or else the first.
std::string nearest(std::string_view given, const std::vector<std::string>& names);

/// What follows the complaint about `given`: `: did you mean "saturate"? REST`, or `; REST` where no name is near.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names, std::string_view rest = {});

/// A list of string_views, as the closed lists have them.
template <class Names>
std::string did_you_mean(std::string_view given, const Names& names, std::string_view rest = {}) {
  return did_you_mean(given, std::vector<std::string>(names.begin(), names.end()), rest);
}

}  // namespace castforge::spec

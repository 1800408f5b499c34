// What somebody may have meant: the known name that is nearest to a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace castforge::spec {

/// By castforge::Nearest, as in the library; empty where no name is near.
std::string nearest(std::string_view given, const std::vector<std::string>& names);

/// What follows the complaint about `given`: `: did you mean "saturate"? REST`, or `; REST` where no name is near.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names, std::string_view rest = {});

/// A list of string_views, as the closed lists have them.
template <class Names>
std::string did_you_mean(std::string_view given, const Names& names, std::string_view rest = {}) {
  return did_you_mean(given, std::vector<std::string>(names.begin(), names.end()), rest);
}

}  // namespace castforge::spec

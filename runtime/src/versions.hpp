// Versions of op-sets: which are whole numbers, and their order.
#pragma once

#include <algorithm>
#include <string_view>

namespace castforge {

/// Is a version one whole number, as op-sets write theirs: "25", not "025"?
constexpr bool is_whole_version(std::string_view version) noexcept {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !version.empty() && std::all_of(version.begin(), version.end(), is_digit) &&
         (version[0] != '0' || version.size() == 1);
}

/// Takes the first number of a version, without leading zeros; "" at the end.
constexpr std::string_view next_number(std::string_view& version) noexcept {
  const std::size_t end = std::min(version.find_first_of(".-"), version.size());
  std::string_view number = version.substr(0, end);
  version.remove_prefix(std::min(end + 1, version.size()));
  while (number.size() > 1 && number[0] == '0') number.remove_prefix(1);
  return number;
}

/// Negative, zero or positive; the numbers in a version are compared one by one ("8.5.0" < "2026-03").
constexpr int compare_versions(std::string_view a, std::string_view b) noexcept {
  while (!a.empty() || !b.empty()) {
    const std::string_view x = next_number(a), y = next_number(b);
    if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    if (const int order = x.compare(y); order != 0) return order;
  }
  return 0;
}

}  // namespace castforge

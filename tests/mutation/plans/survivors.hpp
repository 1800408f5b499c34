// The table of mutants that are not noticed, because they are the same function.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tuple>

namespace castforge::mutation {

struct SurvivorKey {
  std::string kernel, plan, change;
  auto operator<=>(const SurvivorKey&) const = default;
};

struct Survivor {
  std::string program;  // hash of the program that was changed
  std::string shown;    // "every code", or the version of z3
  std::string reason;   // for readers
};

using Survivors = std::map<SurvivorKey, Survivor>;

/// Throws std::runtime_error where the file is no such table. An absent file is an empty one.
Survivors read_survivors(const std::filesystem::path& path);
void write_survivors(const std::filesystem::path& path, const Survivors& survivors);

}  // namespace castforge::mutation

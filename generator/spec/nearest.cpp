#include "spec/nearest.hpp"

#include "src/nearest.hpp"

namespace castforge::spec {

std::string nearest(std::string_view given, const std::vector<std::string>& names) {
  Nearest best(given);
  for (const std::string& name : names) best.consider(name);
  return std::string(best.name());
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names, std::string_view rest) {
  const std::string name = nearest(given, names);
  const std::string question = name.empty() ? "" : ": did you mean \"" + name + "\"?";
  if (rest.empty()) return question;
  return question + (name.empty() ? "; " : " ") + std::string(rest);
}

}  // namespace castforge::spec

#include "cli/terminal/parse_message.hpp"

namespace castforge::terminal {
namespace {

/// Takes a beginning off; false where the text has another one.
bool take(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

}  // namespace

std::string in_plain_words(std::string_view message) {
  if (message == "A subcommand is required") return "expected a command, found nothing";
  const std::size_t colon = message.find(": ");
  if (colon == message.npos) return std::string(message);
  const std::string name(message.substr(0, colon + 2));
  std::string_view rest = message.substr(colon + 2);
  if (take(rest, "At Most 1 required but received "))
    return name + "expected once, found " + std::string(rest) + " times";
  constexpr std::string_view kMissing = " missing";
  if (take(rest, "1 required ") && rest.ends_with(kMissing)) {
    rest.remove_suffix(kMissing.size());
    const bool in_range = take(rest, "N:");
    const std::string expected = in_range ? "a number from " + std::string(rest) : std::string(rest);
    return name + "expected " + (expected == "TEXT" ? "a value" : expected) + ", found nothing";
  }
  return std::string(message);
}

}  // namespace castforge::terminal

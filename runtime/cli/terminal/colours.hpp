// Colours, where a person looks.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace castforge::terminal {

enum class Colour { bold, dim, red, green, yellow, blue };

/// Whether text to `descriptor` may have colours: a terminal that knows them, and NO_COLOR is not set to anything
/// (no-color.org).
inline bool wants_colours(int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* const terminal = std::getenv("TERM");
  if (terminal == nullptr || *terminal == '\0' || std::string_view(terminal) == "dumb") return false;
  return ::isatty(descriptor) == 1;
}

/// Colours texts for one stream, or leaves them as they are.
class Painter {
 public:
  explicit Painter(int descriptor) : on_(wants_colours(descriptor)) {}

  std::string operator()(Colour colour, std::string_view text) const {
    if (!on_) return std::string(text);
    static constexpr const char* kStart[] = {"1", "2", "1;31", "32", "33", "34"};
    return std::string("\033[") + kStart[static_cast<int>(colour)] + "m" + std::string(text) + "\033[0m";
  }

 private:
  bool on_;
};

}  // namespace castforge::terminal

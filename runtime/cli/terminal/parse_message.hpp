// What CLI11 says of a command line, in the words of other messages.
#pragma once

#include <string>
#include <string_view>

namespace castforge::terminal {

/// "--to: 1 required TYPE missing" is `--to: expected TYPE, found nothing`, and "--to: At Most 1 required but received
/// 2" is `--to: expected once, found 2 times`; other messages stay.
std::string in_plain_words(std::string_view message);

}  // namespace castforge::terminal

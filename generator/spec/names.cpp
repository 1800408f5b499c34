#include "spec/names.hpp"

#include <charconv>
#include <system_error>

namespace castforge::spec {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_lower_name(std::string_view text, char joiner) {
  if (text.empty() || !is_lower(text[0])) return false;
  for (const char c : text) {
    if (!is_lower(c) && !is_digit(c) && c != joiner) return false;
  }
  return true;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = to_lower(c);
  return result;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool is_plain_name(std::string_view text) { return is_lower_name(text, '_'); }

bool is_opset_name(std::string_view text) { return is_lower_name(text, '-'); }

bool is_whole_number(std::string_view text) {
  for (const char c : text) {
    if (!is_digit(c)) return false;
  }
  return !text.empty();
}

bool is_version(std::string_view text) {
  while (true) {
    const std::size_t end = text.find_first_of(".-");
    if (!is_whole_number(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

bool is_number_in(std::string_view text, std::int64_t least, std::int64_t most) {
  if (!is_whole_version(text)) return false;
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc{} && number >= least && number <= most;
}

}  // namespace castforge::spec

#include "cli/io/failure.hpp"

#include "src/nearest.hpp"

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <system_error>

namespace castforge::cli {
namespace {

constexpr std::size_t kLongest = 80;

void append_quoted(std::string& out, std::string_view part) {
  for (const char c : part) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) {
      append_escape(out, c);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1000) return text(bytes, " B");
  constexpr const char* kNames[] = {" kB", " MB", " GB"};
  double size = static_cast<double>(bytes) / 1000;
  std::size_t power = 0;
  for (; size >= 999.95 && power + 1 < std::size(kNames); ++power) size /= 1000;  // what would be printed as 1000.0
  char number[32];
  std::snprintf(number, sizeof number, "%.1f", size);
  return text(number, kNames[power]);
}

std::string in_quotes(std::string_view untrusted) {
  std::string out = "\"";
  if (untrusted.size() <= kLongest) {
    append_quoted(out, untrusted);
  } else {
    append_quoted(out, untrusted.substr(0, kLongest / 2));
    out += " ... ";
    append_quoted(out, untrusted.substr(untrusted.size() - kLongest / 2));
  }
  return out + '"';
}

std::string did_you_mean(const std::string& given, const std::vector<std::string>& names) {
  Nearest nearest(given);
  for (const std::string& name : names) nearest.consider(name);
  return nearest.name().empty() ? "" : text(": did you mean \"", nearest.name(), "\"?");
}

std::string printable_lines(std::string_view message) {
  std::string out;
  for (;;) {
    const std::size_t end = message.find('\n');
    out += printable(message.substr(0, end));
    if (end == message.npos) return out;
    out += '\n';
    message.remove_prefix(end + 1);
  }
}

Failure bad_byte(std::string_view file, std::uint64_t offset, std::string_view message) {
  return {ExitCode::bad_data, text(file, ": byte ", offset, ": ", message)};
}

Failure bad_element(std::string_view file, std::uint64_t index, std::string_view message) {
  return {ExitCode::bad_data, text(file, ": element ", index, ": ", message)};
}

Failure bad_file(std::string_view file, std::string_view message) {
  return {ExitCode::bad_data, text(file, ": ", message)};
}

Failure usage_error(std::string_view message) { return {ExitCode::usage, std::string(message)}; }

Failure io_error(std::string_view file, std::string_view action, int error_number) {
  return Failure(ExitCode::input_output, text(file, ": ", action, ": ", std::generic_category().message(error_number)),
                 error_number);
}

}  // namespace castforge::cli

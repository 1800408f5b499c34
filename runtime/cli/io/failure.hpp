// What the program reports when it cannot do its work: one line of text and an exit code.
#pragma once

#include "cli/io/printable.hpp"

#include <cstdint>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace castforge::cli {

enum class ExitCode : int { ok = 0, bad_data = 1, usage = 2, input_output = 4, verification_failed = 5 };

class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& message, int error_number = 0)
      : std::runtime_error(message), code_(code), error_number_(error_number) {}
  ExitCode code() const noexcept { return code_; }
  /// What the system says is wrong, as in errno; 0 where it has no part in it.
  int error_number() const noexcept { return error_number_; }

 private:
  ExitCode code_;
  int error_number_;
};

/// The parts written one after the other, whatever language the program around speaks: files are made of this too.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out(std::ios_base::out);  // without arguments it is a constructor that older systems lack
  out.imbue(std::locale::classic());
  (out << ... << parts);
  return out.str();
}

/// "1 element", "2 elements"
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return text(count, ' ', noun, count == 1 ? "" : "s");
}

/// "999 B", "1.5 kB", "16.1 GB"
std::string size_text(std::uint64_t bytes);

/// Text that came from a file or a user, in double quotes: control and non-ASCII bytes as \xNN, and the
/// middle left out where it is longer than 80 bytes.
std::string in_quotes(std::string_view untrusted);

/// printable() for a message of several lines, which stay lines: no control character reaches the terminal.
std::string printable_lines(std::string_view message);

/// `: did you mean "cast"?`, or nothing where none of the names is near.
std::string did_you_mean(const std::string& given, const std::vector<std::string>& names);

/// "FILE: byte OFFSET: MESSAGE": the input says something it must not say.
Failure bad_byte(std::string_view file, std::uint64_t offset, std::string_view message);

/// "FILE: element INDEX: MESSAGE".
Failure bad_element(std::string_view file, std::uint64_t index, std::string_view message);

/// "FILE: MESSAGE": the input as a whole does not fit.
Failure bad_file(std::string_view file, std::string_view message);

Failure usage_error(std::string_view message);

/// "FILE: ACTION: what errno says".
Failure io_error(std::string_view file, std::string_view action, int error_number);

}  // namespace castforge::cli

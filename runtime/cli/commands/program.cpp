#include "cli/commands/program.hpp"

#include "cli/commands/commands.hpp"
#include "cli/commands/kernel_files.hpp"
#include "cli/commands/usage.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/standard_descriptors.hpp"

#include <castforge/interface.hpp>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>

namespace castforge::cli {
namespace {

/// Words of the command line come back in messages: no control character reaches the terminal.
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

int complain(ExitCode code, const char* message) {
  std::fprintf(stderr, "castforge: %s\n", printable_lines(message).c_str());
  return static_cast<int>(code);
}

int parse_and_run(CLI::App& program, int& exit_code, int argc, const char* const* argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Asking for help or the version is no error.
    if (error.get_exit_code() == 0) return program.exit(error);
    return complain(ExitCode::usage, complaint(program, argc, argv, error.what()).c_str());
  } catch (const Failure& failure) {
    return complain(failure.code(), failure.what());
  } catch (const std::bad_alloc&) {
    return complain(ExitCode::input_output, "out of memory");
  } catch (const std::exception& error) {
    return complain(ExitCode::input_output, error.what());
  }
  return exit_code;
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  if (!reserve_standard_descriptors()) return static_cast<int>(ExitCode::input_output);
  // A file that may grow no further is an error to report, not to die of. A reader that has had enough (SIGPIPE) ends
  // the program silently, as it does others.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App program(
      "Converts numbers between the number formats of machine learning, bit-exactly by the rules of an "
      "op-set.",
      "castforge");
  program.require_subcommand(1);
  program.set_version_flag("--version", std::string(version()));
  program.footer("`castforge COMMAND --help` explains a command and gives examples.");
  add_kernel_files_option(program);
  int exit_code = 0;
  add_cast_command(program, exit_code);
  add_info_command(program, exit_code);
  add_list_command(program, exit_code);
  add_range_command(program, exit_code);
  add_bench_command(program, exit_code);
  add_verify_command(program, exit_code);

  const int result = parse_and_run(program, exit_code, argc, argv);
  std::cout.flush();
  if (!std::cout && result == 0) return complain(ExitCode::input_output, "standard output: cannot write");
  return result;
}

}  // namespace castforge::cli

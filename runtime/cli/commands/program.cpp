#include "cli/commands/program.hpp"

#include "cli/commands/commands.hpp"
#include "cli/commands/kernel_files.hpp"
#include "cli/formats/file_format.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/standard_descriptors.hpp"
#include "cli/io/words.hpp"
#include "cli/selection/kernel_options.hpp"
#include "cli/terminal/colours.hpp"
#include "cli/terminal/self_commands.hpp"
#include "cli/terminal/usage.hpp"

#include <castforge/interface.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace castforge::cli {
namespace {

int complain(ExitCode code, const char* message) {
  const terminal::Painter paint(STDERR_FILENO);
  // Words of the command line come back in messages.
  std::fprintf(stderr, "%s %s\n", paint(terminal::Colour::red, "castforge:").c_str(), printable_lines(message).c_str());
  return static_cast<int>(code);
}

/// What the values in the help of commands may be.
terminal::ValueWords value_words() {
  terminal::ValueWords words = attribute_words();
  for (std::size_t i = 0; i < type_count(); ++i) words["TYPE"].emplace_back(name(type_at(i)));
  for (std::size_t i = 0; i < opset_count(); ++i) {
    const OpSet one = opset(i);
    words[one.operation() == "range" ? "range --opset OPSET" : "OPSET"].emplace_back(one.name());
    words["list --opset OPSET"].emplace_back(one.name());
  }
  for (std::size_t i = 0; i < isa_count(); ++i) words["ISA"].emplace_back(isa(i).name);
  words["--input-format FORMAT"] = file_format_words(FileUse::read);
  words["info --input-format FORMAT"] = file_format_words(FileUse::look);
  words["--output-format FORMAT"] = file_format_words(FileUse::write);
  return words;
}

/// The library takes no notice of a number of bytes that it cannot read; somebody has to tell.
void check_stream_bytes() {
  const char* const value = std::getenv("CASTFORGE_STREAM_BYTES");
  if (value == nullptr || *value == '\0' || parse_number<std::size_t>(value)) return;
  throw usage_error(
      text("CASTFORGE_STREAM_BYTES: expected a number of bytes such as 33554432, found ", in_quotes(value)));
}

int parse_and_run(CLI::App& program, int& exit_code, int argc, const char* const* argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Asking for help or the version is no error.
    if (error.get_exit_code() == 0) return program.exit(error);
    return complain(ExitCode::usage, terminal::complaint(program, argc, argv, error.what()).c_str());
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
  add_kernel_files_options(program);
  program.parse_complete_callback([] { check_stream_bytes(); });
  int exit_code = 0;
  add_cast_command(program, exit_code);
  add_convert_command(program, exit_code);
  add_info_command(program, exit_code);
  add_list_command(program, exit_code);
  add_range_command(program, exit_code);
  add_bench_command(program, exit_code);
  add_verify_command(program, exit_code);
  terminal::add_self_commands(
      {program, std::string(version()), value_words,
       [](const std::string& path, const std::string& contents) { write_file(path, contents); }});
  terminal::refuse_empty_values(program);

  const int result = parse_and_run(program, exit_code, argc, argv);
  if (!flush_standard_output() && result == 0) return complain(ExitCode::input_output, "standard output: cannot write");
  return result;
}

}  // namespace castforge::cli

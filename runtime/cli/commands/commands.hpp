// The commands of the program, one file each.
#pragma once

namespace CLI {
class App;
}

namespace castforge::cli {

// Each adds one command to `program`. Its work is done when the command line is parsed and throws a Failure
// where it cannot be done; a command may set `exit_code` for an outcome that is no failure of its own.
void add_bench_command(CLI::App& program, int& exit_code);
void add_cast_command(CLI::App& program, int& exit_code);
void add_convert_command(CLI::App& program, int& exit_code);
void add_info_command(CLI::App& program, int& exit_code);
void add_list_command(CLI::App& program, int& exit_code);
void add_range_command(CLI::App& program, int& exit_code);
void add_verify_command(CLI::App& program, int& exit_code);

}  // namespace castforge::cli

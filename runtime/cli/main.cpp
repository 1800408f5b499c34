#include "cli/commands/program.hpp"

int main(int argc, char** argv) { return castforge::cli::run_program(argc, argv); }

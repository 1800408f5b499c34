// Mutants of plans: does the comparison that every generation makes notice each change of a result?
//
//     mutation_plans SURVIVORS.tsv                the sample, held against the table of survivors
//     mutation_plans SURVIVORS.tsv --part 0/8     every eighth plan of it
//     mutation_plans SURVIVORS.tsv --record       writes the table; z3 has to prove what it holds
//     mutation_plans SURVIVORS.tsv --prove        what is in the table is proved again
//
// Ends with 1 when a mutant survives that the table does not have, when the table has one that does not, and when a
// survivor is not the same function.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "mutation/plans/run.hpp"

using namespace castforge::mutation;

namespace {

int usage() {
  std::fprintf(stderr, "usage: mutation_plans SURVIVORS.tsv [--part I/N] [--record | --prove] [--timeout SECONDS]\n");
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  Request request;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    const char* next = i + 1 < count ? arguments[i + 1] : nullptr;
    if (word == "--record") {
      request.record = request.prove = true;
    } else if (word == "--prove") {
      request.prove = true;
    } else if (word == "--timeout" && next != nullptr) {
      request.timeout_s = std::atoi(arguments[++i]);
    } else if (word == "--part" && next != nullptr) {
      if (std::sscanf(arguments[++i], "%zu/%zu", &request.part, &request.parts) != 2 || request.part >= request.parts)
        return usage();
    } else if (request.table.empty() && word[0] != '-') {
      request.table = word;
    } else {
      return usage();
    }
  }
  if (request.table.empty() || (request.record && request.parts != 1)) return usage();
  try {
    return run(request) ? 0 : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "mutation_plans: %s\n", problem.what());
    return 1;
  }
}

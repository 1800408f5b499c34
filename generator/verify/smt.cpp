#include "verify/smt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "cli/io/interrupt.hpp"
#include "cli/io/printable.hpp"
#include "ir/interpret.hpp"
#include "ir/smt_terms.hpp"
#include "semantics/convert.hpp"
#include "verify/print_smt.hpp"
#include "verify/smt_cases.hpp"

namespace castforge::verify {
namespace {

/// Lines that z3 prints.
std::vector<std::string> answers_of(const Solver& solver, const std::string& arguments) {
  const std::string command = cli::in_single_quotes(solver.program.string()) + " " + arguments;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot run " + solver.program.string());
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), count);
  // From 126 on the shell could not run it, or a signal ended it. What z3 itself finds wrong is in its answer.
  const int status = pclose(pipe.release());
  if (status != -1 && (!WIFEXITED(status) || WEXITSTATUS(status) >= 126))
    throw std::runtime_error(solver.program.string() + " did not run to its end");
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Lines that z3 prints for a script.
std::vector<std::string> run_z3(const Solver& solver, const std::string& script, int timeout_s) {
  std::string name = (std::filesystem::temp_directory_path() / "castforge-smt-").string() +
                     std::string(6, 'X');  // what mkstemp fills in
  {
    const cli::SignalsHeld until_known;
    const int file = mkstemp(name.data());
    if (file < 0) throw std::runtime_error("no temporary file in " + std::filesystem::temp_directory_path().string());
    close(file);
    cli::remove_when_interrupted(name);
  }
  struct Remove {
    const std::string& name;
    ~Remove() {
      std::remove(name.c_str());
      cli::nothing_to_remove(name);
    }
  } const remove{name};
  {
    std::ofstream out(name, std::ios::binary);
    out << script;
    if (!out.flush()) throw std::runtime_error(name + ": cannot write");
  }
  return answers_of(solver, "-smt2 -T:" + std::to_string(std::max(1, timeout_s)) + " " + cli::in_single_quotes(name));
}

/// Floating-point operations need another logic and other tactics.
bool is_floating(const std::string& queries) { return queries.find("(fp.") != std::string::npos; }

std::string prelude(int source_bits, const std::string& queries) {
  return std::string("(set-logic ") + (is_floating(queries) ? "QF_BVFP" : "QF_BV") + ")\n(declare-const w " +
         smt::sort(source_bits) + ")\n";
}

/// z3's own choice for the logic, asked for by name: z3 would take a slower solver between push and pop.
std::string check(const std::string& query) {
  return std::string("(check-sat-using ") + (is_floating(query) ? "qffpbv" : "qfbv") + ")\n";
}

std::string coverage_query(const SmtCases& semantics) {
  std::string query = "(assert (not (or";
  for (const SmtCase& one : semantics.cases)
    query += "\n  (and " + smt::call("=", "w", one.source) + " " + one.condition + ")";
  return query + ")))\n";
}

/// Satisfied by the source words of a case on which the program is wrong. `source` does not look at those bits of w
/// that the case fixes.
std::string case_query(const SmtCase& one, const spec::Meaning& meaning, const ir::Program& program) {
  const int src_bits = meaning.src->storage_bits, dst_bits = meaning.dst->storage_bits;
  const SmtProgram printed = print_smt(program, smt::resize("source", src_bits, storage_unit(src_bits)));
  const std::string bindings = printed.bindings + smt::let("expected", one.expected);
  std::string query = "(define-fun source () " + smt::sort(src_bits) + " " + one.source + ")\n";
  query += "(assert " + one.condition + ")\n(assert\n" + bindings + "(not (and";
  for (const std::string& domain : printed.domain) query += "\n  " + domain;
  query += "\n  " + smt::call("=", printed.result, smt::resize("expected", dst_bits, storage_unit(dst_bits)));
  return query + "))" + smt::close_bindings(bindings) + ")\n";
}

/// "((source #x0123))"
std::uint64_t parse_word(const std::string& line) {
  const std::size_t at = line.find('#');
  if (at == std::string::npos || at + 2 >= line.size())
    throw std::runtime_error("z3 answered \"" + line + "\" instead of a source word");
  return std::strtoull(line.c_str() + at + 2, nullptr, line[at + 1] == 'x' ? 16 : 2);
}

void check_counterexample(const spec::Meaning& meaning, const ir::Program& program, Proof& proof) {
  std::vector<std::uint64_t> codes{proof.source};
  proof.problem = ir::interpret(program, codes);
  proof.expected = semantics::convert_storage(meaning, proof.source);
  proof.found = codes[0];
  if (proof.problem.empty() && proof.found == proof.expected) {
    std::ostringstream message;
    message << "the formulas differ from the interpreter or the semantics at the source word 0x" << std::hex
            << proof.source;
    throw std::logic_error(message.str());
  }
}

bool is_program(const std::filesystem::path& path) {
  return std::filesystem::is_regular_file(path) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::filesystem::path find_z3(const std::string& wanted) {
  if (!wanted.empty()) {
    if (is_program(wanted)) return wanted;
    throw std::runtime_error(wanted + " is no program; --z3 expects the path of z3");
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && is_program(std::filesystem::path(folder) / "z3"))
      return std::filesystem::path(folder) / "z3";
  }
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  for (std::filesystem::path at = self.parent_path(); at.has_relative_path(); at = at.parent_path()) {
    const std::filesystem::path built = at / "deps/z3/usr/bin/z3";
    if (is_program(built)) return built;
  }
  throw std::runtime_error(
      "proofs need the program z3, and there is none on PATH\n"
      "  next: install it (the package z3 of most distributions), or give its path with --z3;\n"
      "  a CMake build with tests has one in <build>/deps/z3/usr/bin/z3");
}

std::string version_of(const Solver& solver) {
  const std::vector<std::string> lines = answers_of(solver, "--version");
  std::istringstream words(lines.empty() ? "" : lines.front());
  std::string name, version, number;  // "Z3 version 4.8.12 - 64 bit"
  if (!(words >> name >> version >> number) || version != "version")
    throw std::runtime_error(solver.program.string() + " does not say its version");
  return "z3 " + number;
}

Proof prove(const spec::Meaning& meaning, const ir::Program& program, const Solver& solver) {
  Proof proof;
  const auto not_attempted = [&](const std::string& reason) {
    proof.reason = reason;
    return proof;
  };
  const SmtCases semantics = smt_cases(meaning);
  if (!semantics.left_out.empty()) return not_attempted(semantics.left_out);
  proof.cases = semantics.cases.size();
  const int src_bits = meaning.src->storage_bits;

  // A query is a case: its constants fold through the whole plan. One process answers all; push and pop cost a
  // hundredth of what a reset takes.
  std::vector<std::string> queries{coverage_query(semantics)};
  for (const SmtCase& one : semantics.cases) queries.push_back(case_query(one, meaning, program));
  std::string script;
  for (const std::string& query : queries) script += "(push)\n" + query + check(query) + "(pop)\n";
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> answers = run_z3(solver, prelude(src_bits, script) + script, solver.timeout_s);
  proof.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  for (std::size_t i = 0; i <= proof.cases; ++i) {
    const std::string where = i == 0 ? "that the cases cover every source word" : semantics.cases[i - 1].name;
    const std::string answer = i < answers.size() ? answers[i] : "no answer";
    if (answer == "unsat") continue;
    if (answer == "sat" && i == 0)
      throw std::logic_error("the cases of the proof leave out some source word of " + meaning.src->name);
    if (answer == "sat") {
      const auto model =
          run_z3(solver, prelude(src_bits, queries[i]) + queries[i] + check(queries[i]) + "(get-value (source))\n",
                 solver.timeout_s);
      if (model.size() < 2 || model[0] != "sat")
        throw std::runtime_error("z3 found a counterexample (" + where + ") but did not repeat it");
      proof.result = Proof::Result::counterexample;
      proof.source = parse_word(model[1]);
      check_counterexample(meaning, program, proof);
      return proof;
    }
    if (answer.rfind("(error", 0) == 0) throw std::runtime_error(solver.program.string() + ": " + answer);
    if (answer == "no answer" && answers.empty()) throw std::runtime_error(solver.program.string() + " gave no answer");
    proof.result = Proof::Result::not_proved;
    proof.reason = "not proved within " + std::to_string(solver.timeout_s) + " s: " + where;
    return proof;
  }
  proof.result = Proof::Result::proved;
  return proof;
}

Proof prove_same(const ir::Program& original, const ir::Program& changed, const Solver& solver) {
  const std::string input = smt::resize("w", original.src_bits, storage_unit(original.src_bits));
  const SmtProgram first = print_smt(original, input), second = print_smt(changed, input);
  const std::string bindings = first.bindings + smt::let("original", first.result) + second.bindings;
  std::string query = "(assert\n" + bindings + "(not (and";
  for (const std::string& domain : second.domain) query += "\n  " + domain;
  query += "\n  " + smt::call("=", "original", second.result) + "))" + smt::close_bindings(bindings) + ")\n";

  Proof proof;
  proof.cases = 1;
  const auto start = std::chrono::steady_clock::now();
  const auto answers =
      run_z3(solver, prelude(original.src_bits, query) + query + check(query) + "(get-value (w))\n", solver.timeout_s);
  proof.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (answers.empty()) throw std::runtime_error(solver.program.string() + " gave no answer");
  if (answers[0] == "unsat") {
    proof.result = Proof::Result::proved;
  } else if (answers[0] == "sat" && answers.size() > 1) {
    proof.result = Proof::Result::counterexample;
    proof.source = parse_word(answers[1]);
    std::vector<std::uint64_t> code{proof.source}, other{proof.source};
    ir::interpret(original, code);
    proof.problem = ir::interpret(changed, other);
    proof.expected = code[0];
    proof.found = other[0];
    if (proof.problem.empty() && proof.found == proof.expected)
      throw std::logic_error("the formulas of two programs differ where the interpreter does not");
  } else if (answers[0].rfind("(error", 0) == 0) {
    throw std::runtime_error(solver.program.string() + ": " + answers[0]);
  } else {
    proof.result = Proof::Result::not_proved;
    proof.reason = "not proved within " + std::to_string(solver.timeout_s) + " s";
  }
  return proof;
}

}  // namespace castforge::verify

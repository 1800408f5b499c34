// castforge verify [--pair SRC:DST]... [--isa NAME,NAME] [--exhaustive]
#include "cli/commands/commands.hpp"
#include "cli/commands/pair_list.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/step_progress.hpp"
#include "cli/verify/kernel_check.hpp"

#include <castforge/interface.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace castforge::cli {
namespace {

constexpr const char* kFooter =
    R"(What is compared: every compiled kernel of the pair, whatever the op-set, on each instruction set, with
conversions done one element at a time in whole numbers and rounded once. They know types and rule as data, from
the library's tables: rounding modes and formats of a user's own are compared like those shipped. That rules are
those of the op-sets is not checked here: `castforge-gen verify` and the test suite do that.

With which source codes: all of types of up to 16 bits. Of wider ones those that decide roundings: every exponent,
truncated at every place, with every kind of remainder; and random ones.

Examples:
  castforge verify
  castforge verify --pair float32:float8e4m3fn --isa avx2,avx512
  castforge verify --pair float32:float16 --exhaustive)";

struct Options {
  std::vector<std::string> pairs;
  std::string isa = "all";
  bool exhaustive = false, json = false;
};

std::vector<std::size_t> kernels_of(const std::vector<TypePair>& pairs) {
  std::vector<std::size_t> kernels;
  std::vector<TypePair> found;
  for (std::size_t i = 0; i < kernel_count(); ++i) {
    const Kernel kernel = kernel_at(i, isa(0).name);
    const TypePair pair{kernel.src(), kernel.dst()};
    if (!pairs.empty() && std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) continue;
    kernels.push_back(i);
    found.push_back(pair);
  }
  for (const TypePair& pair : pairs) {
    if (std::find(found.begin(), found.end(), pair) != found.end()) continue;
    throw usage_error(text("--pair: there is no kernel for ", text_of(pair)));
  }
  return kernels;
}

void print_wrong(const KernelCheck& check) {
  if (!check.problem.empty()) std::cout << check.kernel << ": " << check.problem << '\n';
  if (check.wrong == 0) return;
  std::cout << check.kernel << ": " << std::dec << check.wrong << " wrong\n";
  for (const Disagreement& one : check.first) {
    std::cout << "  " << one.isa << std::hex << ": 0x" << one.source << " gives 0x" << one.found << ", expected 0x"
              << one.expected << std::dec << '\n';
  }
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

std::string hexadecimal(std::uint64_t code) { return text("0x", std::hex, code); }

nlohmann::ordered_json wrong_json(const KernelCheck& check) {
  nlohmann::ordered_json found = nlohmann::ordered_json::array();
  for (const Disagreement& one : check.first) {
    found.push_back({{"isa", one.isa},
                     {"source", hexadecimal(one.source)},
                     {"expected", hexadecimal(one.expected)},
                     {"found", hexadecimal(one.found)}});
  }
  return {{"kernel", check.kernel}, {"wrong", check.wrong}, {"problem", check.problem}, {"first", found}};
}

/// Returns whether all kernels are right.
bool run(const Options& options) {
  const std::vector<std::string> isas = isas_from(options.isa);
  const std::vector<std::size_t> kernels = kernels_of(pairs_from(options.pairs));
  std::size_t complete = 0, wrong = 0;
  std::uint64_t codes = 0;
  nlohmann::ordered_json failures = nlohmann::ordered_json::array();
  {
    StepProgress progress(kernels.size());
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      progress.begin(i, std::string(kernel_at(kernels[i], isa(0).name).name()));
      const KernelCheck check = check_kernel(kernels[i], isas, options.exhaustive);
      if (!options.json) print_wrong(check);
      codes += check.codes;
      complete += check.complete;
      if (check.wrong == 0 && check.problem.empty()) continue;
      ++wrong;
      failures.push_back(wrong_json(check));
    }
  }
  if (options.json) {
    const nlohmann::ordered_json out = {{"kernels", kernels.size()},          {"isas", isas},   {"source_codes", codes},
                                        {"with_every_source_code", complete}, {"wrong", wrong}, {"failures", failures}};
    std::cout << out.dump(2) << '\n';
    return wrong == 0;
  }
  std::cout << kernels.size() << " kernels on " << list_of(isas) << ": " << codes << " source codes tried on each, "
            << wrong << " kernels wrong\n"
            << "  " << complete << " with every source code, " << kernels.size() - complete
            << " with representative ones\n";
  return wrong == 0;
}

}  // namespace

void add_verify_command(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("verify", "Compare the compiled kernels with exact results");
  command
      ->add_option("--pair", options->pairs,
                   "Conversion whose kernels to compare, as SRC:DST; can be given several times. None: all")
      ->type_name("PAIR")
      ->allow_extra_args(false);
  command->add_option("--isa", options->isa, "Instruction sets, as NAME,NAME, or all that this machine can run")
      ->type_name("ISA")
      ->capture_default_str();
  command->add_flag("--exhaustive", options->exhaustive, "Try all 2^32 codes of 32-bit types; minutes per kernel");
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(kFooter);
  command->callback([options, &exit_code] {
    if (!run(*options)) exit_code = static_cast<int>(ExitCode::verification_failed);
  });
}

}  // namespace castforge::cli

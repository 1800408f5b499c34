// castforge info
#include "cli/commands/commands.hpp"
#include "cli/io/failure.hpp"

#include <castforge/interface.hpp>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>

namespace castforge::cli {
namespace {

void print_text() {
  std::cout << "version       " << version() << "\n"
            << "manifest      " << manifest_hash() << "\n"
            << "types         " << type_count() << "\n"
            << "op-sets       " << opset_count() << "\n"
            << "kernels       " << kernel_count() << "\n";
  for (std::size_t i = 0; i < added_kernels_count(); ++i) {
    const AddedKernels added = added_kernels(i);
    std::cout << "added         " << added.type_count << " types, " << added.kernel_count << " kernels, manifest "
              << added.manifest_hash << "\n";
  }
  for (std::size_t i = 0; i < isa_count(); ++i) {
    const IsaInfo info = isa(i);
    std::cout << (i == 0 ? "isa           " : "              ") << info.name
              << (info.name == active_isa() ? "  active"
                  : info.usable             ? "  usable"
                                            : "  not usable on this machine")
              << "\n";
  }
}

void print_json() {
  nlohmann::ordered_json isas = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < isa_count(); ++i) {
    const IsaInfo info = isa(i);
    isas.push_back({{"name", info.name}, {"usable", info.usable}, {"active", info.name == active_isa()}});
  }
  nlohmann::ordered_json additions = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < added_kernels_count(); ++i) {
    const AddedKernels added = added_kernels(i);
    additions.push_back(
        {{"manifest", added.manifest_hash}, {"types", added.type_count}, {"kernels", added.kernel_count}});
  }
  const nlohmann::ordered_json out = {{"version", version()},    {"manifest", manifest_hash()}, {"types", type_count()},
                                      {"opsets", opset_count()}, {"kernels", kernel_count()},   {"isas", isas},
                                      {"added", additions}};
  std::cout << out.dump(2) << "\n";
}

/// The library takes no notice of a number of bytes that it cannot read; somebody has to tell.
void check_stream_bytes() {
  const char* const value = std::getenv("CASTFORGE_STREAM_BYTES");
  if (value == nullptr) return;
  const std::string_view word = value;
  std::size_t bytes = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), bytes);
  if (error != std::errc() || rest != word.data() + word.size()) {
    throw usage_error(text("CASTFORGE_STREAM_BYTES: expected a number of bytes such as 33554432, found ",
                           in_quotes(word), "; conversions use the usual number"));
  }
}

}  // namespace

void add_info_command(CLI::App& program, int&) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      program.add_subcommand("info", "Version, manifest hash, instruction sets built and usable, and the one in use");
  command->add_flag("--json", *json, "Print JSON");
  command->footer(
      "CASTFORGE_FORCE_ISA=NAME selects an instruction set for every program that uses the library.\n"
      "CASTFORGE_STREAM_BYTES=N makes conversions that read and write N bytes or more store past the caches.");
  command->callback([json] {
    *json ? print_json() : print_text();
    // An instruction set that was asked for and cannot be used is worth more than a line among others.
    if (const Status status = isa_status(); !status) throw usage_error(status.message());
    check_stream_bytes();
  });
}

}  // namespace castforge::cli

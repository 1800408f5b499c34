// castforge info [FILE]
#include "cli/commands/commands.hpp"
#include "cli/commands/file_report.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/more_threads.hpp"
#include "cli/terminal/colours.hpp"
#include "cli/terminal/usage.hpp"

#include <castforge/interface.hpp>

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace castforge::cli {
namespace {

void print_text() {
  using terminal::Colour;
  const terminal::Painter paint(STDOUT_FILENO);
  std::cout << "version       " << version() << "\n"
            << "manifest      " << manifest_hash() << "\n"
            << "types         " << type_count() << "\n"
            << "op-sets       " << opset_count() << "\n"
            << "kernels       " << kernel_count() << "\n";
  for (std::size_t i = 0; i < added_kernels_count(); ++i) {
    const AddedKernels added = added_kernels(i);
    std::cout << "added         " << counted(added.type_count, "type") << ", " << counted(added.kernel_count, "kernel")
              << ", manifest " << added.manifest_hash << "\n";
  }
  for (std::size_t i = 0; i < isa_count(); ++i) {
    const IsaInfo info = isa(i);
    std::cout << (i == 0 ? "isa           " : "              ") << info.name
              << (info.name == active_isa() ? paint(Colour::green, "  active")
                  : info.usable             ? "  usable"
                                            : paint(Colour::dim, "  not usable on this machine"));
    if (info.usable && info.lesser_kernels != 0)
      std::cout << "; " << counted(info.lesser_kernels, "kernel") << " as on " << info.lesser
                << ", faster on this processor";
    std::cout << "\n";
  }
}

void print_json() {
  nlohmann::ordered_json isas = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < isa_count(); ++i) {
    const IsaInfo info = isa(i);
    isas.push_back({{"name", info.name}, {"usable", info.usable}, {"active", info.name == active_isa()}});
    if (info.lesser_kernels != 0) isas.back()["lesser"] = {{"name", info.lesser}, {"kernels", info.lesser_kernels}};
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
  std::cout << json_text(out, 2) << "\n";
}

/// Without a file: the library.
void describe_library(bool json) {
  json ? print_json() : print_text();
  // An instruction set that was asked for and cannot be used is worth more than a line among others.
  if (const Status status = isa_status(); !status) throw usage_error(status.message());
}

constexpr const char* kInfoFooter =
    R"(Without FILE: the library. CASTFORGE_FORCE_ISA=NAME selects an instruction set for every program that uses it;
CASTFORGE_STREAM_BYTES=N makes conversions that read and write N bytes or more store past the caches.
With NO_COLOR set to anything no command uses colours.

With FILE: its tensors with types, shapes, largest magnitude of a finite number (amax), NaNs, infinities and zeros, and
how the exponents of all numbers are distributed. The file is read once, in bounded memory. With --to the cast is tried:
  saturate   share of finite numbers that are out of TYPE's range once rounded; the op-set says what they become
  flush      share of numbers other than zero that become zero
  inexact    share of numbers in the range that become other ones
A damaged array of an archive is left out and named on standard error, with --json in "damaged", too; the exit code is
1.
bool has no range: saturate and inexact are left out for it.
--json has these numbers as counts, and beside them of how many: finite, nonzero, in_range. There `saturated` are those
out of the range that become another finite number, `nonfinite` those that become an infinity or NaN.
Of safetensors files and ONNX models it is tried on the floating tensors, or on those that --tensors names.
The tensors of an ONNX model are the initializers of its graph, with elements in the model or in files below its folder.

Examples:
  castforge info
  castforge info model.safetensors
  castforge info model.safetensors --tensors '*.mlp.*' --to float8e4m3fn
  castforge info net.onnx --to float8e4m3fn
  castforge info weights.npy --to float8e5m2 --opset onnx@23 --json
  castforge info codes.raw --from bfloat16

Exit codes: 0 done, 1 a bad file, 2 wrong usage, 4 input/output error.)";

struct InfoArguments {
  FileReport report;
  std::string from, to, format;
  unsigned threads = 0;
  bool json = false;
};

/// Rules are those of the cast to try: without one they would be for nothing, and they have to be right even where the
/// file has no tensor that it is tried on.
void check_rules(const FileReport& report) {
  const KernelOptions& rules = report.kernels;
  if (!report.to) {
    if (rules.opset.empty() && rules.isa.empty() && rules.given_attributes().empty()) return;
    throw usage_error("op-set, attributes and instruction set are of the cast to try: expected --to TYPE beside them");
  }
  if (type_info(*report.to).kind == TypeKind::string)
    throw usage_error("--to: expected a numeric type to try a cast to, found string");
  const OpSet set = rules.set(*report.to, *report.to);
  Type src = *report.to;  // where the op-set admits no source, this one is refused as any other is
  for (std::size_t i = set.type_count(); i-- > 0;) {
    if (set.admits(set.type(i), *report.to)) src = set.type(i);
  }
  rules.find(src, *report.to);
}

}  // namespace

void add_info_command(CLI::App& program, int&) {
  auto options = std::make_shared<InfoArguments>();
  FileReport& report = options->report;
  CLI::App* command = program.add_subcommand(
      "info", "What a tensor file holds; without a file: version, manifest hash and instruction sets of the library");
  CLI::Option* file =
      command->add_option("FILE", report.path, "File to look into; `-` is standard input")->type_name("FILE");
  file->check(terminal::file_path());
  const auto goes_with_file = [file](CLI::Option* option) { option->needs(file); };
  goes_with_file(command->add_option("--to", options->to, "Type to try a cast to")->type_name("TYPE"));
  goes_with_file(command
                     ->add_option("--from", options->from,
                                  "Type of the elements where the file does not tell; raw files need it. With "
                                  "safetensors and onnx: only tensors of this type")
                     ->type_name("TYPE"));
  goes_with_file(
      command
          ->add_option("--tensors", report.listing.tensors,
                       "Safetensors, npz and onnx: names to look at, with * ? [..], which match bytes; can be given "
                       "several times")
          ->type_name("PATTERN")
          ->allow_extra_args(false));
  goes_with_file(command->add_option("--input-format", options->format, "npy, npz, safetensors, onnx, pb or raw")
                     ->type_name("FORMAT"));
  terminal::add_threads(*command, options->threads, "Threads that look", 1024);
  command->add_flag("--json", options->json, "Print JSON");
  report.kernels.add_to(*command);
  command->footer(kInfoFooter);
  command->callback([options] {
    FileReport& report = options->report;
    if (!options->to.empty()) report.to = type_option(options->to, "--to");
    check_rules(report);
    if (report.path.empty()) return describe_library(options->json);
    report.json = options->json;
    if (!options->from.empty()) report.listing.from = type_option(options->from, "--from");
    report.listing.format = file_format(report.path, options->format, FileUse::look);
    const FileFormat format = report.listing.format;
    const bool named = format == FileFormat::safetensors || format == FileFormat::npz || format == FileFormat::onnx;
    if (!report.listing.tensors.empty() && !named) {
      throw usage_error(text("--tensors is for safetensors, npz and onnx input; ", name(format), " holds one tensor"));
    }
    report.threads = threads_or_all(options->threads);
    report_file(report);
  });
}

}  // namespace castforge::cli

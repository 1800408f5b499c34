// castforge convert SOURCE TARGET --plan FILE ...
#include "cli/commands/commands.hpp"
#include "cli/commands/part.hpp"
#include "cli/convert/checkpoint.hpp"
#include "cli/convert/convert.hpp"
#include "cli/convert/index.hpp"
#include "cli/convert/shard_state.hpp"
#include "cli/io/more_threads.hpp"
#include "cli/terminal/usage.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace castforge::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kConvertExamples =
    R"(A plan says which tensors become what; the first rule that matches a tensor's name counts:
  {"opset": "onnx@28",
   "default": {"to": "float8e4m3fn", "saturate": 1},
   "rules": [{"tensors": ["*norm*", "*embed*"], "keep": true},
             {"tensors": ["lm_head.*"], "to": "float16", "optional": true}]}
  A rule has "to" and attributes of the op-set, or "keep"; "from" narrows it to tensors of one type; "optional" allows
  patterns that match nothing, which are errors otherwise. The default casts floating tensors and keeps the others.
  "config" sets members of config.json, {"config": {"quantization_config": {...}}}, or removes them (null).
  Plans to start from lie in share/castforge/plans, with a JSON Schema for editors.

Examples:
  castforge convert llama/ llama-fp8/ --plan bf16-to-fp8.json --dry-run
      Which rule takes which tensor, and sizes before and after. Nothing is written.
  castforge convert llama/ llama-fp8/ --plan bf16-to-fp8.json --threads 2 --verify
      Killed or interrupted, the same command goes on where it was, and the result is the same.
  castforge convert llama/ llama-fp8/ --plan bf16-to-fp8.json --shard 3/16
      The fourth of 16 parts, 0/16 to 15/16: one per machine, in any order. When all are done:
  castforge convert llama/ llama-fp8/ --finish
      Checks that every shard is there; writes index, config.json, tokenizer files and manifest.

SOURCE is a folder of .safetensors files, with or without an index; one .safetensors file; one .onnx model, whose
initializers are the tensors; or a list of such files, a .txt file with one path per line. In a model a node Cast gives
each tensor that is cast its old type back: stored in the new type, computed with in the old one. TARGET is a folder.
castforge.manifest.json in it has the hash of every file (XXH3, 128 bits; as `xxh128sum` prints it).

Exit codes: 0 done, 1 bad input data (other shards are done), 2 wrong usage or plan, 4 input/output error.)";

struct ConvertArguments {
  ConvertOptions convert;
  std::string plan, part, stats;
  bool json = false, dry_run = false, finish = false;
};

void print_summary(std::FILE* out, const ConvertResult& result) {
  std::size_t converted = 0, skipped = 0, failed = 0;
  std::uint64_t read = 0, written = 0;
  for (const ShardResult& shard : result.shards) {
    converted += shard.outcome == ShardOutcome::converted;
    skipped += shard.outcome == ShardOutcome::skipped;
    failed += shard.outcome == ShardOutcome::failed;
    if (shard.outcome != ShardOutcome::converted) continue;
    read += shard.bytes_read;
    written += shard.bytes_written;
  }
  std::fprintf(out, "%zu shard%s converted, %zu done before, %zu failed; %s -> %s in %.1f s%s\n", converted,
               converted == 1 ? "" : "s", skipped, failed, size_text(read).c_str(), size_text(written).c_str(),
               result.seconds, result.finished ? "; the manifest and what goes with the shards written" : "");
}

void finish(const ConvertArguments& options) {
  if (!options.plan.empty() || !options.part.empty() || options.dry_run || options.json || !options.stats.empty()) {
    throw usage_error("--finish goes with --verify only: the parts say by which plan they were converted");
  }
  finish_checkpoint(options.convert.source, options.convert.target, options.convert.verify);
  std::printf("every shard is there; the manifest and what goes with the shards written\n");
}

void complain(const std::string& message) { std::fprintf(stderr, "castforge: %s\n", message.c_str()); }

/// Converts, and says what became of every shard, also where finishing failed.
ExitCode convert_and_report(const ConvertArguments& options, const Plan& plan) {
  ConvertResult result;
  ExitCode code{};
  try {
    result = convert_checkpoint(options.convert);
    code = result.code();
  } catch (const UnfinishedFailure& failure) {
    complain(failure.what());
    result = failure.result();
    code = failure.code();
  }
  for (const ShardResult& shard : result.shards) {
    if (shard.outcome == ShardOutcome::failed) complain(shard.message);
  }
  if (!options.stats.empty()) write_report(options.stats, options.convert.target, plan, result);
  if (options.json) write_report("-", options.convert.target, plan, result);
  else print_summary(options.stats == "-" ? stderr : stdout, result);
  return code;
}

/// The report takes the place of whatever file is there, but for those that are read, and those of the result.
void check_report(const std::string& report, const std::string& plan, const ConvertOptions& convert) {
  if (report.empty()) return;
  std::error_code error;
  const Checkpoint checkpoint(convert.source);
  checkpoint.check_is_not_read(report);
  if (fs::equivalent(report, plan, error))
    throw usage_error(text(printable(report), ": expected another file than the plan, found the same"));
  const fs::file_status status = fs::status(report, error);
  if (fs::is_directory(status)) throw io_error(printable(report), "cannot write", EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) return;  // a pipe or a terminal, whose place nothing takes
  const fs::path path = resolved(report), target = resolved(convert.target);
  const fs::path below = path.lexically_relative(target);
  if (below == kManifest || checkpoint.result_names().contains(below.string()) ||
      *below.begin() == fs::path(state_folder("")).filename())
    throw usage_error(text(printable(report), ": expected another file than those of the result, found one of them"));
  if (!fs::is_directory(path.parent_path(), error) && path.parent_path() != target)
    throw io_error(printable(report), "cannot write", ENOENT);  // before hours of work
}

}  // namespace

void add_convert_command(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<ConvertArguments>();
  ConvertOptions& convert = options->convert;
  CLI::App* command =
      program.add_subcommand("convert", "Convert a checkpoint or an ONNX model: many tensors, by a plan");
  command->add_option("SOURCE", convert.source, "Folder, file or list to read; never modified")
      ->required()
      ->type_name("PATH")
      ->check(terminal::not_empty("the path of a folder or a file"));
  command->add_option("TARGET", convert.target, "Folder to write to; made where there is none")
      ->required()
      ->type_name("FOLDER")
      ->check(terminal::folder_path());
  command->add_option("--plan", options->plan, "JSON file: which tensors become what")
      ->type_name("FILE")
      ->check(terminal::file_path());
  command->add_option("--shard", options->part, "Part I of N only, counted from 0; then --finish once")
      ->type_name("I/N")
      ->check(terminal::not_empty("I/N"));
  terminal::add_threads(*command, convert.threads, "Threads that convert and write, beside one that reads", 256);
  command->add_flag("--verify", convert.verify,
                    "Read everything back and compute it again with another instruction set");
  command->add_flag("--resume,!--no-resume", convert.resume,
                    "Skip shards whose source, plan and library are those of the result that is there (default)");
  command
      ->add_option("--stats", options->stats,
                   "Write a report with statistics of every tensor converted, JSON, to this file")
      ->type_name("FILE")
      ->check(terminal::file_path());
  command->add_flag("--json", options->json, "Print that report; with --dry-run what would be done, as JSON");
  command->add_flag("--dry-run", options->dry_run, "Print what would be done");
  command->add_flag(
      "--finish", options->finish,
      "All parts are done: write the manifest, and what the source has beside its shards: index, config.json, ...");
  command->footer(kConvertExamples);
  command->callback([options, &exit_code] {
    ConvertOptions& convert = options->convert;
    if (options->finish) return finish(*options);
    if (options->plan.empty()) throw usage_error("--plan FILE says which tensors become what; it is missing");
    const Plan plan = read_plan(options->plan);
    convert.plan = &plan;
    convert.statistics = options->json || !options->stats.empty();
    if (!options->part.empty()) {
      const Part part = part_from(options->part);
      convert.part = part.index;
      convert.parts = part.count;
    }
    convert.threads = threads_or_all(convert.threads);
    if (options->dry_run && !options->stats.empty())
      throw usage_error("--stats goes with a conversion, not with --dry-run, which reads no elements");
    if (options->dry_run) return print_dry_run(convert, options->json);
    check_report(options->stats, options->plan, convert);
    exit_code = static_cast<int>(convert_and_report(*options, plan));
  });
}

}  // namespace castforge::cli

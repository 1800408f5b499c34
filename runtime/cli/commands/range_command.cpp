// castforge range OUTPUT --start A --stop B --step C --to TYPE ...
#include "cli/commands/commands.hpp"
#include "cli/commands/literal.hpp"
#include "cli/formats/file_format.hpp"
#include "cli/formats/output.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/progress.hpp"
#include "cli/selection/kernel_options.hpp"
#include "cli/terminal/usage.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace castforge::cli {
namespace {

constexpr const char* kRangeExamples = R"(Examples:
  castforge range ramp.npy --start 0 --stop 1 --step 0.25 --to float16
  castforge range down.raw --start 10 --stop 0 --step -2 --to int32
  castforge range big.npy --start 9007199254740993 --stop 9007199254740996 --step 1 --to int64
      Integers of 64 bits are exact.
  castforge range f32.npy --start -1 --stop 0.875 --step 0.2 --from float32 --to float32
      The numbers are rounded to float32 first, as a model's inputs would be.
  castforge range h.npy --start 0 --stop 2 --step 0.1 --to float16 --opset onnx-range --stash-type 11
      ONNX Range, its elements computed in float64 instead of float32.
  castforge range x.npy --start 0 --stop -1 --step -.25 --to float32

Elements are start, start + step, ... before stop; none where the step leads away from stop. Without --from an integer
is an int64 (uint64 above its range) and any other number a float64; with it, all three are of that type. Where an
op-set wants inputs of the result's type, --from is --to unless it is given.

Exit codes: 0 done, 1 more elements than the format holds (pb: 2 GiB), 2 wrong usage (also: a step of 0, more elements
than the op-set admits), 4 input/output error.)";

struct RangeArguments {
  std::string output, start, stop, step, from, to, output_format;
  KernelOptions rules{"range"};
  bool verbose = false;
};

/// Type of the inputs: --from, else what the op-set demands, else each number's own.
std::optional<Type> input_type(const RangeArguments& options, OpSet opset, Type to) {
  if (!options.from.empty()) return type_option(options.from, "--from");
  if (opset.option("operand_types") == "same") return to;
  return std::nullopt;
}

Range find(const RangeArguments& options) {
  const OpSet opset = options.rules.set();
  const Type to = type_option(options.to, "--to");
  const std::optional<Type> from = input_type(options, opset, to);
  const Scalar start = literal(options.start, from, "--start"), stop = literal(options.stop, from, "--stop"),
               step = literal(options.step, from, "--step");
  const Range range = options.rules.with_attributes([&](const Attributes& attributes) {
    return find_range(opset, start, stop, step, to, attributes, options.rules.isa);
  });
  if (!range) throw usage_error(range.status().message());
  return range;
}

/// Fills and writes one block after the other.
void write_elements(const Range& range, ElementWriter& writer) {
  constexpr std::size_t kBlockBytes = 1 << 20;
  const int bits = type_info(range.type()).storage_bits;
  const std::uint64_t most = kBlockBytes / static_cast<std::size_t>(bits) * 8;  // eight elements are whole bytes
  Progress progress(packed_bytes(range.count(), bits).value_or(0));
  std::vector<std::byte> block(bytes_of_elements(std::min(most, range.count()), bits));
  for (std::uint64_t first = 0; first < range.count();) {
    const auto count = static_cast<std::size_t>(std::min(most, range.count() - first));
    if (const Status status = range.fill(first, block.data(), count); !status) {
      throw Failure(ExitCode::bad_data, status.message());
    }
    writer.write(block.data(), count);
    progress.advance(bytes_of_elements(count, bits));
    first += count;
  }
  writer.finish();
}

void run(const RangeArguments& options) {
  const FileFormat format = file_format(options.output, options.output_format, FileUse::write);
  const Range range = find(options);
  const TensorInfo tensor{.name = {}, .type = range.type(), .shape = {range.count()}, .count = range.count()};
  OutputFile file(options.output);
  write_elements(range, *start_output(format, file, tensor));
  file.commit();
  if (options.verbose) {
    std::fputs(text("castforge: ", file.name(), ": ", counted(range.count(), "element"), " of ", name(range.type()),
                    " on ", range.isa(), "\n")
                   .c_str(),
               stderr);
  }
}

}  // namespace

void add_range_command(CLI::App& program, int&) {
  auto options = std::make_shared<RangeArguments>();
  CLI::App* command = program.add_subcommand("range", "Write a sequence start, start + step, ... to a tensor file");
  command->add_option("OUTPUT", options->output, "File to write; it appears when it is complete")
      ->required()
      ->type_name("FILE")
      ->check(terminal::file_path());
  command->add_option("--start", options->start, "First element")->required()->type_name("NUMBER");
  command->add_option("--stop", options->stop, "Where the sequence ends; not an element")
      ->required()
      ->type_name("NUMBER");
  command->add_option("--step", options->step, "Difference of neighbours, positive or negative")
      ->required()
      ->type_name("NUMBER");
  command->add_option("--to", options->to, "Type of the elements; `castforge list types` shows them")
      ->required()
      ->type_name("TYPE");
  command->add_option("--from", options->from, "Type of start, stop and step")->type_name("TYPE");
  command->add_option("--output-format", options->output_format, "npy, safetensors, pb or raw")->type_name("FORMAT");
  command->add_flag("--verbose", options->verbose, "Say on standard error what was done");
  options->rules.add_to(*command);
  command->footer(kRangeExamples);
  command->callback([options] { run(*options); });
}

}  // namespace castforge::cli

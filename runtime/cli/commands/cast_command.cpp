// castforge cast INPUT OUTPUT --to TYPE ...
#include "cli/commands/cast_job.hpp"
#include "cli/commands/commands.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/more_threads.hpp"
#include "cli/terminal/usage.hpp"

#include <memory>

namespace castforge::cli {
namespace {

constexpr const char* kCastExamples = R"(Examples:
  castforge cast weights.safetensors small.safetensors --to bfloat16
      Every floating tensor becomes bfloat16; the other tensors and the metadata stay.
  castforge cast w.safetensors w8.safetensors --to float8e4m3fn --tensors '*.mlp.*' --tensors lm_head.weight
      Only the tensors with such names.
  castforge cast x.npy x16.npy --to float16 --threads 4
  castforge cast scales.npy scales.raw --to float8e8m0 --round-mode nearest --saturate 0
  castforge cast codes.npy f32.npy --from float8e4m3fn --to float32
      A .npy file cannot say that its elements are float8 or int4: --from does. '<V2' is read as bfloat16.
  castforge cast arrays.npz w.npy --to float16 --tensors w
      One array of several. `castforge info arrays.npz` shows their names.
  castforge cast x.npy codes.raw --as 'Convert<binary32, Binary8p3se, (NearestTiesToEven, SatFinite)>'
      A conversion by the name that its system gives it.
  castforge cast tensor.pb tensor.pb --to int4
      A TensorProto is replaced in place; its name and other fields stay.
  printf '1.5\n2e3\n' | castforge cast - numbers.raw --from string --to float16
      Strings: one per line in raw files.
  python3 make.py | castforge cast - out.npy --input-format npy --to bfloat16
  cat codes.raw | castforge cast - - --from float32 --to bfloat16 > out.raw

Formats, by extension or --input-format and --output-format:
  npy          NumPy array. Types below 8 bits one element per byte, its upper bits ignored; strings as U or S.
               Fortran order stays in .npy; in other formats the elements are in C order.
  npz          NumPy arrays, input only: one of them.
  safetensors  many tensors.
  pb           ONNX TensorProto, elements in the message.
  raw          little-endian codes, nothing else; widths other than 8, 16, 32 and 64 bits without gaps, the first
               element in the low bits, uint1 from the high bit on;
               strings one per line. `-` is standard input or output.
What is npy or npz on standard input is kept in a temporary file ($TMPDIR or /tmp) while it is cast.

Exit codes: 0 done, 1 bad input data, 2 wrong usage, 4 input/output error.)";

struct CastArguments {
  CastJob job;
  std::string from, to, input_format, output_format;
  std::uint64_t count = 0;
};

void choose_types(CastArguments& options) {
  CastJob& job = options.job;
  if (job.kernels.notation.empty()) {
    if (options.to.empty()) throw usage_error("--to is required, or --as");
    job.to = type_option(options.to, "--to");
    if (!options.from.empty()) job.from = type_option(options.from, "--from");
    return;
  }
  if (!options.to.empty() || !options.from.empty())
    throw usage_error("--as says both types: no --to or --from goes with it");
  const Kernel named = job.kernels.find_by_notation();
  job.from = named.src();
  job.to = named.dst();
}

}  // namespace

void add_cast_command(CLI::App& program, int&) {
  auto options = std::make_shared<CastArguments>();
  CLI::App* command = program.add_subcommand("cast", "Convert the elements of a tensor file to another type");
  command->add_option("INPUT", options->job.input, "File to read; never modified, unless it is OUTPUT too")
      ->required()
      ->type_name("FILE")
      ->check(terminal::file_path());
  command->add_option("OUTPUT", options->job.output, "File to write; it appears when it is complete")
      ->required()
      ->type_name("FILE")
      ->check(terminal::file_path());
  command->add_option("--to", options->to, "Type to convert to; `castforge list types` shows them")->type_name("TYPE");
  command
      ->add_option("--as", options->job.kernels.notation,
                   "The conversion as its system writes it, which says types and attributes: in place of --to, --from, "
                   "--opset and attributes; `castforge list pairs` shows them for op-sets that have such names")
      ->type_name("CONVERSION");
  command
      ->add_option("--from", options->from,
                   "Type of the input where the file does not tell; raw input needs it. "
                   "With safetensors: cast the tensors of this type")
      ->type_name("TYPE");
  command
      ->add_option("--tensors", options->job.tensors,
                   "Safetensors and npz: names to cast, with * ? [..], which match bytes; can be given several times")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  command->add_option("--input-format", options->input_format, "npy, npz, safetensors, pb or raw")->type_name("FORMAT");
  command->add_option("--output-format", options->output_format, "npy, safetensors, pb or raw")->type_name("FORMAT");
  CLI::Option* count = command->add_option("--count", options->count, "Raw input: number of elements it must hold")
                           ->type_name("COUNT")
                           ->transform(terminal::number_from(0, INT64_MAX));
  terminal::add_threads(*command, options->job.threads, "Threads that convert", 1024);
  command->add_flag("--verbose", options->job.verbose, "Say on standard error what was done");
  options->job.kernels.add_to(*command);
  command->footer(kCastExamples);
  command->callback([options, count] {
    CastJob& job = options->job;
    choose_types(*options);
    job.input_format = file_format(job.input, options->input_format, FileUse::read);
    job.output_format = file_format(job.output, options->output_format, FileUse::write);
    if (count->count() != 0) job.count = options->count;
    job.threads = threads_or_all(job.threads);
    run(job);
  });
}

}  // namespace castforge::cli

#include "cli/commands/cast_job.hpp"

#include "cli/commands/conversion.hpp"
#include "cli/commands/safetensors_cast.hpp"
#include "cli/commands/tensor_selection.hpp"
#include "cli/commands/text_cast.hpp"
#include "cli/formats/npy.hpp"
#include "cli/formats/npz.hpp"
#include "cli/formats/output.hpp"
#include "cli/formats/raw.hpp"
#include "cli/formats/safetensors.hpp"
#include "cli/formats/tensor_proto.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"

#include <cstdio>

namespace castforge::cli {
namespace {

void check_options(const CastJob& job) {
  if (job.count && job.input_format != FileFormat::raw) {
    throw usage_error(text("--count is for raw input; ", name(job.input_format), " says how many elements it has"));
  }
  if (!job.tensors.empty() && job.input_format != FileFormat::safetensors && job.input_format != FileFormat::npz) {
    throw usage_error(
        text("--tensors is for safetensors and npz input; ", name(job.input_format), " holds one tensor"));
  }
  if (job.input_format == FileFormat::raw && !job.from) {
    throw usage_error("raw input says nothing of its type: give it with --from");
  }
}

std::unique_ptr<TensorSource> open_source(const CastJob& job, InputFile& file) {
  switch (job.input_format) {
    case FileFormat::npy: return std::make_unique<NpySource>(file, job.from);
    case FileFormat::npz: {
      const Npz archive(file);
      const std::size_t index = only_name(
          file.name(), archive.size(), [&](std::size_t i) { return archive.name(i); }, job.tensors);
      return std::make_unique<NpzSource>(archive, index, job.from);
    }
    case FileFormat::pb: return std::make_unique<TensorProtoSource>(file, job.from);
    case FileFormat::raw:
      // Other formats begin with the number of elements, which a stream tells at its end.
      if (!job.count && job.output_format != FileFormat::raw) file.spool("");
      return std::make_unique<RawSource>(file, *job.from, job.count);
    case FileFormat::onnx:  // is looked into only
    case FileFormat::safetensors: break;
  }
  const SafetensorsHeader header(file);
  const SafetensorsEntry entry = only_tensor(file.name(), header, job.tensors, job.from);
  return std::make_unique<SafetensorsSource>(file, header, entry, castable_type(file.name(), entry, job.from));
}

/// What is raw has one dimension, as files of other formats have that are made of it.
void check_limits(const CastJob& job, const InputFile& file, Type type, std::size_t rank, std::uint64_t count) {
  const Status status = job.kernels.limits(type, job.to, rank, count);
  if (!status) throw bad_file(file.name(), status.message());
}

std::uint64_t cast_numbers(const CastJob& job, const InputFile& file, TensorSource& source, const Kernel& kernel) {
  TensorInfo result = source.info();
  result.type = job.to;
  OutputFile out(job.output);
  const std::unique_ptr<ElementReader> reader = source.elements();
  const std::unique_ptr<ElementWriter> writer = start_output(job.output_format, out, result, &source);
  Progress progress(file.size().value_or(0));
  const std::uint64_t count = convert(*reader, kernel, *writer, result.count, job.threads, progress);
  if (!result.count) check_limits(job, file, kernel.src(), 1, count);  // a stream has told its length by now
  writer->finish();
  out.commit();
  return count;
}

void cast_tensor(const CastJob& job, InputFile& file) {
  const std::unique_ptr<TensorSource> source = open_source(job, file);
  if (job.output_format != FileFormat::npy) source->put_in_c_order();
  std::string how;
  std::uint64_t count = 0;
  if (is_string(source->info().type) || is_string(job.to)) {
    count = cast_texts(job, file, *source);
    how = text(name(source->info().type), " to ", name(job.to));
  } else {
    const Kernel kernel = job.kernels.find(source->info().type, job.to);
    const TensorInfo& tensor = source->info();
    if (tensor.count) check_limits(job, file, tensor.type, tensor.shape.size(), *tensor.count);
    count = cast_numbers(job, file, *source, kernel);
    how = text(kernel.name(), " on ", kernel.isa());
  }
  if (job.verbose) {
    std::fputs(text("castforge: ", file.name(), ": ", counted(count, "element"), ", ", how, "\n").c_str(), stderr);
  }
}

/// An output that is written directly, with no temporary, must not be the input: what is written would be read, or be
/// written over what is still to be read.
void check_is_another_file(const InputFile& input, const std::string& output) {
  const std::optional<int> descriptor = descriptor_of_output(output);
  if (descriptor && input.reads_file_of(*descriptor))
    throw usage_error(
        "INPUT and OUTPUT are the same file: expected the file's path as OUTPUT, found standard output or another "
        "descriptor of it");
}

}  // namespace

void run(const CastJob& job) {
  check_options(job);
  InputFile file(job.input);
  check_is_another_file(file, job.output);
  if (job.input_format == FileFormat::safetensors && job.output_format == FileFormat::safetensors) {
    cast_safetensors(job, file);
  } else {
    cast_tensor(job, file);
  }
}

}  // namespace castforge::cli

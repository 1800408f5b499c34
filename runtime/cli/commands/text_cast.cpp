#include "cli/commands/text_cast.hpp"

#include "cli/formats/npy.hpp"
#include "cli/formats/npy_text.hpp"
#include "cli/formats/output.hpp"
#include "cli/formats/string_data.hpp"
#include "cli/formats/text_lines.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/ordered_pipeline.hpp"
#include "cli/io/progress.hpp"
#include "cli/io/unicode.hpp"

#include <algorithm>
#include <functional>

namespace castforge::cli {
namespace {

/// Where texts go: a writer, or a measurement.
using TextSinkFunction = std::function<void(const TextBlock&)>;

class FormatSteps {
 public:
  struct Chunk {
    std::vector<std::byte> codes;
    std::size_t count = 0;
    TextBlock texts;
  };

  FormatSteps(const KernelOptions& kernels, ElementReader& src, Type type, const TextSinkFunction& dst,
              Progress& progress)
      : kernels_(kernels), src_(src), type_(type), dst_(dst), progress_(progress) {}

  bool take(Chunk& chunk) {
    chunk.codes.resize(bytes(kBlockTexts));
    chunk.count = src_.read(chunk.codes.data(), kBlockTexts);
    return chunk.count != 0;
  }

  void work(Chunk& chunk) const {
    chunk.texts.clear();
    const auto add = [&](std::size_t, std::string_view text) { chunk.texts.add(text); };
    const Status status = kernels_.with_attributes([&](const Attributes& attributes) {
      return format_text(kernels_.opset, type_, chunk.codes.data(), chunk.count, attributes, add);
    });
    if (!status) throw usage_error(status.message());
  }

  void put(Chunk& chunk) {
    dst_(chunk.texts);
    total_ += chunk.count;
    progress_.advance(bytes(chunk.count));
  }

  std::uint64_t total() const { return total_; }

 private:
  std::size_t bytes(std::size_t count) const { return bytes_of_elements(count, type_info(type_).storage_bits); }

  const KernelOptions& kernels_;
  ElementReader& src_;
  Type type_;
  const TextSinkFunction& dst_;
  Progress& progress_;
  std::uint64_t total_ = 0;
};

class ParseSteps {
 public:
  struct Chunk {
    TextBlock texts;
    std::uint64_t first = 0;  // index of the first text
    std::vector<std::byte> codes;
  };

  ParseSteps(const KernelOptions& kernels, const std::string& file, TextReader& src, Type type, ElementWriter& dst,
             Progress& progress)
      : kernels_(kernels), file_(file), src_(src), type_(type), dst_(dst), progress_(progress) {}

  bool take(Chunk& chunk) {
    if (!src_.read(chunk.texts)) return false;
    chunk.first = taken_;
    taken_ += chunk.texts.size();
    return true;
  }

  void work(Chunk& chunk) const {
    chunk.codes.resize(bytes_of_elements(chunk.texts.size(), type_info(type_).storage_bits));
    const Status status = kernels_.with_attributes([&](const Attributes& attributes) {
      return parse_text(kernels_.opset, type_, chunk.texts.chars(), chunk.texts.offsets(), chunk.texts.size(),
                        chunk.codes.data(), attributes);
    });
    if (status.is_element_error()) {
      throw bad_file(file_, status.at_element(chunk.first + status.index()).message());
    }
    if (!status) throw usage_error(status.message());
  }

  void put(Chunk& chunk) {
    dst_.write(chunk.codes.data(), chunk.texts.size());
    progress_.advance(chunk.texts.bytes());
  }

  std::uint64_t total() const { return taken_; }

 private:
  const KernelOptions& kernels_;
  const std::string& file_;
  TextReader& src_;
  Type type_;
  ElementWriter& dst_;
  Progress& progress_;
  std::uint64_t taken_ = 0;
};

/// A usage Failure where the op-set or an attribute does not admit the pair.
void check_admitted(const CastJob& job, Type src) {
  const Status status = job.kernels.with_attributes([&](const Attributes& attributes) {
    return find_kernel(std::string_view(job.kernels.opset), src, job.to, attributes, job.kernels.isa).status();
  });
  if (status.code() != StatusCode::text_conversion) throw usage_error(status.message());
}

/// Sends all texts of the result to `sink`; their number.
std::uint64_t produce_texts(const CastJob& job, TensorSource& source, const TextSinkFunction& sink,
                            Progress& progress) {
  const Type type = source.info().type;
  if (!is_string(type)) {
    const std::unique_ptr<ElementReader> reader = source.elements();
    FormatSteps steps(job.kernels, *reader, type, sink, progress);
    OrderedPipeline<FormatSteps>(steps).run(job.threads);
    return steps.total();
  }
  const std::unique_ptr<TextReader> reader = source.texts();
  std::uint64_t total = 0;
  for (TextBlock block; reader->read(block); total += block.size()) {
    sink(block);
    progress.advance(block.bytes());
  }
  return total;
}

/// Code points of the longest text, at least 1: NumPy has no strings of length 0.
std::size_t longest_text(const CastJob& job, const InputFile& file, TensorSource& source) {
  if (!file.size()) {
    throw usage_error(
        text(file.name(), ": npy output of strings needs their greatest length first, which a stream does not tell"));
  }
  std::size_t longest = 1;
  std::uint64_t index = 0;
  Progress progress(*file.size());
  produce_texts(
      job, source,
      [&](const TextBlock& block) {
        for (std::size_t i = 0; i < block.size(); ++i, ++index) {
          const auto length = count_code_points(block[i]);
          if (!length) {
            throw bad_element(file.name(), index, text("expected UTF-8, found ", in_quotes(block[i])));
          }
          if (block[i].ends_with('\0')) {
            throw bad_element(file.name(), index,
                              text("a string that ends in U+0000 loses it in npy, found ", in_quotes(block[i])));
          }
          if (*length > kLongestText / 4) {
            throw bad_element(file.name(), index,
                              text("expected at most ", kLongestText / 4, " code points for npy, found ", *length));
          }
          longest = std::max(longest, *length);
        }
      },
      progress);
  return longest;
}

std::unique_ptr<TextWriter> start_texts(const CastJob& job, const InputFile& file, OutputFile& out,
                                        const TensorInfo& tensor, TensorSource& source) {
  switch (job.output_format) {
    case FileFormat::npy: return start_npy_text(out, tensor, longest_text(job, file, source));
    case FileFormat::pb: return start_string_data(out, tensor, dynamic_cast<const TensorProtoSource*>(&source));
    case FileFormat::safetensors:
      throw usage_error(text(out.name(), ": a safetensors file cannot hold ", name(tensor.type)));
    case FileFormat::npz:   // is read only
    case FileFormat::onnx:  // is looked into only
    case FileFormat::raw: break;
  }
  return std::make_unique<LineWriter>(out);
}

}  // namespace

std::uint64_t cast_texts(const CastJob& job, const InputFile& file, TensorSource& source) {
  check_admitted(job, source.info().type);
  TensorInfo result = source.info();
  result.type = job.to;
  OutputFile out(job.output);
  std::uint64_t total = 0;
  if (is_string(job.to)) {
    const std::unique_ptr<TextWriter> writer = start_texts(job, file, out, result, source);
    Progress progress(file.size().value_or(0));
    total = produce_texts(
        job, source, [&](const TextBlock& block) { writer->write(block); }, progress);
    writer->finish();
  } else {
    const std::unique_ptr<TextReader> reader = source.texts();
    const std::unique_ptr<ElementWriter> writer = start_output(job.output_format, out, result, &source);
    Progress progress(file.size().value_or(0));
    ParseSteps steps(job.kernels, file.name(), *reader, job.to, *writer, progress);
    OrderedPipeline<ParseSteps>(steps).run(job.threads);
    writer->finish();
    total = steps.total();
  }
  out.commit();
  return total;
}

}  // namespace castforge::cli

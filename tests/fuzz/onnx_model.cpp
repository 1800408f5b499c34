// Models: looked into as `castforge info` does; then, as `castforge convert` does, read, some of their tensors cast,
// written; the result is a model again.
#include "cli/formats/onnx_model.hpp"
#include "cli/convert/checkpoint.hpp"
#include "cli/convert/pieces.hpp"
#include "cli/convert/shard_contents.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"
#include "fuzz/read_tensors.hpp"
#include "fuzz/scratch.hpp"
#include "fuzz/target.hpp"

#include <castforge/castforge.hpp>

#include <array>
#include <filesystem>
#include <map>
#include <vector>

namespace castforge::fuzz {
namespace {

using namespace castforge::cli;

constexpr const char* kModel = "model.onnx";

const Scratch& scratch() {
  struct Prepared : Scratch {
    Prepared() {
      write("data.bin", std::string(256, '\x3F'));  // for tensors whose data is external
      std::filesystem::create_directory(path("out"));
    }
  };
  static const Prepared folder;
  return folder;
}

/// Kernels for every second tensor that ONNX casts to float16, or to float8e4m3fn.
std::map<std::size_t, Kernel> some_kernels(const ShardContents& contents) {
  static constexpr std::array<Type, 2> kTo = {Type::float16, Type::float8e4m3fn};
  std::map<std::size_t, Kernel> chosen;
  for (std::size_t i = 0; i < contents.size(); i += 2) {
    const ShardTensor tensor = contents.tensor(i);
    if (!tensor.type) continue;
    const Kernel kernel = find_kernel("onnx", *tensor.type, kTo[i / 2 % kTo.size()]);
    if (kernel) chosen.emplace(i, kernel);
  }
  return chosen;
}

void write(ShardContents& contents) {
  Progress progress(0);
  for (const ResultFile* result : contents.results()) {
    OutputFile out(scratch().path("out/" + (kModel + result->ending())).string());
    result->write_head(out);
    write_pieces(contents.input(), *result, out, 1, progress);
    out.commit(OutputFile::Last::maybe);
  }
}

void read_again(std::size_t tensors) {
  try {
    InputFile file(scratch().path(std::string("out/") + kModel).string());
    const OnnxModel model(file);
    require(model.initializers().size() == tensors, "the result has other tensors");
  } catch (const Failure& failure) {
    fail(std::string("the result is refused: ") + failure.what());
  }
}

}  // namespace

void onnx_model(Input input) {
  const std::string path = scratch().write(kModel, text_of(input)).string();
  InputFile model(path);
  read_tensors(model, FileFormat::onnx, std::nullopt);
  try {
    const Checkpoint checkpoint(path);
    require(checkpoint.shards().size() == 1, "a model is one shard");
    const std::unique_ptr<ShardContents> contents = open_shard(checkpoint.shards().front(), nullptr);
    const std::map<std::size_t, Kernel> kernels = some_kernels(*contents);
    contents->lay_out([&](std::size_t tensor) {
      const auto found = kernels.find(tensor);
      return found == kernels.end() ? nullptr : &found->second;
    });
    write(*contents);
    read_again(contents->size());
    accepted();
  } catch (const Failure&) {
  }
}

}  // namespace castforge::fuzz

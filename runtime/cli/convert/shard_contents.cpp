#include "cli/convert/shard_contents.hpp"

#include "cli/convert/onnx_contents.hpp"
#include "cli/convert/safetensors_contents.hpp"

namespace castforge::cli {

std::unique_ptr<ShardContents> open_shard(const Shard& shard, const CheckpointIndex* index) {
  if (is_onnx_model(shard.name)) return std::make_unique<OnnxContents>(shard);
  return std::make_unique<SafetensorsContents>(shard, index);
}

}  // namespace castforge::cli

// The report on a conversion.
#include "cli/convert/convert.hpp"
#include "cli/convert/shard_state.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"

#include <castforge/castforge.hpp>

namespace castforge::cli {

std::string_view word(ShardOutcome outcome) {
  switch (outcome) {
    case ShardOutcome::converted: return "converted";
    case ShardOutcome::skipped: return "skipped";
    case ShardOutcome::failed: break;
  }
  return "failed";
}

void write_report(const std::string& path, const std::string& target, const Plan& plan, const ConvertResult& result) {
  OutputFile out(path);
  std::uint64_t read = 0, written = 0;
  out.write(text("{\"castforge\":\"", version(), "\",\"library\":\"", manifest_hash(),
                 "\",\"opset\":", json_text(plan.opset), ",\"plan\":\"", plan.hash, "\",\"shards\":["));
  bool first = true;
  for (const ShardResult& shard : result.shards) {
    read += shard.bytes_read;
    written += shard.bytes_written;
    out.write(text(first ? "\n" : ",\n", "{\"shard\":", json_text(shard.name), ",\"outcome\":\"", word(shard.outcome),
                   "\",\"seconds\":", shard.seconds, ",\"bytes_read\":", shard.bytes_read,
                   ",\"bytes_written\":", shard.bytes_written));
    if (shard.outcome == ShardOutcome::failed) {
      out.write(text(",\"message\":", json_text(shard.message)));
    } else if (const auto state = read_state(state_path(target, shard.name))) {
      out.write(",\"files\":[");
      for (std::size_t i = 0; i < state->files.size(); ++i) {
        const WrittenFile& file = state->files[i];
        out.write(text(i == 0 ? "" : ",", "{\"name\":", json_text(file.name), ",\"bytes\":", file.bytes,
                       ",\"xxh128\":\"", file.hash, "\"}"));
      }
      out.write("]");
      if (!state->tensors.empty()) out.write(",\"tensors\":" + state->tensors);
    }
    out.write("}");
    first = false;
  }
  out.write(text("\n],\"finished\":", result.finished ? "true" : "false", ",\"seconds\":", result.seconds,
                 ",\"bytes_read\":", read, ",\"bytes_written\":", written, "}\n"));
  out.commit();
}

}  // namespace castforge::cli

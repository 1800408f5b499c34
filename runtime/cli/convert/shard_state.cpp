#include "cli/convert/shard_state.hpp"

#include "cli/convert/hash.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"

#include <castforge/castforge.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace castforge::cli {
namespace fs = std::filesystem;
namespace {

/// What decides results besides source and plan: the library, and formats and rules that were loaded beside it.
std::string library() {
  std::vector<std::string_view> added;
  for (std::size_t i = 0; i < added_kernels_count(); ++i) added.push_back(added_kernels(i).manifest_hash);
  std::sort(added.begin(), added.end());
  std::string all = manifest_hash();
  for (const std::string_view one : added) all += text(" + ", one);
  return all;
}

}  // namespace

std::string state_folder(const std::string& target) { return (fs::path(target) / ".castforge").string(); }

std::string state_path(const std::string& target, const std::string& shard) {
  return (fs::path(state_folder(target)) / (shard + ".json")).string();
}

std::string plan_path(const std::string& target) { return (fs::path(state_folder(target)) / "plan.json").string(); }

std::set<std::string> names_written(const std::string& target) {
  std::set<std::string> names;
  // The manifest has more than shards; while shards are replaced there is none.
  std::ifstream in(fs::path(target) / kManifest, std::ios::binary);
  const nlohmann::ordered_json manifest = parse_json(std::string{std::istreambuf_iterator<char>(in), {}});
  if (const auto files = manifest.find("files"); files != manifest.end() && files->is_object()) {
    for (const auto& [name, file] : files->items()) names.insert(name);
  }
  std::error_code error;
  for (const fs::directory_entry& state : fs::directory_iterator(state_folder(target), error)) {
    if (state.path().extension() != ".json" || state.path() == plan_path(target)) continue;
    const std::vector<std::string> files = names_of_result(state.path().stem().string());
    names.insert(files.begin(), files.end());
  }
  return names;
}

ShardOrigin origin_of(const Shard& shard, const std::string& plan_hash) {
  constexpr std::uint64_t kSample = 1 << 16;
  Hash sample;
  std::int64_t modified = 0;
  std::string ends(2 * kSample, '\0');
  for (const SourceFile& one : shard.files) {
    InputFile file(one.path);
    const std::size_t first = file.read_at(0, ends.data(), kSample);
    const std::size_t last = file.read_at(one.bytes - std::min(kSample, one.bytes), ends.data() + first, kSample);
    sample.add(ends.data(), first + last);
    const std::string described = text(one.bytes, ' ', one.modified, ' ');
    sample.add(described.data(), described.size());
    modified = std::max(modified, one.modified);
  }
  return {shard.bytes, modified, sample.text(), plan_hash, library()};
}

std::optional<ShardState> read_state(const std::string& path) {
  using nlohmann::ordered_json;
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const ordered_json state = parse_json(text);
  try {
    const ordered_json& source = state.at("source");
    ShardState result;
    result.origin = {source.at("bytes"), source.at("modified"), source.at("sample"), state.at("plan"),
                     state.at("library")};
    for (const ordered_json& file : state.at("files")) {
      result.files.push_back({file.at("name"), file.at("bytes"), file.at("xxh128")});
    }
    if (state.contains("tensors")) result.tensors = json_text(state.at("tensors"));
    return result;
  } catch (const ordered_json::exception&) {
    return std::nullopt;
  }
}

void write_state(const std::string& path, const ShardState& state) {
  using nlohmann::ordered_json;
  const ShardOrigin& origin = state.origin;
  const ordered_json source = {{"bytes", origin.bytes}, {"modified", origin.modified}, {"sample", origin.sample}};
  ordered_json files = ordered_json::array();
  for (const WrittenFile& file : state.files) {
    files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"xxh128", file.hash}});
  }
  std::string text =
      json_text(ordered_json{{"source", source}, {"plan", origin.plan}, {"library", origin.library}, {"files", files}});
  if (!state.tensors.empty()) {
    text.pop_back();
    text += ",\"tensors\":" + state.tensors + '}';
  }
  // Without it, or with half of it, the shard is converted again.
  write_file(path, text + '\n', OutputFile::Last::maybe);
}

bool is_untouched(const std::string& path, const WrittenFile& file, const std::string& state_path) {
  try {
    const SourceFile now = described(path);
    return now.bytes == file.bytes && now.modified <= described(state_path).modified;
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace castforge::cli

// What comes after the shards: index, config, the other files, manifest.
#include "cli/convert/checkpoint.hpp"
#include "cli/convert/convert.hpp"
#include "cli/convert/hash.hpp"
#include "cli/convert/safetensors_contents.hpp"
#include "cli/convert/shard_state.hpp"
#include "cli/formats/element_io.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>

namespace castforge::cli {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
namespace {

constexpr const char* kManifest = "castforge.manifest.json";
constexpr const char* kConfig = "config.json";
constexpr std::size_t kMostNamed = 10;

class Finish {
 public:
  Finish(const std::string& source, const std::string& target)
      : checkpoint_(source), target_(target), plan_(read_plan(plan_path(target))) {}

  void run(bool verify) {
    check_shards(verify);
    if (checkpoint_.index() != nullptr) write_index();
    for (const Companion& companion : checkpoint_.companions()) {
      if (companion.name == kConfig && !plan_.config.empty()) write_config(companion);
      else if (companion.name != kManifest) copy(companion);
    }
    write_manifest();
  }

 private:
  std::string path(const std::string& name) const { return (fs::path(target_) / name).string(); }

  bool is_as_written(const WrittenFile& file, bool verify) const {
    std::error_code error;
    return fs::file_size(path(file.name), error) == file.bytes && !error &&
           (!verify || hash_of_file(path(file.name)) == file.hash);
  }

  void check_shards(bool verify) {
    std::string missing;
    std::size_t count = 0;
    const auto note = [&](const Shard& shard, std::string_view what) {
      if (++count <= kMostNamed) missing += text(missing.empty() ? "" : ", ", printable(shard.name), " (", what, ")");
    };
    for (const Shard& shard : checkpoint_.shards()) {
      const auto state = read_state(state_path(target_, shard.name));
      if (!state) note(shard, "not converted");
      else if (state->origin != origin_of(shard, plan_.hash)) note(shard, "of another source, plan or library");
      else if (!std::all_of(state->files.begin(), state->files.end(),
                            [&](const WrittenFile& file) { return is_as_written(file, verify); }))
        note(shard, "not as it was written");
      else
        for (const WrittenFile& file : state->files) files_[file.name] = file;
    }
    if (count == 0) return;
    if (count > kMostNamed) missing += text(" and ", count - kMostNamed, " more");
    throw bad_file(printable(target_), text("expected all ", checkpoint_.shards().size(), " shards, found ",
                                            checkpoint_.shards().size() - count, "; missing: ", missing));
  }

  /// Writes a file of the result and keeps its hash for the manifest.
  void write(const std::string& name, const std::function<void(OutputFile&)>& contents) {
    sweep_temporaries(path(name));
    OutputFile out(path(name));
    Hash hash;
    out.watch([&](const void* bytes, std::size_t length) { hash.add(bytes, length); });
    contents(out);
    files_[name] = {name, out.written(), hash.text()};
    out.commit();
  }

  /// The tensors that were written, which are those of the source's index: each file is compared with it.
  void write_index() {
    const CheckpointIndex& index = *checkpoint_.index();
    std::uint64_t total = 0;
    for (const std::string& name : index.files()) {
      InputFile file(path(name));
      total += *file.size() - checked_header(file, name, &index).data_offset();
    }
    ordered_json metadata = index.metadata().empty() ? ordered_json::object() : parse_json(index.metadata());
    metadata["total_size"] = total;
    write(checkpoint_.index_name(), [&](OutputFile& out) {
      out.write("{\"metadata\": " + json_text(metadata) + ",\n\"weight_map\": {");
      for (std::size_t i = 0; i < index.size(); ++i) {
        out.write(text(i == 0 ? "\n" : ",\n", json_text(index.name(i)), ": ", json_text(index.files()[index.file(i)])));
      }
      out.write("\n}}\n");
    });
  }

  void write_config(const Companion& config) {
    InputFile file(config.path);
    std::string contents(static_cast<std::size_t>(file.size_for("config")), '\0');
    file.read_exactly(0, contents.data(), contents.size(), "config");
    ordered_json members = parse_json(contents);
    if (!members.is_object()) throw bad_file(file.name(), "expected a JSON object, found something else");
    const ordered_json changes = parse_json(plan_.config);
    for (const auto& [key, value] : changes.items()) {
      if (value.is_null()) members.erase(key);
      else members[key] = value;
    }
    write(config.name, [&](OutputFile& out) { out.write(json_text(members, 2) + '\n'); });
  }

  void copy(const Companion& companion) {
    InputFile file(companion.path);
    write(companion.name, [&](OutputFile& out) { copy_bytes(file, 0, file.size_for("file"), out); });
  }

  void write_manifest() {
    sweep_temporaries(path(kManifest));
    OutputFile out(path(kManifest));
    out.write(text("{\"castforge\": \"", version(), "\", \"library\": \"", manifest_hash(),
                   "\", \"opset\": ", json_text(plan_.opset), ", \"plan\": \"", plan_.hash, "\", \"files\": {"));
    bool first = true;
    for (const auto& [name, file] : files_) {
      out.write(text(first ? "\n" : ",\n", json_text(name), ": {\"bytes\": ", file.bytes, ", \"xxh128\": \"", file.hash,
                     "\"}"));
      first = false;
    }
    out.write("\n}}\n");
    out.commit();
  }

  Checkpoint checkpoint_;
  std::string target_;
  Plan plan_;
  std::map<std::string, WrittenFile> files_;
};

}  // namespace

void finish_checkpoint(const std::string& source, const std::string& target, bool verify) {
  Finish(source, target).run(verify);
}

}  // namespace castforge::cli

// What comes after the shards: index, config, the other files, manifest.
#include "cli/convert/checkpoint.hpp"
#include "cli/convert/convert.hpp"
#include "cli/convert/hash.hpp"
#include "cli/convert/safetensors_contents.hpp"
#include "cli/convert/shard_state.hpp"
#include "cli/convert/target_checks.hpp"
#include "cli/formats/element_io.hpp"
#include "cli/formats/json_cursor.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/output_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace castforge::cli {
namespace fs = std::filesystem;
namespace {

/// Members by what their names say; the text of each value.
using Members = std::map<std::string, std::string, std::less<>>;

/// f(name, value) of each member of an object, as they stand.
template <class F>
void for_each_member(JsonCursor& json, const F& f) {
  json.members("a JSON object", "the name of a member", [&](std::size_t, std::string_view name) {
    f(name, json.value(JsonWords::pythons));  // a plan has been read as JSON before
  });
  json.end();
}

/// The object with `changes`, null for members to be left out. The others keep their text, so that no number is rounded
/// and no depth or size of the object takes more than it takes to copy it.
std::string changed(JsonCursor json, Members changes) {
  std::string members;
  const auto add = [&](std::string_view name, std::string_view value) {
    members += text(members.empty() ? "\n  " : ",\n  ", name, ": ", value);
  };
  for_each_member(json, [&](std::string_view name, std::string_view value) {
    const auto change = changes.find(decoded_string(name));
    if (change == changes.end()) return add(name, value);
    if (change->second != "null") add(name, change->second);
    change->second = "null";  // a second one of the name is left out
  });
  for (const auto& [name, value] : changes) {
    if (value != "null") add(json_text(name), value);
  }
  return members.empty() ? "{}" : "{" + members + "\n}";
}

}  // namespace

std::string changed_config(const std::string& path, const Plan& plan) {
  InputFile file(path);
  std::string contents(static_cast<std::size_t>(file.size_for("config")), '\0');
  file.read_exactly(0, contents.data(), contents.size(), "config");
  Members changes;
  JsonCursor of_plan(plan.config, "config of the plan", JsonPlaces::lines);
  for_each_member(of_plan,
                  [&](std::string_view name, std::string_view value) { changes[decoded_string(name)] = value; });
  return changed(JsonCursor(contents, file.name(), JsonPlaces::lines), std::move(changes));
}

namespace {

/// The plan that the parts were converted by.
Plan plan_of_parts(const std::string& target) {
  const std::string path = plan_path(target);
  if (std::error_code error; fs::exists(path, error)) return read_plan(path);
  throw Failure(ExitCode::bad_data, text(printable(target),
                                         ": no part of it has been converted yet: convert them with "
                                         "--plan, then use --finish once"));
}

class Finish {
 public:
  Finish(const std::string& source, const std::string& target)
      : checkpoint_(source), target_(target), plan_(plan_of_parts(target)) {}

  void run(bool verify) {
    check_target(checkpoint_, target_);
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

  /// The path of a result. A link may make it a file of the source, which is never written.
  std::string path_of_result(const std::string& name) const {
    const std::string result = path(name);
    checkpoint_.check_is_not_read(result);
    return result;
  }

  /// Copies from other machines may have the time of copying: a file newer than its state is judged by its hash, also
  /// without `verify`.
  bool is_as_written(const WrittenFile& file, const std::string& state, bool verify) const {
    std::error_code error;
    if (fs::file_size(path(file.name), error) != file.bytes || error) return false;
    return (!verify && is_untouched(path(file.name), file, state)) || hash_of_file(path(file.name)) == file.hash;
  }

  void check_shards(bool verify) {
    std::string missing;
    std::size_t count = 0;
    const auto note = [&](const Shard& shard, std::string_view what) {
      if (++count <= kMostNamed) missing += text(missing.empty() ? "" : ", ", printable(shard.name), " (", what, ")");
    };
    for (const Shard& shard : checkpoint_.shards()) {
      const std::string state_file = state_path(target_, shard.name);
      const auto state = read_state(state_file);
      if (!state) note(shard, "not converted");
      else if (state->origin != origin_of(shard, plan_.hash)) note(shard, "of another source, plan or library");
      else if (!std::all_of(state->files.begin(), state->files.end(),
                            [&](const WrittenFile& file) { return is_as_written(file, state_file, verify); }))
        note(shard, "not as it was written");
      else
        for (const WrittenFile& file : state->files) files_[file.name] = file;
    }
    if (count == 0) return;
    if (count > kMostNamed) missing += text(" and ", count - kMostNamed, " more");
    throw bad_file(printable(target_), text("expected ", counted(checkpoint_.shards().size(), "shard"), ", found ",
                                            checkpoint_.shards().size() - count, "; missing: ", missing));
  }

  /// Writes a file of the result and keeps its hash for the manifest.
  void write(const std::string& name, const std::function<void(OutputFile&)>& contents) {
    OutputFile out(path_of_result(name));
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
    const std::string_view given = index.metadata().empty() ? std::string_view("{}") : index.metadata();
    const std::string metadata =
        changed(JsonCursor(given, printable(index.path()), 0, "metadata"), {{"total_size", std::to_string(total)}});
    write(checkpoint_.index_name(), [&](OutputFile& out) {
      out.write("{\"metadata\": " + metadata + ",\n\"weight_map\": {");
      for (std::size_t i = 0; i < index.size(); ++i) {
        out.write(text(i == 0 ? "\n" : ",\n", json_text(index.name(i)), ": ", json_text(index.files()[index.file(i)])));
      }
      out.write("\n}");
      for (std::size_t i = 0; i < index.other_members(); ++i) out.write(text(",\n", index.other_member(i)));
      out.write("}\n");
    });
  }

  void write_config(const Companion& config) {
    const std::string members = changed_config(config.path, plan_);
    write(config.name, [&](OutputFile& out) { out.write(members + '\n'); });
  }

  void copy(const Companion& companion) {
    InputFile file(companion.path);
    std::error_code error;  // of a file that is gone: opening it said so
    const fs::perms permissions = fs::status(companion.path, error).permissions();
    const bool is_program = !error && (permissions & fs::perms::owner_exec) != fs::perms::none;
    write(companion.name, [&](OutputFile& out) {
      copy_bytes(file, 0, file.size_for("file"), out);
      if (is_program) out.make_executable();
    });
  }

  void write_manifest() {
    OutputFile out(path_of_result(kManifest));
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

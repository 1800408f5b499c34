#include "cli/convert/checkpoint.hpp"

#include "cli/convert/globs.hpp"
#include "cli/formats/file_format.hpp"
#include "cli/formats/onnx_model.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/unicode.hpp"
#include "src/user_facing.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>

namespace castforge::cli {
namespace fs = std::filesystem;
namespace {

// Names of weights, in small letters: those of other formats and copies of shards are not for copying beside converted
// ones.
constexpr const char* kOtherWeights[] = {"*.bin",     "*.pt",          "*.pth",          "*.ckpt",   "*.gguf",
                                         "*.onnx",    "*.onnx_data*",  "*.onnx.data*",   "*.pb",     "*.h5",
                                         "*.keras",   "*.msgpack",     "*.npz",          "*.tflite", "*.ot",
                                         "*.mlmodel", "*.safetensors", "*.safetensors.*"};
constexpr std::size_t kLargestList = 1 << 24;

bool holds_other_weights(std::string name) {
  for (char& c : name) c = to_lower(c);
  return std::any_of(std::begin(kOtherWeights), std::end(kOtherWeights),
                     [&](const char* pattern) { return matches(pattern, name); });
}

/// Index, manifest and states are JSON, which holds no other names.
void check_name(const std::string& name, const std::string& path) {
  if (count_code_points(name)) return;
  throw bad_file(printable(path),
                 "expected a file name in UTF-8, as the index and the manifest of the result hold no "
                 "other, found bytes that are none: rename the file");
}

/// Device and number of a file that is there.
std::optional<std::pair<std::uint64_t, std::uint64_t>> identity(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair<std::uint64_t, std::uint64_t>(status.st_dev, status.st_ino);
}

void add_external_files(Shard& shard) {
  InputFile file(shard.path);
  std::optional<OnnxModel> model;
  try {
    model.emplace(file);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::bad_data) throw;
    return;  // damaged: said when it is converted
  }
  for (const OnnxInitializer& one : model->initializers()) {
    const bool is_external = one.place == OnnxInitializer::Place::external;
    if (!is_external || one.file + 1 < shard.files.size()) continue;  // behind the model they are in the order of use
    try {
      shard.files.push_back(described(model->external_path(one)));
    } catch (const Failure& failure) {
      throw model->of_external(one, failure);
    }
  }
}

}  // namespace

bool is_safetensors(std::string_view name) { return extension(name) == "safetensors"; }

bool is_checkpoint_index(const std::string& name) {
  return matches("*.safetensors.index.json", name) || matches("*.safetensors.index.*.json", name);
}

bool is_onnx_model(std::string_view name) { return extension(name) == "onnx"; }

SourceFile described(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw io_error(printable(path), "cannot open", errno);
  if (!S_ISREG(status.st_mode)) throw usage_error(text(printable(path), ": expected a regular file"));
  // 64 bits of nanoseconds end in 2262; later files are of that year.
  constexpr std::int64_t kSecond = 1'000'000'000, kLast = std::numeric_limits<std::int64_t>::max() / kSecond - 1;
  const std::int64_t seconds = std::clamp<std::int64_t>(status.st_mtim.tv_sec, -kLast, kLast);
  return {path, static_cast<std::uint64_t>(status.st_size), seconds * kSecond + status.st_mtim.tv_nsec};
}

fs::path resolved(const std::string& path) {
  std::error_code error;
  fs::path found = fs::absolute(path, error);
  if (!error) found = fs::weakly_canonical(found, error);
  if (error) throw io_error(printable(path), "cannot open", error.value());
  return found;
}

Checkpoint::Checkpoint(const std::string& source) {
  const std::string name = fs::path(source).filename().string();
  std::error_code error;
  const fs::file_status status = fs::status(source, error);
  if (!fs::exists(status)) throw io_error(printable(source), "cannot open", error.value());
  if (fs::is_directory(status)) open_folder(source);
  else if (is_safetensors(name) || is_onnx_model(name)) add_shard(name, source);
  else if (name.ends_with(".txt")) open_list(source);
  else {
    throw usage_error(text(printable(source), ": expected a folder, a .safetensors file, an .onnx model, or a list of ",
                           "such files in a .txt file"));
  }
  std::sort(shards_.begin(), shards_.end(), [](const Shard& a, const Shard& b) { return a.name < b.name; });
  const auto again = std::adjacent_find(shards_.begin(), shards_.end(),
                                        [](const Shard& a, const Shard& b) { return a.name == b.name; });
  if (again != shards_.end()) {
    throw bad_file(printable(source), text("expected files of different names, found ", in_quotes(again->name),
                                           " twice: ", printable(again[0].path), " and ", printable(again[1].path)));
  }
  if (index_) check_name(index_name_, index_->path());
  for (const Shard& shard : shards_) check_name(shard.name, shard.path);
  for (const Companion& companion : companions_) check_name(companion.name, companion.path);
  note_files();
}

void Checkpoint::note_files() {
  const auto note = [&](const std::string& path) {
    if (const auto file = identity(path)) files_.insert(*file);
  };
  if (index_) note(index_->path());
  for (const Companion& companion : companions_) note(companion.path);
  for (const Shard& shard : shards_) {
    for (const SourceFile& file : shard.files) note(file.path);
  }
}

void Checkpoint::check_is_not_read(const std::string& path) const {
  const auto file = identity(path);
  if (!file || !files_.contains(*file)) return;
  throw usage_error(text(printable(path), ": expected another file than those of the source, found one of them"));
}

std::vector<std::string> names_of_result(const std::string& shard) {
  if (!is_onnx_model(shard)) return {shard};
  return {shard, shard + ".data"};
}

std::set<std::string> Checkpoint::result_names() const {
  std::set<std::string> names;
  if (index_) names.insert(index_name_);
  for (const Shard& shard : shards_) {
    const std::vector<std::string> files = names_of_result(shard.name);
    names.insert(files.begin(), files.end());
  }
  for (const Companion& companion : companions_) names.insert(companion.name);
  return names;
}

void Checkpoint::add_companion(const std::string& name, const std::string& path) {
  // It is copied at the end, when all the work is done.
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) throw io_error(printable(path), "cannot open", errno);
  companions_.push_back({name, path});
}

void Checkpoint::open_folder(const std::string& folder) {
  is_folder_ = true;
  std::vector<std::string> names, indexes;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    std::error_code ignored;
    const fs::file_status status = entry.status(ignored);
    if (name.front() == '.' || fs::is_directory(status)) continue;
    if (!fs::is_regular_file(status)) {  // a broken link, for instance: without it the result would lack a file
      throw bad_file(printable(entry.path().string()), fs::exists(status)
                                                           ? "expected a regular file, found another kind of file"
                                                           : "expected a file, found a link that leads nowhere");
    }
    if (is_checkpoint_index(name)) indexes.push_back(name);
    else if (is_safetensors(name)) names.push_back(name);
    else if (!holds_other_weights(name)) add_companion(name, (fs::path(folder) / name).string());
  }
  if (error) throw io_error(printable(folder), "cannot read", error.value());
  std::sort(companions_.begin(), companions_.end(),
            [](const Companion& a, const Companion& b) { return a.name < b.name; });
  std::sort(indexes.begin(), indexes.end());
  if (indexes.size() > 1) {
    throw bad_file(printable(folder), text("expected one index, found ", in_quotes(indexes[0]), " and ",
                                           in_quotes(indexes[1]), "; convert one of them from a folder of its own"));
  }
  if (!indexes.empty()) {
    index_name_ = indexes.front();
    const std::string path = (fs::path(folder) / index_name_).string();
    index_ = std::make_unique<CheckpointIndex>(path);
    std::sort(names.begin(), names.end());
    for (const std::string& name : index_->files()) {
      if (!std::binary_search(names.begin(), names.end(), name)) {
        throw bad_file(printable(path), text("expected the shard ", in_quotes(name), " beside it, found no such file"));
      }
    }
    names = index_->files();
  }
  if (names.empty()) throw bad_file(printable(folder), "expected .safetensors files, found none");
  for (const std::string& name : names) add_shard(name, (fs::path(folder) / name).string());
}

void Checkpoint::open_list(const std::string& list) {
  InputFile file(list);
  const std::string contents = file.read_all("a list", kLargestList);
  const fs::path folder = fs::path(list).parent_path();
  for (std::size_t at = 0, line = 1; at < contents.size(); ++line) {
    const std::size_t end = std::min(contents.find('\n', at), contents.size());
    std::string path = contents.substr(at, end - at);
    at = end + 1;
    if (path.ends_with('\r')) path.pop_back();
    if (path.empty() || path.front() == '#') continue;
    const std::string name = fs::path(path).filename().string();
    if (!is_safetensors(name) && !is_onnx_model(name)) {
      throw bad_file(text(file.name(), ":", line),
                     text("expected the path of a .safetensors or .onnx file, found ", in_quotes(path)));
    }
    add_shard(name, (folder / path).string());
  }
  if (shards_.empty()) throw bad_file(file.name(), "expected paths of files, one per line, found none");
}

void Checkpoint::add_shard(std::string name, std::string path) {
  Shard shard{std::move(name), std::move(path), 0, {}};
  shard.files.push_back(described(shard.path));
  if (is_onnx_model(shard.name)) add_external_files(shard);
  for (const SourceFile& file : shard.files) shard.bytes += file.bytes;
  shards_.push_back(std::move(shard));
}

std::vector<std::size_t> shards_of_part(const std::vector<Shard>& shards, std::size_t index, std::size_t count) {
  std::vector<std::size_t> largest_first(shards.size());
  std::iota(largest_first.begin(), largest_first.end(), std::size_t{0});
  std::stable_sort(largest_first.begin(), largest_first.end(),
                   [&](std::size_t a, std::size_t b) { return shards[a].bytes > shards[b].bytes; });
  // Each goes to the part that has least so far.
  std::vector<std::uint64_t> load(count);
  std::vector<std::size_t> chosen;
  for (const std::size_t shard : largest_first) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += shards[shard].bytes + 1;  // empty files count too
    if (static_cast<std::size_t>(least - load.begin()) == index) chosen.push_back(shard);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace castforge::cli

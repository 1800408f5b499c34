#include "cli/convert/index.hpp"

#include "cli/formats/file_format.hpp"
#include "cli/formats/json_cursor.hpp"
#include "cli/io/failure.hpp"
#include "cli/io/input_file.hpp"

#include <algorithm>
#include <map>

namespace castforge::cli {
namespace {

constexpr std::size_t kLargestIndex = 100'000'000;  // as of the header of a shard

/// The mere name of a file, so that nothing outside the checkpoint's folder is read or written.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == name.npos && name.find('\0') == name.npos &&
         name.size() <= 200;
}

}  // namespace

CheckpointIndex::CheckpointIndex(const std::string& path) : path_(path) {
  InputFile file(path);
  text_ = file.read_all("an index", kLargestIndex);
  JsonCursor json(text_, file.name(), 0, "index");
  std::map<std::string_view, std::uint32_t, std::less<>> known;  // by token
  bool has_map = false;
  const auto entry = [&](std::size_t name_at, std::string_view) {
    const std::size_t file_at = json.at();
    const std::string_view token = json.string("the name of a file, a string");
    const auto [position, is_new] = known.emplace(token, static_cast<std::uint32_t>(files_.size()));
    if (is_new) {
      std::string name = decoded_string(token);
      if (!is_plain_name(name) || extension(name) != "safetensors") {
        json.fail(file_at,
                  text("expected the name of a .safetensors file in the same folder, found ", in_quotes(name)));
      }
      files_.push_back(std::move(name));
    }
    tensors_.push_back({static_cast<std::uint32_t>(name_at), position->second});
  };
  json.members("an object", "metadata or weight_map", [&](std::size_t at, std::string_view name) {
    const std::string key = decoded_string(name);
    if (key == "weight_map") {
      if (has_map) json.fail(at, "expected weight_map once, found it again");
      has_map = true;
      json.members("an object of tensors", "the name of a tensor", entry);
    } else if (key == "metadata") {
      if (metadata_size_ != 0) json.fail(at, "expected metadata once, found them again");
      const std::size_t value_at = json.at();
      const std::string_view value = json.value(JsonWords::pythons);
      if (value.front() != '{') json.fail(value_at, "metadata: expected an object");
      metadata_at_ = value_at;
      metadata_size_ = value.size();
    } else {
      json.value(JsonWords::pythons);  // another tool's member
      others_.emplace_back(at, json.passed() - at);
    }
  });
  json.end();
  if (!has_map || tensors_.empty()) throw bad_file(file.name(), "expected a weight_map with tensors, found none");

  // Files in order; one name may be written in several ways.
  std::vector<std::string> sorted = files_;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  tensors_in_.resize(sorted.size());
  for (Tensor& tensor : tensors_) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), files_[tensor.file]);
    tensor.file = static_cast<std::uint32_t>(at - sorted.begin());
    ++tensors_in_[tensor.file];
  }
  files_ = std::move(sorted);

  std::sort(tensors_.begin(), tensors_.end(),
            [&](const Tensor& a, const Tensor& b) { return compare_strings(from(a.name_at), from(b.name_at)) < 0; });
  const auto again = std::adjacent_find(tensors_.begin(), tensors_.end(), [&](const Tensor& a, const Tensor& b) {
    return compare_strings(from(a.name_at), from(b.name_at)) == 0;
  });
  if (again != tensors_.end()) {
    const auto tensor = static_cast<std::size_t>(again - tensors_.begin());
    throw bad_byte(file.name(), std::max(again[0].name_at, again[1].name_at),
                   text("index: expected each tensor once, found ", in_quotes(name(tensor)), " again"));
  }
}

std::string CheckpointIndex::name(std::size_t tensor) const {
  return decoded_string(JsonCursor(from(tensors_[tensor].name_at), "", 0, "").string(""));
}

std::size_t CheckpointIndex::file_of(std::string_view name_token) const {
  const auto at = std::lower_bound(
      tensors_.begin(), tensors_.end(), name_token,
      [&](const Tensor& tensor, std::string_view name) { return compare_strings(from(tensor.name_at), name) < 0; });
  const bool found = at != tensors_.end() && compare_strings(from(at->name_at), name_token) == 0;
  return found ? at->file : files_.size();
}

}  // namespace castforge::cli

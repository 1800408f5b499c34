#include "spec/shelf.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "spec/loader.hpp"
#include "spec/names.hpp"
#include "spec/nearest.hpp"
#include "spec/read.hpp"
#include "spec/template.hpp"

namespace castforge::spec {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShelf = "shelf/";

/// The JSON files of a folder, in name order.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A file's text as a tree. Throws SpecError.
Node parsed(const fs::path& file) {
  Diagnostics diagnostics;
  Node root;
  parse_json(read_spec(file), file.generic_string(), file.generic_string(), diagnostics, root);
  diagnostics.throw_if_any();
  return root;
}

/// The `doc` of a type or a template.
std::string doc_of(const Node& root) {
  Diagnostics diagnostics;
  const std::string doc = ObjectReader(root, "", diagnostics).prose("doc");
  diagnostics.throw_if_any();
  return doc;
}

fs::path on_shelf(const fs::path& specs, const std::string& text) {
  const std::string name = text.substr(kShelf.size());
  if (const fs::path shipped = specs / "types" / (name + ".json"); fs::exists(shipped)) return shipped;
  if (const fs::path file = specs / "shelf/types" / (name + ".json"); fs::exists(file)) return file;
  for (const fs::path& file : files_in(specs / "shelf/templates")) {
    Diagnostics diagnostics;
    const Node root = parsed(file);
    const bool made = type_of_template(root, name, diagnostics).has_value();
    diagnostics.throw_if_any();  // a parameter out of its range, too
    if (made) return file.string() + "#" + name;
  }
  // The nearest of the names without their common beginning, in which nobody errs.
  std::vector<std::string> names;
  for (const OnShelf& one : shelf(specs)) {
    for (const std::string& full : one.names) names.push_back(full.substr(kShelf.size()));
  }
  const std::string near = nearest(name, names);
  throw std::invalid_argument(text + ": nothing on the shelf has that name" +
                              (near.empty() ? "" : ": did you mean \"" + std::string(kShelf) + near + "\"?") +
                              (near.empty() ? "; " : " ") + "`castforge list shelf` shows what there is");
}

fs::path opset_file(const fs::path& specs, const std::string& text) {
  const std::size_t at = text.find('@');
  const fs::path file = specs / "opsets" / (text.substr(0, at) + "-" + text.substr(at + 1) + ".json");
  if (fs::exists(file)) return file;
  std::vector<std::string> names;
  for (const fs::path& other : files_in(specs / "opsets")) {
    std::string name = other.stem().string();
    const std::size_t version = name.find_first_of("0123456789");
    if (version != std::string::npos && version > 0) names.push_back(name.replace(version - 1, 1, "@"));
  }
  throw std::invalid_argument(text + ": no shipped op-set has that name" + did_you_mean(text, names));
}

}  // namespace

fs::path named_spec(const fs::path& specs, const std::string& text) {
  std::error_code error;
  const fs::file_status status = fs::status(file_of_spec(text).first, error);
  if (fs::exists(status)) return text;
  if (status.type() == fs::file_type::none)  // something else is wrong with it
    throw std::invalid_argument(text + ": cannot open: " + error.message());
  if (text.starts_with(kShelf) && text.find('/', kShelf.size()) == std::string::npos) return on_shelf(specs, text);
  const std::size_t at = text.find('@');
  if (at != std::string::npos && is_opset_name(text.substr(0, at)) && is_version(text.substr(at + 1)))
    return opset_file(specs, text);
  throw std::invalid_argument(text + ": no such file; names of shipped specs are like shelf/ue5m3 and ieee754@2019");
}

std::vector<OnShelf> shelf(const fs::path& specs) {
  std::vector<OnShelf> all;
  for (const fs::path& file : files_in(specs / "shelf/types")) {
    const std::string name = std::string(kShelf) + file.stem().string();
    all.push_back({name, doc_of(parsed(file)), {name}});
  }
  for (const fs::path& file : files_in(specs / "shelf/templates")) {
    const Node root = parsed(file);
    Diagnostics diagnostics;
    OnShelf& one = all.emplace_back(OnShelf{std::string(kShelf) + template_pattern(root), doc_of(root), {}});
    for (const std::string& name : names_of_template(root, diagnostics))
      one.names.push_back(std::string(kShelf) + name);
    diagnostics.throw_if_any();
  }
  return all;
}

std::pair<fs::path, std::string> file_of_spec(const fs::path& path) {
  std::error_code error;
  const std::string text = path.string();
  const std::size_t hash = text.rfind('#');
  if (hash == std::string::npos || fs::exists(path, error)) return {path, ""};
  return {text.substr(0, hash), text.substr(hash + 1)};
}

}  // namespace castforge::spec

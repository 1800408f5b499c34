#include "spec/loader.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <system_error>

#include "spec/names.hpp"
#include "spec/read.hpp"
#include "spec/shelf.hpp"
#include "spec/template.hpp"

namespace castforge::spec {
namespace {

namespace fs = std::filesystem;

enum class Role { type, rounding, opset, system, by_content };

struct Document {
  fs::path path;      // as reached through what the user named
  std::string label;  // what the model records: the named folder's own name and the path below it
  Role role = Role::by_content;
  bool named = false;              // itself, not only a folder around it
  bool in_library = false;         // of the first path
  bool good = false;               // of paths known to be good
  std::string made;                // what a template is to make
  const SpecText* text = nullptr;  // in place of the file
  Node root;
};

class Collector {
 public:
  Collector(const std::vector<fs::path>& named, std::size_t good, const std::vector<SpecText>& texts) {
    for (std::size_t i = 0; i < named.size(); ++i) {
      const std::size_t before = documents_.size();
      collect(named[i]);
      for (Document& document : std::span(documents_).subspan(before)) {
        document.in_library = i == 0;
        document.good = i < good;
      }
    }
    for (const SpecText& text : texts) {
      const std::size_t before = documents_.size();
      if (text.made.empty()) add(text.path, text.path.filename().generic_string(), Role::by_content, true, &text);
      else add_made(text.path, text.made, &text);
      for (Document& document : std::span(documents_).subspan(before)) document.good = text.good;
    }
    std::stable_sort(documents_.begin(), documents_.end(),
                     [](const auto& a, const auto& b) { return a.label < b.label; });
  }
  std::vector<Document>& documents() { return documents_; }

 private:
  void collect(const fs::path& path) {
    const auto [named, made] = file_of_spec(path);
    if (!fs::exists(named)) throw Unreadable(named.string() + ": no such file or folder of specs");
    if (!fs::is_directory(named)) {
      if (made.empty()) add(named, named.filename().generic_string(), Role::by_content, true);
      else add_made(named, made);
      return;
    }
    const std::string name = fs::canonical(named).filename().generic_string();
    constexpr std::pair<const char*, Role> kFolders[] = {
        {"types", Role::type}, {"roundings", Role::rounding}, {"opsets", Role::opset}, {"systems", Role::system}};
    Role own = Role::by_content;
    for (const auto& [folder, role] : kFolders) {
      if (name == folder) own = role;
    }
    std::size_t found = add_folder(named, name, own);
    for (const auto& [folder, role] : kFolders) {
      if (fs::is_directory(named / folder)) found += add_folder(named / folder, name + "/" + folder, role);
    }
    if (found == 0) throw Unreadable(named.string() + ": this folder holds no specs (*.json)");
  }

  std::size_t add_folder(const fs::path& folder, const std::string& label, Role role) {
    // Of links to one file the first in order gives the label, in whatever order the folder lists them.
    std::set<fs::directory_entry> entries;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) entries.insert(entry);
    std::size_t found = 0;
    for (const fs::directory_entry& entry : entries) {
      const fs::path name = entry.path().filename();
      if (lower_case(name.extension().string()) != ".json") continue;
      if (name.extension() != ".json")
        throw Unreadable(entry.path().string() + ": the names of specs end in .json, in small letters");
      std::error_code error;  // of a link that leads to itself, say
      if (!entry.is_regular_file(error)) {
        if (name.string().starts_with('.')) continue;  // links by which editors mark files that are being edited
        throw Unreadable(entry.path().string() + ": expected a spec, found " +
                         (entry.is_directory(error) ? "a folder"
                          : entry.exists(error)     ? "no regular file"
                                                    : "a link that leads nowhere"));
      }
      add(entry.path(), label + "/" + entry.path().filename().generic_string(), role);
      ++found;
    }
    return found;
  }

  void add(const fs::path& path, std::string label, Role role, bool named = false, const SpecText* text = nullptr) {
    const fs::path real = text != nullptr ? text->real : fs::canonical(path);
    if (Document* const known = find(real, text)) {
      known->named |= named;
      return;
    }
    seen_.emplace(real, documents_.size());
    // Two folders of the same name: tell their files apart by the folders around them.
    fs::path around = real.parent_path();
    for (std::size_t up = static_cast<std::size_t>(std::count(label.begin(), label.end(), '/')); up > 0; --up) {
      around = around.parent_path();
    }
    while (labels_.contains(label) && around.has_relative_path()) {
      label = around.filename().generic_string() + "/" + label;
      around = around.parent_path();
    }
    take_label(label);
    documents_.push_back(
        {.path = path, .label = std::move(label), .role = role, .named = named, .made = {}, .text = text, .root = {}});
  }

  /// The document of that file with the same contents, or null.
  Document* find(const fs::path& real, const SpecText* text) {
    const auto [first, last] = seen_.equal_range(real);
    for (auto at = first; at != last; ++at) {
      Document& known = documents_[at->second];
      if (known.text == nullptr || text == nullptr || known.text->contents == text->contents) return &known;
    }
    return nullptr;
  }

  void take_label(std::string& label) {
    while (!labels_.insert(label).second) label += '+';  // no folder is left to tell them apart by
  }

  /// Types of one template are documents of their own.
  void add_made(const fs::path& path, const std::string& made, const SpecText* text = nullptr) {
    std::string label = path.filename().generic_string() + "#" + made;
    const fs::path real = (text != nullptr ? text->real : fs::canonical(path)).string() + "#" + made;
    if (find(real, text) != nullptr) return;
    seen_.emplace(real, documents_.size());
    take_label(label);
    documents_.push_back(
        {.path = path, .label = label, .role = Role::type, .named = true, .made = made, .text = text, .root = {}});
  }

  std::vector<Document> documents_;
  std::multimap<fs::path, std::size_t> seen_;  // to places in documents_ as it is filled
  std::set<std::string> labels_;
};

Role role_of(const Document& document, Diagnostics& diagnostics) {
  if (document.role != Role::by_content) return document.role;
  if (document.root.find("opset") != nullptr) return Role::opset;
  if (document.root.find("carry") != nullptr) return Role::rounding;
  if (document.root.find("kind") != nullptr) return Role::type;
  if (document.root.find("system") != nullptr) return Role::system;
  if (document.root.find("template") != nullptr)
    diagnostics.error(document.root.where,
                      "expected a spec, found a template of several: FILE#NAME names one of those that it makes");
  else
    diagnostics.error(document.root.where,
                      "expected a spec: an object with the key \"kind\" (a type), \"carry\" (a "
                      "rounding mode), \"opset\" or \"system\", found none of them");
  return Role::by_content;
}

using Types = std::vector<const Type*>;

/// Those that are known to be good first: what contradicts them is to blame.
template <class T>
std::vector<const T*> known_first(const std::vector<std::unique_ptr<T>>& all, const std::set<const T*>& added) {
  std::vector<const T*> ordered;
  for (const auto& one : all) ordered.push_back(one.get());
  std::stable_partition(ordered.begin(), ordered.end(), [&](const T* one) { return !added.contains(one); });
  return ordered;
}

void check_type_names(const SpecModel& model, const Types& types, const std::set<const Type*>& added,
                      Diagnostics& diagnostics) {
  std::map<std::string, const Type*> owners;  // names and user-facing aliases, lower case
  for (const Type* const type : types) {
    const auto [owner, fresh] = owners.emplace(type->name, type);
    if (!fresh) {
      diagnostics.error(type->where,
                        "type \"" + type->name + "\" is already defined at " + diagnostics.cite(owner->second->where));
    }
  }
  std::map<std::pair<std::string, std::string>, const Type*> in_systems;
  for (const Type* const type : types) {
    for (const Alias& alias : type->aliases) {
      // Names that users write mean one type in all systems, as is said below.
      if (!is_user_facing(alias.name) && !model.is_shared(alias)) {
        const auto [owner, fresh] = in_systems.emplace(std::pair(alias.system, alias.name), type);
        if (!fresh && owner->second->name != type->name) {
          diagnostics.error(alias.where, "alias \"" + alias.name + "\" of " + alias.system + " already names type \"" +
                                             owner->second->name + "\" (" + diagnostics.cite(owner->second->where) +
                                             "); where several types may have such a name, its system says so: " +
                                             "\"shared_prefixes\"");
        }
      }
      if (!is_user_facing(alias.name)) continue;
      const auto [owner, fresh] = owners.emplace(lower_case(alias.name), type);
      if (fresh || owner->second->name == type->name) continue;
      if (added.contains(owner->second) && !added.contains(type)) {
        diagnostics.error(owner->second->where, "the name \"" + alias.name + "\" is taken: it is an alias of type \"" +
                                                    type->name + "\" (" + diagnostics.cite(alias.where) + ")");
        continue;
      }
      diagnostics.error(alias.where, "alias \"" + alias.name + "\" already names type \"" + owner->second->name +
                                         "\" (" + diagnostics.cite(owner->second->where) + ")");
    }
  }
}

void check_type_ids(const Types& types, Diagnostics& diagnostics) {
  std::set<int> ids;
  for (const Type* const type : types) ids.insert(type->id);
  int free = ids.empty() ? kFirstOwnTypeId : std::max(kFirstOwnTypeId, *ids.rbegin() + 1);
  if (free > kLargestTypeId) {
    for (free = kFirstOwnTypeId; ids.contains(free);) ++free;
  }
  std::map<int, const Type*> owners;
  for (const Type* const type : types) {
    const auto [owner, fresh] = owners.emplace(type->id, type);
    if (fresh || owner->second->name == type->name) continue;
    diagnostics.error(type->where, "\"id\" " + std::to_string(type->id) + " is the number of type \"" +
                                       owner->second->name + "\" (" + diagnostics.cite(owner->second->where) + "); " +
                                       std::to_string(free) + " is free");
  }
}

void check_rounding_names(const std::vector<const Rounding*>& roundings, Diagnostics& diagnostics) {
  std::map<std::string, const Rounding*> owners;
  for (const Rounding* const rounding : roundings) {
    for (const std::string& name : {rounding->name, rounding->short_name}) {
      const auto [owner, fresh] = owners.emplace(name, rounding);
      if (fresh || owner->second == rounding) continue;
      diagnostics.error(rounding->where, "rounding mode name \"" + name + "\" is already taken at " +
                                             diagnostics.cite(owner->second->where));
    }
  }
}

/// Each system once, its aliases as it says that they look, and no other element of such a name.
/// `types`: those that are known to be good first, all but the ones that were `added`; `added_files`: of systems.
void check_systems(SpecModel& model, const Types& types, const std::set<const Type*>& added,
                   const std::set<std::string>& added_files, Diagnostics& diagnostics) {
  const auto is_added = [&](const System& system) { return added_files.contains(system.where.file); };
  std::stable_sort(model.systems.begin(), model.systems.end(), [&](const auto& a, const auto& b) {
    return std::pair(a.name, is_added(a)) < std::pair(b.name, is_added(b));
  });
  for (std::size_t i = 1; i < model.systems.size(); ++i) {
    const System& system = model.systems[i];
    if (model.systems[i - 1].name != system.name) continue;
    diagnostics.error(system.where, "system \"" + system.name + "\" is already defined at " +
                                        diagnostics.cite(model.systems[i - 1].where));
  }
  for (const Type* const type : types) {
    for (const Alias& alias : type->aliases) {
      const System* const system = model.find_system(alias.system);
      if (system == nullptr) continue;
      const std::string name = "\"" + alias.name + "\"";
      if (!system->fits(alias.name)) {
        diagnostics.error(alias.where,
                          "an alias of " + system->name + " must be " + system->expected + " (got " + name + ")");
      }
      if (!system->other_elements.contains(alias.name)) continue;
      if (added.contains(type) && !is_added(*system)) {
        diagnostics.error(alias.where, "alias " + name + " of " + system->name +
                                           " is an element that no type describes (" + diagnostics.cite(system->where) +
                                           ")");
        continue;
      }
      diagnostics.error(system->where, "element " + name + " of " + system->name + " is the type " + type->name + " (" +
                                           diagnostics.cite(alias.where) + ")");
    }
  }
}

}  // namespace

std::string read_spec(const fs::path& path) {
  if (!fs::is_regular_file(path)) throw Unreadable(path.string() + ": specs are read from regular files only");
  errno = EIO;
  std::ifstream stream(path, std::ios::binary);
  std::string text(std::min<std::uintmax_t>(fs::file_size(path), kLargestSpec + 1), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || !stream.is_open()) {
    const int reason = errno;
    throw Unreadable(path.string() + ": cannot read: " + std::generic_category().message(reason));
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));  // fewer where the file shrinks meanwhile
  return text;
}

SpecText text_of_spec(const fs::path& path) {
  auto [file, made] = file_of_spec(path);
  return {.path = file, .real = fs::canonical(file), .made = made, .contents = read_spec(file)};
}

SpecModel load(const std::vector<fs::path>& spec_paths, const std::vector<std::string>& opsets, std::size_t good,
               const std::vector<SpecText>& texts) {
  Diagnostics diagnostics;
  SpecModel model;
  Collector collector(spec_paths, good, texts);
  std::vector<std::unique_ptr<OpSetFile>> opset_files;
  std::set<const Type*> added;  // not of paths known to be good
  std::set<const Rounding*> added_roundings;
  std::set<std::string> added_files;  // of systems
  for (Document& document : collector.documents()) {
    const std::string text = document.text != nullptr ? document.text->contents : read_spec(document.path);
    if (text.size() > kLargestSpec) {
      const std::string path = document.path.generic_string();
      diagnostics.name_file(document.label, path);
      diagnostics.error({document.label, "", 1, 1},
                        "expected a file of at most " + std::to_string(kLargestSpec) + " bytes, found a longer one");
      continue;
    }
    if (!parse_json(text, document.path.generic_string(), document.label, diagnostics, document.root)) continue;
    if (!document.made.empty()) {
      auto made = type_of_template(document.root, document.made, diagnostics);
      if (!made && diagnostics.empty())
        diagnostics.error(document.root.where,
                          "\"" + document.made + "\" is no name of this template, " + template_pattern(document.root));
      if (!made) continue;
      document.root = std::move(*made);
    }
    if (document.root.kind != Node::Kind::object) {
      diagnostics.error(document.root.where, "expected an object, found " + document.root.describe());
      continue;
    }
    switch (role_of(document, diagnostics)) {
      case Role::opset:
        if (auto file = read_opset(document.root, diagnostics)) {
          file->whole = document.named;
          file->in_library = document.in_library;
          file->good = document.good;
          opset_files.push_back(std::move(file));
        }
        break;
      case Role::rounding:
        if (auto rounding = read_rounding(document.root, diagnostics)) {
          if (!document.good) added_roundings.insert(rounding.get());
          model.roundings.push_back(std::move(rounding));
        }
        break;
      case Role::type:
        if (auto type = read_type(document.root, diagnostics)) {
          type->path = document.path.generic_string();
          if (!document.good) added.insert(type.get());
          model.types.push_back(std::move(type));
        }
        break;
      case Role::system:
        if (auto system = read_system(document.root, diagnostics)) {
          if (!document.good) added_files.insert(document.label);
          model.systems.push_back(std::move(*system));
        }
        break;
      case Role::by_content: break;
    }
  }
  const auto by_name = [](const auto& a, const auto& b) { return a->name < b->name; };
  std::stable_sort(model.types.begin(), model.types.end(), by_name);
  std::stable_sort(model.roundings.begin(), model.roundings.end(), by_name);
  const Types types = known_first(model.types, added);
  check_systems(model, types, added, added_files, diagnostics);
  check_type_names(model, types, added, diagnostics);
  check_type_ids(types, diagnostics);
  check_rounding_names(known_first(model.roundings, added_roundings), diagnostics);
  diagnostics.throw_if_any();  // op-sets would only repeat what is wrong with their types
  link_opsets(opset_files, opsets, added, model, diagnostics);
  diagnostics.throw_if_any();
  return model;
}

}  // namespace castforge::spec

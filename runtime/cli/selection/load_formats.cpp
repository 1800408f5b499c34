#include "cli/selection/load_formats.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/json_text.hpp"
#include "cli/io/words.hpp"

#include <castforge/interface.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#if CASTFORGE_READS_SPECS
#include "spec/diagnostics.hpp"
#include "spec/loader.hpp"
#include "spec/names.hpp"
#include "spec/shelf.hpp"
#include "spec/shipped.hpp"
#include "tabulate/make.hpp"
#endif

namespace castforge::cli {
namespace {

namespace fs = std::filesystem;

#if CASTFORGE_READS_SPECS

/// The op-sets that the library was built with; none where they are those that the specs say.
std::vector<std::string> opsets_of_library() {
  const std::string_view list(CASTFORGE_OPSETS, sizeof CASTFORGE_OPSETS - 1);
  return list.empty() ? std::vector<std::string>() : split(list, ',');
}

/// The file that a text names: a path, or where there is none the name of a shipped spec.
std::string file_named(const std::string& name, const fs::path& shipped) {
  try {
    return spec::named_spec(shipped, name).string();
  } catch (const std::invalid_argument& error) {
    throw Failure(ExitCode::input_output, error.what(), ENOENT);
  } catch (const spec::SpecError& error) {
    throw Failure(ExitCode::bad_data, error.what());
  }
}

/// From here on the spec is part of the library, wherever its file is by then.
void keep(std::vector<spec::SpecText>& loaded, spec::SpecText text) {
  const bool known = std::any_of(loaded.begin(), loaded.end(), [&](const spec::SpecText& one) {
    return one.real == text.real && one.made == text.made && one.contents == text.contents;
  });
  if (known) return;
  text.path = text.real;
  text.good = true;
  loaded.push_back(std::move(text));
}

/// Adds what tables of a spec add, which castforge-gen would write for it beside what was loaded before. `read` gives
/// the spec.
Status load_spec(const std::string& path, const std::function<spec::SpecText()>& read, const fs::path& shipped) {
  static std::mutex mutex;
  static std::vector<spec::SpecText> loaded;
  const std::lock_guard guard(mutex);
  spec::SpecText own;
  try {
    own = read();
    std::vector<spec::SpecText> texts = loaded;
    texts.push_back(own);
    const std::string file = tabulate::make({.library = {shipped},
                                             .own = {},
                                             .texts = std::move(texts),
                                             .library_opsets = opsets_of_library(),
                                             .opsets = {},
                                             .pairs = {},
                                             .verified = false})  // load() holds tables against its own arithmetic
                                 .file;
    const Status status = load(std::as_bytes(std::span(file)));
    if (status) keep(loaded, std::move(own));
    return status;
  } catch (const tabulate::NothingNew&) {
    keep(loaded, std::move(own));  // a rounding mode, say, which an op-set that comes later refers to
    return Status();
  } catch (const spec::SpecError& error) {
    throw Failure(ExitCode::bad_data, error.what());
  } catch (const spec::Unreadable& error) {
    throw Failure(ExitCode::input_output, error.what());
  } catch (const fs::filesystem_error& error) {
    throw io_error(path, "cannot read", error.code().value());
  } catch (const std::logic_error& error) {  // a name that is none, more than a file holds
    throw Failure(ExitCode::bad_data, text(path, ": ", error.what()));
  }
}

Status load_spec_file(const std::string& path, const fs::path& shipped) {
  return load_spec(
      path, [&] { return spec::text_of_spec(path); }, shipped);
}

Status load_text(const std::string& called, const std::string& contents, const fs::path& shipped) {
  const auto read = [&] {
    return spec::SpecText{.path = called, .real = called, .made = {}, .contents = contents, .good = false};
  };
  return load_spec(called, read, shipped);
}

std::vector<ShelvedFormats> on_the_shelf(const fs::path& shipped) {
  std::vector<ShelvedFormats> all;
  try {
    for (spec::OnShelf& one : spec::shelf(shipped))
      all.push_back({std::move(one.pattern), std::move(one.doc), std::move(one.names)});
  } catch (const spec::SpecError& error) {
    throw Failure(ExitCode::bad_data, error.what());
  }
  return all;
}

/// "2019" for ieee754: the newest of a family's shipped versions, by the number that they begin with; empty where there
/// is none.
std::string newest_version(const std::string& family, const fs::path& shipped) {
  const std::string beginning = family + '-';
  std::pair<unsigned long long, std::string> newest;
  std::error_code error;
  for (fs::directory_iterator entry(shipped / "opsets", error), end; !error && entry != end; entry.increment(error)) {
    const std::string stem = entry->path().stem().string();
    if (!stem.starts_with(beginning)) continue;
    const std::string version = stem.substr(beginning.size());
    if (spec::is_version(version)) newest = std::max(newest, {std::strtoull(version.c_str(), nullptr, 10), version});
  }
  return newest.second;
}

/// Whether a file's type has that alias, in small letters.
bool has_alias(const std::string& file, const std::string& word) {
  std::ifstream in(file, std::ios::binary);
  try {
    const nlohmann::ordered_json aliases =
        parse_json(std::string{std::istreambuf_iterator<char>(in), {}}).at("aliases");
    return std::any_of(aliases.begin(), aliases.end(), [&](const nlohmann::ordered_json& value) {
      const auto is_word = [&](const nlohmann::ordered_json& one) {
        return one.is_string() && spec::lower_case(one.get<std::string>()) == word;
      };
      return is_word(value) || (value.is_array() && std::any_of(value.begin(), value.end(), is_word));
    });
  } catch (const nlohmann::ordered_json::exception&) {
    return false;  // it has none
  }
}

#else

std::string newest_version(const std::string&, const fs::path&) { return {}; }

std::string file_named(const std::string& path, const fs::path&) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw io_error(printable(path), "cannot open", error.value());
  return path;
}

Status load_spec_file(const std::string& path, const fs::path&) {
  throw usage_error(text(path,
                         ": this program was built without the generator and cannot read specs; `castforge-gen "
                         "tables` makes a .cft file of them"));
}

Status load_text(const std::string& called, const std::string&, const fs::path& shipped) {
  return load_spec_file(called, shipped);
}

std::vector<ShelvedFormats> on_the_shelf(const fs::path&) {
  throw usage_error("this program was built without the generator and has no shelf of specs");
}

#endif

/// Is it the name of a shipped spec, and not that of a file at hand?
bool is_shipped(const std::string& name, const fs::path& shipped) {
  std::error_code error;
  try {
    return !fs::exists(name, error) && !file_named(name, shipped).empty();
  } catch (const Failure&) {
    return false;
  }
}

}  // namespace

fs::path shipped_specs() {
#if CASTFORGE_READS_SPECS
  return spec::shipped_data("castforge", CASTFORGE_SOURCE_DIR, CASTFORGE_INSTALL_DATADIR) / "specs";
#else
  return {};
#endif
}

std::vector<ShelvedFormats> shelved_formats(const fs::path& shipped) { return on_the_shelf(shipped); }

std::string how_to_load(const std::string& name, const std::filesystem::path& shipped) {
  for (const std::string& one : {name, name + '@' + newest_version(name, shipped)})
    if (is_shipped(one, shipped)) return text("; castforge --load ", one, " ... adds it");
  return "";
}

std::string how_to_load_type(const std::string& name, const fs::path& shipped) {
#if CASTFORGE_READS_SPECS
  const std::string word = spec::lower_case(name);
  try {
    for (const ShelvedFormats& formats : on_the_shelf(shipped)) {
      for (const std::string& one : formats.names) {
        const bool named = spec::lower_case(one) == "shelf/" + word;
        // What a template makes has no other names than those that it makes of the template's.
        if (named || (formats.names.size() == 1 && has_alias(file_named(one, shipped), word)))
          return how_to_load(one, shipped);
      }
    }
  } catch (const std::exception&) {
    return "";  // a shelf that cannot be read is no answer to a misspelt name
  }
#endif
  return how_to_load("shelf/" + name, shipped);
}

std::string how_to_load_value(const std::string& opset, const std::string& attribute, const std::string& value,
                              const fs::path& shipped) {
  std::string hint = how_to_load(opset, shipped);
  if (hint.empty()) return hint;
  std::ifstream in(file_named(opset, shipped), std::ios::binary);
  try {
    const nlohmann::ordered_json spec = parse_json(std::string{std::istreambuf_iterator<char>(in), {}});
    const nlohmann::ordered_json& values = spec.at("attributes").at(attribute).at("values");
    return std::find(values.begin(), values.end(), value) != values.end() ? hint : "";
  } catch (const nlohmann::ordered_json::exception&) {
    return "";  // not to be read, no such attribute, or one of a spec that this one extends
  }
}

void load_formats(const std::string& name, const std::filesystem::path& shipped) {
  const std::string path = file_named(name, shipped);
  Status status;
  // FILE.json#NAME: a format that a template of the shelf makes.
  if (path.ends_with(".json") || path.find(".json#") != std::string::npos) {
    status = load_spec_file(path, shipped);
  } else if (path.ends_with(".cft")) {
    std::error_code error;
    if (!fs::is_regular_file(path, error))
      throw Failure(ExitCode::input_output, text(printable(path), ": .cft files are read from regular files only"));
    const InputFile readable(path);  // what stays shut is an input/output error, unlike what a file says
    status = load(path.c_str());
  } else {
    throw usage_error(text("--load: expected a file named *.json (a spec) or *.cft (tables), found ", in_quotes(path)));
  }
  if (!status) throw Failure(ExitCode::bad_data, text(name, ": ", status.message()));
}

void load_spec_text(const std::string& called, const std::string& contents, const std::filesystem::path& shipped) {
  const Status status = load_text(called, contents, shipped);
  if (!status) throw Failure(ExitCode::bad_data, text(called, ": ", status.message()));
}

}  // namespace castforge::cli

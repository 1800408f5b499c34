// Formats, rounding modes and op-sets of somebody's own, added to the library while it runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace castforge::cli {

/// Where the specs of this program are.
std::filesystem::path shipped_specs();

/// Adds what the library lacks of a spec (*.json) or of tables made of one (*.cft). `name`: a path, or the name of a
/// shipped spec that no library has by default ("shelf/binary8p3ue"). `shipped`: the specs that the library was made
/// of; a spec may refer to them, and to specs that were loaded before it, as they were then. Loading twice changes
/// nothing. Throws Failure, and nothing of the file stays.
void load_formats(const std::string& name, const std::filesystem::path& shipped);

/// The same for the text of a spec. `called`: what complaints call it.
void load_spec_text(const std::string& called, const std::string& contents, const std::filesystem::path& shipped);

/// What to say of a name that the library does not know and load_formats does: "; castforge --load NAME ... adds it".
/// Empty where no shipped spec has the name.
std::string how_to_load(const std::string& name, const std::filesystem::path& shipped);

/// The same for a type on the shelf, by its name or an alias; letter case does not count, as in the library.
std::string how_to_load_type(const std::string& name, const std::filesystem::path& shipped);

/// The same for a value that an op-set of the library refuses for an attribute, where its shipped spec has that value:
/// it may have been compiled with some of them only.
std::string how_to_load_value(const std::string& opset, const std::string& attribute, const std::string& value,
                              const std::filesystem::path& shipped);

/// Formats that load_formats knows by name: one, or those that a template makes.
struct ShelvedFormats {
  std::string pattern;  // "shelf/ue5m3", "shelf/binary{K}p{P}{sign}{domain}"
  std::string doc;
  std::vector<std::string> names;
};

/// All of them, of the specs in `shipped`. Throws Failure.
std::vector<ShelvedFormats> shelved_formats(const std::filesystem::path& shipped);

}  // namespace castforge::cli

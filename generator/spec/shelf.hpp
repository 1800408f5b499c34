// Shipped specs by name: what a program's --load and --specs take beside paths.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace castforge::spec {

/// What a text names: a file or folder that exists, "shelf/NAME" a format of `specs`/shelf (a file in types/, or
/// TEMPLATE#NAME of templates/), "FAMILY@VERSION" an op-set of `specs`. Throws std::invalid_argument where it is none
/// of these.
std::filesystem::path named_spec(const std::filesystem::path& specs, const std::string& text);

/// The file of a path that named_spec gave, and what the template in it is to make; empty for a file that is no
/// template.
std::pair<std::filesystem::path, std::string> file_of_spec(const std::filesystem::path& path);

/// Formats that no library has by default: one, or those that a template makes.
struct OnShelf {
  std::string pattern;  // "shelf/ue5m3", "shelf/binary{K}p{P}{sign}{domain}"
  std::string doc;
  std::vector<std::string> names;  // the name, or all that the template makes
};

/// What there is in `specs`/shelf: files, then templates, each in the order of their names. Throws SpecError.
std::vector<OnShelf> shelf(const std::filesystem::path& specs);

}  // namespace castforge::spec

#include "emit/template.hpp"

#include <fstream>
#include <kainjow/mustache.hpp>
#include <sstream>
#include <stdexcept>

namespace castforge::emit {
namespace {

kainjow::mustache::data to_mustache(const Fields& fields) {
  kainjow::mustache::data data(kainjow::mustache::data::type::object);
  for (const auto& [name, word] : fields.words) data.set(name, word);
  for (const auto& [name, list] : fields.lists) {
    kainjow::mustache::data items(kainjow::mustache::data::type::list);
    for (const Fields& item : list) items.push_back(to_mustache(item));
    data.set(name, items);
  }
  return data;
}

}  // namespace

Templates::Templates(const std::filesystem::path& directory) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".mustache") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error(entry.path().string() + ": cannot be read");
    texts_[entry.path().stem().string()] = text.str();
  }
  if (error) throw std::runtime_error(directory.string() + ": " + error.message() + " (expected the template folder)");
  for (const auto& [name, text] : texts_) check_parts(name, text);
}

/// Mustache itself writes nothing for a part that is missing.
void Templates::check_parts(const std::string& name, const std::string& text) const {
  const std::string begin = "{{>", end = "}}";
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    std::string part = text.substr(at, text.find(end, at) - at);
    std::erase(part, ' ');
    if (!texts_.contains(part)) {
      throw std::runtime_error("templates/" + name + ".mustache asks for templates/" + part +
                               ".mustache, which is missing");
    }
  }
}

std::string Templates::render(const std::string& name, const Fields& fields) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) throw std::runtime_error("templates/" + name + ".mustache is missing");
  kainjow::mustache::mustache frame(found->second);
  if (!frame.is_valid()) throw std::runtime_error("templates/" + name + ".mustache: " + frame.error_message());
  // What is no HTML, C++ and Markdown for instance, is written as it is.
  if (!name.ends_with(".html")) frame.set_custom_escape([](const std::string& text) { return text; });
  kainjow::mustache::data data = to_mustache(fields);
  for (const auto& [part, text] : texts_) data.set(part, kainjow::mustache::partial([&text = text] { return text; }));
  return frame.render(data);
}

}  // namespace castforge::emit

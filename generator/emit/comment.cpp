#include "emit/comment.hpp"

#include <sstream>

namespace castforge::emit {

std::vector<std::string> comment_lines(const std::string& first, const std::string& text) {
  const std::size_t slashes = first.find("//") + 2;
  const std::string below = first.substr(0, slashes) + std::string(first.size() - slashes, ' ');
  std::vector<std::string> lines;
  std::string line = first;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kColumns && line.size() > first.size()) {
      lines.push_back(line);
      line = below;
    }
    line += (line.size() == first.size() ? "" : " ") + word;
  }
  lines.push_back(line);
  return lines;
}

}  // namespace castforge::emit

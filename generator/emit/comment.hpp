// Comments of files that are written, in lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spec/model.hpp"

namespace castforge::emit {

/// The longest line of a written file.
inline constexpr std::size_t kColumns = 120;

/// The words of a text in lines of that width, but for a longer word; one line at least.
std::vector<std::string> words_within(const std::string& text, std::size_t width);

/// The words of a text behind `first`, which holds "//"; where they fill more than a line, the others begin below the
/// first word.
std::vector<std::string> comment_lines(const std::string& first, const std::string& text);

/// What rules rest on, each text once behind all rules that cite it: "onnx-1 (to-float), onnx-19 (f8-saturate): ONNX
/// Cast-13 ...".
std::vector<std::string> citations(const std::vector<const spec::Rule*>& rules);

}  // namespace castforge::emit

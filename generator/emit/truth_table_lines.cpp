// Truth tables as lines of comments.
#include <algorithm>

#include "emit/comment.hpp"
#include "emit/truth_table.hpp"

namespace castforge::emit {
namespace {

/// The lines of a cell: what does not fit on the first goes on below it.
using TextLines = std::vector<std::string>;

constexpr const char* kUpTo = " .. ";

/// A column of numbers and ranges of them.
struct RangeColumn {
  std::size_t width = 0;

  /// `broken`: ranges may go on below their "..".
  RangeColumn(const std::vector<TruthRow>& rows, std::string TruthRow::*text, bool broken) {
    for (const TruthRow& row : rows) {
      for (const std::string& line : broken ? both_ends(row.*text) : TextLines{row.*text})
        width = std::max(width, line.size());
    }
  }
  TextLines lines(const std::string& text) const { return text.size() <= width ? TextLines{text} : both_ends(text); }

 private:
  static TextLines both_ends(const std::string& text) {
    const std::size_t at = text.find(kUpTo);
    return at == std::string::npos ? TextLines{text} : TextLines{text.substr(0, at + 3), text.substr(at + 4)};
  }
};

/// Fewer columns are too few for words.
constexpr std::size_t kLeastRoom = 24;

struct Grid {
  RangeColumn source, value;
  std::size_t code = 0, room = 0;  // of the last column: what is left of a line of a comment

  Grid(const std::vector<TruthRow>& rows, bool broken)
      : source(rows, &TruthRow::source, broken), value(rows, &TruthRow::value, broken) {
    for (const TruthRow& row : rows) code = std::max(code, row.code.size());
    const std::size_t before = 5 + source.width + 3 + code + 3 + value.width + 3;
    room = before < kColumns ? kColumns - before : 0;
  }
};

}  // namespace

std::vector<std::string> format_truth_table(const spec::Meaning& meaning) {
  std::vector<TruthRow> rows = truth_table(meaning);
  std::vector<std::string> lines;
  if (rows.empty()) return lines;
  rows.insert(rows.begin(), {meaning.src->name, "code", "value", "because"});
  Grid grid(rows, false);
  if (grid.room < kLeastRoom) grid = Grid(rows, true);
  const std::string gap = "   ";
  const auto pad = [](std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TextLines source = grid.source.lines(rows[i].source), code = {rows[i].code},
                    value = grid.value.lines(rows[i].value), because = words_within(rows[i].because, grid.room);
    for (std::size_t j = 0; j < std::max({source.size(), value.size(), because.size()}); ++j) {
      const auto part = [j](const TextLines& cell) { return j < cell.size() ? cell[j] : ""; };
      std::string line = pad(part(source), grid.source.width) + gap + pad(part(code), grid.code) + gap +
                         pad(part(value), grid.value.width) + gap + part(because);
      while (!line.empty() && line.back() == ' ') line.pop_back();
      lines.push_back(line);
    }
    if (i == 0)
      lines.push_back(std::string(grid.source.width, '-') + gap + std::string(grid.code, '-') + gap +
                      std::string(grid.value.width, '-') + gap + std::string(7, '-'));
  }
  return lines;
}

}  // namespace castforge::emit

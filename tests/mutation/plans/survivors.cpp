#include "mutation/plans/survivors.hpp"

#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace castforge::mutation {
namespace {

constexpr const char* kHeader = "kernel\tplan\tprogram\tchange\tshown by\treason";

/// "kPlane[7] + 1" -> "kPlane", 7; nothing where the change is of no table.
std::optional<std::pair<std::string, int>> entry_of(const std::string& change) {
  const std::size_t open = change.find('['), close = change.find("] + 1");
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  return std::pair{change.substr(0, open), std::stoi(change.substr(open + 1, close - open - 1))};
}

/// "0-3,7" -> 0, 1, 2, 3, 7.
std::vector<int> numbers_in(const std::string& ranges) {
  std::vector<int> numbers;
  std::istringstream in(ranges);
  for (std::string range; std::getline(in, range, ',');) {
    const std::size_t dash = range.find('-');
    const int first = std::stoi(range), last = dash == std::string::npos ? first : std::stoi(range.substr(dash + 1));
    for (int number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::string ranges_of(const std::set<int>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const int first = *at;
    int last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) last = *at;
    text += (text.empty() ? "" : ",") + std::to_string(first) + (last == first ? "" : "-" + std::to_string(last));
  }
  return text;
}

}  // namespace

Survivors read_survivors(const std::filesystem::path& path) {
  Survivors survivors;
  if (!std::filesystem::exists(path)) return survivors;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line) || line != kHeader)
    throw std::runtime_error(path.string() + ": the first line has to be the names of the columns");
  while (std::getline(in, line)) {
    std::vector<std::string> cells(1);
    for (const char c : line) {
      if (c == '\t') cells.emplace_back();
      else cells.back() += c;
    }
    if (cells.size() != 6) throw std::runtime_error(path.string() + ": six columns expected in: " + line);
    const Survivor survivor{cells[2], cells[4], cells[5]};
    const std::size_t open = cells[3].find('['), close = cells[3].find("] + 1");
    if (open == std::string::npos || close == std::string::npos) {
      survivors[{cells[0], cells[1], cells[3]}] = survivor;
      continue;
    }
    for (const int entry : numbers_in(cells[3].substr(open + 1, close - open - 1)))
      survivors[{cells[0], cells[1], cells[3].substr(0, open + 1) + std::to_string(entry) + "] + 1"}] = survivor;
  }
  return survivors;
}

void write_survivors(const std::filesystem::path& path, const Survivors& survivors) {
  // Entries of a table share a line.
  std::map<std::tuple<SurvivorKey, std::string, std::string, std::string>, std::set<int>> rows;
  for (const auto& [key, survivor] : survivors) {
    const auto entry = entry_of(key.change);
    const SurvivorKey row{key.kernel, key.plan, entry ? entry->first : key.change};
    std::set<int>& entries = rows[{row, survivor.program, survivor.shown, survivor.reason}];
    if (entry) entries.insert(entry->second);
  }
  std::ostringstream text;
  text << kHeader << '\n';
  for (const auto& [row, entries] : rows) {
    const auto& [key, program, shown, reason] = row;
    text << key.kernel << '\t' << key.plan << '\t' << program << '\t' << key.change;
    if (!entries.empty()) text << '[' << ranges_of(entries) << "] + 1";
    text << '\t' << shown << '\t' << reason << '\n';
  }
  std::ofstream out(path, std::ios::binary);
  out << text.str();
  if (!out.flush()) throw std::runtime_error(path.string() + ": cannot write");
}

}  // namespace castforge::mutation

#include "evidence/processors.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/io/failure.hpp"
#include "cli/records/record_file.hpp"
#include "driver/functions.hpp"
#include "driver/program_hash.hpp"
#include "plan/instruction_sets.hpp"
#include "spec/names.hpp"

namespace castforge::evidence {
namespace {

constexpr std::string_view kVendor = "# vendor ";
constexpr std::size_t kVendorLength = 12;
constexpr std::size_t kMostFamilies = 8;  // bits of tables::Kernel::processors
constexpr std::size_t kColumns = 5;       // kernel, meaning, programs, rate on the lesser set, rate on the set

struct Rates {
  std::string programs;
  bool lesser_is_faster = false;
};

class File {
 public:
  explicit File(const std::filesystem::path& path) : shown_path_(cli::printable(path.string())) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw cli::io_error(shown_path_, "cannot read", errno);
    family_.name = path.stem().string();
    if (!spec::is_plain_name(family_.name))
      fail("the file's name becomes an identifier: expected letters a to z, digits and _");
    for (std::string line; std::getline(file, line);) {
      ++number_;
      if (file.eof()) fail("the line has no end: the file is truncated");
      if (line.starts_with(kVendor)) vendor(line.substr(kVendor.size()));
      else if (line.starts_with('#')) continue;
      else if (family_.set.empty()) head(line);
      else record(line);
    }
    if (family_.vendor.empty()) fail("expected a line \"# vendor NAME\", as the processor tells it");
    if (family_.set.empty()) fail("expected a line of columns: kernel, meaning, programs and two instruction sets");
  }

  const ProcessorFamily& family() const { return family_; }

  bool lesser_is_faster(const driver::Kernel& kernel) const {
    const auto found = rates_.find(kernel.hash);
    return found != rates_.end() && found->second.lesser_is_faster &&
           found->second.programs == driver::program_hashes(kernel);
  }

 private:
  std::string shown_path_;
  std::size_t number_ = 0;
  ProcessorFamily family_;
  std::map<std::string, Rates> rates_;  // by meaning

  [[noreturn]] void fail(const std::string& problem) const {
    throw cli::bad_file(shown_path_ + ":" + std::to_string(number_), problem);
  }

  void vendor(const std::string& name) {
    if (name.size() != kVendorLength)
      fail("expected the " + std::to_string(kVendorLength) + " characters of CPUID's vendor, found \"" + name + "\"");
    family_.vendor = name;
  }

  void head(const std::string& line) {
    const std::vector<std::string> cells = records::split(line, '\t');
    if (cells.size() != kColumns || cells[0] != "kernel" || cells[1] != "meaning" || cells[2] != "programs")
      fail("expected the columns kernel, meaning, programs and two instruction sets");
    for (const std::size_t i : {std::size_t{3}, std::size_t{4}}) {
      bool known = false;
      for (const plan::InstructionSet& set : plan::instruction_sets()) known = known || set.name == cells[i];
      if (!known) fail("\"" + cells[i] + "\" is no instruction set");
    }
    family_.lesser = cells[3];
    family_.set = cells[4];
  }

  double rate(const std::string& cell) const {
    double value = 0;
    const char* const end = cell.data() + cell.size();
    if (std::from_chars(cell.data(), end, value).ptr != end || !(value > 0) || !std::isfinite(value))
      fail("expected a rate above 0, found \"" + cell + "\"");
    return value;
  }

  void record(const std::string& line) {
    const std::vector<std::string> cells = records::split(line, '\t');
    if (cells.size() != kColumns)
      fail("expected " + std::to_string(kColumns) + " columns, found " + std::to_string(cells.size()));
    const Rates rates = {cells[2], rate(cells[3]) >= kFasterBy * rate(cells[4])};
    if (!rates_.emplace(cells[1], rates).second) fail("there is a record of " + cells[0] + " already");
  }
};

}  // namespace

std::string family_note(const ProcessorFamily& family) {
  return "on processors of " + family.vendor + ", " + family.set + " runs the function compiled for " + family.lesser +
         ", measured to be faster";
}

Processors::Processors(const driver::Catalogue& catalogue, const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) return;
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".tsv") paths.insert(entry.path());
  }
  const std::vector<std::size_t> functions = driver::functions(catalogue.kernels);
  for (const std::filesystem::path& path : paths) {
    const File file(path);
    const auto same = [&](const ProcessorFamily& other) {
      return other.vendor == file.family().vendor && other.set == file.family().set;
    };
    if (std::ranges::any_of(families_, same))
      throw cli::bad_file(cli::printable(path.string()), "another file is about the same vendor and instruction set");
    if (families_.size() == kMostFamilies)
      throw cli::bad_file(cli::printable(path.string()),
                          "there are " + std::to_string(kMostFamilies) + " families already");
    for (std::size_t i = 0; i < catalogue.kernels.size(); ++i) {
      if (file.lesser_is_faster(catalogue.kernels[functions[i]]))
        marks_.emplace(file.family().name, catalogue.kernels[i].hash);
    }
    families_.push_back(file.family());
  }
}

std::vector<ProcessorFamily> Processors::of(const driver::Kernel& kernel) const {
  std::vector<ProcessorFamily> marked;
  std::ranges::copy_if(families_, std::back_inserter(marked), [&](const ProcessorFamily& family) {
    return marks_.contains({family.name, kernel.hash});
  });
  return marked;
}

}  // namespace castforge::evidence

// On which processors the kernel of a lesser instruction set is the faster one, as measured.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/catalogue.hpp"

namespace castforge::evidence {

/// How much faster it has to be: within that, one kernel serves all processors.
inline constexpr double kFasterBy = 1.05;

struct ProcessorFamily {
  std::string name;         // "intel"
  std::string vendor;       // as the processor tells it: "GenuineIntel"
  std::string set, lesser;  // kernels of the family run as on `lesser` where `set` is asked for
};

/// What it says of a kernel, for readers.
std::string family_note(const ProcessorFamily& family);

/// The families that the *.tsv files of a folder describe, and which kernels of a planned catalogue each runs so, by
/// its records. Kernels that share a function have the same marks. A record counts only for a kernel whose meaning and
/// programs are the same today.
class Processors {
 public:
  /// None.
  Processors() = default;
  /// Throws std::runtime_error that names file and line.
  Processors(const driver::Catalogue& catalogue, const std::filesystem::path& folder);

  const std::vector<ProcessorFamily>& families() const { return families_; }
  std::vector<ProcessorFamily> of(const driver::Kernel& kernel) const;

 private:
  std::vector<ProcessorFamily> families_;
  std::set<std::pair<std::string, std::string>> marks_;  // a family's name, the hash of a kernel's meaning
};

}  // namespace castforge::evidence

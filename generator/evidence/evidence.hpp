// What shows that the plans of a kernel give the exact result for every source code: comparison with all codes, at
// generation or recorded, and recorded proofs.
//
// A record names what was verified by hashes: the rule and the program. It counts for nothing where today's differ, so
// that a kernel whose plan has changed loses its mark until it is verified again.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/records/record_file.hpp"
#include "driver/catalogue.hpp"

namespace castforge::evidence {

struct PlanEvidence {
  std::string program;      // its hash
  bool exhaustive = false;  // compared at every source code: by the interpreter, or as compiled
  bool smt = false;         // proved

  /// "exhaustive", "smt" or both with a plus sign; "classes" where there is only what every generation does: a
  /// comparison at every class of source codes, of the destination's normal exponents a sample where they are many.
  std::string word() const;
};

struct KernelEvidence {
  std::vector<PlanEvidence> plans;
  std::vector<std::string> swept;  // instruction sets whose compiled kernel was compared at all codes, by record

  /// What holds of every plan: "exhaustive", "smt" (each is one or the other) or "classes".
  const char* mark() const;
};

class Evidence {
 public:
  /// No records: only what generation shows.
  Evidence() = default;
  /// All *.tsv files of a folder. Throws std::runtime_error that names file and line.
  explicit Evidence(const std::filesystem::path& folder);

  KernelEvidence of(const driver::Kernel& kernel) const;

 private:
  std::multimap<std::string, records::Record> records_;  // by the hash of the meaning
};

/// Is a record a proof of that plan of the kernel, for all codes that there are today?
bool proves(const records::Record& record, const driver::Kernel& kernel, const ir::Program& program);

/// Does a record speak of a kernel of the catalogue as it is planned today?
bool holds(const records::Record& record, const driver::Catalogue& catalogue);

}  // namespace castforge::evidence

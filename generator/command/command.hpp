// The subcommands of castforge-gen. Each returns the exit code: 0 ok, 1 spec error or bad file of records or speeds,
// 2 usage, 3 drift, 4 input/output, 5 verification failed.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/catalogue.hpp"
#include "evidence/evidence.hpp"
#include "evidence/processors.hpp"
#include "spec/model.hpp"

namespace castforge::command {

inline constexpr int kOk = 0, kSpecError = 1, kUsage = 2, kDrift = 3, kInputOutput = 4, kVerificationFailed = 5;

/// Work that takes no longer is done without a line of progress.
inline constexpr std::chrono::seconds kQuiet{2};

struct Places {
  std::vector<std::filesystem::path> specs;    // folders or files, merged
  std::vector<std::filesystem::path> library;  // those of them that are whole spec trees
  std::vector<std::string> opsets;             // of the library, op-sets and families; empty: what the specs say
  std::filesystem::path beside;                // MANIFEST.tsv of the library of those; empty: a library is generated
  std::filesystem::path templates;
  std::filesystem::path evidence;  // folder of verification records; empty: none are known
  std::filesystem::path out;       // generated/
  std::string next_on;             // instruction set to run the next programs of kernels; empty: every one its own

  /// The model of `specs`. Where some are added to a library, what contradicts it is theirs to mend.
  spec::SpecModel model() const;
};
/// Names of instruction sets.
std::vector<std::string> instruction_sets();

/// Specs and catalogue. Throws spec::SpecError.
struct Loaded {
  spec::SpecModel model;
  driver::Catalogue catalogue;
  evidence::Processors processors;
};
struct VerificationFailed {
  std::string message;
};
Loaded load(const Places& places);
/// The same without programs: for commands that are about some kernels, which other ones, for which there may be no
/// program, do not keep from their work.
Loaded load_unplanned(const Places& places);
/// Plans `asked`, all of one pair, and finds on which processors they run as on a lesser instruction set. Throws as
/// driver::plan_some() does.
void plan_pair(Loaded& loaded, const std::vector<driver::Kernel*>& asked, const Places& places);
/// Plans the others too, but those for which there is no program.
void plan_rest(const std::vector<driver::Kernel*>& kernels);

/// The records of places.evidence. Throws a cli::Failure.
evidence::Evidence load_evidence(const Places& places);

/// Holds the plans of one kernel against the semantics. Throws VerificationFailed with a counterexample.
void verify_kernel(driver::Kernel& kernel);

/// What generate and check are about: load(), or, beside a library, only what that lacks.
Loaded load_to_emit(const Places& places);

/// Verifies kernels, on all processors. Throws VerificationFailed.
void verify_kernels(const std::vector<driver::Kernel*>& kernels);

/// With `json`, here and below: facts on standard output as JSON instead of text.
int generate(const Places& places, bool json);
int check(const Places& places, bool json);

/// Whether a library with that manifest hash, which `castforge info` prints, is what the specs make.
int check_manifest(const Places& places, const std::string& hash, bool json);

struct AuditRequest {
  std::filesystem::path out;     // folder of the report
  std::filesystem::path speeds;  // see audit/speeds.hpp; may be empty
};
/// Compares every plan with the exact semantics and writes the report.
int audit(const Places& places, const AuditRequest& request);

int list(const Places& places, const std::string& what, bool json);

struct TablesRequest {
  std::vector<std::string> opsets;  // whose cells; empty: all
  std::vector<std::string> pairs;   // "SRC:DST"; empty: all
  std::filesystem::path out;        // the .cft file
  bool json = false;
};
/// What the library of places.library lacks of places.specs, as tables in one file.
int tables(const Places& places, const TablesRequest& request);

struct AmalgamRequest {
  std::vector<std::string> pairs;       // "SRC:DST"
  std::string opset;                    // empty: the newest version of the default
  std::vector<std::string> attributes;  // "saturate=0"; one name several times: all of its values
  std::vector<std::string> sets;        // instruction sets; empty: all
  std::vector<std::string> specs;       // of one's own, as they were named
  std::string language = "c";           // or "c++"
  std::string name = "castforge_casts";
  std::filesystem::path out;  // folder
};
/// Writes kernels as one header and one source without dependencies.
int amalgamate(const Places& places, const AmalgamRequest& request);

struct ExplainQuery {
  std::string src, dst, opset;
  std::vector<std::string> attributes;        // "saturate=0"
  std::optional<std::uint64_t> element = {};  // of which the steps of every plan are shown
  bool json = false;
};
/// The bits of an element as a user writes them, "0x3FA66666" or "64". Throws std::invalid_argument.
std::uint64_t element_bits(const std::string& given);
int explain(const Places& places, const ExplainQuery& query);

inline constexpr int kDefaultTimeout = 60;  // seconds in which z3 has to prove one plan
struct VerifyQuery {
  std::vector<std::string> pairs;  // "float32:float16"; empty: all
  std::string level = "quick";     // quick | exhaustive | smt
  std::string z3;                  // smt: path of z3; empty: searched for
  std::optional<int> timeout_s;    // smt: for one plan; kDefaultTimeout otherwise
  std::filesystem::path record;    // smt: file of records that grows by what is proved; empty: none
  bool json = false;
};
int verify(const Places& places, const VerifyQuery& query);
/// The level smt for kernels of the catalogue that hold at the quick level; prints proofs and a summary.
int verify_by_smt(const driver::Catalogue& catalogue, std::vector<const driver::Kernel*> kernels,
                  const VerifyQuery& query);

int diff(const Places& places, const std::string& a, const std::string& b, const std::string& pair, std::size_t shown,
         bool json);

struct NewType {
  std::string name;
  int id = -1;  // negative: the smallest one from 1000 on that no spec in `out` and `known` has
  std::vector<std::filesystem::path> known;  // folders of specs
  int bits = 0, exponent = 0, mantissa = 0;
  int storage = 0;   // 0: `bits` below 8, else the next of 8, 16, 32, 64
  std::string bias;  // empty: 2^(exponent-1) - 1
  bool is_signed = true, infinity = false;
  std::string nan = "top";
  std::filesystem::path out;
  bool json = false;
};
int new_type(const NewType& request);

/// One variant of one cell, found by names and "name=value" attributes. Throws std::invalid_argument with advice.
struct Selected {
  const spec::OpSet* opset;
  const spec::Type *src, *dst;
  std::vector<std::pair<std::string, std::string>> attributes;  // every attribute with its effective value
  std::vector<std::string> idle;                                // those that have no effect on the pair
  spec::Meaning meaning;                                        // as resolved, with provenance
  std::size_t combination;                                      // index of the variant
};
Selected select_cell(const spec::SpecModel& model, const ExplainQuery& query);

}  // namespace castforge::command

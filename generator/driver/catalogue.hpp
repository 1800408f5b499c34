// Everything that will be written: the kernels that some op-set demands, and the cells that reach them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "spec/model.hpp"
#include "spec/resolve.hpp"

namespace castforge::plan {
struct InstructionSet;
}

namespace castforge::driver {

struct Kernel {
  spec::Meaning meaning;                 // with every property that cannot matter at its default
  std::string text;                      // the meaning spelled out; its hash identifies the kernel
  std::string hash;                      // "sha256:" and 12 digits
  std::string struct_name;               // "from_float32__rne_max"
  std::string name;                      // "float32_to_float8e4m3fn__rne_max"
  std::vector<const spec::Rule*> rules;  // that decided a property, in order of application, from the op-set cited
  std::string request;                   // what asks for it, of that op-set: "onnx@19 saturate=0"
  bool cites_own_rules = false;          // that op-set states its rules itself, not by extending another family
  std::set<std::string> opsets;          // names of all op-sets that reach it
  std::vector<ir::Program> programs;     // in order of preference
};

/// What serves a pair: a kernel, a kernel of the library that another tree is generated beside, or a text rule.
struct Entry {
  enum class List { kernels, references, text_rules };
  List list = List::kernels;
  std::size_t index = 0;  // in that list of a catalogue

  bool is_kernel() const { return list == List::kernels; }
  bool is_text() const { return list == List::text_rules; }
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

struct OpSetCells {
  const spec::OpSet* opset = nullptr;
  std::vector<const spec::Type*> types;  // admitted, in that order
  struct Cell {
    std::uint32_t attributes_used = 0;
    std::vector<Entry> variants;
  };
  std::map<std::pair<const spec::Type*, const spec::Type*>, Cell> cells;
};

using CellInOrder = std::pair<std::pair<const spec::Type*, const spec::Type*>, const OpSetCells::Cell*>;

/// The cells by the ids of source and destination, as the runtime searches them.
std::vector<CellInOrder> in_order(const OpSetCells& cells);

/// One variant per combination of the attributes that act on the cell, the last one fastest: the others change
/// nothing.
std::vector<Entry> acting_variants(const spec::OpSet& opset, const OpSetCells::Cell& cell);

struct TextRule {
  spec::Meaning meaning;  // with every property that cannot matter at its default
  std::string name;       // "string_to_float32__rne_inf_infinf_nannan"
};

/// A kernel of the library that another tree is generated beside.
struct Reference {
  std::string name, hash;
};

struct Catalogue {
  const spec::SpecModel* model = nullptr;
  std::vector<const spec::Type*> types;      // to be written, by rising id
  std::vector<const spec::System*> systems;  // to be written
  std::vector<Kernel> kernels;               // ordered by destination name, source name, struct name
  std::vector<Reference> references;         // that cells lead to
  std::vector<TextRule> text_rules;          // string on one side; ordered by their names
  std::vector<OpSetCells> opsets;            // operation "cast" and its relatives, in model order
  std::string beside;                        // manifest hash of the library; empty for one of its own

  /// Of a kernel, a reference or a text rule.
  const std::string& name_of(Entry entry) const;
};

/// A rule that the planner cannot follow.
struct NoPlan : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Resolves every op-set, or of each the pairs that are `wanted`, collapses equal meanings and names the kernels; none
/// has a program yet.
Catalogue resolve_catalogue(const spec::SpecModel& model,
                            const std::function<spec::PairFilter(const spec::OpSet&)>& wanted = {});

/// Plans every kernel. Throws NoPlan, or SpecError for formats with which no program computes.
/// Where there is an instruction set `next_on`, kernels lack the program that it would run if it has another one.
void plan_all(Catalogue& catalogue, const plan::InstructionSet* next_on = nullptr);
/// The same for some.
void plan_some(const std::vector<Kernel*>& kernels, const plan::InstructionSet* next_on = nullptr);

/// Hash over the meanings of all kernels and the ids of all types.
std::string manifest_hash(const Catalogue& catalogue);

/// The whole meaning in one deterministic line: both encodings and every property.
std::string meaning_text(const spec::Meaning& meaning);

/// A carry table: "0xC8C8".
std::string carry_word(const spec::Rounding& mode);

/// "float32 -> float8e4m3fn | round nearest_even | overflow, infinity: max | NaN: nan": for readers. Differs wherever
/// the meaning does.
std::string meaning_summary(const spec::Meaning& meaning);

/// Can the property show in any result of the pair?
bool rounds(const spec::Meaning& meaning);
bool overflow_matters(const spec::Meaning& meaning);

}  // namespace castforge::driver

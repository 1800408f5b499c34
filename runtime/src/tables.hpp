// The shape of the constant data in generated/tables/: types, kernels, op-sets, and a module of them. The library is
// one module; kernels that a user adds to it are others. Everything is built once by castforge-gen; src/registry.hpp
// puts modules together.
#pragma once

#include <castforge/format.hpp>
#include <castforge/rule.hpp>
#include <castforge/type.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace castforge::tables {

/// Kernels by their names, and text rules by theirs: generated in tables/ids.hpp. A kernel's id is its index in
/// Module::kernels, and behind those in Module::references; a text rule's that in Module::text_rules, a unit's that in
/// IsaKernels::units. Op-sets of the registry (src/registry.hpp) hold indices of its own instead.
enum class KernelId : std::uint16_t;
enum class TextRuleId : std::uint16_t;
enum class UnitId : std::uint16_t;

/// How many rows a table has: std::size, whose headers take longer to compile than any table.
template <class Row, std::size_t kRows>
constexpr std::size_t row_count(const Row (&)[kRows]) noexcept {
  return kRows;
}

struct Alias {
  const char* system;
  const char* name;
  bool is_shared = false;  // other types may have it, too
};
inline constexpr bool kShared = true;

struct TypeRow : Format {
  const char* name;
  const char* doc;
  const Alias* aliases;
  std::uint16_t alias_count;
};

struct Kernel {
  const char* name;     // "float32_to_float8e4m3fn__rne_max"
  const char* meaning;  // "sha256:7c1e4b90a2f5"
  Type src, dst;
  UnitId unit;          // of the function, which kernels with equal programs share
  std::uint16_t place;  // of the function in the unit
  Rule rule;
  std::uint8_t processors = 0;  // bit i: on those of Module::processors[i] the function of its lesser set is faster
};

/// Processors on which the most capable instruction set is not the fastest for every kernel.
struct ProcessorFamily {
  const char* vendor;  // as CPUID tells it: "GenuineIntel"
  const char* set;     // whose kernels with the family's bit run as on the lesser one
  const char* lesser;
};

/// A kernel of the library to which an op-set of another module leads.
struct KernelReference {
  const char* name;
  const char* meaning;
};

/// Text conversions (string on one side) are run by the text engine from these parameters.
struct TextRule {
  Type src, dst;
  Rule rule;
  Grammar parse = Grammar::decimal;   // from strings
  Notation format = Notation::fixed;  // to strings
};

enum class AttributeKind : std::uint8_t { integer, flag, string, enumeration };

struct AttributeValue {
  const char* word;     // string and enumeration
  std::int64_t number;  // integer, flag, enumeration
};

struct Attribute {
  const char* name;
  const char* doc;
  const AttributeValue* values;
  std::uint8_t value_count;
  std::uint8_t default_index;
  AttributeKind kind;
  bool checked_where_used;  // a bad value is an error only where the attribute acts
};

/// What serves a pair: a kernel or a text rule.
class Entry {
 public:
  constexpr Entry(KernelId id) : number_(static_cast<std::uint16_t>(id)) {}
  constexpr Entry(TextRuleId id) : number_(static_cast<std::uint16_t>(static_cast<std::uint16_t>(id) | kText)) {}

  constexpr bool is_text() const { return (number_ & kText) != 0; }
  constexpr std::uint16_t index() const { return number_ & static_cast<std::uint16_t>(~kText); }
  friend constexpr bool operator==(Entry, Entry) = default;

 private:
  static constexpr std::uint16_t kText = 1 << 15;
  std::uint16_t number_;
};

/// What a pair means under one combination of values of the attributes that act on it.
struct Variant {
  Type src, dst;
  std::uint16_t attributes;  // bit i: attribute i acts on this pair
  Entry entry;
};

struct Option {
  const char* name;
  const char* value;
};

/// Whether an op-set serves its operation where none is named: first, or where the first lacks one of the types.
enum class Default : std::uint8_t { no, yes, fallback };

struct OpSet {
  const char* name;       // "onnx@23"
  const char* family;     // "onnx"
  const char* version;    // "23"
  const char* operation;  // "cast" | "bitcast" | "range"
  const char* doc;
  const Type* types;  // in the order of admission
  const Attribute* attributes;
  /// By source and destination (rising ids); the combinations of a pair in mixed radix order, its last attribute
  /// fastest.
  const Variant* variants;
  const Option* options;
  std::uint16_t type_count;
  std::uint16_t attribute_count;
  std::uint32_t variant_count;
  std::uint16_t option_count;
  std::uint64_t valid_through;  // the last version of its system that these rules hold for; 0: versions are not numbers
  const char* cast_like_of;     // the family whose casts to the type of another tensor follow these rules, or null
  Default as_default;
  const char* notation;  // how its system writes a conversion (castforge/notation.hpp), or null
};

/// Elements of a file format that no type describes.
struct OtherElement {
  const char* system;  // as in Alias
  const char* name;
  std::uint16_t bits;
};

struct IsaKernels;

struct ModuleIsa {
  const char* name;  // "avx2"
  const IsaKernels* kernels;
};

/// Everything that one generated tree holds.
struct Module {
  std::uint64_t layout;  // kLayout of the compiler's run; the first member in every version
  const char* version;   // of castforge
  const char* manifest;  // hash over the meanings of its kernels and the ids of its types
  const char* beside;    // the manifest of the library that it adds to; null for a library
  const TypeRow* types;  // by rising id
  const Kernel* kernels;
  const KernelReference* references;
  const TextRule* text_rules;
  const OpSet* const* opsets;  // families in name order, versions ascending
  const OtherElement* other_elements;
  const ModuleIsa* isas;
  const ProcessorFamily* processors;
  // Of each kernel the hashes of its plans, with commas, in the order of MANIFEST.tsv; null for a library, which has
  // them apart (programs.cpp).
  const char* const* programs;
  std::uint16_t type_count, kernel_count, reference_count, text_rule_count, opset_count, other_element_count, isa_count,
      processor_count;
};

/// Equal where two modules agree on the shape of their data.
inline constexpr std::uint64_t kLayout = [] {
  std::uint64_t layout = 3;  // for changes that no size shows
  for (const std::size_t size : {sizeof(Module), sizeof(TypeRow), sizeof(Kernel), sizeof(TextRule), sizeof(OpSet),
                                 sizeof(Variant), sizeof(Attribute), sizeof(KernelReference), sizeof(OtherElement)}) {
    layout = layout * 1021 + size;
  }
  return layout;
}();

namespace library {
extern const Module kModule;
}

}  // namespace castforge::tables

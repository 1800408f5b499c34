// The list of lowerings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ir/program.hpp"
#include "spec/model.hpp"

namespace castforge::plan {

/// Where results come from. exact: from the exact semantics, or from bits alone. computed: a negative number that
/// rounds to zero gives minus zero, whatever the rule says of that; it is put right afterwards.
enum class Results : std::uint8_t { exact, computed };

/// One way to convert: what it asks for, and what it builds then.
struct Lowering {
  std::string_view id;    // what follows the point names the nested struct of the kernel
  std::string_view file;  // below generator/: the one that says what is special about it
  bool (*source)(const spec::Type&);
  bool (*destination)(const spec::Type&);
  bool (*rule)(const spec::Meaning&);
  unsigned needs;                      // of an instruction set: ir::Needs
  int (*lanes)(const spec::Meaning&);  // the width that it works in at first
  Results results;
  /// Nothing where that cannot give the results of the rule.
  std::optional<ir::Program> (*build)(ir::Builder&, const spec::Meaning&);
};

/// In order of preference.
std::span<const Lowering> lowerings();

// Without a decoder and an encoder: simple.cpp.
ir::Value truth(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value number_of_truth(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value same_code(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value integer_of_integer(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value table_of_results(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value nearest_of_integer(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value directed_of_integer(ir::Builder& builder, const spec::Meaning& meaning);
/// An integer of at most 8 bits as float16, which is exact.
ir::Value float16_of_integer(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value double_of_integer(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value single_by_double(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value rounded_integer(ir::Builder& builder, const spec::Meaning& meaning);

// Integers to powers of two alone: power_of_integer.cpp. Nothing for rules that give other results.
ir::Value power_by_leading_zeros(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value power_by_leading_bit(ir::Builder& builder, const spec::Meaning& meaning);

// Of float16 without its conversion: from_float16.cpp. Nothing where the rule needs more.
ir::Value power_of_two_of_float16(ir::Builder& builder, const spec::Meaning& meaning);
ir::Value bfloat16_of_float16(ir::Builder& builder, const spec::Meaning& meaning);

}  // namespace castforge::plan

// What an auditor checks first: the ranges of a conversion and its special inputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/model.hpp"

namespace castforge::emit {

struct TruthRow {
  std::string source, code, value, because;
};

/// One source element and its result, to stand as a static_assert.
struct Representative {
  std::uint64_t source = 0;  // storage words
  std::uint64_t result = 0;
  std::string why;  // "464 -> 448"
};

std::vector<TruthRow> truth_table(const spec::Meaning& meaning);
std::vector<Representative> representatives(const spec::Meaning& meaning);

/// The rows as lines of a comment, aligned, without the leading "//   ". What is too long for one goes on below, in its
/// column.
std::vector<std::string> format_truth_table(const spec::Meaning& meaning);

/// A number for readers: powers of two as 2^k, other values as the shortest decimal, NaN, Inf.
std::string value_text(const spec::Type& type, std::uint64_t code);

}  // namespace castforge::emit

// A .cft file in memory: a module whose kernels are data, and what it refers to.
#pragma once

#include <castforge/status.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/loaded/data_kernel.hpp"
#include "src/tables.hpp"

namespace castforge {

struct LoadedFile {
  struct LoadedOpSet {
    tables::OpSet table{};
    std::vector<Type> types;
    std::deque<std::vector<tables::AttributeValue>> values;
    std::vector<tables::Attribute> attributes;
    std::vector<tables::Option> options;
    std::vector<tables::Variant> variants;
  };

  tables::Module module{};
  std::deque<DataKernel> kernels;
  std::vector<tables::Kernel> kernel_rows;  // of `kernels`, as modules have them
  std::vector<tables::TypeRow> types;
  std::deque<std::vector<tables::Alias>> aliases;
  std::vector<tables::KernelReference> references;
  std::vector<tables::TextRule> text_rules;
  std::vector<tables::OtherElement> other_elements;
  std::deque<LoadedOpSet> opsets;
  std::vector<const tables::OpSet*> opset_list;
  std::deque<std::string> texts;
};

/// Reads a file and believes nothing: every number is in range, every code one of its type, every kernel fits the cells
/// that lead to it, and tables agree with the exact semantics of their rules on all codes of narrow sources and around
/// every step of wide ones. Null where the status says what is wrong.
std::unique_ptr<LoadedFile> read_file(std::span<const std::byte> bytes, Status& status);

/// Puts the file's module beside what is known, as add_kernels does. What was loaded before changes nothing.
Status add_loaded(std::unique_ptr<LoadedFile> file);

}  // namespace castforge

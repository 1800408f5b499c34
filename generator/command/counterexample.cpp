#include "command/counterexample.hpp"

#include "emit/truth_table.hpp"
#include "semantics/value.hpp"
#include "spec/hex.hpp"

namespace castforge::command {

std::string element_text(const spec::Type& type, std::uint64_t storage) {
  return spec::hex(storage, storage_unit(type.storage_bits)) + " (" +
         emit::value_text(type, semantics::code_of_storage(type, storage)) + ")";
}

std::string counterexample_text(const driver::Kernel& kernel, const verify::Counterexample& counterexample) {
  const spec::Type& dst = *kernel.meaning.dst;
  const std::string text = kernel.name + ": plan " + counterexample.program + ": source " +
                           element_text(*kernel.meaning.src, counterexample.source) + ": ";
  if (!counterexample.problem.empty()) return text + counterexample.problem;
  return text + "the rule gives " + element_text(dst, counterexample.expected) + ", the plan " +
         element_text(dst, counterexample.found);
}

}  // namespace castforge::command

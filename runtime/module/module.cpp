// The tables of one generated tree as a module, with the kernels of each instruction set that it was built for.
#include "castforge_isas.hpp"
#include "src/kernel_function.hpp"
#include "tables/ids.hpp"

namespace castforge {

#define CASTFORGE_DECLARE(isa)                   \
  namespace CASTFORGE_ISA_NAMESPACE(isa) {       \
    extern const tables::IsaKernels kIsaKernels; \
  }
CASTFORGE_FOR_EACH_ISA(CASTFORGE_DECLARE)
#undef CASTFORGE_DECLARE

namespace tables::CASTFORGE_MODULE {
namespace {

#define CASTFORGE_ENTRY(isa) {#isa, &CASTFORGE_ISA_NAMESPACE(isa)::kIsaKernels},
constexpr ModuleIsa kIsas[] = {CASTFORGE_FOR_EACH_ISA(CASTFORGE_ENTRY)};
#undef CASTFORGE_ENTRY

}  // namespace

extern const Module kModule;  // NOLINT(readability-redundant-declaration): tables.hpp has the library's alone
constinit const Module kModule = {.layout = kLayout,
                                  .version = CASTFORGE_VERSION,
                                  .manifest = kManifestHash,
                                  .beside = kBeside,
                                  .types = kTypes,
                                  .kernels = kKernels,
                                  .references = kReferences,
                                  .text_rules = kTextRules,
                                  .opsets = kOpSets,
                                  .other_elements = kOtherElements,
                                  .isas = kIsas,
                                  .processors = kProcessors,
                                  .programs = kBeside == nullptr ? nullptr : kPrograms,
                                  .type_count = kTypeCount,
                                  .kernel_count = kKernelCount,
                                  .reference_count = kReferenceCount,
                                  .text_rule_count = kTextRuleCount,
                                  .opset_count = kOpSetCount,
                                  .other_element_count = kOtherElementCount,
                                  .isa_count = sizeof kIsas / sizeof *kIsas,
                                  .processor_count = kProcessorCount};

}  // namespace tables::CASTFORGE_MODULE
}  // namespace castforge

// Kernels that were generated beside another library.
#include <castforge/export.h>

#include "src/tables.hpp"

namespace {
const castforge::tables::Module kForeign = {.layout = castforge::tables::kLayout,
                                            .version = CASTFORGE_VERSION,
                                            .manifest = "sha256:0",
                                            .beside = "sha256:feedfeedfeedfeed",
                                            .types = nullptr,
                                            .kernels = nullptr,
                                            .references = nullptr,
                                            .text_rules = nullptr,
                                            .opsets = nullptr,
                                            .other_elements = nullptr,
                                            .isas = nullptr,
                                            .type_count = 0,
                                            .kernel_count = 0,
                                            .reference_count = 0,
                                            .text_rule_count = 0,
                                            .opset_count = 0,
                                            .other_element_count = 0,
                                            .isa_count = 0};
}  // namespace

extern "C" CASTFORGE_API const castforge::tables::Module* castforge_kernels(void);
const castforge::tables::Module* castforge_kernels(void) { return &kForeign; }

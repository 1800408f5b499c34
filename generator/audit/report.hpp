// The audit report: every pair on a page of its own, as static HTML.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "audit/speeds.hpp"
#include "driver/catalogue.hpp"
#include "emit/template.hpp"
#include "evidence/evidence.hpp"
#include "evidence/processors.hpp"

namespace castforge::audit {

/// What is known of kernels beyond their plans.
struct Known {
  evidence::Evidence evidence;
  evidence::Processors processors;
  std::optional<Speeds> speeds;
};

/// Path in the report -> contents. Depends on its arguments alone. Nothing in it refers to anything outside it.
/// `progress(done, all)` is called before every page.
std::map<std::string, std::string> report(const driver::Catalogue& catalogue, const emit::Templates& templates,
                                          const Known& known,
                                          const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace castforge::audit

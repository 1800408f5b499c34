// The audit report: every pair on a page of its own, as static HTML.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "audit/evidence.hpp"
#include "driver/catalogue.hpp"
#include "emit/template.hpp"

namespace castforge::audit {

struct Evidence {
  std::optional<Speeds> speeds;
  std::map<std::string, std::size_t> proofs;  // see read_proofs
};

/// Path in the report -> contents. Depends on its arguments alone. Nothing in it refers to anything outside it.
/// `progress(done, all)` is called before every page.
std::map<std::string, std::string> report(const driver::Catalogue& catalogue, const emit::Templates& templates,
                                          const Evidence& evidence,
                                          const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace castforge::audit

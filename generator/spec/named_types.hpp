// Types as op-set files name them.
#pragma once

#include <string>
#include <vector>

#include "spec/diagnostics.hpp"
#include "spec/json_tree.hpp"
#include "spec/model.hpp"

namespace castforge::spec {

class NamedTypes {
 public:
  NamedTypes(const SpecModel& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  std::vector<std::string> names() const;
  /// Null and reported where no type has that name; its aliases do not count.
  const Type* known(const Node& name) const;
  /// The same where the op-set does not admit it.
  const Type* admitted(const std::string& name, const Location& where, const OpSet& opset) const;

 private:
  const SpecModel& model_;
  Diagnostics& diagnostics_;
};

}  // namespace castforge::spec

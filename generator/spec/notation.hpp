// Conversions as their systems write them (castforge/notation.hpp), of the specs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/model.hpp"

namespace castforge::spec {

/// A conversion of an op-set, "Convert<Binary8p3se, binary16, (NearestTiesToEven, SatNone)>"; `values` has a word for
/// each attribute. Empty where the op-set has no notation.
std::string written(const OpSet& opset, const Type& src, const Type& dst,
                    const std::vector<std::pair<std::string, std::string>>& values);

/// What a text in some op-set's notation names.
struct Written {
  const OpSet* opset = nullptr;  // the newest that has such a notation
  std::string src, dst;
  std::vector<std::string> attributes;  // "rounding=NearestTiesToEven"
};
std::optional<Written> read_written(const SpecModel& model, const std::string& text);

}  // namespace castforge::spec

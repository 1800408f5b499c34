// The cast rules of the supported systems, written down by hand as code from the operators' own
// documentation. Deliberately not derived from specs/: an error in a spec must show up as a difference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/convert.hpp"

namespace castforge::oracle {

struct Request {
  std::string family;   // onnx, onnx-reference, pypto, openvino-convert
  std::string version;  // 25, 8.5.0, ...
  std::string src, dst;
  std::optional<std::int64_t> saturate;
  std::optional<std::string> round_mode;  // up, down, nearest
  std::optional<std::string> mode;        // CAST_NONE, CAST_RINT, ...
  std::optional<std::string> satmode;     // ON, OFF
  std::optional<std::string> rounding;    // NearestTiesToEven, ...
  std::optional<std::string> saturation;  // SatNone, SatFinite, SatPropagate
};

/// Names of the element types of a version. Throws std::invalid_argument for an unknown version.
std::vector<std::string> types_of(const std::string& family, const std::string& version);
/// Every ordered pair that the version admits.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& family, const std::string& version);
/// (family, version) of every cast rule set.
std::vector<std::pair<std::string, std::string>> rule_sets();
/// The requests of a rule set for one pair: every combination of attribute values, absent ones included.
std::vector<Request> requests(const std::string& family, const std::string& version, const std::string& src,
                              const std::string& dst);

/// The rule that a request selects. Throws std::invalid_argument when the version does not admit it.
Rule rule_for(const Request& request);

/// A request resolved once; `operator()` maps a source code to a destination code.
class Converter {
 public:
  explicit Converter(const Request& request)
      : src_(&codec(request.src)), dst_(&codec(request.dst)), rule_(rule_for(request)) {}
  Converter(const Codec& src, const Codec& dst, const Rule& rule) : src_(&src), dst_(&dst), rule_(rule) {}

  std::uint64_t operator()(std::uint64_t code) const { return convert(*src_, *dst_, rule_, code); }
  const Codec& src() const { return *src_; }
  const Codec& dst() const { return *dst_; }
  const Rule& rule() const { return rule_; }

 private:
  const Codec* src_;
  const Codec* dst_;
  Rule rule_;
};

/// One cast of one code.
inline std::uint64_t cast(const Request& request, std::uint64_t src_code) { return Converter(request)(src_code); }

}  // namespace castforge::oracle

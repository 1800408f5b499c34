// Eigen: Array::cast.
#include "peer.hpp"

#include <Eigen/Core>

namespace castforge::peers {

template <>
inline constexpr Type kTypeOf<Eigen::half> = Type::float16;
template <>
inline constexpr Type kTypeOf<Eigen::bfloat16> = Type::bfloat16;

namespace {

template <class T>
using Elements = Eigen::Array<T, Eigen::Dynamic, 1>;

template <class From, class To>
void convert(const void* src, void* dst, std::size_t count) noexcept {
  const auto length = static_cast<Eigen::Index>(count);
  const Eigen::Map<const Elements<From>> from(static_cast<const From*>(src), length);
  Eigen::Map<Elements<To>>(static_cast<To*>(dst), length) = from.template cast<To>();
}

template <class From, class... To>
void add(std::vector<PeerCast>& casts) {
  (casts.push_back({kTypeOf<From>, kTypeOf<To>, convert<From, To>}), ...);
}

}  // namespace

Peer eigen() {
  Peer peer{.name = "Eigen",
            .version = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                       std::to_string(EIGEN_MINOR_VERSION),
            .casts = {}};
  using Eigen::bfloat16, Eigen::half;
  add<float, half, bfloat16, double, std::int8_t, std::uint8_t, std::int32_t, std::int64_t, bool>(peer.casts);
  add<half, float, bfloat16, std::int8_t>(peer.casts);
  add<bfloat16, float, half, std::int8_t>(peer.casts);
  add<double, float, half, bfloat16, std::int32_t, std::int64_t>(peer.casts);
  add<std::int8_t, float, half, std::int32_t>(peer.casts);
  add<std::uint8_t, float, half, bool>(peer.casts);
  add<std::int32_t, float, double, std::int8_t, std::uint8_t, std::int64_t>(peer.casts);
  add<std::int64_t, float, double, std::int32_t>(peer.casts);
  add<bool, float>(peer.casts);
  return peer;
}

}  // namespace castforge::peers

// Highway: PromoteTo, DemoteTo and ConvertTo, on vectors of the best instruction set that the compiler may use.
#include "peer.hpp"

#define HWY_COMPILE_ONLY_STATIC  // the instruction set of the compiler's flags, no choice at run time
#include <hwy/highway.h>

namespace castforge::peers {

template <>
inline constexpr Type kTypeOf<hwy::float16_t> = Type::float16;
template <>
inline constexpr Type kTypeOf<hwy::bfloat16_t> = Type::bfloat16;

namespace {

namespace hn = hwy::HWY_NAMESPACE;

enum class Way { promote, demote, convert, convert_and_demote };

template <Way kWay, class From, class To>
void run(const void* src, void* dst, std::size_t count) noexcept {
  // As many lanes as the wider type has in a full vector; the narrower one fills a part.
  using Wider = std::conditional_t<(sizeof(From) > sizeof(To)), From, To>;
  const hn::ScalableTag<Wider> full;
  const hn::Rebind<From, decltype(full)> from_tag;
  const hn::Rebind<To, decltype(full)> to_tag;
  const auto* from = static_cast<const From*>(src);
  auto* to = static_cast<To*>(dst);
  for (std::size_t i = 0; i < count; i += hn::Lanes(full)) {
    const auto lanes = hn::LoadU(from_tag, from + i);
    if constexpr (kWay == Way::promote) {
      hn::StoreU(hn::PromoteTo(to_tag, lanes), to_tag, to + i);
    } else if constexpr (kWay == Way::demote) {
      hn::StoreU(hn::DemoteTo(to_tag, lanes), to_tag, to + i);
    } else if constexpr (kWay == Way::convert) {
      hn::StoreU(hn::ConvertTo(to_tag, lanes), to_tag, to + i);
    } else {
      const hn::Rebind<hwy::MakeSigned<From>, decltype(full)> integers;
      hn::StoreU(hn::DemoteTo(to_tag, hn::ConvertTo(integers, lanes)), to_tag, to + i);
    }
  }
}

template <Way kWay, class From, class... To>
void add(std::vector<PeerCast>& casts) {
  (casts.push_back({kTypeOf<From>, kTypeOf<To>, run<kWay, From, To>}), ...);
}

}  // namespace

Peer highway() {
  Peer peer{.name = "Highway",
            .version = std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." + std::to_string(HWY_PATCH) +
                       " " + hwy::TargetName(HWY_STATIC_TARGET),
            .casts = {}};
  using hwy::bfloat16_t, hwy::float16_t;
  add<Way::demote, float, float16_t, bfloat16_t>(peer.casts);
  add<Way::promote, float16_t, float>(peer.casts);
  add<Way::promote, bfloat16_t, float>(peer.casts);
  add<Way::promote, float, double>(peer.casts);
  add<Way::demote, double, float, std::int32_t>(peer.casts);
  add<Way::convert, float, std::int32_t>(peer.casts);
  add<Way::convert, double, std::int64_t>(peer.casts);
  add<Way::convert, std::int32_t, float>(peer.casts);
  add<Way::convert, std::int64_t, double>(peer.casts);
  add<Way::convert_and_demote, float, std::int8_t, std::uint8_t, std::int16_t>(peer.casts);
  add<Way::promote, std::int8_t, std::int16_t, std::int32_t>(peer.casts);
  add<Way::promote, std::uint8_t, std::uint16_t, std::int32_t, std::uint32_t>(peer.casts);
  add<Way::promote, std::int32_t, std::int64_t, double>(peer.casts);
  add<Way::demote, std::int32_t, std::int8_t, std::uint8_t, std::int16_t>(peer.casts);
  return peer;
}

}  // namespace castforge::peers

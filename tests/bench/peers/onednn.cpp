// oneDNN: the reorder primitive on one dimension.
#include "peer.hpp"

#include <dnnl.hpp>
#if defined(_OPENMP)
#include <omp.h>
#endif

namespace castforge::peers {
namespace {

using dnnl::memory;
using DataType = memory::data_type;

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

/// A reorder of `count` elements, made once per length.
struct Reorder {
  Reorder(DataType from_type, DataType to_type, std::size_t length)
      : count(length),
        from(description(from_type), engine(), nullptr),
        to(description(to_type), engine(), nullptr),
        primitive(from, to) {}

  memory::desc description(DataType type) const {
    return {{static_cast<memory::dim>(count)}, type, memory::format_tag::a};
  }

  std::size_t count;
  memory from, to;
  dnnl::reorder primitive;
};

// What oneDNN throws ends the measurement.
template <DataType kFrom, DataType kTo>
void run(const void* src, void* dst, std::size_t count) noexcept {  // NOLINT(bugprone-exception-escape)
  static dnnl::stream stream(engine());
  static Reorder reorder(kFrom, kTo, count);
  if (reorder.count != count) reorder = Reorder(kFrom, kTo, count);
  reorder.from.set_data_handle(const_cast<void*>(src));  // read only, whatever the interface says
  reorder.to.set_data_handle(dst);
  reorder.primitive.execute(stream, reorder.from, reorder.to);
  stream.wait();
}

constexpr Type type_of(DataType type) {
  switch (type) {
    case DataType::f32: return Type::float32;
    case DataType::f16: return Type::float16;
    case DataType::bf16: return Type::bfloat16;
    case DataType::s32: return Type::int32;
    case DataType::s8: return Type::int8;
    default: return Type::uint8;
  }
}

/// Adds the conversions for which this machine has a reorder.
template <DataType kFrom, DataType... kTo>
void add(std::vector<PeerCast>& casts) {
  const auto add_one = [&casts](DataType to, cli::Routine function) {
    try {
      Reorder(kFrom, to, kCountStep);
      casts.push_back({type_of(kFrom), type_of(to), function});
    } catch (const dnnl::error&) {
    }
  };
  (add_one(kTo, run<kFrom, kTo>), ...);
}

}  // namespace

Peer onednn() {
#if defined(_OPENMP)
  omp_set_num_threads(1);
#endif
  const dnnl_version_t& version = *dnnl_version();
  Peer peer{.name = "oneDNN",
            .version = std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                       std::to_string(version.patch),
            .casts = {}};
  constexpr DataType f32 = DataType::f32, f16 = DataType::f16, bf16 = DataType::bf16, s32 = DataType::s32,
                     s8 = DataType::s8, u8 = DataType::u8;
  add<f32, f16, bf16, s32, s8, u8>(peer.casts);
  add<f16, f32>(peer.casts);
  add<bf16, f32, s8, u8>(peer.casts);
  add<s32, f32, s8, u8>(peer.casts);
  add<s8, f32, bf16, s32>(peer.casts);
  add<u8, f32, bf16, s32>(peer.casts);
  return peer;
}

}  // namespace castforge::peers

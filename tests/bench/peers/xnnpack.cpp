// XNNPACK: its convert operators. Those to 8-bit integers quantize with scale 1 and zero point 0 and round to nearest.
#include "peer.hpp"

#include <xnnpack.h>

namespace castforge::peers {
namespace {

template <class From, class To>
xnn_status set_up(xnn_status (*setup)(xnn_operator_t, std::size_t, const From*, To*, pthreadpool_t), xnn_operator_t op,
                  const void* src, void* dst, std::size_t count) {
  return setup(op, count, static_cast<const From*>(src), static_cast<To*>(dst), nullptr);
}

// One channel per row and rows without gaps are one long row to it.
constexpr std::size_t kChannels = 1, kStride = 1;
constexpr std::uint32_t kFlags = 0;
constexpr float kScale = 1;

template <auto kCreate, auto kSetup>
void run(const void* src, void* dst, std::size_t count) noexcept {
  static xnn_operator* const op = [] {
    xnn_operator_t made = nullptr;
    kCreate(&made);
    return made;
  }();
  if (op != nullptr && set_up(kSetup, op, src, dst, count) == xnn_status_success) xnn_run_operator(op, nullptr);
}

constexpr auto kF16ToF32 = [](xnn_operator_t* op) {
  return xnn_create_convert_nc_f16_f32(kChannels, kStride, kStride, kFlags, op);
};
constexpr auto kF32ToF16 = [](xnn_operator_t* op) {
  return xnn_create_convert_nc_f32_f16(kChannels, kStride, kStride, kFlags, op);
};
constexpr auto kF32ToS8 = [](xnn_operator_t* op) {
  return xnn_create_convert_nc_f32_qs8(kChannels, kStride, kStride, kScale, 0, INT8_MIN, INT8_MAX, kFlags, op);
};
constexpr auto kF32ToU8 = [](xnn_operator_t* op) {
  return xnn_create_convert_nc_f32_qu8(kChannels, kStride, kStride, kScale, 0, 0, UINT8_MAX, kFlags, op);
};
constexpr auto kS8ToF32 = [](xnn_operator_t* op) {
  return xnn_create_convert_nc_qs8_f32(kChannels, kStride, kStride, kScale, 0, kFlags, op);
};
constexpr auto kU8ToF32 = [](xnn_operator_t* op) {
  return xnn_create_convert_nc_qu8_f32(kChannels, kStride, kStride, kScale, 0, kFlags, op);
};

}  // namespace

Peer xnnpack() {
  Peer peer{.name = "XNNPACK", .version = "(tells no version)", .casts = {}};
  if (xnn_initialize(nullptr) != xnn_status_success) return peer;
  peer.casts = {{Type::float16, Type::float32, run<kF16ToF32, xnn_setup_convert_nc_f16_f32>},
                {Type::float32, Type::float16, run<kF32ToF16, xnn_setup_convert_nc_f32_f16>},
                {Type::float32, Type::int8, run<kF32ToS8, xnn_setup_convert_nc_f32_qs8>},
                {Type::float32, Type::uint8, run<kF32ToU8, xnn_setup_convert_nc_f32_qu8>},
                {Type::int8, Type::float32, run<kS8ToF32, xnn_setup_convert_nc_qs8_f32>},
                {Type::uint8, Type::float32, run<kU8ToF32, xnn_setup_convert_nc_qu8_f32>}};
  return peer;
}

}  // namespace castforge::peers

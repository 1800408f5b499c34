// The ramps of one instruction set; compiled once per instruction set, as the generated units are.
#include "loops/ramp.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {

extern const tables::IsaRamps kIsaRamps;
const tables::IsaRamps kIsaRamps = {
    .integer = {simd::integer_ramp<std::uint8_t>, simd::integer_ramp<std::uint16_t>, simd::integer_ramp<std::uint32_t>,
                simd::integer_ramp<std::uint64_t>},
    .rounded = {simd::float_ramp<std::uint32_t, false>, simd::float_ramp<std::uint64_t, false>},
    .fused = {simd::float_ramp<std::uint32_t, true>, simd::float_ramp<std::uint64_t, true>},
};

}  // namespace CASTFORGE_ISA
}  // namespace castforge

// The ramps of one instruction set; compiled once per instruction set, as the generated units are.
#include "loops/ramp.hpp"

#include "loops/ramp_narrow.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {

extern const tables::IsaRamps kIsaRamps;
const tables::IsaRamps kIsaRamps = {
    .integer = {simd::integer_ramp<std::uint8_t>, simd::integer_ramp<std::uint16_t>, simd::integer_ramp<std::uint32_t>,
                simd::integer_ramp<std::uint64_t>},
    .rounded = {simd::float_ramp<std::uint32_t, false>, simd::float_ramp<std::uint64_t, false>},
    .fused = {simd::float_ramp<std::uint32_t, true>, simd::float_ramp<std::uint64_t, true>},
    .narrow =
        {
#if CASTFORGE_VECTOR
            {64, 8, 23, simd::float32_ramp<false>, simd::float32_ramp<true>, simd::float_ramp<std::uint32_t, false>},
            {64, 5, 10, simd::float16_ramp<std::uint64_t, false>, simd::float16_ramp<std::uint64_t, true>,
             simd::float16_ramp<std::uint32_t, true>},
            {64, 8, 7, simd::bfloat16_ramp<std::uint64_t, false>, simd::bfloat16_ramp<std::uint64_t, true>,
             simd::bfloat16_ramp<std::uint32_t, true>},
            {32, 5, 10, simd::float16_ramp<std::uint32_t, false>, simd::float16_ramp<std::uint32_t, true>,
             simd::float16_ramp<std::uint32_t, true>},
            {32, 8, 7, simd::bfloat16_ramp<std::uint32_t, false>, simd::bfloat16_ramp<std::uint32_t, true>,
             simd::bfloat16_ramp<std::uint32_t, true>},
#endif
        },
};

}  // namespace CASTFORGE_ISA
}  // namespace castforge

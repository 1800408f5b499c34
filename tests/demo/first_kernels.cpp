// Three of the generated kernels; compiled once per instruction set.
#include "loops/loop.hpp"

#include "first_kernels.hpp"

#include "kernels/bfloat16/from_float32.hpp"
#include "kernels/float32/from_float8e4m3fn.hpp"
#include "kernels/float8e4m3fn/from_float32.hpp"

namespace castforge {
inline namespace CASTFORGE_ISA {

extern const first::Kernels kFirstKernels;
const first::Kernels kFirstKernels = {
    simd::run<to_float8e4m3fn::from_float32__rne_max>,
    simd::run<to_bfloat16::from_float32__rne_inf>,
    simd::run<to_float32::from_float8e4m3fn__exact>,
};

}  // namespace CASTFORGE_ISA
}  // namespace castforge

// The lane vocabulary: everything a kernel's map() may say.
//
//   isa.hpp     the instruction set of this translation unit and what it offers
//   word.hpp    scalar words, constexpr
//   batch.hpp   vectors of words, the same functions
//   float.hpp   floating-point steps of the fast plans, scalar and vector
//   plans.hpp   choice of a plan; evaluation of a kernel on one code
#pragma once

#include "simd/batch.hpp"
#include "simd/float.hpp"
#include "simd/isa.hpp"
#include "simd/plans.hpp"
#include "simd/word.hpp"

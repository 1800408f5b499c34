// The lane vocabulary: everything a kernel's map() may say.
//
//   isa.hpp          the instruction set of this translation unit and what it offers
//   word.hpp         scalar words, constexpr
//   batch.hpp        vectors of words, the same functions
//   float_word.hpp   floating-point steps of the fast plans on scalar words
//   float_batch.hpp  the same on vectors
//   plans.hpp        choice of a plan; evaluation of a kernel on one code
#pragma once

#include "simd/batch.hpp"
#include "simd/float_batch.hpp"
#include "simd/float_word.hpp"
#include "simd/isa.hpp"
#include "simd/plans.hpp"
#include "simd/word.hpp"

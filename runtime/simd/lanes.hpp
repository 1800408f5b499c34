// The vector side of the operations. (Words alone are usable so far.)
#pragma once

#include "simd/float_word.hpp"

// What a generated kernel header includes: the operations of map() and the choice of a plan, not the loops.
#pragma once

#include "simd/lanes.hpp"
#include "simd/plans.hpp"

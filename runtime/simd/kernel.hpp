// What a generated kernel header includes: the vocabulary, not the loops.
#pragma once

#include <array>
#include <cstdint>

#include "simd/lane.hpp"

// The second oracle: exact values, ordered lists of representable values, nearest search.
#pragma once

#include "oracle/convert.hpp"
#include "oracle/format.hpp"
#include "oracle/range.hpp"
#include "oracle/specs.hpp"
#include "oracle/systems.hpp"
#include "oracle/value.hpp"

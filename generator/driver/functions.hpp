// Which kernels run one compiled function: the same operations on elements that lie in memory alike.
#pragma once

#include <cstddef>
#include <vector>

#include "driver/catalogue.hpp"

namespace castforge::driver {

/// For each planned kernel the index of the kernel whose function it runs: of those with the same programs, storage
/// widths and packings the one with the oldest types, so that an added type takes no function over. Its own index where
/// no older kernel is like it.
std::vector<std::size_t> functions(const std::vector<Kernel>& kernels);

}  // namespace castforge::driver

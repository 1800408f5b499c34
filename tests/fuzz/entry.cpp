// One target under libFuzzer. What it holds of memory at a time is limited: the input's size and 64 MiB.
#include "fuzz/target.hpp"

#include <sanitizer/allocator_interface.h>

#include <atomic>
#include <cstdlib>

using namespace castforge;

namespace {

constexpr std::size_t kBeyondInput = std::size_t{64} << 20;

const fuzz::Target* target = nullptr;
std::atomic<std::size_t> held{0}, most{SIZE_MAX};

void allocated(const volatile void*, std::size_t size) {
  if (held.fetch_add(size) + size <= most) return;
  most = SIZE_MAX;  // what follows needs memory too
  fuzz::fail("more memory than the input's size and 64 MiB");
}

void freed(const volatile void* pointer) {
  if (pointer == nullptr) return;
  const std::size_t size = __sanitizer_get_allocated_size(const_cast<const void*>(pointer));
  const std::size_t before = held;
  held = before - std::min(before, size);  // what was there before the first input does not count
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  for (const fuzz::Target& one : fuzz::targets()) {
    if (one.name == CASTFORGE_FUZZ_NAME) target = &one;
  }
  fuzz::require(target != nullptr, "no such target: " CASTFORGE_FUZZ_NAME);
  __sanitizer_install_malloc_and_free_hooks(allocated, freed);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  held = 0;
  most = size + kBeyondInput;
  target->run({data, size});
  most = SIZE_MAX;
  return 0;
}

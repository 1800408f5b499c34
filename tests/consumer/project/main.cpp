// A program of a user of castforge: exits 0 if the kernels it finds give the right codes.
#include <castforge/castforge.hpp>

#include <cstdint>
#include <cstdio>

namespace {

// Casts four float32 values with `opset` and compares the codes.
bool gives(const char* opset, castforge::Type type, const std::uint8_t (&expected)[4]) {
  const float values[4] = {1.0F, -0.5F, 1e6F, 15.5F};
  const castforge::Kernel kernel = castforge::find_kernel(opset, castforge::Type::float32, type, {});
  std::uint8_t codes[4] = {};
  if (!kernel || !kernel.run(values, codes, 4).ok()) {
    std::printf("%s: no kernel\n", opset);
    return false;
  }
  bool same = true;
  for (int i = 0; i < 4; ++i) {
    std::printf("%g -> %02X, expected %02X\n", static_cast<double>(values[i]), codes[i], expected[i]);
    same = same && codes[i] == expected[i];
  }
  return same;
}

}  // namespace

int main() {
  bool ok = gives("onnx@23", castforge::Type::float8e4m3fn, {0x38, 0xB0, 0x7E, 0x58});
#ifdef CONSUMER_HAS_FLOAT8E3M4
  ok = gives("castforge@1", castforge::Type::float8e3m4, {0x30, 0xA0, 0x6F, 0x6F}) && ok;
#endif
  return ok ? 0 : 1;
}

/* The same in C: exits 0 if the kernel that it finds gives the right codes. */
#include <castforge/castforge.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const float values[4] = {1.0F, -0.5F, 1e6F, 15.5F};
  const uint8_t expected[4] = {0x38, 0xB0, 0x7E, 0x58};
  uint8_t codes[4] = {0};
  castforge_type from, to;
  castforge_kernel kernel;
  castforge_status status = castforge_find_type("float32", &from);
  if (status == CASTFORGE_OK) status = castforge_find_type("float8e4m3fn", &to);
  if (status == CASTFORGE_OK) status = castforge_find_kernel("onnx@23", from, to, NULL, &kernel);
  if (status == CASTFORGE_OK) status = castforge_run(&kernel, values, codes, 4);
  printf("castforge %s, %s: %02X %02X %02X %02X\n", castforge_version(), castforge_status_string(status), codes[0],
         codes[1], codes[2], codes[3]);
  return status == CASTFORGE_OK && memcmp(codes, expected, sizeof expected) == 0 ? 0 : 1;
}

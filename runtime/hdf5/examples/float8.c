/* Writes and reads a float8 dataset: float8 [file.h5] */
#include <castforge/hdf5.h>
#include <math.h>
#include <stdio.h>

#define COUNT 7

int main(int argc, char** argv) {
  const float weights[COUNT] = {1.0F, -0.5F, 448.0F, 1.0e6F, 0x1p-9F, 0x1.10001p0F, NAN};
  const hsize_t extent = COUNT;
  float back[COUNT];
  unsigned char codes[COUNT];
  castforge_type type;
  int failed = 0;

  failed |= castforge_hdf5_register("onnx@28") < 0; /* out of range is saturated; NULL: castforge@1 */
  failed |= castforge_find_type("float8e4m3fn", &type) != CASTFORGE_OK;
  if (failed) return fputs("no such op-set or type\n", stderr), 1;

  const hid_t float8 = castforge_hdf5_create_type(type);
  const hid_t space = H5Screate_simple(1, &extent, NULL);
  const hid_t file = H5Fcreate(argc > 1 ? argv[1] : "float8.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t dataset = H5Dcreate2(file, "weights", float8, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  failed |= H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, weights) < 0;
  failed |= H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0;
  failed |= H5Dread(dataset, float8, H5S_ALL, H5S_ALL, H5P_DEFAULT, codes) < 0;
  H5Dclose(dataset), H5Sclose(space), H5Tclose(float8);
  failed |= H5Fclose(file) < 0;
  if (failed) return 1; /* HDF5 has said why */

  printf("codes ");
  for (int i = 0; i < COUNT; ++i) printf(" %02x", codes[i]);
  printf("\nvalues");
  for (int i = 0; i < COUNT; ++i) printf(" %g", back[i]);
  printf("\n");
  return 0;
}

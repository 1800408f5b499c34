// Datasets of narrow floats through HDF5: the bits of the library, whatever the type in memory.
#include <castforge/hdf5.h>

#include <catch2/catch_all.hpp>

#include <castforge/castforge.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace castforge;

namespace {

castforge_type id(Type type) { return static_cast<castforge_type>(type); }

struct File {
  std::string path = "castforge_hdf5_test_" + std::to_string(std::random_device()()) + ".h5";
  hid_t id = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  ~File() {
    H5Fclose(id);
    std::remove(path.c_str());
  }
};

std::vector<float> numbers() {
  std::vector<float> all = {0.0f, -0.0f, 1.0f, 480.0f, -1e30f, 0x1p-9f, 0x1p-149f, 1.0625f, 1.1875f};
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 8);
  while (all.size() < 10001) all.push_back(normal(random));
  return all;
}

}  // namespace

TEST_CASE("types are described and recognized") {
  for (const Type type :
       {Type::float64, Type::float32, Type::float16, Type::bfloat16, Type::float8e4m3fn, Type::float8e5m2,
        Type::float8e4m3fnuz, Type::float8e5m2fnuz, Type::float6e2m3, Type::float6e3m2, Type::float4e2m1}) {
    CAPTURE(name(type));
    const hid_t made = castforge_hdf5_create_type(id(type));
    REQUIRE(made >= 0);
    CHECK(castforge_hdf5_recognize(made) == id(type));
    H5Tclose(made);
  }
  CHECK(castforge_hdf5_recognize(H5T_NATIVE_FLOAT) == id(Type::float32));
  CHECK(castforge_hdf5_recognize(H5T_NATIVE_INT) == CASTFORGE_NO_TYPE);
  CHECK(castforge_hdf5_recognize(H5T_IEEE_F32BE) == CASTFORGE_NO_TYPE);
  CHECK(castforge_hdf5_create_type(id(Type::int8)) < 0);
  CHECK(castforge_hdf5_create_type(id(Type::float8e8m0)) < 0);
  CHECK(castforge_hdf5_create_type(id(Type::binary8p4se)) < 0);  // as float8e4m3fnuz, but for the infinities
}

// First of those that register: HDF5 has its own conversion until then.
TEST_CASE("conversions that HDF5 has looked up before are replaced") {
  const hid_t float8 = castforge_hdf5_create_type(id(Type::float8e4m3fn));
  const auto code_of_a_million = [&] {
    float element = 1e6f;
    REQUIRE(H5Tconvert(H5T_NATIVE_FLOAT, float8, 1, &element, nullptr, H5P_DEFAULT) >= 0);
    std::uint8_t code;
    std::memcpy(&code, &element, 1);
    return static_cast<int>(code);
  };
  CHECK(code_of_a_million() == 0x78);  // an infinity, which the format does not have
  float largest = 0;
  const std::uint8_t code = 0x7E;
  std::memcpy(&largest, &code, 1);
  REQUIRE(H5Tconvert(float8, H5T_NATIVE_FLOAT, 1, &largest, nullptr, H5P_DEFAULT) >= 0);
  CHECK(std::isnan(largest));  // 448
  REQUIRE(castforge_hdf5_register("onnx@28") >= 0);
  CHECK(code_of_a_million() == 0x7E);
  REQUIRE(castforge_hdf5_register("openvino-convert@1") >= 0);
  CHECK(code_of_a_million() == 0x7F);
  REQUIRE(castforge_hdf5_register("onnx@28") >= 0);
  CHECK(code_of_a_million() == 0x7E);
  H5Tclose(float8);
}

TEST_CASE("datasets hold what the kernels give") {
  CHECK(castforge_hdf5_register("onx@28") < 0);
  CHECK(castforge_hdf5_register("onnx-range@27") < 0);
  CHECK(castforge_hdf5_register("onnx-bitcast@26") < 0);
  REQUIRE(castforge_hdf5_register(nullptr) >= 0);
  const std::vector<float> written = numbers();
  const hsize_t extent = written.size();
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  const File file;
  REQUIRE(file.id >= 0);
  for (const Type type : {Type::float8e4m3fn, Type::float8e5m2, Type::float8e4m3fnuz, Type::bfloat16, Type::float6e2m3,
                          Type::float4e2m1}) {
    CAPTURE(name(type));
    const hid_t stored = castforge_hdf5_create_type(id(type));
    const hid_t set =
        H5Dcreate2(file.id, std::string(name(type)).c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    REQUIRE(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, written.data()) >= 0);

    const Kernel to = find_kernel("castforge@1", Type::float32, type);
    const Kernel from = find_kernel("castforge@1", type, Type::float32);
    std::vector<std::uint8_t> packed(written.size() * 2);
    REQUIRE(to.run(written.data(), packed.data(), written.size()).ok());
    std::vector<float> expected(written.size()), found(written.size());
    REQUIRE(from.run(packed.data(), expected.data(), expected.size()).ok());
    REQUIRE(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
    CHECK(std::memcmp(found.data(), expected.data(), 4 * found.size()) == 0);
    std::vector<double> wide(written.size());
    REQUIRE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, wide.data()) >= 0);
    for (std::size_t i = 0; i < wide.size(); ++i) REQUIRE(wide[i] == static_cast<double>(expected[i]));
    // The codes themselves, an element a byte where it is narrower.
    const TypeInfo info = type_info(type);
    const std::size_t bytes = static_cast<std::size_t>(storage_unit(info.storage_bits)) / 8;
    std::vector<std::uint8_t> codes(written.size() * bytes);
    REQUIRE(H5Dread(set, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, codes.data()) >= 0);
    for (std::size_t i = 0; i < written.size(); ++i)
      REQUIRE(load_element(codes.data(), i, static_cast<int>(8 * bytes)) ==
              load_element(packed.data(), i, info.storage_bits));
    H5Dclose(set);
    H5Tclose(stored);
  }
  H5Sclose(space);
}

#ifdef CASTFORGE_TEST_FP24
TEST_CASE("elements of three bytes have four in HDF5") {
  REQUIRE(castforge_load(CASTFORGE_TEST_FP24) == CASTFORGE_OK);
  REQUIRE(castforge_hdf5_register(nullptr) >= 0);
  const Type fp24 = *find_type("fp24");
  const hid_t type = castforge_hdf5_create_type(id(fp24));
  REQUIRE(type >= 0);
  std::vector<float> values = numbers(), expected(values.size());
  std::vector<std::uint8_t> codes(3 * values.size());
  REQUIRE(find_kernel("castforge@1", Type::float32, fp24).run(values.data(), codes.data(), values.size()).ok());
  REQUIRE(find_kernel("castforge@1", fp24, Type::float32).run(codes.data(), expected.data(), values.size()).ok());
  REQUIRE(H5Tconvert(H5T_NATIVE_FLOAT, type, values.size(), values.data(), nullptr, H5P_DEFAULT) >= 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    REQUIRE(load_element(values.data(), i, 32) == load_element(codes.data(), i, 24));
  REQUIRE(H5Tconvert(type, H5T_NATIVE_FLOAT, values.size(), values.data(), nullptr, H5P_DEFAULT) >= 0);
  CHECK(std::memcmp(values.data(), expected.data(), 4 * values.size()) == 0);
  H5Tclose(type);
}
#endif

TEST_CASE("members of compounds are converted where they lie") {
  REQUIRE(castforge_hdf5_register("onnx@28") >= 0);
  const hid_t float8 = castforge_hdf5_create_type(id(Type::float8e4m3fn));
  struct Narrow {
    std::uint8_t code, pad[7];
  };
  const hid_t from = H5Tcreate(H5T_COMPOUND, 8), to = H5Tcreate(H5T_COMPOUND, 8);
  REQUIRE(H5Tinsert(from, "x", 0, float8) >= 0);
  REQUIRE(H5Tinsert(to, "x", 0, H5T_NATIVE_FLOAT) >= 0);
  Narrow elements[3] = {{0x38, {}}, {0x7E, {}}, {0xB8, {}}};
  Narrow background[3] = {};
  REQUIRE(H5Tconvert(from, to, 3, elements, background, H5P_DEFAULT) >= 0);
  float x[3];
  for (int i = 0; i < 3; ++i) std::memcpy(&x[i], &elements[i], 4);
  CHECK(x[0] == 1.0f);
  CHECK(x[1] == 448.0f);
  CHECK(x[2] == -1.0f);
  H5Tclose(from), H5Tclose(to), H5Tclose(float8);
}

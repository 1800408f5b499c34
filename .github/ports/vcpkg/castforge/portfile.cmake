# The library, from the source tree that holds this port (an overlay port). An index entry replaces the next line by
# vcpkg_from_github with the tag of the version.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DCASTFORGE_BUILD_GENERATOR=OFF
    -DCASTFORGE_BUILD_TOOLS=OFF
    -DCASTFORGE_BUILD_TESTS=OFF
    -DCASTFORGE_BUILD_HDF5=OFF
    -DCASTFORGE_FETCH_DEPS=OFF
    "-Dxsimd_ROOT=${CURRENT_INSTALLED_DIR}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME castforge CONFIG_PATH lib/cmake/castforge)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/.cmake/third_party_licenses.txt")

# What `cmake --install` puts where. The data folder mirrors the source tree (specs/, templates/, runtime/), so
# that castforge-gen and castforge_add_kernels find the same things in both.
include(CMakePackageConfigHelpers)

set(CASTFORGE_INSTALL_DATA "${CMAKE_INSTALL_DATADIR}/castforge")
set(CASTFORGE_INSTALL_CMAKE "${CMAKE_INSTALL_LIBDIR}/cmake/castforge")
set(headers FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

install(TARGETS castforge EXPORT castforgeTargets)
install(DIRECTORY runtime/include/castforge DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${headers})
install(DIRECTORY "${CASTFORGE_GENERATED_DIR}/include/castforge" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${headers})
if(CASTFORGE_BUILD_TOOLS)
  install(TARGETS castforge_program EXPORT castforgeTargets)
  file(RELATIVE_PATH library_path "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(castforge_program PROPERTIES INSTALL_RPATH "$ORIGIN/${library_path}")
endif()

# Everything castforge_add_kernels needs.
if(CASTFORGE_BUILD_GENERATOR)
  install(TARGETS castforge-gen EXPORT castforgeTargets)
endif()
install(DIRECTORY specs templates DESTINATION "${CASTFORGE_INSTALL_DATA}")
install(FILES "${CASTFORGE_GENERATED_DIR}/MANIFEST.tsv" DESTINATION "${CASTFORGE_INSTALL_DATA}")
install(DIRECTORY runtime/include runtime/simd DESTINATION "${CASTFORGE_INSTALL_DATA}/runtime" ${headers})
install(DIRECTORY runtime/module DESTINATION "${CASTFORGE_INSTALL_DATA}/runtime" FILES_MATCHING PATTERN "*.cpp")
install(FILES runtime/src/tables.hpp runtime/src/kernel_function.hpp
  DESTINATION "${CASTFORGE_INSTALL_DATA}/runtime/src")
install(FILES .cmake/CastforgeAddKernels.cmake .cmake/CastforgeLibrary.cmake .cmake/Dependencies.cmake
  .cmake/Version.cmake .cmake/castforge_isas.hpp.in .cmake/fetch_packages.sh
  DESTINATION "${CASTFORGE_INSTALL_DATA}/cmake")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT castforgeTargets NAMESPACE castforge:: DESTINATION "${CASTFORGE_INSTALL_CMAKE}")
configure_package_config_file(.cmake/castforgeConfig.cmake.in castforgeConfig.cmake
  INSTALL_DESTINATION "${CASTFORGE_INSTALL_CMAKE}" PATH_VARS CASTFORGE_INSTALL_DATA)
write_basic_package_version_file(castforgeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/castforgeConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/castforgeConfigVersion.cmake" DESTINATION "${CASTFORGE_INSTALL_CMAKE}")

file(RELATIVE_PATH CASTFORGE_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
string(REGEX REPLACE "/$" "" CASTFORGE_PC_PREFIX "${CASTFORGE_PC_PREFIX}")
set(CASTFORGE_PC_LIBS "")
if(NOT BUILD_SHARED_LIBS)
  set(CASTFORGE_PC_LIBS " -lstdc++ -lm")  # what a C program must add to a static C++ library
endif()
configure_file(.cmake/castforge.pc.in castforge.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/castforge.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

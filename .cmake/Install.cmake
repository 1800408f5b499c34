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

if(CASTFORGE_BUILD_TOOLS)
  install(DIRECTORY runtime/cli/convert/plans DESTINATION "${CASTFORGE_INSTALL_DATA}" FILES_MATCHING PATTERN "*.json")
endif()

if(TARGET castforge_hdf5)  # the component hdf5
  install(TARGETS castforge_hdf5 EXPORT castforgeHdf5Targets)
  if(TARGET castforge_hdf5_module)
    install(TARGETS castforge_hdf5_module EXPORT castforgeHdf5Targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(DIRECTORY runtime/hdf5/include/castforge DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${headers})
  install(DIRECTORY runtime/hdf5/examples DESTINATION "${CMAKE_INSTALL_DOCDIR}/hdf5")
  install(FILES .cmake/Hdf5.cmake DESTINATION "${CASTFORGE_INSTALL_DATA}/cmake")
  install(EXPORT castforgeHdf5Targets NAMESPACE castforge:: DESTINATION "${CASTFORGE_INSTALL_CMAKE}")
endif()

# Completion and manual pages, which the programs themselves print.
if(NOT CMAKE_CROSSCOMPILING)
  set(described "")
  if(CASTFORGE_BUILD_TOOLS)
    list(APPEND described castforge_program)
  endif()
  if(CASTFORGE_BUILD_GENERATOR)
    list(APPEND described castforge-gen)
  endif()
  foreach(target IN LISTS described)
    get_target_property(name ${target} OUTPUT_NAME)
    if(NOT name)
      set(name ${target})
    endif()
    set(folder "${PROJECT_BINARY_DIR}/described/${name}")
    add_custom_command(OUTPUT "${folder}/${name}" "${folder}/_${name}" "${folder}/${name}.fish" "${folder}/man1"
      COMMAND "${CMAKE_COMMAND}" -E rm -rf "${folder}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}/man1"
      COMMAND ${target} completion bash -o "${folder}/${name}"
      COMMAND ${target} completion zsh -o "${folder}/_${name}"
      COMMAND ${target} completion fish -o "${folder}/${name}.fish"
      COMMAND ${target} manual -o "${folder}/man1"
      DEPENDS ${target} COMMENT "Completion and manual pages of ${name}" VERBATIM)
    add_custom_target(${target}_described ALL DEPENDS "${folder}/${name}")
    install(FILES "${folder}/${name}" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${folder}/_${name}" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${folder}/${name}.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    install(DIRECTORY "${folder}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
  endforeach()
endif()

# Everything castforge_add_kernels needs.
if(CASTFORGE_BUILD_GENERATOR)
  install(TARGETS castforge-gen EXPORT castforgeTargets)
endif()
install(DIRECTORY specs templates DESTINATION "${CASTFORGE_INSTALL_DATA}")
if(EXISTS "${PROJECT_SOURCE_DIR}/tests/bench/speeds.tsv")
  install(FILES tests/bench/speeds.tsv DESTINATION "${CASTFORGE_INSTALL_DATA}")  # for the audit report
endif()
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
if(TARGET castforge_hdf5)
  configure_file(.cmake/castforge-hdf5.pc.in castforge-hdf5.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/castforge-hdf5.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()

# What `cmake --install` puts where, in the components
#
#   runtime      the shared library (nothing where castforge is static)
#   development  headers, the library to link, the CMake and pkg-config packages, the sources of castforge_add_kernels
#   tools        the programs castforge and castforge-gen, what they read, their manual pages and completion
#   hdf5         castforge::hdf5 and the module, where HDF5 was found; in none of the packages
#
# The component python is the module's own (runtime/python). The data folder mirrors the source tree (specs/,
# templates/, runtime/), so that castforge-gen and castforge_add_kernels find the same things in both.
include(CMakePackageConfigHelpers)

set(CASTFORGE_INSTALL_DATA "${CMAKE_INSTALL_DATADIR}/castforge")
set(CASTFORGE_INSTALL_CMAKE "${CMAKE_INSTALL_LIBDIR}/cmake/castforge")
if(NOT PROJECT_IS_TOP_LEVEL)  # else the licence would lie in the folder of the project around this one
  set(CMAKE_INSTALL_DOCDIR "${CMAKE_INSTALL_DATAROOTDIR}/doc/castforge")
endif()
set(headers FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
set(described "")
foreach(program IN ITEMS castforge_program castforge-gen)
  if(TARGET ${program})
    list(APPEND described ${program})
  endif()
endforeach()
set(CASTFORGE_COMPONENTS "")
if(TARGET castforge)  # else castforge-gen alone is built
  list(APPEND CASTFORGE_COMPONENTS development)
  if(BUILD_SHARED_LIBS)
    list(APPEND CASTFORGE_COMPONENTS runtime)
  endif()
endif()
if(described)
  list(APPEND CASTFORGE_COMPONENTS tools)
endif()
if(TARGET castforge_hdf5)
  list(APPEND CASTFORGE_COMPONENTS hdf5)
endif()

# ---- what belongs to every component ----------------------------------------------------------------------------
include(.cmake/Sbom.cmake)
castforge_bill_of_materials(bill)
foreach(component IN LISTS CASTFORGE_COMPONENTS)
  install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT ${component})
  install(FILES .cmake/third_party_licenses.txt DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT ${component}
    RENAME THIRD_PARTY_LICENSES)
  install(CODE "${bill}" COMPONENT ${component})
endforeach()

# ---- runtime and development ------------------------------------------------------------------------------------
if(TARGET castforge)
  install(TARGETS castforge EXPORT castforgeTargets
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    RUNTIME COMPONENT runtime
    ARCHIVE COMPONENT development)
  install(DIRECTORY runtime/include/castforge DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    COMPONENT development ${headers})
  install(DIRECTORY "${CASTFORGE_GENERATED_DIR}/include/castforge" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    COMPONENT development ${headers})
  # With specs/ and templates/, which the tools read too, this is everything castforge_add_kernels needs.
  install(FILES "${CASTFORGE_GENERATED_DIR}/MANIFEST.tsv" DESTINATION "${CASTFORGE_INSTALL_DATA}" COMPONENT development)
  install(DIRECTORY runtime/include runtime/loops runtime/simd DESTINATION "${CASTFORGE_INSTALL_DATA}/runtime"
    COMPONENT development ${headers})
  install(DIRECTORY runtime/module DESTINATION "${CASTFORGE_INSTALL_DATA}/runtime" COMPONENT development
    FILES_MATCHING PATTERN "*.cpp")
  install(FILES runtime/src/tables.hpp runtime/src/kernel_function.hpp runtime/src/ramp_table.hpp
    runtime/src/float_guard.hpp
    DESTINATION "${CASTFORGE_INSTALL_DATA}/runtime/src" COMPONENT development)
  install(FILES .cmake/CastforgeAddKernels.cmake .cmake/CastforgeLibrary.cmake .cmake/Dependencies.cmake
    .cmake/Version.cmake .cmake/castforge_isas.hpp.in DESTINATION "${CASTFORGE_INSTALL_DATA}/cmake"
    COMPONENT development)
  install(PROGRAMS .cmake/fetch_packages.sh DESTINATION "${CASTFORGE_INSTALL_DATA}/cmake" COMPONENT development)

  install(EXPORT castforgeTargets NAMESPACE castforge:: DESTINATION "${CASTFORGE_INSTALL_CMAKE}" COMPONENT development)
  # In a folder of their own, as CMake would take the build folder for an installation.
  set(configs "${CMAKE_CURRENT_BINARY_DIR}/installed")
  configure_package_config_file(.cmake/castforgeConfig.cmake.in "${configs}/castforgeConfig.cmake"
    INSTALL_DESTINATION "${CASTFORGE_INSTALL_CMAKE}" PATH_VARS CASTFORGE_INSTALL_DATA)
  write_basic_package_version_file("${configs}/castforgeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${configs}/castforgeConfig.cmake" "${configs}/castforgeConfigVersion.cmake"
    DESTINATION "${CASTFORGE_INSTALL_CMAKE}" COMPONENT development)

  # Folders relative to where the file itself is, so that an installation may move; absolute ones as they are.
  file(RELATIVE_PATH CASTFORGE_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
  string(REGEX REPLACE "/$" "" CASTFORGE_PC_PREFIX "\${pcfiledir}/${CASTFORGE_PC_PREFIX}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(CASTFORGE_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  endif()
  foreach(folder IN ITEMS LIBDIR INCLUDEDIR)
    set(CASTFORGE_PC_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
      set(CASTFORGE_PC_${folder} "${CMAKE_INSTALL_${folder}}")
    endif()
  endforeach()
  set(CASTFORGE_PC_HIDE "")
  set(CASTFORGE_PC_LIBS "")
  if(NOT BUILD_SHARED_LIBS)
    set(CASTFORGE_PC_LIBS " -lstdc++ -lm")  # what a C program must add to a static C++ library
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
      # As in CastforgeLibrary.cmake; pkg-config --define-variable=hide= undoes it.
      set(CASTFORGE_PC_HIDE "hide=-Wl,--exclude-libs,libcastforge.a\n")
      string(PREPEND CASTFORGE_PC_LIBS " \${hide}")
    endif()
  endif()
  configure_file(.cmake/castforge.pc.in castforge.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/castforge.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT development)
endif()

# ---- hdf5 -------------------------------------------------------------------------------------------------------
if(TARGET castforge_hdf5)
  install(TARGETS castforge_hdf5 EXPORT castforgeHdf5Targets COMPONENT hdf5)
  if(TARGET castforge_hdf5_module)
    install(TARGETS castforge_hdf5_module EXPORT castforgeHdf5Targets
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT hdf5)
  endif()
  install(DIRECTORY runtime/hdf5/include/castforge DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT hdf5 ${headers})
  install(DIRECTORY runtime/hdf5/examples DESTINATION "${CMAKE_INSTALL_DOCDIR}/hdf5" COMPONENT hdf5)
  install(FILES .cmake/Hdf5.cmake DESTINATION "${CASTFORGE_INSTALL_DATA}/cmake" COMPONENT hdf5)
  install(EXPORT castforgeHdf5Targets NAMESPACE castforge:: DESTINATION "${CASTFORGE_INSTALL_CMAKE}" COMPONENT hdf5)
  configure_file(.cmake/castforge-hdf5.pc.in castforge-hdf5.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/castforge-hdf5.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT hdf5)
endif()

# ---- tools ------------------------------------------------------------------------------------------------------
if(described)
  # An export of their own: the development package is usable without the programs.
  install(TARGETS ${described} EXPORT castforgeToolsTargets RUNTIME COMPONENT tools)
  if(TARGET castforge)
    install(EXPORT castforgeToolsTargets NAMESPACE castforge:: DESTINATION "${CASTFORGE_INSTALL_CMAKE}"
      COMPONENT tools)
  endif()
  install(DIRECTORY specs templates DESTINATION "${CASTFORGE_INSTALL_DATA}" COMPONENT tools)
  if(EXISTS "${PROJECT_SOURCE_DIR}/tests/bench/speeds.tsv")
    # For the audit report.
    install(FILES tests/bench/speeds.tsv DESTINATION "${CASTFORGE_INSTALL_DATA}" COMPONENT tools)
  endif()
  # For MANIFEST.tsv, explain and audit.
  install(DIRECTORY tests/evidence DESTINATION "${CASTFORGE_INSTALL_DATA}" COMPONENT tools
    FILES_MATCHING PATTERN "*.tsv")
endif()
if(TARGET castforge_program)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH library_path "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_target_properties(castforge_program PROPERTIES INSTALL_RPATH "$ORIGIN/${library_path}")
    # A system's own folder is searched without being told; an archive, or --prefix, puts the program elsewhere.
    if(CMAKE_INSTALL_FULL_LIBDIR IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      install(CODE "
        set(program \"${CMAKE_INSTALL_BINDIR}/$<TARGET_FILE_NAME:castforge_program>\")
        cmake_path(ABSOLUTE_PATH program BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
        string(REGEX REPLACE \"^.*/_CPack_Packages/.*(${CMAKE_INSTALL_PREFIX})\$\" \"\\\\1\" place
          \"\${CMAKE_INSTALL_PREFIX}\")
        if(place STREQUAL \"${CMAKE_INSTALL_PREFIX}\" AND EXISTS \"\$ENV{DESTDIR}\${program}\")
          file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${program}\")
        endif()" COMPONENT tools)
    endif()
  endif()
  install(DIRECTORY runtime/cli/convert/plans DESTINATION "${CASTFORGE_INSTALL_DATA}" COMPONENT tools
    FILES_MATCHING PATTERN "*.json")
endif()

# What is built for an installation: this target has it without tests.
set(built ${described})
foreach(target IN ITEMS castforge castforge_hdf5 castforge_hdf5_module)
  if(TARGET ${target})
    list(APPEND built ${target})
  endif()
endforeach()

# Completion and manual pages, which the programs themselves print.
if(NOT CMAKE_CROSSCOMPILING)
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
    list(APPEND built ${target}_described)
    install(FILES "${folder}/${name}" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
      COMPONENT tools)
    install(FILES "${folder}/_${name}" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT tools)
    install(FILES "${folder}/${name}.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
      COMPONENT tools)
    install(DIRECTORY "${folder}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT tools)
  endforeach()
endif()
if(built)
  add_custom_target(castforge_installable)
  add_dependencies(castforge_installable ${built})
endif()
if(PROJECT_IS_TOP_LEVEL AND TARGET castforge)
  include(.cmake/Package.cmake)
endif()

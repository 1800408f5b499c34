# `cpack -G DEB` and `cpack -G RPM` make one package per install component, with the names that the distributions
# expect; other generators (TGZ) make one archive. The workflow preset `package` configures for /usr with a shared
# library, builds, and packs. Set SOURCE_DATE_EPOCH to get the same packages again.
set(CASTFORGE_PACKAGE_CONTACT "castforge maintainers <maintainers@castforge.invalid>" CACHE STRING
  "Name and address of who answers for the packages")
mark_as_advanced(CASTFORGE_PACKAGE_CONTACT)

set(CPACK_PACKAGE_CONTACT "${CASTFORGE_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_VENDOR castforge)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "conversion between number formats, exact and vectorized")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL ${CASTFORGE_COMPONENTS})
list(REMOVE_ITEM CPACK_COMPONENTS_ALL hdf5)  # packages do not depend on what the building machine happens to have
# An archive has the same components as the packages, and not all that is installed.
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/PackageArchive.cmake")
set(CPACK_SOURCE_GENERATOR TGZ)
string(REGEX REPLACE "([][+.*()^$?|{}\\])" "\\\\\\1" here "${PROJECT_SOURCE_DIR}")
set(CPACK_SOURCE_IGNORE_FILES "^${here}/\\.git/" "^${here}/build/" "/__pycache__/")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/PackageDocs.cmake")
set(CPACK_POST_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/PackageTriggers.cmake")

set(CASTFORGE_ABI ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(about "castforge converts numbers between formats such as float32, bfloat16,
float8 and int4, under the rules of ONNX, OpenVINO and others, with
results that are rounded once.")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${about}
This package contains the shared library.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${about}
This package contains the headers, the library to link and the CMake and
pkg-config packages.")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "${about}
This package contains the program castforge, which converts files, and
castforge-gen, which generates kernels for formats and rules of one's own.")

# ---- Debian -----------------------------------------------------------------------------------------------------
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0castforge1)  # below a distribution's own revision 1
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/runtime")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME "libcastforge${CASTFORGE_ABI}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
# With it, PackageTriggers.cmake writes the symbols file.
configure_file("${CMAKE_CURRENT_LIST_DIR}/libcastforge.symbols.in" "${PROJECT_BINARY_DIR}/deb/symbols.in" @ONLY)
set(CPACK_CASTFORGE_SYMBOLS "${PROJECT_BINARY_DIR}/deb/symbols.in")
set(CPACK_CASTFORGE_SHARED_LIBRARY "${CMAKE_INSTALL_FULL_LIBDIR}/libcastforge.so.${PROJECT_VERSION}")
# A trigger, where CPack's own way is scripts that call ldconfig; PackageTriggers.cmake takes those out.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/deb/triggers" CONTENT "activate-noawait ldconfig\n")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/deb/shlibs" CONTENT
  "libcastforge ${CASTFORGE_ABI} ${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/deb/triggers;${PROJECT_BINARY_DIR}/deb/shlibs")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcastforge-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# castforge_add_kernels needs both.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "castforge-tools, libxsimd-dev")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME castforge-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
if(BUILD_SHARED_LIBS)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (>= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
endif()

# ---- RPM --------------------------------------------------------------------------------------------------------
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE Apache-2.0)
set(CPACK_RPM_PACKAGE_RELEASE 1)
set(CPACK_RPM_RUNTIME_PACKAGE_NAME castforge-libs)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_NAME castforge-devel)
set(CPACK_RPM_TOOLS_PACKAGE_NAME castforge-tools)
if(BUILD_SHARED_LIBS)
  set(CPACK_RPM_DEVELOPMENT_PACKAGE_REQUIRES "castforge-libs = ${PROJECT_VERSION}")
endif()
foreach(script IN ITEMS POST_INSTALL POST_UNINSTALL)
  set(CPACK_RPM_RUNTIME_${script}_SCRIPT_FILE "${CMAKE_CURRENT_LIST_DIR}/ldconfig.sh")
endforeach()
# Folders that other packages own.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/doc
  /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/zsh /usr/share/zsh/site-functions
  /usr/share/fish /usr/share/fish/vendor_completions.d "${CMAKE_INSTALL_FULL_LIBDIR}"
  "${CMAKE_INSTALL_FULL_LIBDIR}/cmake" "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")

# What PackageDocs.cmake needs.
set(CPACK_CASTFORGE_SOURCE_DIR "${PROJECT_SOURCE_DIR}")
set(CPACK_CASTFORGE_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_CASTFORGE_DOCDIR "${CMAKE_INSTALL_FULL_DOCDIR}")
include(CPack)

# Run by cpack between installing and packing: gives every Debian package the documents that policy asks for, in the
# folder of the package's own name, and compresses what has to be.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
if(NOT CPACK_CASTFORGE_PREFIX STREQUAL CPACK_PACKAGING_INSTALL_PREFIX)
  message(FATAL_ERROR "castforge: Debian packages are for ${CPACK_PACKAGING_INSTALL_PREFIX}, and this build is for "
    "${CPACK_CASTFORGE_PREFIX}: configure with -DCMAKE_INSTALL_PREFIX=${CPACK_PACKAGING_INSTALL_PREFIX}, "
    "as the preset package does")
endif()

function(castforge_compress)
  execute_process(COMMAND gzip -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ "${CPACK_CASTFORGE_SOURCE_DIR}/.cmake/third_party_licenses.txt" third_party)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}")
  set(docs "${root}${CPACK_CASTFORGE_DOCDIR}")
  cmake_path(GET docs PARENT_PATH all_docs)
  file(RENAME "${docs}" "${all_docs}/${package}")
  set(docs "${all_docs}/${package}")

  # Debian has the first text once, in common-licenses, and the others in this file.
  file(REMOVE "${docs}/LICENSE" "${docs}/THIRD_PARTY_LICENSES")
  file(WRITE "${docs}/copyright" "castforge was packaged from its own sources.\n\n"
    "Copyright 2026 the castforge authors\n"
    "License: Apache-2.0\n"
    " On Debian systems the text of the Apache License, Version 2.0, is in\n"
    " /usr/share/common-licenses/Apache-2.0.\n\n"
    "${third_party}")
  configure_file("${CPACK_CASTFORGE_SOURCE_DIR}/.github/CHANGELOG.md" "${docs}/changelog" COPYONLY)
  set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
  file(WRITE "${docs}/changelog.Debian" "castforge (${version}) unstable; urgency=medium\n\n"
    "  * Release ${CPACK_PACKAGE_VERSION}; changelog.gz says what changed.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${today}\n")
  castforge_compress("${docs}/changelog" "${docs}/changelog.Debian")

  file(GLOB_RECURSE pages "${root}${CPACK_PACKAGING_INSTALL_PREFIX}/share/man/*.[1-9]")
  if(pages)
    castforge_compress(${pages})
  endif()
  file(GLOB_RECURSE documents "${docs}/*")
  file(CHMOD ${documents} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()

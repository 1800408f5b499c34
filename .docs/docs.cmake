# The target `docs`: the site in build/docs/html. Not part of `all`, and nothing is looked for until it is built first.
option(CASTFORGE_DOCS "Have the target docs" ${PROJECT_IS_TOP_LEVEL})
if(NOT CASTFORGE_DOCS)
  return()
endif()
find_program(CASTFORGE_DOXYGEN doxygen DOC "Doxygen, for the target docs")
find_program(CASTFORGE_DOCS_PYTHON NAMES python3 python DOC "Python for the target docs; one that has pycastforge")
mark_as_advanced(CASTFORGE_DOXYGEN CASTFORGE_DOCS_PYTHON)

set(missing "")
if(NOT CASTFORGE_DOXYGEN)
  list(APPEND missing "doxygen (Debian package doxygen, or CASTFORGE_DOXYGEN)")
endif()
if(NOT CASTFORGE_DOCS_PYTHON)
  list(APPEND missing "Python 3 (Debian package python3, or CASTFORGE_DOCS_PYTHON)")
endif()
foreach(target IN ITEMS castforge_program castforge-gen)
  if(NOT TARGET ${target})
    list(APPEND missing "the program ${target} (CASTFORGE_BUILD_TOOLS and CASTFORGE_BUILD_GENERATOR)")
  endif()
endforeach()
if(missing)
  list(JOIN missing ", " missing)
  add_custom_target(docs
    COMMAND "${CMAKE_COMMAND}" -E echo "docs: missing when CMake configured: ${missing}"
    COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
  return()
endif()

set(docs "${PROJECT_BINARY_DIR}/docs")
configure_file("${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in" "${docs}/Doxyfile" @ONLY)
add_custom_target(docs
  COMMAND "${CASTFORGE_DOCS_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/make_pages.py" --source "${PROJECT_SOURCE_DIR}"
    --out "${docs}" --program $<TARGET_FILE:castforge_program> --program $<TARGET_FILE:castforge-gen>
  COMMAND "${CASTFORGE_DOXYGEN}" -q "${docs}/Doxyfile"
  COMMAND "${CASTFORGE_DOCS_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/check_site.py" "${docs}/html"
    "${docs}/warnings.txt"
  DEPENDS castforge_program castforge-gen COMMENT "The site of castforge: ${docs}/html/index.html" VERBATIM)

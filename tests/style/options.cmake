# Every option of the build stands in .cmake/README.md, and that names no other.
#   cmake -D SOURCE_DIR=FOLDER -P options.cmake
file(READ "${SOURCE_DIR}/.cmake/README.md" page)
string(REGEX MATCHALL "\n\\| `(PY)?(CASTFORGE_[A-Z0-9_]+|BUILD_SHARED_LIBS)" rows "${page}")
list(TRANSFORM rows REPLACE "^\n\\| `" "")

file(GLOB_RECURSE sources "${SOURCE_DIR}/generator/CMakeLists.txt" "${SOURCE_DIR}/runtime/*CMakeLists.txt"
  "${SOURCE_DIR}/runtime/*.cmake" "${SOURCE_DIR}/tests/*CMakeLists.txt" "${SOURCE_DIR}/.cmake/*.cmake"
  "${SOURCE_DIR}/.docs/*.cmake")
set(options "")
foreach(source IN LISTS sources ITEMS "${SOURCE_DIR}/CMakeLists.txt")
  file(READ "${source}" text)
  string(REGEX MATCHALL
    "option\\([A-Z0-9_]+|set\\((PY)?CASTFORGE_[A-Z0-9_]+ [^\n]* CACHE (STRING|PATH|FILEPATH|BOOL)[ \n]"
    found "${text}")
  list(TRANSFORM found REPLACE "^(option|set)\\(([A-Z0-9_]+).*" "\\2")
  list(APPEND options ${found})
endforeach()
list(REMOVE_DUPLICATES options)
if(NOT options)
  message(FATAL_ERROR "no options found below ${SOURCE_DIR}")
endif()

set(missing ${options})
list(REMOVE_ITEM missing ${rows})
set(unknown ${rows})
list(REMOVE_ITEM unknown ${options})
if(missing OR unknown)
  message(FATAL_ERROR ".cmake/README.md, Options: missing: ${missing}; not an option: ${unknown}")
endif()

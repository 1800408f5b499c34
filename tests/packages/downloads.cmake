# cmake -D SOURCE_DIR=... -D WORK_DIR=... -P downloads.cmake: a dependency that is not there is downloaded, or
# configuring says soon what to do instead. Nothing goes over a network: the release is a file, the package archive a
# script.
cmake_minimum_required(VERSION 3.25)
set(work "${WORK_DIR}/downloads")
file(REMOVE_RECURSE "${work}")
file(WRITE "${work}/release/release-1.0/include/castforge_made_up/header.hpp" "")
execute_process(COMMAND "${CMAKE_COMMAND}" -E tar czf "${work}/release.tar.gz" release-1.0
  WORKING_DIRECTORY "${work}/release" COMMAND_ERROR_IS_FATAL ANY)
file(SHA256 "${work}/release.tar.gz" hash)

# `pattern` is in what CMake says where it has to fail, empty where it must not.
function(expect what pattern url hash)
  set(project "${work}/${what}")
  file(WRITE "${project}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES NONE)\n"
    "include(\"${SOURCE_DIR}/.cmake/Dependencies.cmake\")\n"
    "set(_castforge_dep_made_up HEADERS VERSION 1.0 DEB made-up HEADER castforge_made_up/header.hpp URL \"${url}\"\n"
    "  SHA256 ${hash} CACHE INTERNAL \"\")\n"
    "set(CASTFORGE_UPSTREAM_made_up TRUE CACHE INTERNAL \"\")\n"  # the package archive is for below
    "castforge_require(made_up)\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${project}" -B "${project}/build" ${ARGN} TIMEOUT 60
    RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(pattern AND NOT (failed AND output MATCHES "${pattern}"))
    message(SEND_ERROR "${what}: expected an error with \"${pattern}\", found (${failed}):\n${output}")
  elseif(NOT pattern AND failed)
    message(SEND_ERROR "${what}: expected no error, found (${failed}):\n${output}")
  endif()
endfunction()

expect(release "" "file://${work}/release.tar.gz" ${hash})
file(RENAME "${work}/release.tar.gz" "${work}/release.tar.gz.moved")
expect(release "" "file://${work}/release.tar.gz" ${hash})  # it is there from the first time
# Another release takes its place in the same build tree.
file(WRITE "${work}/release/release-1.0/include/castforge_made_up/header.hpp" "// 1.1")
execute_process(COMMAND "${CMAKE_COMMAND}" -E tar czf "${work}/newer.tar.gz" release-1.0
  WORKING_DIRECTORY "${work}/release" COMMAND_ERROR_IS_FATAL ANY)
file(SHA256 "${work}/newer.tar.gz" newer)
expect(release "" "file://${work}/newer.tar.gz" ${newer})
file(STRINGS "${work}/release/build/deps/upstream/castforge_made_up-src/include/castforge_made_up/header.hpp" text)
if(NOT text STREQUAL "// 1.1")
  message(SEND_ERROR "another release: expected its header, found \"${text}\"")
endif()
string(REPEAT 0 64 other)
expect("another file" "another file than the release, with the SHA-256 ${hash}"
  "file://${work}/release.tar.gz.moved" ${other})
# At the port for what is to be discarded nobody answers.
expect("no network" "cannot download it: [^.]+\\. Install it \\(Debian package made-up\\)[^.]* CMAKE_PREFIX_PATH[^.]* \
FETCHCONTENT_SOURCE_DIR_CASTFORGE_MADE_UP[^.]* CASTFORGE_DEPS_DIR" http://127.0.0.1:9/release.tar.gz ${hash})

# Where the package archive cannot be reached (exit 2), there is no use in asking for another suite or once more.
set(codename "")
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release codename REGEX "^VERSION_CODENAME=.")
endif()
if(codename)
  set(programs "${work}/programs")
  file(WRITE "${programs}/dpkg-deb" "#!/bin/sh\n")
  file(WRITE "${programs}/apt-get" [=[#!/bin/sh
. /etc/os-release
case "$*" in
  *--print-uris*) echo "'http://made-up.invalid/debian/dists/$VERSION_CODENAME/InRelease' InRelease 0" ;;
  *) echo asked >> "$ASKED"; echo "E: Failed to fetch http://made-up.invalid  $SAYS"; exit 100 ;;
esac
]=])
  file(CHMOD "${programs}/dpkg-deb" "${programs}/apt-get" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  foreach(case IN ITEMS "Temporary failure resolving 'made-up.invalid'|2|1"
      "Could not connect to 127.0.0.1:9 (127.0.0.1). - connect (111: Connection refused)|2|1"
      "404  Not Found|1|2")
    string(REPLACE "|" ";" case "${case}")
    list(POP_FRONT case says code times)
    file(REMOVE_RECURSE "${work}/lists" "${work}/asked")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PATH=${programs}:$ENV{PATH}" "ASKED=${work}/asked" "SAYS=${says}"
      sh "${SOURCE_DIR}/.cmake/fetch_packages.sh" "${work}/unpacked" own "${work}/lists" made-up
      RESULT_VARIABLE exit OUTPUT_QUIET ERROR_VARIABLE error)
    file(STRINGS "${work}/asked" asked)
    list(LENGTH asked count)
    if(NOT exit EQUAL code OR NOT count EQUAL times)
      message(SEND_ERROR "\"${says}\": expected exit ${code} after ${times}, found ${exit} after ${count}:\n${error}")
    endif()
  endforeach()
endif()

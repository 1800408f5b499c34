# The software bill of materials (SPDX 2.3, JSON) of a build: castforge, what its parts are compiled with and linked to,
# in which version and under which licence. From the list in Dependencies.cmake and what was found of it.
#
#   castforge_bill_of_materials(<out>)  the code of an install rule that writes share/doc/castforge/castforge.spdx.json
#   cmake -D OUTPUT=<file> -P Sbom.cmake  writes it without a build, with the least version of each dependency
#
# `created` and with it the whole file are the same in every build where SOURCE_DATE_EPOCH is set.
include("${CMAKE_CURRENT_LIST_DIR}/Version.cmake")

# {"name": "SPDXID": ...} and further pairs of a key and a JSON value.
function(_castforge_spdx_package out name version licence)
  string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "${name}")
  set(package "{}")
  foreach(pair IN ITEMS "name=${name}" "SPDXID=SPDXRef-Package-${id}" "versionInfo=${version}"
      "licenseConcluded=${licence}" "licenseDeclared=${licence}" "copyrightText=NOASSERTION"
      "downloadLocation=NOASSERTION" ${ARGN})
    string(REGEX MATCH "^([A-Za-z]+)=(.*)$" matched "${pair}")
    string(JSON package SET "${package}" ${CMAKE_MATCH_1} "\"${CMAKE_MATCH_2}\"")
  endforeach()
  string(JSON package SET "${package}" filesAnalyzed false)
  set(${out} "${package}" PARENT_SCOPE)
endfunction()

# Writes `file`. VERSIONS: pairs <dependency>=<version> that were found; a dependency without one gets the least that
# is accepted, and a comment.
function(castforge_write_bill_of_materials file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "VERSIONS")
  set(packages "[]")
  set(relations "[]")
  macro(relate from kind to)
    string(JSON count LENGTH "${relations}")
    string(JSON relations SET "${relations}" ${count} "{\"spdxElementId\": \"SPDXRef-${from}\", \
      \"relationshipType\": \"${kind}\", \"relatedSpdxElement\": \"SPDXRef-${to}\"}")
  endmacro()
  macro(add_package)
    string(JSON count LENGTH "${packages}")
    string(JSON packages SET "${packages}" ${count} "${package}")
  endmacro()

  _castforge_spdx_package(package castforge ${CASTFORGE_VERSION} Apache-2.0)
  add_package()
  relate(DOCUMENT DESCRIBES Package-castforge)
  foreach(part IN ITEMS library:LIBRARY castforge:APPLICATION castforge-gen:APPLICATION)
    string(REGEX MATCH "^(.*):(.*)$" matched ${part})
    set(kind ${CMAKE_MATCH_2})
    set(name "castforge (${CMAKE_MATCH_1})")
    set(id Part-${CMAKE_MATCH_1})
    _castforge_spdx_package(package "${name}" ${CASTFORGE_VERSION} Apache-2.0 primaryPackagePurpose=${kind}
      SPDXID=SPDXRef-${id})
    add_package()
    relate(Package-castforge CONTAINS ${id})
  endforeach()
  relate(Part-castforge DEPENDS_ON Part-library)

  foreach(name IN LISTS _castforge_dependencies)
    cmake_parse_arguments(dep "${_castforge_recipe_flags}" "${_castforge_recipe_single}" "${_castforge_recipe_multiple}"
      ${_castforge_dep_${name}})
    set(version ${dep_VERSION})
    set(comment "comment=The least version that is accepted.")
    foreach(pair IN LISTS arg_VERSIONS)
      if(pair MATCHES "^${name}=(.+)$")
        set(version ${CMAKE_MATCH_1})
        set(comment "")
      endif()
    endforeach()
    string(REGEX MATCH "^https://github.com/([^/]+/[^/]+)/" matched "${dep_URL}")
    set(project ${CMAKE_MATCH_1})
    _castforge_spdx_package(package ${name} ${version} ${dep_LICENSE} "homepage=https://github.com/${project}"
      ${comment})
    string(TOLOWER "${project}" project)
    string(JSON package SET "${package}" externalRefs "[{\"referenceCategory\": \"PACKAGE-MANAGER\",
      \"referenceType\": \"purl\", \"referenceLocator\": \"pkg:github/${project}@${version}\"}]")
    add_package()
    foreach(part IN LISTS dep_PART_OF)
      if(part STREQUAL "tests")
        relate(Package-${name} TEST_DEPENDENCY_OF Package-castforge)
      else()
        relate(Part-${part} DEPENDS_ON Package-${name})
      endif()
    endforeach()
  endforeach()

  # The name of the document is unique to what it says.
  string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
  string(UUID uuid NAMESPACE 6ba7b811-9dad-11d1-80b4-00c04fd430c8 NAME "${created}${packages}${relations}" TYPE SHA1)
  set(document "{\"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\",
    \"name\": \"castforge-${CASTFORGE_VERSION}\", \"documentNamespace\": \"urn:uuid:${uuid}\",
    \"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Tool: castforge-${CASTFORGE_VERSION}\"]}}")
  string(JSON document SET "${document}" packages "${packages}")
  string(JSON document SET "${document}" relationships "${relations}")
  file(WRITE "${file}" "${document}\n")
  file(CHMOD "${file}" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)  # whatever the umask
endfunction()

function(castforge_bill_of_materials out)
  set(versions "")
  foreach(name IN LISTS _castforge_dependencies)
    get_property(version GLOBAL PROPERTY castforge_found_version_${name})
    if(version)
      string(APPEND versions " ${name}=${version}")
    endif()
  endforeach()
  set(${out} "
    set(sbom \"${CMAKE_INSTALL_DOCDIR}/castforge.spdx.json\")
    cmake_path(ABSOLUTE_PATH sbom BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${sbom}\")
    list(REMOVE_DUPLICATES CMAKE_INSTALL_MANIFEST_FILES)
    set(sbom \"\$ENV{DESTDIR}\${sbom}\")
    message(STATUS \"Writing: \${sbom}\")
    include(\"${CMAKE_CURRENT_FUNCTION_LIST_DIR}/Dependencies.cmake\")
    include(\"${CMAKE_CURRENT_FUNCTION_LIST_DIR}/Sbom.cmake\")
    castforge_write_bill_of_materials(\"\${sbom}\" VERSIONS${versions})" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  include("${CMAKE_CURRENT_LIST_DIR}/Dependencies.cmake")
  castforge_write_bill_of_materials("${OUTPUT}")
endif()

# cmake -D SOURCE_DIR=... -P ports.cmake: recipes and documents have the version of .cmake/Version.cmake, and the ports
# ask for the xsimd that the build asks for. The Conan recipe reads the version itself.
cmake_minimum_required(VERSION 3.25)
include("${SOURCE_DIR}/.cmake/Version.cmake")
include("${SOURCE_DIR}/.cmake/Dependencies.cmake")
set(ports "${SOURCE_DIR}/.github/ports")

function(expect what found wanted)
  if(NOT found STREQUAL wanted)
    message(SEND_ERROR "${what}: expected ${wanted}, found \"${found}\"")
  endif()
endfunction()

file(READ "${ports}/vcpkg/castforge/vcpkg.json" manifest)
string(JSON found GET "${manifest}" version)
expect("vcpkg.json: version" "${found}" ${CASTFORGE_VERSION})
string(JSON found GET "${manifest}" name)
expect("vcpkg.json: name" "${found}" castforge)
string(JSON found GET "${manifest}" license)
expect("vcpkg.json: license" "${found}" Apache-2.0)
cmake_parse_arguments(xsimd "${_castforge_recipe_flags}" "${_castforge_recipe_single}" "${_castforge_recipe_multiple}"
  ${_castforge_dep_xsimd})
string(JSON found GET "${manifest}" dependencies 2 "version>=")
expect("vcpkg.json: xsimd" "${found}" ${xsimd_VERSION})

file(READ "${ports}/conda/recipe.yaml" recipe)
string(REGEX MATCH "\ncontext:\n  version: \"([0-9.]+)\"\n" matched "${recipe}")
expect("recipe.yaml: version" "${CMAKE_MATCH_1}" ${CASTFORGE_VERSION})
string(REGEX MATCH "- xsimd >=([0-9.]+)\n" matched "${recipe}")
expect("recipe.yaml: xsimd" "${CMAKE_MATCH_1}.0" ${xsimd_VERSION})

file(READ "${ports}/conan/conanfile.py" recipe)
string(REGEX MATCH "xsimd/\\[>=([0-9.]+) " matched "${recipe}")
expect("conanfile.py: xsimd" "${CMAKE_MATCH_1}.0" ${xsimd_VERSION})
# It names what it takes of the tree: every folder that CMakeLists.txt includes a file of.
file(READ "${SOURCE_DIR}/CMakeLists.txt" lists)
string(REGEX MATCHALL "include\\(\\.[a-z]+/" included "${lists}")
foreach(folder IN LISTS included)
  string(REGEX REPLACE "include\\((.*)/" "\\1" folder "${folder}")
  string(FIND "${recipe}" "\"${folder}/*\"" found)
  if(found EQUAL -1)
    message(SEND_ERROR "conanfile.py: the sources that it exports lack ${folder}/")
  endif()
endforeach()
find_program(python NAMES python3 NO_CACHE)
if(python)
  execute_process(COMMAND "${python}" -c "import ast, sys; ast.parse(open(sys.argv[1]).read())"
    "${ports}/conan/conanfile.py" COMMAND_ERROR_IS_FATAL ANY)
endif()

# The newest section of the changelog is this version's.
file(READ "${SOURCE_DIR}/.github/CHANGELOG.md" changelog)
string(REGEX MATCH "\n## ([0-9.]+)" matched "${changelog}")
expect("CHANGELOG.md: newest section" "${CMAKE_MATCH_1}" ${CASTFORGE_VERSION})

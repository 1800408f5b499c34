# How a castforge library is built from runtime/ and a generated tree; used by this project and, after
# installation, by castforge_add_kernels.
#
#   castforge_add_library(<target> RUNTIME <dir> GENERATED <dir> ISAS <name>... [TYPE STATIC|SHARED])
#
# Every generated unit and every source file in runtime/simd/ is compiled once per instruction set, into the object
# library <target>_isa_<name>.
include_guard(DIRECTORY)
include("${CMAKE_CURRENT_LIST_DIR}/Dependencies.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Version.cmake")

# The instruction sets worth building for the target processor.
function(castforge_default_isas out)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(${out} portable sse4_2 avx2 avx512 avx512vbmi PARENT_SCOPE)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
    set(${out} portable neon64 PARENT_SCOPE)
  else()
    set(${out} portable PARENT_SCOPE)
  endif()
endfunction()

# The flags of one instruction set's objects; the tests of runtime/simd build with the same ones.
function(castforge_isa_options target isa)
  set(portable "")
  set(neon64 "")
  set(sse4_2 -msse4.2)
  set(avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
  set(avx512 ${avx2} -mavx512f -mavx512cd -mavx512bw -mavx512dq -mavx512vl)
  set(avx512vbmi ${avx512} -mavx512ifma -mavx512vbmi -mavx512vbmi2)
  if(NOT isa MATCHES "^(portable|neon64|sse4_2|avx2|avx512|avx512vbmi)$")
    message(FATAL_ERROR "castforge: CASTFORGE_ISAS names \"${isa}\"; known are portable, sse4_2, avx2, avx512, "
      "avx512vbmi and neon64")
  endif()
  string(TOUPPER ${isa} upper)
  target_compile_definitions(${target} PRIVATE CASTFORGE_ISA=isa_${isa} CASTFORGE_ISA_${upper}=1)
  # The vector layer is written for the optimizer, and -g triples its compile time: the same in every build type.
  target_compile_options(${target} PRIVATE ${${isa}} -O2 -g0 -ffp-contract=off)
  # An operation is applied to all vectors of a block before the next one follows; g++ interleaves them only if asked
  # to.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fschedule-insns -fsched-pressure)
  endif()
  if(NOT isa STREQUAL "portable")
    castforge_require(xsimd)
    target_link_libraries(${target} PRIVATE castforge_dep::xsimd)
  endif()
endfunction()

function(castforge_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RUNTIME;GENERATED;TYPE" "ISAS")
  list(REMOVE_DUPLICATES arg_ISAS)
  if(NOT "portable" IN_LIST arg_ISAS)
    message(FATAL_ERROR "castforge: CASTFORGE_ISAS is \"${arg_ISAS}\"; it must include \"portable\", "
      "which every machine runs")
  endif()
  if(NOT EXISTS "${arg_GENERATED}/sources.cmake")
    message(FATAL_ERROR "castforge: ${arg_GENERATED} holds no sources.cmake; write the tree with "
      "`castforge-gen generate --out ${arg_GENERATED}`")
  endif()

  include("${arg_GENERATED}/sources.cmake")
  # A regenerated tree may list other files.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_GENERATED}/sources.cmake")
  list(TRANSFORM CASTFORGE_GENERATED_UNITS PREPEND "${arg_GENERATED}/")
  list(TRANSFORM CASTFORGE_GENERATED_TABLES PREPEND "${arg_GENERATED}/")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${arg_RUNTIME}/src/*.cpp")
  file(GLOB isa_sources CONFIGURE_DEPENDS "${arg_RUNTIME}/simd/*.cpp")

  # castforge_isas.hpp tells the runtime which instruction sets there are.
  set(CASTFORGE_ISA_LIST "")
  foreach(isa IN LISTS arg_ISAS)
    string(APPEND CASTFORGE_ISA_LIST " X(${isa})")
  endforeach()
  set(config_dir "${CMAKE_CURRENT_BINARY_DIR}/${target}_config")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/castforge_isas.hpp.in" "${config_dir}/castforge_isas.hpp" @ONLY)

  add_library(${target} ${arg_TYPE} ${sources} ${CASTFORGE_GENERATED_TABLES})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_compile_definitions(${target} PRIVATE CASTFORGE_VERSION="${CASTFORGE_VERSION}")
  target_include_directories(${target} PRIVATE "${arg_RUNTIME}" "${config_dir}" "${arg_GENERATED}")
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${arg_RUNTIME}/include>" "$<BUILD_INTERFACE:${arg_GENERATED}/include>"
    "$<INSTALL_INTERFACE:include>")
  # What the library exports says so (CASTFORGE_API).
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)

  foreach(isa IN LISTS arg_ISAS)
    set(objects ${target}_isa_${isa})
    add_library(${objects} OBJECT ${CASTFORGE_GENERATED_UNITS} ${isa_sources})
    target_compile_features(${objects} PRIVATE cxx_std_20)
    castforge_isa_options(${objects} ${isa})
    # Two thirds of a unit's compile time go into these headers.
    target_precompile_headers(${objects} PRIVATE "${arg_RUNTIME}/simd/loop.hpp")
    # Kernels do not throw; with exceptions on, each object would hold a weak reference to the personality routine.
    target_compile_options(${objects} PRIVATE -Wno-psabi -Wno-uninitialized -fno-exceptions
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_include_directories(${objects} PRIVATE "${arg_RUNTIME}" "${arg_RUNTIME}/include" "${arg_GENERATED}"
      "${arg_GENERATED}/include")
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
      VISIBILITY_INLINES_HIDDEN ON)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
endfunction()

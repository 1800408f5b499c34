# How a castforge library is built from runtime/ and a generated tree, and kernels that are added to one; used by this
# project and, after installation, by castforge_add_kernels.
#
#   castforge_add_library(<target> RUNTIME <dir> GENERATED <dir> ISAS <name>... [TYPE STATIC|SHARED])
#   castforge_add_module(<target> NAME <name> RUNTIME <dir> GENERATED <dir> ISAS <name>...)
#
# Every generated unit, and for a library every source file in runtime/loops/, is compiled once per instruction set,
# into the object library <target>_isa_<isa>. What the generated tree holds is a module (runtime/module/); its name
# makes the symbols of several in one program differ.
include_guard(DIRECTORY)
include("${CMAKE_CURRENT_LIST_DIR}/Dependencies.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Version.cmake")

# What results must not depend on: which products the compiler fuses, and options of a project around this one that let
# it take numbers for what they are not (-ffast-math).
set(CASTFORGE_FLOAT_OPTIONS -fno-fast-math -fno-finite-math-only -fno-unsafe-math-optimizations -fsigned-zeros
  -fno-associative-math -fno-reciprocal-math -ffp-contract=off CACHE INTERNAL "")

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

# The flags of one instruction set's objects; the tests of runtime/simd build with the same ones. A third argument is
# appended to the namespace of the code.
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
  # Of processors by other names, and of several at once, the compiler is the judge.
  castforge_default_isas(usual)
  if(NOT usual STREQUAL "portable" AND NOT isa IN_LIST usual AND NOT CMAKE_OSX_ARCHITECTURES)
    message(FATAL_ERROR "castforge: CASTFORGE_ISAS names \"${isa}\", which ${CMAKE_SYSTEM_PROCESSOR} does not have; "
      "it has ${usual}")
  endif()
  string(TOUPPER ${isa} upper)
  target_compile_definitions(${target} PRIVATE CASTFORGE_ISA=isa_${isa}${ARGV2} CASTFORGE_ISA_${upper}=1)
  # The vector layer is written for the optimizer, and -g triples its compile time: the same in every build type.
  target_compile_options(${target} PRIVATE ${${isa}} -O2 -g0 ${CASTFORGE_FLOAT_OPTIONS})
  # An operation is applied to all vectors of a block before the next one follows; g++ interleaves them only if asked
  # to. What pointers may point to matters to none of the loops: without that analysis g++ 12 makes the same machine
  # code in nine tenths of the time.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fschedule-insns -fsched-pressure -fno-tree-pta)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND isa STREQUAL "portable")
    # On vectors without a shift by lanes it shifts through conversions of floats, which raise exceptions.
    target_compile_options(${target} PRIVATE -fno-vectorize -fno-slp-vectorize)
  endif()
  if(NOT isa STREQUAL "portable")
    castforge_require(xsimd)
    target_link_libraries(${target} PRIVATE castforge_dep::xsimd)
  endif()
endfunction()

# For objects whose loops must call nothing. clang's `flatten` stops at functions called by inlined ones; the longest
# map() would be a call for each block. (The tests of single operations would take ten times as long to compile.)
function(castforge_inline_everything target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-mllvm -inline-threshold=100000")
  endif()
endfunction()

# How kernels of an instruction set are compiled. Kernels do not throw; with exceptions on, each object would hold a
# weak reference to the personality routine.
function(_castforge_kernel_options target isa suffix runtime generated)
  target_compile_features(${target} PRIVATE cxx_std_20)
  castforge_isa_options(${target} ${isa} "${suffix}")
  castforge_inline_everything(${target})
  target_compile_options(${target} PRIVATE -Wno-psabi -Wno-uninitialized -fno-exceptions
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # Short loops over blocks take two in a pass: of nine instructions that convert a vector five only count and prefetch.
  # (clang unrolls them unasked.)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT isa STREQUAL "portable")
    target_compile_options(${target} PRIVATE -funroll-loops --param=max-unroll-times=2 --param=max-unrolled-insns=48)
  endif()
  target_include_directories(${target} PRIVATE "${runtime}" "${runtime}/include" "${generated}" "${generated}/include")
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  if(NOT isa STREQUAL "portable")
    set_target_properties(${target} PROPERTIES CASTFORGE_UNSANITIZED ON)
  endif()
endfunction()

# Sources in `folder` that include the files in turn: `each` of them in the mean, about as many bytes. A file that would
# be alone in one goes as it is. (CMake's own unity builds know no OBJECT_DEPENDS.)
function(_castforge_batches out folder name each)
  set(sizes "")
  set(left 0)  # bytes
  foreach(file IN LISTS ARGN)
    file(SIZE "${file}" size)
    list(APPEND sizes ${size})
    math(EXPR left "${left} + ${size}")
  endforeach()
  list(LENGTH ARGN count)
  math(EXPR number "(${count} + ${each} - 1) / ${each}")  # of this batch, the last one's is 1
  set(result "")
  set(files ${ARGN})
  while(files)
    math(EXPR share "${left} / ${number}")
    set(batch "")
    set(bytes 0)
    while(files)
      list(GET sizes 0 size)
      math(EXPR middle "${bytes} + ${size} / 2")
      if(batch AND middle GREATER share)
        break()
      endif()
      list(POP_FRONT sizes)
      list(POP_FRONT files file)
      list(APPEND batch "${file}")
      math(EXPR bytes "${bytes} + ${size}")
    endwhile()
    math(EXPR left "${left} - ${bytes}")
    list(LENGTH batch count)
    if(count GREATER 1)
      list(TRANSFORM batch REPLACE "(.+)" "#include \"\\1\"\n")
      list(JOIN batch "" includes)
      set(batch "${folder}/${name}_${number}.cpp")
      file(WRITE "${batch}.new" "${includes}")  # no file(CONFIGURE), to which @ in a path is a variable
      file(COPY_FILE "${batch}.new" "${batch}" ONLY_IF_DIFFERENT)
    endif()
    list(APPEND result "${batch}")
    math(EXPR number "${number} - 1")
  endwhile()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# Adds a static or shared library of the generated tables, the kernels and other `SOURCES`.
function(_castforge_add_generated target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;RUNTIME;GENERATED;TYPE" "ISAS;SOURCES;ISA_SOURCES")
  if(NOT EXISTS "${arg_GENERATED}/sources.cmake")
    message(FATAL_ERROR "castforge: ${arg_GENERATED} holds no sources.cmake; write the tree with "
      "`castforge-gen generate --out ${arg_GENERATED}`")
  endif()
  include("${arg_GENERATED}/sources.cmake")
  set(CMAKE_UNITY_BUILD OFF)  # units and op-sets are batches as it is
  # A regenerated tree may list other files.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_GENERATED}/sources.cmake")
  list(TRANSFORM CASTFORGE_GENERATED_UNITS PREPEND "${arg_GENERATED}/")
  list(TRANSFORM CASTFORGE_GENERATED_TABLES PREPEND "${arg_GENERATED}/")

  # castforge_isas.hpp tells which instruction sets there are.
  set(CASTFORGE_ISA_LIST "")
  foreach(isa IN LISTS arg_ISAS)
    string(APPEND CASTFORGE_ISA_LIST " X(${isa})")
  endforeach()
  set(isa_suffix "")
  set(CASTFORGE_ISA_PASTE "")
  if(NOT arg_NAME STREQUAL "library")
    set(isa_suffix "_${arg_NAME}")
    set(CASTFORGE_ISA_PASTE "##${isa_suffix}")
  endif()
  set(config_dir "${CMAKE_CURRENT_BINARY_DIR}/${target}_config")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/castforge_isas.hpp.in" "${config_dir}/castforge_isas.hpp" @ONLY)

  # Units share most of the templates that they instantiate, and a shared loop is there once. More than ten in one would
  # leave less to share among processors, and take over 400 MB.
  _castforge_batches(units "${config_dir}" units 10 ${CASTFORGE_GENERATED_UNITS})
  set(tables ${CASTFORGE_GENERATED_TABLES})
  set(opsets ${CASTFORGE_GENERATED_TABLES})
  list(FILTER tables EXCLUDE REGEX "/opset_[^/]*$")
  list(FILTER opsets INCLUDE REGEX "/opset_[^/]*$")
  _castforge_batches(opsets "${config_dir}" opsets 20 ${opsets})

  add_library(${target} ${arg_TYPE} ${arg_SOURCES} "${arg_RUNTIME}/module/module.cpp" ${tables} ${opsets})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # It catches what allocation and the reading of files throw.
  target_compile_options(${target} PRIVATE ${CASTFORGE_FLOAT_OPTIONS} -fexceptions)
  target_compile_definitions(${target} PRIVATE CASTFORGE_VERSION="${CASTFORGE_VERSION}" CASTFORGE_MODULE=${arg_NAME})
  target_include_directories(${target} PRIVATE "${arg_RUNTIME}" "${config_dir}" "${arg_GENERATED}"
    "${arg_RUNTIME}/include" "${arg_GENERATED}/include")
  # What a library exports says so (CASTFORGE_API).
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)

  foreach(isa IN LISTS arg_ISAS)
    set(objects ${target}_isa_${isa})
    add_library(${objects} OBJECT ${units} ${arg_ISA_SOURCES})
    _castforge_kernel_options(${objects} ${isa} "${isa_suffix}" "${arg_RUNTIME}" "${arg_GENERATED}")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    # A unit would take a second longer without these; beside a library there are few units. They are compiled
    # in a target of their own: a source that is added to one that has them compiles all of it again with Makefiles.
    if(arg_NAME STREQUAL "library" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CONFIGURATION_TYPES
       AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
      file(CONFIGURE OUTPUT "${config_dir}/headers.cpp" CONTENT "// Has precompiled headers.\n")
      add_library(${objects}_headers OBJECT "${config_dir}/headers.cpp")
      _castforge_kernel_options(${objects}_headers ${isa} "${isa_suffix}" "${arg_RUNTIME}" "${arg_GENERATED}")
      target_precompile_headers(${objects}_headers PRIVATE "${arg_RUNTIME}/loops/loop.hpp")
      set(headers "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${objects}_headers.dir/cmake_pch.hxx")
      list(APPEND all_headers ${objects}_headers)
      target_compile_options(${objects} PRIVATE -Winvalid-pch "SHELL:-include \"${headers}\"")
      set_property(SOURCE ${units} ${arg_ISA_SOURCES} APPEND PROPERTY OBJECT_DEPENDS "${headers}.gch")
    endif()
  endforeach()
  # The property of a source is the same in every target: each instruction set's objects wait for all of them.
  if(all_headers)
    foreach(isa IN LISTS arg_ISAS)
      add_dependencies(${target}_isa_${isa} ${all_headers})
    endforeach()
  endif()
endfunction()

# A shared object keeps a static library that it is linked with to itself, so that one process may hold several, of
# other versions or op-sets; unless its property CASTFORGE_REEXPORT says otherwise.
function(castforge_keep_to_shared_objects target file)
  set(consumer "$<TARGET_PROPERTY:TYPE>")
  set(is_object "$<OR:$<STREQUAL:${consumer},SHARED_LIBRARY>,$<STREQUAL:${consumer},MODULE_LIBRARY>>")
  set(reexports "$<BOOL:$<TARGET_PROPERTY:CASTFORGE_REEXPORT>>")
  target_link_options(${target} INTERFACE "$<$<AND:${is_object},$<NOT:${reexports}>>:LINKER:--exclude-libs,${file}>")
endfunction()

function(castforge_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RUNTIME;GENERATED;TYPE" "ISAS")
  list(REMOVE_DUPLICATES arg_ISAS)
  if(arg_ISAS MATCHES "[, ]")
    message(FATAL_ERROR "castforge: CASTFORGE_ISAS is \"${arg_ISAS}\"; names are separated by semicolons: "
      "-DCASTFORGE_ISAS=\"portable;avx2\"")
  endif()
  if(NOT "portable" IN_LIST arg_ISAS)
    message(FATAL_ERROR "castforge: CASTFORGE_ISAS is \"${arg_ISAS}\"; it must include \"portable\", "
      "which every machine runs")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${arg_RUNTIME}/src/*.cpp")
  set(once ${sources})
  list(FILTER once INCLUDE REGEX "/(add_kernels|status|load|read_file).cpp$")
  castforge_runs_once(${once})
  castforge_in_batches(sources src ${sources})
  file(GLOB isa_sources CONFIGURE_DEPENDS "${arg_RUNTIME}/loops/*.cpp")
  castforge_in_batches(isa_sources loops ${isa_sources})
  _castforge_add_generated(${target} NAME library RUNTIME "${arg_RUNTIME}" GENERATED "${arg_GENERATED}"
    TYPE ${arg_TYPE} ISAS ${arg_ISAS} SOURCES ${sources} ISA_SOURCES ${isa_sources})
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${arg_RUNTIME}/include>" "$<BUILD_INTERFACE:${arg_GENERATED}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  if(arg_TYPE STREQUAL "STATIC" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    castforge_keep_to_shared_objects(${target} "$<TARGET_FILE_NAME:castforge::castforge>")
  endif()
  # For castforge_add_kernels: kernels that are added need the same instruction sets.
  set_target_properties(${target} PROPERTIES CASTFORGE_ISAS "${arg_ISAS}" CASTFORGE_OPSETS "${CASTFORGE_OPSETS}"
    EXPORT_PROPERTIES "CASTFORGE_ISAS;CASTFORGE_OPSETS"
    CASTFORGE_MANIFEST "${arg_GENERATED}/MANIFEST.tsv")
endfunction()

function(castforge_add_module target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;RUNTIME;GENERATED" "ISAS")
  _castforge_add_generated(${target} NAME ${arg_NAME} RUNTIME "${arg_RUNTIME}" GENERATED "${arg_GENERATED}"
    TYPE STATIC ISAS ${arg_ISAS})
endfunction()

# Sources of the library, programs and tests are compiled several at a time: what most of them take is reading headers
# and instantiating the same templates once more.
#
#   castforge_in_batches(<variable> <name> <source>...)      # <variable>: what to give to add_library, add_executable
#
# Those of one folder with the same options make up sources of the build tree, each of which includes about four. Names
# in unnamed namespaces therefore differ within a folder. With CASTFORGE_BATCHES=OFF, as in the presets for
# development, each is compiled alone, which also shows whether it includes what it uses.
include_guard(GLOBAL)

option(CASTFORGE_BATCHES "Compile sources of library, programs and tests several at a time" ${PROJECT_IS_TOP_LEVEL})

function(castforge_in_batches variable name)
  if(NOT CASTFORGE_BATCHES)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(result)
  set(kinds)  # of sources that go together: "<folder> <options>"
  foreach(source IN LISTS ARGN)
    if(NOT source MATCHES "\\.cpp$")
      list(APPEND result "${source}")
      continue()
    endif()
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder} ${options}" kind)
    list(APPEND kinds ${kind})
    list(APPEND sources_${kind} "${source}")
    set(options_${kind} "${options}")
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  foreach(kind IN LISTS kinds)
    list(FIND kinds ${kind} number)
    # Five of some folders take more than 500 MB of memory. So do four where g++ collects garbage as late as its
    # default has it, when the heap has doubled; here it does at 1.7 times.
    _castforge_batches(batches "${CMAKE_CURRENT_BINARY_DIR}/batches" ${name}_${number} 4 ${sources_${kind}})
    set(options "")
    if(options_${kind})
      set(options ${options_${kind}})
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      list(APPEND options --param=ggc-min-expand=70)
    endif()
    if(options)
      set_source_files_properties(${batches} PROPERTIES COMPILE_OPTIONS "${options}")
    endif()
    list(APPEND result ${batches})
  endforeach()
  set(${variable} ${result} PARENT_SCOPE)
endfunction()

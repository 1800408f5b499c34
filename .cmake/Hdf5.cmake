# castforge_look_for_hdf5(): the target castforge_dep::hdf5, where HDF5 (Debian: libhdf5-dev) is found; for this project
# and, after installation, for the component hdf5. CASTFORGE_HDF5_INCLUDE and CASTFORGE_HDF5_LIBRARY name another one.
include_guard(GLOBAL)

function(castforge_look_for_hdf5)
  if(TARGET castforge_dep::hdf5)
    return()
  endif()
  find_path(CASTFORGE_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial DOC "Folder of hdf5.h; optional")
  find_library(CASTFORGE_HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial DOC "The HDF5 library; optional")
  mark_as_advanced(CASTFORGE_HDF5_INCLUDE CASTFORGE_HDF5_LIBRARY)
  if(CASTFORGE_HDF5_INCLUDE AND CASTFORGE_HDF5_LIBRARY)
    add_library(castforge_dep::hdf5 INTERFACE IMPORTED GLOBAL)
    target_include_directories(castforge_dep::hdf5 SYSTEM INTERFACE "${CASTFORGE_HDF5_INCLUDE}")
    target_link_libraries(castforge_dep::hdf5 INTERFACE "${CASTFORGE_HDF5_LIBRARY}")
  endif()
endfunction()

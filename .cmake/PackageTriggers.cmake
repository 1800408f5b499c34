# Run by cpack after packing. CPack gives a Debian package with a shared library scripts that call ldconfig, asked or
# not; policy wants the trigger instead, which Package.cmake adds. Packs such packages again without the scripts, and
# with the symbols file of what the library exports, which has to be what libcastforge.symbols.in lists.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(folder "${CPACK_TEMPORARY_DIRECTORY}/repacked")
  file(REMOVE_RECURSE "${folder}")
  execute_process(COMMAND dpkg-deb --raw-extract "${package}" "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS "${folder}/DEBIAN/triggers")
    file(REMOVE "${folder}/DEBIAN/postinst" "${folder}/DEBIAN/postrm")
    find_program(gensymbols dpkg-gensymbols NO_CACHE)
    if(gensymbols)
      execute_process(COMMAND "${gensymbols}" -p${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} -v${CPACK_PACKAGE_VERSION}
        "-P${folder}" "-e${folder}${CPACK_CASTFORGE_SHARED_LIBRARY}" "-I${CPACK_CASTFORGE_SYMBOLS}"
        "-O${folder}/DEBIAN/symbols" -c2 WORKING_DIRECTORY "${CPACK_TEMPORARY_DIRECTORY}" COMMAND_ERROR_IS_FATAL ANY)
    endif()
    execute_process(COMMAND dpkg-deb --root-owner-group -Zgzip --build "${folder}" "${package}" OUTPUT_QUIET
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

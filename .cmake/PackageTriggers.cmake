# Run by cpack after packing. CPack gives a Debian package with a shared library scripts that call ldconfig, asked or
# not; policy wants the trigger instead, which Package.cmake adds. Packs such packages again without the scripts.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(folder "${CPACK_TEMPORARY_DIRECTORY}/repacked")
  file(REMOVE_RECURSE "${folder}")
  execute_process(COMMAND dpkg-deb --raw-extract "${package}" "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS "${folder}/DEBIAN/triggers")
    file(REMOVE "${folder}/DEBIAN/postinst" "${folder}/DEBIAN/postrm")
    execute_process(COMMAND dpkg-deb --root-owner-group -Zgzip --build "${folder}" "${package}" OUTPUT_QUIET
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

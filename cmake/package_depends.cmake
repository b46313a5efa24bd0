# Runs when cpack makes a package (Packages.cmake): derives the version of glibc that a .deb with a
# bundle depends on from the symbols that the program refers to.
if(CPACK_TFM_PACKAGED_PROGRAM AND CPACK_GENERATOR STREQUAL "DEB")
  execute_process(COMMAND "${CPACK_OBJDUMP_EXECUTABLE}" -T "${CPACK_TFM_PACKAGED_PROGRAM}"
                  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "GLIBC_[0-9]+\\.[0-9]+" versions "${symbols}")
  list(SORT versions COMPARE NATURAL ORDER DESCENDING)
  list(GET versions 0 newest)
  string(REPLACE "GLIBC_" "" newest "${newest}")
  string(PREPEND CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${newest}), ")
endif()

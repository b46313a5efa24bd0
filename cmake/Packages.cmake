# The packages that cpack makes of the installed files; scripts/package calls it. A .deb with
# TFM_BUNDLE=DEBIAN that was built on Debian 12 can be installed on Debian 12 and 13 and on Ubuntu
# 22.04 and 24.04. Without a bundle it depends on the packages of the release that it was built on.
set(CPACK_PACKAGE_NAME tfm)
set(CPACK_PACKAGE_VENDOR "The contributors of tfm")
set(CPACK_PACKAGE_CONTACT "The contributors of tfm")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "tfm trains, evaluates, runs and serves Transformer translation models
in one program on LibTorch, without Python.")
set(CPACK_RESOURCE_FILE_README "${CMAKE_SOURCE_DIR}/README.md")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_THREADS 0)
set(CPACK_ARCHIVE_THREADS 0)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
if(TFM_BUNDLE)
  string(REGEX MATCH "^[0-9]+" compiler "${CMAKE_CXX_COMPILER_VERSION}")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libstdc++6 (>= ${compiler}), libgcc-s1, zlib1g, libedit2, \
libarchive13 | libarchive13t64, libbz2-1.0, libssl3 | libssl3t64")
  set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_SOURCE_DIR}/cmake/package_depends.cmake")
  set(CPACK_OBJDUMP_EXECUTABLE "${CMAKE_OBJDUMP}")
  set(CPACK_TFM_PACKAGED_PROGRAM "${CMAKE_BINARY_DIR}/tfm")
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)

# What `cmake --install` puts where, below any prefix and with DESTDIR. The installed program finds
# its libraries relative to itself, so the prefix may be moved. TFM_BUNDLE adds shared libraries:
#   OFF     none. The program loads LibTorch from the folder in which this build found it.
#   DEBIAN  LibTorch, and the libraries whose versions differ between releases of Debian and Ubuntu.
#   ALL     every library except those of the C and C++ compilers.
# The Python package (Python.cmake) has a bundle of its own: all but those and LibTorch.
set(TFM_BUNDLE OFF CACHE STRING "Shared libraries to install with the program: OFF, DEBIAN or ALL")
set_property(CACHE TFM_BUNDLE PROPERTY STRINGS OFF DEBIAN ALL)
set(TFM_BUNDLE_FOLDER lib/tfm)

# Lets an installed target find a bundle through these paths, which are separated by ":". A bundled
# library loads others of the bundle through the path of the program, which only the older form of
# the path (DT_RPATH) passes on.
function(tfm_find_bundle target paths)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${paths}")
  target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
endfunction()

# Lets an installed target, which lies in the folder `place` of the prefix, find its libraries.
function(tfm_find_libraries_from place target)
  file(RELATIVE_PATH bundle "/${place}" "/${TFM_BUNDLE_FOLDER}")
  if(TFM_BUNDLE)
    tfm_find_bundle(${target} "$ORIGIN/${bundle}")
  else()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
endfunction()

tfm_find_libraries_from(bin tfm)
install(TARGETS tfm RUNTIME DESTINATION bin)
include(InstallShellFiles)
# The pages link to each other by these relative places, and configs name the data by theirs.
install(FILES README.md CHANGELOG.md DESTINATION share/doc/tfm)
install(DIRECTORY docs configs DESTINATION share/doc/tfm)
install(DIRECTORY data/bits data/cafe data/toy DESTINATION share/doc/tfm/data)

# tfm_install_bundle(BUNDLE FOLDER LICENCES [install's options]): installs the libraries of this
# value of TFM_BUNDLE, and the licences of what the installed files contain.
function(tfm_install_bundle bundle folder licences)
  install(CODE "set(program \"$<TARGET_FILE:tfm>\")
set(bundle \"${bundle}\")
set(bundle_folder \"${folder}\")
set(licence_folder \"${licences}\")
set(libtorch \"${TFM_LIBTORCH_PREFIX}\")
set(libtorch_libraries \"${TFM_LIBTORCH_LIBRARIES}\")
set(sentencepiece \"${TFM_SENTENCEPIECE}\")
set(strip \"${CMAKE_STRIP}\")
include(\"${CMAKE_SOURCE_DIR}/cmake/install_bundle.cmake\")" ${ARGN})
endfunction()

tfm_install_bundle("${TFM_BUNDLE}" "${TFM_BUNDLE_FOLDER}" share/doc/tfm/licences)

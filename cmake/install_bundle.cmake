# Runs when tfm is installed (Install.cmake): installs the bundled libraries, and the licences of
# all code of others that the installed files contain.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(licences "${prefix}/${licence_folder}")

# Libraries that belong to the compilers and the C library of every system.
set(compilers "^ld-linux" "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)\\.so")
# Libraries that Debian 12 and 13 and Ubuntu 22.04 and 24.04 have in the same version. The packages
# depend on them (Packages.cmake).
set(debian "^lib(z|edit|archive|bz2|ssl|crypto)\\.so")

# Libraries that Python's torch brings.
set(torch "^lib(torch|c10|gomp|shm)")

# Copies the licence of the Debian package that the file belongs to, if there is one.
function(copy_licence_of_file file)
  file(REAL_PATH "${file}" file)
  string(REGEX REPLACE "^/usr/lib/" "/lib/" without_usr "${file}")
  execute_process(COMMAND dpkg-query -S "${file}" "${without_usr}"
                  OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE ignored)
  if(owner MATCHES "^([^:]+):")
    copy_licence_of_package("${CMAKE_MATCH_1}")
  endif()
endfunction()

function(copy_licence_of_package package)
  if(EXISTS "/usr/share/doc/${package}/copyright")
    configure_file("/usr/share/doc/${package}/copyright" "${licences}/${package}.txt" COPYONLY)
  endif()
endfunction()

# SentencePiece with its parts, and the libraries that consist of headers, are in the program.
function(copy_licences_of_program)
  foreach(part IN ITEMS . third_party/absl third_party/darts_clone third_party/esaxx
                        third_party/protobuf-lite)
    get_filename_component(name "${sentencepiece}/${part}" NAME)
    string(REGEX REPLACE "^\\.$" "sentencepiece" name "${name}")
    configure_file("${sentencepiece}/${part}/LICENSE" "${licences}/${name}.txt" COPYONLY)
  endforeach()
  file(GLOB boost "/usr/share/doc/libboost1*-dev")
  foreach(folder IN LISTS boost ITEMS libcli11-dev nlohmann-json3-dev libspdlog-dev libfmt-dev)
    get_filename_component(package "${folder}" NAME)
    copy_licence_of_package("${package}")
  endforeach()
endfunction()

function(copy_licences_of_libtorch)
  file(GLOB folders "${libtorch}/../torch-*.dist-info/licenses")
  foreach(folder IN LISTS folders)
    file(COPY "${folder}/" DESTINATION "${licences}/libtorch")
  endforeach()
endfunction()

# Installs the library under the name by which programs load it, without the symbols for debuggers,
# which are a quarter of LibTorch. Wheels can't contain links.
function(install_library file)
  get_filename_component(name "${file}" NAME)
  file(REAL_PATH "${file}" real)
  file(INSTALL "${real}" DESTINATION "${CMAKE_INSTALL_PREFIX}/${bundle_folder}" RENAME "${name}"
       PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  execute_process(COMMAND "${strip}" --strip-unneeded "${prefix}/${bundle_folder}/${name}"
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()

copy_licences_of_program()
if(bundle)
  set(left_out ${compilers})
  if(bundle STREQUAL "DEBIAN")
    list(APPEND left_out ${debian})
  elseif(bundle STREQUAL "PYTHON")
    list(APPEND left_out ${torch})
  endif()
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${program}" RESOLVED_DEPENDENCIES_VAR libraries
       DIRECTORIES "${libtorch_libraries}" PRE_EXCLUDE_REGEXES ${left_out})
  foreach(library IN LISTS libraries)
    install_library("${library}")
    copy_licence_of_file("${library}")
  endforeach()
  if(NOT bundle STREQUAL "PYTHON")
    copy_licences_of_libtorch()
  endif()
endif()

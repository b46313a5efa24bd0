# tfm as a C++ library (include/tfm/tfm.h): libtfm.so with everything but the commands, the server
# and documents, the headers that tfm.h includes, and what CMake and pkg-config need to find them.
# Its symbols are those of the namespace tfm; the libraries that it contains are hidden.
get_property(TFM_LIBRARY_PARTS GLOBAL PROPERTY TFM_LIBRARIES)
list(REMOVE_ITEM TFM_LIBRARY_PARTS cli help serve corpus documents)
option(TFM_LIBRARY "Build and install the C++ library, libtfm.so" ON)
if(NOT TFM_LIBRARY)
  return()
endif()

add_library(tfm_shared SHARED cmake/pch.cpp)
foreach(part IN LISTS TFM_LIBRARY_PARTS)
  target_sources(tfm_shared PRIVATE $<TARGET_OBJECTS:tfm_${part}>)
  target_link_libraries(tfm_shared PRIVATE tfm_${part})
endforeach()
target_include_directories(tfm_shared INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(tfm_shared INTERFACE cxx_std_20)
set(exported "${CMAKE_CURRENT_LIST_DIR}/exported_symbols.map")
target_link_options(tfm_shared PRIVATE "LINKER:--version-script=${exported}")
set_target_properties(
  tfm_shared PROPERTIES OUTPUT_NAME tfm EXPORT_NAME tfm VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                        LINK_DEPENDS "${exported}")

# Sets result to the headers below include/ that the header includes, itself and indirect ones too.
function(tfm_headers_of header result)
  set(waiting "${header}")
  set(found "")
  while(waiting)
    list(POP_FRONT waiting next)
    list(APPEND found "${next}")
    file(STRINGS "${CMAKE_SOURCE_DIR}/include/${next}" lines REGEX "^#include \"tfm/")
    list(TRANSFORM lines REPLACE "^#include \"(.+)\"$" "\\1")
    list(APPEND waiting ${lines})
    list(REMOVE_ITEM waiting ${found})
    list(REMOVE_DUPLICATES waiting)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                           "${CMAKE_SOURCE_DIR}/include/${next}")
  endwhile()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

tfm_headers_of(tfm/tfm.h headers)
foreach(header IN LISTS headers)
  get_filename_component(folder "${header}" DIRECTORY)
  install(FILES "include/${header}" DESTINATION "include/${folder}")
endforeach()

tfm_find_libraries_from(lib tfm_shared)
install(TARGETS tfm_shared EXPORT tfm LIBRARY DESTINATION lib)
include(CMakePackageConfigHelpers)
set(package_folder lib/cmake/tfm)
install(EXPORT tfm FILE tfmConfig.cmake NAMESPACE tfm:: DESTINATION ${package_folder})
write_basic_package_version_file(tfmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tfmConfigVersion.cmake" DESTINATION ${package_folder})
configure_file(cmake/tfm.pc.in tfm.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/tfm.pc" DESTINATION lib/pkgconfig)
install(DIRECTORY examples DESTINATION share/doc/tfm)

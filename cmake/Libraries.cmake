# tfm_library(NAME [TORCH] [APART] [DEPENDS library...] [LIBRARIES target...]): defines the library
# tfm_NAME from src/NAME/*.cpp, with its public headers in include/tfm/NAME and its private ones
# next to the sources. TORCH marks a library that works on tensors. Every other library is plain:
# neither its sources nor the headers they include reach LibTorch (tests/architecture checks it).
# APART compiles each source separately.

add_library(tfm_options INTERFACE)
target_compile_options(tfm_options INTERFACE -Wall -Wextra $<$<BOOL:${TFM_WERROR}>:-Werror>)
# GCC 12 and 13 warn about overlaps within std::string's own operator+ (GCC bug 105651).
target_compile_options(tfm_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(TFM_SANITIZE)
  target_compile_options(tfm_options INTERFACE -fsanitize=${TFM_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=undefined)
  target_link_options(tfm_options INTERFACE -fsanitize=${TFM_SANITIZE})
  add_library(tfm_sanitizer_options OBJECT "${CMAKE_SOURCE_DIR}/cmake/sanitizer_options.cpp")
  target_compile_definitions(tfm_sanitizer_options
                             PRIVATE TFM_SUPPRESSIONS="${CMAKE_SOURCE_DIR}/cmake")
  target_link_libraries(tfm_options INTERFACE $<TARGET_OBJECTS:tfm_sanitizer_options>)
endif()
# All code can be part of a shared library (SharedLibrary.cmake). It is as fast as other code if
# calls within the library cannot be replaced. CMake's own property would compile programs with
# -fPIE, which does not match the precompiled headers of the libraries.
target_compile_options(tfm_options INTERFACE -fPIC -fno-semantic-interposition)
# src is searched too, because the headers of kernels ("kernels/simd.h") and a few others of src are
# included by other libraries.
target_include_directories(tfm_options INTERFACE "${CMAKE_SOURCE_DIR}/include"
                                                 "${CMAKE_SOURCE_DIR}/src")
target_compile_definitions(tfm_options INTERFACE TFM_VERSION="${PROJECT_VERSION}")

# Headers cost the compiler more time than sources: LibTorch's take 6 to 10 s in each source that
# includes them, CLI11's 8 s. A library is therefore compiled as one source (a unity build), and the
# headers of LibTorch that the TORCH libraries use are compiled once (a precompiled header). A
# precompiled <torch/torch.h> would take twice as long to load.
option(TFM_UNITY "Compile each library as one source" ON)
# tfm_precompiled(NAME HEADERS header... LIBRARIES target...): defines the precompiled header
# tfm_NAME, for REUSE_FROM.
function(tfm_precompiled name)
  cmake_parse_arguments(PRECOMPILED "" "" "HEADERS;LIBRARIES" ${ARGN})
  add_library(tfm_${name} OBJECT "${CMAKE_SOURCE_DIR}/cmake/pch.cpp")
  target_link_libraries(tfm_${name} PRIVATE tfm_options ${PRECOMPILED_LIBRARIES})
  target_precompile_headers(tfm_${name} PRIVATE ${PRECOMPILED_HEADERS})
endfunction()

tfm_precompiled(
  torch_pch
  HEADERS <torch/types.h> <torch/cuda.h> <torch/utils.h> <torch/nn/init.h> <torch/nn/module.h>
          <torch/nn/pimpl.h> <torch/nn/modules/embedding.h> <torch/nn/modules/linear.h>
  LIBRARIES tfm::libtorch)

set_property(GLOBAL PROPERTY TFM_LIBRARIES "")

function(tfm_library name)
  cmake_parse_arguments(LIBRARY "TORCH;APART" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(tfm_${name} STATIC ${sources})
  target_link_libraries(tfm_${name} PUBLIC tfm_options)
  if(NOT LIBRARY_APART)
    set_target_properties(tfm_${name} PROPERTIES UNITY_BUILD ${TFM_UNITY} UNITY_BUILD_BATCH_SIZE 0)
    # In a unity build GCC treats every source as a header, where a class must not have a member
    # whose type has no linkage.
    target_compile_options(tfm_${name} PRIVATE
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  if(LIBRARY_TORCH)  # before the other libraries: its fmt-first folder must come first
    target_link_libraries(tfm_${name} PUBLIC tfm::libtorch)
    target_precompile_headers(tfm_${name} REUSE_FROM tfm_torch_pch)
  endif()
  set(links_torch ${LIBRARY_TORCH})
  foreach(library IN LISTS LIBRARY_DEPENDS)
    target_link_libraries(tfm_${name} PUBLIC tfm_${library})
    get_property(through_library GLOBAL PROPERTY TFM_LIBRARY_${library}_LINKS_TORCH)
    if(through_library)
      set(links_torch TRUE)
    endif()
  endforeach()
  target_link_libraries(tfm_${name} PUBLIC ${LIBRARY_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY TFM_LIBRARIES ${name})
  set_property(GLOBAL PROPERTY TFM_LIBRARY_${name} "${LIBRARY_DEPENDS}")
  set_property(GLOBAL PROPERTY TFM_LIBRARY_${name}_TORCH "${LIBRARY_TORCH}")
  set_property(GLOBAL PROPERTY TFM_LIBRARY_${name}_LINKS_TORCH "${links_torch}")
endfunction()

# Writes one line per library, for tests/architecture: "nn torch: core config tensor".
function(tfm_write_dependencies file)
  get_property(libraries GLOBAL PROPERTY TFM_LIBRARIES)
  set(lines "")
  foreach(library IN LISTS libraries)
    get_property(depends GLOBAL PROPERTY TFM_LIBRARY_${library})
    get_property(torch GLOBAL PROPERTY TFM_LIBRARY_${library}_TORCH)
    string(REPLACE ";" " " depends "${depends}")
    string(APPEND lines "${library}$<$<BOOL:${torch}>: torch>: ${depends}\n")
  endforeach()
  file(GENERATE OUTPUT "${file}" CONTENT "${lines}")
endfunction()

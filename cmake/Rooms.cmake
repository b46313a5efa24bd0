# tfm_room(NAME [TORCH] [DEPENDS room...] [LIBRARIES target...] [PLAIN source...]): the library
# tfm_NAME from src/NAME/**.cpp, with headers in include/tfm/NAME. PLAIN: sources of a TORCH room
# that see no tensor and so skip the precompiled header, whose loading takes 2 s.
# tfm_test(NAME [LIBRARY...]): the program of tests/NAME/*_test.cpp, one ctest entry.

add_library(tfm_options INTERFACE)
target_compile_options(tfm_options INTERFACE -Wall -Wextra $<$<BOOL:${TFM_WERROR}>:-Werror>)
# GCC 12 and 13 warn of overlaps within std::string's own operator+ (GCC bug 105651).
target_compile_options(tfm_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(TFM_SANITIZE)
  target_compile_options(tfm_options INTERFACE -fsanitize=${TFM_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=undefined)
  target_link_options(tfm_options INTERFACE -fsanitize=${TFM_SANITIZE})
endif()
target_include_directories(tfm_options INTERFACE "${CMAKE_SOURCE_DIR}/include")
target_compile_definitions(tfm_options INTERFACE TFM_VERSION="${PROJECT_VERSION}")

# LibTorch's headers cost a compiler 10 to 15 s a file: those in use are compiled once, here, and
# every TORCH room reuses them. The whole <torch/torch.h> would make each file load twice as much.
add_library(tfm_torch_pch OBJECT "${CMAKE_SOURCE_DIR}/cmake/torch_pch.cpp")
target_link_libraries(tfm_torch_pch PRIVATE tfm_options tfm::libtorch)
target_precompile_headers(tfm_torch_pch PRIVATE
                          <torch/types.h> <torch/cuda.h> <torch/utils.h> <torch/nn/init.h>
                          <torch/nn/module.h> <torch/nn/pimpl.h> <torch/nn/modules/embedding.h>
                          <torch/nn/modules/linear.h>)

set_property(GLOBAL PROPERTY TFM_ROOMS "")

function(tfm_room name)
  cmake_parse_arguments(ROOM "TORCH" "" "DEPENDS;LIBRARIES;PLAIN" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  add_library(tfm_${name} STATIC ${sources})
  set_target_properties(tfm_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(tfm_${name} PUBLIC tfm_options)
  if(ROOM_TORCH)  # before the other libraries: its fmt-first folder must come first
    target_link_libraries(tfm_${name} PUBLIC tfm::libtorch)
    target_precompile_headers(tfm_${name} REUSE_FROM tfm_torch_pch)
    list(TRANSFORM ROOM_PLAIN PREPEND "${CMAKE_SOURCE_DIR}/src/${name}/")
    set_source_files_properties(${ROOM_PLAIN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  foreach(room IN LISTS ROOM_DEPENDS)
    target_link_libraries(tfm_${name} PUBLIC tfm_${room})
  endforeach()
  target_link_libraries(tfm_${name} PUBLIC ${ROOM_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY TFM_ROOMS ${name})
  set_property(GLOBAL PROPERTY TFM_ROOM_${name} "${ROOM_DEPENDS}")
  set_property(GLOBAL PROPERTY TFM_ROOM_${name}_TORCH "${ROOM_TORCH}")
endfunction()

# One line a room: "data torch: core config text", for tests/architecture.
function(tfm_write_arrows file)
  get_property(rooms GLOBAL PROPERTY TFM_ROOMS)
  set(lines "")
  foreach(room IN LISTS rooms)
    get_property(depends GLOBAL PROPERTY TFM_ROOM_${room})
    get_property(torch GLOBAL PROPERTY TFM_ROOM_${room}_TORCH)
    string(REPLACE ";" " " depends "${depends}")
    string(APPEND lines "${room}$<$<BOOL:${torch}>: torch>: ${depends}\n")
  endforeach()
  file(GENERATE OUTPUT "${file}" CONTENT "${lines}")
endfunction()

function(tfm_test name)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${name}/*_test.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(tfm_${name}_test ${sources})
  get_property(rooms GLOBAL PROPERTY TFM_ROOMS)
  if(name IN_LIST rooms)
    target_link_libraries(tfm_${name}_test PRIVATE tfm_${name})
    get_property(torch GLOBAL PROPERTY TFM_ROOM_${name}_TORCH)
    if(torch)
      target_precompile_headers(tfm_${name}_test REUSE_FROM tfm_torch_pch)
    endif()
  else()
    target_link_libraries(tfm_${name}_test PRIVATE tfm_options)
  endif()
  target_include_directories(tfm_${name}_test PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(tfm_${name}_test PRIVATE ${ARGN} GTest::gmock GTest::gtest_main)
  target_compile_definitions(tfm_${name}_test PRIVATE TFM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                      TFM_BINARY_DIR="${CMAKE_BINARY_DIR}")
  add_test(NAME ${name} COMMAND tfm_${name}_test)
  # Many tests a program, and a busy machine is no fault of theirs. OpenMP's threads wait by
  # spinning: beside each other such programs slow down several times.
  set_tests_properties(${name} PROPERTIES TIMEOUT 3600 PROCESSORS 2)
  if(TFM_SANITIZE)
    # LibTorch is not instrumented: a vector that it grows for us looks overrun to
    # container-overflow. Leaks and all else are checked.
    set(options ASAN_OPTIONS=detect_container_overflow=0 UBSAN_OPTIONS=print_stacktrace=1)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${options}")
  endif()
endfunction()

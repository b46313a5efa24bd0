# The option TFM_DISTRIBUTED enables training with several processes, over LibTorch's c10d. AUTO
# enables this if LibTorch has c10d and Gloo's headers are installed (libgloo-dev; the library
# itself is inside LibTorch). Without c10d, everything works except WORLD_SIZE > 1. NCCL (gradients
# between GPUs) is enabled if its process group compiles and links, which needs the CUDA toolkit's
# headers and nccl.h.
set(TFM_DISTRIBUTED AUTO CACHE STRING "Training with several processes: AUTO, ON or OFF")
set_property(CACHE TFM_DISTRIBUTED PROPERTY STRINGS AUTO ON OFF)
include(CheckCXXSourceCompiles)

# Sets result to whether LibTorch exports this symbol. This only links, because LibTorch's headers
# would cost the compiler 20 s.
function(tfm_libtorch_exports symbol result)
  set(CMAKE_REQUIRED_LIBRARIES "${TFM_LIBTORCH_PREFIX}/lib/libtorch_cpu.so")
  set(CMAKE_REQUIRED_LINK_OPTIONS "LINKER:--allow-shlib-undefined")
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles(
    "extern char symbol __asm__(\"${symbol}\"); int main() { return symbol; }" ${result})
  set(${result} "${${result}}" PARENT_SCOPE)
endfunction()

# Sets result to what is missing for distributed training, or to an empty string.
function(tfm_distributed_problem result)
  set(${result} "" PARENT_SCOPE)
  find_path(TFM_GLOO_INCLUDE gloo/context.h)
  tfm_libtorch_exports(_ZTVN4c10d16ProcessGroupGlooE TFM_LIBTORCH_HAS_GLOO)
  set(c10d_headers "${TFM_LIBTORCH_PREFIX}/include/torch/csrc/distributed/c10d")
  if(TFM_LIBTORCH_VERSION VERSION_LESS 2.9)
    set(${result} "LibTorch ${TFM_LIBTORCH_VERSION} ignores the timeout of a collective \
(2.9 and later respect it)" PARENT_SCOPE)
  elseif(NOT TFM_LIBTORCH_HAS_GLOO OR NOT EXISTS "${c10d_headers}/ProcessGroupGloo.hpp")
    set(${result} "LibTorch was built without c10d's Gloo" PARENT_SCOPE)
  elseif(NOT TFM_GLOO_INCLUDE)
    set(${result} "Gloo's headers are not installed (libgloo-dev)" PARENT_SCOPE)
  endif()
endfunction()

# Sets result to the folders of CUDA's and NCCL's headers, or to an empty string if NCCL is
# disabled.
function(tfm_nccl_includes result)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS "${TFM_LIBTORCH_PREFIX}/lib/libtorch_cuda.so")
    return()
  endif()
  file(GLOB beside_torch "${TFM_LIBTORCH_PREFIX}/../nvidia/*/include")  # where pip puts them
  find_path(TFM_NCCL_INCLUDE nccl.h HINTS ${beside_torch} PATHS /usr/local/cuda/include)
  find_path(TFM_CUDA_INCLUDE cuda_runtime_api.h HINTS ${beside_torch} PATHS /usr/local/cuda/include)
  if(NOT TFM_NCCL_INCLUDE OR NOT TFM_CUDA_INCLUDE)
    return()
  endif()
  set(CMAKE_REQUIRED_LINK_OPTIONS "LINKER:--allow-shlib-undefined")
  set(CMAKE_REQUIRED_LIBRARIES
      "${TFM_LIBTORCH_PREFIX}/lib/libtorch_cuda.so" "${TFM_LIBTORCH_PREFIX}/lib/libtorch_cpu.so"
      "${TFM_LIBTORCH_PREFIX}/lib/libc10_cuda.so" "${TFM_LIBTORCH_PREFIX}/lib/libc10.so")
  get_target_property(torch_includes tfm_libtorch INTERFACE_INCLUDE_DIRECTORIES)
  set(CMAKE_REQUIRED_INCLUDES
      ${torch_includes} "${TFM_NCCL_INCLUDE}" "${TFM_CUDA_INCLUDE}" ${beside_torch})
  set(CMAKE_REQUIRED_DEFINITIONS -DUSE_C10D_NCCL -DUSE_DISTRIBUTED)
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
int main() { return c10d::ProcessGroupNCCL::Options::create()->is_high_priority_stream; }"
                            TFM_NCCL_COMPILES)
  if(TFM_NCCL_COMPILES)
    set(${result} "${TFM_NCCL_INCLUDE}" "${TFM_CUDA_INCLUDE}" ${beside_torch} PARENT_SCOPE)
  endif()
endfunction()

# tfm_use_c10d(LIBRARY SOURCE...): compiles only these sources of the library against c10d's
# headers, and as one source, because the headers cost the compiler 10 s. They do not use the
# precompiled header, which was compiled without their macros.
function(tfm_use_c10d library)
  if(TFM_DISTRIBUTED STREQUAL "OFF")
    return()
  endif()
  tfm_distributed_problem(problem)
  if(problem AND NOT TFM_DISTRIBUTED STREQUAL "AUTO")
    message(FATAL_ERROR "TFM_DISTRIBUTED=${TFM_DISTRIBUTED}: ${problem}.")
  elseif(problem)
    message(STATUS "Distributed training: off: ${problem}")
    return()
  endif()
  tfm_nccl_includes(nccl_includes)
  set(definitions TFM_HAS_C10D=1 USE_DISTRIBUTED USE_C10D_GLOO)
  if(nccl_includes)
    list(APPEND definitions TFM_HAS_NCCL=1 USE_C10D_NCCL)
  endif()
  message(STATUS "Distributed training: ${definitions}")
  set(includes "${TFM_GLOO_INCLUDE}" ${nccl_includes})
  # If /usr/include were repeated here, it would hide the standard library's headers.
  list(REMOVE_ITEM includes ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
  list(TRANSFORM ARGN PREPEND "${CMAKE_SOURCE_DIR}/")
  add_library(tfm_c10d OBJECT ${ARGN})
  set_target_properties(tfm_c10d PROPERTIES UNITY_BUILD ${TFM_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  target_compile_definitions(tfm_c10d PRIVATE ${definitions})
  target_include_directories(tfm_c10d PRIVATE ${includes})
  get_target_property(links tfm_${library} LINK_LIBRARIES)
  target_link_libraries(tfm_c10d PRIVATE ${links})
  get_target_property(sources tfm_${library} SOURCES)
  list(REMOVE_ITEM sources ${ARGN})
  set_target_properties(tfm_${library} PROPERTIES SOURCES "${sources}")
  target_sources(tfm_${library} PRIVATE $<TARGET_OBJECTS:tfm_c10d>)
endfunction()

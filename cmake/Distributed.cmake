# The option TFM_DISTRIBUTED enables training with several processes, over LibTorch's c10d. AUTO
# enables this if LibTorch has c10d and Gloo's headers are installed (libgloo-dev; the library
# itself is inside LibTorch). Without c10d, everything works except WORLD_SIZE > 1. NCCL (gradients
# between GPUs) is enabled if nccl_check.cpp compiles and links, which needs nccl.h and CUDA's
# headers. What is left out is reported with its reason here, and by `tfm --version`.
set(TFM_DISTRIBUTED AUTO CACHE STRING "Training with several processes: AUTO, ON or OFF")
set_property(CACHE TFM_DISTRIBUTED PROPERTY STRINGS AUTO ON OFF)
set(TFM_CUDA_HEADERS "" CACHE STRING "Folders with nccl.h and CUDA's headers, which are searched \
before those of pip's packages beside LibTorch, of CUDA_HOME and of /usr/local/cuda")
include(CheckCXXSourceCompiles)

# Results of checks are cached only for this LibTorch, and only if they succeeded, so that
# CMake can run again after what was missing has been installed.
function(tfm_forget_old_checks)
  set(checked "${TFM_LIBTORCH_PREFIX} ${TFM_LIBTORCH_VERSION} ${TFM_CUDA_HEADERS}")
  foreach(check TFM_LIBTORCH_HAS_GLOO TFM_NCCL_COMPILES)
    if(NOT ${check} OR NOT TFM_CHECKED_LIBTORCH STREQUAL checked)
      unset(${check} CACHE)
    endif()
  endforeach()
  set(TFM_CHECKED_LIBTORCH "${checked}" CACHE INTERNAL "")
endfunction()

# Sets result to whether LibTorch exports this symbol. This only links, because LibTorch's headers
# would cost the compiler 20 s.
function(tfm_libtorch_exports symbol result)
  set(CMAKE_REQUIRED_LIBRARIES "${TFM_LIBTORCH_LIBRARIES}/libtorch_cpu.so")
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
  if(TFM_DISTRIBUTED STREQUAL "OFF")
    set(${result} "TFM_DISTRIBUTED is OFF" PARENT_SCOPE)
  elseif(TFM_LIBTORCH_VERSION VERSION_LESS TFM_LIBTORCH_MINIMUM_DISTRIBUTED)
    set(${result} "LibTorch ${TFM_LIBTORCH_VERSION} ignores the timeout of a collective \
(${TFM_LIBTORCH_MINIMUM_DISTRIBUTED} and later respect it)" PARENT_SCOPE)
  elseif(NOT TFM_LIBTORCH_HAS_GLOO OR NOT EXISTS "${c10d_headers}/ProcessGroupGloo.hpp")
    set(${result} "LibTorch was built without c10d's Gloo" PARENT_SCOPE)
  elseif(NOT TFM_GLOO_INCLUDE)
    set(${result} "gloo/context.h was not found (Debian and Ubuntu: libgloo-dev)" PARENT_SCOPE)
  endif()
endfunction()

# Sets result to the folders that exist of those in which CUDA's and NCCL's headers may be.
function(tfm_cuda_includes result)
  file(GLOB beside_torch "${TFM_LIBTORCH_PREFIX}/../nvidia/*/include")  # where pip puts them
  set(folders "")
  foreach(folder IN LISTS TFM_CUDA_HEADERS beside_torch ITEMS "$ENV{CUDA_HOME}/include"
                                                              /usr/local/cuda/include)
    if(EXISTS "${folder}")
      list(APPEND folders "${folder}")
    endif()
  endforeach()
  set(${result} "${folders}" PARENT_SCOPE)
endfunction()

# Sets result to where this header of CUDA or NCCL can be had. torch requires pip's packages with
# the libraries, but not all of those with headers.
function(tfm_source_of_header header result)
  set(other "NVIDIA's CUDA toolkit")
  file(STRINGS "${TFM_LIBTORCH_LIBRARIES}/libc10_cuda.so" cuda_12 REGEX "libcudart\\.so\\.12"
       LIMIT_COUNT 1)
  if(header STREQUAL "nccl.h")
    set(package nvidia-nccl-cu13)
    set(other "Debian's and NVIDIA's libnccl-dev")
  elseif(header MATCHES "^crt/")
    set(package nvidia-cuda-crt)
  elseif(header MATCHES "^(nv|cuda|cub|thrust)/")
    set(package nvidia-cuda-cccl)
  elseif(header MATCHES "^cu(blas|sparse|solver|rand|fft)")
    set(package "nvidia-cu${CMAKE_MATCH_1}")
  else()
    set(package nvidia-cuda-runtime)
  endif()
  if(cuda_12)  # its packages have a suffix, and crt is in nvcc's
    string(REPLACE "-cu13" "" package "${package}")
    set(package "${package}-cu12")
    string(REPLACE cuda-crt cuda-nvcc package "${package}")
  endif()
  set(${result} "pip's ${package}, or ${other}" PARENT_SCOPE)
endfunction()

# Sets result to why NCCL's process group does not compile, from the compiler's output.
function(tfm_explain_nccl_check output result)
  file(WRITE "${CMAKE_BINARY_DIR}/nccl_check.log" "${output}")
  if(output MATCHES "fatal error: '?([A-Za-z0-9_./]+)'?[: ]+(No such file|file not found)")
    set(header "${CMAKE_MATCH_1}")
    tfm_source_of_header("${header}" source)
    set(${result} "${header} was not found (${source})" PARENT_SCOPE)
  elseif(output MATCHES "undefined reference|undefined symbol")
    set(${result} "LibTorch was built without c10d's NCCL" PARENT_SCOPE)
  else()
    set(${result} "c10d's NCCL does not compile with these headers of CUDA and NCCL \
(nccl_check.log in the build folder)" PARENT_SCOPE)
  endif()
endfunction()

# Sets result to why NCCL is left out, or to an empty string, and includes_result to the folders of
# CUDA's and NCCL's headers.
function(tfm_nccl_problem result includes_result)
  set(${result} "" PARENT_SCOPE)
  tfm_cuda_includes(includes)
  set(${includes_result} "${includes}" PARENT_SCOPE)
  if(NOT EXISTS "${TFM_LIBTORCH_LIBRARIES}/libtorch_cuda.so")
    set(${result} "LibTorch was built for the CPU" PARENT_SCOPE)
    return()
  endif()
  if(TFM_NCCL_COMPILES)
    return()
  endif()
  get_target_property(torch_includes tfm_libtorch INTERFACE_INCLUDE_DIRECTORIES)
  set(libraries torch_cuda torch_cpu c10_cuda c10)
  list(TRANSFORM libraries REPLACE "(.+)" "${TFM_LIBTORCH_LIBRARIES}/lib\\1.so")
  try_compile(
    TFM_NCCL_COMPILES "${CMAKE_BINARY_DIR}/nccl_check"
    SOURCES "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/nccl_check.cpp"
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${torch_includes};${includes}"
    COMPILE_DEFINITIONS -DUSE_C10D_NCCL -DUSE_DISTRIBUTED
    LINK_OPTIONS "LINKER:--allow-shlib-undefined"
    LINK_LIBRARIES ${libraries}
    CXX_STANDARD ${CMAKE_CXX_STANDARD} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    OUTPUT_VARIABLE output)
  if(NOT TFM_NCCL_COMPILES)
    tfm_explain_nccl_check("${output}" problem)
    set(${result} "${problem}" PARENT_SCOPE)
  endif()
endfunction()

# Writes why c10d or NCCL is left out to a source of the library, as strings that are empty if they
# are built in. As definitions, their quotes would have to pass the shell.
function(tfm_embed_problems library c10d_problem nccl_problem)
  set(output "${CMAKE_BINARY_DIR}/embedded/${library}/build_problems.cpp")
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT "#include \"distributed/build_problems.h\"

namespace tfm {

const char* const c10d_problem = \"@c10d_problem@\";
const char* const nccl_problem = \"@nccl_problem@\";

}  // namespace tfm
")
  set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION TRUE)
  target_sources(tfm_${library} PRIVATE "${output}")
endfunction()

# tfm_use_c10d(LIBRARY SOURCE...): compiles only these sources of the library against c10d's
# headers, and as one source, because the headers cost the compiler 10 s. They do not use the
# precompiled header, which was compiled without their macros.
function(tfm_use_c10d library)
  tfm_forget_old_checks()
  tfm_distributed_problem(problem)
  if(problem AND TFM_DISTRIBUTED STREQUAL "ON")
    message(FATAL_ERROR "TFM_DISTRIBUTED=ON: ${problem}.")
  elseif(problem)
    message(STATUS "Distributed training: off: ${problem}")
    tfm_embed_problems(${library} "${problem}" "${problem}")
    return()
  endif()
  tfm_nccl_problem(nccl_problem nccl_includes)
  tfm_embed_problems(${library} "" "${nccl_problem}")
  set(definitions TFM_HAS_C10D=1 USE_DISTRIBUTED USE_C10D_GLOO)
  if(nccl_problem)
    set(nccl_includes "")
    message(STATUS "Distributed training: Gloo; without NCCL: ${nccl_problem}")
  else()
    list(APPEND definitions TFM_HAS_NCCL=1 USE_C10D_NCCL)
    message(STATUS "Distributed training: Gloo and NCCL")
  endif()
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

# Defines tfm::libtorch for the LibTorch that find_libtorch.cmake finds. TorchConfig.cmake is not
# used: for a CUDA build it demands a CUDA toolkit, even if only the libraries are needed.
include("${CMAKE_CURRENT_LIST_DIR}/find_libtorch.cmake")
set(TFM_LIBTORCH "" CACHE PATH "LibTorch's folder, with include/ and lib/. \
If empty, the environment variable TFM_LIBTORCH is used, or LibTorch is searched for")

tfm_find_libtorch(TFM_LIBTORCH_PREFIX TFM_LIBTORCH_ORIGIN)
if(NOT TFM_LIBTORCH_PREFIX)
  message(FATAL_ERROR "${TFM_LIBTORCH_ORIGIN}")
endif()
tfm_libtorch_version("${TFM_LIBTORCH_PREFIX}" TFM_LIBTORCH_VERSION)
tfm_libtorch_libraries("${TFM_LIBTORCH_PREFIX}" TFM_LIBTORCH_LIBRARIES)
message(STATUS "LibTorch ${TFM_LIBTORCH_VERSION}: ${TFM_LIBTORCH_PREFIX} "
               "(found through ${TFM_LIBTORCH_ORIGIN})")

# LibTorch's include/ has a newer fmt than the one that the system's spdlog is built with. A folder
# that contains only a link to the system's fmt therefore comes first.
set(TFM_FMT_FIRST "${CMAKE_BINARY_DIR}/fmt-first")
file(MAKE_DIRECTORY "${TFM_FMT_FIRST}")
find_path(TFM_SYSTEM_FMT fmt/format.h PATHS /usr/include /usr/local/include NO_DEFAULT_PATH)
if(TFM_SYSTEM_FMT AND NOT EXISTS "${TFM_FMT_FIRST}/fmt")
  file(CREATE_LINK "${TFM_SYSTEM_FMT}/fmt" "${TFM_FMT_FIRST}/fmt" SYMBOLIC)
endif()

add_library(tfm_libtorch INTERFACE)
add_library(tfm::libtorch ALIAS tfm_libtorch)
target_include_directories(
  tfm_libtorch SYSTEM INTERFACE "${TFM_FMT_FIRST}" "${TFM_LIBTORCH_PREFIX}/include"
                                "${TFM_LIBTORCH_PREFIX}/include/torch/csrc/api/include")
# libtorch_cuda registers itself when it is loaded. No code refers to its symbols, so the linker
# would otherwise drop it.
target_link_options(tfm_libtorch INTERFACE "LINKER:--no-as-needed")
# Some builds of libtorch export parts of another C++ standard library, which are incomplete
# (std::filesystem::remove_all of the wheel of 2.11.0 calls address 0). The loader takes the first
# definition, so that of the standard library comes first.
target_link_libraries(tfm_libtorch INTERFACE stdc++)
# at::parallel_for is a template over OpenMP. Compiled without OpenMP, it silently runs on one
# thread. OpenMP must be the library that LibTorch uses: a second library would create a second pool
# of threads. Clang's code needs Clang's library (libomp), which also has the functions of GCC's: it
# comes first, so that the loader gives them to LibTorch as well.
target_compile_options(tfm_libtorch INTERFACE -fopenmp)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_package(OpenMP COMPONENTS CXX)
endif()
if(OpenMP_CXX_FOUND)
  set(openmp "${OpenMP_CXX_LIBRARIES}")
else()
  file(GLOB openmp "${TFM_LIBTORCH_LIBRARIES}/libgomp*.so*"
                   "${TFM_LIBTORCH_LIBRARIES}/libiomp5.so" "${TFM_LIBTORCH_LIBRARIES}/libomp.so")
  list(APPEND openmp gomp)  # the system's, if LibTorch has none
  list(GET openmp 0 openmp)
endif()
target_link_libraries(tfm_libtorch INTERFACE "${openmp}")
# The same libraries in the same order, as arguments of the linker.
set(TFM_LIBTORCH_LINKED "-lstdc++" "${openmp}")
list(TRANSFORM TFM_LIBTORCH_LINKED REPLACE "^gomp$" "-lgomp")

set(libraries torch torch_cpu c10)
if(EXISTS "${TFM_LIBTORCH_LIBRARIES}/libtorch_cuda.so")
  list(APPEND libraries torch_cuda c10_cuda)
endif()
foreach(library IN LISTS libraries)
  add_library(tfm_libtorch_${library} SHARED IMPORTED)
  set_target_properties(tfm_libtorch_${library} PROPERTIES
                        IMPORTED_LOCATION "${TFM_LIBTORCH_LIBRARIES}/lib${library}.so")
  target_link_libraries(tfm_libtorch INTERFACE tfm_libtorch_${library})
  list(APPEND TFM_LIBTORCH_LINKED "${TFM_LIBTORCH_LIBRARIES}/lib${library}.so")
endforeach()

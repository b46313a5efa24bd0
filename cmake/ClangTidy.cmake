# TFM_TIDY: clang-tidy (.clang-tidy) reads each file as it is compiled. The newest one installed is
# taken: versions before 16 can't read <ranges> of GCC's standard library.
option(TFM_TIDY "Run clang-tidy beside the compiler" OFF)
if(TFM_TIDY)
  find_program(TFM_CLANG_TIDY
               NAMES clang-tidy-22 clang-tidy-21 clang-tidy-20 clang-tidy-19 clang-tidy-18
                     clang-tidy-17 clang-tidy-16 clang-tidy
               REQUIRED)
  message(STATUS "clang-tidy: ${TFM_CLANG_TIDY}")
  # The command line is GCC's, with warning options that clang need not know.
  set(CMAKE_CXX_CLANG_TIDY "${TFM_CLANG_TIDY};--quiet;--extra-arg=-Wno-unknown-warning-option")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # GCC's can't be read by clang
endif()

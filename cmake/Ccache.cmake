# Uses ccache if it is installed, with the sloppiness that its manual requires for precompiled
# headers.
find_program(TFM_CCACHE ccache)
if(TFM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "CCACHE_NOHASHDIR=1" "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" "${TFM_CCACHE}")
endif()

# The only place that searches for LibTorch. LibTorch.cmake includes it, and scripts/setup runs it
# (cmake -P cmake/find_libtorch.cmake). It then prints "VERSION: FOLDER (found through ORIGIN)" on
# stdout, or nothing on stdout and the reason on stderr. The search order is:
#   1. TFM_LIBTORCH (CMake or environment), which is used or refused, but never skipped
#   2. CMAKE_PREFIX_PATH (CMake or environment)
#   3. the torch of python3
#   4. the cache that scripts/setup fills: ${XDG_CACHE_HOME:-~/.cache}/tfm/venv
#   5. the system's package, such as Debian 13's libtorch-dev
# In 2 to 5, a LibTorch that cannot be used is skipped, with a line that says why.
# pip's torch 2.6 has the old C++ ABI, and is refused below; Debian 13 builds its 2.6 with the new
# one. Before 2.9, c10d's Gloo ignores timeouts, so Distributed.cmake leaves it out.
set(TFM_LIBTORCH_MINIMUM 2.6)
set(TFM_LIBTORCH_MINIMUM_PIP 2.7)
set(TFM_LIBTORCH_MINIMUM_DISTRIBUTED 2.9)
set(TFM_LIBTORCH_NEEDED "LibTorch ${TFM_LIBTORCH_MINIMUM} or newer (pip's torch: \
${TFM_LIBTORCH_MINIMUM_PIP}; training with several processes: ${TFM_LIBTORCH_MINIMUM_DISTRIBUTED})")

# Sets result to the folder of LibTorch's libraries: lib, or a folder in it with the name of the
# architecture if LibTorch is a package of the distribution. Empty if there are no libraries.
function(tfm_libtorch_libraries prefix result)
  set(${result} "" PARENT_SCOPE)
  file(GLOB found "${prefix}/lib/libtorch_cpu.so" "${prefix}/lib/*-linux-gnu/libtorch_cpu.so")
  if(found)
    list(GET found 0 library)
    get_filename_component(folder "${library}" DIRECTORY)
    set(${result} "${folder}" PARENT_SCOPE)
  endif()
endfunction()

# Sets result to a version such as "2.13.0", or to "0" if the folder's headers do not contain one.
function(tfm_libtorch_version prefix result)
  set(${result} "0" PARENT_SCOPE)
  foreach(header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(EXISTS "${prefix}/include/${header}")
      file(STRINGS "${prefix}/include/${header}" lines
           REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
      if(lines MATCHES "MAJOR ([0-9]+).*MINOR ([0-9]+).*PATCH ([0-9]+)")
        set(${result} "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

# Sets result to the reason why the folder cannot be used, or to an empty string.
function(tfm_libtorch_problem prefix result)
  set(${result} "" PARENT_SCOPE)
  tfm_libtorch_libraries("${prefix}" libraries)
  if(NOT EXISTS "${prefix}/include/torch" OR NOT libraries)
    set(${result} "it has no include/torch or no lib/libtorch_cpu.so" PARENT_SCOPE)
    return()
  endif()
  tfm_libtorch_version("${prefix}" version)
  if(version VERSION_LESS TFM_LIBTORCH_MINIMUM)
    set(${result} "it is version ${version}, and tfm needs ${TFM_LIBTORCH_NEEDED}" PARENT_SCOPE)
    return()
  endif()
  set(settings "${prefix}/share/cmake/Torch/TorchConfig.cmake")
  if(EXISTS "${settings}")
    file(STRINGS "${settings}" old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
    if(old_abi)
      set(${result} "it was built with the old C++ ABI, and cannot be linked with the system's \
libraries (pip's torch has the new one since ${TFM_LIBTORCH_MINIMUM_PIP})" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Sets the results to the folders to try, and to the origin of each.
function(tfm_libtorch_candidates folders_result origins_result)
  set(folders "")
  set(origins "")
  string(REPLACE ":" ";" environment_prefixes "$ENV{CMAKE_PREFIX_PATH}")
  foreach(prefix IN LISTS CMAKE_PREFIX_PATH environment_prefixes)
    # torch.utils.cmake_prefix_path names torch/share/cmake.
    foreach(folder "${prefix}" "${prefix}/../..")
      # The path is for other libraries too, so folders without LibTorch are not reported.
      if(EXISTS "${folder}/lib/libtorch_cpu.so")
        get_filename_component(folder "${folder}" ABSOLUTE)
        list(APPEND folders "${folder}")
        list(APPEND origins "CMAKE_PREFIX_PATH")
      endif()
    endforeach()
  endforeach()
  execute_process(
    COMMAND python3 -c "import importlib.util as u; s = u.find_spec('torch'); \
print(s.submodule_search_locations[0] if s else '')"
    OUTPUT_VARIABLE python_torch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE ignored)
  if(python_torch)
    list(APPEND folders "${python_torch}")
    list(APPEND origins "python3's torch")
  endif()
  set(cache "$ENV{XDG_CACHE_HOME}")
  if(NOT cache)
    set(cache "$ENV{HOME}/.cache")
  endif()
  file(GLOB cached "${cache}/tfm/venv/lib/python3*/site-packages/torch")
  foreach(folder IN LISTS cached)
    list(APPEND folders "${folder}")
    list(APPEND origins "the cache of scripts/setup")
  endforeach()
  if(EXISTS /usr/include/torch/csrc/api)
    list(APPEND folders /usr)
    list(APPEND origins "the system's package")
  endif()
  set(${folders_result} "${folders}" PARENT_SCOPE)
  set(${origins_result} "${origins}" PARENT_SCOPE)
endfunction()

# Sets prefix_result to the folder with include/ and lib/, or to an empty string, and origin_result
# to how it was found, or to the error.
function(tfm_find_libtorch prefix_result origin_result)
  set(${prefix_result} "" PARENT_SCOPE)
  set(named "${TFM_LIBTORCH}")
  if(NOT named)
    set(named "$ENV{TFM_LIBTORCH}")
  endif()
  if(named)
    set(folders "${named}")
    set(origins "TFM_LIBTORCH")
  else()
    tfm_libtorch_candidates(folders origins)
  endif()
  foreach(folder origin IN ZIP_LISTS folders origins)
    tfm_libtorch_problem("${folder}" problem)
    if(NOT problem)
      set(${prefix_result} "${folder}" PARENT_SCOPE)
      set(${origin_result} "${origin}" PARENT_SCOPE)
      return()
    elseif(NOT named)
      message(NOTICE "Skipped ${folder} (found through ${origin}): ${problem}.")
    endif()
  endforeach()
  if(named)
    set(${origin_result} "TFM_LIBTORCH=${named} cannot be used: ${problem}.\nSet it to an \
unpacked libtorch folder, or unset it and run scripts/setup." PARENT_SCOPE)
  else()
    set(${origin_result} "LibTorch was not found (searched TFM_LIBTORCH, CMAKE_PREFIX_PATH, \
python3's torch and ~/.cache/tfm/venv).\nRun scripts/setup, which fetches it, or set TFM_LIBTORCH \
to an unpacked libtorch folder: ${TFM_LIBTORCH_NEEDED}." PARENT_SCOPE)
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  tfm_find_libtorch(prefix origin)
  if(prefix)
    tfm_libtorch_version("${prefix}" version)
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E echo "${version}: ${prefix} (found through ${origin})")
  else()
    message(NOTICE "${origin}")
  endif()
endif()

# Finds the other libraries, which are packages of the distribution (scripts/setup installs them).
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibArchive REQUIRED)
find_package(prometheus-cpp REQUIRED)  # tfm serve: GET /metrics

find_path(TFM_EDIT_INCLUDE histedit.h REQUIRED)
find_library(TFM_EDIT_LIBRARY edit REQUIRED)
add_library(tfm_edit INTERFACE)
add_library(tfm::edit ALIAS tfm_edit)
target_include_directories(tfm_edit SYSTEM INTERFACE "${TFM_EDIT_INCLUDE}")
target_link_libraries(tfm_edit INTERFACE "${TFM_EDIT_LIBRARY}")

# Boost.Asio and Boost.Beast (tfm serve) are used as headers only. They call OpenSSL for TLS.
find_package(Boost 1.74 REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(Threads REQUIRED)
add_library(tfm_asio INTERFACE)
add_library(tfm::asio ALIAS tfm_asio)
target_link_libraries(tfm_asio INTERFACE Boost::headers OpenSSL::SSL OpenSSL::Crypto
                                         Threads::Threads)

# CLD2 identifies languages (tfm data clean, tfm serve). It is optional: without it, its rule is
# off, and every detected language is that of the first model.
add_library(tfm_cld2 INTERFACE)
add_library(tfm::cld2 ALIAS tfm_cld2)
find_path(TFM_CLD2_INCLUDE cld2/public/compact_lang_det.h)
find_library(TFM_CLD2_LIBRARY cld2)
if(TFM_CLD2_INCLUDE AND TFM_CLD2_LIBRARY)
  target_compile_definitions(tfm_cld2 INTERFACE TFM_HAS_CLD2=1)
  target_include_directories(tfm_cld2 SYSTEM INTERFACE "${TFM_CLD2_INCLUDE}")
  target_link_libraries(tfm_cld2 INTERFACE "${TFM_CLD2_LIBRARY}")
endif()

# tcmalloc (gperftools) takes the place of the C library's malloc in the program tfm: translation
# needs less memory with it (docs/benchmarks.md). It is optional. Sanitizers have a malloc of their
# own.
option(TFM_TCMALLOC "Use tcmalloc in the program if it is installed" ON)
add_library(tfm_malloc INTERFACE)
add_library(tfm::malloc ALIAS tfm_malloc)
find_library(TFM_TCMALLOC_LIBRARY tcmalloc_minimal)
if(TFM_TCMALLOC AND TFM_TCMALLOC_LIBRARY AND NOT TFM_SANITIZE)
  # No symbol of the program is only in tcmalloc, so the linker would otherwise drop it. tcmalloc
  # comes after LibTorch, because the loader initialises libraries in reverse order: as long as
  # tcmalloc is not initialised, it is slow, and LibTorch allocates much memory in this time (with
  # tcmalloc in front of it, one line takes 0.17 instead of 0.15 s). LibTorch's own target cannot
  # stand here: CMake would move it behind the libraries that need it.
  list(JOIN TFM_LIBTORCH_LINKED "," first)
  target_link_libraries(
    tfm_malloc INTERFACE
    "-Wl,--push-state,--no-as-needed,${first},${TFM_TCMALLOC_LIBRARY},--pop-state")
endif()

# tfm_find_library(NAME header): defines tfm::NAME of a library without a usable package for CMake
# (libzip's demands programs that its Debian package does not contain).
function(tfm_find_library name header)
  string(TOUPPER "TFM_${name}" variable)
  find_path(${variable}_INCLUDE ${header} REQUIRED)
  find_library(${variable}_LIBRARY ${name} REQUIRED)
  add_library(tfm_third_party_${name} INTERFACE)
  add_library(tfm::${name} ALIAS tfm_third_party_${name})
  target_include_directories(tfm_third_party_${name} SYSTEM INTERFACE "${${variable}_INCLUDE}")
  target_link_libraries(tfm_third_party_${name} INTERFACE "${${variable}_LIBRARY}")
endfunction()

# Documents: the archives and the XML of office formats.
tfm_find_library(zip zip.h)
tfm_find_library(pugixml pugixml.hpp)

# Compiles SentencePiece from its sources and links it statically with hidden symbols. As a shared
# library it exports FLAGS_minloglevel and protobuf, as LibTorch's libraries do with other sizes and
# versions. The dynamic linker would merge these symbols, and an error that LibTorch should throw
# would end the program.
if(NOT TFM_SENTENCEPIECE)
  if(DEFINED ENV{TFM_SENTENCEPIECE})
    set(TFM_SENTENCEPIECE "$ENV{TFM_SENTENCEPIECE}")
  else()
    set(tfm_cache "$ENV{XDG_CACHE_HOME}")
    if(NOT tfm_cache)
      set(tfm_cache "$ENV{HOME}/.cache")
    endif()
    file(GLOB tfm_sources "${tfm_cache}/tfm/sentencepiece-*/sentencepiece/CMakeLists.txt")
    foreach(file IN LISTS tfm_sources)
      get_filename_component(TFM_SENTENCEPIECE "${file}" DIRECTORY)
    endforeach()
  endif()
endif()
if(NOT EXISTS "${TFM_SENTENCEPIECE}/src/sentencepiece_processor.h")
  message(FATAL_ERROR "The sources of SentencePiece were not found ('${TFM_SENTENCEPIECE}'). "
                      "scripts/setup fetches them, or set TFM_SENTENCEPIECE to a checkout.")
endif()
message(STATUS "SentencePiece ${TFM_SENTENCEPIECE}")

function(tfm_add_sentencepiece)
  set(SPM_ENABLE_SHARED OFF CACHE BOOL "" FORCE)
  set(SPM_ENABLE_TCMALLOC OFF CACHE BOOL "" FORCE)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
  add_subdirectory("${TFM_SENTENCEPIECE}" "${CMAKE_BINARY_DIR}/sentencepiece" EXCLUDE_FROM_ALL)
endfunction()
tfm_add_sentencepiece()

# The unity build halves the time to compile. Protobuf's sources cannot be part of it. They are
# optimised less, because they only read models.
foreach(part IN ITEMS sentencepiece-static sentencepiece_train-static)
  target_compile_options(${part} PRIVATE -w -fvisibility=hidden -fvisibility-inlines-hidden)
  set_target_properties(${part} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0
                                           POSITION_INDEPENDENT_CODE ON)
  get_target_property(sources ${part} SOURCES)
  list(FILTER sources INCLUDE REGEX "protobuf-lite|builtin_pb")
  set_source_files_properties(${sources} TARGET_DIRECTORY ${part}
                              PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O1)
endforeach()
add_library(tfm_sentencepiece INTERFACE)
add_library(tfm::sentencepiece ALIAS tfm_sentencepiece)
target_include_directories(tfm_sentencepiece SYSTEM INTERFACE "${TFM_SENTENCEPIECE}/src")
target_link_libraries(tfm_sentencepiece INTERFACE sentencepiece_train-static sentencepiece-static)
# Without this option, the linker also exports each symbol that a shared library refers to.
target_link_options(tfm_sentencepiece INTERFACE
                    "LINKER:--exclude-libs,libsentencepiece.a:libsentencepiece_train.a")

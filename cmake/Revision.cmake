# Generates the source of one file of the library cli with the commit from which the program is
# built, for `tfm --version`. A build runs this file as a script (-DSOURCE -DOUTPUT) each time,
# which takes milliseconds. The source is only written if the commit has changed, so nothing else
# is compiled again.

function(tfm_embed_revision library)
  find_package(Git QUIET)
  set(output "${CMAKE_BINARY_DIR}/embedded/${library}/revision.cpp")
  add_custom_target(
    tfm_revision
    COMMAND "${CMAKE_COMMAND}" "-DGIT=${GIT_EXECUTABLE}" "-DSOURCE=${CMAKE_SOURCE_DIR}"
            "-DOUTPUT=${output}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    BYPRODUCTS "${output}"
    COMMENT "Reading the commit"
    VERBATIM)
  # The source is compiled apart from the library's others, which a new commit must not recompile.
  set_source_files_properties("${output}" PROPERTIES GENERATED TRUE SKIP_UNITY_BUILD_INCLUSION TRUE)
  target_sources(tfm_${library} PRIVATE "${output}")
  add_dependencies(tfm_${library} tfm_revision)
endfunction()

# Sets result to what git prints, or to an empty string if it fails.
function(tfm_git result)
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" ${ARGN} OUTPUT_VARIABLE text
                  RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed)
    set(text "")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(revision "")
  # A source archive inside another repository must not show the commit of that repository.
  if(GIT AND EXISTS "${SOURCE}/.git")
    tfm_git(revision log -1 --format=%h --abbrev=9)
    tfm_git(date log -1 --format=%cs)
    tfm_git(changes --no-optional-locks status --porcelain --untracked-files=no)
    if(changes)
      string(APPEND revision "+")
    endif()
    if(revision)
      string(APPEND revision ", ${date}")
    endif()
  endif()
  set(text "namespace tfm {\n\nextern const char* const commit;\n\
const char* const commit = \"${revision}\";\n\n}  // namespace tfm\n")
  set(former "")
  if(EXISTS "${OUTPUT}")
    file(READ "${OUTPUT}" former)
  endif()
  if(NOT former STREQUAL text)
    file(WRITE "${OUTPUT}" "${text}")
  endif()
endif()

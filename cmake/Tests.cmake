# tfm_test(NAME [TORCH] [LIBRARY...] [SHARED_SETUP suite...] [TWO_PROCESSORS suite...]
# [ALONE source...]): defines the program tfm_NAME_test from tests/NAME/*_test.cpp, and its entries
# in ctest. TORCH marks a program that is not named after a library and uses LibTorch.
#
# A program that needs LibTorch takes a third of a second of processor time to load it. To avoid
# this for every single test, an entry of such a program in ctest is a suite (NAME/Suite). The same
# holds for the suites of SHARED_SETUP, whose tests share one trained model. Other programs start in
# milliseconds, so an entry is a test (NAME/Suite.Test).
#
# TWO_PROCESSORS lists suites that run two processes or check threads; on two cores, ctest runs
# nothing in parallel with them, nor with any test of end_to_end. ALONE lists sources whose names
# would collide with others in a unity build.
#
# Each program lists its tests once, when it has been linked (NAME.tests). ctest reads the list when
# it starts (discovered_tests.cmake).

# Timeouts in seconds, for a machine that is also busy with other work. Sanitizers take several
# times as long.
set(TFM_UNIT_TIMEOUT 600)
set(TFM_END_TO_END_TIMEOUT 900)
set(TFM_NIGHTLY_TIMEOUT 3600)
# By default OpenMP's threads wait by spinning, and tests in parallel would slow each other down
# several times. The seed gives property tests the same cases in each run of ctest; a program that
# is run by hand uses other cases.
set(TFM_TEST_ENVIRONMENT OMP_WAIT_POLICY=passive RC_PARAMS=seed=2016)
if(TFM_SANITIZE)
  foreach(kind UNIT END_TO_END NIGHTLY)
    math(EXPR TFM_${kind}_TIMEOUT "4 * ${TFM_${kind}_TIMEOUT}")
  endforeach()
endif()

# Precompiles the headers that all tests include. Tests that need LibTorch use LibTorch's
# precompiled header instead: a header with both would take longer to compile (27 s) than the unity
# builds of tests would gain.
tfm_precompiled(test_pch HEADERS <gmock/gmock.h> <gtest/gtest.h> LIBRARIES GTest::gmock)

# Writes the script that ctest reads: the properties of all entries of a program, and the path of
# its list of tests.
function(tfm_add_entries name)
  cmake_parse_arguments(ENTRIES "PER_SUITE" "LABEL;TIMEOUT;PROCESSORS" "SHARED_SETUP;TWO_PROCESSORS"
                        ${ARGN})
  set(program tfm_${name}_test)
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${name}.tests")
  # This run only lists tests, so leaks at exit do not matter.
  add_custom_command(
    TARGET ${program} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -E env ASAN_OPTIONS=detect_leaks=0 "$<TARGET_FILE:${program}>"
            --gtest_list_tests > "${list}"
    VERBATIM)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${name}_entries.cmake")
  file(GENERATE OUTPUT "${script}" CONTENT "set(tfm_name [==[${name}]==])
set(tfm_program [==[$<TARGET_FILE:${program}>]==])
set(tfm_list [==[${list}]==])
set(tfm_per_suite ${ENTRIES_PER_SUITE})
set(tfm_shared_setup [==[${ENTRIES_SHARED_SETUP}]==])
set(tfm_two_processors [==[${ENTRIES_TWO_PROCESSORS}]==])
set(tfm_properties LABELS ${ENTRIES_LABEL} TIMEOUT ${ENTRIES_TIMEOUT}
    PROCESSORS ${ENTRIES_PROCESSORS})
set(tfm_environment [==[${TFM_TEST_ENVIRONMENT}]==])
include([==[${CMAKE_SOURCE_DIR}/cmake/discovered_tests.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()

# tfm_test_again(NAME LIBRARY LABEL [FILTER filter] VARIABLE=VALUE...): adds an entry that runs all
# tests of the program, or those that the filter selects, with this environment.
function(tfm_test_again name library label)
  cmake_parse_arguments(AGAIN "" "FILTER" "" ${ARGN})
  if(NOT TARGET tfm_${library}_test)
    return()
  endif()
  set(filter "")
  if(AGAIN_FILTER)
    set(filter "--gtest_filter=${AGAIN_FILTER}")
  endif()
  add_test(NAME ${name} COMMAND tfm_${library}_test ${filter})
  string(TOUPPER "${label}" kind)
  set_tests_properties(
    ${name} PROPERTIES LABELS ${label} TIMEOUT ${TFM_${kind}_TIMEOUT} PROCESSORS 2
                       ENVIRONMENT "${TFM_TEST_ENVIRONMENT};${AGAIN_UNPARSED_ARGUMENTS}")
endfunction()

function(tfm_test name)
  cmake_parse_arguments(TEST "TORCH" "" "ALONE;SHARED_SETUP;TWO_PROCESSORS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${name}/*_test.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(tfm_${name}_test ${sources})
  get_property(libraries GLOBAL PROPERTY TFM_LIBRARIES)
  get_property(torch GLOBAL PROPERTY TFM_LIBRARY_${name}_TORCH)
  get_property(links_torch GLOBAL PROPERTY TFM_LIBRARY_${name}_LINKS_TORCH)
  if(TEST_TORCH)
    set(torch TRUE)
    set(links_torch TRUE)
  endif()
  if(name IN_LIST libraries)
    target_link_libraries(tfm_${name}_test PRIVATE tfm_${name})
  else()
    target_link_libraries(tfm_${name}_test PRIVATE tfm_options)
  endif()
  list(TRANSFORM TEST_ALONE PREPEND "${CMAKE_SOURCE_DIR}/tests/${name}/")
  set_source_files_properties(${TEST_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(tfm_${name}_test PROPERTIES UNITY_BUILD ${TFM_UNITY}
                                                    UNITY_BUILD_BATCH_SIZE 4)
  target_compile_options(tfm_${name}_test PRIVATE
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  if(torch)
    target_precompile_headers(tfm_${name}_test REUSE_FROM tfm_torch_pch)
  elseif(NOT links_torch)  # OpenMP, which comes with LibTorch, does not match the header
    target_precompile_headers(tfm_${name}_test REUSE_FROM tfm_test_pch)
  endif()
  target_include_directories(tfm_${name}_test PRIVATE "${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(tfm_${name}_test PRIVATE ${TEST_UNPARSED_ARGUMENTS} GTest::gmock
                                                 GTest::gtest_main)
  target_compile_definitions(tfm_${name}_test PRIVATE TFM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                      TFM_BINARY_DIR="${CMAKE_BINARY_DIR}")
  # Tests are compiled once and run for seconds, so -O3 costs more than it gains.
  target_compile_options(tfm_${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  if(name STREQUAL "end_to_end")
    tfm_add_entries(${name} LABEL end_to_end TIMEOUT ${TFM_END_TO_END_TIMEOUT} PROCESSORS 2
                    SHARED_SETUP ${TEST_SHARED_SETUP})
  elseif(links_torch)
    tfm_add_entries(${name} PER_SUITE LABEL unit TIMEOUT ${TFM_UNIT_TIMEOUT} PROCESSORS 1
                    TWO_PROCESSORS ${TEST_TWO_PROCESSORS})
  else()
    tfm_add_entries(${name} LABEL unit TIMEOUT ${TFM_UNIT_TIMEOUT} PROCESSORS 1)
  endif()
endfunction()

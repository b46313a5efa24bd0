cmake_minimum_required(VERSION 3.22)
# ctest reads this file when it starts, once for each test program, after the variables that
# tfm_add_entries (Tests.cmake) sets. It turns the program's list of tests into entries.

# tfm_add_entry(ENTRY FILTER [NAME VALUE...]): adds an entry with these properties in addition to
# the common ones.
function(tfm_add_entry entry filter)
  add_test("${tfm_name}/${entry}" "${tfm_program}" "--gtest_filter=${filter}")
  set_tests_properties("${tfm_name}/${entry}" PROPERTIES ${tfm_properties} ${ARGN}
                       ENVIRONMENT "${tfm_environment}")
endfunction()

# Parses GoogleTest's list: a line "Suite.", followed by a line "  Test" for each of its tests. Both
# may end with a comment.
function(tfm_add_listed_tests)
  file(STRINGS "${tfm_list}" lines REGEX "^ |\\.( +#.*)?$")
  set(suite "")
  set(added "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " +#.*" "" line "${line}")
    string(STRIP "${line}" stripped)
    if(line STREQUAL stripped)
      string(REGEX REPLACE "\\.$" "" suite "${line}")
    elseif(suite MATCHES "DISABLED_" OR stripped MATCHES "DISABLED_")
      continue()
    elseif(NOT tfm_per_suite AND NOT suite IN_LIST tfm_shared_setup)
      tfm_add_entry("${suite}.${stripped}" "${suite}.${stripped}"
                    SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
    elseif(NOT suite STREQUAL added)
      string(REGEX REPLACE "^.*/([A-Za-z].*)$" "\\1" base "${suite}")
      string(REGEX REPLACE "/[0-9]+$" "" base "${base}")
      set(processors "")
      if(base IN_LIST tfm_two_processors)
        set(processors PROCESSORS 2)
      endif()
      tfm_add_entry("${suite}" "${suite}.*" ${processors})
      set(added "${suite}")
    endif()
  endforeach()
endfunction()

if(EXISTS "${tfm_list}")
  tfm_add_listed_tests()
else()
  add_test("${tfm_name}/not_built" "tfm_${tfm_name}_test_was_not_built")
  set_tests_properties("${tfm_name}/not_built" PROPERTIES ${tfm_properties})
endif()

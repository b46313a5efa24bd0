# tfm_embed(LIBRARY file...): embeds text files of src/LIBRARY in the library, each as
# `const std::string_view tfm::<name>_file`, with an underscore for the dot of its name. A private
# header of the library declares them. Run as a script (-DINPUT -DOUTPUT -DSYMBOL), this file
# generates the source of one of them.

function(tfm_embed library)
  foreach(file IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "${file}" symbol)
    set(input "${CMAKE_SOURCE_DIR}/src/${library}/${file}")
    set(output "${CMAKE_BINARY_DIR}/embedded/${library}/${symbol}.cpp")
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" "-DINPUT=${input}" "-DOUTPUT=${output}" "-DSYMBOL=${symbol}_file"
              -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
      DEPENDS "${input}" "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
      COMMENT "Embedding ${file}"
      VERBATIM)
    target_sources(tfm_${library} PRIVATE "${output}")
  endforeach()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(READ "${INPUT}" text)
  if(text MATCHES "\\)tfm_embedded\"")
    message(FATAL_ERROR "${INPUT} contains the delimiter of the generated string literal")
  endif()
  # The extern declaration comes first, because a const at namespace level has internal linkage.
  file(WRITE "${OUTPUT}"
       "#include <string_view>\n\nnamespace tfm {\n\nextern const std::string_view ${SYMBOL};\n"
       "const std::string_view ${SYMBOL} = R\"tfm_embedded(${text})tfm_embedded\";\n\n"
       "}  // namespace tfm\n")
endif()

# Installs the manual page and the completions of bash, zsh and fish. The program writes them when
# it is installed.
set(shell_files "${CMAKE_BINARY_DIR}/shell_files")

# tfm_install_output(FILE DESTINATIONS argument...): installs what `tfm ARGUMENTS` prints as FILE in
# each of these folders.
function(tfm_install_output file destinations)
  list(JOIN ARGN " " arguments)
  install(CODE "
    file(MAKE_DIRECTORY \"${shell_files}\")
    execute_process(COMMAND \"$<TARGET_FILE:tfm>\" ${arguments}
                    OUTPUT_FILE \"${shell_files}/${file}\" RESULT_VARIABLE result)
    if(result)
      message(FATAL_ERROR \"tfm ${arguments} failed: \${result}\")
    endif()")
  foreach(destination IN LISTS destinations)
    install(FILES "${shell_files}/${file}" DESTINATION "${destination}")
  endforeach()
endfunction()

tfm_install_output(tfm.1 share/man/man1 help --format man)
tfm_install_output(tfm share/bash-completion/completions completions bash)
# zsh searches site-functions; the zsh of Debian and Ubuntu searches vendor-completions instead.
tfm_install_output(_tfm "share/zsh/site-functions;share/zsh/vendor-completions" completions zsh)
tfm_install_output(tfm.fish share/fish/vendor_completions.d completions fish)

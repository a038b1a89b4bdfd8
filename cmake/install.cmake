# What `cmake --install` puts where: the program, its manual page, its completions and the documents. The completions are
# what the program prints at that moment.
include(GNUInstallDirs)

install(TARGETS iwarpscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES docs/man/iwarpscope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md" PATTERN man EXCLUDE)

# One shell: its file among the completions of all programs.
function(iwarpscope_install_completion shell directory name)
  set(printed ${PROJECT_BINARY_DIR}/completion/${shell}/${name})
  install(CODE "
    file(MAKE_DIRECTORY \"${PROJECT_BINARY_DIR}/completion/${shell}\")
    execute_process(COMMAND \"$<TARGET_FILE:iwarpscope>\" completion ${shell} OUTPUT_FILE \"${printed}\"
                    COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${printed} DESTINATION ${directory})
endfunction()
iwarpscope_install_completion(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions iwarpscope)
iwarpscope_install_completion(zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _iwarpscope)
iwarpscope_install_completion(fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d iwarpscope.fish)

# cmake -DSOURCE=… -DOUTPUT=… -P commit.cmake: writes the definition of kCommit (cli/version.h), if it differs.
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=8 --exclude=* --dirty
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(commit)
  set(commit " (${commit})")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include \"lsp/cli/version.h\"\nconst char* const bodkin::kCommit = \"${commit}\";\n")

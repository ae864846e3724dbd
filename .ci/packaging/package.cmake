# What is installed besides the program, and the .deb that CPack makes of it. The target bodkin_share lays out
# manual, completions, Neovim plugin and licences as they lie below /usr; the tarball has the same layout.
set(BODKIN_SHARE ${CMAKE_BINARY_DIR}/package)
if(APPLE)  # macos-release.sh
  return()
endif()
if(WIN32)  # the licences alone; the rest: windows-release.sh
  file(MAKE_DIRECTORY ${BODKIN_SHARE})
  add_custom_target(bodkin_share VERBATIM WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    COMMAND sh -c "sh \"$1\" \"$2\" \"$3\" \"$4\" >\"$5\"" sh ${CMAKE_CURRENT_LIST_DIR}/copyright.sh ${PROJECT_VERSION}
            ${BODKIN_GRAMMAR_LICENCES} ${BODKIN_STATIC_CURL} ${BODKIN_SHARE}/copyright)
  return()
endif()
add_custom_target(bodkin_share DEPENDS bodkin VERBATIM
  COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/share.sh ${BODKIN_SHARE} ${PROJECT_VERSION} ${BODKIN_GRAMMAR_LICENCES}
          "${BODKIN_STATIC_CURL}" ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:bodkin>
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
install(DIRECTORY ${BODKIN_SHARE}/share DESTINATION . OPTIONAL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bodkin)
set(CPACK_PACKAGE_CONTACT "bodkin maintainers <maintainers@users.noreply.a-seed-71fb4fc6.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "language server that lets a language model edit code")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "bodkin asks a model for a change, places every edit of the answer at exactly
the bytes that it is meant for, or refuses it, and shows the checked result
as a diff in the editor. Nothing changes until it is accepted.

The package has the language server, the command line with its manual, and
the plugin for Neovim.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "git, ripgrep")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "neovim, clangd, bubblewrap")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "ca-certificates, libc6 (>= 2.35)")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
include(CPack)

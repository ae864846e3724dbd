# queries/<id>/<what>.scm becomes bodkin::queries::<id>_<what> in the generated "grammars/queries.h".
# Sets BODKIN_QUERIES_DIR, the include folder.
set(BODKIN_QUERIES_DIR ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(header "#pragma once\n#include <string_view>\nnamespace bodkin::queries {\n")
file(GLOB queries CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/queries/*/*.scm)
foreach(query ${queries})
  string(REGEX MATCH "([^/]*)/([^/]*)\\.scm$" name ${query})
  set(name ${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
  file(READ ${query} text)
  string(APPEND header "inline constexpr std::string_view ${name} = R\"scm(${text})scm\";\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${query})
endforeach()
# What a file's symbols depend on: an index that other parsers or queries made is not used.
file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/package-lock.json grammar_set)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/package-lock.json)
string(SHA256 grammar_set "${grammar_set}${header}")
string(APPEND header "inline constexpr std::string_view grammar_set = \"${grammar_set}\";\n")
string(APPEND header "}  // namespace bodkin::queries\n")
file(CONFIGURE OUTPUT ${BODKIN_QUERIES_DIR}/grammars/queries.h CONTENT "${header}" @ONLY)

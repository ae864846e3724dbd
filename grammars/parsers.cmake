# The target bodkin_parsers: tree-sitter and the grammars that package-lock.json pins.
#
# Fetched and compiled while CMake configures, once, into a folder named by what goes into it; all
# presets share it (BODKIN_GRAMMARS_DIR), and a later configure finds it and does nothing.
set(BODKIN_GRAMMARS_DIR "${CMAKE_BINARY_DIR}/grammars" CACHE PATH
    "Where the compiled grammars are kept; build folders may share it")

set(inputs ${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json ${CMAKE_CURRENT_SOURCE_DIR}/parsers/CMakeLists.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
set(key "${CMAKE_C_COMPILER_ID}-${CMAKE_C_COMPILER_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
if(WIN32)
  string(APPEND key "-windows")
elseif(APPLE)
  string(APPEND key "-macos")
endif()
if(BODKIN_PREFIX_MAP)  # the grammars are of one path then, wherever they are compiled
  string(APPEND key "-mapped")
endif()
foreach(input ${inputs})
  file(SHA256 ${input} hash)
  string(APPEND key -${hash})
endforeach()
string(SHA256 key ${key})
string(SUBSTRING ${key} 0 12 key)
set(prefix ${BODKIN_GRAMMARS_DIR}/${key})

file(MAKE_DIRECTORY ${BODKIN_GRAMMARS_DIR})
file(LOCK ${BODKIN_GRAMMARS_DIR}/lock GUARD FILE TIMEOUT 900)
if(NOT EXISTS ${prefix}/include/tree_sitter/api.h)  # the last file that is put in place
  find_program(BODKIN_NODE NAMES node nodejs REQUIRED)
  find_program(BODKIN_NPM npm REQUIRED)
  set(work ${BODKIN_GRAMMARS_DIR}/work)
  set(given -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER})
  if(BODKIN_PREFIX_MAP)
    list(APPEND given "-DCMAKE_C_FLAGS=-ffile-prefix-map=${work}=grammars")
  endif()
  if(CMAKE_CROSSCOMPILING)
    list(APPEND given -DCMAKE_SYSTEM_NAME=${CMAKE_SYSTEM_NAME} -DCMAKE_SYSTEM_PROCESSOR=${CMAKE_SYSTEM_PROCESSOR})
  endif()
  if(CMAKE_TOOLCHAIN_FILE AND APPLE)
    list(APPEND given -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE} -DCMAKE_OSX_ARCHITECTURES=${CMAKE_OSX_ARCHITECTURES}
         -DCMAKE_OSX_DEPLOYMENT_TARGET=${CMAKE_OSX_DEPLOYMENT_TARGET})
  endif()
  file(REMOVE_RECURSE ${work})
  message(STATUS "Fetching tree-sitter and its grammars with npm")
  execute_process(COMMAND ${BODKIN_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/fetch.mjs ${work}/sources
                  RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "The grammars could not be fetched: is there a network, and does "
                        "\"npm view tree-sitter\" work?")
  endif()
  message(STATUS "Compiling the grammars (once for all build folders)")
  foreach(step
      "-G;${CMAKE_GENERATOR};-S;${CMAKE_CURRENT_SOURCE_DIR}/parsers;-B;${work}/build;-DSOURCES=${work}/sources;${given}"
      "--build;${work}/build" "--install;${work}/build;--prefix;${prefix}")
    execute_process(COMMAND ${CMAKE_COMMAND} ${step} RESULT_VARIABLE failed OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    if(failed)
      message(FATAL_ERROR "The grammars could not be compiled:\n${output}")
    endif()
  endforeach()
  # What the packages must say of them: prefix/licences/<package>
  file(GLOB packages ${work}/sources/*)
  foreach(package ${packages})
    cmake_path(GET package FILENAME name)
    file(GLOB licences ${package}/LICENSE* ${package}/LICENCE* ${package}/COPYING* ${package}/package.json)
    file(COPY ${licences} DESTINATION ${prefix}/licences/${name})
  endforeach()
  file(REMOVE_RECURSE ${work})
endif()
file(LOCK ${BODKIN_GRAMMARS_DIR}/lock RELEASE)

add_library(bodkin_parsers STATIC IMPORTED)
set_target_properties(bodkin_parsers PROPERTIES
  IMPORTED_LOCATION ${prefix}/lib/libbodkin_parsers.a
  INTERFACE_INCLUDE_DIRECTORIES ${prefix}/include)
set(BODKIN_GRAMMAR_LICENCES ${prefix}/licences PARENT_SCOPE)

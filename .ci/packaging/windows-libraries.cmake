# Instead of find_package, for Windows: the targets of the libraries that .ci/packaging/windows.sh put into
# BODKIN_STATIC_CURL. Everything is linked into the program; only Windows' own libraries are loaded.
function(bodkin_library target archive)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  # Not SYSTEM: g++ for Windows would search these after its own.
  target_include_directories(${target} INTERFACE ${BODKIN_STATIC_CURL}/include)
  if(archive)
    target_link_libraries(${target} INTERFACE ${BODKIN_STATIC_CURL}/lib/lib${archive}.a ${ARGN})
  endif()
endfunction()
bodkin_library(fmt::fmt-header-only "")
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
set(BODKIN_FMT fmt::fmt-header-only)
bodkin_library(nlohmann_json::nlohmann_json "")
bodkin_library(CLI11::CLI11 "")
bodkin_library(doctest::doctest "")
bodkin_library(ZLIB::ZLIB z)
bodkin_library(CURL::libcurl curl ZLIB::ZLIB ws2_32 crypt32 bcrypt secur32)
target_compile_definitions(CURL::libcurl INTERFACE CURL_STATICLIB)
bodkin_library(SQLite::SQLite3 sqlite3)
bodkin_library(PkgConfig::utf8proc utf8proc)
target_compile_definitions(PkgConfig::utf8proc INTERFACE UTF8PROC_STATIC)
set(BODKIN_CRYPTO bcrypt)  # what Windows has for hashes

set(BODKIN_PREFIX_MAP "-ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}=bodkin")
string(APPEND CMAKE_C_FLAGS " ${BODKIN_PREFIX_MAP}")
string(APPEND CMAKE_CXX_FLAGS " ${BODKIN_PREFIX_MAP}")
# Windows 10: what has UTF-8 as a program's code page (windows.manifest), AF_UNIX and virtual terminal sequences.
add_compile_definitions(_WIN32_WINNT=0x0A00 NOMINMAX WIN32_LEAN_AND_MEAN UNICODE _UNICODE
                        _POSIX_THREAD_SAFE_FUNCTIONS)  # localtime_r and gmtime_r
add_compile_options(-Wno-attributes)
add_link_options(-static -Wl,--gc-sections -s -Wl,--no-insert-timestamp)
# What a program is linked with to be one of UTF-8 and of long paths, and to leave line ends alone.
enable_language(RC)
set(BODKIN_WINDOWS_RESOURCES ${CMAKE_CURRENT_LIST_DIR}/windows.rc)
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=binmode.o OUTPUT_VARIABLE binmode OUTPUT_STRIP_TRAILING_WHITESPACE)
link_libraries(${binmode})

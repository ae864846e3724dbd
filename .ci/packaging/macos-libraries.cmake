# Instead of find_package, for macOS: what each Mac has is loaded from there, the rest, which .ci/packaging/macos.sh put
# into BODKIN_STATIC_CURL, is linked into the program.
function(bodkin_library target)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${target} INTERFACE ${ARGN})
endfunction()
include_directories(SYSTEM ${BODKIN_STATIC_CURL}/include)
bodkin_library(fmt::fmt-header-only)
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY=1)
set(BODKIN_FMT fmt::fmt-header-only)
bodkin_library(nlohmann_json::nlohmann_json)
bodkin_library(CLI11::CLI11)
bodkin_library(doctest::doctest)
bodkin_library(ZLIB::ZLIB -lz)
bodkin_library(CURL::libcurl -lcurl)
bodkin_library(SQLite::SQLite3 -lsqlite3)
set(BODKIN_LINE_EDITOR -ledit)
set(BODKIN_CRYPTO "")  # a part of libSystem

set(BODKIN_PREFIX_MAP "-ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}=bodkin")
string(APPEND CMAKE_C_FLAGS " ${BODKIN_PREFIX_MAP}")
string(APPEND CMAKE_CXX_FLAGS " ${BODKIN_PREFIX_MAP}")
# std::jthread and std::stop_token, which libc++ calls experimental until version 20; not time zones, which no macOS has.
foreach(definition ENABLE_EXPERIMENTAL HAS_NO_EXPERIMENTAL_TZDB HAS_NO_EXPERIMENTAL_SYNCSTREAM HAS_NO_INCOMPLETE_PSTL)
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_LIBCPP_${definition}>)
endforeach()
add_link_options(-Wl,-dead_strip -Wl,-S -Wl,-x)
link_libraries(-liconv)

add_library(bodkin_utf8proc STATIC ${BODKIN_STATIC_CURL}/utf8proc/utf8proc.c)
target_compile_options(bodkin_utf8proc PRIVATE -w)
target_compile_definitions(bodkin_utf8proc PUBLIC UTF8PROC_STATIC)
target_include_directories(bodkin_utf8proc SYSTEM PUBLIC ${BODKIN_STATIC_CURL}/utf8proc)
bodkin_library(PkgConfig::utf8proc bodkin_utf8proc)

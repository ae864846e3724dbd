# The program that the packages hold (BODKIN_STATIC_CURL): everything is linked into it but glibc's own
# libraries, of which it needs 2.35, so that it starts in the time of a small program and runs on any
# Linux of 2022 or later. Debian has the libraries as archives; libcurl comes from .ci/packaging/curl.sh.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(OPENSSL_USE_STATIC_LIBS ON)
set(ZLIB_USE_STATIC_LIBS ON)
set(CURL_NO_CURL_CMAKE ON)
set(CURL_INCLUDE_DIR ${BODKIN_STATIC_CURL}/include CACHE PATH "" FORCE)
set(CURL_LIBRARY ${BODKIN_STATIC_CURL}/lib/libcurl.a CACHE FILEPATH "" FORCE)

# No place in the file system gets into the program: the same source gives the same bytes anywhere.
set(BODKIN_PREFIX_MAP "-ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}=bodkin")
string(APPEND CMAKE_C_FLAGS " ${BODKIN_PREFIX_MAP}")
string(APPEND CMAKE_CXX_FLAGS " ${BODKIN_PREFIX_MAP}")

# Not position-independent: moving 39,000 pointers of the parse tables to where the program was loaded
# takes 1.5 ms of each start, as long as all the rest of it.
add_compile_options(-fno-pie)
add_link_options(-no-pie -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-z,relro -Wl,-z,now -s)

function(bodkin_link_statically)
  find_library(BODKIN_NGHTTP2 nghttp2 REQUIRED)
  find_library(BODKIN_SSL ssl REQUIRED)
  set_property(TARGET CURL::libcurl APPEND PROPERTY INTERFACE_LINK_LIBRARIES
    ${BODKIN_NGHTTP2} ${BODKIN_SSL} OpenSSL::Crypto ZLIB::ZLIB)
  find_library(BODKIN_TINFO tinfo REQUIRED)
  find_library(BODKIN_BSD bsd REQUIRED)
  find_library(BODKIN_MD md REQUIRED)
  set_property(TARGET PkgConfig::edit APPEND PROPERTY INTERFACE_LINK_LIBRARIES
    ${BODKIN_TINFO} ${BODKIN_BSD} ${BODKIN_MD})
  # fmt has no archive in Debian.
  set(BODKIN_FMT fmt::fmt-header-only PARENT_SCOPE)
endfunction()

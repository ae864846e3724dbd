#!/bin/sh
# sh .ci/packaging/curl.sh DIR [HOST SYSROOT]: a static libcurl in DIR, of Debian's own source package: HTTP, HTTPS,
# HTTP/2 and proxies, and nothing else. HOST is the triple of another machine, aarch64-linux-gnu for example,
# whose cross compiler is installed; SYSROOT is what sysroot.sh made. What is there already, of the same version, is
# kept. The source comes from the mirror that this machine's apt uses.
set -eu
case $# in
  1) host='' ;;
  3) host=$2 CC="$2-gcc --sysroot=$(cd "$3" && pwd)" ;;
  *) echo "usage: sh .ci/packaging/curl.sh DIR [HOST SYSROOT]" >&2; exit 2 ;;
esac
mkdir -p "$1"
dir=$(cd "$1" && pwd)
apt=$dir/apt
. "$(dirname "$0")/apt.sh"

make_apt deb-src
run_apt update
version=$(run_apt --print-uris source --download-only curl | sed -n "s/.* curl_\([^ ]*\)\.dsc .*/\1/p" | tail -n 1)
[ -n "$version" ] || { echo "apt knows no source package curl" >&2; exit 1; }
wanted="$version ${host:-native} 1" # the last number: of this script's options
if [ "$(cat "$dir/version" 2>/dev/null)" = "$wanted" ]; then
  rm -rf "$apt"
  exit 0
fi

rm -rf "${dir:?}/source" "${dir:?}/lib" "${dir:?}/include" "${dir:?}/version"
mkdir "$dir/source"
cd "$dir/source"
run_apt source curl >/dev/null
rm -rf "$apt"
cd curl-*/
cp debian/copyright "$dir/copyright"
# Compiled as if in /curl, so that the bytes do not depend on the folder. Without pkg-config, which knows only this
# machine's libraries; the compiler finds those of HOST.
[ -z "$host" ] || export CC PKG_CONFIG=false
CFLAGS="-O2 -ffile-prefix-map=$PWD=/curl -ffunction-sections -fdata-sections" ./configure --quiet \
  ${host:+--host="$host"} --prefix="$dir" --libdir="$dir/lib" --disable-shared --enable-static --with-pic \
  --with-openssl --with-nghttp2 --with-zlib --with-ca-bundle=/etc/ssl/certs/ca-certificates.crt \
  --with-ca-path=/etc/ssl/certs --enable-http --enable-proxy --enable-ipv6 --enable-threaded-resolver \
  --disable-ftp --disable-file --disable-ldap --disable-ldaps --disable-rtsp --disable-dict --disable-telnet \
  --disable-tftp --disable-pop3 --disable-imap --disable-smb --disable-smtp --disable-gopher --disable-mqtt \
  --disable-manual --disable-alt-svc --disable-hsts --disable-ntlm --disable-ntlm-wb --disable-tls-srp \
  --disable-netrc --disable-libcurl-option --disable-unix-sockets --disable-cookies --disable-doh \
  --disable-dateparse --without-brotli --without-zstd --without-libpsl --without-libidn2 --without-librtmp \
  --without-libssh2 --without-gssapi --without-nghttp3 --without-ngtcp2 >/dev/null
make -s -C lib -j"$(nproc)" install >/dev/null
make -s -C include install >/dev/null
make -s install-pkgconfigDATA >/dev/null
cd "$dir"
rm -rf source
printf '%s\n' "$wanted" >version

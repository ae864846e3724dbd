#!/bin/sh
# sh .ci/packaging/macos.sh DIR: what is linked into the program for macOS, in DIR, of Debian's packages: headers in
# DIR/include, and the sources of utf8proc, so that a Mac needs no more than Apple's tools, CMake, Ninja and Node.
# What is there already, of the same versions, is kept.
set -eu
[ $# = 1 ] || { echo "usage: sh .ci/packaging/macos.sh DIR" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
apt=$dir/apt
. "$(dirname "$0")/apt.sh"
make_apt deb-src
run_apt update
wanted=$(echo 2 # this number: of this script's options
  run_apt --print-uris source --download-only utf8proc | sed -n 's/.* utf8proc_\([^ ]*\)\.dsc .*/\1/p' | tail -n 1
  dpkg-query -W libcli11-dev libdtl-dev doctest-dev libfmt-dev nlohmann-json3-dev)
if [ "$(cat "$dir/version" 2>/dev/null)" = "$wanted" ]; then
  rm -rf "$apt"
  exit 0
fi

for part in include utf8proc copyright version; do rm -rf "${dir:?}/$part"; done
mkdir "$dir/include" "$dir/utf8proc" "$dir/copyright"
for each in CLI dtl doctest fmt nlohmann; do cp -RL "/usr/include/$each" "$dir/include"; done
(cd "$apt" && run_apt source utf8proc >/dev/null 2>&1)
cp "$apt"/utf8proc-*/utf8proc*.[ch] "$dir/utf8proc"
cp "$apt"/utf8proc-*/debian/copyright "$dir/copyright/utf8proc"
rm -rf "$apt"
printf '%s\n' "$wanted" >"$dir/version"

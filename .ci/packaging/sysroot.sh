#!/bin/sh
# sh .ci/packaging/sysroot.sh DIR ARCHITECTURE PACKAGE…: these packages of Debian for another architecture, and what
# they need, unpacked in DIR for a cross compiler and an emulator; nothing is installed, and no root is needed.
# What is there already, of the same versions, is kept.
set -eu
[ $# -ge 3 ] || { echo "usage: sh .ci/packaging/sysroot.sh DIR ARCHITECTURE PACKAGE…" >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
apt=$dir.apt
. "$(dirname "$0")/apt.sh"
architecture=$2
shift 2
make_apt deb
for_it() { run_apt -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" "$@"; }
for_it update
wanted=$(for_it --print-uris install --no-install-recommends -y "$@" | awk '{ print $2 }' | sort)
[ -n "$wanted" ] || { echo "apt knows no $architecture packages here" >&2; exit 1; }
if [ "$(cat "$dir/versions" 2>/dev/null)" != "$wanted" ]; then
  for_it install --download-only --no-install-recommends -y "$@"
  rm -rf "$dir"
  mkdir -p "$dir/usr/lib"
  ln -s usr/lib "$dir/lib"
  for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$dir"; done
  printf '%s\n' "$wanted" >"$dir/versions"
fi
rm -rf "$apt"

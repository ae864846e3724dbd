#!/bin/sh
# sh tests/get-debian.sh [--alone] SUITE DIR PACKAGE…: unpacks packages of a newer Debian suite (trixie, sid) and what
# they depend on into DIR/root, beside the system, which stays as it is. The mirror is the one this machine's apt uses.
#   --alone   without what they depend on
set -eu
alone=
if [ "${1-}" = --alone ]; then alone=1 && shift; fi
[ $# -ge 3 ] || { echo "usage: sh tests/get-debian.sh [--alone] SUITE DIR PACKAGE…" >&2; exit 2; }
suite=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
shift 2

# deb822 files first, then the one-line form; file: and cdrom: sources do not carry another suite.
mirror=$(cat /etc/apt/sources.list.d/*.sources 2>/dev/null |
  awk '$1 == "URIs:" && $2 ~ /debian\/?$/ { print $2; exit }')
if [ -z "$mirror" ]; then
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk '$1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:.*debian\/?$/) { print $i; exit } }')
fi
[ -n "$mirror" ] || { echo "apt's configuration names no Debian mirror" >&2; exit 1; }
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || { echo "$keyring is missing (package debian-archive-keyring)" >&2; exit 1; }

apt=$dir/apt
rm -rf "$apt" "$dir/root"
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$dir/root"
: >"$apt/status"
echo "deb [signed-by=$keyring] $mirror $suite main" >"$apt/sources.list"
in_suite() {
  apt-get -qq -o Acquire::Check-Valid-Until=false -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
    -o Dir::Cache::archives="$apt/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
    -o Debug::NoLocking=1 -o APT::Sandbox::User= "$@"
}
in_suite update
if [ "$alone" ]; then
  (cd "$apt/archives" && in_suite download "$@" >/dev/null)
else
  in_suite install -y --no-install-recommends --download-only "$@" >/dev/null
fi
for package in "$apt"/archives/*.deb; do dpkg -x "$package" "$dir/root"; done
rm -rf "$apt"

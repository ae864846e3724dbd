#!/bin/sh
# sh tests/bench/keystrokes.sh NVIM: what a keystroke costs in a file of 20,000 lines, without bodkin, with it, and with
# pending changes that are drawn. It prints figures and decides nothing.
set -eu
[ $# = 1 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
TOP=$(cd "$(dirname "$0")/../.." && pwd)
BODKIN=${BODKIN:-$TOP/build/release/bin/bodkin}
export TOP BODKIN
[ -x "$BODKIN" ] || { echo "There is no program $BODKIN; build it, or set BODKIN." >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_CONFIG_HOME="$work" XDG_STATE_HOME="$work" XDG_DATA_HOME="$work" XDG_CACHE_HOME="$work" WORK="$work"
mkdir "$work/.git"
"$1" --version | head -n 1
"$1" --headless -u NONE -i NONE -n --cmd "luafile $TOP/tests/bench/keystrokes.lua" </dev/null

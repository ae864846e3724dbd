#!/bin/sh
# sh clients/vscode/package.sh [--server PROGRAM TARGET] [VSCE_OPTION…]: checks, bundles and packages the extension as
# bodkin-VERSION.vsix here, or as --out says. With --server the program goes into it, for that TARGET (linux-x64,
# linux-arm64, win32-x64, darwin-arm64): nothing else need be installed then. Brings the Node that vsce needs, if PATH has only an older one.
set -eu
cd "$(dirname "$0")/../.."
. tests/setup.sh
top=$PWD
server='' target=''
if [ "${1-}" = --server ]; then
  [ $# -ge 3 ] || die "usage: sh clients/vscode/package.sh [--server PROGRAM TARGET] [VSCE_OPTION…]"
  server=$2 target=$3
  shift 3
  case $server in /*) ;; *) server=$top/$server ;; esac
  [ -x "$server" ] || die "There is no program $server."
fi
have npm || setup_packages build
setup_node
cd clients/vscode
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci >&2

# The version is the project's; the time is that of the commit, so that the same source gives the same bytes.
version=$(sed -n 's/^project(bodkin VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt")
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}"
export SOURCE_DATE_EPOCH

# The extension's page shows only pictures of a web server, and this package has none: README.md keeps them for who reads it here.
sed '/^!\[.*(media\/.*\.png)$/,+1d' README.md >README.page.md
npm run --silent check
npm run --silent build
rm -rf server
trap 'rm -rf server LICENSE.txt README.page.md' EXIT
cp "$top/LICENSE" LICENSE.txt
if [ "$server" ]; then
  mkdir server
  program=server/bodkin
  case $target in win32-*) program=server/bodkin.exe ;; esac
  cp "$server" "$program"
  chmod 755 "$program"
  # What is linked into it: an installed program has it beside it, one that was just built below package/.
  for copyright in "$(dirname "$server")"/../share/doc/bodkin/copyright "$(dirname "$server")"/../package/share/doc/bodkin/copyright; do
    [ ! -r "$copyright" ] || cp "$copyright" server/copyright.txt
  done
  [ -e server/copyright.txt ] ||
    say "This extension must not be passed on: the licences of what is linked into $server were not found beside it."
fi
node_modules/.bin/vsce package "$version" --no-update-package-json --no-git-tag-version --allow-missing-repository \
  --no-dependencies --readme-path README.page.md ${target:+--target "$target"} "$@"

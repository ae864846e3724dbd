#!/bin/sh
# sh .ci/packaging/windows-release.sh: what `sh .ci/release --windows` does: cross-compiles bodkin.exe, and makes
# of it a zip and the extension with the program inside, in build/dist-windows; tries both under Wine.
# The last line is: N passed, N failed, N skipped.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/../.."
. tests/setup.sh
version=$(sed -n 's/^project(bodkin VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
setup_windows bodkin bodkin_share
dist=$PWD/build/dist-windows name=bodkin-$version-win32-x64
rm -rf "$dist"
nvim=$dist/$name/share/nvim/site/pack/dist/start/bodkin
mkdir -p "$dist/$name/share/doc/bodkin" "$dist/$name/bin" "$nvim" build/logs

cp build/windows/bin/bodkin.exe "$dist/$name/bin"
cp LICENSE CHANGELOG.md "$dist/$name"
sed '/^!\[.*(.*\.png)$/,+1d' README.md >"$dist/$name/README.md"
cp build/windows/package/copyright "$dist/$name/share/doc/bodkin"
cp -r clients/nvim/. "$nvim"
rm -f "$nvim/doc/tags" # :helptags ALL makes them
# cmake's zip takes the times of the files.
find "$dist/$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
(cd "$dist" && TZ=UTC cmake -E tar cf "$name.zip" --format=zip "$name")
sh clients/vscode/package.sh --server "$dist/$name/bin/bodkin.exe" win32-x64 --out "$dist/$name.vsix" >build/logs/vsix-windows.log 2>&1 ||
  { tail -n 20 build/logs/vsix-windows.log >&2; die "The extension could not be packaged."; }
if have advzip; then advzip -q -z -4 "$dist/$name.zip" "$dist/$name.vsix"; fi
rm -rf "${dist:?}/$name"

. .ci/packaging/checks.sh
tried=build/try-windows
rm -rf "$tried"
for kind in zip vsix; do
  check "size-$kind" test "$(stat -c %s "$dist/$name.$kind")" -le 15000000
  check "unpack-$kind" python3 -m zipfile -e "$dist/$name.$kind" "$tried/$kind"
done
for program in "$tried/zip/$name/bin/bodkin.exe" "$tried/vsix/extension/server/bodkin.exe"; do
  check "starts-$program" sh -c 'BODKIN_EXE=$1 python3 tests/windows/wine.py --version | grep -q "^bodkin '"$version"'"' sh "$program"
done
# Only what each Windows 10 has is loaded.
check libraries sh -c 'x86_64-w64-mingw32-objdump -p "$1" | sed -n "s/.*DLL Name: //p" | grep -viE "^(kernel32|advapi32|bcrypt|crypt32|secur32|user32|ws2_32|msvcrt|shell32|ole32|ntdll|psapi)\.dll$" && exit 1 || exit 0' \
  sh "$tried/zip/$name/bin/bodkin.exe"
check licences test -s "$tried/vsix/extension/server/copyright.txt"
rm -rf "$tried"
echo "in $dist, bytes:"
(cd "$dist" && ls -l | awk 'NR > 1 { printf "%10d  %s\n", $5, $9 }')
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]

#!/bin/sh
# sh .ci/packaging/macos-release.sh [DIR]: what `sh .ci/release --macos` does: packages the programs DIR/arm64/bodkin and
# DIR/x64/bodkin, which Macs have built (.github/workflows/release.yml), into build/dist-macos: of each a tarball and the
# extension with the program inside. Without DIR it cross-compiles them, which proves that they can be built.
# The last line is: N passed, N failed, N skipped.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/../.."
. tests/setup.sh
version=$(sed -n 's/^project(bodkin VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
dist=$PWD/build/dist-macos given=${1-}
mkdir -p build/logs
setup_packages build package macos
sh .ci/packaging/macos.sh build/macos-libraries
# Manual, completions and the plugin for Neovim are those of Linux.
setup_build release bodkin bodkin_share
rm -rf "$dist"

. .ci/packaging/checks.sh
# Only what each Mac has is loaded.
loads_what_macs_have() {
  llvm-otool-19 -L "$1" | sed -n 's/^	\(.*\) (compat.*/\1/p' |
    grep -vE '^/usr/lib/lib(System\.B|c\+\+\.1|curl\.4|edit\.3|iconv\.2|sqlite3|z\.1)\.dylib$' && return 1 || return 0
}

for target in arm64 x64; do
  machine=$(echo $target | sed s/^x64/x86_64/)
  built=$given/$target/bodkin
  if [ ! "$given" ]; then
    setup_macos $target bodkin
    built=build/macos-$target/bin/bodkin
  fi
  name=bodkin-$version-darwin-$target
  mkdir -p "$dist/$name/bin"
  cp "$built" "$dist/$name/bin/bodkin"
  chmod 755 "$dist/$name/bin/bodkin"
  check "kind-$target" sh -c 'file "$1" | grep -q "Mach-O 64-bit $2 executable"' sh "$dist/$name/bin/bodkin" "$machine"
  check "libraries-$target" loads_what_macs_have "$dist/$name/bin/bodkin"
  check "version-$target" grep -aqF "$version" "$dist/$name/bin/bodkin"
  cp -R build/release/package/share "$dist/$name"
  rm -rf "$dist/$name/share/lintian" "$dist/$name"/share/doc/bodkin/changelog.*
  sh .ci/packaging/copyright.sh "$version" "$(ls -td build/grammars/*/licences | head -n 1)" build/macos-libraries \
    >"$dist/$name/share/doc/bodkin/copyright"
  cp LICENSE CHANGELOG.md "$dist/$name"
  ln -s share/doc/bodkin/README.md "$dist/$name/README.md"
  tar -C "$dist" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
    -cf - "$name" | gzip -9n >"$dist/$name.tar.gz"
  sh clients/vscode/package.sh --server "$dist/$name/bin/bodkin" "darwin-$target" --out "$dist/$name.vsix" \
    >"build/logs/vsix-$target.log" 2>&1 ||
    { tail -n 20 "build/logs/vsix-$target.log" >&2; die "The extension could not be packaged."; }
  if have advzip; then advzip -q -z -4 "$dist/$name.vsix"; fi
  check "unpack-vsix-$target" python3 -m zipfile -e "$dist/$name.vsix" "$dist/vsix"
  check "program-of-vsix-$target" cmp "$dist/vsix/extension/server/bodkin" "$dist/$name/bin/bodkin"
  check "licences-$target" test -s "$dist/vsix/extension/server/copyright.txt"
  rm -rf "$dist/vsix" "${dist:?}/$name"
  for kind in tar.gz vsix; do check "size-$target-$kind" test "$(stat -c %s "$dist/$name.$kind")" -le 15000000; done
done
echo "in $dist, bytes:"
(cd "$dist" && ls -l | awk 'NR > 1 { printf "%10d  %s\n", $5, $9 }')
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]

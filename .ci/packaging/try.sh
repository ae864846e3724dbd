# Sourced by .ci/release, which says what the variables are: tries each package, in a clean root unless $quick or
# $sysroot is set.

: "${dist:?}" "${name:?}" "${version:?}" "${sysroot=}"
work=$PWD/build/try
remove() { # never what debootstrap has mounted there, should it have been killed
  umount -R "$1/base/proc" "$1/base/sys" 2>/dev/null || true
  rm -rf --one-file-system "$1"
}
remove "$work"
mkdir -p "$work"
trap 'remove "$work"' EXIT

# tried PROGRAM: it starts, places an edit, and says what it is. Another machine's runs under qemu.
cat >"$work/tried.sh" <<'TEXT'
set -eu
PATH=/usr/bin:/bin HOME=$(mktemp -d)
export PATH HOME
cd "$HOME"
"$@" --version | grep -q "^bodkin [0-9]"
printf 'def area(r):\n    return 3.14 * r * r\n' >shapes.py
printf 'shapes.py\n<<<<<<< SEARCH\n    return 3.14 * r * r\n=======\n    return math.pi * r * r\n>>>>>>> REPLACE\n' >reply.md
"$@" apply <reply.md
grep -q math.pi shapes.py
body='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
{ printf 'Content-Length: %s\r\n\r\n%s' "${#body}" "$body"; } | "$@" | grep -q serverInfo
# Its libcurl has TLS, and says so as a network's failure, not as a missing protocol.
printf '{"messages":[{"role":"user","content":"hi"}]}' | OPENAI_API_KEY=none "$@" complete --provider openai-chat \
  --endpoint https://127.0.0.1:9 --model none 2>&1 | grep -q "Cannot connect"
cd /
rm -rf "$HOME"
TEXT
tried() { sh "$work/tried.sh" ${sysroot:+qemu-aarch64 -L "$sysroot"} "$1"; }

mkdir "$work/tarball" "$work/vsix" "$work/deb"
tar -xJf "$dist/$name.tar.xz" -C "$work/tarball"
python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$dist/$name.vsix" "$work/vsix"
chmod 755 "$work/vsix/extension/server/bodkin"
dpkg-deb -x "$dist"/*.deb "$work/deb"

# All of them are of this version.
check version-deb test "$(dpkg-deb -f "$dist"/*.deb Version)" = "$version-1"
check version-vsix python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["version"] == sys.argv[2]' \
  "$work/vsix/extension/package.json" "$version"
check version-notes test -s "$dist/bodkin-$version-notes.md"
[ "$sysroot" ] || check version-program test "$("$work/deb/usr/bin/bodkin" --version | cut -d' ' -f2)" = "$version"
check nvim-parts diff -r -x tags clients/nvim "$work/deb/usr/share/nvim/site/pack/dist/start/bodkin"
check tarball-readme test -s "$work/tarball/$name/README.md" # a link to where its pictures are
check vsix-parts test -s "$work/vsix/extension/LICENSE.txt" -a -s "$work/vsix/extension/media/icon.png"
check vsix-licences test -s "$work/vsix/extension/server/copyright.txt" # of what is linked into the program
check vsix-executable python3 -c 'import sys, zipfile
assert zipfile.ZipFile(sys.argv[1]).getinfo("extension/server/bodkin").external_attr >> 16 & 0o111' "$dist/$name.vsix"
for page in "$work"/deb/usr/share/man/man1/*.gz; do
  check "manual-${page##*/}" sh -c 'test -z "$(gzip -dc "$1" | groff -k -ww -man -Tutf8 2>&1 >/dev/null)"' sh "$page"
done
check completion-bash bash -c '. "$1"; COMP_WORDS=(bodkin history ""); COMP_CWORD=2; _bodkin; [[ " ${COMPREPLY[*]} " == *" export "* ]]' \
  bash "$work/deb/usr/share/bash-completion/completions/bodkin"
check completion-bash-values bash -c '. "$1"; COMP_WORDS=(bodkin ask --mode ""); COMP_CWORD=3; _bodkin; [[ " ${COMPREPLY[*]} " == *" plan "* ]]' \
  bash "$work/deb/usr/share/bash-completion/completions/bodkin"
check completion-bash-pages bash -c '. "$1"; COMP_WORDS=(bodkin manual ""); COMP_CWORD=2; _bodkin; [[ " ${COMPREPLY[*]} " == *" undo "* ]]' \
  bash "$work/deb/usr/share/bash-completion/completions/bodkin"
if have fish; then # a flag takes no value: no file is offered behind it
  check completion-fish-values fish -c 'source $argv[1]; cd /; test -z "$(complete -C"bodkin history --json l" | grep lib)"
    and test "$(complete -C"bodkin ask --mode pl" | cut -f 1)" = plan' "$work/deb/usr/share/fish/vendor_completions.d/bodkin.fish"
fi
for shell in zsh fish; do
  if have $shell; then
    check completion-$shell $shell -n "$(find "$work/deb/usr/share/$shell" -type f)"
  else
    skipped=$((skipped + 1))
    echo "SKIP completion-$shell: no $shell here"
  fi
done
if have nvim; then
  check nvim-help env HOME="$work" XDG_DATA_DIRS="$work/deb/usr/share" nvim --headless --cmd "set packpath=$work/deb/usr/share/nvim/site" \
    -c 'silent! packloadall' -c 'lua assert(vim.fn.exists(":Bodkin") == 2) assert(#vim.fn.getcompletion("bodkin-setup", "help") > 0)' \
    -c 'qall!' -c 'cquit'
fi

if [ ! "$quick" ]; then
  objdump=${sysroot:+aarch64-linux-gnu-}objdump
  check lintian lintian --fail-on error --suppress-tags dir-or-file-in-opt "$dist"/*.deb
  check needs-only-glibc-2.35 sh -c '! "$1" -T "$2" | grep -qE "GLIBC_2\.(3[6-9]|[4-9][0-9])"' sh "$objdump" "$work/deb/usr/bin/bodkin"
  check only-libc sh -c '! "$1" -p "$2" | grep NEEDED | grep -vE "lib(c|m)\.so|ld-linux"' sh "$objdump" "$work/deb/usr/bin/bodkin"
fi
if [ "$quick$sysroot" ]; then
  check tarball tried "$work/tarball/$name/bin/bodkin"
  check vsix tried "$work/vsix/extension/server/bodkin"
  check deb tried "$work/deb/usr/bin/bodkin"
  return 0
fi

# A Debian 12 with nothing in it, made once.
base=$PWD/build/root.tar
if [ ! -e "$base" ]; then
  mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
    grep -oE 'https?://[^ ]*/debian/?( |$)' | head -n 1)
  say "Making a clean Debian 12"
  debootstrap --variant=minbase bookworm "$work/base" $mirror >build/logs/debootstrap.log 2>&1
  tar -C "$work/base" -cf "$base" .
  rm -rf "$work/base"
fi
mkdir "$work/root"
tar -C "$work/root" -xf "$base"
cp /etc/resolv.conf "$work/root/etc/resolv.conf" 2>/dev/null || :
mkdir "$work/root/packages"
cp "$dist"/*.deb "$work/tried.sh" "$work/root/packages"
cp -r "$work/tarball/$name" "$work/root/opt/$name"
cp "$work/vsix/extension/server/bodkin" "$work/root/packages/vsix-server"
# A root of its own processes and mounts: nothing of it outlives the command.
inside() { unshare --mount --pid --fork sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' "$work/root" "$@"; }
files() { (cd "$work/root" && find . -xdev ! -type d ! -path './proc/*' ! -path './dev/*' ! -path './packages/*' ! -path './var/*' ! -path './etc/ld.so.cache' ! -path './tmp/*' ! -path './root/*' | sort); }

check tarball inside sh /packages/tried.sh "/opt/$name/bin/bodkin"
check vsix inside sh /packages/tried.sh /packages/vsix-server
check apt-update inside apt-get -qq update
check dependencies inside apt-get -qq install -y --no-install-recommends ca-certificates
files >"$work/before"
check deb-installs inside sh -c 'apt-get -qq install -y --no-install-recommends /packages/*.deb'
check deb inside sh /packages/tried.sh /usr/bin/bodkin
check deb-uninstalls inside apt-get -qq purge -y bodkin
files >"$work/after"
check nothing-is-left diff "$work/before" "$work/after"

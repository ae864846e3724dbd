#!/bin/sh
# sh tests/get-nvim.sh SUITE DIR: the Neovim of a newer Debian suite (trixie, sid) as DIR/nvim, beside the
# system, which stays as it is. What is there already is kept. The mirror is the one this machine's apt uses.
set -eu
[ $# = 2 ] || { echo "usage: sh tests/get-nvim.sh SUITE DIR" >&2; exit 2; }
suite=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
if [ -x "$dir/nvim" ] && "$dir/nvim" --version >/dev/null 2>&1; then
  "$dir/nvim" --version | head -n 1
  exit 0
fi

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
in_suite install -y --no-install-recommends --download-only neovim >/dev/null
for package in "$apt"/archives/*.deb; do dpkg -x "$package" "$dir/root"; done
rm -rf "$apt"

# Started by its own loader with its own libraries: the system's may be too old for it.
loader=$(find "$dir/root/usr/lib64" "$dir/root/lib64" "$dir/root/usr/lib" "$dir/root/lib" \
  -name 'ld-linux*.so.*' 2>/dev/null | head -n 1)
libraries=$(find "$dir/root/usr/lib" -name libluajit-5.1.so.2 -o -name 'libc.so.6' | sed 's|/[^/]*$||' | sort -u | paste -s -d :)
cat >"$dir/nvim" <<SCRIPT
#!/bin/sh
VIMRUNTIME="$dir/root/usr/share/nvim/runtime" exec "$loader" --library-path "$libraries" "$dir/root/usr/bin/nvim" "\$@"
SCRIPT
chmod +x "$dir/nvim"
"$dir/nvim" --version | head -n 1

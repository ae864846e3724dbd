#!/bin/sh
# sh tests/get-nvim.sh SUITE DIR: the Neovim of a newer Debian suite (trixie, sid) as DIR/nvim. What is there already is
# kept.
set -eu
[ $# = 2 ] || { echo "usage: sh tests/get-nvim.sh SUITE DIR" >&2; exit 2; }
suite=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
if [ -x "$dir/nvim" ] && "$dir/nvim" --version >/dev/null 2>&1; then
  "$dir/nvim" --version | head -n 1
  exit 0
fi

sh "$(dirname "$0")/get-debian.sh" "$suite" "$dir" neovim

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

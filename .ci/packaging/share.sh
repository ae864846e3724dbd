#!/bin/sh
# sh .ci/packaging/share.sh DIR VERSION GRAMMARS CURL PROGRAM…: what lies below /usr/share beside the program, in DIR/share.
# GRAMMARS has the licences of the grammars, CURL is where .ci/packaging/curl.sh put libcurl ("": the system's is used),
# PROGRAM (behind an emulator, where it is for another machine) prints manual and completions. From the top.
set -eu
dir=$1 version=$2 grammars=$3 curl=$4
shift 4
rm -rf "$dir/share"
share=$dir/share doc=$dir/share/doc/bodkin nvim=$dir/share/nvim/site/pack/dist/start/bodkin
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
  "$share/fish/vendor_completions.d" "$share/lintian/overrides" "$doc" "$nvim"

"$@" manual | gzip -9n >"$share/man/man1/bodkin.1.gz"
for command in $("$@" manual | sed -n 's/^\\fBbodkin \([a-z]*\)\\fR$/\1/p'); do
  "$@" manual "$command" | gzip -9n >"$share/man/man1/bodkin-$command.1.gz"
done
"$@" completion bash >"$share/bash-completion/completions/bodkin"
"$@" completion zsh >"$share/zsh/vendor-completions/_bodkin"
"$@" completion fish >"$share/fish/vendor_completions.d/bodkin.fish"

cp -r clients/nvim/. "$nvim"
rm -f "$nvim/doc/tags"
# What :helptags writes.
grep -o '\*[^*[:space:]]*\*' "$nvim/doc/bodkin.txt" | tr -d '*' | LC_ALL=C sort -u |
  awk '{ printf "%s\tbodkin.txt\t/*%s*\n", $1, $1 }' >"$nvim/doc/tags"

# Who made what is in the program, and on which terms.
sh .ci/packaging/copyright.sh "$version" "$grammars" "$curl" >"$doc/copyright"
# What the README names for users, where it names it.
cp --parents README.md agent/README.md clients/README.md clients/USERS.md clients/pictures/*.png \
  clients/pictures/*.svg "$doc"
gzip -9n <CHANGELOG.md >"$doc/changelog.gz"
date=$(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}")
printf 'bodkin (%s-1) unstable; urgency=medium\n\n  * Built of the sources of this version; see changelog.gz.\n\n -- bodkin maintainers <maintainers@users.noreply.a-seed-71fb4fc6.example>  %s\n' \
  "$version" "$date" | gzip -9n >"$doc/changelog.Debian.gz"
cp .ci/packaging/lintian-overrides "$share/lintian/overrides/bodkin"
find "$dir/share" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +

#!/bin/sh
# sh .ci/packaging/copyright.sh VERSION GRAMMARS CURL: who made what is in the program, and on which terms. GRAMMARS has
# the licences of the grammars, CURL is where curl.sh, windows.sh or macos.sh put what is linked ("": the system's is used). From the top.
set -eu
version=$1 grammars=$2 curl=$3
cat <<TEXT
bodkin $version is under the Apache License, version 2.0; on Debian systems its text is in
/usr/share/common-licenses/Apache-2.0, and elsewhere beside this file as LICENSE.

Copyright the authors of bodkin

What follows is linked into the program, each part under its own terms.
TEXT
if [ -d "$curl/copyright" ]; then # Windows, macOS
  for each in "$curl"/copyright/*; do
    printf '\n==== %s, from Debian'"'"'s source package ====\n\n' "${each##*/}"
    cat "$each"
  done
  windows=
  [ ! -e "$curl/lib/libz.a" ] || windows='libz-mingw-w64-dev mingw-w64-x86-64-dev gcc-mingw-w64-x86-64-posix'
  for package in $windows libfmt-dev; do
    printf '\n==== %s %s ====\n\n' "$package" "$(dpkg-query -W -f='${Version}' "$package" | head -n 1)"
    cat "/usr/share/doc/$package/copyright"
  done
elif [ "$curl" ]; then
  printf '\n==== libcurl, from the source package curl %s ====\n\n' "$(sed 's/ .*//' "$curl/version")"
  cat "$curl/copyright"
  for package in libnghttp2-dev libssl-dev libsqlite3-dev zlib1g-dev libutf8proc-dev libfmt-dev libedit-dev libbsd-dev \
    libmd-dev libncurses-dev libstdc++-12-dev; do
    printf '\n==== %s %s ====\n\n' "$package" "$(dpkg-query -W -f='${Version}' "$package" | head -n 1)"
    cat "/usr/share/doc/$package/copyright"
  done
fi
for package in nlohmann-json3-dev libcli11-dev libdtl-dev; do
  printf '\n==== %s %s ====\n\n' "$package" "$(dpkg-query -W -f='${Version}' "$package")"
  cat "/usr/share/doc/$package/copyright"
done
for folder in "$grammars"/*; do
  [ -d "$folder" ] || continue
  printf '\n==== %s ====\n\n' "${folder##*/}"
  sed -n 's/^  "version": "\(.*\)",*$/version \1/p; s/^  "license": "\(.*\)",*$/licence: \1/p' "$folder/package.json"
  for text in "$folder"/LICEN* "$folder"/COPYING*; do
    [ -r "$text" ] || continue
    if grep -q 'TERMS AND CONDITIONS FOR USE, REPRODUCTION' "$text"; then
      echo "under the Apache License, version 2.0, as above"
      grep -i '^ *copyright [0-9]' "$text" || :
    else
      cat "$text"
    fi
  done
done

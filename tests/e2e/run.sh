#!/bin/sh
# sh tests/e2e/run.sh NVIM [SCENARIO…]    the scenarios of tests/e2e/nvim/ in this Neovim
# sh tests/e2e/run.sh emacs [SCENARIO…]   those of tests/e2e/emacs/ in Emacs, with eglot and lsp-mode
# Each runs in an editor and a folder of its own, against the program $BODKIN (default:
# build/release/bin/bodkin), and several run at a time: they mostly wait for the editor. Scenarios
# wait for events; the time limit only ends what hangs. The last line is: N passed, N failed, N skipped.
set -eu
[ $# -ge 1 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
editor=$1
shift
E2E=$(cd "$(dirname "$0")" && pwd)
TOP=$(cd "$E2E/../.." && pwd)
BODKIN=${BODKIN:-$TOP/build/release/bin/bodkin}
case $BODKIN in /*) ;; *) BODKIN=$PWD/$BODKIN ;; esac
case $editor in */*) editor=$(cd "$(dirname "$editor")" && pwd)/$(basename "$editor") ;; esac
EDITOR_UNDER_TEST=$editor
export E2E TOP BODKIN EDITOR_UNDER_TEST
[ -x "$BODKIN" ] || { echo "There is no program $BODKIN; build it, or set BODKIN." >&2; exit 2; }
command -v "$editor" >/dev/null || { echo "There is no program $editor." >&2; exit 2; }
"$editor" --version | head -n 1

told=$(mktemp)
trap 'rm -f "$told"' EXIT

wanted() {
  [ $# = 1 ] && return 0
  name=$1
  shift
  for one in "$@"; do [ "$one" != "$name" ] || return 0; done
  return 1
}

# scenarios SCENARIO…: for those that are wanted, 13 words for one.sh, each ended by a NUL.
scenarios() {
  if [ "$(basename "$editor")" = emacs ]; then
    for client in eglot lsp-mode; do
      for file in "$E2E"/emacs/scenario-*.el; do
        name=$client-$(basename "$file" .el | sed 's/^scenario-//')
        wanted "$name" "$@" || continue
        printf '%s\0' "$name" "$client: $(sed -n '1s/^;* *//; 1s/ *-\*-.*//p' "$file")" env "CLIENT=$client" \
          "$editor" --batch -Q -l "$E2E/emacs/$client.el" -l "$E2E/emacs/harness.el" -l "$file"
      done
    done
  else
    for file in "$E2E"/nvim/*.lua; do
      name=$(basename "$file" .lua)
      wanted "$name" "$@" || continue
      printf '%s\0' "$name" "$(sed -n '1s/^-- *//p' "$file")" env "SCENARIO=$file" \
        "$editor" --headless -u NONE -i NONE -n --cmd "luafile $E2E/harness.lua"
    done
  fi
}

scenarios "$@" | xargs -0 -r -n 13 -P "${E2E_JOBS:-4}" sh "$E2E/one.sh" | tee "$told"

count() { grep -c "^$1 " "$told" || :; }
failed=$(count FAIL)
[ "$(count again)" = 0 ] || echo "$(count again) retried"
echo "$(count ok) passed, $failed failed, $(count skip) skipped"
[ "$failed" = 0 ]

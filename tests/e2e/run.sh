#!/bin/sh
# sh tests/e2e/run.sh NVIM [SCENARIO…]    the scenarios of tests/e2e/nvim/ in this Neovim
# sh tests/e2e/run.sh emacs [SCENARIO…]   those of tests/e2e/emacs/ in Emacs, with eglot and lsp-mode
# Each runs in an editor and a folder of its own, against the program $BODKIN (default:
# build/release/bin/bodkin). Scenarios wait for events; the time limit only ends what hangs.
# The last line is: N passed, N failed, N skipped.
set -eu
[ $# -ge 1 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
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

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0 retried=0

# What a user has set or installed must not change a result.
unset ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY OPENROUTER_API_KEY || :
export HOME="$work/home" XDG_CONFIG_HOME="$work/home" XDG_STATE_HOME="$work/home" XDG_DATA_HOME="$work/home" \
  XDG_CACHE_HOME="$work/home" LC_ALL=C.UTF-8
mkdir -p "$HOME/bodkin"
# A scenario in which language servers of ours check the edits says so.
no_servers='{"bodkin.verify.servers": {"*": {"command": []}}}'

# attempt COMMAND…: in a workspace of its own; the exit code is in $status, the output in $work/output.
attempt() {
  rm -rf "$work/workspace" "$work"/home/bodkin/history.db*
  printf '%s\n' "$no_servers" >"$HOME/bodkin/settings.json"
  mkdir -p "$work/workspace/.git"
  status=0
  (cd "$work/workspace" && WORK=$work/workspace exec timeout -k 5 "${E2E_TIMEOUT:-180}" "$@") \
    >"$work/output" 2>&1 </dev/null || status=$?
  [ "$status" != 124 ] || echo "It hung." >>"$work/output"
  # What waits for <Enter> in a terminal only passes by in an editor without one.
  if [ "$status" = 0 ] && grep -q 'Found a swap file\|Press ENTER' "$work/output"; then
    echo "It would have to be confirmed with <Enter>." >>"$work/output"
    status=1
  fi
}

# scenario NAME TITLE COMMAND…: exit 0 passed, 77 skipped (the last line says why), else failed. An editor on a
# machine with other work can fail by itself: what failed is tried once more, and both are shown.
scenario() {
  name=$1 title=$2
  shift 2
  attempt "$@"
  if [ $status != 0 ] && [ $status != 77 ]; then
    retried=$((retried + 1))
    printf 'again %-22s failed the first time:\n' "$name"
    sed 's/^/        /' "$work/output" | tail -n 30
    attempt "$@"
  fi
  case $status in
    0) passed=$((passed + 1)); printf 'ok    %-22s %s\n' "$name" "$title" ;;
    77) skipped=$((skipped + 1)); printf 'skip  %-22s %s\n' "$name" "$(tail -n 1 "$work/output")" ;;
    *)
      failed=$((failed + 1))
      printf 'FAIL  %-22s %s\n' "$name" "$title"
      sed 's/^/        /' "$work/output" | tail -n 60
      ;;
  esac
}

wanted() {
  [ $# = 1 ] && return 0
  name=$1
  shift
  for one in "$@"; do [ "$one" != "$name" ] || return 0; done
  return 1
}

if [ "$(basename "$editor")" = emacs ]; then
  for client in eglot lsp-mode; do
    for file in "$E2E"/emacs/scenario-*.el; do
      name=$client-$(basename "$file" .el | sed 's/^scenario-//')
      wanted "$name" "$@" || continue
      CLIENT=$client scenario "$name" "$client: $(sed -n '1s/^;* *//; 1s/ *-\*-.*//p' "$file")" \
        "$editor" --batch -Q -l "$E2E/emacs/$client.el" -l "$E2E/emacs/harness.el" -l "$file"
    done
  done
else
  for file in "$E2E"/nvim/*.lua; do
    name=$(basename "$file" .lua)
    wanted "$name" "$@" || continue
    SCENARIO=$file scenario "$name" "$(sed -n '1s/^-- *//p' "$file")" \
      "$editor" --headless -u NONE -i NONE -n --cmd "luafile $E2E/harness.lua"
  done
fi

[ "$retried" = 0 ] || echo "$retried retried"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]

#!/bin/sh
# tests/e2e/one.sh NAME TITLE COMMAND…: one scenario, for run.sh: in a workspace and a home of its own. Exit 0 passed, 77
# skipped (the last line says why), else failed. An editor on a machine with other work can fail by itself: what failed
# is tried once more, and both are shown.
set -eu
name=$1 title=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a user has set or installed must not change a result.
unset ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY OPENROUTER_API_KEY || :
export HOME="$work/home" XDG_CONFIG_HOME="$work/home" XDG_STATE_HOME="$work/home" XDG_DATA_HOME="$work/home" \
  XDG_CACHE_HOME="$work/home" LC_ALL=C.UTF-8

# attempt COMMAND…: the exit code is in $status, the output in $work/output.
attempt() {
  rm -rf "$work/workspace" "$work/home"
  mkdir -p "$work/workspace/.git" "$HOME/bodkin"
  # A scenario in which language servers of ours check the edits says so.
  echo '{"bodkin.verify.servers": {"*": {"command": []}}}' >"$HOME/bodkin/settings.json"
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

# shown LINES: the end of the output, in a block.
shown() { sed 's/^/        /' "$work/output" | tail -n "$1"; }

{
  attempt "$@"
  if [ $status != 0 ] && [ $status != 77 ]; then
    printf 'again %-22s failed the first time:\n' "$name"
    shown 30
    attempt "$@"
  fi
  case $status in
    0) printf 'ok    %-22s %s\n' "$name" "$title" ;;
    77) printf 'skip  %-22s %s\n' "$name" "$(tail -n 1 "$work/output")" ;;
    *)
      printf 'FAIL  %-22s %s\n' "$name" "$title"
      shown 60
      ;;
  esac
} >"$work/told"
cat "$work/told" # at once: others run beside it

#!/bin/sh
# sh clients/demo.sh [--live] [--model NAME] [--provider NAME] [--endpoint URL]
# Installs what is missing, builds bodkin, and shows its main job in a real Neovim with a real clangd:
# an instruction, the error that clangd finds in the draft, the repair, one proposal, the apply. The
# model's replies are a recording (clients/demo/replay.json), so no key is needed; with --live or
# --model a real model answers.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/setup.sh

usage() {
  cat <<'TEXT'
usage: sh clients/demo.sh          a recorded model, no key needed
       sh clients/demo.sh --live   the model that bodkin would ask: of your
                                   settings, your key, or a server here
       sh clients/demo.sh --model NAME [--provider NAME] [--endpoint URL]
                                   this model, for example
                                   --provider ollama --model qwen3-coder
TEXT
}

started=$(date +%s)
live= model= provider= endpoint=
while [ $# -gt 0 ]; do
  case $1 in
    --live) live=1 ;;
    --model | --provider | --endpoint)
      [ $# -ge 2 ] || die "$1 needs a value"
      eval "${1#--}=\$2"
      live=1
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

trap stopped INT
setup_packages build demo
if [ -z "${BODKIN-}" ]; then
  setup_build release bodkin
  BODKIN=$PWD/build/release/bin/bodkin
fi
if [ -n "$live" ] && ! found=$("$BODKIN" check ${provider:+--provider "$provider"} ${endpoint:+--endpoint "$endpoint"} \
  ${model:+--model "$model"}); then
  die "No real model can be asked; bodkin check says:
$(printf '%s\n' "$found" | sed '/^syntax/,$d')"
fi
say "Everything is installed and built, after $(($(date +%s) - started)) s."

if [ -t 1 ]; then
  DEMO_COLOR=1
  export DEMO_COLOR
  bold=$(printf '\033[1m') green=$(printf '\033[32m') plain=$(printf '\033[0m')
else
  bold= green= plain=
fi

top=$PWD
work=$(mktemp -d) || die "TMPDIR must name a folder that can be written to"
running=
# Neovim and the servers that it starts hold this pipe open: it ends with the last of them.
mkfifo "$work/alive"
exec 8<>"$work/alive" 7<"$work/alive"
clean_up() {
  trap '' INT TERM HUP PIPE
  exec >/dev/null 2>&1 # nobody may read it any more
  if [ -n "$running" ]; then
    kill "$running" 2>/dev/null || :
    wait "$running" 2>/dev/null || :
  fi
  # The servers end after Neovim, and write until then; one that hangs is ended.
  exec 8>&-
  timeout 5 cat <&7 || {
    exec 7<&-
    find /proc/[0-9]*/fd -lname "*/${work##*/}/alive" | cut -d / -f 3 | xargs -r kill -KILL || :
  }
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap 'exit 141' PIPE # the reader of a pipe has ended
# The same small program each time; Neovim's own state stays in here, too.
fresh() {
  rm -rf "$work/demo"
  mkdir -p "$work/demo" "$work/state" "$work/tmp"
  cp clients/demo/receipt.cpp clients/demo/compile_flags.txt "$work/demo"
}
# A path that holds in any folder; a bare name is looked up on PATH.
absolute() {
  case $1 in
    /*) printf '%s' "$1" ;;
    */*) printf '%s/%s' "$top" "$1" ;;
    *) command -v "$1" || printf '%s' "$1" ;;
  esac
}
quote() { printf '%s' "$1" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g'; }

DEMO_PROMPT="Return nothing for a malformed line instead of throwing"
if [ -n "$live" ]; then
  DEMO_LIVE=1
  DEMO_CONFIG=${XDG_CONFIG_HOME:-$HOME/.config} # where your settings of bodkin are
  export DEMO_LIVE DEMO_CONFIG
else
  provider=replay model=$top/clients/demo/replay.json
fi
DEMO_SETTINGS=
setting() { [ -z "$2" ] || DEMO_SETTINGS="$DEMO_SETTINGS${DEMO_SETTINGS:+,}\"$1\":\"$(quote "$2")\""; }
setting provider "$provider"
setting name "$model"
setting endpoint "$endpoint"
DEMO_SETTINGS="{\"model\":{$DEMO_SETTINGS}}"
DEMO_STEPS=$top/clients/demo/steps.lua
# Whatever this checkout's path has in it, Neovim's list of folders can hold this one.
DEMO_PLUGIN=$work/plugin
ln -s "$top/clients/nvim" "$DEMO_PLUGIN"
nvim=$(absolute "${DEMO_NVIM:-nvim}")
BODKIN=$(absolute "$BODKIN")
export DEMO_STEPS DEMO_PLUGIN BODKIN DEMO_PROMPT DEMO_SETTINGS

# neovim COMMAND…: in the demo's folder; what Neovim keeps for itself goes into a folder that is removed, too.
neovim() {
  cd "$work/demo"
  exec env -u NVIM -u VIM -u VIMRUNTIME XDG_STATE_HOME="$work/state" XDG_CACHE_HOME="$work/state" XDG_DATA_HOME="$work/state" \
    XDG_CONFIG_HOME="$work/state" TMPDIR="$work/tmp" "$@"
}

# What the program does with a good line and a malformed one, so that the change is seen to work.
try() {
  if ! g++ -std=c++20 -o "$work/receipt" "$work/demo/receipt.cpp"; then
    [ -n "$live" ] || die "The demo stops here: its program does not compile."
    return 0
  fi
  [ -x "$work/receipt" ] || die "Programs in $work cannot be run; set TMPDIR to a folder where they can."
  printf 'pen;120;3\nnotebook 350\nink;90;2\n' >"$work/lines"
  # In a shell of its own, whose word about the abort is left out.
  sh -c '"$1" <"$2" >"$3" 2>&1; :' sh "$work/receipt" "$work/lines" "$work/answer" 2>/dev/null || :
  sed 's/^/   /' "$work/answer"
}

fresh
printf '%s\n' "${bold}bodkin: a language model corrects code in your editor$plain"
if [ -n "$live" ]; then
  echo "A real model answers; its words and the steps differ from time to time:"
  printf '%s\n' "$found" | sed -n '/^model/,/^[^m ]/{/^[m ]/p;}'
else
  echo "The model's replies are a recording, clients/demo/replay.json. All else is real:"
  echo "what is printed is read from the running Neovim, its clangd and bodkin."
fi
printf '\n%s\n' "${bold}0. Before: the program ends at a malformed line$plain"
try

# In the background, so that Ctrl-C reaches this script at once; and with a limit, should Neovim itself hang.
status=0
limit=300
[ -z "$live" ] || limit=3600
neovim timeout -k 5 "$limit" "$nvim" -u "$top/clients/demo/init.lua" -i NONE --headless receipt.cpp \
  -c "lua local read, error = pcall(dofile, vim.env.DEMO_STEPS) if not read then io.stderr:write(error, '\n') end" \
  -c "cquit 1" 2>"$work/stderr" </dev/null 7<&- &
running=$!
wait "$running" || status=$?
running=
if [ "$status" = 124 ]; then say "The demo was stopped: it did not end within $limit s."; fi
if [ "$status" != 0 ]; then
  cat "$work/stderr" >&2
  exit "$status"
fi

printf '\n%s\n' "${bold}After: the same input$plain"
try
printf '\n%s\n' "${green}Done.$plain"
if [ -z "$live" ]; then
  echo "With a real model: sh clients/demo.sh --live (--help says more)."
fi

if [ -t 0 ] && [ -t 1 ]; then
  printf '\nOpen the same in an interactive Neovim? [y/N] '
  read -r answer || answer=
  case $answer in
    y | Y | yes)
      fresh
      line=$(grep -n 'static Article parse' "$work/demo/receipt.cpp" | cut -d: -f1)
      (neovim "$nvim" -u "$top/clients/demo/init.lua" -i NONE receipt.cpp "+$line" \
        "+call histadd('cmd', '$line,$((line + 8))Bodkin ask $DEMO_PROMPT')" \
        "+lua vim.schedule(function() vim.notify('Type  :  and then <Up> for an instruction to try') end)")
      ;;
  esac
fi

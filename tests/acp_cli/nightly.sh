#!/bin/sh
# sh tests/acp_cli/nightly.sh BODKIN: bodkin acp against code that is not ours: the protocol's schema and its official
# client, and acpx, a headless client that really writes. Needs npm. The last line is the sum.
set -eu
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
. tests/setup.sh
setup_node
if [ ! -e build/acp/node_modules/acpx ]; then
  mkdir -p build/acp
  npm install --prefix build/acp --no-save --no-audit --no-fund @agentclientprotocol/sdk@2.4.0 ajv@8 acpx@0.19.1 zod@4 \
    >build/acp/install.log 2>&1 || {
    tail -n 20 build/acp/install.log >&2
    die "npm could not fetch the protocol's client"
  }
fi
cd build/acp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
count() { # NAME STATUS OUTPUT
  if [ "$2" = 0 ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED $1:"
    tail -n 30 "$3"
  fi
}

status=0
ACP_TRANSCRIPT=$work/transcript python3 "$here/run.py" "$program" >"$work/out" 2>&1 || status=$?
count "the suite" $status "$work/out"
status=0
node "$here/validate.mjs" node_modules/@agentclientprotocol/sdk/schema/v1/schema.json "$work/transcript" \
  >"$work/out" 2>&1 || status=$?
count "the schema" $status "$work/out"
tail -n 1 "$work/out"

# setting FOLDER: a home with a played model that changes a.c, and the folder that it works on.
setting() {
  mkdir -p "$1/work" "$1/.config/bodkin"
  printf 'int a;\nint b;\n' >"$1/work/a.c"
  python3 - "$1" <<'PYTHON'
import json, sys
home = sys.argv[1]
def turn(text, *calls):
    return {"reply": {"text": text, "tool_calls": list(calls), "usage": {"input": 10, "output": 10}}}
edit = {"name": "edit", "arguments": {"path": "a.c", "old_str": "int b;", "new_str": "long b;"}}
turns = [turn("", {"name": "read_file", "arguments": {"path": "a.c"}}), turn("", edit), turn("b is wider.")]
json.dump({"name": "x", "turns": turns}, open(home + "/replay.json", "w"))
json.dump({"verify.servers": {"*": {"command": []}}, "model.provider": "replay",
           "model.name": home + "/replay.json"}, open(home + "/.config/bodkin/settings.json", "w"))
PYTHON
}

setting "$work/sdk"
status=0
HOME=$work/sdk node "$here/sdk.mjs" "$program" "$work/sdk/work" >"$work/out" 2>&1 || status=$?
grep -q 'long b;' "$work/sdk/work/a.c" || status=1
count "the official client" $status "$work/out"

# The options, and whether the file changes then.
for case in "--approve-all yes" "--deny-all no" "--approve-all --no-fs yes"; do
  options=${case% *} changes=${case##* }
  home=$work/acpx$passed$failed
  setting "$home"
  status=0
  # shellcheck disable=SC2086
  (cd "$home/work" && HOME=$home timeout 100 "$OLDPWD/node_modules/.bin/acpx" --agent "$program acp" $options \
    --format json exec "wider") >"$work/out" 2>&1 || status=$?
  changed=no
  if grep -q 'long b;' "$home/work/a.c"; then changed=yes; fi
  # acpx ends with an error if something was denied.
  if [ "$changes" = no ]; then status=0; fi
  [ "$changed" = "$changes" ] || status=1
  count "acpx $options" $status "$work/out"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]

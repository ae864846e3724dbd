#!/bin/sh
# sh tests/mcp_cli/inspector.sh BODKIN: the MCP inspector, a client that is not ours, against `bodkin mcp` in each era.
# Needs a network for npm the first time. Ends with "N passed, N failed, N skipped".
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
. tests/setup.sh
setup_node
setup_npm inspector @modelcontextprotocol/inspector@2.12.0
inspector=$PWD/build/inspector/node_modules/.bin/mcp-inspector

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root" "$folder/home"
export HOME="$folder/home" XDG_STATE_HOME="$folder/state" XDG_CONFIG_HOME="$folder/config" XDG_CACHE_HOME="$folder/cache"
export MCP_INSPECTOR_SECRET_STORE=memory
passed=0 failed=0

# inspect NAME EXIT WORDS ARGUMENT…: one run; its output has the words.
inspect() {
  name="$1, $era" code=$2 words=$3
  shift 3
  status=0
  timeout 120 "$inspector" --cli --config "$folder/$era.json" --server bodkin "$@" --format json >"$folder/out" 2>"$folder/err" ||
    status=$?
  if [ "$status" = "$code" ] && grep -q -e "$words" "$folder/out" "$folder/err"; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name: exit $status"
    head -c 2000 "$folder/out" "$folder/err"
  fi
}

for era in legacy auto modern; do
  cat >"$folder/$era.json" <<END
{"mcpServers": {"bodkin": {"command": "$program", "args": ["mcp", "--root", "$folder/root"], "protocolEra": "$era"}}}
END
  printf 'x = 1\n' >"$folder/root/a.py"
  inspect "tools/list" 0 apply_patch --method tools/list --strict
  inspect "outline" 0 a.py --method tools/call --tool-name outline --tool-args-json '{}'
  inspect "edit" 0 "applied 1 hunk" --method tools/call --tool-name edit \
    --tool-args-json '{"path": "a.py", "old_str": "x = 1", "new_str": "x = 2"}'
  inspect "refused edit" 5 "not applied" --method tools/call --tool-name edit \
    --tool-args-json '{"path": "a.py", "old_str": "y = 1", "new_str": "y = 2"}'
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]

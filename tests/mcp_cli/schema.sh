#!/bin/sh
# sh tests/mcp_cli/schema.sh BODKIN: the results of the whole suite against the schemas of MCP's official SDK; with the
# specification's own in the folder MCP_SCHEMAS (mcp-VERSION.schema.json), against these too, of each version. Needs npm.
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
. tests/setup.sh
setup_node
setup_npm mcp-sdk @modelcontextprotocol/sdk@1.32.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
check() { # NAME COMMAND…
  name=$1
  shift
  if "$@" >"$folder/out" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED $name:"
  fi
  tail -n 30 "$folder/out" | sed 's/^[0-9]* passed, .*/the suite: &/'
}
check "the suite" env MCP_TRANSCRIPT="$folder/transcript" python3 tests/mcp_cli/run.py "$program"
check "the schemas" node tests/mcp_cli/validate.mjs build/mcp-sdk/node_modules/@modelcontextprotocol/sdk/dist/esm/types.js \
  "$folder/transcript"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]

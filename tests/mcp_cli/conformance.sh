#!/bin/sh
# sh tests/mcp_cli/conformance.sh BODKIN: MCP's conformance suite, which speaks HTTP only, against `bodkin mcp` behind
# http_bridge.py: the scenarios that need no tools, prompts or resources of the suite's own. Needs a network for npm the
# first time. Ends with "N passed, N failed, N skipped".
set -eu
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
. tests/setup.sh
setup_node
setup_npm conformance @modelcontextprotocol/conformance@0.2.0-alpha.12
conformance=$PWD/build/conformance/node_modules/.bin/conformance

folder=$(mktemp -d)
mkdir "$folder/root" "$folder/home"
export HOME="$folder/home" XDG_STATE_HOME="$folder/state" XDG_CONFIG_HOME="$folder/config" XDG_CACHE_HOME="$folder/cache"
mkfifo "$folder/open"
python3 "$here/http_bridge.py" "$program" mcp --root "$folder/root" <"$folder/open" >"$folder/port" &
bridge=$!
exec 9>"$folder/open"
trap 'exec 9>&-; wait $bridge || :; rm -rf "$folder"' EXIT
while [ ! -s "$folder/port" ] && kill -0 $bridge 2>/dev/null; do sleep 0.1; done
[ -s "$folder/port" ] || die "the bridge has not started"

passed=0 failed=0
cd "$folder"
for case in "2025-06-18 server-initialize ping tools-list" "2025-11-25 server-initialize ping tools-list" \
  "2026-07-28 tools-list"; do
  version=${case%% *}
  for scenario in ${case#* }; do
    status=0
    timeout 60 "$conformance" server --url "http://127.0.0.1:$(cat port)/mcp" --spec-version "$version" \
      --scenario "$scenario" >out 2>&1 || status=$?
    # A scenario that is not of this version ends well, and has checked nothing.
    if [ $status = 0 ] && grep -q '^Passed: \([1-9][0-9]*\)/\1,' out; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAILED $scenario, $version:"
      tail -n 30 out
    fi
  done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]

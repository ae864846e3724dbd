#!/bin/sh
# sh clients/vscode/test.sh: type check, bundle, package and unit tests of the VS Code client. Needs
# Node 22 or newer on PATH. The last line is: N passed, N failed, N skipped.
set -eu
cd "$(dirname "$0")"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci >/dev/null
npm run --silent package
status=0
out=$(node --test --test-reporter=tap test/*.test.mts) || status=$?
printf '%s\n' "$out"
count() { printf '%s\n' "$out" | sed -n "s/^# $1 \([0-9]*\)$/\1/p"; }
printf '%s passed, %s failed, %s skipped\n' "$(count pass)" "$(count fail)" "$(count skipped)"
exit $status

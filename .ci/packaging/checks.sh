# Sourced by the release scripts: counts what was tried of the packages.
passed=0 failed=0
# check NAME COMMAND…
check() {
  what=$1
  shift
  if "$@" >build/logs/release-check.log 2>&1; then passed=$((passed + 1)); return 0; fi
  failed=$((failed + 1))
  echo "FAIL $what"
  tail -n 20 build/logs/release-check.log
}

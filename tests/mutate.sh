#!/bin/sh
# sh tests/mutate.sh [FILE…] [--since REV] [--sample N]: builds, then see tests/mutate.py.
set -eu
cd "$(dirname "$0")/.."
. tests/setup.sh
setup_packages build test
setup_build release bodkin test_edits test_grammars
exec python3 tests/mutate.py "$@"

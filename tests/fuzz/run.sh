#!/bin/sh
# sh tests/fuzz/run.sh SECONDS [TARGET…]: builds the fuzzers in build/fuzz and runs each for that
# long, one after the other, beginning with the kept cases in tests/fuzz/cases/TARGET. What it
# learns stays in build/fuzz/corpus/TARGET, so the next run goes on. An input that breaks something
# is written to build/fuzz/found/TARGET-…: mend the cause, and keep the input among the cases.
# The last line is: N passed, N failed, N skipped.
set -eu
cd "$(dirname "$0")/../.."
. tests/setup.sh

[ $# -ge 1 ] || die "usage: sh tests/fuzz/run.sh SECONDS [TARGET…]"
seconds=$1
shift

setup_packages build fuzz
if [ ! -e build/fuzz/build.ninja ]; then
  launcher=
  if have ccache; then launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
  mkdir -p build
  cmake -S . -B build/fuzz -G Ninja $launcher -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=Debug -DBODKIN_UNITY=ON \
    -DCMAKE_CXX_FLAGS_DEBUG="-O1 -gline-tables-only" -DBODKIN_FUZZ=ON \
    -DBODKIN_SANITIZE=fuzzer-no-link,address,undefined \
    -DBODKIN_GRAMMARS_DIR="${BODKIN_GRAMMARS_DIR:-$PWD/build/grammars}" >build/fuzz.log 2>&1 ||
    { tail -n 30 build/fuzz.log; die "cmake could not configure build/fuzz"; }
fi
cmake --build build/fuzz --target fuzz >build/fuzz.log 2>&1 ||
  { tail -n 30 build/fuzz.log; die "The build of build/fuzz failed"; }

# shellcheck disable=SC2046 # a word each
[ $# -gt 0 ] || set -- $(build/fuzz/bin/fuzz 2>&1 | sed 1d)
export ASAN_OPTIONS=alloc_dealloc_mismatch=0 # of libFuzzer itself, which is built without it
passed=0 failed=0
mkdir -p build/fuzz/found
for target in "$@"; do
  corpus=build/fuzz/corpus/$target log=build/fuzz/$target.log
  mkdir -p "$corpus"
  ln -sf fuzz "build/fuzz/bin/fuzz_$target"
  if build/fuzz/bin/fuzz_"$target" -max_total_time="$seconds" -max_len=4096 -timeout=60 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="build/fuzz/found/$target-" \
    "$corpus" "tests/fuzz/cases/$target" >"$log" 2>&1; then
    passed=$((passed + 1))
    printf '%-16s %ss clean, %s inputs, coverage %s\n' "$target" "$seconds" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
      "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)"
  else
    failed=$((failed + 1))
    echo "--- $target: the end of $log:"
    tail -n 40 "$log"
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]

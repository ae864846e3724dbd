#!/bin/sh
# sh tests/run.sh [--quick | --full | --nightly]: installs what is missing, builds, and runs the tests; see usage().
# Each suite's whole output is in build/logs/. What failed once and passed when it was tried again is shown and counted
# as retried. The last line is: N passed, N failed, N skipped.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/setup.sh

usage() {
  cat <<'TEXT'
usage: sh tests/run.sh [--quick | --full | --nightly]
Installs what is missing, builds, and runs the tests; with
  --quick    only the units, the cases, the documents and bodkin apply: minutes
  --full     also formatting and static checks, mutations and clang-tidy of
             what the last commit changed, the newest Neovim, the packages, and
             the VS Code workbench's scenarios about a person's text
  --nightly  all that, and all scenarios, another Neovim, clang-tidy of
             everything, the sanitizers, the fuzzers, 300 mutations, a bare
             Debian, and Windows under Wine: two hours more
TEXT
}

full='' nightly='' quick=''
case ${1-} in
  "") ;;
  --quick) quick=1 ;;
  --full) full=1 ;;
  --nightly) full=1 nightly=1 ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

logs=build/logs
. tests/suites.sh

setup_packages build demo test
setup_build release
say "Running the tests: a line for each suite, once it has ended"
if [ "$quick" ]; then
  for folder in edits grammars agent lsp; do suite "unit-$folder" "build/release/bin/test_$folder"; done
  suite documents python3 tests/documents.py
  suite release python3 tests/release.py
  suite suites python3 tests/suites.py
  suite document-commands python3 tests/document_commands.py build/release/bin/bodkin
  suite apply-cli python3 tests/apply_cli/run.py build/release/bin/bodkin
  suite cases python3 tests/edits/cases.py build/release/bin/bodkin
  skip "all others" "not with --quick"
  finish
fi
setup_packages editors ${full:+workbench}
suite unit-agent build/release/bin/test_agent
suite transcripts python3 tests/transcripts/run.py build/release/bin/bodkin
setup_build asan test_edits test_grammars ${nightly:+test_agent test_lsp bodkin} # beside these two
export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1
for folder in edits grammars; do
  suite "unit-$folder" "build/release/bin/test_$folder"
  suite "unit-$folder-asan" "build/asan/bin/test_$folder"
done
suite unit-lsp build/release/bin/test_lsp
await_suites
suite faults python3 tests/streams/faults.py build/release/bin/bodkin
await_suites # it plays model servers at the ports of local ones, where the others must find none
suite apply-cli python3 tests/apply_cli/run.py build/release/bin/bodkin
suite ask-cli python3 tests/ask_cli/run.py build/release/bin/bodkin
suite mcp-cli python3 tests/mcp_cli/run.py build/release/bin/bodkin
if [ "$full" ]; then setup_servers; fi # else only those that are installed, and clangd
setup_node
# The longest begin first, so that the others fill the lane beside them.
suite verify-cli python3 tests/verify_cli/run.py build/release/bin/bodkin
suite vscode-unit sh clients/vscode/test.sh # it installs what the workbench needs, too
if [ "$full" ]; then suite workbench sh tests/workbench/run.sh ${nightly:+--all}; fi
suite demo python3 tests/demo/run.py build/release/bin/bodkin
[ -z "$nightly" ] || export E2E_PROPOSALS=500 E2E_TIMEOUT=900 # of tests/e2e/nvim/drawn_at_random.lua
suite nvim-system sh tests/e2e/run.sh nvim
suite keys python3 tests/streams/keys.py build/release/bin/bodkin
suite acp-cli python3 tests/acp_cli/run.py build/release/bin/bodkin
suite documents python3 tests/documents.py
suite release python3 tests/release.py
suite suites python3 tests/suites.py
suite document-commands python3 tests/document_commands.py build/release/bin/bodkin
suite cases python3 tests/edits/cases.py build/release/bin/bodkin
suite cross python3 tests/edits/cross.py build/release/bin/bodkin 40
# A second engine, slow and plain, places 20,000 random hunks at the same lines with the same bytes, or refuses them.
suite twins python3 tests/edits/twins.py build/release/bin/bodkin
suite streams python3 tests/streams/run.py build/release/bin/bodkin
suite requests python3 tests/streams/requests.py build/release/bin/bodkin
suite asks python3 tests/streams/ask.py build/release/bin/bodkin
suite thoughts python3 tests/streams/thoughts.py build/release/bin/bodkin
suite prose python3 tests/streams/prose.py build/release/bin/bodkin
suite images python3 tests/streams/images.py build/release/bin/bodkin
suite cancel python3 tests/streams/cancel.py build/release/bin/bodkin
suite survival python3 tests/streams/survival.py build/release/bin/bodkin
suite soak python3 tests/streams/soak.py build/release/bin/bodkin
suite hosts python3 tests/streams/hosts.py build/release/bin/bodkin
suite secrets python3 tests/streams/secrets.py build/release/bin/bodkin
suite sandbox python3 tests/sandbox/run.py build/release/bin/bodkin
suite shown python3 tests/lsp/shown.py build/release/bin/bodkin
suite emacs sh tests/e2e/run.sh emacs

if [ -n "$full" ]; then
  suite lint sh tests/lint.sh ${nightly:+--all}
  if [ -n "$nightly" ]; then
    suite mutations python3 tests/mutate.py --sample 300
  else
    suite mutations python3 tests/mutate.py --since HEAD~1
  fi
  if [ -n "$nightly" ]; then
    suite unit-agent-asan build/asan/bin/test_agent
    suite unit-lsp-asan build/asan/bin/test_lsp
    suite cases-asan python3 tests/edits/cases.py build/asan/bin/bodkin
    # Memory that is kept back to find uses of it after its end is not used up.
    suite transcripts-asan env ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=32" \
      python3 tests/transcripts/run.py build/asan/bin/bodkin
    setup_build tsan test_agent test_lsp bodkin
    suite unit-agent-tsan build/tsan/bin/test_agent
    suite unit-lsp-tsan build/tsan/bin/test_lsp
    suite transcripts-tsan python3 tests/transcripts/run.py build/tsan/bin/bodkin
    suite fuzz sh tests/fuzz/run.sh 60
    suite acp-nightly sh tests/acp_cli/nightly.sh build/release/bin/bodkin
    suite bare-root sh tests/bare_root.sh demo
    setup_build portable test_agent test_lsp
    suite unit-agent-portable build/portable/bin/test_agent
    suite unit-lsp-portable build/portable/bin/test_lsp
    suite packages-macos sh .ci/release --macos
    setup_windows bodkin test_edits test_grammars test_agent test_lsp
    setup_windows_tools
    for folder in edits grammars agent lsp; do
      suite "unit-$folder-windows" env BODKIN_EXE="build/windows/bin/test_$folder.exe" python3 tests/windows/wine.py
    done
    suite windows python3 tests/windows/run.py build/release/bin/bodkin
    suite packages-windows sh .ci/release --windows
  else
    skip asan-agent-lsp "only with --nightly"
    skip tsan "only with --nightly"
    skip acp-nightly "only with --nightly"
    skip bare-root "only with --nightly"
    skip windows "only with --nightly"
  fi
  # The oldest Neovim that is supported is the system's, the newest is sid's; what lies between comes at night.
  newest=
  for release in ${nightly:+trixie} sid; do
    if sh tests/get-nvim.sh "$release" "build/nvim-$release" >"$logs/get-nvim-$release.log" 2>&1; then
      suite "nvim-$release" sh tests/e2e/run.sh "build/nvim-$release/nvim"
      newest=build/nvim-$release/nvim
    else
      skip "nvim-$release" "Debian's $release has no Neovim that runs here ($logs/get-nvim-$release.log)"
    fi
  done
  suite packages sh .ci/release --quick
  if [ -n "$nightly" ]; then
    suite demo-newest python3 tests/demo/run.py build/release/bin/bodkin ${newest:+"$newest"}
    for name in inspector conformance schema hosts; do
      suite "mcp-$name" sh "tests/mcp_cli/$name.sh" build/release/bin/bodkin
    done
  else
    skip mcp-nightly "only with --nightly"
    skip nvim-trixie "only with --nightly"
    skip demo-newest "only with --nightly"
  fi
else
  skip lint "only with --full"
  skip mutations "only with --full"
  skip tsan "only with --full"
  skip nvim-newer "only with --full"
  skip packages "only with --full"
  skip mcp-nightly "only with --nightly"
  skip workbench "only with --full"
fi

finish

